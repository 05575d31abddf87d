/** The default spawner, a Node process of its own; and what every spawner gives its workers. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { isOfDead, markForm, ownMark } from '../store/owner-mark.ts';
import { jobFolderPrefix } from '../store/temporary-disk.ts';
import type { SpawnWorker, WorkerNews } from './worker-messages.ts';

/** TypeScript in development, JavaScript in a build. */
const script = path.join(import.meta.dirname, `worker-child${path.extname(import.meta.filename)}`);

/**
 * How a worker is started so that an import of a million parcels stays under 512 MB (487 MB measured, more without): memory
 * that threads and short-lived rows gave back is used again, not kept aside for each thread and for a larger young
 * generation.
 */
export const workerMemory = {
  // Not the options of the host: they are for its own script.
  execArgv: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '1' },
};

export interface WorkerSurroundings {
  readonly env: NodeJS.ProcessEnv;
  /** To be called once the worker has ended. */
  remove(): void;
}

/** Of workers that have not ended: whoever ends before them takes their folders along. */
const folders = new Set<string>();

const removeFolder = (folder: string): void => {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // A system that minds while somebody still reads in it: the system's own tidying is left.
  }
};

process.on('exit', () => {
  for (const folder of folders) removeFolder(folder);
});

/** A process that is killed cannot tidy up, unpacked zips would stay for good: a temporary folder goes with each worker. */
export function workerSurroundings(): WorkerSurroundings {
  const folder = makeFolder();
  const places = folder === null ? {} : { TMPDIR: folder, TEMP: folder, TMP: folder };
  return {
    env: { ...process.env, ...workerMemory.env, ...places },
    remove: () => {
      if (folder === null) return;
      folders.delete(folder);
      removeFolder(folder);
    },
  };
}

/** Null where none can be made: a worker that needs room says so itself, by the name of its error. */
function makeFolder(): string | null {
  try {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), `${jobFolderPrefix}${ownMark}-`));
    folders.add(folder);
    return folder;
  } catch {
    return null;
  }
}

const markedFolder = new RegExp(`^${jobFolderPrefix}(${markForm})-`);
/** Versions before the mark: known to be left behind by their age alone. */
const unmarkedFolder = new RegExp(`^${jobFolderPrefix}[^-]+$`);
const oldMilliseconds = 24 * 60 * 60 * 1000;

/** Whole paths of temporary folders of this user that hosts left when they were killed. */
export function abandonedFolders(): string[] {
  const place = os.tmpdir();
  try {
    return fs
      .readdirSync(place)
      .filter((name) => name.startsWith(jobFolderPrefix))
      .map((name) => path.join(place, name))
      .filter(isAbandoned);
  } catch {
    return [];
  }
}

function isAbandoned(folder: string): boolean {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) return false;
  const name = path.basename(folder);
  const mark = markedFolder.exec(name)?.[1];
  if (mark !== undefined) return isOfDead(mark);
  return unmarkedFolder.test(name) && Date.now() - found.mtimeMs > oldMilliseconds;
}

/** @returns those that are gone now */
export const removeAbandonedFolders = (): string[] =>
  abandonedFolders().filter((folder) => {
    removeFolder(folder);
    return !fs.existsSync(folder);
  });

const lastWordsLength = 4000;

export const forkWorker: SpawnWorker = ({ onNews, onExit }) => {
  const { env, remove } = workerSurroundings();
  const child = fork(script, [], {
    serialization: 'advanced',
    execArgv: workerMemory.execArgv,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
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
    remove();
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
