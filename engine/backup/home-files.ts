/** The files of a home: what a backup holds and a restore replaces. */
import fs from 'node:fs';
import path from 'node:path';
import { photoFileForm, photosFolder } from '../photos/photo-files.ts';
import { entryKind } from '../plain-file.ts';
import { openAccountStore } from '../store/account-store.ts';
import { openLandStore } from '../store/land-store.ts';
import { openPeopleStore } from '../store/people-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';

type HomeFileName = 'account.sqlite' | 'people.sqlite' | 'land.sqlite';

interface OpenFile {
  readonly file: SqliteFile;
  close(): void;
}

export interface HomeFile {
  readonly name: HomeFileName;
  /** Opens the database in a folder, runs its checks and migrates it. @throws EngineError */
  readonly open: (folder: string) => OpenFile;
}

/** Account is copied first: parcels that it refers to are then in land.sqlite's registry, which never deletes. */
export const homeFiles: readonly HomeFile[] = [
  { name: 'account.sqlite', open: openAccountStore },
  { name: 'people.sqlite', open: openPeopleStore },
  { name: 'land.sqlite', open: (folder) => openLandStore(folder, () => 0) },
];

/** The files of "my work only": notes, lists, searches, markets, waypoints, tracks, feeds, keys, the ledger. */
export const workFiles: readonly HomeFile[] = homeFiles.filter(({ name }) => name === 'account.sqlite');

/** Kept mappings of parcels, contacts and comps. */
export const mappingFolders = ['mappings', 'mappings/contacts', 'mappings/comps'];

/** No name of this form leads into another folder. */
const mappingForm = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,100}\.json$/;

/** The user's files beside the databases (aliases, mappings, photos), as paths below the home. */
export function sideFiles(home: string): string[] {
  const below = [...mappingFolders, photosFolder]
    .filter((folder) => isPlainFolder(home, folder))
    .flatMap((folder) => list(path.join(home, folder)).map((name) => `${folder}/${name}`));
  return ['aliases.json', ...below].filter((name) => isSideFile(name) && entryKind(path.join(home, name)) === 'file');
}

export const isPhotoFile = (name: string): boolean =>
  name.startsWith(`${photosFolder}/`) && photoFileForm.test(name.slice(photosFolder.length + 1));

/** Whether a name in an archive is that of a side file; a restore accepts no other. */
export const isSideFile = (name: string): boolean =>
  name === 'aliases.json' ||
  isPhotoFile(name) ||
  mappingFolders.some((folder) => name.startsWith(`${folder}/`) && mappingForm.test(name.slice(folder.length + 1)));

/** Whether every step of the way, below the home, is a folder and no link. */
const isPlainFolder = (home: string, folder: string): boolean =>
  folder.split('/').every((_step, at, steps) => entryKind(path.join(home, ...steps.slice(0, at + 1))) === 'folder');

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** A database file and the files that SQLite keeps beside it while it is open. */
export const withLogs = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];

/** `20261120-101530` (UTC): sorts by time and is a valid file name on every system. */
export const stampOf = (now: Date): string => now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
