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
  | { readonly id: number; readonly kind: 'change'; readonly name: string; readonly input: unknown }
  | {
      readonly id: number;
      readonly kind: 'tile';
      readonly source: string;
      readonly z: number;
      readonly x: number;
      readonly y: number;
    }
  /** Takes back a read or tile that has not begun; a call or change is never taken back. */
  | { readonly id: number; readonly kind: 'cancel' };

export type RpcAnswer =
  | {
      readonly id: number;
      readonly ok: true;
      readonly data: unknown;
      readonly tokens: number;
      readonly requestId: string;
      /** Of a change: the journal's entry that takes it back. */
      readonly undo?: { readonly entry: number; readonly sentence: string } | null;
    }
  | { readonly id: number; readonly ok: false; readonly error: RpcError };

export interface RpcError {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: ErrorDetails;
}
