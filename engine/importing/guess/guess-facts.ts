/** Statistics of a column's values, from which a guess is made. Shares are of the values present. */

import { type DateFormat, dateFormats } from '../../spec/date-formats.ts';
import { parseNumber } from '../values/convert-value.ts';
import { guessDate, isZeroDate, parseDate } from '../values/parse-date.ts';
import { stateCodeOf, usStates } from '../values/state-codes.ts';

export interface ColumnFacts {
  readonly rows: number;
  readonly filled: number;
  readonly distinct: number;
  /** Shares, 0 to 1. */
  readonly numbers: number;
  readonly integers: number;
  readonly zeros: number;
  readonly years: number;
  readonly dates: number;
  readonly zips: number;
  readonly states: number;
  /** Written as money, of those that are not 0: `$1,200`. */
  readonly dollars: number;
  readonly yesNo: number;
  readonly withDigits: number;
  readonly withSpaces: number;
  readonly streets: number;
  readonly boxes: number;
  /** Ends in a state and a ZIP code. */
  readonly wholeLines: number;
  readonly identifiers: number;
  /** Median of the numbers above 0; NaN without any. */
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly meanLength: number;
  /** The format that reads nearly all dates; null: each is read by itself. */
  readonly dateFormat: DateFormat | null;
  /** By state, how many values name it. */
  readonly statesFound: ReadonlyMap<string, number>;
  /** Texts that mark a missing value, as the file writes them. */
  readonly placeholders: readonly string[];
  /** Rises by one per row: a row number, not a parcel number. */
  readonly isRowNumber: boolean;
}

const placeholderWords = new Set([
  '<NULL>',
  'NULL',
  'N/A',
  'NA',
  'NONE',
  'UNKNOWN',
  'UNK',
  'NO DATA',
  '(NULL)',
  '-',
  '--',
  '.',
  'TBD',
]);
const streetWord =
  /\b(?:RD|ROAD|ST|STREET|AVE?|AVENUE|DR|DRIVE|LN|LANE|CT|COURT|CIR|CIRCLE|HWY|HIGHWAY|WAY|BLVD|PL|PLACE|TER|TERRACE|TRL|TRAIL|PKWY|LOOP|RTE|ROUTE|PIKE|RUN|PATH|SQ|ALY|CV|XING|PT)\b/i;
const boxWord = /\bP\.?\s?O\.?\s?BOX\b|\bBOX\s+\d|\bRR\s*\d/i;
const lineEnd = /\s[A-Z]{2}\.?,?\s+\d{5}(?:-?\d{4})?$/i;
const zipForm = /^\d{5}(?:\s*-?\s*\d{4})?(?:\.0+)?$/;
const identifierForm = /^[A-Z\d][A-Z\d .\-/_]*$/i;
const dollarForm = /\$|\d,\d{3}/;
const yesNoWords = new Set(['Y', 'N', 'YES', 'NO', 'T', 'F', 'TRUE', 'FALSE', '0', '1']);
/**
 * No address, ZIP code, name or parcel number is longer. Expressions that search at every end would take hours for
 * megabytes of text, such as a second shape in hexadecimal.
 */
export const maxFormLength = 200;
const latestYear = 2100;
const earliestYear = 1600;

const isYear = (number: number): boolean => Number.isInteger(number) && number >= earliestYear && number <= latestYear;

/** A meaningful date: zeros mean unknown, and eight digits or more may be any number. */
const isDate = (text: string): boolean => {
  const date = guessDate(text);
  return date !== null && date >= '1700' && date <= '2100';
};

class Tally {
  readonly counts = new Map<string, number>();

  /** How many values the text stands for. */
  weight = 1;

  add(name: string, isTrue = true): void {
    if (isTrue) this.counts.set(name, (this.counts.get(name) ?? 0) + this.weight);
  }

  share(name: string, of: number): number {
    return of === 0 ? 0 : (this.counts.get(name) ?? 0) / of;
  }
}

/**
 * @param values texts without surrounding blanks; null if missing. One per row
 * @param today ISO day: future dates are unlikely; without it none are
 */
