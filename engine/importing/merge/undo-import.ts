/**
 * Undoes an import: restores every row it replaced, with its computed values, and removes what it added. Redoes it the
 * same way, from what undoing replaced. Ids stay reserved: the registry never forgets, and importing the same file again
 * finds its parcels. One transaction, or nothing.
 */
import { indexCounty } from '../../columns/update-index.ts';
import { assessorSource } from '../../comps/comp-columns.ts';
import { EngineError } from '../../spec/errors.ts';
import { removeColumnIndex } from '../../store/column-store.ts';
import { type ComputedValue, noteChanged, withdrawParcel } from '../../store/computed-values.ts';
import type { LandStore } from '../../store/land-store.ts';
import { staleNeighbours } from '../../store/neighbour-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { tableColumns } from '../../store/table-columns.ts';
import { openUndoFile, removeUndoFile, type UndoKind, undoFact } from '../../store/undo-store.ts';
import { type DatasetImport, isOfSameDataset, listImports, parcelsChangedBy } from './datasets.ts';
import { homeOf } from './import-parcels.ts';
import { announceChange, dropTriggersAndIndexes, refreshLayerStatistics } from './layer-upkeep.ts';
import { saveBefore } from './save-before.ts';

export interface UndoReport {
  readonly import_id: number;
  readonly dataset_id: number;
  readonly fips: string;
  readonly action: 'import' | 'delete';
  readonly is_redone: boolean;
  /** What the import counted: `new`, `changed`, `retired`, `returned`, …; for a deletion `removed`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Parcels that the import changed by its own count, and this changed back. */
  readonly parcels: number;
  /** Restored rows; among them rows with recalculated values only. */
  readonly restored: number;
  /** Removed rows, which the import had added. */
  readonly removed: number;
}

interface UndoOptions {
  /** Default: the latest import that stands; when redoing, the one that was undone last. */
  readonly importId?: number;
  readonly isRedo?: boolean;
  readonly now: () => Date;
  /** Called from time to time; throwing cancels and changes nothing. */
  readonly onRows?: (rows: number, total: number) => void;
  /** Called at the end of the transaction; its writes commit with the rest. */
  readonly onCommitting?: (report: UndoReport) => void;
  /** Called right after the commit, before the undo file is removed. */
  readonly onCommitted?: (report: UndoReport) => void;
}

type ImportRow = Omit<DatasetImport, 'counts' | 'parcels' | 'can_undo' | 'can_redo'> & { readonly counts: string };

const rowsPerReport = 5000;

/** @throws EngineError not_found, import_refused, file_damaged; nothing was changed then */
export function undoImport(land: LandStore, options: UndoOptions): UndoReport {
  const home = homeOf(land);
  const { isRedo = false } = options;
  const report = land.file.transaction(() => {
    const row = isRedo ? findUndone(land, options.importId) : findImport(land, options.importId);
    const undo = openUndo(home, row, isRedo ? 'redo' : 'import');
    try {
      const restored = restore(land, undo, row, options);
      options.onCommitting?.(restored);
      return restored;
    } finally {
      undo.close();
    }
  });
  options.onCommitted?.(report);
  if (isRedo) removeUndoFile(home, report.import_id, 'redo');
  return report;
}

const importSql =
  'SELECT import_id, dataset_id, fips, jurisdiction, action, source_name, source_date, done_at, undone_at, counts FROM imports';

const lastUndone = (listed: readonly DatasetImport[]): DatasetImport | undefined =>
  listed.filter((row) => row.can_redo).toSorted((a, b) => (b.undone_at ?? '').localeCompare(a.undone_at ?? ''))[0];

function findUndone(land: LandStore, importId: number | undefined): ImportRow {
  const listed = listImports(land, -1);
  const found = importId === undefined ? lastUndone(listed) : listed.find((row) => row.import_id === importId);
  if (found?.can_redo) return { ...found, counts: JSON.stringify(found.counts) };
  if (importId === undefined) throw new EngineError('not_found', 'There is no import to redo.');
  if (!found) throw new EngineError('not_found', `There is no import ${importId}.`);
  throw new EngineError(
    'import_refused',
    found.undone_at === null
      ? `Import ${importId} stands: it was not undone.`
      : `Import ${importId} cannot be redone: its dataset was changed since it was undone, or an earlier import must be redone first. Import the file again instead.`,
  );
}

