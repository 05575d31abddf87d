/**
 * A job is long work beside which the app keeps answering: an import, an enrichment, priced columns of a list. Work on
 * the land file runs in a separate process: cancel kills it, and nothing is half-written. Work that calls priced
 * operations runs in the host, because one process writes the ledger.
 */
import { EngineError, type ErrorCode, type ErrorDetails } from '../spec/errors.ts';
import { committedWords } from './committed-words.ts';
import type { JobError, JobStatus, ProgressEvent } from './job-status.ts';

export type { JobError, JobProgress, JobStatus, ProgressEvent } from './job-status.ts';

/** An error as plain data: classes do not survive structured clone. */
export const asEngineError = ({ code, message, details }: JobError): EngineError =>
  new EngineError(code as ErrorCode, message, details ? { details: details as ErrorDetails } : {});

export const asJobError = ({ code, message, details }: EngineError): JobError => ({
  code,
  message,
  ...(details && { details }),
});

/** Work in the host's own process; it must yield to the event loop. */
export interface HostJob<Report = unknown> {
  readonly kind: string;
  readonly title: string;
  /** Jobs of one lane run one after another, jobs of different lanes at the same time. */
  readonly lane: string;
  /** @throws AbortError if it was stopped; what is done by then stays */
  readonly work: (tools: HostTools) => Promise<Report>;
}

export interface HostTools {
  /** Aborted by a cancel. */
  readonly signal: AbortSignal;
  readonly progress: (event: ProgressEvent) => void;
  /** Reports what is committed while the job continues. */
  readonly keep: (report: unknown) => void;
}

/** The lane of all jobs that write land.sqlite: a file has one writer at a time. */
export const landLane = 'land.sqlite';

export const hasEnded = ({ state }: Pick<JobStatus, 'state'>): boolean => state !== 'queued' && state !== 'running';

/** The report of an ended job, for a caller that waits. @throws EngineError the job's own error, or import_refused if it was cancelled */
export function reportOf(job: JobStatus): unknown {
  const { state, report, error } = job;
  if (state === 'done') return report;
  const kept = committedWords(job, 'terminal');
  if (state === 'cancelled') {
    throw new EngineError('import_refused', kept === null ? 'Cancelled; nothing was changed.' : `Cancelled. ${kept}`);
  }
  if (!error) throw new EngineError('internal_error');
  throw asEngineError(
    kept === null ? error : { ...error, message: `${kept} What came after failed: ${error.message}` },
  );
}

/** The error of a later step says that nothing was changed, but means only its own transaction. */
export const withoutAllClear = (error: JobError): JobError => ({
  ...error,
  message: error.message.replace(/(?:;|, and|\.|:) (?:nothing was|land\.sqlite was not) changed(?=[.:])/gi, ''),
});
