/** Completes one row to a comp with place, county and parcel; or says why it is not one. */
import { type CompStatus, compStatuses } from '../../comps/comp-columns.ts';
import { type LeftOutRow, mostPricePerAcre } from '../../spec/comp-import-lines.ts';
import { misplacedWords } from '../../spec/import-checks.ts';
import { isNominal } from '../../spec/nominal-price.ts';
import { foldSpaces, foldWords } from '../../spec/text-fold.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { ListValues, ProblemSink } from '../mapping/row-mapper.ts';
import { misplaced } from '../stage/expect-place.ts';
import { findParcelOfComp, type LinkedParcel, type ParcelLink } from './comp-links.ts';
import type { CompFileRow } from './comp-rows.ts';
import type { StagedComp } from './comp-staging.ts';

interface CompCounty {
  readonly fips: string;
  readonly state: string;
  readonly name: string;
}

export interface CompContext {
  readonly land: LandStore;
  /** The county of the import; null if the rows name theirs. */
  readonly county: CompCounty | null;
  readonly source: string;
  /** ISO day of the file. */
  readonly date: string;
  /** ISO day after which nothing can have been sold yet. */
  readonly latestDate: string;
  /** Whether the file has a column of the dictionary. */
  readonly hasColumn: (name: string) => boolean;
}

/** Why a row is not a comp. `blank`: empty; `left_out`: no ordinary market price of land; `refused`: incomplete. */
export type CompFault =
  | { readonly kind: 'blank' | 'refused'; readonly reason: string }
  | {
      readonly kind: 'left_out';
      readonly reason: LeftOutRow;
      /** What the record would be called, if it was a comp in an earlier import. */
      readonly record: { readonly source: string; readonly source_id: string } | null;
    };

export interface CompletedComp {
  readonly comp: StagedComp;
  readonly link: 'apn' | 'place' | null;
}

export const isFault = (result: CompletedComp | CompFault): result is CompFault => 'kind' in result;

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

/** Listing services' words for each status. */
export const statusWords: Readonly<Record<string, CompStatus | null>> = {
  ...Object.fromEntries(compStatuses.map((status) => [status, status])),
  'FOR SALE': 'ACTIVE',
  LISTED: 'ACTIVE',
  NEW: 'ACTIVE',
  'BACK ON MARKET': 'ACTIVE',
  'PRICE CHANGE': 'ACTIVE',
  'COMING SOON': 'ACTIVE',
  'UNDER CONTRACT': 'PENDING',
  CONTINGENT: 'PENDING',
  'ACTIVE UNDER CONTRACT': 'PENDING',
  CLOSED: 'SOLD',
  EXPIRED: null,
  WITHDRAWN: null,
  CANCELED: null,
  CANCELLED: null,
  'OFF MARKET': null,
};

const textOf = (values: ListValues, name: string): string | null => values[name] as string | null;
const numberOf = (values: ListValues, name: string): number | null => values[name] as number | null;

/** @returns null for off the market, undefined for an unknown word */
function statusOf(values: ListValues): CompStatus | null | undefined {
  const given = textOf(values, 'status');
  if (given !== null) return statusWords[foldSpaces(given)];
  return textOf(values, 'sold_date') === null ? undefined : 'SOLD';
}

/** Columns that a mapping can fill with constants: they alone do not make a row a record. */
const constantColumns = new Set([
  'source',
  'status',
  'state',
  'county',
  'fips',
  'is_land',
  'is_qualified',
  'sale_type',
  'coordinate_grain',
]);

const isBlank = (values: ListValues): boolean =>
  Object.entries(values).every(([name, value]) => value === null || constantColumns.has(name));

/**
 * The file's own verdicts. A file that judges its rows says nothing good of those it left blank.
 * @returns null if the row passes
 */
