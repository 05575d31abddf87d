/**
 * A thread of a worker process that watches it from within: work that holds the event loop can be measured by nothing
 * else. It ends the process when it takes too much memory, and when its host is gone.
 */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { outOfMemoryWords } from './task-limits.ts';

const everyMilliseconds = 50;
/** A thread's own `process.stderr` goes through the loop of the process, which is held. */
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
