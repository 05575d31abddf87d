/** One county out of PostgreSQL into a home, in one snapshot of the server, with the server's ids. */
import { valuationParameters } from '../comps/valuation-parameters.ts';
import {
  type CountyPull,
  dropPulledTables,
  mergePulled,
  openPulledTables,
  type PulledTable,
} from '../importing/merge/merge-pulled.ts';
import { EngineError } from '../spec/errors.ts';
import { type DatasetRow, datasetFacts } from '../store/dataset-row.ts';
import type { HomeKind } from '../store/home-kind.ts';
import type { LandStore } from '../store/land-store.ts';
import type { ServerConnection } from './connect.ts';
import { blobOfEwkb } from './ewkb.ts';
import { expectSchema } from './migrate.ts';
import {
  compServerColumns,
  parcelValueColumns,
  rawColumns,
  registryColumns,
  type ServerColumn,
  type ServerType,
} from './server-columns.ts';

interface PullOptions {
  readonly fips: string;
  /** Takes the county of the server over a newer one of the home. */
  readonly replace?: boolean;
  readonly now: () => Date;
  readonly onRows?: (table: string, rows: number) => void;
}

const kilometersPerDegree = 110;
/** Degrees of latitude around the county's parcels whose comps come along: as far as a comp value looks. */
const reachDegrees = Math.max(...valuationParameters.ringsKilometers) / kilometersPerDegree;

const rowsPerFetch = 5000;

/** As land.sqlite stores a value. */
function storedValue(type: ServerType, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'boolean') return value === true ? 1 : 0;
  if (type === 'doubles') return JSON.stringify(value);
  return type === 'geometry' ? blobOfEwkb(value as Buffer) : value;
}

/** @throws EngineError not_found, import_refused, sample_and_real, postgis_…; nothing was changed then */
export async function pullCounty(server: ServerConnection, land: LandStore, options: PullOptions): Promise<CountyPull> {
  const { fips, replace = false, now } = options;
  await expectSchema(server);
  openPulledTables(land.file);
  try {
    const found = await server.transaction(
      () => readCounty(server, land, options),
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    );
    return mergePulled(land, { fips, replace, now, ...found });
  } finally {
    dropPulledTables(land.file);
  }
}

async function readCounty(
  server: ServerConnection,
  land: LandStore,
  { fips, onRows }: PullOptions,
): Promise<{ kind: HomeKind; datasets: readonly DatasetRow[] }> {
  const datasets = await server.rows<DatasetRow & Record<string, unknown>>(
    `SELECT dataset_id, jurisdiction, ${datasetFacts.join(', ')} FROM datasets
     WHERE fips = $1 ORDER BY dataset_id`,
    [fips],
  );
  if (datasets.length === 0) {
    const standing = await server.rows<{ fips: string }>('SELECT fips FROM pushed_counties ORDER BY fips LIMIT 20');
    throw new EngineError(
      'not_found',
      `The server has no county ${fips}; it has ${standing.map((row) => row.fips).join(', ') || 'none'}.`,
    );
  }
  for (const { mapping, report } of datasets)
    for (const text of [mapping, report]) readable('datasets', () => JSON.parse(text || '{}') as unknown);
  const [kind] = await server.rows<{ kind: HomeKind }>('SELECT kind FROM land_kind');
  const read = (
    table: PulledTable,
    columns: readonly ServerColumn[],
    where = 'fips = $1',
    values: unknown[] = [fips],
  ) => readTable(server, land, { table, columns, where, values, onRows: (rows) => onRows?.(table, rows) });
  await read('parcels', parcelValueColumns);
  await read('raw_columns', rawColumns);
  const [around, values] = await compsAround(server, fips);
  await read('comps', compServerColumns, around, values);
  await read(
    'parcel_registry',
    registryColumns,
    `fips = $1 OR (fips, property_id) IN
      (SELECT county_of(property_id), property_id FROM comps WHERE property_id IS NOT NULL AND (${around}))`,
    values,
  );
  return { kind: kind?.kind ?? 'real', datasets };
}

/** The county's own comps, and those within the reach of its comp values. */
async function compsAround(server: ServerConnection, fips: string): Promise<[where: string, values: unknown[]]> {
  const [box] = await server.rows<{ west: number | null; south: number; east: number; north: number }>(
    `SELECT min(point_lon) AS west, min(point_lat) AS south, max(point_lon) AS east, max(point_lat) AS north
     FROM parcels WHERE fips = $1 AND status = 'current'`,
    [fips],
  );
  if (!box || box.west === null) return ['fips = $1', [fips]];
  const { west, south, east, north } = box;
  const wide = reachDegrees / Math.max(0.1, Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180));
  return [
    'fips = $1 OR point(longitude, latitude) <@ box(point($2, $3), point($4, $5))',
    [fips, west - wide, south - reachDegrees, east + wide, north + reachDegrees],
  ];
}

/** A server is a stranger's until proven: a value of another kind is refused by name. */
function readable<Value>(table: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new EngineError(
      'import_refused',
      `A row of ${table} on the server cannot be read: ${(error as Error).message} Nothing was changed.`,
      { cause: error },
    );
  }
}

interface TableRead {
  readonly table: PulledTable;
  readonly columns: readonly ServerColumn[];
  readonly where: string;
  readonly values: readonly unknown[];
  readonly onRows: (rows: number) => void;
}

async function readTable(
  server: ServerConnection,
  { file }: LandStore,
  { table, columns, where, values, onRows }: TableRead,
): Promise<void> {
  const own = new Set(file.column<string>('SELECT name FROM pragma_table_info(?)', `pulled_${table}`));
  // `raw_columns` of a home has no county.
  const kept = columns.filter(({ name }) => own.has(name));
  const selected = kept.map(({ name, type }) => (type === 'geometry' ? `ST_AsEWKB("${name}", 'NDR')` : `"${name}"`));
  await server.rows(
    `DECLARE pulled NO SCROLL CURSOR FOR SELECT ${selected.join(', ')} FROM ${table} WHERE ${where}`,
    values,
  );
  const insert = `INSERT INTO temp.pulled_${table} (${kept.map(({ name }) => `"${name}"`).join(', ')}) VALUES (${kept.map(() => '?').join(', ')})`;
  let count = 0;
  for (;;) {
    const { rows } = await server.guard(() =>
      server.client.query<unknown[]>({ text: `FETCH ${rowsPerFetch} FROM pulled`, rowMode: 'array' }),
    );
    if (rows.length === 0) break;
    for (const row of rows)
      file.run(insert, ...readable(table, () => row.map((value, at) => storedValue(kept[at]?.type ?? 'text', value))));
    count += rows.length;
    onRows(count);
  }
  await server.run('CLOSE pulled');
}
