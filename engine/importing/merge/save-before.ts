/** Writes the undo file of an import, or of its undoing: every row it will change, before any change. */
import { assessorSource } from '../../comps/comp-columns.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { type UndoKind, writeUndoFile } from '../../store/undo-store.ts';

export interface BeforeImport {
  readonly importId: number;
  readonly datasetId: number;
  readonly fips: string;
  /** From the import's row: with the id it tells which import the file belongs to. */
  readonly doneAt: string;
}

/**
 * The parcels an import touches, as queries for property_id on the state before it. `touched` includes every parcel of
 * `replaced` and `added`.
 */
interface TouchedParcels {
  /** Current rows that will be changed or removed. */
  readonly replaced: string;
  /** Ids without a row. */
  readonly added: string;
  /** Also includes parcels whose companions change. */
  readonly touched: string;
}

const ofTouched = 'property_id IN (SELECT value FROM json_each(:ids))';

/** What is restored beside the parcels, for a list of touched ones in `:ids`, as JSON. */
const companions = [
  { name: 'computed_values', sql: `SELECT * FROM computed_values WHERE ${ofTouched}` },
  { name: 'raw_columns', sql: `SELECT * FROM raw_columns WHERE ${ofTouched}` },
  { name: 'comps', sql: `SELECT * FROM comps WHERE source = '${assessorSource}' AND ${ofTouched}` },
  {
    name: 'comp_links',
    sql: `SELECT comp_id, property_id, use FROM comps WHERE source <> '${assessorSource}' AND ${ofTouched}`,
  },
] as const;

const idsPerRead = 2000;

/** Call it in the transaction that changes them. @throws EngineError disk_full */
export function saveBefore(
  file: SqliteFile,
  home: string,
  before: BeforeImport,
  parcels: TouchedParcels,
  names: Record<string, unknown>,
  kind: UndoKind = 'import',
): void {
  writeUndoFile(home, before.importId, kind, (undo) => {
    const fact = (name: string, value: unknown) =>
      undo.run('INSERT INTO facts (name, value) VALUES (?, ?)', name, value === null ? null : String(value));
    fact('import_id', before.importId);
    fact('dataset_id', before.datasetId);
    fact('fips', before.fips);
    fact('done_at', before.doneAt);
    fact('dataset', rowText(file.get('SELECT * FROM datasets WHERE dataset_id = ?', before.datasetId)));
    fact('home_kind', file.get<{ kind: string }>('SELECT kind FROM home_kind')?.kind ?? null);
    saveIds(undo, 'added', file.column<number>(parcels.added, names));
    const replaced = file.column<number>(parcels.replaced, names);
    for (let at = 0; at < replaced.length; at += idsPerRead)
      saveParcels(file, undo, replaced.slice(at, at + idsPerRead));
    saveIds(undo, 'touched', file.column<number>(parcels.touched, names));
    saveCompanions(file, undo);
    saveOpenComps(file, undo, before.fips);
  });
}

/** One call per row would cost more than the row. */
function saveIds(undo: SqliteFile, table: 'added' | 'touched', ids: readonly number[]): void {
  for (let at = 0; at < ids.length; at += idsPerRead) {
    const some = JSON.stringify(ids.slice(at, at + idsPerRead));
    undo.run(`INSERT OR IGNORE INTO ${table} (property_id) SELECT value FROM json_each(?)`, some);
  }
}

const rowText = (row: Record<string, unknown> | undefined): string | null => (row ? JSON.stringify(row) : null);

function saveParcels(file: SqliteFile, undo: SqliteFile, ids: readonly number[]): void {
  const rows = file.all<Record<string, unknown> & { property_id: number; geom: unknown }>(
    'SELECT * FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  for (const { geom, ...row } of rows) {
    undo.run(
      'INSERT INTO parcels (property_id, row, geom) VALUES (?, ?, ?)',
      row.property_id,
      JSON.stringify(row),
      geom,
    );
  }
  const hashes = file.all<{ property_id: number; geometry_hash: number | null }>(
    'SELECT property_id, geometry_hash FROM parcel_registry WHERE property_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
  );
  for (const { property_id: id, geometry_hash: hash } of hashes) {
    undo.run('INSERT INTO registry (property_id, geometry_hash) VALUES (?, ?)', id, hash);
  }
}

function saveCompanions(file: SqliteFile, undo: SqliteFile): void {
  const touched = undo.column<number>(
    'SELECT property_id FROM touched UNION SELECT property_id FROM parcels ORDER BY property_id',
  );
  for (let at = 0; at < touched.length; at += idsPerRead) {
    const ids = JSON.stringify(touched.slice(at, at + idsPerRead));
    for (const { name, sql } of companions) {
      for (const row of file.all(sql, { ids })) {
        undo.run('INSERT INTO companions (name, row) VALUES (?, ?)', name, JSON.stringify(row));
      }
    }
  }
}

/** Comps without a parcel: the import may link them to one that an undo removes. */
function saveOpenComps(file: SqliteFile, undo: SqliteFile, fips: string): void {
  const rows = file.all('SELECT comp_id, use FROM comps WHERE fips = ? AND property_id IS NULL', fips);
  for (const row of rows) {
    undo.run("INSERT INTO companions (name, row) VALUES ('open_comps', ?)", JSON.stringify(row));
  }
}
