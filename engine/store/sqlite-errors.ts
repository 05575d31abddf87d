/** Translates errors of SQLite and the file system to codes of spec/errors.ts. */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';

/** By name and code: only sqlite.ts imports better-sqlite3. */
const isSqliteError = (error: unknown): error is Error & { readonly code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_');

/** Translates SQLite's errors to spec/errors.ts; passes all others through. */
export function namedError(error: unknown, filePath: string): unknown {
  if (!isSqliteError(error)) return error;
  const name = path.basename(filePath);
  const { code } = error;
  if (code.startsWith('SQLITE_FULL'))
    return new EngineError('disk_full', `The disk is full: ${name} was not changed.`, { cause: error });
  if (code.startsWith('SQLITE_IOERR')) {
    const words = `The disk of ${name} cannot be read or written: it may be full, failing or disconnected (${code}). Nothing was changed.`;
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

/** The same for another program's file, whose schema may hold anything. */
export function foreignError(error: unknown, filePath: string): unknown {
  const named = namedError(error, filePath);
  if (named !== error || !isSqliteError(error)) return named;
  return new EngineError('import_refused', `${filePath} cannot be read as a database (${error.message}).`, {
    cause: error,
  });
}

const folderTroubles = new Set(['EACCES', 'EROFS', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT']);

/** Translates file system errors about the folder to spec/errors.ts. */
export function namedFolderError(error: unknown, filePath: string): EngineError | null {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOSPC')
    return new EngineError('disk_full', `The disk is full: ${path.basename(filePath)} was not created.`, {
      cause: error,
    });
  if (!folderTroubles.has(code)) return null;
  return new EngineError(
    'home_missing',
    `The folder ${path.dirname(filePath)} cannot be created or written (${code}).`,
    {
      cause: error,
    },
  );
}
