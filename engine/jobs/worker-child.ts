/**
 * The script of a worker process: gets an order, does it over connections of its own, tells how far it is, ends. After a
 * question it stays for the next one, until the host ends it. It loads only what its order needs.
 */
import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../spec/errors.ts';
import { asJobError, type ProgressEvent } from './job.ts';
import type { DoWork, WorkerNews, WorkerOrder } from './worker-messages.ts';

/** What of Electron's utility process is used; in a fork of Node it is absent. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

const { parentPort } = process as unknown as { readonly parentPort?: ParentPort };

/** Milliseconds between two reports of progress: the host has other things to do. */
const quietMilliseconds = 100;

/** What is told is on its way when this settles. */
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

/** Work that blocks the loop hears of no disconnection: an import whose app has died must not go on unseen. */
function endWithParent(): void {
  if (process.ppid !== parent) process.exit(1);
}

/** Told at most ten times a second; the first and the last of a phase always. */
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

const works: Readonly<Record<WorkerOrder['as'], () => Promise<{ readonly doWork: DoWork }>>> = {
  job: () => import('./job-work.ts'),
  question: () => import('./question-work.ts'),
  errand: () => import('./errand-work.ts'),
};

async function doOrder(order: WorkerOrder): Promise<unknown> {
  if (order.megabytes !== undefined) watching ??= watch(order.megabytes);
  const [{ doWork }] = await Promise.all([works[order.as](), watching]);
  const began = performance.now();
  return doWork(order, {
    now: () => new Date(order.now + (performance.now() - began)),
    progress: throttled(),
    keep: (kept: unknown) => void tell({ news: 'kept', report: kept }),
    onStep: endWithParent,
  });
}

let watching: Promise<unknown> | null = null;

/** Once for all orders of the process. @returns settles when the thread watches, before a stranger's file is read */
function watch(megabytes: number): Promise<unknown> {
  const script = path.join(import.meta.dirname, `watch-thread${path.extname(import.meta.filename)}`);
  // The options of the process are for its own script.
  const thread = new Worker(script, { workerData: { megabytes, parent }, execArgv: [] });
  thread.unref();
  return once(thread, 'message');
}

async function obey(order: WorkerOrder): Promise<void> {
  try {
    const report = await doOrder(order);
    await tell({ news: 'done', report });
  } catch (error) {
    await tell(
      error instanceof EngineError
        ? { news: 'failed', error: asJobError(error) }
        : { news: 'fault', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    );
  }
  if (order.as !== 'question') process.exit(0);
}

if (parentPort) parentPort.on('message', ({ data }) => void obey(data as WorkerOrder));
else {
  process.on('message', (order) => void obey(order as WorkerOrder));
  process.once('disconnect', () => process.exit(1));
}