/** @throws EngineError not_found, import_refused if it was undone, or a later one builds on it */
export function findImport({ file }: LandStore, importId: number | undefined): ImportRow {
  const row = file.get<ImportRow>(
    `${importSql}
     WHERE import_id = :id OR (:id IS NULL AND undone_at IS NULL) ORDER BY import_id DESC LIMIT 1`,
    { id: importId ?? null },
  );
  if (!row) {
    throw new EngineError(
      'not_found',
      importId === undefined ? 'There is no import to undo.' : `There is no import ${importId}.`,
    );
  }
  if (row.undone_at !== null) {
    throw new EngineError('import_refused', `Import ${row.import_id} was undone already, on ${row.undone_at}.`);
  }
  const later = file.get<ImportRow>(
    `SELECT import_id, source_name, source_date FROM imports
     WHERE import_id > :id AND undone_at IS NULL AND ${isOfSameDataset(':dataset', ':fips', ':jurisdiction')}
     ORDER BY import_id LIMIT 1`,
    { id: row.import_id, dataset: row.dataset_id, fips: row.fips, jurisdiction: row.jurisdiction },
  );
  if (!later) return row;
  throw new EngineError(
    'import_refused',
    `A later import of the same dataset builds on import ${row.import_id}: number ${later.import_id} (${later.source_name}, ${later.source_date}). Undo that one first; nothing was changed.`,
  );
}

/** @throws EngineError import_refused if the file is gone or of another import */
export function openUndo(home: string, row: ImportRow, kind: UndoKind): SqliteFile {
  const undo = openUndoFile(home, row.import_id, kind);
  const gone = `What import ${row.import_id} replaced is no longer stored: the last three imports of a dataset can be undone. Import the older file again instead.`;
  if (!undo) throw new EngineError('import_refused', gone);
  const isOfRow =
    undoFact(undo, 'import_id') === String(row.import_id) &&
    undoFact(undo, 'dataset_id') === String(row.dataset_id) &&
    undoFact(undo, 'done_at') === row.done_at;
  if (isOfRow) return undo;
  undo.close();
  throw new EngineError(
    'import_refused',
    `The undo file of import ${row.import_id} belongs to another import: land.sqlite or the folder undo/ was restored from elsewhere. Nothing was changed.`,
  );
}

function restore(
  land: LandStore,
  undo: SqliteFile,
  row: ImportRow,
  { now, onRows, isRedo = false }: UndoOptions,
): UndoReport {
  const { file } = land;
  const at = now();
  collectIds(file, undo);
  try {
    if (!isRedo) saveForRedo(land, row);
    const standing = file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n ?? 0;
    const kept = undo.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n ?? 0;
    const putBack = dropTriggersAndIndexes(file, kept > 0.2 * standing);
    clear(file);
    const restored = restoreParcels(file, undo, (rows) => onRows?.(rows, kept));
    unlinkComps(file);
    restoreCompanions(file, undo);
    restoreDataset(file, undo, row.dataset_id);
    putBack();
    const any = file.get<{ id: number }>('SELECT property_id AS id FROM parcels WHERE fips = ? LIMIT 1', row.fips);
    announceChange(file, any?.id ?? null);
    refreshLayerStatistics(file, at);
    noteChanged(file, row.fips);
    staleNeighbours(file, row.fips);
    if (any) indexCounty(file, row.fips);
    else removeColumnIndex(file, row.fips);
    file.run('UPDATE imports SET undone_at = ? WHERE import_id = ?', isRedo ? null : at.toISOString(), row.import_id);
    const removed = undo.get<{ n: number }>('SELECT count(*) AS n FROM added')?.n ?? 0;
    const { import_id, dataset_id, fips, action } = row;
    const counts = JSON.parse(row.counts) as Record<string, number>;
    const parcels = parcelsChangedBy(counts);
    return { import_id, dataset_id, fips, action, is_redone: isRedo, counts, parcels, restored, removed };
  } finally {
    file.exec('DROP TABLE IF EXISTS temp.undone_ids');
  }
}

