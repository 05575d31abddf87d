/**
 * Writes rows of a county, as a server has them, over those of the home: only differences, with their ids, so that an
 * import, lists and notes go on as before. Undo takes it back like an import. One transaction, or nothing.
 */
import { indexCounty } from '../../columns/update-index.ts';
import { counted } from '../../spec/counted.ts';
import { EngineError } from '../../spec/errors.ts';
import { noteChanged } from '../../store/computed-values.ts';
import { type DatasetRow, datasetFacts, writeDatasetRow } from '../../store/dataset-row.ts';
import { expectKind, type HomeKind } from '../../store/home-kind.ts';
import type { LandStore } from '../../store/land-store.ts';
import { staleNeighbours } from '../../store/neighbour-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { removeUndoOrphans } from '../../store/undo-store.ts';
import { homeOf, nextDatasetId, recordImport } from './import-parcels.ts';
import { announceChange, dropTriggersAndIndexes, refreshLayerStatistics } from './layer-upkeep.ts';
import { pruneUndo } from './prune-undo.ts';
import { saveBefore } from './save-before.ts';

interface DatasetPull {
  /** Number for undoing it; null if nothing differed. */
  readonly import_id: number | null;
  readonly jurisdiction: string;
  readonly new: number;
  readonly changed: number;
  readonly retired: number;
  readonly unchanged: number;
}

export interface CountyPull {
  readonly fips: string;
  readonly datasets: readonly DatasetPull[];
  readonly comps: number;
  /** Comps that were written. */
  readonly comps_changed: number;
}

interface PulledCounty {
  readonly fips: string;
  readonly kind: HomeKind;
  /** As the server numbers them. */
  readonly datasets: readonly DatasetRow[];
  /** Takes the server's rows over newer ones of the home. */
  readonly replace: boolean;
  readonly now: () => Date;
}

/** Rows of the server, in the connection's own temporary file. */
export const pulledTables = ['parcels', 'parcel_registry', 'raw_columns', 'comps'] as const;
export type PulledTable = (typeof pulledTables)[number];

/** Tables like those of the home, without their constraints: `temp.pulled_parcels` … */
export function openPulledTables(file: SqliteFile): void {
  for (const table of pulledTables) {
    file.exec(`DROP TABLE IF EXISTS temp.pulled_${table}`);
    file.exec(`CREATE TEMP TABLE pulled_${table} AS SELECT * FROM main.${table} WHERE 0`);
  }
}

export function dropPulledTables(file: SqliteFile): void {
  for (const table of pulledTables) file.exec(`DROP TABLE IF EXISTS temp.pulled_${table}`);
}

/** @throws EngineError import_refused, sample_and_real, disk_full; nothing was changed then */
export function mergePulled(land: LandStore, county: PulledCounty): CountyPull {
  const { file } = land;
  file.exec('CREATE INDEX IF NOT EXISTS temp.pulled_id ON pulled_parcels (property_id)');
  const report = file.transaction(() => {
    expectKind('home', land.kind, county.kind);
    expectSameIds(file, county.fips);
    file.run('INSERT OR IGNORE INTO home_kind (id, kind) VALUES (1, ?)', county.kind);
    // Rows that another program put there belong to no dataset, and here to the first.
    const [first] = county.datasets;
    file.run('UPDATE temp.pulled_parcels SET dataset_id = ? WHERE dataset_id IS NULL', first?.dataset_id ?? null);
    const datasets = county.datasets.map((dataset) => mergeDataset(land, county, dataset));
    const comps = mergeComps(file);
    return { fips: county.fips, datasets, ...comps };
  });
  for (const { jurisdiction } of county.datasets) pruneUndo(land, homeOf(land), { fips: county.fips, jurisdiction });
  return report;
}

/** The registry of a home never forgets: where it says otherwise than the server, neither can give way. */
function expectSameIds(file: SqliteFile, fips: string): void {
  const [row] = file.all<{ n: number; id: number | null }>(
    `SELECT count(*) AS n, min(t.property_id) AS id FROM temp.pulled_parcel_registry t WHERE t.fips = :fips AND (EXISTS (
       SELECT 1 FROM parcel_registry r WHERE r.property_id = t.property_id AND (r.fips <> :fips OR r.apn <> t.apn
         OR r.sequence <> t.sequence OR fold_spaces(r.jurisdiction) <> fold_spaces(t.jurisdiction)))
     OR EXISTS (SELECT 1 FROM parcel_registry r WHERE r.fips = :fips AND r.jurisdiction = t.jurisdiction
       AND r.apn = t.apn AND r.sequence = t.sequence AND r.property_id <> t.property_id)
     OR EXISTS (SELECT 1 FROM parcels p WHERE p.property_id = t.property_id AND p.fips <> :fips))`,
    { fips },
  );
  if (!row || row.n === 0) return;
  throw new EngineError(
    'import_refused',
    `${counted(row.n, 'parcel of the server has a number', 'parcels of the server have numbers')} that this home knows otherwise, like ${row.id}. Pull the county into a home of its own (--home FOLDER); nothing was changed.`,
  );
}

