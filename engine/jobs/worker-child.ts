/**
 * The script of a worker process: receives an order, runs it with its own database connections, reports progress, ends.
 * Where the order says so it stays for the next, until the host ends it. It loads only what its order needs.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { scriptPath } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import { asJobError, type ProgressEvent } from './job.ts';
import { doTask } from './task-code.ts';
import { secondsComputed } from './task-limits.ts';
import type { WorkerNews, WorkerOrder } from './worker-messages.ts';

/** The used part of Electron's utility process; absent in a fork of Node. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

const { parentPort } = process as unknown as { readonly parentPort?: ParentPort };

/** Milliseconds between two reports of progress. */
const quietMilliseconds = 100;

/** Settles once the message is sent. */
const tell = (news: WorkerNews): Promise<void> =>
  new Promise((resolve) => {
    if (parentPort) {
      parentPort.postMessage(news);
      resolve();
    } else if (process.send) process.send(news, () => resolve());
    else resolve();
  });

// Ctrl+C reaches every process of a terminal; the host decides what it means.
process.on('SIGINT', () => {});

const parent = process.ppid;

/** Work that blocks the event loop does not notice a disconnection: an import must end with its app. */
function endWithParent(): void {
  if (process.ppid !== parent) process.exit(1);
}

/** Reports at most ten times a second; always the first and the last of a phase. */
function throttled(): (event: ProgressEvent) => void {
  let [told, phase] = [Number.NEGATIVE_INFINITY, ''];
  return (event) => {
    endWithParent();
    const now = performance.now();
    if (event.phase === phase && now - told < quietMilliseconds && event.rows !== event.total) return;
    [told, phase] = [now, event.phase];
    void tell({ news: 'progress', progress: event });
  };
}

async function doOrder(order: WorkerOrder): Promise<unknown> {
  if (order.megabytes !== undefined) watching ??= watch(order.megabytes);
  await watching;
  computesUntil[0] = secondsComputed() + (order.seconds ?? Number.POSITIVE_INFINITY);
  const began = performance.now();
  return doTask(order, {
    now: () => new Date(order.now + (performance.now() - began)),
    progress: throttled(),
    keep: (kept: unknown) => void tell({ news: 'kept', report: kept }),
    onStep: endWithParent,
  });
}

let watching: Promise<unknown> | null = null;
/** Seconds of this process's computing at which its watch ends it. */
const computesUntil = new Float64Array(new SharedArrayBuffer(8)).fill(Number.POSITIVE_INFINITY);

/** Call it once per process. @returns settles once the thread watches, before a foreign file is read */
function watch(megabytes: number): Promise<unknown> {
  // The process's options are for its own script.
  const thread = new Worker(scriptPath('jobs/watch-thread'), {
    workerData: { megabytes, parent, computesUntil },
    execArgv: [],
  });
  thread.unref();
  return once(thread, 'message');
}

async function obey(order: WorkerOrder): Promise<void> {
  try {
    const report = await doOrder(order);
    computesUntil[0] = Number.POSITIVE_INFINITY;
    await tell({ news: 'done', report });
  } catch (error) {
    computesUntil[0] = Number.POSITIVE_INFINITY;
    await tell(
      error instanceof EngineError
        ? { news: 'failed', error: asJobError(error) }
        : { news: 'fault', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    );
  }
  if (!order.stays) process.exit(0);
}

if (parentPort) parentPort.on('message', ({ data }) => void obey(data as WorkerOrder));
else {
  process.on('message', (order) => void obey(order as WorkerOrder));
  process.once('disconnect', () => process.exit(1));
}
