/** The search box's suggestions while the user types: parcels by APN, address or owner, a place by coordinates, a section by its name. */
import { sql } from 'kysely';
import type { CountyColumns } from '../columns/county-columns.ts';
import { withAllMatches } from '../columns/evaluate.ts';
import { pageByColumn } from '../columns/pages.ts';
import { prepareGeometry } from '../geo/intersects.ts';
import { parseWkt } from '../geo/wkt.ts';
import { type Coordinates, meantCoordinates, parseCoordinates } from '../spec/parse-coordinates.ts';
import { apnKey } from '../spec/text-fold.ts';
import type { LandStore } from '../store/land-store.ts';
import { countiesFor, parcelTests, textOrders, tokensStep } from './find-parcels.ts';
import { landQueries } from './land-schema.ts';
import { nothingLookedUp } from './looked-up.ts';
import { idsByTextBySql } from './sql-filters/live-by-sql.ts';
import { filterTerms } from './sqlite-dialect.ts';
import { type SurveyPlace, surveyPlaces } from './townships.ts';

type SuggestionKind = 'apn' | 'address' | 'owner' | 'place';

interface SuggestedParcel {
  readonly kind: SuggestionKind;
  readonly property_id: number;
  readonly apn: string | null;
  readonly owner_name: string | null;
  readonly situs_address: string | null;
  readonly situs_city: string | null;
  readonly fips: string;
}

interface Suggestions {
  /** The coordinates in the text, if any. */
  readonly place: Coordinates | null;
  /** The likelier place: longitude came first, or lacks its minus. */
  readonly meant: Coordinates | null;
  /** The townships and sections in the text. */
  readonly survey: readonly SurveyPlace[];
  readonly parcels: SuggestedParcel[];
}

/** Takes this many times the offered parcels by APN, then puts those that begin as typed first. */
const apnChoice = 4;

/** A text, a place, and how many suggestions of each kind. */
interface SuggestRequest {
  readonly text: string;
  /** Null: all counties of the home. */
  readonly fips: string | null;
  readonly limit: number;
}

/** Ids of one kind, best first. */
export type FindIds = (land: LandStore, column: string, request: SuggestRequest) => number[];

/**
 * @param find the column index where it can answer, else SQL; tests pass either
 * @throws EngineError validation_error when the query takes too long
 */
export function liveSuggest(land: LandStore, request: SuggestRequest, find: FindIds = findIds): Suggestions {
  const place = parseCoordinates(request.text);
  if (place) {
    const meant = meantCoordinates(place);
    return { place, meant, survey: [], parcels: parcelsAt(land, meant ?? place, request.limit) };
  }
  const asked = { ...request, text: request.text.trim().replace(/\s+/g, ' ') };
  if (asked.text === '') return { place: null, meant: null, survey: [], parcels: [] };
  const found = land.withDeadline(() =>
    land.file.snapshot(() => [
      ...rowsOf(land, 'apn', apnsByWriting(land, asked, find)),
      ...rowsOf(land, 'address', find(land, 'situs_address', asked)),
      ...rowsOf(land, 'owner', find(land, 'owner_name', asked)),
    ]),
  );
  const seen = new Set<number>();
  const survey = surveyPlaces(land, asked.text, request.fips);
  return {
    place: null,
    meant: null,
    survey,
    parcels: found.filter(({ property_id: id }) => !seen.has(id) && seen.add(id)),
  };
}

const findIds: FindIds = (land, column, request) =>
  idsByColumns(land, column, request) ?? idsByTextBySql(land, column, request);

export function idsByColumns(land: LandStore, column: string, { text, fips, limit }: SuggestRequest): number[] | null {
  const counties = fips === null ? null : [fips];
  return column === 'apn_key'
    ? idsWithApnPart(land, text, counties, limit)
    : idsWithTokens(land, column, text, counties, limit);
}

