/** The disk where files are kept while they are read: often not the home's, and on some systems a part of the memory. */
import os from 'node:os';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';

/** How the folder begins that a worker has to itself, in the system's; it goes with the worker. */
export const jobFolderPrefix = 'platbook-job-';

export const isDiskFull = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC';

/** As its user knows it: the system's, also where a worker has one of its own in it. */
export function temporaryPlace(): string {
  const folder = os.tmpdir();
  return path.basename(folder).startsWith(jobFolderPrefix) ? path.dirname(folder) : folder;
}

/** Which folder it is, and what can be done; to follow a colon, without a full stop. */
export const makeRoom = (): string =>
  `the folder is ${temporaryPlace()}, where files are kept while they are read. Make room there, or name a folder on another disk as ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}`;

/** A full disk by its name and folder; other errors as they are. */
export function temporaryDiskError(error: unknown): unknown {
  if (!isDiskFull(error)) return error;
  return new EngineError('disk_full', `The disk is full, and nothing was changed: ${makeRoom()}.`, { cause: error });
}
