/** Which names in a home are Platbook's, and what lies under them. Other files in the folder are the user's own affair. */
import fs from 'node:fs';
import path from 'node:path';
import { photosFolder } from '../photos/photo-files.ts';
import { type EntryKind, entryKind } from '../plain-file.ts';
import { homeFiles, mappingFolders, withLogs } from './home-files.ts';
import { partOfPlan, planName } from './restore-plan.ts';
import { asideForm } from './set-aside.ts';

/** Folders whose content is Platbook's; `basemaps` and what was set aside are the user's. */
const folderNames: readonly string[] = [...mappingFolders, photosFolder, 'undo', 'backups', 'exports', 'reports'];
const fileNames: readonly string[] = ['aliases.json', planName, partOfPlan];
const restoreFolder = /^(?:before-)?restore-\d{8}-\d{6}/;

/** The databases with the files that SQLite keeps beside them. */
export const databaseNames: readonly string[] = homeFiles.flatMap(({ name }) => withLogs(name));

interface HomeEntry {
  /** Below the home. */
  readonly name: string;
  readonly kind: EntryKind;
  /** Whether that is what belongs under the name. */
  readonly isFit: boolean;
}

/** What a name in the home itself should be; null for names that are not Platbook's. */
function expectedKind(name: string): EntryKind | null {
  if (databaseNames.includes(name) || fileNames.includes(name)) return 'file';
  return folderNames.includes(name) || restoreFolder.test(name) || asideForm.test(name) ? 'folder' : null;
}

/** Whether every name in the folder is Platbook's. */
export const isAllOurs = (home: string): boolean =>
  fs.readdirSync(home).every((name) => expectedKind(name) !== null || name === 'basemaps');

/** Platbook's entries with all that lies below them, a folder before its content; links are not followed. */
export function homeEntries(home: string): HomeEntry[] {
  return fs.readdirSync(home).flatMap((name): HomeEntry[] => {
    const expected = expectedKind(name);
    const kind = expected && entryKind(path.join(home, name));
    if (!kind) return [];
    const entry = { name, kind, isFit: kind === expected };
    return kind === 'folder' && entry.isFit && !asideForm.test(name) ? [entry, ...below(home, name)] : [entry];
  });
}

function below(home: string, folder: string): HomeEntry[] {
  return fs.readdirSync(path.join(home, folder)).flatMap((each): HomeEntry[] => {
    const name = `${folder}/${each}`;
    const kind = entryKind(path.join(home, name));
    if (kind === null) return [];
    const isFolder = kind === 'folder';
    const isFit = isFolder || (kind === 'file' && !folderNames.includes(name));
    return [{ name, kind, isFit }, ...(isFolder ? below(home, name) : [])];
  });
}
