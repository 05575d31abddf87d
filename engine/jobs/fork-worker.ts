/** The default spawner: a Node process of its own. Temporary files of the worker lie in a folder that goes with it. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { SpawnWorker, WorkerNews } from './worker-messages.ts';

/** TypeScript in development, JavaScript in a build. */
const script = path.join(import.meta.dirname, `worker-child${path.extname(import.meta.filename)}`);

/**
 * How a worker is started so that an import of a million parcels stays near 512 MB (462 to 521 MB measured, more without): memory
 * that threads and short-lived rows gave back is used again, not kept aside for each thread and for a larger young
 * generation.
 */
export const workerMemory = {
  // Not the options of the host: they are for its own script.
  execArgv: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '1' },
};

const lastWordsLength = 4000;

export const forkWorker: SpawnWorker = ({ onNews, onExit }) => {
  // A process that is killed cannot tidy up: unpacked zips would stay for good.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-job-'));
  const child = fork(script, [], {
    serialization: 'advanced',
    execArgv: workerMemory.execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ...workerMemory.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-lastWordsLength);
  });
  child.on('message', (message) => onNews(message as WorkerNews));
  let hasEnded = false;
  const end = (words: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    fs.rmSync(temporary, { recursive: true, force: true });
    onExit(words);
  };
  child.on('error', (error) => end(error.message));
  child.on('close', () => end(lastWords));
  return {
    send: (order) => {
      // A worker that died before it was told anything says so by its exit.
      child.send(order, () => {});
    },
    kill: () => {
      child.kill('SIGKILL');
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
      (child.stderr as Socket | null)?.unref();
    },
  };
};
