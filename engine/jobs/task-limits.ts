/** Limits of a task that reads foreign files; beyond them its worker process is ended. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';

export interface TaskLimits {
  /** The file, as the error names it. */
  readonly what: string;
  /** A question's limit counts what its process computes; a job's, the time without a word of progress. */
  readonly seconds: number;
  readonly isSilence?: boolean;
  /** Memory of the whole process; an import of a million parcels takes 500. */
  readonly megabytes: number;
}

/** A busy machine, or a slow disk, takes so many times as long as the work; a process that waits for ever is ended. */
export const clockPerWork = 10;

const questionMegabytes = 1024;
const leastSeconds = 30;
/** Unpacking an archive, or reading a table once for its encoding, is ten times as fast. */
const bytesPerSecond = 5 * 1024 * 1024;

/** For a question about files; it reads their first rows. */
export function questionLimits(files: readonly string[]): TaskLimits {
  const bytes = files.reduce((sum, file) => sum + bytesOf(file), 0);
  const seconds = leastSeconds + Math.ceil(bytes / bytesPerSecond);
  return { what: files[0] ?? '', seconds, megabytes: questionMegabytes };
}

/** For a tile of photos; their decoders are not the engine's own. */
export const tileLimits: TaskLimits = { what: 'a photo', seconds: 20, megabytes: 600 };

const leastJobMegabytes = 2048;
const mostJobMegabytes = 8192;

/** A single statement of a large import takes minutes without a word; more only if it hangs, and holds up all other jobs. */
const leastSilentSeconds = 3600;
const silentBytesPerSecond = 100 * 1024;

/** For a job that reads files. An import may take hours, but it tells of its progress. Null: the job reads none. */
export function jobLimits(files: readonly string[]): TaskLimits | null {
  const [what] = files;
  if (what === undefined) return null;
  const half = Math.floor(os.totalmem() / 2 ** 21);
  const bytes = files.reduce((sum, file) => sum + bytesOf(file), 0);
  const seconds = leastSilentSeconds + Math.ceil(bytes / silentBytesPerSecond);
  return { what, seconds, isSilence: true, megabytes: Math.min(Math.max(half, leastJobMegabytes), mostJobMegabytes) };
}

/** Includes files in folders, as deep as layers are searched for. */
function bytesOf(file: string, depth = 2): number {
  try {
    const status = fs.statSync(file);
    if (!status.isDirectory()) return status.size;
    if (depth === 0) return 0;
    return fs.readdirSync(file).reduce((sum, name) => sum + bytesOf(path.join(file, name), depth - 1), 0);
  } catch {
    // The question itself reports unreadable files.
    return 0;
  }
}

/** What all threads of this process have computed: a busy machine does not lengthen it. */
export function secondsComputed(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The watch thread writes it before it ends the process; V8 writes its own words. */
export const outOfMemoryWords = 'platbook: the process took too much memory';
export const outOfTimeWords = 'platbook: the process computed too long';
export const ranOutOfMemory = (lastWords: string): boolean =>
  lastWords.includes(outOfMemoryWords) || lastWords.includes('heap out of memory');

const advice =
  'It may be damaged, or made to do harm. Export it again, as GeoPackage or CSV, or only the part that you need.';

export const outOfTime = ({ what, seconds, isSilence = false }: TaskLimits): EngineError =>
  new EngineError(
    'import_refused',
    isSilence
      ? `${what}: the work on it made no progress for ${seconds} seconds and was stopped. ${advice}`
      : `${what}: reading it took longer than ${seconds} seconds and was stopped. ${advice}`,
  );

export const outOfMemory = ({ what, megabytes }: TaskLimits): EngineError =>
  new EngineError(
    'import_refused',
    `${what}: reading it took more than ${megabytes} MB of memory and was stopped. ${advice}`,
  );
