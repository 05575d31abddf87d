/**
 * Rows for the table of a paid search: any order, any columns, any page. Caches the ordered ids of the last few
 * results, so that scrolling does not scan again.
 */
import { sql } from 'kysely';
import { parcelColumnsByName } from '../spec/parcel-columns.ts';
import type { LandStore } from '../store/land-store.ts';
import { landQueries } from './land-schema.ts';
import { byColumns, orderedIds } from './live-by-columns.ts';
import type { LiveRequest } from './live-request.ts';
import type { Ordering } from './parcel-query.ts';
import { expressionOf } from './row-columns.ts';
import { orderedIdsBySql } from './stand-in/live-by-sql.ts';

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

export function rowsOf(
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
