/** Guesses the headings of a file of listings or sales, checked against the values below them. */
import { compColumns } from '../../comps/comp-columns.ts';
import type { DateFormat } from '../../spec/date-formats.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { dateFormatOf } from '../guess/guess-facts.ts';
import { inOrderWords, leastFilledRows } from '../guess/guess-fill.ts';
import { sampledColumns } from '../guess/guess-sources.ts';
import { acresPerSquareFoot, findUnitColumn, unitBySize, unitsExplain, unitsInValues } from '../guess/guess-units.ts';
import { percentWords } from '../guess/list-proposal.ts';
import type { Expression } from '../mapping/mapping-schema.ts';
import { parseNumber } from '../values/convert-value.ts';
import { guessDate } from '../values/parse-date.ts';
import { splitUnit } from '../values/unit-text.ts';
import { statusWords } from './comp-complete.ts';
import { guessScreen, isScreen } from './guess-screens.ts';

const soldPrices =
  'SOLD PRICE|SALE PRICE|SALES PRICE|CLOSE PRICE|CLOSED PRICE|SELLING PRICE|CONSIDERATION|SALE AMOUNT|SALE AMT';
const askingPrices = 'LIST PRICE|LISTING PRICE|ASKING PRICE|CURRENT PRICE|ASKING|ASK';

/**
 * Headings by column, as sites and brokers write them, best first; the dictionary's own names and aliases count too.
 */
const headings: Readonly<Record<string, string>> = {
  source: 'SOURCE|MLS NAME|PROVIDER|LISTING SOURCE',
  source_id:
    'SOURCE ID|MLS|MLS NUMBER|MLS NO|MLS ID|LISTING ID|LISTING NUMBER|LISTING NO|LISTING|LIST NO|LIST NUMBER|ML NUMBER|RECORD ID|ID|REF',
  is_qualified:
    'QUALIFIED|QUAL|SALE QUAL|SALEQUAL|SALE QUALIFIED|SALE QUALIFICATION|QUALIFIED SALE|QUAL CODE|QUALIFICATION|QUALIFICATION CODE|QU|Q U|VALID|VALID SALE|SALE VALID|VALIDITY|SALE VALIDITY|ARMS LENGTH|ARM S LENGTH|ARMS LENGTH SALE',
  is_land:
    'VACANT OR IMPROVED|VACANT IMPROVED|VAC OR IMP|VAC IMP|VACANT|IS VACANT|SALE VACANT|VACANT SALE|VACANT LAND|VI|V I|SALE IMPR|SALEIMPR|SALE IMPROVED|IMPROVED|IS IMPROVED|LAND ONLY|PROPERTY TYPE|PROP TYPE|LISTING TYPE',
  status: 'STATUS|LISTING STATUS|MLS STATUS|SALE STATUS|STANDARD STATUS|STAT',
  address: 'ADDRESS|PROPERTY ADDRESS|STREET ADDRESS|SITUS ADDRESS|UNPARSED ADDRESS|FULL ADDRESS|STREET|LOCATION',
  city: 'CITY|TOWN|PROPERTY CITY|MUNICIPALITY',
  state: 'STATE|ST|STATE OR PROVINCE|PROPERTY STATE',
  zip: 'ZIP|ZIP CODE|ZIPCODE|POSTAL CODE|ZIP OR POSTAL CODE',
  county: 'COUNTY|COUNTY NAME|COUNTY OR PARISH',
  fips: 'FIPS|COUNTY FIPS|FIPS CODE',
  apn: 'APN|PARCEL|PARCEL NUMBER|PARCEL NO|PARCEL ID|PIN|PID|TAX ID|TAX PARCEL|TAX PARCEL NUMBER|ASSESSOR PARCEL NUMBER|TAX KEY|MAP LOT',
  latitude: 'LATITUDE|LAT|Y|Y COORD',
  longitude: 'LONGITUDE|LON|LNG|LONG|X|X COORD',
  lot_size:
    'LOT SIZE|LOT SIZE ACRES|ACRES|ACREAGE|LOT ACRES|APPROX ACRES|TOTAL ACRES|SIZE ACRES|AC|LOT SIZE SQFT|LOT SQFT|LOT SIZE SQUARE FEET|LOT SIZE SQ FT|LOT SF|LOT SIZE AREA|LOT AREA|LAND AREA|SIZE',
  // A price without a word may be the asked one.
  price: `${soldPrices}|PRICE|AMOUNT|${askingPrices}`,
  use: 'USE|LAND USE|PROPERTY USE|ZONING|USE CODE',
  list_date: 'LIST DATE|LISTED ON|DATE LISTED|LISTED|LISTING DATE|ON MARKET DATE|LISTING CONTRACT DATE',
  sold_date:
    'SOLD DATE|SALE DATE|SALES DATE|SOLD ON|DATE SOLD|DATE OF SALE|CLOSE DATE|CLOSED DATE|CLOSING DATE|CLOSED ON|CLOSED|DEED DATE|RECORDING DATE|TRANSFER DATE',
  days_on_market: 'DAYS ON MARKET|DOM|CDOM|MARKET DAYS',
  sale_type: 'SALE TYPE|TERMS|FINANCING',
  url: 'URL|LINK|LISTING URL|WEB|PAGE',
  photos: 'PHOTOS|IMAGES|PICTURES|PHOTO URLS',
};