function mergeDataset(land: LandStore, county: PulledCounty, pulled: DatasetRow): DatasetPull {
  const { file } = land;
  const { fips } = county;
  const standing = file.get<DatasetRow>(
    'SELECT * FROM datasets WHERE fips = ? AND fold_spaces(jurisdiction) = fold_spaces(?)',
    fips,
    pulled.jurisdiction,
  );
  if (standing && standing.source_date > pulled.source_date && !county.replace)
    throw new EngineError(
      'import_refused',
      `${fips} is loaded as of ${standing.source_date}, the server has it as of ${pulled.source_date}: pass --replace to go back to it.`,
    );
  const jurisdiction = standing?.jurisdiction ?? pulled.jurisdiction;
  const datasetId = standing?.dataset_id ?? nextDatasetId(land);
  // From here on the rows are of this home's dataset.
  file.run('UPDATE temp.pulled_parcels SET dataset_id = ? WHERE dataset_id = ?', -datasetId, pulled.dataset_id);
  const names = { fips, datasetId, pulledId: -datasetId };
  compare(file, names);
  const counts = countsOf(file, names);
  const isSame = standing !== undefined && datasetFacts.every((name) => standing[name] === pulled[name]);
  const isChanged = counts.new + counts.changed + counts.retired > 0;
  if (!isChanged && isSame) return { import_id: null, jurisdiction, ...counts };
  const importId = writeDataset(land, county, { pulled, jurisdiction, names, counts });
  return { import_id: importId, jurisdiction, ...counts };
}

type Names = { readonly fips: string; readonly datasetId: number; readonly pulledId: number };

const parcelColumns = (file: SqliteFile, table = 'parcels'): string[] =>
  file.column<string>('SELECT name FROM pragma_table_info(?)', table);

const quoted = (name: string): string => `"${name}"`;

/** Fills `pulled_news` with the ids whose row or unmapped columns differ, and whether they are new. */
function compare(file: SqliteFile, names: Names): void {
  const others = parcelColumns(file).filter((name) => name !== 'property_id' && name !== 'dataset_id');
  file.exec('DROP TABLE IF EXISTS temp.pulled_news');
  file.exec('CREATE TEMP TABLE pulled_news (property_id INTEGER PRIMARY KEY, is_new INTEGER NOT NULL)');
  file.run(
    `INSERT INTO temp.pulled_news SELECT t.property_id, p.property_id IS NULL FROM temp.pulled_parcels t
     LEFT JOIN parcels p ON p.property_id = t.property_id
     LEFT JOIN temp.pulled_raw_columns w ON w.property_id = t.property_id
     LEFT JOIN raw_columns b ON b.property_id = t.property_id
     WHERE t.dataset_id = :pulledId AND (p.property_id IS NULL OR p.dataset_id IS NOT :datasetId OR w.json IS NOT b.json
       OR ${others.map((name) => `p.${quoted(name)} IS NOT t.${quoted(name)}`).join(' OR ')})`,
    { pulledId: names.pulledId, datasetId: names.datasetId },
  );
}

const vanished = `dataset_id = :datasetId AND status = 'current'
  AND property_id NOT IN (SELECT property_id FROM temp.pulled_parcels)`;

type Counts = Pick<DatasetPull, 'new' | 'changed' | 'retired' | 'unchanged'>;

function countsOf(file: SqliteFile, { datasetId, pulledId }: Names): Counts {
  const [news] = file.all<{ added: number; changed: number }>(
    'SELECT ifnull(sum(is_new), 0) AS added, ifnull(sum(NOT is_new), 0) AS changed FROM temp.pulled_news',
  );
  const n = (sql: string, values: Record<string, unknown>) => file.get<{ n: number }>(sql, values)?.n ?? 0;
  const { added = 0, changed = 0 } = news ?? {};
  return {
    new: added,
    changed,
    retired: n(`SELECT count(*) AS n FROM parcels WHERE ${vanished}`, { datasetId }),
    unchanged:
      n('SELECT count(*) AS n FROM temp.pulled_parcels WHERE dataset_id = :pulledId', { pulledId }) - added - changed,
  };
}

interface DatasetWriting {
  readonly pulled: DatasetRow;
  readonly jurisdiction: string;
  readonly names: Names;
  readonly counts: Counts;
}

function writeDataset(land: LandStore, county: PulledCounty, writing: DatasetWriting): number {
  const { file } = land;
  const { pulled, jurisdiction, names, counts } = writing;
  const { fips, datasetId } = names;
  const at = county.now();
  removeUndoOrphans(file, homeOf(land));
  const importId = recordImport(land, {
    ...{ datasetId, fips, jurisdiction, at, action: 'import' },
    source: pulled.source_name,
    date: pulled.source_date,
    counts: { ...counts, returned: 0, refused: 0 },
  });
  const news = (isNew: 0 | 1) => `SELECT property_id FROM temp.pulled_news WHERE is_new = ${isNew}`;
  const replaced = `${news(0)} UNION SELECT property_id FROM parcels WHERE ${vanished}`;
  saveBefore(
    file,
    homeOf(land),
    { importId, datasetId, fips, doneAt: at.toISOString() },
    { replaced, added: news(1), touched: `${replaced} UNION ${news(1)}` },
    { datasetId },
  );
  writeRows(file, jurisdiction, names, at);
  writeDatasetRow(file, fips, { ...pulled, dataset_id: datasetId, jurisdiction });
  return importId;
}

