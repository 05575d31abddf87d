/** The default spawner of workers (a separate Node process), and the settings that every spawner passes to them. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { scriptPath } from '../package-root.ts';
import { isOfDead, markForm, ownMark } from '../store/owner-mark.ts';
import { jobFolderPrefix } from '../store/temporary-disk.ts';
import type { SpawnWorker, WorkerNews } from './worker-messages.ts';

/**
 * Options that keep an import of a million parcels under 512 MB (487 MB measured, more without them): freed memory is
 * reused instead of being reserved for each thread and for a larger young generation.
 */
export const workerMemory = {
  // The host's options are for its own script.
  execArgv: ['--max-semi-space-size=4'],
  env: { MALLOC_ARENA_MAX: '1' },
};

interface WorkerSurroundings {
  readonly env: NodeJS.ProcessEnv;
  /** Call it once the worker has ended. */
  remove(): void;
}

/** Folders of running workers; a host that ends first removes them. */
const folders = new Set<string>();

const removeFolder = (folder: string): void => {
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Windows refuses while a file in it is open; the system cleans its temporary folder.
  }
};

process.on('exit', () => {
  for (const folder of folders) removeFolder(folder);
});

/** A killed process cannot clean up: each worker gets a temporary folder, so that no unpacked zip stays behind. */
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

/** Null if none can be made: a worker that needs room reports it itself, with the code of its error. */
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
/** For folders of versions without a mark: only their age shows that they were left behind. */
const unmarkedFolder = new RegExp(`^${jobFolderPrefix}[^-]+$`);
const oldMilliseconds = 24 * 60 * 60 * 1000;

/** Full paths of this user's temporary folders that killed hosts left behind. */
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

/** @returns the removed ones */
export const removeAbandonedFolders = (): string[] =>
  abandonedFolders().filter((folder) => {
    removeFolder(folder);
    return !fs.existsSync(folder);
  });

const lastWordsLength = 4000;

export const forkWorker: SpawnWorker = ({ onNews, onExit }) => {
  const { env, remove } = workerSurroundings();
  const child = fork(scriptPath('jobs/worker-child'), [], {
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
      // The exit reports a worker that died before its first message.
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
