/** What a caller that waits for a job gets of its end: its report, or an error that says what is in all the same. */
import { EngineError } from '../spec/errors.ts';
import { asEngineError, type JobError, type JobStatus } from './job.ts';
import { keptWords } from './kept-words.ts';

/** @throws EngineError what the job failed with, or import_refused where it was cancelled */
export function reportOf(job: JobStatus): unknown {
  const { state, report, error } = job;
  if (state === 'done') return report;
  const kept = keptWords(job, 'terminal');
  if (state === 'cancelled') {
    throw new EngineError('import_refused', kept === null ? 'Cancelled; nothing was changed.' : `Cancelled. ${kept}`);
  }
  if (!error) throw new EngineError('internal_error');
  throw asEngineError(
    kept === null ? error : { ...error, message: `${kept} What came after failed: ${error.message}` },
  );
}

/** An error of what came after what is kept says that nothing was changed, and means its own transaction alone. */
export const withoutAllClear = (error: JobError): JobError => ({
  ...error,
  message: error.message.replace(/(?:;|, and|\.|:) (?:nothing was|land\.sqlite was not) changed(?=[.:])/gi, ''),
});
