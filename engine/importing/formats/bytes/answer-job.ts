/** The worker side of run-in-worker.ts. */
import { workerData } from 'node:worker_threads';
import { isDiskFull, makeRoom } from '../../../store/temporary-disk.ts';
import { type Answer, isDone, isStarted, type Job } from './run-in-worker.ts';

/** A refusal for the user, worded as a sentence without its full stop. */
export class Refusal extends Error {}

/** The disk has no room for the job's output. */
export class NoRoom extends Refusal {}

/** Runs this thread's job and wakes the waiting thread. */
export async function answerJob<Input, Result>(work: (input: Input) => Promise<Result>): Promise<void> {
  const { input, port, signal } = workerData as Job<Input>;
  const tell = (state: number) => {
    Atomics.store(signal, 0, state);
    Atomics.notify(signal, 0);
  };
  tell(isStarted);
  let answer: Answer<Result>;
  try {
    answer = { ok: true, result: await work(input) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    answer = { ok: false, problem: error instanceof Refusal ? words : `it cannot be read (${words})` };
    if (isDiskFull(error)) answer = { ok: false, problem: `the disk is full: ${makeRoom()}`, code: 'disk_full' };
    if (error instanceof NoRoom) answer = { ok: false, problem: words, code: 'disk_full' };
  }
  port.postMessage(answer);
  tell(isDone);
}
