/** What goes over a port, both ways: plain values that structured clone carries. The same operations and reads as over HTTP. */
import type { ErrorDetails } from '../spec/errors.ts';

/** What of a MessagePort is used: Node's, the browser's and Electron's have it, the last with a line of glue. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  /** Browsers deliver nothing to `addEventListener` before this. */
  start?(): void;
  close(): void;
}

export type RpcRequest =
  | {
      readonly id: number;
      readonly kind: 'call';
      readonly name: string;
      readonly input: unknown;
      readonly action: string;
    }
  | { readonly id: number; readonly kind: 'read'; readonly name: string; readonly input: unknown }
  /** Takes back a read that has not begun; a call that may be charged is never taken back. */
  | { readonly id: number; readonly kind: 'cancel' };

export type RpcAnswer =
  | {
      readonly id: number;
      readonly ok: true;
      readonly data: unknown;
      readonly tokens: number;
      readonly requestId: string;
    }
  | { readonly id: number; readonly ok: false; readonly error: RpcError };

export interface RpcError {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: ErrorDetails;
}
