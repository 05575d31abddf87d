/** Directories and segments of the column indexes in land.sqlite. */
import type { SqliteFile } from './sqlite.ts';

/** A county that has parcels, and its index. */
export interface ColumnIndexState {
  readonly fips: string;
  /** A number that no other build has. */
  readonly buildId: number;
  readonly isCurrent: boolean;
}

interface StateRow {
  readonly fips: string;
  readonly build_id: number;
  readonly state: string;
}

const stateOf = ({ fips, build_id, state }: StateRow): ColumnIndexState => ({
  fips,
  buildId: build_id,
  isCurrent: state === 'current',
});

/** Every county that has, or had, parcels. Call it in the query's snapshot. */
export const listColumnIndexes = (file: SqliteFile): ColumnIndexState[] =>
  file.all<StateRow>('SELECT fips, build_id, state FROM column_indexes').map(stateOf);

const statesSql = 'SELECT fips, build_id, state FROM column_indexes WHERE fips';

/** Those of these counties, in any order. A list costs as much as five counties, so one is looked up by itself. */
export function findColumnIndexes(file: SqliteFile, counties: readonly string[]): ColumnIndexState[] {
  const [only] = counties;
  const rows =
    counties.length === 1
      ? file.all<StateRow>(`${statesSql} = ?`, only)
      : file.all<StateRow>(`${statesSql} IN (SELECT value FROM json_each(?))`, JSON.stringify(counties));
  return rows.map(stateOf);
}

export const readDirectory = (file: SqliteFile, fips: string): string | null =>
  file.get<{ directory: string | null }>('SELECT directory FROM column_indexes WHERE fips = ?', fips)?.directory ??
  null;

export const listSegments = (file: SqliteFile, fips: string): string[] =>
  file.column<string>('SELECT name FROM column_segments WHERE fips = ? ORDER BY segment_id', fips);

export function readSegment(file: SqliteFile, fips: string, name: string): Uint8Array {
  const row = file.get<{ data: Uint8Array }>(
    'SELECT data FROM column_segments WHERE fips = ? AND name = ?',
    fips,
    name,
  );
  if (!row) throw new Error(`the column index of ${fips} has no segment ${name}`);
  return row.data;
}

interface KeptColumnIndex {
  /** Format of the directory and the segments; Platbook reads only indexes of its own format. */
  readonly format: number;
  readonly directory: string;
}

/**
 * Replaces a county's index. Call it in the transaction that read or wrote its parcels.
 * @param fill yields the segments one by one (all at once would fill the memory) and returns the directory
 */
export function writeColumnIndex(
  file: SqliteFile,
  fips: string,
  fill: (keep: (name: string, data: Uint8Array) => void) => KeptColumnIndex,
): void {
  if (!file.inTransaction) throw new Error('a column index must be written in the transaction of its parcels');
  file.run('DELETE FROM column_segments WHERE fips = ?', fips);
  const { format, directory } = fill((name, data) =>
    file.run('INSERT INTO column_segments (fips, name, data) VALUES (?, ?, ?)', fips, name, data),
  );
  // After the last change of a parcel: triggers reset the current state.
  file.run('DELETE FROM column_indexes WHERE fips = ?', fips);
  file.run(
    "INSERT INTO column_indexes (fips, state, format, directory) VALUES (?, 'current', ?, ?)",
    ...[fips, format, directory],
  );
}

/**
 * Begins a build; `isStillBuilding` then tells whether the county has changed since. Whoever begins where nothing has
 * changed since another began shares its number, and the first to end wins: two builders never make each other start again.
 * @returns its number; null where the index is current, as another builder may have left it
 */
export function beginBuild(file: SqliteFile, fips: string, format: number): number | null {
  const found = file.get<StateRow & { format: number; directory: string | null }>(
    'SELECT fips, build_id, state, format, directory FROM column_indexes WHERE fips = ?',
    fips,
  );
  if (!found || (found.state === 'current' && found.format === format)) return null;
  if (found.state === 'building') return found.build_id;
  // A new row, for the number: one who began before the last change would else take this build for its own.
  file.run('DELETE FROM column_indexes WHERE fips = ?', fips);
  const { lastInsertRowid } = file.run(
    "INSERT INTO column_indexes (fips, state, format, directory) VALUES (?, 'building', ?, ?)",
    ...[fips, found.format, found.directory],
  );
  return Number(lastInsertRowid);
}

export const isStillBuilding = (file: SqliteFile, build: number): boolean =>
  file.get("SELECT 1 FROM column_indexes WHERE build_id = ? AND state = 'building'", build) !== undefined;

/** Counties whose index is missing, stale, or of another format than `format`. */
export const listStaleCounties = (file: SqliteFile, format: number): string[] =>
  file.column<string>("SELECT fips FROM column_indexes WHERE state <> 'current' OR format <> ? ORDER BY fips", format);

/** After a repair of the schema: while triggers were missing, parcels may have changed unseen. */
export function forgetColumnIndexes(file: SqliteFile): void {
  // A file from before the column index has none; its migration runs after the repair.
  const isThere = file.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'column_indexes'");
  if (isThere) file.exec("UPDATE column_indexes SET state = 'stale'");
}

/** For a county without parcels. Call it in the transaction that removed them. */
export function removeColumnIndex(file: SqliteFile, fips: string): void {
  file.run('DELETE FROM column_segments WHERE fips = ?', fips);
  file.run('DELETE FROM column_indexes WHERE fips = ?', fips);
}
