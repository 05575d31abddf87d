/** Rows of parcels named one by one, including retired ones: the contents of a list. */
import { sql } from 'kysely';
import type { LandStore } from '../store/land-store.ts';
import { landQueries } from './land-schema.ts';
import { rowsOf } from './live-rows.ts';
import type { Ordering } from './parcel-query.ts';
import { expressionOf } from './row-columns.ts';

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
