/** Runs a job for a command: progress beside the answer, and Ctrl+C cancels it. */
import type { Engine } from '../engine.ts';
import { reportOf } from '../jobs/ended-job.ts';
import type { JobProgress } from '../jobs/job.ts';
import type { WorkerJobInput, WorkerJobName } from '../jobs/job-kinds.ts';
import { grouped, type Output } from './output.ts';

function leftText(seconds: number): string {
  if (seconds < 90) return `${seconds} s left`;
  return `${Math.round(seconds / 60)} min left`;
}

export function jobProgressText({ phase, rows, total, rows_per_second, seconds_left }: JobProgress): string {
  const parts = [
    `${phase}: ${grouped(rows)}${total === null ? '' : ` of ${grouped(total)}`}`,
    ...(rows_per_second > 0 ? [`${grouped(rows_per_second)} a second`] : []),
    ...(seconds_left !== null && seconds_left > 0 ? [leftText(seconds_left)] : []),
  ];
  return parts.join(', ');
}

/** @throws EngineError as `reportOf` does; Ctrl+C cancels */
export async function runJob<Name extends WorkerJobName>(
  { jobs }: Engine,
  output: Output,
  kind: Name,
  input: WorkerJobInput<Name>,
): Promise<unknown> {
  const { job_id: id } = jobs.start(kind, input);
  const stopListening = jobs.onChange(({ job_id: of, progress }) => {
    if (of === id && progress) output.progress(jobProgressText(progress));
  });
  const cancel = (): void => {
    jobs.cancel(id);
  };
  process.once('SIGINT', cancel);
  try {
    const status = await jobs.finished(id);
    output.progress('');
    return reportOf(status);
  } finally {
    process.removeListener('SIGINT', cancel);
    stopListening();
  }
}
