/** Messages between the host and a worker process: plain values that structured clone can copy. */
import type { JobError, ProgressEvent } from './job.ts';

/** A worker receives one, or, where it stays, one at a time. */
export interface WorkerOrder {
  /** A task of task-kinds.ts. */
  readonly kind: string;
  /** The process waits for another order afterwards. */
  readonly stays?: boolean;
  readonly input: unknown;
  /** The folder of the databases. */
  readonly home: string;
  /** The host's wall clock, in milliseconds since 1970; the worker's continues from it. */
  readonly now: number;
  /** Threads that the work may use. */
  readonly threads: number;
  /** Memory beyond which the process ends itself. */
  readonly megabytes?: number;
  /** Seconds of computing beyond which the process ends itself. */
  readonly seconds?: number;
  /** A job's unique name, under which it notes what it commits (store/job-note.ts). */
  readonly job?: string;
}

export interface WorkTools {
  /** The host's clock, continued. */
  readonly now: () => Date;
  readonly progress: (event: ProgressEvent) => void;
  /** Reports what is committed while the job continues. */
  readonly keep: (report: unknown) => void;
  /** Called between two steps of work that blocks the event loop. */
  readonly onStep: () => void;
}

export type WorkerNews =
  | { readonly news: 'progress'; readonly progress: ProgressEvent }
  /** What is committed while the job continues: a later cancel or failure undoes only what comes after. */
  | { readonly news: 'kept'; readonly report: unknown }
  | { readonly news: 'done'; readonly report: unknown }
  | { readonly news: 'failed'; readonly error: JobError }
  /** A bug in Platbook, with its stack; for the log only. */
  | { readonly news: 'fault'; readonly stack: string };

/** A process that runs `worker-child`. */
export interface WorkerProcess {
  send(order: WorkerOrder): void;
  /** At once, at any point: SQLite rolls back what was not committed. */
  kill(): void;
  /** Lets an otherwise idle host end without waiting for it; absent where hosts never end by themselves. */
  unref?(): void;
}

export interface WorkerEars {
  readonly onNews: (news: WorkerNews) => void;
  /** Called once, after the last message. @param lastWords the end of its standard error */
  readonly onExit: (lastWords: string) => void;
}

/** Starts a worker. Node forks; in Electron the host asks main for a utility process. */
export type SpawnWorker = (ears: WorkerEars) => WorkerProcess;
