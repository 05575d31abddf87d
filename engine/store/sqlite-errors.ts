/** What SQLite and the file system say, under the names of spec/errors.ts. */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';

/** By its name and code: better-sqlite3 itself comes in through sqlite.ts alone. */
const isSqliteError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_');

/** SQLite's own errors under the names of spec/errors.ts; everything else is passed through. */
export function namedError(error: unknown, filePath: string): unknown {
  if (!isSqliteError(error)) return error;
  const name = path.basename(filePath);
  const { code } = error;
  if (code.startsWith('SQLITE_FULL'))
    return new EngineError('disk_full', `The disk is full: ${name} was not changed.`, { cause: error });
  if (code.startsWith('SQLITE_IOERR')) {
    const words = `The disk does not take or give what ${name} needs: it may be full, failing or disconnected (${code}). Nothing was changed.`;
    return new EngineError('disk_trouble', words, { cause: error });
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new EngineError(
      'file_locked',
      `Another program is writing ${name}; nothing was changed. Try again when it is done.`,
      { cause: error },
    );
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) {
    return new EngineError('file_read_only', `${name} or its folder cannot be written.`, { cause: error });
  }
  if (code.startsWith('SQLITE_CORRUPT'))
    return new EngineError('file_damaged', `${name} is damaged: ${error.message}.`, { cause: error });
  if (code.startsWith('SQLITE_NOTADB'))
    return new EngineError('file_not_sqlite', `${name} is not a database.`, { cause: error });
  return error;
}

const folderTroubles = new Set(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT']);

/** What the file system says about the folder, by the names of spec/errors.ts. */
export function namedFolderError(error: unknown, filePath: string): EngineError | null {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC')
    return new EngineError('disk_full', `The disk is full: ${path.basename(filePath)} was not made.`, { cause: error });
  if (!folderTroubles.has(code)) return null;
  return new EngineError('home_missing', `The folder ${path.dirname(filePath)} cannot be made or written (${code}).`, {
    cause: error,
  });
}
