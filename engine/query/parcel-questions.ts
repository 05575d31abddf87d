/** Filter and search queries, for the column index and for SQL. */
import { sql } from 'kysely';
import { prepareGeometry } from '../geo/intersects.ts';
import { apnKey, foldSpaces } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import { columnSteps, countiesOf, type NamedParcels } from './column-steps.ts';
import type { FilterRequest } from './filter-request.ts';
import { currentTerm, searchTokens } from './filter-terms.ts';
import type { ParcelQuestion } from './find-parcels.ts';
import { filterTerms, filterTests, hasEveryToken, keptUnknownTests } from './sqlite-dialect.ts';

/** Parcels found by SQLite's own indexes. */
export const namedParcels = ({ file }: LandStore): NamedParcels => ({
  withApnKey: (key) => file.column('SELECT property_id FROM parcels WHERE apn_key = ?', key),
  withMailingKey: (key) => file.column('SELECT property_id FROM parcels WHERE mailing_key = ?', key),
});

/** @param mailingKey the normalized mailing address for `owner_parcel_id` */
export function filterQuestion(land: LandStore, request: FilterRequest, mailingKey: string | null): ParcelQuestion {
  const area = request.area ? prepareGeometry(request.area) : null;
  return {
    counties: countiesOf(request),
    steps: columnSteps(request, mailingKey, area, namedParcels(land)),
    terms: () => filterTerms(request, mailingKey),
    keptUnknown: () => keptUnknownTests(request),
    area,
  };
}

/** For requests that name no parcel. */
export const noParcels: NamedParcels = { withApnKey: () => [], withMailingKey: () => [] };

interface SearchRequest {
  readonly fips: string;
  /** The parcels of an APN; null for any. */
  readonly ids: readonly number[] | null;
  readonly ownerName: string | null;
  /** The place in the public land survey that filters ask for; absent or null: any. */
  readonly place?: FilterRequest | null;
}

export function searchQuestion({ fips, ids, ownerName, place }: SearchRequest): ParcelQuestion {
  return {
    counties: [fips],
    steps: [
      ...(ids === null ? [] : [{ type: 'ids', filter: 'apn', ids } as const]),
      ...(ownerName === null ? [] : [tokensStep('owner_name', ownerName)]),
      ...(place ? columnSteps(place, null, null, noParcels) : []),
    ],
    terms: () => [
      sql`fips = ${fips}`,
      currentTerm,
      ...(ids === null ? [] : [sql`property_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`]),
      ...(ownerName === null ? [] : [hasEveryToken('owner_name', ownerName)]),
      ...(place ? filterTests(place).map(({ test }) => test) : []),
    ],
    keptUnknown: () => [],
    area: null,
  };
}

/** Every word of the text occurs somewhere in the column. */
export const tokensStep = (column: string, text: string) =>
  ({
    type: 'tokens',
    filter: column,
    column,
    tokens: searchTokens(text),
    passUnknown: false,
    negate: false,
  }) as const;

interface ApnMatches {
  readonly ids: readonly number[];
  /** APNs of other parcels that are equal in letters and digits alone, where one is equal as it is written. */
  readonly alike: readonly string[];
}

/**
 * Current parcels of a county by APN. Separators may part lots (`12-201`, `12-2-01`): where one APN is equal as it is
 * written, in any case and with any white space, it alone is meant; else those that are equal in letters and digits are.
 */
export function parcelsOfApn({ file }: LandStore, fips: string, apn: string): ApnMatches {
  const [column, value] = apnCondition(apn);
  const found = file.all<ApnRow>(
    `SELECT property_id, apn FROM parcels WHERE ${column} = ? AND fips = ? AND status = 'current' ORDER BY property_id`,
    value,
    fips,
  );
  return meantApns(found, apn);
}

export interface ApnRow {
  readonly property_id: number;
  readonly apn: string;
}

/** The column by which an APN is looked up, and its value. */
export function apnCondition(apn: string): readonly [column: 'apn' | 'apn_key', value: string] {
  const key = apnKey(apn);
  return key === '' ? ['apn', apn.trim()] : ['apn_key', key];
}

/** @param found the parcels that `apnCondition` finds, by property_id */
export function meantApns(found: readonly ApnRow[], apn: string): ApnMatches {
  const written = foldSpaces(apn);
  const exact = found.filter((row) => foldSpaces(row.apn) === written);
  const meant = exact.length > 0 ? exact : found;
  return {
    ids: meant.map((row) => row.property_id),
    alike: [...new Set(found.filter((row) => !meant.includes(row)).map((row) => row.apn))],
  };
}