/** What undoing is about to replace. @throws EngineError disk_full */
function saveForRedo(land: LandStore, row: ImportRow): void {
  const ids = 'SELECT property_id FROM temp.undone_ids';
  const standing = 'property_id IN (SELECT property_id FROM parcels)';
  saveBefore(
    land.file,
    homeOf(land),
    { importId: row.import_id, datasetId: row.dataset_id, fips: row.fips, doneAt: row.done_at },
    {
      replaced: `${ids} WHERE has_row AND ${standing}`,
      added: `${ids} WHERE has_row AND NOT ${standing}`,
      touched: ids,
    },
    {},
    'redo',
  );
}

/** Every parcel to restore something of; `has_row`: its row too. */
function collectIds(file: SqliteFile, undo: SqliteFile): void {
  file.exec('DROP TABLE IF EXISTS temp.undone_ids');
  file.exec('CREATE TEMP TABLE undone_ids (property_id INTEGER PRIMARY KEY, has_row INTEGER NOT NULL)');
  const all = undo.rawRows(`SELECT property_id, 1 FROM added UNION SELECT property_id, 1 FROM parcels
    UNION SELECT property_id, 0 FROM touched WHERE property_id NOT IN (SELECT property_id FROM added UNION SELECT property_id FROM parcels)`);
  for (const [id, hasRow] of all)
    file.run('INSERT INTO temp.undone_ids (property_id, has_row) VALUES (?, ?)', id, hasRow);
}

const undone = 'property_id IN (SELECT property_id FROM temp.undone_ids)';

function clear(file: SqliteFile): void {
  const rows = 'SELECT property_id FROM temp.undone_ids WHERE has_row = 1';
  file.run(`DELETE FROM idx_parcels_geom WHERE pkid IN (${rows})`);
  file.run(`DELETE FROM parcels WHERE property_id IN (${rows})`);
  file.run(`DELETE FROM computed_values WHERE property_id IN (${rows})`);
  file.run(`DELETE FROM raw_columns WHERE ${undone}`);
  file.run(`DELETE FROM comps WHERE source = ? AND ${undone}`, assessorSource);
}

/** Unlinks comps from parcels that are gone. */
function unlinkComps(file: SqliteFile): void {
  file.run(`UPDATE comps SET property_id = NULL
    WHERE property_id IN (SELECT property_id FROM temp.undone_ids WHERE has_row = 1)
      AND property_id NOT IN (SELECT property_id FROM parcels)`);
}

function restoreParcels(file: SqliteFile, undo: SqliteFile, onRows: (rows: number) => void): number {
  let rows = 0;
  for (const { row, geom } of undo.iterate<{ row: string; geom: unknown }>(
    'SELECT row, geom FROM parcels ORDER BY property_id',
  )) {
    insertRow(file, 'parcels', { ...(JSON.parse(row) as object), geom });
    rows++;
    if (rows % rowsPerReport === 0) onRows(rows);
  }
  file.run(`INSERT INTO idx_parcels_geom (pkid, xmin, xmax, ymin, ymax)
    SELECT property_id, MbrMinX(geom), MbrMaxX(geom), MbrMinY(geom), MbrMaxY(geom) FROM parcels
    WHERE property_id IN (SELECT property_id FROM temp.undone_ids WHERE has_row = 1) AND MbrMinX(geom) IS NOT NULL
    ORDER BY property_id`);
  for (const [id, hash] of undo.rawRows('SELECT property_id, geometry_hash FROM registry')) {
    file.run('UPDATE parcel_registry SET geometry_hash = ? WHERE property_id = ?', hash, id);
  }
  onRows(rows);
  return rows;
}

type RestoredTable = 'parcels' | 'computed_values' | 'comps' | 'datasets' | 'raw_columns';