function failedScreen(values: ListValues, hasColumn: (name: string) => boolean): LeftOutRow | null {
  if (hasColumn('is_qualified') && values.is_qualified !== 1) return 'not_qualified';
  if (values.is_land === 0) return 'improved';
  return hasColumn('is_land') && values.is_land === null ? 'vacancy_unknown' : null;
}

interface SoundRow {
  readonly status: CompStatus;
  readonly price: number;
  readonly sourceId: string;
}

/** Why a row is no comp, wherever it lies. */
type UnsoundRow =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'left_out'; readonly reason: LeftOutRow };

const leftOut = (reason: LeftOutRow): UnsoundRow => ({ kind: 'left_out', reason });

/** What a row says before its place is looked for. */
export function soundRow(
  values: ListValues,
  hasColumn: (name: string) => boolean,
  latestDate = '9999',
): SoundRow | UnsoundRow {
  const screen = failedScreen(values, hasColumn);
  if (screen !== null) return leftOut(screen);
  const status = statusOf(values);
  if (status === null) return leftOut('off_market');
  if (status === undefined)
    return refused(`no status among ${compStatuses.join(', ')}: ${textOf(values, 'status') ?? 'none'}`);
  const price = numberOf(values, 'price');
  if (price === null || price <= 0) return refused('no price');
  const unfit = status === 'SOLD' ? unfitSale(values, price, latestDate) : null;
  if (unfit !== null) return leftOut(unfit);
  const sourceId = sourceIdOf(values);
  if (sourceId === null) return refused(`nothing that names the record; expected ${namingWords}`);
  return { status, price, sourceId };
}

function unfitSale(values: ListValues, price: number, latestDate: string): LeftOutRow | null {
  const acres = numberOf(values, 'lot_size');
  if (isNominal(price, acres)) return 'nominal_price';
  if (acres !== null && acres > 0 && price / acres > mostPricePerAcre) return 'absurd_price';
  return (textOf(values, 'sold_date') ?? '') > latestDate ? 'future_date' : null;
}

/** @param onProblem receives values that are dropped while the comp stays */
export function completeComp(
  values: ListValues,
  row: CompFileRow,
  context: CompContext,
  onProblem: ProblemSink,
): CompletedComp | CompFault {
  if (isBlank(values) && row.point === null) return { kind: 'blank', reason: '' };
  const source = textOf(values, 'source') ?? context.source;
  const sound = soundRow(values, context.hasColumn, context.latestDate);
  if ('kind' in sound) return sound.kind === 'refused' ? sound : { ...sound, record: recordOf(values, source, sound) };
  const { status, price, sourceId } = sound;
  const placed = placeOf(values, row, context, onProblem);
  if ('kind' in placed) return placed;
  const comp: StagedComp = {
    ...datesOf(values, status, context.date),
    ...textsOf(values, placed, onProblem),
    ...partiesOf(row.properties),
    source,
    source_id: sourceId,
    fips: placed.county.fips,
    property_id: placed.parcel?.property_id ?? null,
    status,
    latitude: placed.latitude,
    longitude: placed.longitude,
    coordinate_grain: placed.grain,
    lot_size: positive(numberOf(values, 'lot_size')),
    price,
    photos: JSON.stringify(photosOf(textOf(values, 'photos'))),
  };
  return { comp, link: placed.link };
}

/** A listing that ended says nothing against what it was. */
function recordOf(values: ListValues, source: string, { reason }: UnsoundRow) {
  const sourceId = sourceIdOf(values);
  return reason === 'off_market' || sourceId === null ? null : { source, source_id: sourceId };
}

const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

/** A comp needs one of them: by it the next file updates the same comp. */
export const namingColumns = ['source_id', 'url', 'address', 'apn'] as const;
export const namingWords = 'an id at the source, a web address, an address or an APN';

