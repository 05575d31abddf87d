/**
 * Keeps changes that cannot be written now (a full disk, a file that another program holds) in memory and writes them
 * once possible: their callers wait, and nothing typed is lost.
 */
import type { ClientError, EngineClient } from '../client/engine-client.ts';
import { createStore } from '../state/store.ts';

const keepable: readonly string[] = ['disk_full', 'disk_trouble', 'file_locked', 'file_read_only'];

/** Number of waiting changes: the one that failed, and those behind it. */
export const keptChanges = createStore<{ readonly count: number }>(null, { count: 0 });

interface Pressed {
  readonly key: string;
  readonly done: Promise<unknown>;
}

/**
 * Unwritten presses; by name the last change of that name, because only directly after it a repeat counts as the same.
 */
const pressed = new Map<string, Pressed>();
let asked = 0;
let kept = 0;

const retryMilliseconds = 2000;

const isKeepable = (error: unknown): boolean => keepable.includes((error as Partial<ClientError>).code ?? '');

/**
 * A change pressed again before it is written counts once; a change with another input between the two makes them
 * three.
 * @param name of the change; @param key of its input
 */
export function oncePressed<Result>(name: string, key: string, make: () => Promise<Result>): Promise<Result> {
  const standing = pressed.get(name);
  if (standing?.key === key) return standing.done as Promise<Result>;
  asked += 1;
  const done = make().finally(() => {
    asked -= 1;
    if (pressed.get(name) === mine) pressed.delete(name);
    count();
  });
  const mine = { key, done };
  pressed.set(name, mine);
  count();
  return done;
}

/** After an undo the same change counts as a new one. */
export const forgetPressed = (): void => pressed.clear();

/** @throws all other errors */
export async function untilWritten<Result>(client: EngineClient, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isKeepable(error)) throw error;
  }
  kept += 1;
  count();
  try {
    return await keepTrying(client, write);
  } finally {
    kept -= 1;
    count();
  }
}

function count(): void {
  const waiting = kept === 0 ? 0 : asked;
  if (waiting === keptChanges.get().count) return;
  keptChanges.set({ count: waiting });
  if (waiting > 0) addEventListener('beforeunload', askBeforeLeaving);
  else removeEventListener('beforeunload', askBeforeLeaving);
}

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

async function keepTrying<Result>(client: EngineClient, write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    if (!(await mayWrite(client))) continue;
    try {
      return await write();
    } catch (error) {
      if (!isKeepable(error)) throw error;
    }
  }
}

/** Checked first: a write waits for a lock for seconds, and blocks the whole engine. */
async function mayWrite(client: EngineClient): Promise<boolean> {
  try {
    const { hindrance } = await client.read('home_state', {});
    return hindrance?.kind !== 'locked' && hindrance?.kind !== 'read_only';
  } catch {
    return false;
  }
}
