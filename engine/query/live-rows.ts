/**
 * What a live request finds: its count, box, points and ids, and rows for the table in any order. Caches the ordered ids
 * of the last few results, so that scrolling does not scan again.
 */
import { sql } from 'kysely';
import { boundsOfMatches, countInBox, middlesOfMatches } from '../columns/bounds-of-rows.ts';
import { rowsOf as rowsOfCounty } from '../columns/county-rows.ts';
import type { CountyMatches } from '../columns/pages.ts';
import { type Bounds, unionOfBounds } from '../geo/geometry.ts';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import type { LandStore } from '../store/land-store.ts';
import { landQueries } from './land-schema.ts';
import {
  byColumns,
  type CountedFilters,
  countByColumns,
  orderedIds,
  withLiveCounties,
  withLiveMatches,
} from './live-by-columns.ts';
import type { LiveRequest } from './live-request.ts';
import type { Ordering } from './parcel-query.ts';
import { expressionOf } from './row-columns.ts';
import { boundsBySql, countBySql, idsInBoxBySql, orderedIdsBySql, pointsBySql } from './sql-filters/live-by-sql.ts';

interface RowsQuery {
  readonly columns: readonly string[];
  readonly ordering: Ordering | null;
  readonly offset: number;
  readonly limit: number;
}

export interface LiveRows {
  readonly count: number;
  /** Always `property_id` and `has_shape`, plus the requested columns. */
  readonly rows: Record<string, unknown>[];
}

/** @throws EngineError validation_error when the query takes too long */
export function liveRows(land: LandStore, request: LiveRequest, query: RowsQuery): LiveRows {
  const ids = idsOf(land, request, query.ordering);
  const page = ids.subarray(query.offset, query.offset + query.limit);
  return { count: ids.length, rows: page.length === 0 ? [] : rowsOf(land, page, query.columns) };
}

/** Every match in order, not only a page. @throws EngineError validation_error when the query takes too long */
export const liveIds = (land: LandStore, request: LiveRequest, ordering: Ordering | null): readonly number[] => [
  ...idsOf(land, request, ordering),
];

/** The index of a parcel in an ordered result, from 0; -1 if absent. */
export const indexIn = (land: LandStore, request: LiveRequest, ordering: Ordering | null, propertyId: number): number =>
  idsOf(land, request, ordering).indexOf(propertyId);

const keptResults = 4;
const results = new WeakMap<LandStore, Map<string, Float64Array>>();

function idsOf(land: LandStore, request: LiveRequest, ordering: Ordering | null): Float64Array {
  const kept = results.get(land) ?? new Map<string, Float64Array>();
  results.set(land, kept);
  const { criteria, includeUnknown, onlyUnknown, work } = request;
  const asked = criteria.map(({ row, criterion }) => [row.name, criterion]);
  const kinds = [[...includeUnknown], [...onlyUnknown], work.map((term) => term.key)];
  const key = JSON.stringify([land.file.writesSeen(), asked, kinds, ordering]);
  const known = kept.get(key);
  // Moved to the end, so that the least recently used goes first.
  if (known) kept.delete(key);
  const ids = known ?? scanIds(land, request, ordering);
  kept.set(key, ids);
  const oldest = kept.keys().next();
  if (kept.size > keptResults && !oldest.done) kept.delete(oldest.value);
  return ids;
}

const scanIds = (land: LandStore, request: LiveRequest, ordering: Ordering | null): Float64Array =>
  byColumns(land, request, (_, steps) => orderedIds(land, steps, ordering)) ?? orderedIdsBySql(land, request, ordering);

function rowsOf(
  land: LandStore,
  ids: ArrayLike<number> & Iterable<number>,
  columns: readonly string[],
): Record<string, unknown>[] {
  const wanted = [...new Set(['property_id', 'has_shape', ...columns])];
  const selected = wanted.map((column) => sql`${expressionOf(column)} AS ${sql.ref(column)}`);
  const query = sql`SELECT ${sql.join(selected)} FROM parcels
    WHERE property_id IN (SELECT value FROM json_each(${JSON.stringify([...ids])}))`.compile(landQueries);
  const rows = land.file.all(query.sql, ...query.parameters);
  const byId = new Map(rows.map((row) => [row.property_id as number, withBooleans(row)]));
  return [...ids].flatMap((id) => {
    const row = byId.get(id);
    return row ? [row] : [];
  });
}

