/** Runs a job for a command: progress beside the answer, and Ctrl+C cancels it. The work blocks no loop here: signals are heard. */
import type { Engine } from '../engine.ts';
import { reportOf } from '../jobs/ended-job.ts';
import { hasEnded, type JobProgress } from '../jobs/job.ts';
import type { WorkerJobInput, WorkerJobName } from '../jobs/job-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import type { EndingSignal } from './exit-codes.ts';
import { Interrupted, onFirstSignal } from './interrupt.ts';
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

/** @throws EngineError as `reportOf` does; Interrupted when Ctrl+C cancelled it */
export async function runJob<Name extends WorkerJobName>(
  { jobs }: Engine,
  output: Output,
  kind: Name,
  input: WorkerJobInput<Name>,
): Promise<unknown> {
  let heard: EndingSignal | null = null;
  let cancel = (): void => {};
  // Before its process begins: that takes a while.
  const stopHearing = onFirstSignal((signal) => {
    heard = signal;
    cancel();
  });
  let stopListening = (): void => {};
  try {
    const { job_id: id } = jobs.start(kind, input);
    cancel = () => {
      if (!hasEnded(jobs.get(id))) jobs.cancel(id);
    };
    stopListening = jobs.onChange(({ job_id: of, progress }) => {
      if (of === id && progress) output.progress(jobProgressText(progress));
    });
    const status = await jobs.finished(id);
    output.progress('');
    return reportOf(status);
  } catch (error) {
    throw heard !== null && error instanceof EngineError ? new Interrupted(heard, error) : error;
  } finally {
    stopHearing();
    stopListening();
  }
}
