/**
 * The app's free reads by SQL. They stand in while a county's column index is missing or stale, and the tests compare
 * the index with them (docs/adr/0004-column-index.md). Slow: each scans the place. All throw EngineError
 * validation_error when that takes too long.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Bounds } from '../../geo/geometry.ts';
import { filterKinds } from '../../spec/filter-kinds.ts';
import { filtersByName } from '../../spec/filters.ts';
import { apnKey } from '../../spec/text-fold.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { CountyFacts } from '../county-facts.ts';
import { currentTerm } from '../filter-terms.ts';
import { landQueries } from '../land-schema.ts';
import {
  type CountedFilters,
  type CountedValues,
  type KnownValues,
  type LabelledValue,
  quotient,
  type SortedValues,
  usualLabels,
} from '../live-by-columns.ts';
import type { NumberColumns, TextCounts } from '../live-legend.ts';
import type { LiveRequest } from '../live-request.ts';
import type { LiveBounds, LivePoints, LongitudeLatitudeBox } from '../live-rows.ts';
import type { FindIds } from '../live-suggest.ts';
import type { Ordering } from '../parcel-query.ts';
import { expressionOf } from '../row-columns.ts';
import { columnSql, hasEveryToken } from '../sqlite-dialect.ts';
import { every, type LiveCondition, type LiveFilterTerm, liveCondition, scan, termsOf } from './condition.ts';

type Sql = RawBuilder<unknown>;

/** All rows of a SELECT over the place. */
const rowsOf = <Row>(land: LandStore, condition: LiveCondition, select: Sql): Row[] => {
  const { sql: text, parameters } = select.compile(landQueries);
  return scan(land, condition, () => land.file.all<Row>(text, ...parameters));
};

const firstColumn = <Value>(land: LandStore, condition: LiveCondition, select: Sql): Value[] => {
  const { sql: text, parameters } = select.compile(landQueries);
  return scan(land, condition, () => land.file.column<Value>(text, ...parameters));
};

/** A missing APN can match no filter by APN. */
const hasUnknown = (name: string): boolean => {
  const row = filtersByName.get(name);
  return row !== undefined && filterKinds[row.kind].unknown !== 'none';
};

/** 1 where the filter stops a parcel. */
function stops({ mode }: LiveFilterTerm, column: Sql): Sql {
  if (mode === 'only') return sql`(${column} IS NOT NULL)`;
  return mode === 'keep' ? sql`(${column} IS FALSE)` : sql`(${column} IS NOT TRUE)`;
}

export function countBySql(land: LandStore, request: LiveRequest): CountedFilters {
  const condition = liveCondition(land, request);
  const { filters } = condition;
  const outcomes = filters.map((filter, i) => ({ filter, column: sql.ref(`t${i}`) }));
  const stopped = outcomes.map(({ filter, column }) => stops(filter, column));
  const stopCount = stopped.length === 0 ? sql`0` : sql.join(stopped, sql` + `);
  const counted = (test: Sql, name: string) => sql`count(*) FILTER (WHERE ${test}) AS ${sql.ref(name)}`;
  const columns = [
    counted(sql`stops = 0`, 'matches'),
    counted(sql`stops = 0 AND bare`, 'without_shape'),
    ...outcomes.flatMap(({ column }, i) => [
      counted(sql`stops = 1 AND ${stopped[i]}`, `removes${i}`),
      counted(sql`stops - ${stopped[i]} = 0 AND ${column} IS NULL`, `unknown${i}`),
    ]),
  ];
  const tests = filters.map(({ test }, i) => sql`${test} AS ${sql.ref(`t${i}`)}`);
  // A LIMIT keeps SQLite from flattening a level, which would run every test once for each reference to it.
  const tested = sql`SELECT ${sql.join([sql`geom IS NULL AS bare`, ...tests])} FROM parcels WHERE ${every(condition.scope)} LIMIT -1`;
  const summed = sql`SELECT *, ${stopCount} AS stops FROM (${tested}) LIMIT -1`;
  const [row] = rowsOf<Record<string, number>>(land, condition, sql`SELECT ${sql.join(columns)} FROM (${summed})`);
  const effects = filters.map(({ name }, i) => ({
    name,
    removes: row?.[`removes${i}`] ?? 0,
    unknown: hasUnknown(name) ? (row?.[`unknown${i}`] ?? 0) : 0,
  }));
  return { count: row?.matches ?? 0, without_shape: row?.without_shape ?? 0, filters: effects, absent: [] };
}