/** SQLite stores booleans as 0 and 1. */
const withBooleans = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isBoolean = name === 'has_shape' || parcelColumnsByName.get(name)?.type === 'boolean';
      return [name, isBoolean && value !== null ? value === 1 : value];
    }),
  );

/** @throws EngineError validation_error when the query takes too long */
export const liveCount = (land: LandStore, request: LiveRequest): CountedFilters =>
  byColumns(land, request, countByColumns) ?? countBySql(land, request);

export type LongitudeLatitudeBox = readonly [west: number, south: number, east: number, north: number];

export interface LiveBounds {
  /** Null if no match has a place. */
  readonly bounds: LongitudeLatitudeBox | null;
  /** Matches whose middle lies in the view, 0 to 1 of those with a place. */
  readonly share: number;
}

/** @throws EngineError validation_error when the query takes too long */
export function liveBounds(land: LandStore, request: LiveRequest, view: LongitudeLatitudeBox): LiveBounds {
  const [minX, minY, maxX, maxY] = view;
  const found = byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches) => {
        const some = matches.filter(({ count }) => count > 0);
        const counted = some.map((match) => countInBox(match, { minX, minY, maxX, maxY }));
        const sum = (of: 'placed' | 'inside') => counted.reduce((all, one) => all + one[of], 0);
        return { bounds: boxOf(unionOfBounds(some.map(boundsOfMatches))), share: ratio(sum('inside'), sum('placed')) };
      }),
    ),
  );
  return found ?? boundsBySql(land, request, view);
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const boxOf = (bounds: Bounds | null): LongitudeLatitudeBox | null =>
  bounds && [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY];

export interface LivePoints {
  /** Longitude and latitude; null if more than `most` parcels match. */
  readonly points: readonly (readonly [number, number])[] | null;
}

/** @throws EngineError validation_error when the query takes too long */
export function livePoints(land: LandStore, request: LiveRequest, most: number): LivePoints {
  const found = byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches): LivePoints => {
        const some = matches.filter(({ count }) => count > 0);
        if (some.reduce((sum, { count }) => sum + count, 0) > most) return { points: null };
        return { points: some.flatMap(middlesOfMatches) };
      }),
    ),
  );
  return found ?? pointsBySql(land, request, most);
}

/**
 * property_ids of the matches whose own box meets `box` (degrees), ascending; only those with a shape.
 * @throws EngineError validation_error when the query takes too long
 */
export const idsInBox = (land: LandStore, request: LiveRequest, box: Bounds): number[] =>
  byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches) =>
        matches.flatMap((match) => idsOfCounty(match, box)).sort((a, b) => a - b),
      ),
    ),
  ) ?? idsInBoxBySql(land, request, box);

function idsOfCounty({ county, bits }: CountyMatches, { minX, maxX, minY, maxY }: Bounds): number[] {
  const { kernels, words } = county;
  const { rowBoxes, wordBoxes, shaped } = county.boxes();
  kernels.boxes(rowBoxes, wordBoxes, shaped, bits, words, minX, maxX, minY, maxY);
  return Array.from(rowsOfCounty(county, bits), (row) => county.id(row));
}

/** Orders these parcels by a column, unknown values last, ties in the given order. */
export function orderListed(land: LandStore, ids: readonly number[], ordering: Ordering): number[] {
  const direction = ordering.descending ? sql`DESC` : sql`ASC`;
  const query = sql`SELECT e.value FROM json_each(${JSON.stringify(ids)}) e
    LEFT JOIN parcels ON parcels.property_id = e.value
    ORDER BY ${expressionOf(ordering.column)} ${direction} NULLS LAST, e.key`.compile(landQueries);
  return land.file.column<number>(query.sql, ...query.parameters);
}

/** By property_id; a deleted parcel has no row. */
export const listedRows = (
  land: LandStore,
  ids: readonly number[],
  columns: readonly string[],
): ReadonlyMap<number, Record<string, unknown>> =>
  new Map(rowsOf(land, ids, columns).map((row) => [row.property_id as number, row]));
