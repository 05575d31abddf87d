/**
 * A thread that watches its worker process: nothing else can measure work that blocks the event loop. It ends the
 * process if that takes too much memory or computes too long, or if its host is gone.
 */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { outOfMemoryWords, outOfTimeWords, secondsComputed } from './task-limits.ts';

const everyMilliseconds = 50;
/** A thread's own `process.stderr` goes through the process's event loop, which is blocked. */
const standardError = 2;

interface Watched {
  readonly megabytes: number;
  readonly parent: number;
  readonly computesUntil: Float64Array;
}
const { megabytes, parent, computesUntil } = workerData as Watched;

function watch(): void {
  const isTooMuch = process.memoryUsage.rss() > megabytes * 1024 * 1024;
  const isTooLong = secondsComputed() > (computesUntil[0] as number);
  if (isTooMuch || isTooLong) fs.writeSync(standardError, isTooMuch ? outOfMemoryWords : outOfTimeWords);
  if (isTooMuch || isTooLong || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}

watch();
setInterval(watch, everyMilliseconds);
parentPort?.postMessage('watching');
