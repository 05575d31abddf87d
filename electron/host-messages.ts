/** Messages between main and an engine host: plain values. Calls to the engine use a port instead. */
import type { WorkerNews, WorkerOrder } from '../engine/jobs/worker-messages.ts';

export interface ListenerSwitch {
  readonly on: boolean;
  readonly port: number;
}

export type ToHost =
  | {
      readonly kind: 'start';
      readonly home: string;
      readonly isSample: boolean;
      readonly listener: ListenerSwitch;
      /** An earlier host has served windows that are still open. */
      readonly hasWindows: boolean;
    }
  /** Comes with a port, through which a window calls. */
  | { readonly kind: 'port' }
  | { readonly kind: 'ping'; readonly count: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'worker_news'; readonly worker: number; readonly news: WorkerNews }
  | { readonly kind: 'worker_exit'; readonly worker: number; readonly lastWords: string };

export type FromHost =
  /** The program is loaded; `start` then chooses the home. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready' }
  /** The home cannot be opened: a named error that a retry would not fix. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | { readonly kind: 'pong'; readonly count: number }
  /** The user switched the listener: stored for the next start. */
  | { readonly kind: 'listener'; readonly listener: ListenerSwitch }
  /** How many jobs are queued or running. */
  | { readonly kind: 'jobs'; readonly running: number }
  /** A host must not start processes itself: main does. */
  | { readonly kind: 'worker_start'; readonly worker: number }
  | { readonly kind: 'worker_order'; readonly worker: number; readonly order: WorkerOrder }
  | { readonly kind: 'worker_kill'; readonly worker: number }
  /** A sentence for the user: what this start has done with the files. */
  | { readonly kind: 'told'; readonly sentence: string }
  /** A fault of Platbook itself, without data of parcels or people. */
  | { readonly kind: 'log'; readonly line: string };

const kinds: readonly string[] = [
  'loaded',
  'ready',
  'refused',
  'pong',
  'listener',
  'jobs',
  'worker_start',
  'worker_order',
  'worker_kill',
  'told',
  'log',
] satisfies readonly FromHost['kind'][];

/** A host is our own code in a separate process: only the shape is checked. */
export const isFromHost = (message: unknown): message is FromHost =>
  typeof message === 'object' && message !== null && kinds.includes((message as { kind?: unknown }).kind as string);
