/**
 * Connects to the engine through a port that the desktop app's main process passes in, again after every restart of the
 * engine's process.
 */
import { type DesktopBridge, portMessage } from '../../electron/bridge.ts';
import type { MessagePortLike } from '../../engine/rpc/messages.ts';
import { ClientError, type EngineClient } from './engine-client.ts';
import { portClient } from './port-client.ts';

/** A restart takes less than a second; a call that waits this long fails. */
const patienceMilliseconds = 20_000;

/** The parts of the page's window in use. */
export interface PortWindow {
  readonly location: { readonly origin: string };
  addEventListener(
    type: 'message',
    listener: (event: {
      readonly data: unknown;
      readonly origin: string;
      readonly ports: readonly unknown[];
      readonly source: unknown;
    }) => void,
  ): void;
}

/** A client that outlives its port: calls without a port wait for the next one. */
export function desktopClient(
  bridge: Pick<DesktopBridge, 'connect' | 'openHome' | 'openSample'>,
  page: PortWindow,
): EngineClient {
  let latest: { readonly client: EngineClient; readonly port: MessagePortLike } | null = null;
  let waiting: ((client: EngineClient) => void)[] = [];

  page.addEventListener('message', ({ data, origin, ports, source }) => {
    const port = ports[0] as MessagePortLike | undefined;
    // Accept ports from this page only.
    if (data !== portMessage || origin !== page.location.origin || source !== page || !port) return;
    const before = latest?.port;
    const client = portClient(port);
    latest = { client, port };
    port.addEventListener('close', () => {
      if (latest?.port === port) latest = null;
    });
    // Ends the calls of an old host whose end went unnoticed.
    before?.close();
    for (const give of waiting.splice(0)) give(client);
  });

  const connected = (): Promise<EngineClient> =>
    new Promise((resolve, reject) => {
      if (latest) return resolve(latest.client);
      const give = (client: EngineClient): void => {
        clearTimeout(timer);
        resolve(client);
      };
      const timer = setTimeout(() => {
        waiting = waiting.filter((one) => one !== give);
        reject(
          new ClientError('port_closed', 'The part of Platbook that reads the files does not respond. Try again.'),
        );
      }, patienceMilliseconds);
      waiting.push(give);
    });

  /** Repeats a free call that changes nothing once, so that screens need not know of a restart. */
  const free = async <Result>(ask: (client: EngineClient) => Promise<Result>): Promise<Result> => {
    try {
      return await ask(await connected());
    } catch (error) {
      if (!(error instanceof ClientError) || error.code !== 'port_closed') throw error;
      return ask(await connected());
    }
  };

  void bridge.connect();
  return {
    call: async (name, input, options) => (await connected()).call(name, input, options),
    change: async (name, input, options) => (await connected()).change(name, input, options),
    read: (name, input, options) => free((client) => client.read(name, input, options)),
    tile: (source, z, x, y, options) => free((client) => client.tile(source, z, x, y, options)),
    photo: (id, options) => free((client) => client.photo(id, options)),
    openSample: () => bridge.openSample(),
    openHome: () => bridge.openHome(),
  };
}
