/** A listener that the user can switch on and off, for the desktop app, whose pages do not come over it. */
import type { Engine } from '../engine.ts';
import { EngineError } from '../spec/errors.ts';
import type { ListenerControl, ListenerState } from '../work/listener-control.ts';
import { PortError, type RunningServer, type ServerOptions, startServer } from './server.ts';

interface SwitchedListener extends ListenerControl {
  close(): Promise<void>;
}

/** The port of this listener is chosen in the window. */
const advice = 'Choose another one in Settings, HTTP API.';

/** @param onSwitch receives the user's choice, also if the port was taken */
export function switchedListener(
  engine: Engine,
  options: Omit<ServerOptions, 'port'>,
  onSwitch: (wanted: { readonly on: boolean; readonly port: number }) => void = () => {},
): SwitchedListener {
  let server: RunningServer | null = null;
  let state: ListenerState = { on: false, port: 0, url: null, problem: null, switchable: true };
  let turn: Promise<unknown> = Promise.resolve();

  const apply = async ({ on, port }: { readonly on: boolean; readonly port: number }): Promise<ListenerState> => {
    await server?.close();
    server = null;
    state = { on: false, port, url: null, problem: null, switchable: true };
    if (!on) return state;
    try {
      server = await startServer(engine, { ...options, port });
      state = { ...state, on: true, port: server.port, url: server.baseUrl };
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      state = { ...state, problem: error instanceof PortError ? `${error.sentence} ${advice}` : error.message };
    }
    return state;
  };

  return {
    state: () => state,
    // One after another: two quick presses must not leave a second listener running.
    set: (wanted) => {
      const next = turn.then(async () => {
        const reached = await apply(wanted);
        onSwitch({ on: wanted.on, port: reached.port });
        return reached;
      });
      turn = next.catch(() => {});
      return next;
    },
    close: async () => {
      await turn;
      await server?.close();
      server = null;
    },
  };
}
