/** Filter and search queries, for the column index and for SQL. */
import { sql } from 'kysely';
import { prepareGeometry } from '../geo/intersects.ts';
import { apnKey, foldCase } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import { columnSteps, countiesOf, type NamedParcels } from './column-steps.ts';
import type { FilterRequest } from './filter-request.ts';
import { currentTerm, filterTerms, hasEveryToken } from './filter-sql.ts';
import type { ParcelQuestion } from './find-parcels.ts';

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
    area,
  };
}

interface SearchRequest {
  readonly fips: string;
  readonly apn?: string;
  readonly ownerName?: string;
}

/** White space separates the words of a search; each must occur in the name. */
const searchTokens = (text: string): string[] =>
  foldCase(text)
    .split(/\s+/u)
    .filter((token) => token !== '');

export function searchQuestion(land: LandStore, { fips, apn, ownerName }: SearchRequest): ParcelQuestion {
  return {
    counties: [fips],
    steps: [
      ...(apn === undefined ? [] : [{ type: 'ids', filter: 'apn', ids: parcelsOfApn(land, fips, apn) } as const]),
      ...(ownerName === undefined ? [] : [tokensStep('owner_name', ownerName)]),
    ],
    terms: () => [
      sql`fips = ${fips}`,
      currentTerm,
      ...(apn === undefined ? [] : [apnTerm(apn)]),
      ...(ownerName === undefined ? [] : [hasEveryToken(sql.ref('owner_name'), ownerName)]),
    ],
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

/** Equal, or equal in letters and digits; an APN without either must be equal. */
function apnTerm(apn: string) {
  const key = apnKey(apn);
  return key === '' ? sql`apn = ${apn.trim()}` : sql`apn_key = ${key}`;
}

function parcelsOfApn(land: LandStore, fips: string, apn: string): readonly number[] {
  const key = apnKey(apn);
  if (key !== '') return namedParcels(land).withApnKey(key);
  return land.file.column('SELECT property_id FROM parcels WHERE fips = ? AND apn = ?', fips, apn.trim());
}
