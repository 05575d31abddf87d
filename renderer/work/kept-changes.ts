/**
 * What cannot be written now (a full disk, a file that another program holds) is kept in memory and written once it can
 * be: whoever made the change waits for it, and nothing that was typed is lost.
 */
import type { ClientError, EngineClient } from '../client/engine-client.ts';
import { createStore } from '../state/store.ts';

const keepable: readonly string[] = ['disk_full', 'disk_trouble', 'file_locked', 'file_read_only'];

/** How many changes wait. */
export const keptChanges = createStore<{ readonly count: number }>(null, { count: 0 });

const waiting = new Map<string, Promise<unknown>>();

const retryMilliseconds = 2000;

const isKeepable = (error: unknown): boolean => keepable.includes((error as Partial<ClientError>).code ?? '');

/** @throws whatever else goes wrong */
export async function untilWritten<Result>(
  client: EngineClient,
  key: string,
  write: () => Promise<Result>,
): Promise<Result> {
  // The same change, pressed again meanwhile, is one.
  const standing = waiting.get(key);
  if (standing) return standing as Promise<Result>;
  try {
    return await write();
  } catch (error) {
    if (!isKeepable(error)) throw error;
  }
  const kept = keepTrying(client, write);
  waiting.set(key, kept);
  count();
  return kept.finally(() => {
    waiting.delete(key);
    count();
  });
}

function count(): void {
  keptChanges.set({ count: waiting.size });
  if (waiting.size > 0) addEventListener('beforeunload', askBeforeLeaving);
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
