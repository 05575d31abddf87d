/** Electron's port outside a page has Node's way of listening; the engine's side of the wire knows the browser's. */
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
