/** Reads the first bytes of a file before SQLite does: is it a database, Platbook's, and of which version? */
import fs from 'node:fs';
import { requirePlainFile } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import type { DatabaseKind } from './sqlite.ts';

/** What SQLite puts beside a database; under these names it writes, empties and removes without asking. */
const logEndings = ['-wal', '-shm', '-journal'] as const;

/** Removes a database with what SQLite puts beside it: only the names, should one be a link. */
export function removeDatabase(filePath: string): void {
  for (const ending of ['', ...logEndings]) fs.rmSync(filePath + ending, { force: true, recursive: true });
}

/** @throws EngineError file_suspicious if one of them is a link, or a file that has a name elsewhere */
export function requirePlainLogs(filePath: string): void {
  for (const ending of logEndings) requirePlainFile(filePath + ending);
}

/** @throws EngineError file_missing, file_empty, file_not_sqlite, file_foreign, file_from_future, file_suspicious */
export function inspectHeader(
  filePath: string,
  kind: Pick<DatabaseKind, 'applicationId' | 'fileName' | 'migrations'>,
): void {
  requirePlainFile(filePath);
  requirePlainLogs(filePath);
  const header = Buffer.alloc(100);
  let length: number;
  try {
    const descriptor = fs.openSync(filePath, 'r');
    try {
      length = fs.readSync(descriptor, header, 0, 100, 0);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    throw new EngineError('file_missing', `${filePath} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    });
  }
  if (length === 0)
    throw new EngineError(
      'file_empty',
      `${filePath} is empty (0 bytes). Restore it from a backup, or move it away to start empty.`,
    );
  if (length < 100 || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw new EngineError(
      'file_not_sqlite',
      `${filePath} is not a database (it begins with ${JSON.stringify(header.toString('latin1', 0, 8))}).`,
    );
  }
  const applicationId = header.readUInt32BE(68);
  if (applicationId !== kind.applicationId) {
    throw new EngineError(
      'file_foreign',
      `${filePath} is a database of another program, not a ${kind.fileName} of Platbook.`,
    );
  }
  const version = header.readUInt32BE(60);
  if (version > kind.migrations.length) {
    throw new EngineError(
      'file_from_future',
      `${filePath} was written by a newer Platbook (format ${version}; this one knows up to ${kind.migrations.length}). Update Platbook to open it.`,
    );
  }
}