/** The record's own id, else its web address, else fields that identify the sale. */
function sourceIdOf(values: ListValues): string | null {
  const own = textOf(values, 'source_id') ?? textOf(values, 'url');
  if (own !== null) return own;
  const names = ['apn', 'address', 'city', 'zip'].map((name) => textOf(values, name) ?? '');
  if (names[0] === '' && names[1] === '') return null;
  return foldSpaces([...names, textOf(values, 'sold_date') ?? textOf(values, 'list_date') ?? ''].join('|'));
}

interface Placed {
  readonly county: CompCounty;
  readonly parcel: LinkedParcel | null;
  readonly link: 'apn' | 'place' | null;
  readonly longitude: number;
  readonly latitude: number;
  readonly grain: 'parcel' | 'zip' | null;
}

/** Null, or why the coordinates are not where a sale can be. */
const pointProblem = ([longitude, latitude]: readonly [number, number]): string | null => {
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return 'no latitude and longitude in degrees';
  const why = misplaced(longitude, latitude);
  return why && misplacedWords[why];
};

interface GivenPoint {
  readonly point: readonly [number, number] | null;
  readonly problem: string | null;
}

function givenPoint(values: ListValues, row: CompFileRow, onProblem: ProblemSink): GivenPoint {
  const [longitude, latitude] = [numberOf(values, 'longitude'), numberOf(values, 'latitude')];
  const point = longitude === null || latitude === null ? row.point : ([longitude, latitude] as const);
  const problem = point && pointProblem(point);
  if (!point || problem === null) return { point, problem: null };
  onProblem('latitude', [point[1], point[0]], problem);
  return { point: null, problem };
}

function grainOf(values: ListValues): StagedComp['coordinate_grain'] {
  const grain = textOf(values, 'coordinate_grain')?.toLowerCase();
  return grain === 'zip' || grain === 'parcel' ? grain : null;
}

function placeOf(
  values: ListValues,
  row: CompFileRow,
  context: CompContext,
  onProblem: ProblemSink,
): Placed | CompFault {
  const { land } = context;
  const { point, problem } = givenPoint(values, row, onProblem);
  const named = namedCounty(values, context);
  const grain = grainOf(values);
  const link = findParcelOfComp(land, {
    fips: named?.fips ?? null,
    apn: textOf(values, 'apn'),
    longitude: point?.[0] ?? null,
    latitude: point?.[1] ?? null,
    lot_size: numberOf(values, 'lot_size'),
    coordinate_grain: grain,
  });
  const own = link?.by === 'zip' ? null : link;
  const parcel = own?.parcel ?? null;
  const county = countyOf(land, own, named) ?? countyOf(land, link, null);
  if (!county)
    return refused('no county: neither the record nor a parcel there names one; give the county of the file');
  const longitude = point?.[0] ?? parcel?.point_lon ?? null;
  const latitude = point?.[1] ?? parcel?.point_lat ?? null;
  if (longitude === null || latitude === null)
    return refused(`no place: ${problem ?? 'no coordinates'}; and no parcel of its APN`);
  return {
    county,
    parcel,
    link: own?.by ?? null,
    longitude,
    latitude,
    grain: point === null ? 'parcel' : grain,
  };
}

const countyOf = (land: LandStore, link: ParcelLink | null, named: CompCounty | null): CompCounty | null =>
  link ? (land.county(link.parcel.fips) ?? null) : named;

