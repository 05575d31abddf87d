/** Refuses to move a database that another program has open: that program would go on writing into the moved file. */
import fs from 'node:fs';
import path from 'node:path';
import { requirePlainFile } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import { openForeignSqlite } from '../store/foreign-sqlite.ts';
import { withLogs } from './home-files.ts';

/**
 * Switches the log off, which SQLite does only while no other program has the file open. A file too damaged to open
 * passes: it is the best reason for a restore.
 * @throws EngineError file_locked; file_suspicious for a link or pipe
 */
export function refuseInUse(filePath: string): void {
  for (const each of withLogs(filePath)) requirePlainFile(each);
  if (!fs.existsSync(filePath)) return;
  let mode: unknown;
  try {
    const file = openForeignSqlite(filePath);
    try {
      file.pragma('busy_timeout = 0');
      file.pragma('query_only = OFF');
      mode = file.pragma('journal_mode = DELETE');
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof EngineError && error.code === 'file_locked') throw inUse(filePath);
    return;
  }
  const hasLog = withLogs(filePath)
    .slice(1, 3)
    .some((log) => fs.existsSync(log));
  if (mode !== 'delete' || hasLog) throw inUse(filePath);
}

const inUse = (filePath: string): EngineError =>
  new EngineError(
    'file_locked',
    `${path.basename(filePath)} is open in another window or program of Platbook; close it first. Nothing was changed.`,
  );