export function factsOf(values: readonly (string | null)[], today?: string): ColumnFacts {
  const texts = values.filter((value) => value !== null);
  const placeholders = [...new Set(texts.filter((text) => placeholderWords.has(text.toUpperCase())))];
  const real = placeholders.length === 0 ? texts : texts.filter((text) => !placeholders.includes(text));
  const tally = new Tally();
  const numbers: number[] = [];
  const states = new Map<string, number>();
  // Each different text once: towns, codes and years repeat thousands of times.
  for (const [text, { length }] of Map.groupBy(real, (one) => one)) {
    tally.weight = length;
    tallyText(text, tally, numbers, states);
  }
  const above = numbers.filter((number) => number > 0).sort((a, b) => a - b);
  const dated = real.filter((text) => !isZeroDate(text));
  const share = (name: string) => tally.share(name, real.length);
  return {
    rows: values.length,
    filled: real.length,
    distinct: new Set(real).size,
    numbers: share('number'),
    integers: share('integer'),
    zeros: share('zero'),
    years: tally.share('year', real.length - (tally.counts.get('zero') ?? 0)),
    dates: tally.share('date', dated.length),
    zips: share('zip'),
    states: share('state'),
    dollars: tally.share('dollar', real.length - (tally.counts.get('zero') ?? 0)),
    yesNo: share('yesNo'),
    withDigits: share('digit'),
    withSpaces: share('space'),
    streets: share('street'),
    boxes: share('box'),
    wholeLines: share('whole'),
    identifiers: share('identifier'),
    median: above[Math.floor(above.length / 2)] ?? Number.NaN,
    min: above[0] ?? Number.NaN,
    max: above.at(-1) ?? Number.NaN,
    meanLength: real.reduce((sum, text) => sum + text.length, 0) / Math.max(real.length, 1),
    dateFormat: dateFormatOf(dated, today),
    statesFound: states,
    placeholders,
    isRowNumber: isRowNumber(values),
  };
}

function tallyText(text: string, tally: Tally, numbers: number[], states: Map<string, number>): void {
  const number = parseNumber(text);
  if (!Number.isNaN(number)) {
    for (let count = 0; count < tally.weight; count++) numbers.push(number);
    tally.add('number');
    tally.add('integer', Number.isInteger(number));
    tally.add('zero', number === 0);
    tally.add('dollar', dollarForm.test(text));
    tally.add('year', isYear(number));
  }
  tally.add('digit', /\d/.test(text));
  tally.add('space', text.includes(' '));
  if (text.length <= maxFormLength) tallyForms(text, tally, states);
}

function tallyForms(text: string, tally: Tally, states: Map<string, number>): void {
  tally.add('date', isDate(text));
  tally.add('zip', zipForm.test(text));
  tally.add('yesNo', yesNoWords.has(text.toUpperCase()));
  tally.add('box', boxWord.test(text));
  tally.add('whole', lineEnd.test(text));
  tally.add('street', /^\d+\S*\s+\S/.test(text) || streetWord.test(text) || boxWord.test(text));
  tally.add('identifier', identifierForm.test(text) && /\d/.test(text));
  const state = text.length <= 20 && !/\d/.test(text) ? stateCodeOf(text) : null;
  if (state === null || !usStates.has(state)) return;
  tally.add('state');
  states.set(state, (states.get(state) ?? 0) + tally.weight);
}

const formatShare = 0.98;

/**
 * A format is returned only if it reads what the general reading does not, or reads it differently.
 * @param today ISO day: future dates are unlikely; without it none are
 */
export function dateFormatOf(texts: readonly string[], today = lastOfAll): DateFormat | null {
  if (texts.length === 0) return null;
  // Twelve or fourteen digits: each alone would be milliseconds.
  if (isNearlyAll(texts, isDayAndTime)) return 'YYYYMMDD';
  const byItself = texts.map(guessDate);
  if (isNearlyAll(byItself, (date) => date !== null))
    return areMilliseconds(texts, byItself, today) ? 'epoch_ms' : null;
  return dateFormats.find((format) => isLikely(format, texts, today) && !mayBeOther(format, texts, today)) ?? null;
}

const isDayAndTime = (text: string): boolean =>
  /^(?:1[6-9]|20)\d{10}(?:\d\d)?$/.test(text) && parseDate(text, 'YYYYMMDD') !== null;

/**
 * Dates around 1970 have too few digits to tell milliseconds from seconds: reading each alone loses them, reading by
 * column does not, because its other dates are long. The general reading of the rest must not change.
 */
function areMilliseconds(texts: readonly string[], byItself: readonly (string | null)[], today: string): boolean {
  if (!isNearlyAll(texts, (text) => /^-?\d{11,15}(\.0+)?$/.test(text))) return false;
  if (byItself.some((date, row) => date !== null && date !== parseDate(texts[row] ?? '', 'epoch_ms'))) return false;
  return isLikely('epoch_ms', texts, today);
}

/**
 * Any integer is a date in these formats: before this year the numbers are probably something else, as years would be
 * among Excel's days.
 */
const firstLikely: ReadonlyMap<DateFormat, string> = new Map([
  ['epoch_ms', '1901'],
  ['epoch_s', '1901'],
  ['excel_days', '1930'],
]);
const firstLikelyOfAll = '1800';
const lastOfAll = '9999-12-31';
/** A full year is certain, and a placeholder date (`01/01/1753`, `31/12/2999`) may be on many rows. */
const leastLikelyOf = (format: DateFormat): number => (format.includes('YYYY') ? 0.5 : 0.9);

const isNearlyAll = <Item>(items: readonly Item[], test: (item: Item) => boolean): boolean =>
  items.filter(test).length >= formatShare * items.length;

/**
 * Whether the format reads nearly all values as past days. In the wrong unit they all fall at the beginning: seconds as
 * milliseconds, or MDDYYYY as seconds, give 1970.
 */
