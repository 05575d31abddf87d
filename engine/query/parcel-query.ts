/**
 * The exact count of some parcels and one page of them, by SQL: the test oracle and the fallback of the column index.
 */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { EngineError } from '../spec/errors.ts';
import type { Page } from '../spec/paging.ts';
import { type ParcelSummary, parcelUrl, summaryFields } from '../spec/parcel-summary.ts';
import type { AreaTest, LandStore } from '../store/land-store.ts';
import { columnSql } from './filter-sql.ts';
import { landQueries, type ParcelRow } from './land-schema.ts';

/** A sort column with its direction; null: by property_id alone. */
export interface Ordering {
  readonly column: string;
  readonly descending: boolean;
}

export interface ParcelPage {
  readonly count: number;
  readonly results: ParcelSummary[];
}

export interface ParcelQuery {
  readonly terms: readonly RawBuilder<unknown>[];
  readonly area: AreaTest | null;
  readonly page: Page;
  readonly ordering: Ordering | null;
}

type SummaryRow = Pick<
  ParcelRow,
  | 'property_id'
  | 'fips'
  | 'apn'
  | 'acres'
  | 'calculated_acres'
  | 'owner_name'
  | 'situs_address'
  | 'situs_city'
  | 'situs_state'
  | 'situs_zip'
  | 'point_lon'
  | 'point_lat'
>;

const summaryColumns = [
  'property_id',
  'apn',
  'fips',
  'point_lon',
  'point_lat',
  'acres',
  'calculated_acres',
  'owner_name',
  'situs_address',
  'situs_city',
  'situs_state',
  'situs_zip',
] as const satisfies (keyof SummaryRow)[];

/**
 * In one snapshot, so that count and page agree while an import commits. One scan finds the ids of all matches, in
 * order; the page's rows are then fetched by id.
 * @throws EngineError not_found for a page past the end
 */
export function countAndPage(land: LandStore, query: ParcelQuery): ParcelPage {
  const { sql: text, parameters } = matchQuery(query.terms, query.ordering);
  const matches = land.withArea(query.area, () => land.file.column<number>(text, ...parameters));
  const found = Float64Array.from(matches);
  // The scan may follow any index; sorting numbers here is cheaper than in SQLite.
  const ids = query.ordering ? found : found.sort();
  const { number, offset, size } = query.page;
  if (number > 1 && offset >= ids.length) throw pastTheEnd(query.page, ids.length);
  return { count: ids.length, results: summariesOf(land, [...ids.subarray(offset, offset + size)]) };
}

/** The same 404 for every list of the API. */
export function pastTheEnd(page: Page, count: number): EngineError {
  const last = Math.max(1, Math.ceil(count / page.size));
  return new EngineError(
    'not_found',
    `There is no page ${page.number}: ${count} matches at ${page.size} per page end at page ${last}.`,
  );
}

const where = (terms: readonly RawBuilder<unknown>[]) => sql<boolean>`${sql.join([...terms], sql` AND `)}`;

/** SQL for the ids that meet all terms; exported for the test of the query plans. */
export function matchQuery(terms: readonly RawBuilder<unknown>[], ordering: Ordering | null): CompiledQuery {
  const select = landQueries.selectFrom('parcels').select('property_id').where(where(terms));
  if (!ordering) return select.compile();
  const direction = ordering.descending ? sql`DESC` : sql`ASC`;
  return select
    .orderBy(sql`${columnSql(ordering.column)} ${direction} NULLS LAST`)
    .orderBy('property_id')
    .compile();
}

const rowsById = landQueries
  .selectFrom('parcels')
  .select(summaryColumns)
  .where(sql<boolean>`property_id IN (SELECT value FROM json_each(${''}))`)
  .compile().sql;

/** Summaries in the order of the ids. */
export function summariesOf(land: LandStore, ids: readonly number[]): ParcelSummary[] {
  if (ids.length === 0) return [];
  const rows = land.file.all<SummaryRow>(rowsById, JSON.stringify(ids));
  const byId = new Map(rows.map((row) => [row.property_id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [summaryOf(row)] : [];
  });
}

function summaryOf(row: SummaryRow): ParcelSummary {
  const known: Partial<Record<string, unknown>> = {
    ...row,
    url: parcelUrl(row.property_id),
    point: pointOf(row),
    acres: row.acres ?? row.calculated_acres,
  };
  return Object.fromEntries(
    summaryFields.map(({ name, unknown }) => [name, known[name] ?? unknown]),
  ) as unknown as ParcelSummary;
}

/** [longitude, latitude], or null without a place. */
export const pointOf = (row: { point_lon: number | null; point_lat: number | null }): [number, number] | null =>
  row.point_lon === null || row.point_lat === null ? null : [row.point_lon, row.point_lat];
