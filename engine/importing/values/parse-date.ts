/**
 * Parses counties' dates into ISO. No regular expressions over the whole text and no Date: this runs for every parcel.
 */
import type { DateFormat } from '../../spec/date-formats.ts';

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const daysOfMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const millisecondsPerDay = 86_400_000;

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** ISO, or null if it is not a calendar date. Years before 1600 are typing errors (0204 for 2004). */
export function isoFromParts(year: number, month: number, day: number): string | null {
  if (!(year >= 1600 && year <= 2999 && month >= 1 && month <= 12 && day >= 1)) return null;
  if (day > (daysOfMonths[month - 1] ?? 0) || (month === 2 && day === 29 && !isLeapYear(year))) return null;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

function isoFromEpoch(milliseconds: number): string | null {
  const date = new Date(Math.floor(milliseconds / millisecondsPerDay) * millisecondsPerDay);
  if (Number.isNaN(date.getTime())) return null;
  return isoFromParts(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** The text's digits as a number; NaN for anything else. */
const wholeNumber = (text: string | undefined): number =>
  text !== undefined && text.length > 0 && text.length <= 4 && /^\d+$/.test(text) ? Number(text) : Number.NaN;

/** The date without its time of day: `2016/05/13 00:00:00+00`, `2016-05-13 T00:00:00Z`, `5/13/16  0:00`. */
function withoutTime(text: string): string {
  let end = text.search(/[ T]\d{1,2}:/);
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === 'T')) end--;
  return end >= 6 ? text.slice(0, end) : text;
}

/** Only zeros and separators: a common spelling of an unknown date. */
export const isZeroDate = (text: string): boolean => /^[0/.\- :]*$/.test(text);

type PartOrder = readonly [year: number, month: number, day: number];

function fromParts(text: string, separator: string, [year, month, day]: PartOrder): string | null {
  const parts = text.split(separator);
  if (parts.length !== 3 || parts[year]?.length !== 4) return null;
  return isoFromParts(wholeNumber(parts[year]), wholeNumber(parts[month]), wholeNumber(parts[day]));
}

/** Follows the eight digits of a date, as in `20160513143000`. */
const timeDigits = /^(?:(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?)?(?:\.0+)?$/;

function fromDigits(text: string, year: number, month: number, day: number): string | null {
  if (text.length !== 8 || !/^\d{8}$/.test(text)) return null;
  return isoFromParts(
    Number(text.slice(year, year + 4)),
    Number(text.slice(month, month + 2)),
    Number(text.slice(day, day + 2)),
  );
}

function fromMonthName(text: string): string | null {
  const [day, month, year] = text.split(/[- ]/);
  if (year?.length !== 4 || month === undefined) return null;
  return isoFromParts(wholeNumber(year), months.indexOf(month.slice(0, 3).toUpperCase()) + 1, wholeNumber(day));
}

/** `Jan 02, 2024`, `January 2 2024` */
function fromMonthFirst(text: string): string | null {
  const [month = '', day, year, ...more] = text.replace(',', ' ').split(/ +/);
  if (year?.length !== 4 || more.length > 0 || !/^\p{L}{3,9}\.?$/u.test(month)) return null;
  return isoFromParts(wholeNumber(year), months.indexOf(month.slice(0, 3).toUpperCase()) + 1, wholeNumber(day));
}

/** Two-digit years from here on are 19xx: Excel's rule. */
const firstYearOf1900s = 30;

function fromShortYear(text: string, separator: string): string | null {
  const parts = text.split(separator);
  if (parts.length !== 3 || parts[2]?.length !== 2) return null;
  const year = wholeNumber(parts[2]);
  return isoFromParts(year + (year < firstYearOf1900s ? 2000 : 1900), wholeNumber(parts[0]), wholeNumber(parts[1]));
}

/** Excel counts days from 1899-12-30; before March 1900 its calendar is wrong, but such dates do not occur. */
const excelDay0 = Date.UTC(1899, 11, 30);
const fromExcelDays = (text: string): string | null =>
  /^\d{2,6}(\.\d+)?$/.test(text) && Number(text) > 60
    ? isoFromEpoch(excelDay0 + Math.floor(Number(text)) * millisecondsPerDay)
    : null;

const fromSeconds = (text: string, scale: number) =>
  /^-?\d{1,16}(\.0+)?$/.test(text) ? isoFromEpoch(Number(text) * scale) : null;

const parsers: Record<DateFormat, (text: string) => string | null> = {
  'YYYY-MM-DD': (text) => fromParts(text, '-', [0, 1, 2]),
  'YYYY/MM/DD': (text) => fromParts(text, '/', [0, 1, 2]),
  YYYYMMDD: (text) => (timeDigits.test(text.slice(8)) ? fromDigits(text.slice(0, 8), 0, 4, 6) : null),
  'MM/DD/YYYY': (text) => fromParts(text, '/', [2, 0, 1]),
  'MM-DD-YYYY': (text) => fromParts(text, '-', [2, 0, 1]),
  MMDDYYYY: (text) => fromDigits(text, 4, 0, 2),
  'DD/MM/YYYY': (text) => fromParts(text, '/', [2, 1, 0]),
  'DD-MM-YYYY': (text) => fromParts(text, '-', [2, 1, 0]),
  'DD-MON-YYYY': fromMonthName,
  'MON DD YYYY': fromMonthFirst,
  'DD.MM.YYYY': (text) => fromParts(text, '.', [2, 1, 0]),
  'MM/DD/YY': (text) => fromShortYear(text, '/'),
  'MM-DD-YY': (text) => fromShortYear(text, '-'),
  epoch_ms: (text) => fromSeconds(text, 1),
  epoch_s: (text) => fromSeconds(text, 1000),
  excel_days: fromExcelDays,
};

/** ISO date of a text in this format, or null. */
export function parseDate(text: string, format: DateFormat): string | null {
  const parse = parsers[format];
  return parse(format.startsWith('epoch') || format === 'excel_days' ? text : withoutTime(text));
}

/**
 * ISO date of a text in an unknown format: year first, or the American month first; eight digits; integer milliseconds
 * since 1970 (nine or ten digits may also be seconds). Does not guess two-digit years.
 */
export function guessDate(given: string): string | null {
  const text = withoutTime(given);
  // Exports of number columns write 20160513.0
  const whole = /^\d{8}\.0+$/.test(text) ? text.slice(0, 8) : text;
  if (/^\d{8}$/.test(whole)) return fromDigits(whole, 0, 4, 6);
  if (/^-?\d{11,15}(\.0+)?$/.test(text)) return isoFromEpoch(Number(text));
  if (text.indexOf('-') === 4) return fromParts(text, '-', [0, 1, 2]);
  if (text.indexOf('/') === 4) return fromParts(text, '/', [0, 1, 2]);
  if (text.includes('/')) return fromParts(text, '/', [2, 0, 1]);
  return fromParts(text, '-', [2, 0, 1]) ?? fromMonthName(text);
}
