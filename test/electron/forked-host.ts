/** The real engine host as a fork of Node: Electron's parent port is replaced by Node's channel, windows' ports go over it. */
import process from 'node:process';
import { runHost } from '../../electron/host.ts';
import type { ToHost } from '../../electron/host-messages.ts';
import type { MessagePortLike } from '../../engine/rpc/messages.ts';

/** In addition to the host's own messages: those of a window's port. */
interface PortMessage {
  readonly onPort: number;
  readonly data?: unknown;
  readonly isClosed?: boolean;
}

interface EarsOfPort {
  /** What came before anybody listened; null from `start` on, as with a real port. */
  waiting: PortMessage[] | null;
  readonly message: ((event: { readonly data: unknown }) => void)[];
  readonly close: (() => void)[];
}

const ports = new Map<number, EarsOfPort>();
let latest = 0;

function openPort(): MessagePortLike {
  latest += 1;
  const onPort = latest;
  const ears: EarsOfPort = { waiting: [], message: [], close: [] };
  ports.set(onPort, ears);
  return {
    postMessage: (data) => void process.send?.({ onPort, data }),
    addEventListener: (type: 'message' | 'close', listener: never) => void ears[type].push(listener),
    start: () => {
      const before = ears.waiting ?? [];
      ears.waiting = null;
      for (const message of before) toPort(message);
    },
    close: () => ports.delete(onPort),
  };
}

function toPort(message: PortMessage): void {
  const { onPort, data, isClosed } = message;
  const ears = ports.get(onPort);
  if (ears?.waiting) ears.waiting.push(message);
  else if (isClosed) for (const hear of ears?.close ?? []) hear();
  else for (const hear of ears?.message ?? []) hear({ data });
}

runHost({
  post: (message) => void process.send?.(message),
  onMessage: (listener) => {
    process.on('message', (message: ToHost | PortMessage) => {
      if ('onPort' in message) toPort(message);
      else listener(message, message.kind === 'port' ? openPort() : null);
    });
  },
  exit: () => process.exit(0),
});
process.on('disconnect', () => process.exit(1));