function isLikely(format: DateFormat, texts: readonly string[], today: string): boolean {
  const dates = texts.map((text) => parseDate(text, format)).filter((date) => date !== null);
  if (dates.length < formatShare * texts.length) return false;
  const first = firstLikely.get(format);
  const likely = dates.filter(
    (date) => date >= (first ?? firstLikelyOfAll) && date <= today && (first === undefined || !date.startsWith('1970')),
  );
  return likely.length >= leastLikelyOf(format) * dates.length;
}

/**
 * `16085`, the 85th day of 2016, and `19954`, the last quarter of 1995: date codes of computers without a date type.
 */
const notExcelDays: readonly RegExp[] = [
  /^\d{0,3}(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])(?:\.0+)?$/,
  /^(?:18|19|20)\d\d[1-4](?:\.0+)?$/,
];

/** Two years: other numbers may lie as close together, but hardly up to today, as last year's sales do. */
const leastExcelDays = 731;
const inExcel = (day: string): number => Date.parse(day) / 86_400_000 + 25_569;

/** Whether another reading explains the values as well: a wrong date is worse than one reported as unreadable. */
function mayBeOther(format: DateFormat, texts: readonly string[], today: string): boolean {
  if (format === 'MM/DD/YY' || format === 'MM-DD-YY') return isNearlyAll(texts, isYearFirst);
  if (format !== 'excel_days') return false;
  const days = texts.map(Number).filter((day) => !Number.isNaN(day));
  days.sort((a, b) => a - b);
  const spare = Math.floor((days.length * (1 - formatShare)) / 2);
  const [first = 0, last = 0] = [days[spare], days.at(-1 - spare)];
  // No other reading comes so near to today: Julian days end with the year 46.
  if (inExcel(today) - last < leastExcelDays) return false;
  return last - first < leastExcelDays || notExcelDays.some((form) => isNearlyAll(texts, (text) => form.test(text)));
}

/** `05-08-27`: a year is never written with one digit. */
function isYearFirst(text: string): boolean {
  const [, year, month, day] = /^(\d\d)[-/](\d\d?)[-/](\d\d?)(?!\d)/.exec(text) ?? [];
  return year !== undefined && parseDate(`${month}/${day}/${year}`, 'MM/DD/YY') !== null;
}

/** Share of values that a date format, or the general reading, understands. */
export const datedShare = ({ dates, dateFormat }: ColumnFacts): number => (dateFormat === null ? dates : 1);

function isRowNumber(values: readonly (string | null)[]): boolean {
  if (values.length < 20) return false;
  let steps = 0;
  for (let row = 1; row < values.length; row++) {
    const [before, here] = [Number(values[row - 1] ?? Number.NaN), Number(values[row] ?? Number.NaN)];
    if (here - before === 1) steps++;
  }
  return steps >= 0.95 * (values.length - 1);
}

export interface Agreement {
  /** Acres per unit. */
  readonly acresPerUnit: number;
  readonly unit: string;
  /** Share of the parcels with both values known that differ by at most 3 percent. */
  readonly share: number;
  /** Nearly all agree within a thousandth: computed from the shapes. */
  readonly isComputed: boolean;
  readonly compared: number;
  /** `2,674` means 2.674: a thousandth of the number agrees in the same unit, and no other reading does. */
  readonly isDecimalComma: boolean;
}

const units: readonly (readonly [string, number])[] = [
  ['acres', 1],
  ['square feet', 1 / 43_560],
  ['square meters', 1 / 4046.8564224],
  ['hectares', 2.4710538147],
];
const leastCompared = 5;

/** How a column's numbers agree with the areas of the shapes, in the best fitting unit; null: nothing to compare. */
export function agreementOf(values: readonly (string | null)[], acres: readonly (number | null)[]): Agreement | null {
  const pairs = values.flatMap((value, row): [number, number][] => {
    const number = value === null ? Number.NaN : parseNumber(value);
    const mapped = acres[row];
    return number > 0 && mapped !== null && mapped !== undefined && mapped > 0.005 ? [[number, mapped]] : [];
  });
  if (pairs.length < leastCompared) return null;
  const within = (tolerance: number, perUnit: number) =>
    pairs.filter(([number, mapped]) => Math.abs(number * perUnit - mapped) <= tolerance * mapped).length / pairs.length;
  const [best] = units
    .map(([unit, acresPerUnit]) => ({ unit, acresPerUnit, share: within(0.03, acresPerUnit) }))
    .sort((a, b) => b.share - a.share);
  if (!best) return null;
  const haveCommas = values.every((value) => value === null || /^\d{1,3},\d{3}$/.test(value));
  const isDecimalComma = haveCommas && best.share < 0.2 && within(0.03, 0.001) >= 0.5;
  return { ...best, isComputed: within(0.001, best.acresPerUnit) >= 0.98, compared: pairs.length, isDecimalComma };
}