const folded = (heading: string): string =>
  heading
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** SALEPRICE is SALE PRICE. */
const joined = (heading: string): string => folded(heading).replaceAll(' ', '');

const rankOf: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  compColumns.map(({ name, aliases = [] }) => [
    name,
    new Map(
      [...(headings[name]?.split('|') ?? []), name, ...aliases]
        .map((text, rank) => [joined(text), rank] as const)
        .reverse(),
    ),
  ]),
);

type Values = readonly string[];

const numbersOf = (values: Values): number[] => values.map(parseNumber).filter((value) => !Number.isNaN(value));
const share = (values: Values, is: (text: string) => boolean): number =>
  values.length === 0 ? 1 : values.filter(is).length / values.length;
const within = (low: number, high: number) => (text: string) => {
  const number = parseNumber(text);
  return number >= low && number <= high;
};

/** Typical values of a column; columns without a test accept any. The United States lie between these degrees. */
const tests: Readonly<Record<string, (text: string) => boolean>> = {
  status: (text) => foldSpaces(text) in statusWords,
  latitude: within(15, 72),
  longitude: within(-180, -60),
  lot_size: (text) => parseNumber(splitUnit(text)[0]) >= 0,
  price: (text) => parseNumber(text) >= 0,
  sold_date: (text) => guessDate(text) !== null,
  list_date: (text) => guessDate(text) !== null,
  days_on_market: (text) => Number.isInteger(parseNumber(text)),
  url: (text) => /^https?:/i.test(text),
  state: (text) => /^[A-Za-z]{2}$/.test(text),
};
const leastShare = 0.8;
const dateColumns = new Set(['sold_date', 'list_date']);

interface CompGuess {
  readonly heading: string;
  readonly expression: Expression;
  readonly reason: string;
}

/** The values below each heading, row by row. */
export interface CompCells {
  readonly columns: readonly string[];
  readonly of: (heading: string) => readonly (string | null)[];
  /** ISO day: future dates are unlikely. */
  readonly today?: string | undefined;
}

const filled = (cells: readonly (string | null)[]): string[] => cells.filter((cell) => cell !== null);

/** A column of the dictionary read from a heading, in the unit given by the heading, another column or the values. */
export function compExpression(
  column: string,
  heading: string,
  cells: CompCells,
): { expression: Expression; reason: string } {
  if (dateColumns.has(column)) {
    const date = dateFormatOf(filled(cells.of(heading)), cells.today);
    if (date !== null) return { expression: { from: heading, date }, reason: `by its heading, dates as ${date}` };
  }
  const screen = isScreen(column) ? guessScreen(column, heading, cells.of(heading)) : null;
  if (screen !== null) return screen;
  if (column !== 'lot_size') return { expression: heading, reason: 'by its heading' };
  const own = unitsInValues(filled(cells.of(heading)), leastShare);
  if (own) return { expression: { from: heading, scaleBy: own }, reason: 'by its heading, each value with its unit' };
  if (/\bAC(?:RES?|REAGE)?\b/.test(folded(heading))) return { expression: heading, reason: 'by its heading, in acres' };
  if (/\bSQ|\bSF\b/.test(folded(heading)))
    return { expression: { from: heading, scale: acresPerSquareFoot }, reason: 'by its heading, in square feet' };
  const unit = findUnitColumn(sampledColumns(cells.columns, cells.of));
  if (unit && unitsExplain(cells.of(heading), cells.of(unit.name), unit))
    return { expression: { from: heading, scaleBy: unit.scaleBy }, reason: `${unit.name} says the unit of each row` };
  const numbers = numbersOf(filled(cells.of(heading)))
    .filter((value) => value > 0)
    .sort((a, b) => a - b);
  const median = numbers[Math.floor(numbers.length / 2)];
  if (median === undefined) return { expression: heading, reason: 'by its heading' };
  const { acresPerUnit, reason } = unitBySize(median);
  return { expression: acresPerUnit === 1 ? heading : { from: heading, scale: acresPerUnit }, reason };
}

