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

/** Every county that has, or had, parcels. To be read in the snapshot of the question. */
export const listColumnIndexes = (file: SqliteFile): ColumnIndexState[] =>
  file.all<StateRow>('SELECT fips, build_id, state FROM column_indexes').map(stateOf);

export function findColumnIndex(file: SqliteFile, fips: string): ColumnIndexState | null {
  const row = file.get<StateRow>('SELECT fips, build_id, state FROM column_indexes WHERE fips = ?', fips);
  return row ? stateOf(row) : null;
}

export const readDirectory = (file: SqliteFile, fips: string): string | null =>
  file.get<{ directory: string | null }>('SELECT directory FROM column_indexes WHERE fips = ?', fips)?.directory ??
  null;

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
  /** Of the directory and the segments; a Platbook that writes another one reads none but its own. */
  readonly format: number;
  readonly directory: string;
}

/**
 * Replaces a county's index. To be called in the transaction that read, or wrote, its parcels.
 * @param fill gives the segments one by one (all at once they would fill the memory), then what tells of them
 */
export function writeColumnIndex(
  file: SqliteFile,
  fips: string,
  fill: (keep: (name: string, data: Uint8Array) => void) => KeptColumnIndex,
): void {
  finishColumnIndex(file, fips, fill(beginColumnIndex(file, fips)));
}

/** For whoever makes the segments little by little: in the same transaction, `finishColumnIndex` comes in the end. */
export function beginColumnIndex(file: SqliteFile, fips: string): (name: string, data: Uint8Array) => void {
  if (!file.inTransaction) throw new Error('an index is written only with the parcels it was made of');
  file.run('DELETE FROM column_segments WHERE fips = ?', fips);
  return (name, data) => file.run('INSERT INTO column_segments (fips, name, data) VALUES (?, ?, ?)', fips, name, data);
}

/** After the last change of a parcel: triggers take away what is current. */
export function finishColumnIndex(file: SqliteFile, fips: string, { format, directory }: KeptColumnIndex): void {
  file.run('DELETE FROM column_indexes WHERE fips = ?', fips);
  file.run(
    "INSERT INTO column_indexes (fips, state, format, directory) VALUES (?, 'current', ?, ?)",
    ...[fips, format, directory],
  );
}

/** From now on a change of the county is seen by `isStillBuilding`. */
export function markBuilding(file: SqliteFile, fips: string): void {
  file.run("UPDATE column_indexes SET state = 'building' WHERE fips = ?", fips);
}

export const isStillBuilding = (file: SqliteFile, fips: string): boolean =>
  file.get("SELECT 1 FROM column_indexes WHERE fips = ? AND state = 'building'", fips) !== undefined;

/** Counties whose index is missing, stale, or of another format than `format`. */
export const listStaleCounties = (file: SqliteFile, format: number): string[] =>
  file.column<string>("SELECT fips FROM column_indexes WHERE state <> 'current' OR format <> ? ORDER BY fips", format);

/** After a repair of the schema: triggers were missing, and nobody knows what changed meanwhile. */
export function forgetColumnIndexes(file: SqliteFile): void {
  // A file of before the column index has none; its migration comes after the repair.
  const isThere = file.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'column_indexes'");
  if (isThere) file.exec("UPDATE column_indexes SET state = 'stale'");
}

/** Of a county that has no parcels any more. In the transaction that removed them. */
export function removeColumnIndex(file: SqliteFile, fips: string): void {
  file.run('DELETE FROM column_segments WHERE fips = ?', fips);
  file.run('DELETE FROM column_indexes WHERE fips = ?', fips);
}
