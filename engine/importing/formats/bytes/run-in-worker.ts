/**
 * Runs a job that can only be done with promises, or by code that must be kept apart, in a worker thread, and waits for it: what
 * reads a file is synchronous here, because a snapshot of the database may not wait for a promise. A thread and not a
 * process: the app's own program cannot be started as plain Node (its fuse is off).
 *
 * The thread ends with the job: its heap, and the memory of a WebAssembly module in it, go back to the system.
 */
import path from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { EngineError } from '../../../spec/errors.ts';

/** What a worker's script finds in `workerData`. */
export interface Job<Input> {
  readonly input: Input;
  /** Gets the answer, before `signal` is woken. */
  readonly port: MessagePort;
  /** 0 at first, `isStarted` when the script runs, `isDone` when it has answered. */
  readonly signal: Int32Array;
}

export const isStarted = 1;
export const isDone = 2;

/** A thread that dies before it runs tells nobody: what has not begun by then never will. */
const startMilliseconds = 60_000;

export type Answer<Result> =
  | { readonly ok: true; readonly result: Result }
  /** A refusal in whole sentences, for the user. */
  | { readonly ok: false; readonly problem: string; readonly code?: 'disk_full' };

export interface Limits {
  readonly milliseconds: number;
  readonly heapMegabytes: number;
}

/**
 * @param script the worker's file, relative to this folder, without its ending
 * @param what the file that is read, as refusals name it
 * @throws EngineError import_refused or disk_full with the worker's problem, or when it takes too long
 */
export function runInWorker<Input, Result>(script: string, input: Input, what: string, limits: Limits): Result {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { port1: ours, port2: port } = new MessageChannel();
  // The sources end in .ts, the built files in .js.
  const file = path.join(import.meta.dirname, `${script}${path.extname(import.meta.filename)}`);
  const job: Job<Input> = { input, port, signal };
  const worker = new Worker(file, {
    workerData: job,
    transferList: [port],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    // Of the process it would take over options that are for its own script.
    execArgv: [],
    // Libraries print what they think; nobody reads it.
    stdout: true,
    stderr: true,
  });
  // Without a listener a failure would end the whole process later; the missing answer tells it here.
  worker.on('error', () => {});
  Atomics.wait(signal, 0, 0, startMilliseconds);
  Atomics.wait(signal, 0, isStarted, limits.milliseconds);
  const hasAnswered = Atomics.load(signal, 0) === isDone;
  const message = hasAnswered ? (receiveMessageOnPort(ours)?.message as Answer<Result> | undefined) : undefined;
  void worker.terminate();
  ours.close();
  if (message?.ok) return message.result;
  const seconds = Math.round(limits.milliseconds / 1000);
  const problem =
    message?.problem ??
    `reading it took longer than ${seconds} seconds, or more memory than is allowed; it was stopped`;
  throw new EngineError(message?.code ?? 'import_refused', `${what}: ${problem}.`);
}
