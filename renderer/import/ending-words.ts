/** Sentences for an unfinished job: what was committed, or that nothing was changed. */
import { committedWords } from '../../engine/jobs/committed-words.ts';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { windowWords } from './window-words.ts';

type Ended = Pick<JobStatus, 'kind' | 'state' | 'report'>;

/** Shown above the error, if any. Null for completed and running jobs. */
export function endingWords(job: Ended): string | null {
  const kept = committedWords(job, 'window');
  if (job.state === 'cancelled') return `Cancelled. ${kept ?? 'Everything is as it was.'}`;
  if (job.state !== 'failed') return null;
  return kept === null ? 'The import failed. Everything is as it was.' : `The import did not finish. ${kept}`;
}

/** For a message on any screen. */
export function toastWords(job: Ended & Pick<JobStatus, 'title' | 'error'>): string {
  const { title, state, error } = job;
  const left = leftOut(job.report);
  if (state === 'done' && left !== null) return `${title}: done. ${left}`;
  const kept = committedWords(job, 'window');
  const words = state === 'failed' ? windowWords(error?.message ?? 'it did not finish') : state;
  if (state === 'done' || kept === null) return `${title}: ${words}`;
  return state === 'failed' ? `${title}: ${kept} What came after failed: ${words}` : `${title}: ${words}. ${kept}`;
}

/** Photos of many that were refused, as their report has them. */
function leftOut(report: unknown): string | null {
  const { refused } = (report ?? {}) as {
    readonly refused?: readonly { readonly file: string; readonly why: string }[];
  };
  const [first] = Array.isArray(refused) ? refused : [];
  return first ? windowWords(`Left out: ${refused?.length}, the first for this: ${first.why}`) : null;
}
