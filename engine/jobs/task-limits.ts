/** Limits of a task that reads files of strangers: its worker process is ended beyond them. */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';

export interface TaskLimits {
  /** The file, as the error names it. */
  readonly what: string;
  /** Null: none. */
  readonly seconds: number | null;
  /** What the whole process may hold; an import of a million parcels takes 500. */
  readonly megabytes: number;
}

const questionMegabytes = 1024;
const leastSeconds = 30;
/** An archive is unpacked, and a table read once for its character set, ten times as fast. */
const bytesPerSecond = 5 * 1024 * 1024;

/** For a question about files, of which the first rows are read. */
export function questionLimits(files: readonly string[]): TaskLimits {
  const bytes = files.reduce((sum, file) => sum + bytesOf(file), 0);
  const seconds = leastSeconds + Math.ceil(bytes / bytesPerSecond);
  return { what: files[0] ?? '', seconds, megabytes: questionMegabytes };
}

/** With a folder's files and those of the folders in it, as deep as layers are looked for. */
function bytesOf(file: string, depth = 2): number {
  try {
    const status = fs.statSync(file);
    if (!status.isDirectory()) return status.size;
    if (depth === 0) return 0;
    return fs.readdirSync(file).reduce((sum, name) => sum + bytesOf(path.join(file, name), depth - 1), 0);
  } catch {
    // The question itself says what cannot be read.
    return 0;
  }
}

/** Written by the watch thread before it ends the process; V8 writes its own. */
export const outOfMemoryWords = 'platbook: the process took too much memory';
export const ranOutOfMemory = (lastWords: string): boolean =>
  lastWords.includes(outOfMemoryWords) || lastWords.includes('heap out of memory');

const advice =
  'It may be damaged, or made to do harm. Export it again, as GeoPackage or CSV, or only the part that you need.';

export const outOfTime = ({ what, seconds }: TaskLimits): EngineError =>
  new EngineError(
    'import_refused',
    `${what}: reading it took longer than ${seconds} seconds and was stopped. ${advice}`,
  );

export const outOfMemory = ({ what, megabytes }: TaskLimits): EngineError =>
  new EngineError(
    'import_refused',
    `${what}: reading it took more than ${megabytes} MB of memory and was stopped. ${advice}`,
  );
