/** What goes between the host and a worker process, both ways: plain values that structured clone carries. */
import type { JobError, ProgressEvent } from './job.ts';

/** The message that a worker gets: one of a job; questions one after another, each when the one before is answered. */
export interface WorkerOrder {
  /** Whose work it is: that of job-work.ts, question-work.ts or errand-work.ts. */
  readonly as: 'job' | 'question' | 'errand';
  readonly kind: string;
  readonly input: unknown;
  /** The folder of the three files. */
  readonly home: string;
  /** The host's wall clock, in milliseconds since 1970: the worker's goes on from there. */
  readonly now: number;
  /** Threads that work within the process may use. */
  readonly threads: number;
  /** Beyond it the process ends itself. */
  readonly megabytes?: number;
  /** Of a job: a name that no other has had, under which it notes what it commits (store/job-note.ts). */
  readonly job?: string;
}

export interface WorkTools {
  /** The host's clock, going on. */
  readonly now: () => Date;
  readonly progress: (event: ProgressEvent) => void;
  /** Says what is committed and stays, while the job goes on. */
  readonly keep: (report: unknown) => void;
  /** Called between two steps of what holds the loop for long. */
  readonly onStep: () => void;
}

/** What each of the three gives the child. @throws EngineError what the work throws */
export type DoWork = (order: WorkerOrder, tools: WorkTools) => Promise<unknown>;

export type WorkerNews =
  | { readonly news: 'progress'; readonly progress: ProgressEvent }
  /** What is committed and stays, though the job goes on: a cancel or failure from here on takes back only what comes after. */
  | { readonly news: 'kept'; readonly report: unknown }
  | { readonly news: 'done'; readonly report: unknown }
  | { readonly news: 'failed'; readonly error: JobError }
  /** A fault of Platbook itself, with its stack; for the log only. */
  | { readonly news: 'fault'; readonly stack: string };

/** A process that runs `worker-child`. */
export interface WorkerProcess {
  send(order: WorkerOrder): void;
  /** At once, wherever it is: SQLite takes back what was not committed. */
  kill(): void;
  /** A host that has nothing else to do need not wait for it; absent where hosts never end by themselves. */
  unref?(): void;
}

export interface WorkerEars {
  readonly onNews: (news: WorkerNews) => void;
  /** Called once, after the last news. @param lastWords what it wrote to standard error, its end */
  readonly onExit: (lastWords: string) => void;
}

/** Starts a worker. Node forks; in Electron the host asks main for a utility process. */
export type SpawnWorker = (ears: WorkerEars) => WorkerProcess;
