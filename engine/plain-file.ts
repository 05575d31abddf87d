/**
 * Checks that files of a home are plain before they are read or written. A home may come from a stranger: a link leads out
 * of it, a pipe never ends, a device holds no data, and what is written to a hard link is written to the file elsewhere.
 */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from './spec/errors.ts';

export type EntryKind = 'file' | 'shared file' | 'folder' | 'link' | 'pipe' | 'socket' | 'device';

/** The kind of the entry, without following links; null if it is absent or hidden. */
export function entryKind(filePath: string): EntryKind | null {
  let found: fs.Stats;
  try {
    found = fs.lstatSync(filePath);
  } catch {
    return null;
  }
  if (found.isFile()) return found.nlink > 1 && isNamedElsewhere(filePath, found.ino) ? 'shared file' : 'file';
  if (found.isDirectory()) return 'folder';
  if (found.isSymbolicLink()) return 'link';
  if (found.isFIFO()) return 'pipe';
  return found.isSocket() ? 'socket' : 'device';
}

/**
 * Whether a file has a name besides those in its folder that the making of a database gives it for a moment, or leaves
 * behind if the program dies there (`createFile` of store/sqlite.ts).
 */
function isNamedElsewhere(filePath: string, node: number): boolean {
  const folder = path.dirname(filePath);
  const own = fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(`${path.basename(filePath)}.`) && /\.\d+\.new$/.test(name))
    .filter((name) => fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })?.ino === node).length;
  // Counted again: the other name may have gone meanwhile.
  return (fs.lstatSync(filePath, { throwIfNoEntry: false })?.nlink ?? 1) - own > 1;
}

const words: Readonly<Record<EntryKind, string>> = {
  file: 'a file',
  'shared file': 'a file that has a second name elsewhere (a hard link)',
  folder: 'a folder',
  link: 'a link to another place',
  pipe: 'a pipe',
  socket: 'a socket',
  device: 'a device',
};

export const kindWords = (kind: EntryKind): string => words[kind];

/** Accepts a plain file or an absent one. @throws EngineError file_suspicious */
export function requirePlainFile(filePath: string): void {
  const kind = entryKind(filePath);
  if (kind === null || kind === 'file') return;
  throw new EngineError(
    'file_suspicious',
    `${filePath} is ${words[kind]}. Platbook opens only files that lie in the home itself: put the file, or a copy of it, there, or take this away.`,
  );
}

/**
 * The status of a file that a user names; links are followed. A pipe can be read only once and may never end, but files are
 * read for their format, for their character set, and for their rows.
 * @throws EngineError file_missing if it is no file; the system's error if it cannot be found
 */
export function fileStatus(filePath: string): fs.Stats {
  const status = fs.statSync(filePath);
  if (status.isFile()) return status;
  if (status.isDirectory()) throw new EngineError('file_missing', `${filePath} is a folder; expected a file.`);
  throw new EngineError(
    'file_missing',
    `${filePath} is a pipe or a device; expected a file. Save its content to a file first.`,
  );
}

/**
 * The text of a small file; null if there is none.
 * @throws EngineError file_suspicious if it is not a plain file, or longer than `mostBytes`
 */
export function readPlainText(filePath: string, mostBytes: number): string | null {
  requirePlainFile(filePath);
  const size = fs.statSync(filePath, { throwIfNoEntry: false })?.size;
  if (size === undefined) return null;
  if (size <= mostBytes) return fs.readFileSync(filePath, 'utf8');
  throw new EngineError(
    'file_suspicious',
    `${filePath} has ${size.toLocaleString('en-US')} bytes, more than the ${mostBytes.toLocaleString('en-US')} that such a file may have.`,
  );
}
