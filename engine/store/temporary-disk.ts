/** The disk where files are kept while they are read: often not the home's, and on some systems a part of the memory. */
import os from 'node:os';
import { EngineError } from '../spec/errors.ts';

export const isDiskFull = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'ENOSPC';

/** Which folder it is, and what can be done; to follow a colon, without a full stop. */
export const makeRoom = (): string =>
  `the folder is ${os.tmpdir()}, where files are kept while they are read. Make room there, or name a folder on another disk as ${process.platform === 'win32' ? 'TEMP' : 'TMPDIR'}`;

/** A full disk by its name and folder; other errors as they are. */
export function temporaryDiskError(error: unknown): unknown {
  if (!isDiskFull(error)) return error;
  return new EngineError('disk_full', `The disk is full, and nothing was changed: ${makeRoom()}.`, { cause: error });
}
