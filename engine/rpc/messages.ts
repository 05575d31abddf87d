/** The messages over a port, both ways: plain values for structured clone. The operations and reads are those of HTTP. */
import type { ErrorDetails } from '../spec/errors.ts';

/** The used part of a MessagePort: Node's and the browser's have it, Electron's with a small adapter. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
  /** Browsers deliver messages to `addEventListener` listeners only after this call. */
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
  /** The original of a photo; answered as `PhotoBytes`. */
  | { readonly id: number; readonly kind: 'photo'; readonly photo: number }
  /** Cancels a read, photo or tile that has not begun; calls and changes cannot be cancelled. */
  | { readonly id: number; readonly kind: 'cancel' };

export type RpcAnswer =
  | {
      readonly id: number;
      readonly ok: true;
      readonly data: unknown;
      readonly tokens: number;
      readonly requestId: string;
      /** For a change: the journal entry that undoes it. */
      readonly undo?: { readonly entry: number; readonly sentence: string } | null;
    }
  | { readonly id: number; readonly ok: false; readonly error: RpcError };

export interface PhotoBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: string;
}

export interface RpcError {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: ErrorDetails;
}
