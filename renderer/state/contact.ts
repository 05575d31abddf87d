/**
 * Whether the engine answers. While it does not, free reads and tiles wait: the screen keeps what it shows, one banner
 * says why, and everything goes on once the engine is back on its port.
 */
import { ClientError, type EngineClient, type ReadOptions } from '../client/engine-client.ts';
import { createStore } from './store.ts';

/** Here; gone: stopped; strange: another start of it, which does not know this window. */
export type Contact = 'here' | 'gone' | 'strange';

export const contact = createStore<{ readonly state: Contact }>(null, { state: 'here' });

const stateOf = new Map<string, Contact>([
  ['unreachable', 'gone'],
  ['port_closed', 'gone'],
  // The window's own session: only the API has keys.
  ['unauthorized', 'strange'],
]);

const lost = (error: unknown): Contact | undefined =>
  error instanceof ClientError ? stateOf.get(error.code) : undefined;

const askMilliseconds = 1000;

/** @returns the client whose reads and tiles outlast a stop of the engine; calls and changes fail as before */
export function withContact(client: EngineClient): EngineClient {
  let back: Promise<void> | null = null;
  const see = (state: Contact) => state !== contact.get().state && contact.set({ state });
  const wait = async (): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, askMilliseconds));
      try {
        await client.read('home_state', {});
        break;
      } catch (error) {
        const state = lost(error);
        if (!state) break;
        see(state);
      }
    }
    back = null;
    see('here');
  };
  const miss = (state: Contact): Promise<void> => {
    see(state);
    back ??= wait();
    return back;
  };
  const patiently = async <Answer>(ask: () => Promise<Answer>, { signal }: ReadOptions = {}): Promise<Answer> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const state = lost(error);
        if (!state) throw error;
        await miss(state);
        signal?.throwIfAborted();
      }
    }
  };
  const once = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      const state = lost(error);
      if (state) void miss(state);
      throw error;
    }
  };
  return {
    ...client,
    read: (name, input, options) => patiently(() => client.read(name, input, options), options),
    tile: (source, z, x, y, options) => patiently(() => client.tile(source, z, x, y, options), options),
    call: (operation, input, options) => once(client.call(operation, input, options)),
    change: (name, input, options) => once(client.change(name, input, options)),
  };
}
