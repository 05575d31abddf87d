/** A page of parcels, and the summaries on it. */
import { sql } from 'kysely';
import type { AbsentValues } from '../columns/steps.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import type { Page } from '../spec/paging.ts';
import type { ParcelSummary } from '../spec/parcel-summary.ts';
import type { LandStore } from '../store/land-store.ts';
import type { ParcelRow } from '../store/parcel-row.ts';
import { landQueries } from './land-schema.ts';

/** A sort column with its direction; null: by property_id alone. */
export interface Ordering {
  readonly column: string;
  readonly descending: boolean;
}

export interface ParcelPage {
  readonly count: number;
  /** Matches that a filter which excludes keeps only because their value is unknown; filters without any are absent. */
  readonly keptUnknown: readonly KeptUnknown[];
  /** Values of lists that no parcel of the counties has; none is named where only a scan could tell. */
  readonly absent: readonly AbsentValues[];
  /** Filters on columns that many parcels of the counties searched lack; none is named where only a scan could tell. */
  readonly thin: readonly ThinFilter[];
  readonly results: ParcelSummary[];
}

export interface ThinFilter {
  readonly filter: string;
  /** Parcels with a value, of all in the counties searched. */
  readonly known: number;
  readonly parcels: number;
}

export interface KeptUnknown {
  readonly filter: string;
  readonly parcels: number;
}

export type SummaryRow = Pick<
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

export const summaryColumns = [
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

export const someKept = (kept: readonly KeptUnknown[]): KeptUnknown[] => kept.filter(({ parcels }) => parcels > 0);

/** The same 404 for every list of the API. */
export function pastTheEnd(page: Page, count: number): EngineError {
  const last = Math.max(1, Math.ceil(count / page.size));
  return new EngineError(
    'not_found',
    `There is no page ${page.number}: ${count} matches at ${page.size} per page end at page ${last}.`,
  );
}

/** CROSS JOIN keeps the order of the list. */
const rowsById = landQueries
  .selectFrom(sql<{ value: number }>`json_each(${''})`.as('listed'))
  .crossJoin('parcels')
  .whereRef('property_id', '=', 'listed.value')
  .select(summaryColumns)
  .compile().sql;

/** Summaries in the order of the ids. */
export function summariesOf(land: LandStore, ids: readonly number[]): ParcelSummary[] {
  if (ids.length === 0) return [];
  return land.file.all<SummaryRow>(rowsById, JSON.stringify(ids)).map(summaryOf);
}

/** Written out: a loop over `summaryFields` takes three times as long. */
export const summaryOf = (row: SummaryRow): ParcelSummary => ({
  property_id: row.property_id,
  url: parcelUrl(row.property_id),
  apn: row.apn ?? '',
  fips: row.fips ?? '',
  point: pointOf(row),
  acres: row.acres ?? row.calculated_acres,
  calculated_acres: row.calculated_acres,
  owner_name: row.owner_name ?? '',
  situs_address: row.situs_address,
  situs_city: row.situs_city ?? '',
  situs_state: row.situs_state ?? '',
  situs_zip: row.situs_zip ?? '',
});

/** [longitude, latitude], or null without a place. */
export const pointOf = (row: { point_lon: number | null; point_lat: number | null }): [number, number] | null =>
  row.point_lon === null || row.point_lat === null ? null : [row.point_lon, row.point_lat];

/**
 * The owner portfolio: parcels with the same normalized mailing address belong to one owner.
 * The address of `owner_parcel_id`; null when not requested.
 * @throws EngineError validation_error if there is no such parcel, or it has no address on record
 */
export function portfolioKey({ file }: LandStore, propertyId: number | undefined): string | null {
  if (propertyId === undefined) return null;
  const row = file.get<{ mailing_key: string | null }>(
    'SELECT mailing_key FROM parcels WHERE property_id = ?',
    propertyId,
  );
  return keyOfPortfolio(propertyId, row);
}

/** @throws EngineError validation_error without a row, or without an address in it */
export function keyOfPortfolio(propertyId: number, row: { readonly mailing_key: string | null } | undefined): string {
  if (!row) throw validationError({ owner_parcel_id: [`there is no parcel ${propertyId}`] });
  if (row.mailing_key === null)
    throw validationError({ owner_parcel_id: [`parcel ${propertyId} has no mailing address on record`] });
  return row.mailing_key;
}

/** Opens the parcel in the app; computed, never stored. */
export const parcelUrl = (propertyId: number): string => `platbook://parcel/${propertyId}`;
