/**
 * Files in `undo/`: what an import replaced, one file per import, complete on disk before the import commits. A file
 * counts only with its import's row in land.sqlite; a file without one was left by an import that never committed. An
 * import that was undone keeps its file while a second one beside it holds what redoing it restores.
 */
import fs from 'node:fs';
import path from 'node:path';
import { entryKind } from '../plain-file.ts';
import { EngineError } from '../spec/errors.ts';
import { removeDatabase } from './file-header.ts';
import { applicationId, type DatabaseKind, openSqliteFile, type SqliteFile } from './sqlite.ts';

/**
 * Rows are JSON by column, shapes are bytes: a later Platbook with more columns reads today's files. `touched`: parcels
 * whose companions (computed values, raw columns, comps) are restored with them.
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
  // A row takes 2 to 3 kB: smaller pages would stay half empty.
  pageSize: 16_384,
};

export const undoFolder = (home: string): string => path.join(home, 'undo');

/** What an import replaced, or what undoing it replaced. */
export type UndoKind = 'import' | 'redo';

const undoPath = (home: string, importId: number, kind: UndoKind): string =>
  path.join(undoFolder(home), `${kind}-${importId}.sqlite`);

/** Returns once the file is on disk, so that it is there after a power cut. */
function sync(filePath: string): void {
  // Windows has no fsync for folders; there the rename itself is durable.
  if (process.platform === 'win32' && fs.statSync(filePath).isDirectory()) return;
  const descriptor = fs.openSync(filePath, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Writes a file whole: it gets its name once complete and on disk. @throws EngineError disk_full and others */
export function writeUndoFile(home: string, importId: number, kind: UndoKind, fill: (file: SqliteFile) => void): void {
  const folder = undoFolder(home);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `${kind}-${importId}.part`);
  removeDatabase(temporary);
  const file = openSqliteFile(temporary, undoKind);
  try {
    // No other reader exists until it has its name, and a log beside it would hold every row twice.
    file.pragma('journal_mode = DELETE');
    file.transaction(() => fill(file));
  } catch (error) {
    file.close();
    removeDatabase(temporary);
    throw error;
  }
  file.close();
  sync(temporary);
  fs.renameSync(temporary, undoPath(home, importId, kind));
  sync(folder);
}

/** Null if it is gone. @throws EngineError file_damaged and others */
export function openUndoFile(home: string, importId: number, kind: UndoKind): SqliteFile | null {
  const filePath = undoPath(home, importId, kind);
  return fs.existsSync(filePath) ? openSqliteFile(filePath, undoKind) : null;
}

/** Numbers of the imports that have a file of that kind, in order. */
export function listUndoFiles(home: string, kind: UndoKind): number[] {
  const folder = undoFolder(home);
  if (entryKind(folder) !== 'folder') return [];
  return fs
    .readdirSync(folder)
    .flatMap((name) => {
      const [, of, id, ending] = anyUndoName.exec(name) ?? [];
      return of === kind && ending === 'sqlite' ? [Number(id)] : [];
    })
    .sort((a, b) => a - b);
}

export const removeUndoFile = (home: string, importId: number, kind: UndoKind): void =>
  removeDatabase(undoPath(home, importId, kind));

/** Platbook's names of files in `undo/`, and SQLite's files beside them. */
const anyUndoName = /^(import|redo)-(\d+)\.(sqlite|part)(?:-wal|-shm|-journal)?$/;

/** Files in `undo/` without an import that needs them: of one that was killed, or undone for good. */
export function undoOrphans(land: SqliteFile, home: string): string[] {
  const folder = undoFolder(home);
  // A link would lead outside the home.
  if (entryKind(folder) !== 'folder') return [];
  const undone = new Map(
    land
      .all<{ id: number; isUndone: number }>('SELECT import_id AS id, undone_at IS NOT NULL AS isUndone FROM imports')
      .map(({ id, isUndone }) => [id, isUndone === 1]),
  );
  const redoable = new Set(listUndoFiles(home, 'redo').filter((id) => undone.get(id)));
  return fs.readdirSync(folder).filter((name) => {
    const [, kind, id, ending] = anyUndoName.exec(name) ?? [];
    if (id === undefined) return false;
    const isNeeded = redoable.has(Number(id)) || (kind === 'import' && undone.get(Number(id)) === false);
    return ending === 'part' || !isNeeded;
  });
}

/**
 * Runs `work` in a writing transaction; returns null at once if another program is in one: a file without its row then
 * belongs to the running import instead of being an orphan.
 */
export function whileNoOneWrites<Result>(land: SqliteFile, work: () => Result): Result | null {
  try {
    return land.withoutWaiting(() => land.transaction(work));
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'file_locked' || error.code === 'file_read_only')) return null;
    throw error;
  }
}

/**
 * Call it in a writing transaction: then no other import runs.
 * @returns the names of the removed files
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
