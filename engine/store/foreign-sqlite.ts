/** SQLite files of other programs (GeoPackages, MBTiles, a copy of a land file): read, never written, and none of their SQL is run. */
import fs from 'node:fs';
import Database from 'better-sqlite3';
import { requirePlainLogs } from './file-header.ts';
import { quickCheck, quickCheckBytes, SqliteFile } from './sqlite.ts';
import { foreignError } from './sqlite-errors.ts';

/**
 * Another program's file, never written. Opened for writing unless it has a log beside it, because readers leave WAL
 * files behind. Its schema is SQL that SQLite would run: read only what `isPlainTable` accepts.
 */
export function openForeignSqlite(filePath: string): SqliteFile {
  let database: Database.Database | null = null;
  try {
    // SQLite looks for its logs beside the file that a link leads to.
    const place = fs.realpathSync(filePath);
    requirePlainLogs(place);
    const isInUse = ['-wal', '-journal'].some((ending) => fs.existsSync(place + ending));
    database = new Database(filePath, { readonly: isInUse, fileMustExist: true });
    // Check constraints bind writers only, and the quick check would evaluate them for every row.
    for (const pragma of ['query_only = ON', 'trusted_schema = OFF', 'ignore_check_constraints = ON']) {
      database.pragma(pragma);
    }
    // The quick check evaluates computed columns too. Without it, damage is found where it is read.
    const isChecked = fs.statSync(filePath).size <= quickCheckBytes && !hasComputedColumns(database);
    if (isChecked) quickCheck(database, filePath);
    return new SqliteFile(filePath, database, { nameError: foreignError });
  } catch (error) {
    database?.close();
    throw foreignError(error, filePath);
  }
}

const hasComputedColumns = (database: Database.Database): boolean =>
  database
    .prepare(
      `SELECT 1 FROM sqlite_schema AS one JOIN pragma_table_xinfo(one.name) AS of_one
       WHERE one.type = 'table' AND one.rootpage > 0 AND of_one.hidden > 1 LIMIT 1`,
    )
    .get() !== undefined;

/**
 * Whether reading these columns runs no SQL of the file: it is a table with pages of its own, not a view or a virtual
 * table, and none of the columns is computed.
 */
export function isPlainTable(file: SqliteFile, name: string, columns: readonly string[]): boolean {
  const isTable = file.get(
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND lower(name) = lower(?)",
    name,
  );
  if (isTable === undefined) return false;
  const stored = file.column<string>('SELECT lower(name) FROM pragma_table_xinfo(?) WHERE hidden = 0', name);
  return columns.every((column) => stored.includes(column));
}
