/**
 * Runs a job for a command: shows progress beside the answer, and cancels on Ctrl+C. The event loop stays free, so
 * signals arrive.
 */
import type { Engine } from '../engine.ts';
import { hasEnded, type JobProgress, reportOf } from '../jobs/job.ts';
import type { TaskInput, TaskName } from '../jobs/task-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import type { EndingSignal } from './exit-codes.ts';
import { Interrupted, onFirstSignal } from './interrupt.ts';
import { grouped, type Output } from './output.ts';

function leftText(seconds: number): string {
  if (seconds < 90) return `${seconds} s left`;
  return `${Math.round(seconds / 60)} min left`;
}

function jobProgressText({ phase, rows, total, rows_per_second, seconds_left }: JobProgress): string {
  const parts = [
    `${phase}: ${grouped(rows)}${total === null ? '' : ` of ${grouped(total)}`}`,
    ...(rows_per_second > 0 ? [`${grouped(rows_per_second)} a second`] : []),
    ...(seconds_left !== null && seconds_left > 0 ? [leftText(seconds_left)] : []),
  ];
  return parts.join(', ');
}

/** @throws EngineError like `reportOf`; Interrupted after Ctrl+C */
export async function runJob<Name extends TaskName<'listed'>>(
  { jobs }: Engine,
  output: Output,
  kind: Name,
  input: TaskInput<Name>,
): Promise<unknown> {
  let heard: EndingSignal | null = null;
  let cancel = (): void => {};
  // Registered before the process starts, which takes a moment.
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
