/** Reads an import's files into its staging tables: features, with the assessor table's rows that join them. */
import path from 'node:path';
import { importColumns } from '../../spec/parcel-columns.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { expectWhole, readParcelFile } from '../formats/parcel-reader.ts';
import type { ParcelLayer } from '../formats/parcel-source.ts';
import type { TableFile } from '../formats/table-file.ts';
import type { MappingRow } from '../mapping/mapping-expression.ts';
import { bindTableColumns } from '../mapping/row-mapper.ts';
import type { StoredValue } from '../values/convert-value.ts';
import type { PlaceCount } from './expect-place.ts';
import { type ImportOptions, type ImportPlan, progressOf } from './import-options.ts';
import { addCounts, countRowWithoutKey, listedKeys, newReadingLog, type ReadingLog } from './import-report.ts';
import { rawMembers } from './raw-columns.ts';
import { RowTotal } from './row-total.ts';
import { FeatureStager, type FindJoined, type JoinedRow, type PlacedFeature } from './stage-features.ts';
import { type StagedLeaves, type StagingFile, StagingWriter } from './staged-parcels.ts';
import { stageInThreads } from './staging-threads.ts';

export const progressRows = 1000;

/** Fills the staging file and temporary tables; adds to `counts`. Returns where the parcels lie. */
export function stageFiles(
  { file }: LandStore,
  staging: StagingFile,
  plan: ImportPlan,
  options: ImportOptions,
  counts: ReadingLog,
): PlaceCount {
  if (plan.table) stageTable(file, plan, plan.table, options, counts);
  const staged = stageParcels(file, staging, plan, options, counts);
  counts.coverage = coverageOf(staged.known);
  staging.addCounty(staged.leaves);
  staging.addZips(staged.zips);
  staging.finish();
  if (plan.table) countUnmatchedRows(file, counts);
  return staged.places;
}

interface StagedParcels {
  readonly leaves: StagedLeaves;
  readonly zips: Iterable<StoredValue>;
  readonly places: PlaceCount;
  readonly known: readonly number[];
}

function stageParcels(
  file: SqliteFile,
  staging: StagingFile,
  plan: ImportPlan,
  options: ImportOptions,
  counts: ReadingLog,
): StagedParcels {
  let told = 0;
  const inThreads = stageInThreads(staging, plan, options, (problem) => {
    told++;
    counts.tell(problem);
  });
  if (inThreads) {
    addCounts(counts, inThreads.counts);
    return inThreads;
  }
  // Problems reported by threads before they gave up are not repeated: they came in row order.
  const log = newReadingLog((problem) => {
    if (told > 0) told--;
    else counts.tell(problem);
  });
  const stager = new FeatureStager(plan, log, new StagingWriter(staging.space), joinFinder(file, plan));
  const total = new RowTotal(options);
  const progress = progressOf(options, 'reading parcels', () => total.rows);
  for (const { name, feature } of featuresOf(options, total)) {
    stager.add(name, feature);
    if (log.features_read % progressRows === 0) progress(log.features_read);
  }
  progress(log.features_read);
  log.without_area = total.leftOut;
  addCounts(counts, log);
  return { ...stager.finish(), zips: stager.situsZips, places: stager.places };
}

/** @param known for each of `importColumns` */
export const coverageOf = (known: readonly number[]): Record<string, number> =>
  Object.fromEntries(importColumns.map(({ name }, position) => [name, known[position] ?? 0]));

const unmatchedRows = `temp.staged_joins
  WHERE key NOT IN (SELECT join_key FROM staging.staged_parcels WHERE join_key IS NOT NULL)`;

export function countUnmatchedRows(file: SqliteFile, { table_rows_unmatched: unmatched }: ReadingLog): void {
  const { n } = file.get<{ n: number }>(`SELECT count(*) AS n FROM ${unmatchedRows}`) ?? { n: 0 };
  unmatched.count += n;
  const first = file.all<{ key: string }>(`SELECT key FROM ${unmatchedRows} ORDER BY key LIMIT ?`, listedKeys);
  unmatched.first.push(...first.map(({ key }) => key).slice(0, listedKeys - unmatched.first.length));
}

export function stageTable(
  file: SqliteFile,
  { mapper }: ImportPlan,
  table: TableFile,
  options: ImportOptions,
  counts: ReadingLog,
): void {
  const columns = bindTableColumns(options.mapping?.name ?? '', mapper.tableColumns, table.columns);
  // Unused columns follow, for the raw columns.
  const others = table.columns.map((_, position) => position).filter((position) => !columns.includes(position));
  const otherNames = others.map((position) => table.columns[position] ?? '');
  const isRead = () => false;
  const progress = progressOf(options, 'reading table');
  const insert = file.statement('INSERT OR IGNORE INTO temp.staged_joins (key, "values", raw) VALUES (?, ?, ?)');
  const row: MappingRow = { properties: {}, id: undefined, table: null };
  const onDeleted = () => {
    counts.table_rows_deleted++;
  };
  for (const { values: all, row: number } of table.rows([...columns, ...others], onDeleted)) {
    counts.table_rows++;
    const values = all.slice(0, columns.length);
    row.table = values;
    const key = mapper.tableKey(row);
    if (key === null) countRowWithoutKey(counts, number);
    else {
      const raw = rawMembers(otherNames, all.slice(columns.length), isRead, 'table.');
      if (insert.run(key, JSON.stringify(values), raw).changes === 0) counts.table_keys_repeated++;
    }
    if (counts.table_rows % progressRows === 0) progress(counts.table_rows);
  }
  progress(counts.table_rows);
  counts.table_encoding = table.encoding?.() ?? null;
}

export function* featuresOf(
  { files = [], features = [], reading }: ImportOptions,
  total: RowTotal,
): Generator<{ name: string; feature: PlacedFeature }> {
  const layers: ParcelLayer[] = [];
  for (const [index, filePath] of files.entries()) {
    const name = path.basename(filePath);
    for (const feature of readParcelFile(filePath, reading, (layer) => {
      layers.push(layer);
      total.begin(index, layer.rowCount, layer.leftOut?.count);
    })) {
      total.take(feature.position);
      yield { name, feature };
    }
  }
  expectWhole(files, layers);
  let row = 0;
  for (const feature of features) {
    row++;
    yield { name: '', feature: { ...feature, position: { row, byteOffset: 0 } } };
  }
}

export function joinFinder(file: SqliteFile, { table }: ImportPlan): FindJoined | null {
  if (!table) return null;
  const find = file.statement('SELECT "values", raw FROM temp.staged_joins WHERE key = ?');
  return (key) => find.get(key) as JoinedRow | undefined;
}
