/** Reads an import's files into its staging tables: features, with the assessor table's rows that join them. */
import path from 'node:path';
import { defined } from '../../spec/defined.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { SqliteFile } from '../../store/sqlite.ts';
import { expectWhole, readParcelFile } from '../formats/parcel-reader.ts';
import type { ParcelLayer } from '../formats/parcel-source.ts';
import type { StoredValue } from '../values/convert-value.ts';
import type { PlaceCount } from './expect-place.ts';
import { type ImportOptions, type ImportPlan, progressOf } from './import-options.ts';
import type { ReadingLog } from './import-report.ts';
import { JoinedTables } from './joined-tables.ts';
import { RowTotal } from './row-total.ts';
import { FeatureStager, type FilledColumns, type PlacedFeature } from './stage-features.ts';
import { type StagedLeaves, type StagingFile, StagingWriter } from './staged-parcels.ts';

export const progressRows = 1000;

/** Fills the staging file and temporary tables; adds to `counts`. Returns where the parcels lie. */
export function stageFiles(
  { file }: LandStore,
  staging: StagingFile,
  plan: ImportPlan,
  options: ImportOptions,
  counts: ReadingLog,
): PlaceCount {
  const joined = joinedTables(file, plan, options, counts);
  const staged = stageParcels(staging, plan, options, counts, joined);
  Object.assign(counts, staged.filled);
  staging.addCounty(staged.leaves);
  staging.addZips(staged.zips);
  staging.finish();
  joined?.finish(counts);
  return staged.places;
}

interface StagedParcels {
  readonly leaves: StagedLeaves;
  readonly zips: Iterable<StoredValue>;
  readonly places: PlaceCount;
  readonly filled: FilledColumns;
}

function stageParcels(
  staging: StagingFile,
  plan: ImportPlan,
  options: ImportOptions,
  counts: ReadingLog,
  joined: JoinedTables | null,
): StagedParcels {
  const stager = new FeatureStager(plan, counts, new StagingWriter(staging.space), joined);
  const total = new RowTotal(options);
  const progress = progressOf(options, 'reading parcels', () => total.rows);
  for (const { name, feature } of featuresOf(options, total)) {
    stager.add(name, feature);
    if (counts.features_read % progressRows === 0) progress(counts.features_read);
  }
  if (joined !== null && plan.accounts !== 'left-out')
    for (const account of joined.accounts()) stager.addAccount(account);
  progress(counts.features_read);
  counts.without_area = total.leftOut;
  counts.other_rows = total.otherRows;
  counts.rows_left = total.leftByCondition;
  return { ...stager.finish(), zips: stager.situsZips, places: stager.places };
}

export function* featuresOf(
  { files = [], features = [], reading: given, fips, mapping }: ImportOptions,
  total: RowTotal,
): Generator<{ name: string; feature: PlacedFeature }> {
  const layers: ParcelLayer[] = [];
  for (const [index, filePath] of files.entries()) {
    const name = path.basename(filePath);
    const reading = { ...given, ...defined({ where: given?.where ?? mapping?.where }) };
    // A statewide import names none.
    const options = fips === '' ? reading : { ...reading, county: normalFips(fips) };
    let layer: ParcelLayer | undefined;
    for (const feature of readParcelFile(filePath, options, (opened) => {
      layer = opened;
      layers.push(opened);
      total.begin(index, opened.rowCount, opened.leftOut?.count);
    })) {
      total.take(feature.position);
      yield { name, feature };
    }
    total.passOver(layer);
  }
  expectWhole(files, layers);
  let row = 0;
  for (const feature of features) {
    row++;
    yield { name: '', feature: { ...feature, position: { row, byteOffset: 0 } } };
  }
}

/** The tables that the mapping joins, read; null without one. */
export function joinedTables(
  file: SqliteFile,
  plan: Pick<ImportPlan, 'mapper' | 'tables'>,
  options: ImportOptions,
  log: ReadingLog,
): JoinedTables | null {
  if (plan.tables.length === 0) return null;
  return new JoinedTables(file, plan, options, log, function* () {
    for (const { feature } of featuresOf(options, new RowTotal(options))) {
      yield { properties: feature.properties, id: feature.id, table: null };
    }
  });
}
