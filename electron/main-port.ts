/**
 * Adapts Electron's ports outside pages, which listen like Node's, to the engine's side, which expects the browser's
 * interface.
 */
import type { MessagePortMain } from 'electron/main';
import type { MessagePortLike } from '../engine/rpc/messages.ts';

type Listener = (event: { readonly data: unknown }) => void;

export const portLike = (port: Pick<MessagePortMain, 'postMessage' | 'on' | 'start' | 'close'>): MessagePortLike => ({
  postMessage: (message) => port.postMessage(message),
  addEventListener: (type: 'message' | 'close', listener: Listener | (() => void)) => {
    if (type === 'message') port.on('message', ({ data }) => (listener as Listener)({ data }));
    else port.on('close', listener as () => void);
  },
  start: () => port.start(),
  close: () => port.close(),
});
