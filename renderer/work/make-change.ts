/** The one way from a screen to a change of the user's work: made, refreshed, said, and ready to be undone. */
import type { QueryClient } from '@tanstack/react-query';
import type { ChangeInputOf, ChangeName, ChangeOutputOf } from '../../engine/work/index.ts';
import { ClientError, type EngineClient } from '../client/engine-client.ts';
import { redo as redoFilter, undo as undoFilter } from '../explore/explore-state.ts';
import { type Step, toast } from '../state/toasts.ts';
import { forgetPressed, oncePressed, untilWritten } from './kept-changes.ts';
import { dropStep, moveStep, noteStep, steps } from './undo-steps.ts';

let queries: QueryClient | null = null;

/** The answers that changes make old; given once, when the window is drawn. */
export const attachQueries = (client: QueryClient): void => {
  queries = client;
};

/** Reads that answer of the user's work. */
const workReads = new Set([
  'saved_searches',
  'lists',
  'list_page',
  'list_runs',
  'list_quote',
  'marks',
  'tag_legend',
  'parcel_work',
  'changed_owners',
  'do_not_mail',
  'journal',
  'market_board',
  'regions',
  'plan',
  // What runs of lists pay for, and the runs themselves, which are jobs.
  'stored_value',
  'stored_trace',
  'jobs',
]);

const asksForWork = /"(starred|tags|in_list|not_in_list|mailed_before)":/;

/** What there is to be shown: asked first, so that nothing is asked of a list that is gone. */
const directories = new Set(['saved_searches', 'lists']);

/** Time for the screen to take away what is gone. */
const drawMilliseconds = 50;

/** Every read of the user's work, and every one whose filter asks for it. */
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

/** One after another, in the order of the presses: an undo waits for the change that it is to take back. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(work, work);
  last = turn.catch(() => {});
  return turn;
}

/** @returns what the change answers; null when it failed, which is said */
export async function makeChange<Name extends ChangeName>(
  client: EngineClient,
  name: Name,
  input: ChangeInputOf<Name>,
): Promise<{ readonly data: ChangeOutputOf<Name> } | null> {
  return makeFoundChange(client, { name, key: JSON.stringify(input) }, async () => ({ name, input }));
}

/**
 * The same where it takes a look to know which change: a star is put on or taken off.
 * @param press what makes two presses the same while neither is written
 */
export async function makeFoundChange<Name extends ChangeName>(
  client: EngineClient,
  press: { readonly name: string; readonly key: string },
  find: () => Promise<{ readonly name: Name; readonly input: ChangeInputOf<Name> }>,
): Promise<{ readonly data: ChangeOutputOf<Name> } | null> {
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
  try {
    const data = await oncePressed(press.name, press.key, () => inTurn(write));
    await refreshWork();
    return { data };
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    return null;
  }
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

/** One entry of the journal. @returns whether it was stepped over */
async function stepOver(client: EngineClient, entry: number, direction: Direction): Promise<boolean> {
  try {
    const { data } = await client.change(direction, { entry });
    moveStep(entry, side[direction]);
    sayStepped(client, data?.sentence ?? '', entry, direction);
    await refreshWork();
    return true;
  } catch (error) {
    // Undone in another window, or its ground has changed: the sentence says which, and the way goes on behind it. What
    // was only not reached can be tried again.
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

/** What this window does not know of: a filter from before, or what was done in another browser. */
async function undoOlder(client: EngineClient): Promise<void> {
  if (stepFilter(client, 'undo')) return;
  const [newest] = (await client.read('journal', { limit: 200 })).filter((line) => !line.is_undone);
  if (newest) await stepOver(client, newest.entry, 'undo');
  else toast('Nothing to undo');
}
