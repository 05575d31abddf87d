/** Reads the files of an import into its staging tables: features, with the rows of the assessor table that join them. */
import path from 'node:path';
import type { GeoJsonGeometryResult } from '../geo/geojson-geometry.ts';
import { geometryHash } from '../geo/geometry-hash.ts';
import { findSelfCrossing } from '../geo/ring-crossings.ts';
import { readFeatureGeometry } from '../geo/ring-geometry.ts';
import { importColumns } from '../spec/parcel-columns.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { type StoredValue, textOf } from './convert-value.ts';
import { deriveValues } from './derive-values.ts';
import { PlaceCount } from './expect-place.ts';
import { type GivenFeature, type ImportOptions, type ImportPlan, progressOf } from './import-options.ts';
import {
  countInvalidGeometry,
  countRefused,
  countRowWithoutKey,
  countValueProblem,
  listedKeys,
  type ReadingCounts,
} from './import-report.ts';
import type { MappingRow } from './mapping-expression.ts';
import type { FeaturePosition } from './parcel-feature.ts';
import { readParcelFile } from './parcel-reader.ts';
import { bindTableColumns, positionOf, type RowMapper } from './row-mapper.ts';
import { StagingWriter } from './staged-parcels.ts';
import type { TableFile } from './table-file.ts';

const progressRows = 1000;

/** Writes nothing but temporary tables; adds up `counts`. Answers where the parcels lie. */
export function stageFiles(
  land: LandStore,
  plan: ImportPlan,
  options: ImportOptions,
  counts: ReadingCounts,
): PlaceCount {
  const { file } = land;
  if (plan.table) stageTable(file, plan, plan.table, options, counts);
  const stager = new FeatureStager(file, plan, counts);
  const progress = progressOf(options, 'reading parcels');
  for (const { name, feature } of featuresOf(options)) {
    stager.add(name, feature);
    if (counts.features_read % progressRows === 0) progress(counts.features_read);
  }
  progress(counts.features_read);
  stager.finish();
  if (plan.table) countUnmatchedRows(file, counts);
  return stager.places;
}

const unmatchedRows = `temp.staged_joins
  WHERE key NOT IN (SELECT join_key FROM temp.staged_parcels WHERE join_key IS NOT NULL)`;

function countUnmatchedRows(file: SqliteFile, { table_rows_unmatched: unmatched }: ReadingCounts): void {
  const { n } = file.get<{ n: number }>(`SELECT count(*) AS n FROM ${unmatchedRows}`) ?? { n: 0 };
  unmatched.count += n;
  const first = file.all<{ key: string }>(`SELECT key FROM ${unmatchedRows} ORDER BY key LIMIT ?`, listedKeys);
  unmatched.first.push(...first.map(({ key }) => key).slice(0, listedKeys - unmatched.first.length));
}

function stageTable(
  file: SqliteFile,
  { mapper }: ImportPlan,
  table: TableFile,
  options: ImportOptions,
  counts: ReadingCounts,
): void {
  const columns = bindTableColumns(options.mapping?.name ?? '', mapper.tableColumns, table.columns);
  const progress = progressOf(options, 'reading table');
  const insert = file.statement('INSERT OR IGNORE INTO temp.staged_joins (key, "values") VALUES (?, ?)');
  const row: MappingRow = { properties: {}, id: undefined, table: null };
  const onDeleted = () => {
    counts.table_rows_deleted++;
  };
  for (const { values, row: number } of table.rows(columns, onDeleted)) {
    counts.table_rows++;
    row.table = values;
    const key = mapper.tableKey(row);
    if (key === null) countRowWithoutKey(counts, number);
    else if (insert.run(key, JSON.stringify(values)).changes === 0) counts.table_keys_repeated++;
    if (counts.table_rows % progressRows === 0) progress(counts.table_rows);
  }
  progress(counts.table_rows);
  counts.table_encoding = table.encoding?.() ?? null;
}

type UsableGeometry = Extract<GeoJsonGeometryResult, { ok: true }>;

interface PlacedFeature extends GivenFeature {
  readonly position: FeaturePosition;
  /** Why it cannot be a parcel, whatever its geometry. */
  readonly problem?: string;
}

function* featuresOf({
  files = [],
  features = [],
  reading,
}: ImportOptions): Generator<{ name: string; feature: PlacedFeature }> {
  for (const filePath of files) {
    const name = path.basename(filePath);
    for (const feature of readParcelFile(filePath, reading)) yield { name, feature };
  }
  let row = 0;
  for (const feature of features) {
    row++;
    yield { name: '', feature: { ...feature, position: { row, byteOffset: 0 } } };
  }
}

