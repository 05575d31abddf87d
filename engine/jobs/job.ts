/**
 * A job is long work that the app goes on answering beside: an import, an enrichment, priced columns of a list. Work on the
 * land file runs in a process of its own, so that cancel is kill and nothing is left half-written; work that calls priced
 * operations runs in the host, because one process keeps the ledger.
 */
import { EngineError, type ErrorCode, type ErrorDetails } from '../spec/errors.ts';
import type { JobError, JobStatus, ProgressEvent } from './job-status.ts';

export type { JobError, JobProgress, JobStatus, ProgressEvent } from './job-status.ts';

/** A class does not survive the way out of a process: its code, words and details do. */
export const asEngineError = ({ code, message, details }: JobError): EngineError =>
  new EngineError(code as ErrorCode, message, details ? { details: details as ErrorDetails } : {});

export const asJobError = ({ code, message, details }: EngineError): JobError => ({
  code,
  message,
  ...(details && { details }),
});

/** Work in the host's own process: it must give the event loop its turns. */
export interface HostJob<Report = unknown> {
  readonly kind: string;
  readonly title: string;
  /** Jobs of one lane run one after another; those of different lanes at once. */
  readonly lane: string;
  /** @throws AbortError where it was stopped; what was done until then stays */
  readonly work: (tools: HostTools) => Promise<Report>;
}

export interface HostTools {
  /** Aborted by a cancel. */
  readonly signal: AbortSignal;
  readonly progress: (event: ProgressEvent) => void;
  /** Says what is done and stays, though the job goes on. */
  readonly keep: (report: unknown) => void;
}

/** The lane of everything that writes land.sqlite: a file has one writer at a time. */
export const landLane = 'land.sqlite';

export const hasEnded = ({ state }: Pick<JobStatus, 'state'>): boolean => state !== 'queued' && state !== 'running';