/** The county in the row, by code or by name and state; else that of the import. */
function namedCounty(values: ListValues, { land, county }: CompContext): CompCounty | null {
  const fips = textOf(values, 'fips');
  if (fips !== null && /^\d{4,5}$/.test(fips)) return land.county(normalFips(fips)) ?? county;
  const [name, state] = [textOf(values, 'county'), textOf(values, 'state')];
  if (county !== null || name === null || state === null) return county;
  const bare = foldSpaces(name);
  const rows = land.file.all<CompCounty>(
    'SELECT fips, state, name FROM counties WHERE state = ? AND superseded_by IS NULL AND fold_case(name) IN (?, ?, ?)',
    state.toUpperCase(),
    bare,
    `${bare} COUNTY`,
    `${bare} PARISH`,
  );
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Only sales have a sold date, only listings a day last seen. Derives the days to the sale if they are not given. */
function datesOf(values: ListValues, status: CompStatus, seen: string) {
  const list = textOf(values, 'list_date');
  const sold = status === 'SOLD' ? textOf(values, 'sold_date') : null;
  const days = numberOf(values, 'days_on_market');
  const computed = list !== null && sold !== null && sold >= list ? daysBetween(list, sold) : null;
  return {
    list_date: list,
    sold_date: sold,
    as_of_date: status === 'SOLD' ? null : seen,
    days_on_market: days !== null && days >= 0 ? days : computed,
  };
}

function textsOf(values: ListValues, { county, parcel }: Placed, onProblem: ProblemSink) {
  const state = textOf(values, 'state');
  const isState = state !== null && /^[A-Za-z]{2}$/.test(state);
  if (state !== null && !isState) onProblem('state', state, 'no state of two letters');
  const url = textOf(values, 'url');
  if (url !== null && !isWebAddress(url)) onProblem('url', url, 'no address of http or https');
  return {
    address: textOf(values, 'address'),
    city: textOf(values, 'city'),
    state: isState ? state.toUpperCase() : county.state,
    zip: textOf(values, 'zip'),
    county: textOf(values, 'county') ?? county.name,
    apn: textOf(values, 'apn') ?? parcel?.apn ?? null,
    use: textOf(values, 'use') ?? parcel?.use ?? null,
    sale_type: textOf(values, 'sale_type'),
    url: url !== null && isWebAddress(url) ? url : null,
  };
}

/** People click on it: only web addresses are allowed. */
const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s"'<>]+$/i.test(text);

/** A JSON list, or addresses separated by blanks, bars or line ends. */
function photosOf(text: string | null): string[] {
  if (text === null) return [];
  let parts: unknown = null;
  try {
    parts = text.startsWith('[') ? JSON.parse(text) : null;
  } catch {
    // Not a list: split below.
  }
  const list = Array.isArray(parts) ? parts : text.split(/[\s|]+/);
  return list.filter((part): part is string => typeof part === 'string' && isWebAddress(part));
}

/** What a row says of its deed: the number, who sold, who bought. */
const partyHeadings = {
  deed: /\b(DEED|INSTRUMENT|INSTR|DOC|DOCUMENT|RECEPTION|RECORDING|BOOK ?PAGE|EXCISE)\b(?! ?(TYPE|DATE|CODE))/,
  seller: /\b(GRANTOR|SELLER)\b/,
  buyer: /\b(GRANTEE|BUYER|PURCHASER)\b/,
} as const;

type Parties = Readonly<Record<keyof typeof partyHeadings, string | null>>;
type Columns = Readonly<Record<keyof typeof partyHeadings, string | undefined>>;

/** Of the row before: headings are the same in a whole file. */
let last: { readonly names: string; readonly columns: Columns } | null = null;

function columnsOf(properties: Readonly<Record<string, unknown>>): Columns {
  const names = Object.keys(properties);
  const joined = names.join('\u0000');
  if (last?.names !== joined) {
    const named = (words: RegExp) => names.find((name) => words.test(foldWords(name)));
    last = {
      names: joined,
      columns: {
        deed: named(partyHeadings.deed),
        seller: named(partyHeadings.seller),
        buyer: named(partyHeadings.buyer),
      },
    };
  }
  return last.columns;
}

function partiesOf(properties: Readonly<Record<string, unknown>>): Parties {
  const columns = columnsOf(properties);
  const textOf = (column: string | undefined) =>
    column === undefined ? null : String(properties[column] ?? '').trim() || null;
  return { deed: textOf(columns.deed), seller: textOf(columns.seller), buyer: textOf(columns.buyer) };
}