/** Share of the values that fit the column; dates of one form are all dates. */
function fitOf(column: string, heading: string, cells: CompCells): number {
  if (isScreen(column)) return guessScreen(column, heading, cells.of(heading)) === null ? 0 : 1;
  const values = filled(cells.of(heading));
  const test = tests[column];
  if (!test || (dateColumns.has(column) && dateFormatOf(values, cells.today) !== null)) return 1;
  return share(values, test);
}

export function guessComps(cells: CompCells): Map<string, CompGuess> {
  const { columns } = cells;
  const found = new Map<string, CompGuess>();
  const taken = new Set<string>();
  for (const [column, ranks] of rankOf) {
    const candidates = columns
      .filter((heading) => !taken.has(heading) && ranks.has(joined(heading)))
      .sort((a, b) => (ranks.get(joined(a)) ?? 0) - (ranks.get(joined(b)) ?? 0));
    for (const heading of candidates) {
      const fits = fitOf(column, heading, cells);
      if (fits < leastShare) continue;
      const { expression, reason } = compExpression(column, heading, cells);
      found.set(column, { heading, expression, reason: fits < 1 ? `${reason}; ${percentWords(fits)} fit` : reason });
      taken.add(heading);
      break;
    }
  }
  for (const column of readInOrder) {
    const first = found.get(column);
    const others = columns.filter((heading) => !taken.has(heading) && rankOf.get(column)?.has(joined(heading)));
    if (first) found.set(column, inOrder(column, first, others, cells));
  }
  return found;
}

const isAsking = (heading: string): boolean => askingPrices.split('|').some((one) => joined(one) === joined(heading));

/** What several columns may say of one sale, each in rows of its own. */
const readInOrder = ['price', 'sold_date', 'list_date'] as const;

/** The columns of one meaning, the best name first, as far as each fills rows that those before it leave. */
function inOrder(column: string, first: CompGuess, others: readonly string[], cells: CompCells): CompGuess {
  const ranks = rankOf.get(column);
  const known = (heading: string) =>
    cells.of(heading).map((text) => (column === 'price' && text !== null && !(parseNumber(text) > 0) ? null : text));
  const date = formatIn(first.expression);
  const read = [first.heading];
  let values = known(first.heading);
  for (const heading of others.toSorted((a, b) => (ranks?.get(joined(a)) ?? 0) - (ranks?.get(joined(b)) ?? 0))) {
    const { expression } = compExpression(column, heading, cells);
    if (fitOf(column, heading, cells) < leastShare || formatIn(expression) !== date) continue;
    const theirs = known(heading);
    const gain = theirs.filter((value, row) => value !== null && values[row] === null).length;
    if (!isAsking(heading) && gain < Math.max(1, leastFilledRows * values.length)) continue;
    values = values.map((value, row) => value ?? theirs[row] ?? null);
    read.push(heading);
  }
  if (read.length === 1) return first;
  const shares = read.map(
    (heading) => [heading, known(heading).filter((one) => one !== null).length / values.length] as const,
  );
  // An unsold lot has no sale price, or 0.
  const from = read.map((heading, at) =>
    column === 'price' && at < read.length - 1 ? { from: heading, nullIf: [0] } : heading,
  );
  const isSoldElseAsking =
    column === 'price' && read.length === 2 && !isAsking(first.heading) && isAsking(read[1] ?? '');
  const reason = isSoldElseAsking ? 'the sale price, or the asking price of what is not sold' : inOrderWords(shares);
  return { heading: first.heading, expression: date === undefined ? { from } : { from, date }, reason };
}

const formatIn = (expression: Expression): DateFormat | undefined =>
  typeof expression === 'object' ? expression.date : undefined;