export function valuesBySql(
  land: LandStore,
  request: LiveRequest,
  column: string,
  labelColumn?: string,
): CountedValues {
  const condition = liveCondition(land, request);
  const label = labelColumn ? columnSql(labelColumn) : sql`NULL`;
  return countedValues(
    rowsOf<ValueRow>(
      land,
      condition,
      sql`SELECT ${columnSql(column)} AS value, ${label} AS label, count(*) AS count FROM parcels
        WHERE ${every(termsOf(condition))} GROUP BY 1, 2`,
    ),
  );
}

export interface ValueRow {
  readonly value: string | null;
  readonly label: string | null;
  readonly count: number;
}

export function countedValues(rows: readonly ValueRow[]): CountedValues {
  const known = rows.flatMap(({ value, label: of, count }): LabelledValue[] =>
    value === null ? [] : [[value, of, count]],
  );
  const counts = new Map<string, number>();
  for (const [value, , count] of known) counts.set(value, (counts.get(value) ?? 0) + count);
  const unknown = rows.reduce((sum, { value, count }) => (value === null ? sum + count : sum), 0);
  return { counts, labels: usualLabels(known), unknown };
}

/** @param request its place alone */
export function coverageBySql(land: LandStore, request: LiveRequest, columns: readonly string[]): KnownValues {
  const condition = liveCondition(land, request);
  const counts = columns.map((column) => sql`count(${columnSql(column)}) AS ${sql.ref(column)}`);
  const [row] = rowsOf<Record<string, number>>(
    land,
    condition,
    sql`SELECT count(*) AS parcels, ${sql.join(counts)} FROM parcels WHERE ${every(condition.scope)}`,
  );
  return { parcels: row?.parcels ?? 0, known: new Map(columns.map((column) => [column, row?.[column] ?? 0])) };
}

/** Reads all parcels once, without a time limit. Their box is around their points. */
export function countyFactsBySql(land: LandStore, fips: string, columns: readonly string[]): CountyFacts {
  const counts = columns.map((column) => sql`, count(${sql.ref(column)}) AS ${sql.ref(column)}`);
  const query = sql`SELECT count(*) AS parcels, min(point_lon) AS west, min(point_lat) AS south, max(point_lon) AS east,
    max(point_lat) AS north ${sql.join(counts, sql``)} FROM parcels WHERE fips = ${fips} AND status = 'current'`.compile(
    landQueries,
  );
  const row = land.file.get<Record<string, number | null>>(query.sql, ...query.parameters) ?? {};
  const { parcels, west, south, east, north } = row;
  return {
    parcels: parcels ?? 0,
    box: typeof west === 'number' ? [west, south as number, east as number, north as number] : null,
    known: new Map(columns.map((column) => [column, row[column] ?? 0])),
  };
}

/** The values of a number column, for a histogram. */
export function sortedBySql(land: LandStore, request: LiveRequest, column: string): SortedValues {
  const condition = liveCondition(land, request);
  const select = sql`SELECT ${columnSql(column)} FROM parcels WHERE ${every(termsOf(condition))}`;
  const all = firstColumn<number | null>(land, condition, select);
  const known = all.filter((value) => value !== null).toSorted((a, b) => a - b);
  return sortedList(known, all.length - known.length);
}

export const sortedList = (sorted: readonly number[], unknown = 0): SortedValues => ({
  known: sorted.length,
  unknown,
  at: (rank) => sorted[rank] ?? 0,
  leastPositive: () => sorted.find((value) => value > 0) ?? null,
  count: (edges) => countInto(edges, sorted),
});

