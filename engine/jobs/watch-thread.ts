/**
 * A thread that watches its worker process: nothing else can measure work that blocks the event loop. It ends the
 * process if that takes too much memory, or if its host is gone.
 */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { outOfMemoryWords } from './task-limits.ts';

const everyMilliseconds = 50;
/** A thread's own `process.stderr` goes through the process's event loop, which is blocked. */
const standardError = 2;

const { megabytes, parent } = workerData as { readonly megabytes: number; readonly parent: number };

function watch(): void {
  const isTooMuch = process.memoryUsage.rss() > megabytes * 1024 * 1024;
  if (isTooMuch) fs.writeSync(standardError, outOfMemoryWords);
  if (isTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}

watch();
setInterval(watch, everyMilliseconds);
parentPort?.postMessage('watching');
