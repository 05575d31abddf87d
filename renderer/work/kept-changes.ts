/**
 * What cannot be written now (a full disk, a file that another program holds) is kept in memory and written once it can
 * be: whoever made the change waits for it, and nothing that was typed is lost.
 */
import type { ClientError, EngineClient } from '../client/engine-client.ts';
import { createStore } from '../state/store.ts';

const keepable: readonly string[] = ['disk_full', 'disk_trouble', 'file_locked', 'file_read_only'];

/** How many changes wait: the one that could not be written, and those behind it. */
export const keptChanges = createStore<{ readonly count: number }>(null, { count: 0 });

interface Pressed {
  readonly key: string;
  readonly done: Promise<unknown>;
}

/** Not written yet; by its name the last change of that name, for only after that one is the same again no other. */
const pressed = new Map<string, Pressed>();
let asked = 0;
let kept = 0;

const retryMilliseconds = 2000;

const isKeepable = (error: unknown): boolean => keepable.includes((error as Partial<ClientError>).code ?? '');

/**
 * The same change, pressed again before it is written, is one; one of another input between the two makes them three.
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

/** After an undo the same change is another one. */
export const forgetPressed = (): void => pressed.clear();

/** @throws whatever else goes wrong */
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

/** Asked first: a write waits for a lock for seconds, and the whole engine with it. */
async function mayWrite(client: EngineClient): Promise<boolean> {
  try {
    const { hindrance } = await client.read('home_state', {});
    return hindrance?.kind !== 'locked' && hindrance?.kind !== 'read_only';
  } catch {
    return false;
  }
}