/** Every value falls into one bar: from its lower edge up to, but excluding, the next. */
function countInto(edges: readonly number[], values: readonly number[]): number[] {
  const counts = new Array<number>(Math.max(0, edges.length - 1)).fill(0);
  if (counts.length === 0) return counts;
  for (const value of values) {
    const bar = Math.min(
      counts.length - 1,
      Math.max(
        0,
        edges.findLastIndex((edge) => edge <= value),
      ),
    );
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return counts;
}

export function textsBySql(land: LandStore, request: LiveRequest, name: string): TextCounts {
  const condition = liveCondition(land, request);
  const rows = rowsOf<{ value: string | null; count: number }>(
    land,
    condition,
    sql`SELECT ${columnSql(name)} AS value, count(*) AS count FROM parcels
      WHERE ${every(termsOf(condition))} AND geom IS NOT NULL GROUP BY 1`,
  );
  return new Map(rows.map(({ value, count }) => [value, count]));
}

/** NaN where unknown. */
export function numbersBySql(land: LandStore, request: LiveRequest, { values, by }: NumberColumns): Float64Array {
  const condition = liveCondition(land, request);
  const value = sql`coalesce(${sql.join([...values.map(columnSql), sql`NULL`])})`;
  const rows = rowsOf<{ value: number | null; by: number | null }>(
    land,
    condition,
    sql`SELECT ${value} AS value, ${by === undefined ? sql`1` : columnSql(by)} AS by FROM parcels
      WHERE ${every(termsOf(condition))} AND geom IS NOT NULL`,
  );
  return Float64Array.from(rows, ({ value: one, by: divisor }) => {
    if (one === null) return Number.NaN;
    return by === undefined ? one : quotient(one, divisor ?? 0);
  });
}

/** Around the parcels' points: close enough to show all of them. */
export function boundsBySql(land: LandStore, request: LiveRequest, [w, s, e, n]: LongitudeLatitudeBox): LiveBounds {
  const condition = liveCondition(land, request);
  const [row] = rowsOf<
    Record<'west' | 'south' | 'east' | 'north', number | null> & Record<'placed' | 'inside', number>
  >(
    land,
    condition,
    sql`SELECT min(point_lon) AS west, min(point_lat) AS south, max(point_lon) AS east, max(point_lat) AS north,
      count(point_lon) AS placed,
      count(*) FILTER (WHERE point_lon BETWEEN ${w} AND ${e} AND point_lat BETWEEN ${s} AND ${n}) AS inside
    FROM parcels WHERE ${every(termsOf(condition))}`,
  );
  if (!row || row.west === null) return { bounds: null, share: 0 };
  const { west, south, east, north, placed, inside } = row;
  return { bounds: [west, south as number, east as number, north as number], share: inside / placed };
}

/** The parcels' points: inside them, within their size of the middle. */
export function pointsBySql(land: LandStore, request: LiveRequest, most: number): LivePoints {
  const condition = liveCondition(land, request);
  const rows = rowsOf<{ longitude: number | null; latitude: number | null }>(
    land,
    condition,
    sql`SELECT point_lon AS longitude, point_lat AS latitude FROM parcels
    WHERE ${every(termsOf(condition))} LIMIT ${most + 1}`,
  );
  if (rows.length > most) return { points: null };
  return {
    points: rows.flatMap(({ longitude, latitude }) =>
      longitude === null || latitude === null ? [] : [[longitude, latitude] as const],
    ),
  };
}

export function idsInBoxBySql(land: LandStore, request: LiveRequest, { minX, maxX, minY, maxY }: Bounds): number[] {
  const condition = liveCondition(land, request);
  const near = sql`property_id IN (SELECT pkid FROM idx_parcels_geom
    WHERE xmin <= ${maxX} AND xmax >= ${minX} AND ymin <= ${maxY} AND ymax >= ${minY})`;
  const terms = every([near, ...termsOf(condition)]);
  return firstColumn(land, condition, sql`SELECT property_id FROM parcels WHERE ${terms} ORDER BY property_id`);
}

export function orderedIdsBySql(land: LandStore, request: LiveRequest, ordering: Ordering | null): Float64Array {
  const condition = liveCondition(land, request);
  const direction = ordering?.descending ? sql`DESC` : sql`ASC`;
  const order = ordering
    ? sql`${expressionOf(ordering.column)} ${direction} NULLS LAST, property_id`
    : sql`property_id`;
  const select = sql`SELECT property_id FROM parcels WHERE ${every(termsOf(condition))} ORDER BY ${order}`;
  return Float64Array.from(firstColumn<number>(land, condition, select));
}

const likePart = (column: string, text: string): Sql =>
  sql`${sql.ref(column)} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`;

/** For the search box's suggestions. */
export const idsByTextBySql: FindIds = (land, column, { text, fips, limit }) => {
  const key = apnKey(text);
  const [test, order] =
    column === 'apn_key'
      ? [likePart(column, key), sql`apn_key <> ${key}, instr(apn_key, ${key}) <> 1, length(apn_key)`]
      : [hasEveryToken(column, text), sql.ref(column)];
  const terms = [
    ...(fips === null ? [] : [sql`fips = ${fips}`]),
    currentTerm,
    sql`((property_id & 255) <> 0 OR tick())`,
    test,
  ];
  const query = sql`SELECT property_id FROM parcels
    WHERE ${sql.join(terms, sql` AND `)} ORDER BY ${order}, property_id LIMIT ${limit}`.compile(landQueries);
  return land.file.column<number>(query.sql, ...query.parameters);
};