const ofNews = 'property_id IN (SELECT property_id FROM temp.pulled_news)';

function writeRows(file: SqliteFile, jurisdiction: string, { fips, datasetId }: Names, at: Date): void {
  const columns = parcelColumns(file);
  const standing = file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n ?? 0;
  const written = file.get<{ n: number }>('SELECT count(*) AS n FROM temp.pulled_news')?.n ?? 0;
  const restore = dropTriggersAndIndexes(file, written > 0.2 * standing);
  file.run(`DELETE FROM idx_parcels_geom WHERE pkid IN (SELECT property_id FROM temp.pulled_news)`);
  for (const table of ['parcels', 'computed_values', 'raw_columns']) file.run(`DELETE FROM ${table} WHERE ${ofNews}`);
  file.run(
    `INSERT INTO parcels (${columns.map(quoted).join(', ')})
     SELECT ${columns.map((name) => (name === 'dataset_id' ? ':datasetId' : quoted(name))).join(', ')}
     FROM temp.pulled_parcels WHERE ${ofNews} ORDER BY property_id`,
    { datasetId },
  );
  file.run(`INSERT INTO idx_parcels_geom (pkid, xmin, xmax, ymin, ymax)
    SELECT property_id, MbrMinX(geom), MbrMaxX(geom), MbrMinY(geom), MbrMaxY(geom) FROM temp.pulled_parcels
    WHERE ${ofNews} AND MbrMinX(geom) IS NOT NULL ORDER BY property_id`);
  file.run(
    `INSERT INTO raw_columns (property_id, json) SELECT property_id, json FROM temp.pulled_raw_columns WHERE ${ofNews}`,
  );
  register(file, fips, jurisdiction);
  file.run(`UPDATE parcels SET status = 'retired' WHERE ${vanished}`, { datasetId });
  restore();
  const any = file.get<{ id: number }>('SELECT property_id AS id FROM parcels WHERE dataset_id = ? LIMIT 1', datasetId);
  announceChange(file, any?.id ?? null);
  refreshLayerStatistics(file, at);
  noteChanged(file, fips);
  staleNeighbours(file, fips);
  indexCounty(file, fips);
  file.exec('ANALYZE main.parcels; ANALYZE main.parcel_registry;');
}

/** Also ids of parcels that are gone: they are never given again. */
function register(file: SqliteFile, fips: string, jurisdiction: string): void {
  const own = 't.fips = :fips AND fold_spaces(t.jurisdiction) = fold_spaces(:jurisdiction)';
  file.run(
    `INSERT INTO parcel_registry (property_id, fips, jurisdiction, apn, sequence, geometry_hash)
     SELECT t.property_id, :fips, :jurisdiction, t.apn, t.sequence, t.geometry_hash FROM temp.pulled_parcel_registry t
     WHERE ${own} AND t.property_id NOT IN (SELECT property_id FROM parcel_registry) ORDER BY t.property_id`,
    { fips, jurisdiction },
  );
  file.run(
    `UPDATE parcel_registry AS r SET geometry_hash = t.geometry_hash FROM temp.pulled_parcel_registry t
     WHERE ${own} AND r.property_id = t.property_id AND r.geometry_hash IS NOT t.geometry_hash`,
    { fips, jurisdiction },
  );
}

/** Parcels of the server that are here under the same number. */
const sameParcels = `SELECT p.property_id FROM temp.pulled_parcel_registry t
  JOIN parcels p ON p.property_id = t.property_id AND p.fips = t.fips
  LEFT JOIN parcel_registry r ON r.property_id = t.property_id
  WHERE r.property_id IS NULL OR (r.apn = t.apn AND r.sequence = t.sequence
    AND fold_spaces(r.jurisdiction) = fold_spaces(t.jurisdiction))`;

/** A comp of the server takes the place of the same one here; others stay. A parcel that is not here is not named. */
function mergeComps(file: SqliteFile): Pick<CountyPull, 'comps' | 'comps_changed'> {
  const columns = parcelColumns(file, 'comps').filter((name) => name !== 'comp_rowid');
  file.run(`UPDATE temp.pulled_comps SET property_id = NULL WHERE property_id NOT IN (${sameParcels})`);
  const others = columns.filter((name) => name !== 'comp_id');
  const { changes } = file.run(
    `INSERT INTO comps (${columns.map(quoted).join(', ')}) SELECT ${columns.map(quoted).join(', ')} FROM temp.pulled_comps
     WHERE true ORDER BY comp_id
     ON CONFLICT (comp_id) DO UPDATE SET ${others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ')}
     WHERE ${others.map((name) => `${quoted(name)} IS NOT excluded.${quoted(name)}`).join(' OR ')}`,
  );
  const comps = file.get<{ n: number }>('SELECT count(*) AS n FROM temp.pulled_comps')?.n ?? 0;
  return { comps, comps_changed: changes };
}