/** A text without digits is hardly part of an APN. */
function apnsByWriting(land: LandStore, request: SuggestRequest, find: FindIds): number[] {
  const { text, limit } = request;
  const key = apnKey(text);
  if (key.length < 2 || !/\d/.test(key)) return [];
  const ids = find(land, 'apn_key', { ...request, limit: limit * apnChoice });
  const rows = new Map(rowsOf(land, 'apn', ids).map(({ property_id: id, apn }) => [id, apn]));
  const isAsWritten = (id: number) => rows.get(id)?.startsWith(text) ?? false;
  return [...ids.filter(isAsWritten), ...ids.filter((id) => !isAsWritten(id))].slice(0, limit);
}

function rowsOf(land: LandStore, kind: SuggestionKind, ids: readonly number[]): SuggestedParcel[] {
  const rows = land.file.all<Omit<SuggestedParcel, 'kind'>>(
    `SELECT property_id, apn, owner_name, situs_address, situs_city, fips FROM parcels
     WHERE property_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  const byId = new Map(rows.map((row) => [row.property_id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [{ kind, ...row }] : [];
  });
}

function parcelsAt(
  land: LandStore,
  { latitude, longitude }: { latitude: number; longitude: number },
  limit: number,
): SuggestedParcel[] {
  const wkt = parseWkt(`POINT (${longitude} ${latitude})`);
  if (!wkt.ok) return [];
  const terms = filterTerms({ criteria: [], area: wkt.geometry, includeUnknown: new Set() }, nothingLookedUp);
  const query = sql`SELECT 'place' AS kind, property_id, apn, owner_name, situs_address, situs_city, fips FROM parcels
    WHERE ${sql.join(terms, sql` AND `)} ORDER BY property_id LIMIT ${limit}`.compile(landQueries);
  return land.withArea(prepareGeometry(wkt.geometry), () =>
    land.withDeadline(() => land.file.all<SuggestedParcel>(query.sql, ...query.parameters)),
  );
}

/** Parcels whose text holds every word, ordered by that text. */
function idsWithTokens(
  land: LandStore,
  column: string,
  text: string,
  counties: readonly string[] | null,
  limit: number,
): number[] | null {
  const steps = [tokensStep(column, text)];
  const opened = countiesFor(land, { counties, steps });
  if (!opened) return null;
  return withAllMatches(opened, steps, parcelTests(land), (matches) =>
    pageByColumn(matches, { offset: 0, size: limit }, { column, descending: false }, textOrders(land)),
  );
}

interface Candidate {
  readonly id: number;
  /** 0: equals the key, 1: begins with it, 2: contains it. */
  readonly rank: number;
  readonly length: number;
}

const compareCandidates = (a: Candidate, b: Candidate): number => a.rank - b.rank || a.length - b.length || a.id - b.id;

/**
 * Parcels whose APN, in letters and digits, contains the key: equal ones first, then those that begin with it, the
 * shortest first.
 */
function idsWithApnPart(
  land: LandStore,
  text: string,
  counties: readonly string[] | null,
  limit: number,
): number[] | null {
  const opened = countiesFor(land, { counties, steps: [] });
  if (!opened?.every((county) => county.has('apn_key'))) return null;
  const key = apnKey(text);
  return opened
    .flatMap((county) => candidatesOf(land, county, key).sort(compareCandidates).slice(0, limit))
    .sort(compareCandidates)
    .slice(0, limit)
    .map(({ id }) => id);
}

function candidatesOf(land: LandStore, county: CountyColumns, key: string): Candidate[] {
  const keys = county.packed('apn_key');
  const bytes = Buffer.from(key);
  return keys.findHolding(key).map((row) => {
    if ((row & 0xfff) === 0) land.tick();
    const length = keys.byteLengthOf(row);
    const begins = keys.startsWith(row, bytes);
    return { id: county.id(row), rank: begins ? Number(length > bytes.length) : 2, length };
  });
}
