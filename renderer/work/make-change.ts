/** The only way from a screen to a change of the user's work: runs it, refreshes, reports it, and makes it undoable. */
import type { QueryClient } from '@tanstack/react-query';
import type { ChangeInputOf, ChangeName, ChangeOutputOf } from '../../engine/work/index.ts';
import { ClientError, type EngineClient } from '../client/engine-client.ts';
import { redo as redoFilter, undo as undoFilter } from '../explore/explore-state.ts';
import { type Step, toast } from '../state/toasts.ts';
import { forgetPressed, oncePressed, untilWritten } from './kept-changes.ts';
import { dropStep, moveStep, noteStep, steps } from './undo-steps.ts';

let queries: QueryClient | null = null;

/** The cached answers that changes make stale; set once, when the window is drawn. */
export const attachQueries = (client: QueryClient): void => {
  queries = client;
};

/** Reads of the user's work. */
const workReads = new Set([
  'saved_searches',
  'lists',
  'mailings',
  'mailing',
  'list_page',
  'list_runs',
  'list_quote',
  'marks',
  'field_marks',
  'visits',
  'visit_draft',
  'tag_legend',
  'parcel_work',
  'owner_card',
  'deals',
  'changed_owners',
  'do_not_mail',
  'suspect_sales',
  'journal',
  'market_board',
  'regions',
  'plan',
  // Results that runs of lists pay for, and the runs themselves, which are jobs.
  'stored_value',
  'stored_trace',
  'jobs',
]);

const asksForWork =
  /"(starred|tags|in_list|not_in_list|mailed_before|stage|next_before|next_after|offer_min|offer_max|touched_since)":/;

/** Lists of what exists: refreshed first, so that nothing is read of a deleted list. */
const directories = new Set(['saved_searches', 'lists', 'mailings']);

/** Time for the screen to remove what is gone. */
const drawMilliseconds = 50;

/** Refreshes every read of the user's work, and every one whose filter uses it. */
export async function refreshWork(): Promise<void> {
  if (!queries) return;
  await queries.invalidateQueries({ predicate: ({ queryKey: [name] }) => directories.has(String(name)) });
  await new Promise((resolve) => setTimeout(resolve, drawMilliseconds));
  await queries.invalidateQueries({
    predicate: ({ queryKey: [name, ...rest] }) =>
      (workReads.has(String(name)) && !directories.has(String(name))) || asksForWork.test(JSON.stringify(rest)),
  });
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one after another, in the order of the presses: an undo waits for its change. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work, work);
  last = turn.catch(() => {});
  return turn;
}

/**
 * @param onWritten called as soon as it is written, before the screens are refreshed
 * @returns the change's answer; null if it failed, which is reported
 */
export async function makeChange<Name extends ChangeName>(
  client: EngineClient,
  name: Name,
  input: ChangeInputOf<Name>,
  onWritten?: () => void,
): Promise<{ readonly data: ChangeOutputOf<Name> } | null> {
  return makeFoundChange(client, { name, key: JSON.stringify(input) }, async () => ({ name, input }), onWritten);
}

/**
 * The same for changes that depend on the current state: a star is set or removed.
 * @param press identifies equal presses while neither is written
 */
export async function makeFoundChange<Name extends ChangeName>(
  client: EngineClient,
  press: { readonly name: string; readonly key: string },
  find: () => Promise<{ readonly name: Name; readonly input: ChangeInputOf<Name> }>,
  onWritten?: () => void,
): Promise<{ readonly data: ChangeOutputOf<Name> } | null> {
  try {
    return { data: await tryFoundChange(client, press, find, onWritten) };
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** For a change whose failure the screen itself shows. @throws ClientError */
export const tryChange = <Name extends ChangeName>(
  client: EngineClient,
  name: Name,
  input: ChangeInputOf<Name>,
  onWritten?: () => void,
): Promise<ChangeOutputOf<Name>> =>
  tryFoundChange(client, { name, key: JSON.stringify(input) }, async () => ({ name, input }), onWritten);

async function tryFoundChange<Name extends ChangeName>(
  client: EngineClient,
  press: { readonly name: string; readonly key: string },
  find: () => Promise<{ readonly name: Name; readonly input: ChangeInputOf<Name> }>,
  onWritten?: () => void,
): Promise<ChangeOutputOf<Name>> {
  const write = async () => {
    const { name, input } = await find();
    const done = await untilWritten(client, () => client.change(name, input));
    const { undo } = done;
    if (undo) {
      noteStep(undo.entry);
      toast(undo.sentence, {
        label: 'Undo',
        step: undo.entry,
        run: () => inTurnAnew(() => stepOver(client, undo.entry, 'undo')),
      });
    }
    return done.data;
  };
  const data = await oncePressed(press.name, press.key, () => inTurn(write));
  onWritten?.();
  await refreshWork();
  return data;
}

type Direction = 'undo' | 'redo';

/** Waits for its turn; a press after it counts as a new one. */
function inTurnAnew(work: () => Promise<unknown>): void {
  forgetPressed();
  void inTurn(work);
}

const opposite = { undo: 'redo', redo: 'undo' } as const;
const side = { undo: 'undone', redo: 'done' } as const;

const isRefused = new Set(['not_found', 'validation_error']);

/** Steps over one journal entry. @returns whether it worked */
async function stepOver(client: EngineClient, entry: number, direction: Direction): Promise<boolean> {
  try {
    const { data } = await client.change(direction, { entry });
    moveStep(entry, side[direction]);
    sayStepped(client, data?.sentence ?? '', entry, direction);
    await refreshWork();
    return true;
  } catch (error) {
    // Undone in another window, or its rows have changed: the sentence says which, and the next undo continues behind
    // it. An entry that was merely unreachable can be retried.
    if (error instanceof ClientError && isRefused.has(error.code)) dropStep(entry);
    toast(error instanceof Error ? error.message : String(error));
    return false;
  }
}

const sayStepped = (client: EngineClient, sentence: string, entry: number, direction: Direction): void =>
  toast(`${direction === 'undo' ? 'Undone' : 'Done again'}: ${sentence}`, {
    label: direction === 'undo' ? 'Redo' : 'Undo',
    step: entry,
    run: () => inTurnAnew(() => stepOver(client, entry, opposite[direction])),
  });

export const undoLast = (client: EngineClient): void => inTurnAnew(() => stepLast(client, 'undo'));
export const redoLast = (client: EngineClient): void => inTurnAnew(() => stepLast(client, 'redo'));

async function stepLast(client: EngineClient, direction: Direction): Promise<void> {
  for (;;) {
    const step: Step | undefined = (direction === 'undo' ? steps.get().done : steps.get().undone).at(-1);
    if (step === undefined) return direction === 'undo' ? undoOlder(client) : void toast('Nothing to redo');
    if (step !== 'filter') return void (await stepOver(client, step, direction));
    if (stepFilter(client, direction)) return;
    dropStep('filter');
  }
}

function stepFilter(client: EngineClient, direction: Direction): boolean {
  const isDone = direction === 'undo' ? undoFilter() : redoFilter();
  if (isDone && direction === 'undo')
    toast('Filter change undone', { label: 'Redo', step: 'filter', run: () => void redoLast(client) });
  return isDone;
}

/** Undoes what this window does not know of: an older filter, or changes in another browser. */
async function undoOlder(client: EngineClient): Promise<void> {
  if (stepFilter(client, 'undo')) return;
  const [newest] = (await client.read('journal', { limit: 200 })).filter((line) => !line.is_undone);
  if (newest) await stepOver(client, newest.entry, 'undo');
  else toast('Nothing to undo');
}
