/**
 * What is put in order when a home is opened, before any of its files is read: links and pipes are moved out of the way,
 * files that other users of the computer could read are closed to them, and what killed programs left is removed.
 */
import fs from 'node:fs';
import path from 'node:path';
import { removePhotoParts } from '../photos/photo-files.ts';
import { kindWords, requirePlainFile } from '../plain-file.ts';
import { databaseNames, homeEntries, isAllOurs } from './home-entries.ts';
import { removeLeftovers } from './restore-home.ts';
import { setAside } from './set-aside.ts';

export interface Settled {
  /** For the user, a sentence each; empty where nothing had to be done. */
  readonly sentences: readonly string[];
  /** Names of what killed programs had left. */
  readonly removed: readonly string[];
}

/** @throws EngineError file_suspicious where a database is a link or a pipe: without it the home would be another one */
export function settleHome(home: string, now: Date): Settled {
  if (!fs.existsSync(home)) return { sentences: [], removed: [] };
  for (const name of databaseNames) requirePlainFile(path.join(home, name));
  const strange = setStrangeAside(home, now);
  const removed = [...removeLeftovers(home), ...removePhotoParts(home)];
  const closed = closeToOthers(home);
  const rights = closed === 0 ? [] : [`${closedWords(closed)} Now only you can.`];
  return { sentences: [...strange, ...rights], removed };
}

function setStrangeAside(home: string, now: Date): string[] {
  return homeEntries(home)
    .filter(({ isFit }) => !isFit)
    .map(({ name, kind }) => {
      const folder = setAside(home, name, now);
      return `${name} in this home is ${kindWords(kind)}, which Platbook does not use; it lies in ${folder} now.`;
    });
}

const othersRights = 0o077;

const closedWords = (count: number): string =>
  `Other users of this computer could read ${count === 1 ? 'one file or folder' : `${count.toLocaleString('en-US')} files and folders`} of this home.`;

/** Windows keeps rights in the profile of the user; its modes say nothing. */
const hasModes = process.platform !== 'win32';

/** Paths of files and folders that other users may read, or could by their mode. */
export function openToOthers(home: string): string[] {
  if (!hasModes) return [];
  const own = homeEntries(home)
    .filter(({ kind, isFit }) => isFit && (kind === 'file' || kind === 'folder'))
    .map(({ name }) => path.join(home, name));
  // A folder that holds other things too keeps its rights: what lies in it is closed all the same.
  return [...(isAllOurs(home) ? [home] : []), ...own].filter(isOpen);
}

function isOpen(filePath: string): boolean {
  const found = fs.lstatSync(filePath, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & othersRights) !== 0;
}

/** @returns how many were open and no longer are: some disks know no rights, and of other users' files none change */
function closeToOthers(home: string): number {
  return openToOthers(home).filter((filePath) => {
    try {
      fs.chmodSync(filePath, fs.lstatSync(filePath).mode & 0o700);
    } catch {
      return false;
    }
    return !isOpen(filePath);
  }).length;
}
