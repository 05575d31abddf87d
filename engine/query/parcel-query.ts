/** Runs a condition over the parcels: the exact count, and one page of rows. */
import { type RawBuilder, sql } from 'kysely';
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

/** A query that runs longer is stopped, not charged, and answered 400 "too broad". */
const deadlineMilliseconds = 2000;

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
 * Count and page come from one snapshot of the file, so they agree while an import commits.
 * @throws EngineError not_found for a page past the end, validation_error when it would take too long
 */
export function queryParcels(land: LandStore, query: ParcelQuery): ParcelPage {
  return land.withArea(query.area, () =>
    land.withDeadline(deadlineMilliseconds, () => land.file.snapshot(() => countAndPage(land, query))),
  );
}

function countAndPage(land: LandStore, query: ParcelQuery): ParcelPage {
  const count = countParcels(land, query.terms);
  if (query.page.number > 1 && query.page.offset >= count) throw pastTheEnd(query.page, count);
  return { count, results: count === 0 ? [] : pageOfParcels(land, query) };
}

/** One 404 for every list of the API. */
export function pastTheEnd(page: Page, count: number): EngineError {
  const last = Math.max(1, Math.ceil(count / page.size));
  return new EngineError(
    'not_found',
    `There is no page ${page.number}: the last of ${count} matches at ${page.size} a page is page ${last}.`,
  );
}

const where = (terms: readonly RawBuilder<unknown>[]) => sql<boolean>`${sql.join([...terms], sql` AND `)}`;

function countParcels(land: LandStore, terms: readonly RawBuilder<unknown>[]): number {
  const query = landQueries.selectFrom('parcels').select(sql<number>`count(*)`.as('n')).where(where(terms)).compile();
  return land.file.get<{ n: number }>(query.sql, ...query.parameters)?.n ?? 0;
}

function pageOfParcels(land: LandStore, query: ParcelQuery): ParcelSummary[] {
  let select = landQueries.selectFrom('parcels').select(summaryColumns).where(where(query.terms));
  if (query.ordering) {
    const { column, descending } = query.ordering;
    select = select.orderBy(sql`${columnSql(column)} ${descending ? sql`DESC` : sql`ASC`} NULLS LAST`);
  }
  const compiled = select.orderBy('property_id').limit(query.page.size).offset(query.page.offset).compile();
  return land.file.all<SummaryRow>(compiled.sql, ...compiled.parameters).map(summaryOf);
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