const apnPosition = positionOf('apn');
const zipPosition = positionOf('situs_zip');

/** Converts, derives and writes one feature after the other; objects are made once for all. */
class FeatureStager {
  readonly places = new PlaceCount();
  readonly #file: SqliteFile;
  readonly #plan: ImportPlan;
  readonly #situsZips = new Set<StoredValue>();
  readonly #mapper: RowMapper;
  readonly #counts: ReadingCounts;
  readonly #writer: StagingWriter;
  readonly #findJoined: (key: string) => string | null;
  readonly #rememberRefused: (identity: string | null, hash: number | null) => void;
  readonly #row: MappingRow = { properties: {}, id: undefined, table: null };
  readonly #values: StoredValue[] = importColumns.map(() => null);
  readonly #at = { file: '', row: 0 };
  readonly #onProblem = (column: string, value: unknown, reason: string): void =>
    countValueProblem(this.#counts, this.#at, column, value, reason);

  constructor(file: SqliteFile, plan: ImportPlan, counts: ReadingCounts) {
    this.#file = file;
    this.#plan = plan;
    this.#mapper = plan.mapper;
    this.#counts = counts;
    this.#writer = new StagingWriter(file);
    const find = file.statement('SELECT "values" FROM temp.staged_joins WHERE key = ?');
    this.#findJoined = (key) => (find.get(key) as { values: string } | undefined)?.values ?? null;
    const remember = file.statement('INSERT INTO temp.staged_refusals (identity, geometry_hash) VALUES (?, ?)');
    this.#rememberRefused = (identity, hash) => remember.run(identity, hash);
  }

  /** The county's ZIPs so far: a few dozen. */
  finish(): void {
    for (const zip of this.#situsZips) this.#file.run('INSERT INTO temp.staged_zips (zip) VALUES (?)', zip);
  }

  add(name: string, feature: PlacedFeature): void {
    const values = this.#values;
    this.#counts.features_read++;
    this.#at.file = name;
    this.#at.row = feature.position.row;
    const joinKey = this.#join(feature);
    values.fill(null);
    this.#mapper.convert(this.#row, values, this.#onProblem);
    const identity = this.#mapper.identity(this.#row) ?? foldSpaces(textOf(values[apnPosition]) ?? '');
    const geometry = readFeatureGeometry(feature.geometry);
    const problem = feature.problem ?? (geometry.ok ? null : geometry.problem);
    if (problem !== null) this.#refuse(name, feature, geometry, identity, problem);
    else if (geometry.ok) this.#stage(identity, joinKey, geometry);
  }

  #stage(identity: string, joinKey: string | null, geometry: UsableGeometry): void {
    const values = this.#values;
    const { polygons, point, repairs } = geometry;
    if (joinKey !== null) this.#counts.joined++;
    if (polygons === null) this.#counts.without_geometry++;
    if (repairs.length > 0) this.#counts.repaired_geometries++;
    if (identity === '') this.#counts.blank_apns++;
    const crossing = polygons ? findSelfCrossing(polygons) : null;
    if (crossing !== null) countInvalidGeometry(this.#counts, this.#at, textOf(values[apnPosition]), crossing);
    const zip = values[zipPosition] ?? null;
    if (zip !== null) this.#situsZips.add(zip);
    const keys = deriveValues(values, polygons, this.#plan);
    const place = this.#writer.write({ identity, joinKey, values, keys, polygons, point });
    if (place) this.places.add(...place);
  }

  /** Where the properties cannot be read, the shape says whose the feature is; else the APN does. */
  #refuse(
    name: string,
    feature: PlacedFeature,
    geometry: GeoJsonGeometryResult,
    identity: string,
    problem: string,
  ): void {
    countRefused(this.#counts, name, feature.position, problem);
    const hash = geometry.ok && geometry.polygons ? geometryHash(geometry.polygons) : null;
    this.#rememberRefused(feature.problem === undefined ? identity : null, hash);
  }

  /** Puts the feature and the row that joins it in place; answers the key when there is such a row. */
  #join({ properties, id }: PlacedFeature): string | null {
    const row = this.#row;
    row.properties = properties;
    row.id = id;
    row.table = null;
    const key = this.#plan.table ? this.#mapper.parcelKey(row) : null;
    const joined = key === null ? null : this.#findJoined(key);
    if (joined === null) return null;
    row.table = JSON.parse(joined) as (string | null)[];
    return key;
  }
}
