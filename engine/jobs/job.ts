/**
 * A job is long work that the app goes on answering beside: an import, an enrichment, priced columns of a list. Work on the
 * land file runs in a process of its own, so that cancel is kill and nothing is left half-written; work that calls priced
 * operations runs in the host, because one process keeps the ledger.
 */
import { EngineError, type ErrorCode, type ErrorDetails } from '../spec/errors.ts';

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';

export interface JobProgress {
  /** In words, as the kind says it: `reading parcels`. */
  readonly phase: string;
  /** Rows of this phase so far. */
  readonly rows: number;
  /** Rows of this phase; null where nobody knows yet. */
  readonly total: number | null;
  readonly rows_per_second: number;
  /** Of this phase; null where nobody knows. */
  readonly seconds_left: number | null;
}

export interface JobError {
  readonly code: string;
  readonly message: string;
  readonly details?: ErrorDetails;
}

/** A class does not survive the way out of a process: its code, words and details do. */
export const asEngineError = ({ code, message, details }: JobError): EngineError =>
  new EngineError(code as ErrorCode, message, details ? { details } : {});

/** What the read `jobs` lists. */
export interface JobStatus {
  /** Counted from 1 since the engine was opened. */
  readonly job_id: number;
  readonly kind: string;
  /** What it does, for a list: `Import parcels.zip into Sullivan County`. */
  readonly title: string;
  readonly state: JobState;
  /** Of a running job, once it has told. */
  readonly progress: JobProgress | null;
  readonly queued_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Of a job that is done, what its kind reports; of one that was cancelled or failed, what was whole by then and is kept, else null. */
  readonly report: unknown;
  /** Of a job that failed. */
  readonly error: JobError | null;
}

/** What work tells of itself; the runner adds how long it will take. */
export type ProgressEvent = Omit<JobProgress, 'seconds_left'>;

/** Work in the host's own process: it must give the event loop its turns. */
export interface HostJob<Report = unknown> {
  readonly kind: string;
  readonly title: string;
  /** Jobs of one lane run one after another; those of different lanes at once. */
  readonly lane: string;
  /**
   * @param tools signal: aborted by a cancel: what was done until then stays, and the work ends by throwing or returning.
   * keep: says what is done and stays, though the job goes on
   */
  readonly work: (tools: {
    signal: AbortSignal;
    progress: (event: ProgressEvent) => void;
    keep: (report: unknown) => void;
  }) => Promise<Report>;
}

/** The lane of everything that writes land.sqlite: a file has one writer at a time. */
export const landLane = 'land.sqlite';

export const hasEnded = ({ state }: Pick<JobStatus, 'state'>): boolean => state !== 'queued' && state !== 'running';
