/**
 * Runs an asynchronous or isolated job in a worker thread and waits for it: reading files is synchronous here, because
 * a snapshot of the database may not wait for a promise. A thread, not a process: the packaged app cannot start as
 * plain Node (its fuse is off).
 *
 * The thread ends with the job and returns its memory to the system, including that of a WebAssembly module.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { scriptPath } from '../../../package-root.ts';
import { EngineError } from '../../../spec/errors.ts';

/** The `workerData` of a worker's script. */
export interface Job<Input> {
  readonly input: Input;
  /** Receives the answer before `signal` wakes the caller. */
  readonly port: MessagePort;
  /** Initially 0, `isStarted` when the script runs, `isDone` when it has answered. */
  readonly signal: Int32Array;
}

export const isStarted = 1;
export const isDone = 2;

/** A thread that dies before it starts sends no message: after this time it is taken for dead. */
const startMilliseconds = 60_000;

export type Answer<Result> =
  | { readonly ok: true; readonly result: Result }
  /** A refusal in whole sentences, for the user. */
  | { readonly ok: false; readonly problem: string; readonly code?: 'disk_full' };

export interface Limits {
  /** Of computing. */
  readonly milliseconds: number;
  readonly heapMegabytes: number;
}

/** A busy machine or a slow disk takes so many times as long as the work; a dead thread is found so. */
const clockPerWork = 3;
const sliceMilliseconds = 500;
/** This thread computes nothing while it waits. */
const computed = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function waitForWork(signal: Int32Array, milliseconds: number): void {
  const until = computed() + milliseconds;
  const slice = Math.min(sliceMilliseconds, milliseconds);
  for (let clock = 0; clock < clockPerWork * milliseconds && computed() < until; clock += slice)
    if (Atomics.wait(signal, 0, isStarted, slice) !== 'timed-out') return;
}

/**
 * @param script the worker's file, below the formats, without its extension
 * @param what the file being read, as refusals name it
 * @throws EngineError import_refused or disk_full with the worker's problem, or when it takes too long
 */
export function runInWorker<Input, Result>(script: string, input: Input, what: string, limits: Limits): Result {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { port1: ours, port2: port } = new MessageChannel();
  const job: Job<Input> = { input, port, signal };
  const worker = new Worker(scriptPath(`importing/formats/${script}`), {
    workerData: job,
    transferList: [port],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes },
    // The worker would inherit options meant for the process's own script.
    execArgv: [],
    // Discards what libraries print.
    stdout: true,
    stderr: true,
  });
  // Without a listener an error would later end the whole process; here the missing answer reports it.
  worker.on('error', () => {});
  Atomics.wait(signal, 0, 0, startMilliseconds);
  waitForWork(signal, limits.milliseconds);
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
