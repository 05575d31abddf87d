/**
 * Unsaved text of notes, kept for as long as the window exists: another row, another tab or a search result removes the
 * field, never the words.
 */
import { createStore, useStore } from '../state/store.ts';

/** A new note of a parcel, or an edit of an existing one. */
type DraftOf = `new ${number}` | `edit ${number}`;

interface Drafts {
  readonly texts: Readonly<Record<string, string>>;
  /** Being saved; the same text is not sent twice. */
  readonly sent: Readonly<Record<string, string>>;
}

const drafts = createStore<Drafts>(null, { texts: {}, sent: {} });

const without = (all: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));

interface Draft {
  /** Null: nothing was begun. */
  readonly text: string | null;
  readonly isSent: boolean;
  readonly set: (text: string) => void;
  readonly drop: () => void;
  /** @param write returns whether it was saved; otherwise the draft stays */
  readonly send: (write: (text: string) => Promise<boolean>) => Promise<void>;
}

/** The rest after saving: for a new note, text typed since; an edit is kept whole. */
const restAfter = (of: DraftOf, text: string, kept: string): string =>
  text === kept ? '' : of.startsWith('new ') && text.startsWith(kept) ? text.slice(kept.length).trimStart() : text;

export function useDraft(of: DraftOf): Draft {
  const { texts, sent } = useStore(drafts);
  const set = (text: string): void => drafts.set((now) => ({ texts: { ...now.texts, [of]: text } }));
  const drop = (): void => drafts.set((now) => ({ texts: without(now.texts, of) }));
  const send = async (write: (text: string) => Promise<boolean>): Promise<void> => {
    const { texts: now, sent: under } = drafts.get();
    const text = now[of] ?? '';
    if (text.trim() === '' || of in under) return;
    drafts.set({ sent: { ...under, [of]: text } });
    const isKept = await write(text);
    drafts.set((after) => ({ sent: without(after.sent, of) }));
    if (!isKept) return;
    const rest = restAfter(of, drafts.get().texts[of] ?? '', text);
    if (rest === '') drop();
    else set(rest);
  };
  return { text: texts[of] ?? null, isSent: of in sent, set, drop, send };
}
