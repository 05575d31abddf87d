/** The disk that holds files while they are read: often not the home's, and on some systems part of memory. */
import os from 'node:os';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';

/** Prefix of a worker's own folder in the system's temporary folder; it is removed with the worker. */
export const jobFolderPrefix = 'platbook-job-';

export const isDiskFull = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC';

/** The path users know: the system's, even inside a worker that has its own folder there. */
export function temporaryPlace(): string {
  const folder = os.tmpdir();
  return path.basename(folder).startsWith(jobFolderPrefix) ? path.dirname(folder) : folder;
}

/** Names the folder and the remedy; follows a colon, without a full stop. */
export const makeRoom = (): string =>
  `the folder is ${temporaryPlace()}, where files are kept while they are read. Make room there, or name a folder on another disk as ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}`;

/** Names a full disk and its folder; passes other errors through. */
export function temporaryDiskError(error: unknown): unknown {
  if (!isDiskFull(error)) return error;
  return new EngineError('disk_full', `The disk is full, and nothing was changed: ${makeRoom()}.`, { cause: error });
}
