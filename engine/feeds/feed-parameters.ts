/** What the address of a feed may ask beside it: a box of a search, the parcel of a value. */
import type { Feed } from '../account/feed-store.ts';
import { alikeNotices } from '../land/notices.ts';
import { feedParcelInput } from '../operations/feed-fields.ts';
import { getPropertyAiCompValue } from '../operations/get-property-ai-comp-value.ts';
import { parcelsOfApn } from '../query/find-parcels.ts';
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems, fromQuery, shown } from '../spec/validate.ts';
import { normalFips } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';

export interface AskedFeed extends Feed {
  /** WKT of a box; of a search only what meets it is answered. */
  readonly box?: string;
}

interface Asked {
  readonly feed: AskedFeed;
  readonly notices: readonly string[];
}

type Query = ReadonlyMap<string, readonly string[]>;
interface Parameters {
  readonly names: readonly string[];
  /** In a sentence: "this feed takes …". */
  readonly words: string;
}

const valueParameters: Parameters = {
  names: ['id', 'fips', 'apn'],
  words: 'id, the number of a parcel, or fips and apn',
};
const searchParameters: Parameters = { names: ['bbox'], words: 'bbox=west,south,east,north' };
const none: Parameters = { names: [], words: 'no parameters' };

/**
 * The feed that an address with parameters means; those of a value without a parcel of its own need one.
 * @throws EngineError validation_error; not_found for an APN that no parcel has
 */
export function askedFeed(land: LandStore, feed: Feed, query: Query): Asked {
  const needsParcel = feed.kind === 'value' && feed.input.id === undefined;
  const { names, words } = needsParcel ? valueParameters : feed.kind === 'search' ? searchParameters : none;
  const problems = [...query].flatMap(([name, values]): [string, string[]][] => {
    if (!names.includes(name)) return [[name, [`unknown parameter; this feed takes ${words}`]]];
    return values.length > 1 ? [[name, [`expected once, found ${values.length} times`]]] : [];
  });
  if (problems.length > 0) throw validationError(Object.fromEntries(problems));
  const given = Object.fromEntries([...query].map(([name, [value = '']]) => [name, value]));
  if (needsParcel) return feedOfParcel(land, feed, given);
  return { feed: given.bbox === undefined ? feed : { ...feed, box: boxOf(given.bbox) }, notices: [] };
}

type Given = Readonly<Record<string, string>>;

function feedOfParcel(land: LandStore, feed: Feed, given: Given): Asked {
  const byApn = given.fips !== undefined || given.apn !== undefined;
  if (byApn && given.id !== undefined) throw validationError({ id: ['expected id, or fips and apn, found both'] });
  const { id, notices } = byApn ? parcelOfApn(land, given) : { id: idOf(given), notices: [] };
  return { feed: { ...feed, input: { ...feed.input, id } }, notices };
}

function idOf({ id = '' }: Given): number {
  const number = /^\d{1,16}$/.test(id) ? Number(id) : id;
  const problems = findProblems(getPropertyAiCompValue.input, { id: number });
  if (problems) throw validationError(problems);
  return number as number;
}

const mostNamed = 5;

/** The parcel that `search_properties` finds for an APN, if it is one. */
function parcelOfApn(land: LandStore, given: Given): { readonly id: number; readonly notices: string[] } {
  const problems = findProblems(feedParcelInput, fromQuery(feedParcelInput, given));
  if (problems) throw validationError(problems);
  const [fips, apn] = [normalFips(given.fips ?? ''), given.apn ?? ''];
  const { ids, alike } = parcelsOfApn(land, fips, apn);
  const [id] = ids;
  if (id === undefined)
    throw new EngineError('not_found', `No parcel of the county ${fips} has the APN ${shown(apn)}.`);
  if (ids.length > 1) {
    const named = `${ids.slice(0, mostNamed).join(', ')}${ids.length > mostNamed ? ', …' : ''}`;
    throw validationError({
      apn: [`expected the APN of one parcel, found ${ids.length}: give one of them as id (${named})`],
    });
  }
  return { id, notices: alikeNotices(alike) };
}

/** `west,south,east,north` in degrees as a polygon. @throws EngineError validation_error */
function boxOf(text: string): string {
  const sides = text.split(',');
  const [west = 0, south = 0, east = 0, north = 0] = sides.map(Number);
  const isBox =
    sides.length === 4 &&
    sides.every((side) => /^\s*[+-]?\d+(\.\d*)?\s*$/.test(side)) &&
    [-180 <= west, west < east, east <= 180, -90 <= south, south < north, north <= 90].every(Boolean);
  if (!isBox) {
    const expected = 'expected west,south,east,north in degrees, west below east and south below north';
    throw validationError({ bbox: [`${expected}, like -71.9,44.0,-71.8,44.1, found ${shown(text)}`] });
  }
  return `POLYGON((${west} ${south}, ${east} ${south}, ${east} ${north}, ${west} ${north}, ${west} ${south}))`;
}
