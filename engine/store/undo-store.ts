/**
 * Files of `undo/`: what an import replaced, one file an import, written whole before the import commits. A file counts only
 * with the row of its import in land.sqlite; one without was left by an import that never was.
 */
import fs from 'node:fs';
import path from 'node:path';
import { entryKind } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import { applicationId, type DatabaseKind, openSqliteFile, type SqliteFile } from './sqlite.ts';

/**
 * Rows are kept as JSON by column, and shapes as they are: a file of today is read by a Platbook with more columns.
 * `touched`: parcels whose companions (computed values, raw columns, comps) are put back with them.
 */
const undoSql = `
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE added (property_id INTEGER PRIMARY KEY);
CREATE TABLE touched (property_id INTEGER PRIMARY KEY);
CREATE TABLE parcels (property_id INTEGER PRIMARY KEY, row TEXT NOT NULL, geom BLOB);
CREATE TABLE registry (property_id INTEGER PRIMARY KEY, geometry_hash INTEGER);
CREATE TABLE companions (companion_id INTEGER PRIMARY KEY, name TEXT NOT NULL, row TEXT NOT NULL);
`;

const undoKind: DatabaseKind = {
  fileName: 'undo file',
  applicationId: applicationId('PLBU'),
  migrations: [undoSql],
  synchronous: 'FULL',
  functions: () => ({}),
  // A row takes 2 to 3 kB: of a smaller page every other half would stay empty.
  pageSize: 16_384,
};

export const undoFolder = (home: string): string => path.join(home, 'undo');

const undoPath = (home: string, importId: number): string => path.join(undoFolder(home), `import-${importId}.sqlite`);

const nameOfUndo = /^import-(\d+)\.sqlite$/;

/** On the disk before this returns, so that a power cut after it finds the file. */
function sync(filePath: string): void {
  // Windows knows no fsync of a folder; there the rename itself is durable.
  if (process.platform === 'win32' && fs.statSync(filePath).isDirectory()) return;
  const descriptor = fs.openSync(filePath, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes a file whole: it gets its name when it is complete and on the disk. @throws EngineError disk_full and others */
export function writeUndoFile(home: string, importId: number, fill: (file: SqliteFile) => void): void {
  const folder = undoFolder(home);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `import-${importId}.part`);
  removeDatabase(temporary);
  const file = openSqliteFile(temporary, undoKind);
  try {
    // Until it has its name nobody else reads it: a log beside it would hold every row a second time.
    file.pragma('journal_mode = DELETE');
    file.transaction(() => fill(file));
  } catch (error) {
    file.close();
    removeDatabase(temporary);
    throw error;
  }
  file.close();
  sync(temporary);
  fs.renameSync(temporary, undoPath(home, importId));
  sync(folder);
}

function removeDatabase(filePath: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) fs.rmSync(filePath + ending, { force: true });
}

/** Null where it is gone. @throws EngineError file_damaged and others */
export function openUndoFile(home: string, importId: number): SqliteFile | null {
  const filePath = undoPath(home, importId);
  return fs.existsSync(filePath) ? openSqliteFile(filePath, undoKind) : null;
}

/** Numbers of the imports that have a file, in order. */
export function listUndoFiles(home: string): number[] {
  const folder = undoFolder(home);
  if (entryKind(folder) !== 'folder') return [];
  return fs
    .readdirSync(folder)
    .flatMap((name) => nameOfUndo.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

export const removeUndoFile = (home: string, importId: number): void => removeDatabase(undoPath(home, importId));

/** Names that Platbook gives to files of `undo/`, with the files that SQLite keeps beside them. */
const anyUndoName = /^import-(\d+)\.(sqlite|part)(?:-wal|-shm|-journal)?$/;

/** Files of `undo/` that belong to no import that stands: of one that was killed, or that was taken back. */
export function undoOrphans(land: SqliteFile, home: string): string[] {
  const folder = undoFolder(home);
  // A link would lead out of the home.
  if (entryKind(folder) !== 'folder') return [];
  const known = new Set(land.column<number>('SELECT import_id FROM imports WHERE undone_at IS NULL'));
  return fs.readdirSync(folder).filter((name) => {
    const [, id, ending] = anyUndoName.exec(name) ?? [];
    return ending === 'part' || (id !== undefined && !known.has(Number(id)));
  });
}

/**
 * In a transaction that writes; null, at once, where another program is in one: then a file without its row is not an
 * orphan, but of the import that runs.
 */
export function whileNoOneWrites<Result>(land: SqliteFile, work: () => Result): Result | null {
  const patience = land.pragma('busy_timeout');
  land.pragma('busy_timeout = 0');
  try {
    return land.transaction(work);
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'file_locked' || error.code === 'file_read_only')) return null;
    throw error;
  } finally {
    land.pragma(`busy_timeout = ${String(patience)}`);
  }
}

/**
 * Only in a transaction that writes: no one else is importing then.
 * @returns the names of the files that were removed
 */
export function removeUndoOrphans(land: SqliteFile, home: string): string[] {
  if (!land.inTransaction) throw new Error('undo files are tidied only while no other import can run');
  const orphans = undoOrphans(land, home);
  for (const name of orphans) fs.rmSync(path.join(undoFolder(home), name), { force: true });
  return orphans;
}

/** A fact of an undo file. @throws EngineError file_damaged */
export function undoFact(file: SqliteFile, name: string): string | null {
  const row = file.get<{ value: string | null }>('SELECT value FROM facts WHERE name = ?', name);
  if (row) return row.value;
  throw new EngineError('file_damaged', `${file.path} does not say its ${name}: it cannot be used.`);
}