/** The file may come from a stranger: names in it never become SQL. */
const strangeRow = (what: string): EngineError =>
  new EngineError('file_damaged', `The undo file holds ${what}, which Platbook does not know. Nothing was changed.`);

/** Matches columns by name: the file may come from an older Platbook with fewer. */
function insertRow(file: SqliteFile, table: RestoredTable, row: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(row);
  const strange = names.find((name) => !tableColumns(file, table).has(name));
  if (strange !== undefined) throw strangeRow(`the column ${JSON.stringify(strange.slice(0, 60))} of ${table}`);
  file.run(
    `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ...Object.values(row),
  );
}

interface ComputedRow {
  readonly layer_id: number;
  readonly property_id: number;
  readonly values: string;
  readonly published: string | null;
}

function restoreCompanions(file: SqliteFile, undo: SqliteFile): void {
  const layers = new Set(file.column<number>('SELECT layer_id FROM layers'));
  for (const { name, row: text } of undo.iterate<{ name: string; row: string }>(
    'SELECT name, row FROM companions ORDER BY companion_id',
  )) {
    const row = JSON.parse(text) as Record<string, unknown>;
    if (name === 'open_comps') reopenComp(file, row);
    else if (name === 'computed_values') restoreComputed(file, row as unknown as ComputedRow, layers);
    else if (name === 'comps') restoreComp(file, row);
    else if (name === 'comp_links') linkComp(file, row);
    else if (name === 'raw_columns') insertRow(file, name, row);
    else throw strangeRow(`a row of ${JSON.stringify(name.slice(0, 60))}`);
  }
}

/** If the layer was removed since, its values go too; rows that are not restored have lost them already. */
function restoreComputed(file: SqliteFile, row: ComputedRow, layers: ReadonlySet<number>): void {
  const { layer_id: layerId, property_id: id, values, published } = row;
  if (layers.has(layerId)) {
    file.run('DELETE FROM computed_values WHERE layer_id = ? AND property_id = ?', layerId, id);
    insertRow(file, 'computed_values', { ...row });
    return;
  }
  const hasRow = file.get('SELECT 1 FROM temp.undone_ids WHERE property_id = ? AND has_row = 1', id) !== undefined;
  if (!hasRow) return;
  withdrawParcel(file, id, {
    values: JSON.parse(values) as Record<string, ComputedValue>,
    published: published === null ? [] : (JSON.parse(published) as string[]),
  });
}

/** Row numbers belong to the comps table, and another comp may have got one since. */
function restoreComp(file: SqliteFile, row: Record<string, unknown>): void {
  const isTaken = file.get('SELECT 1 FROM comps WHERE comp_rowid = ?', row.comp_rowid) !== undefined;
  const { comp_rowid: _number, ...others } = row;
  insertRow(file, 'comps', isTaken ? others : row);
}

function linkComp(file: SqliteFile, { comp_id: id, property_id: parcel, use }: Record<string, unknown>): void {
  file.run(
    'UPDATE comps SET property_id = ?, use = ? WHERE comp_id = ? AND property_id IS NOT ?',
    parcel,
    use,
    id,
    parcel,
  );
}

function reopenComp(file: SqliteFile, { comp_id: id, use }: Record<string, unknown>): void {
  file.run(`UPDATE comps SET property_id = NULL, use = ? WHERE comp_id = ? AND ${undone}`, use, id);
}

function restoreDataset(file: SqliteFile, undo: SqliteFile, datasetId: number): void {
  file.run('DELETE FROM datasets WHERE dataset_id = ?', datasetId);
  const dataset = undoFact(undo, 'dataset');
  if (dataset !== null) insertRow(file, 'datasets', JSON.parse(dataset) as Record<string, unknown>);
  const isEmpty =
    file.get('SELECT 1 FROM datasets LIMIT 1') === undefined && file.get('SELECT 1 FROM comps LIMIT 1') === undefined;
  const kind = undoFact(undo, 'home_kind');
  if (kind === null && isEmpty) file.exec('DELETE FROM home_kind');
  else if (kind !== null) file.run('INSERT OR IGNORE INTO home_kind (id, kind) VALUES (1, ?)', kind);
}
