/** What the Desk shows, what is chosen in it, and the cell being edited. */
import type { ReadInputOf, ReadOutputOf } from '../../engine/reads/index.ts';
import type { DealStage, Due } from '../../engine/spec/deals.ts';
import type { ChangeInputOf } from '../../engine/work/index.ts';
import type { EngineClient } from '../client/engine-client.ts';
import type { Choice } from '../parts/use-row-choosing.ts';
import { navigation } from '../state/navigation.ts';
import { createStore } from '../state/store.ts';
import { makeChange } from '../work/make-change.ts';
import { localDay } from './next-date.ts';

export type Deals = ReadOutputOf<'deals'>;
export type Deal = Deals['results'][number];

/** The cells that can be edited, in the order of Tab. */
export const cells = ['stage', 'offer', 'next_on', 'next_what'] as const;
export type Cell = (typeof cells)[number];

export type Update = Omit<ChangeInputOf<'update_deal'>, 'ids' | 'today'>;

interface DeskView {
  /** Null: all open ones. */
  readonly stage: DealStage | null;
  readonly due: readonly Due[];
  readonly words: string;
  readonly isBoard: boolean;
  /** The one reached last is at the end. */
  readonly selected: readonly number[];
  /** The cell under the keyboard, and what cells before it in the row keep; null: none is edited. */
  readonly editing: { readonly id: number; readonly cell: Cell; readonly kept: Update } | null;
  /** Whether the card lies over the table, where it has no room beside it. */
  readonly isCardOpen: boolean;
}

export const desk = createStore<DeskView>('platbook.desk', {
  stage: null,
  due: [],
  words: '',
  isBoard: false,
  selected: [],
  editing: null,
  isCardOpen: false,
});

/** Another part of the desk: what was chosen may not be in it. */
export const showPart = (part: Partial<Pick<DeskView, 'stage' | 'due' | 'words' | 'isBoard'>>): void =>
  desk.set({ ...part, selected: [], editing: null, isCardOpen: false });

export const chosenDeals = (): Choice => {
  const { selected } = desk.get();
  return { ids: selected, shown: selected.at(-1) ?? null };
};

export const chooseDeals = ({ ids, shown }: Choice): void =>
  desk.set({ selected: shown === null ? ids : [...ids.filter((id) => id !== shown), shown], editing: null });

export const editCell = (id: number, cell: Cell | null, kept: Update = {}): void =>
  desk.set({ editing: cell === null ? null : { id, cell, kept } });

export function shownDeals({ stage, due, words }: Pick<DeskView, 'stage' | 'due' | 'words'>): ReadInputOf<'deals'> {
  return {
    today: localDay(),
    ...(stage === null ? {} : { stage: [stage] }),
    ...(due.length === 0 ? {} : { due }),
    ...(words.trim() === '' ? {} : { words: words.trim() }),
  };
}

/** On the Desk, Escape closes the cell, the card, then the choice. @returns whether there was one */
export function closeTopOfDesk(): boolean {
  if (navigation.get().screen !== 'desk') return false;
  const { editing, isCardOpen, selected } = desk.get();
  if (editing) desk.set({ editing: null });
  else if (isCardOpen) desk.set({ isCardOpen: false });
  else if (selected.length > 0) desk.set({ selected: [] });
  else return false;
  return true;
}

/** The deals that an edit of this one changes: all that are chosen, if it is among them. */
export function together(id: number): readonly number[] {
  const { selected } = desk.get();
  return selected.includes(id) ? selected : [id];
}

export const updateDeals = (client: EngineClient, ids: readonly number[], update: Update) =>
  makeChange(client, 'update_deal', { ids, ...update, today: localDay() });

export const moveTo = (client: EngineClient, ids: readonly number[], stage: DealStage) =>
  updateDeals(client, ids, { stage });
