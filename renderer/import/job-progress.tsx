/** A job's progress: phase, rows, rate, time left; and its Cancel button. */
import { X } from 'lucide-react';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { formatNumber } from '../parts/format.ts';
import { toast } from '../state/toasts.ts';
import { secondsWords } from './parts.tsx';
import { refreshJobs } from './use-jobs.ts';

export async function cancelJob(client: EngineClient, jobId: number): Promise<void> {
  try {
    await client.change('cancel_job', { job_id: jobId });
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
  await refreshJobs();
}

/** `writing, 1,204 of 2,016, 3,100 a second, about 4 s left` */
export function progressWords({ state, progress }: JobStatus): string {
  if (state === 'queued') return 'waits for the work before it';
  if (!progress) return 'begins';
  const { phase, rows, total, rows_per_second: rate, seconds_left: left } = progress;
  return [
    phase,
    rows > 0 ? `${formatNumber(rows)}${total === null || total < rows ? '' : ` of ${formatNumber(total)}`}` : null,
    rate >= 1 && rows > 0 ? `${formatNumber(rate, 0)} a second` : null,
    left === null || left < 1 ? null : `about ${secondsWords(left)} left`,
  ]
    .filter((words) => words !== null)
    .join(', ');
}

/** Completed share, 0 to 1; null while unknown. */
export function shareDone({ progress }: JobStatus): number | null {
  if (!progress || progress.total === null || progress.total === 0) return null;
  return Math.min(1, progress.rows / progress.total);
}

export function JobProgressView({ job, onCancel }: { job: JobStatus; onCancel: () => void }) {
  const share = shareDone(job);
  return (
    <section className="job" aria-label={job.title}>
      <div className="line">
        <b className="strong">{job.title}</b>
        <span className="grow" />
        <button type="button" className="button" onClick={onCancel}>
          <X aria-hidden className="small" />
          Cancel
        </button>
      </div>
      <div
        className="bar"
        role="progressbar"
        aria-label={job.title}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === null ? undefined : Math.round(share * 100)}
        data-unknown={share === null}
      >
        <i style={{ width: `${(share ?? 1) * 100}%` }} />
      </div>
      <p className="quieter num" data-testid="job-words">
        {progressWords(job)}
      </p>
    </section>
  );
}
