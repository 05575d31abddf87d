/** The result of an ended job for a caller that waits: its report, or an error that says what was kept. */
import { EngineError } from '../spec/errors.ts';
import { asEngineError, type JobError, type JobStatus } from './job.ts';
import { keptWords } from './kept-words.ts';

/** @throws EngineError the job's own error, or import_refused if it was cancelled */
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

/** The error of a later step says that nothing was changed, but means only its own transaction. */
export const withoutAllClear = (error: JobError): JobError => ({
  ...error,
  message: error.message.replace(/(?:;|, and|\.|:) (?:nothing was|land\.sqlite was not) changed(?=[.:])/gi, ''),
});
