/** What the search box offers while the user types: parcels by APN, address or owner, and a place by coordinates. */
import { type RawBuilder, sql } from 'kysely';
import { prepareGeometry } from '../geo/intersects.ts';
import { parseWkt } from '../geo/wkt.ts';
import { apnKey } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import { currentTerm, filterTerms, hasEveryToken } from './filter-sql.ts';
import { landQueries } from './land-schema.ts';

export type SuggestionKind = 'apn' | 'address' | 'owner' | 'place';

export interface SuggestedParcel {
  readonly kind: SuggestionKind;
  readonly property_id: number;
  readonly apn: string | null;
  readonly owner_name: string | null;
  readonly situs_address: string | null;
  readonly situs_city: string | null;
  readonly fips: string;
}

export interface Suggestions {
  /** The coordinates that the text is, when it is some. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly parcels: SuggestedParcel[];
}

type Sql = RawBuilder<unknown>;

const likePart = (column: string, text: string): Sql =>
  sql`${sql.ref(column)} LIKE ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`;

/**
 * @param fips null: all counties of the home
 * @param limit for each kind
 * @throws EngineError validation_error when it would take too long
 */
export function liveSuggest(land: LandStore, text: string, fips: string | null, limit: number): Suggestions {
  const place = parseCoordinates(text);
  if (place) return { place, parcels: parcelsAt(land, place, limit) };
  const words = text.trim().replace(/\s+/g, ' ');
  const key = apnKey(words);
  const hasDigit = /\d/.test(key);
  const found = [
    ...(key.length >= 2 && hasDigit
      ? find(land, 'apn', likePart('apn_key', key), apnOrder(words, key), fips, limit)
      : []),
    ...find(land, 'address', likePart('situs_address', words), sql`situs_address`, fips, limit),
    ...find(land, 'owner', hasEveryToken(sql.ref('owner_name'), words), sql`owner_name`, fips, limit),
  ];
  const seen = new Set<number>();
  return { place: null, parcels: found.filter(({ property_id: id }) => !seen.has(id) && seen.add(id)) };
}

/** As it is written first, then what begins so, then what holds it; the shortest before the longer ones. */
const apnOrder = (words: string, key: string): Sql =>
  sql`apn_key <> ${key}, instr(apn, ${words}) <> 1, instr(apn_key, ${key}) <> 1, length(apn_key)`;

function find(
  land: LandStore,
  kind: SuggestionKind,
  test: Sql,
  order: Sql,
  fips: string | null,
  limit: number,
): SuggestedParcel[] {
  const terms = [
    ...(fips === null ? [] : [sql`fips = ${fips}`]),
    currentTerm,
    sql`((property_id & 255) <> 0 OR tick())`,
    test,
  ];
  const query = sql`SELECT ${kind} AS kind, property_id, apn, owner_name, situs_address, situs_city, fips FROM parcels
    WHERE ${sql.join(terms, sql` AND `)} ORDER BY ${order}, property_id LIMIT ${limit}`.compile(landQueries);
  return land.withDeadline(() => land.file.all<SuggestedParcel>(query.sql, ...query.parameters));
}

function parcelsAt(
  land: LandStore,
  { latitude, longitude }: { latitude: number; longitude: number },
  limit: number,
): SuggestedParcel[] {
  const wkt = parseWkt(`POINT (${longitude} ${latitude})`);
  if (!wkt.ok) return [];
  const terms = filterTerms({ criteria: [], area: wkt.geometry, includeUnknown: new Set() }, null);
  const query = sql`SELECT 'place' AS kind, property_id, apn, owner_name, situs_address, situs_city, fips FROM parcels
    WHERE ${sql.join(terms, sql` AND `)} ORDER BY property_id LIMIT ${limit}`.compile(landQueries);
  return land.withArea(prepareGeometry(wkt.geometry), () =>
    land.withDeadline(() => land.file.all<SuggestedParcel>(query.sql, ...query.parameters)),
  );
}

const number = String.raw`([+\-−]?\d{1,3}(?:\.\d+)?)\s*°?\s*`;
const pair = new RegExp(`^\\s*${number}([NSEW])?\\s*[,;\\s]\\s*${number}([NSEW])?\\s*$`, 'i');

/**
 * `44.1027, -71.8316`, `44.1027 N 71.8316 W`, `-71.8316 44.1027`: latitude comes first unless letters or size say
 * otherwise. Two whole numbers are rather an APN.
 */
export function parseCoordinates(text: string): { latitude: number; longitude: number } | null {
  const match = pair.exec(text);
  if (!match) return null;
  const [, firstText = '', firstSide = '', secondText = '', secondSide = ''] = match;
  if (!firstText.includes('.') && !secondText.includes('.')) return null;
  const first = signed(firstText, firstSide);
  const second = signed(secondText, secondSide);
  const isSwapped = /[EW]/i.test(firstSide) || Math.abs(first) > 90;
  const [latitude, longitude] = isSwapped ? [second, first] : [first, second];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

const signed = (text: string, side: string): number =>
  Number(text.replace('−', '-')) * (/[SW]/i.test(side) && !/^[-−]/.test(text) ? -1 : 1);
