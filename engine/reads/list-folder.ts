/**
 * Folders and files of this computer, so that a window in a browser can choose a file without copying it. Only for the
 * private interface: its user owns the machine, and no API key reaches a read.
 */
import fs from 'node:fs';
import path from 'node:path';
import Type from 'typebox';
import { filesFolder } from '../home-folder.ts';
import { EngineError } from '../spec/errors.ts';
import { count, oneOf, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

const maxEntries = 2000;

const entry = Type.Object({
  name: Type.String(),
  path: Type.String(),
  kind: oneOf(['folder', 'file']),
  size: orNull(count(), { description: 'Bytes; null for folders.' }),
  changed_at: Type.String(),
});
type FolderEntry = ValueOf<typeof entry>;

export const listFolder = defineRead({
  name: 'list_folder',
  docs: 'Contents of a folder on this computer, folders first; without a path, of the user’s downloads if the home lies in the platform’s place, else of the folder above the home. Hidden entries are left out.',
  input: Type.Object({ path: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })) }, strict),
  output: Type.Object(
    {
      path: Type.String(),
      parent: orNull(Type.String(), { description: 'Null at the root.' }),
      entries: Type.Array(entry),
      left_out: count('Number of entries beyond the limit, which are not listed.'),
    },
    strict,
  ),
  run: ({ path: given }, { home }) => {
    const folder = path.resolve(given ?? filesFolder(home));
    const names = namesOf(folder).filter((name) => !name.startsWith('.'));
    const entries = names.slice(0, maxEntries).flatMap((name) => entryOf(folder, name) ?? []);
    const parent = path.dirname(folder);
    return {
      path: folder,
      parent: parent === folder ? null : parent,
      entries: entries.sort(byKindAndName),
      left_out: Math.max(0, names.length - maxEntries),
    };
  },
});

function namesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EngineError('file_missing', `The folder ${folder} cannot be read (${code}).`, { cause: error });
  }
}

/** Null for other kinds of entries, and for those that vanished or are unreadable. */
function entryOf(folder: string, name: string): FolderEntry | null {
  const filePath = path.join(folder, name);
  try {
    const stats = fs.statSync(filePath);
    if (!stats.isDirectory() && !stats.isFile()) return null;
    const kind = stats.isDirectory() ? 'folder' : 'file';
    return {
      ...{ name, path: filePath, kind },
      size: kind === 'file' ? stats.size : null,
      changed_at: stats.mtime.toISOString(),
    };
  } catch {
    return null;
  }
}

const byKindAndName = (a: FolderEntry, b: FolderEntry): number =>
  a.kind === b.kind ? a.name.localeCompare(b.name, 'en', { numeric: true }) : a.kind === 'folder' ? -1 : 1;
