/** Converts a file's values to the type of their target column. */
import type { DateFormat } from '../../spec/date-formats.ts';
import { ownerTypes, slopeEdgesPercent } from '../../spec/parcel-columns.ts';
import { gridNumber } from '../../spec/plss/grid-number.ts';
import { nameOrders } from './contact-fields.ts';
import { parseDnc, parseLineType } from './contact-words.ts';
import type { TargetColumn } from './mapping-target.ts';
import { guessDate, isoFromParts, isZeroDate, parseDate } from './parse-date.ts';
import { stateCodeOf, zipDigits } from './state-codes.ts';
import { limitOf, maxLengthOf } from './value-limits.ts';

export { maxTextLength } from './value-limits.ts';

export type StoredValue = string | number | null;

/** Receives the reason why a value is unreadable; null: it is readable. One object for a whole import. */
export interface Fault {
  reason: string | null;
}

export type Converter = (raw: unknown, fault: Fault) => StoredValue;

interface ConvertOptions {
  /** Replaces the column's own: texts as in the file, numbers before scaling. */
  readonly nullIf?: readonly (string | number)[];
  readonly scale?: number;
  readonly date?: DateFormat;
  readonly yes?: readonly string[];
  readonly no?: readonly string[];
  /** ISO date after which nothing can have happened yet. */
  readonly latestDate?: string;
}

/** A value as text, without surrounding blanks; null if empty. */
export function textOf(raw: unknown): string | null {
  if (typeof raw === 'string') return raw.trim() || null;
  if (typeof raw === 'number') return Number.isFinite(raw) ? String(raw) : null;
  if (typeof raw === 'boolean') return raw ? 'true' : 'false';
  if (raw === null || raw === undefined || typeof raw === 'function') return null;
  return JSON.stringify(raw) ?? null;
}

const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** No number or date is longer; expressions that search at every end would take minutes for megabytes of text. */
const maxPlainLength = 64;

const digitOf = (text: string, at: number): number => text.charCodeAt(at) - 0x30;
const pointDigit = '.'.charCodeAt(0) - 0x30;
const longestExact = 15;
const powersOfTen = Array.from({ length: longestExact + 1 }, (_, zeros) => Number(`1e${zeros}`));

/**
 * Digits with at most one point, by hand: takes half the time of an expression and `Number`. A whole number of 15
 * digits and a power of ten up to 10¹⁵ are exact, so that their quotient is the nearest number. NaN for any other text.
 */
function decimalIn(text: string): number {
  const end = text.length;
  if (end > longestExact + 1) return Number.NaN;
  let [number, point] = [0, -1];
  for (let at = 0; at < end; at++) {
    const digit = digitOf(text, at);
    if (digit >= 0 && digit <= 9) number = number * 10 + digit;
    else if (digit === pointDigit && point < 0) point = at;
    else return Number.NaN;
  }
  const digits = point < 0 ? end : end - 1;
  if (digits === 0 || digits > longestExact) return Number.NaN;
  return point < 0 ? number : number / (powersOfTen[end - point - 1] as number);
}

/** `1234.50000`, `$1,234.50`, `(1,234)`, `12.5 %`; NaN if it is not a number. */
export function parseNumber(text: string): number {
  const plain = decimalIn(text);
  if (!Number.isNaN(plain)) return plain;
  if (text.length > maxPlainLength) return Number.NaN;
  if (plainNumber.test(text)) return Number(text);
  const isNegative = (text.startsWith('(') && text.endsWith(')')) || text.endsWith('-');
  const bare = text.replace(/[$,%\s()]/g, '').replace(/-$/, '');
  // A comma groups thousands; `1,5` and `0,456` have a decimal comma: one and a half must not become fifteen.
  if (text.includes(',') && !/^\D*[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?\D*$/.test(text)) return Number.NaN;
  if (!plainNumber.test(bare)) return Number.NaN;
  return isNegative ? -Math.abs(Number(bare)) : Number(bare);
}

const allControlCharacters = /\p{Cc}/gu;

/**
 * Written by hand: a regular expression costs ten times as much on names and codes, and every text of a county passes
 * here.
 */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}

const flagged = (fault: Fault, reason: string): null => {
  fault.reason = reason;
  return null;
};

/** Texts and numbers that mean empty, looked up before anything is parsed. */
export function splitNulls(nullIf: readonly (string | number)[]): {
  texts: ReadonlySet<string>;
  numbers: readonly number[];
} {
  return {
    texts: new Set(nullIf.map((value) => String(value))),
    numbers: nullIf.filter((value) => typeof value === 'number'),
  };
}

function numberConverter(column: TargetColumn, options: ConvertOptions): Converter {
  const own = splitNulls(options.nullIf ?? []);
  const defaults = options.nullIf ? [] : (column.nullIf ?? []);
  const scale = options.scale ?? 1;
  const finish = finishNumber(column);
  const limit = limitOf(column);
  return (raw, fault) => {
    let number: number;
    if (typeof raw === 'number') number = raw;
    else {
      const text = textOf(raw);
      if (text === null || (own.texts.size > 0 && own.texts.has(text))) return null;
      number = parseNumber(text);
    }
    if (!Number.isFinite(number)) return flagged(fault, 'no number');
    if (own.numbers.includes(number)) return null;
    const value = finish(number * scale, fault);
    if (value === null || defaults.includes(value)) return null;
    fault.reason = limit(value);
    return fault.reason === null ? value : null;
  };
}

/** Rounds to the column's precision, and refuses what it cannot hold. */
function finishNumber(column: TargetColumn): (number: number, fault: Fault) => number | null {
  const { type, unit, decimals } = column;
  // Measures are rounded; years and counts are integers or wrong.
  if (type === 'money' || (type === 'integer' && unit !== undefined)) {
    return (number, fault) => {
      const rounded = Math.round(number);
      return Number.isSafeInteger(rounded) ? rounded + 0 : flagged(fault, 'too large');
    };
  }
  if (type === 'integer') {
    return (number, fault) => (Number.isSafeInteger(number) ? number + 0 : flagged(fault, 'no whole number'));
  }
  const factor = 10 ** (decimals ?? 5);
  const round = (number: number, fault: Fault) => {
    const rounded = Math.round(number * factor) / factor;
    return Number.isFinite(rounded) ? rounded + 0 : flagged(fault, 'too large');
  };
  if (type !== 'percent') return round;
  return (number, fault) =>
    number >= 0 && number <= 100 ? round(number, fault) : flagged(fault, 'no percentage from 0 to 100');
}

/** A number of only digits; NaN if another character occurs. */
function digitsIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = digitOf(text, at);
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** The stored form `2026-07-01` skips the expressions that tell formats apart: takes a quarter of the time. */
function isIsoDate(text: string): boolean {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false;
  return isoFromParts(digitsIn(text, 0, 4), digitsIn(text, 5, 7), digitsIn(text, 8, 10)) === text;
}

/** Databases and spreadsheets write an unknown date as the first of their calendars. */
const unknownDays = new Set(['1899-12-30', '1899-12-31', '1900-01-01']);

function dateConverter(options: ConvertOptions): Converter {
  const nulls = splitNulls(options.nullIf ?? []).texts;
  const { date: format, latestDate } = options;
  const read = dateReader(format);
  return (raw, fault) => {
    const text = textOf(raw);
    const date = text === null || nulls.has(text) ? undefined : read(text);
    if (date === undefined || (date !== null && unknownDays.has(date))) return null;
    if (date === null) return flagged(fault, format ? `no date of the form ${format}` : 'no date');
    return latestDate === undefined || date <= latestDate ? date : flagged(fault, `later than ${latestDate}`);
  };
}

/** An ISO date; null: not a date; undefined: an unknown one. */
function dateReader(format: DateFormat | undefined): (text: string) => string | null | undefined {
  const parse = format ? (text: string) => parseDate(text, format) : guessDate;
  const takesIso = format === undefined || format === 'YYYY-MM-DD';
  return (text) => {
    if (takesIso && isIsoDate(text)) return text;
    if (isZeroDate(text)) return undefined;
    return text.length > maxPlainLength ? null : parse(text);
  };
}

const usualYes = ['Y', 'YES', 'TRUE', 'T', '1', '1.0'];
const usualNo = ['N', 'NO', 'FALSE', 'F', '0', '0.0'];

/** In the usual words; null: in neither. */
export const yesOrNo = (text: string): boolean | null => {
  const folded = text.trim().toUpperCase();
  return usualYes.includes(folded) ? true : usualNo.includes(folded) ? false : null;
};

/** A mapping that lists only its yes values reads every other value as no, and vice versa. */
function booleanConverter(options: ConvertOptions): Converter {
  const nulls = splitNulls(options.nullIf ?? []).texts;
  const upper = (values: readonly string[]) => new Set(values.map((value) => value.trim().toUpperCase()));
  const isOwn = options.yes !== undefined || options.no !== undefined;
  const yes = upper(options.yes ?? (isOwn ? [] : usualYes));
  const no = upper(options.no ?? (isOwn ? [] : usualNo));
  const otherwise = options.no === undefined && options.yes !== undefined ? 0 : options.yes === undefined ? 1 : null;
  return (raw, fault) => {
    const text = textOf(raw);
    if (text === null || nulls.has(text)) return null;
    const folded = text.toUpperCase();
    if (yes.has(folded)) return 1;
    if (no.has(folded)) return 0;
    return isOwn && otherwise !== null ? otherwise : flagged(fault, 'neither yes nor no');
  };
}

function textConverter(column: TargetColumn, options: ConvertOptions): Converter {
  const nulls = splitNulls(options.nullIf ?? []).texts;
  const maxLength = maxLengthOf(column);
  return (raw, fault) => {
    if (typeof raw === 'number' && Math.abs(raw) > Number.MAX_SAFE_INTEGER) {
      return flagged(fault, 'a number with more digits than can be read exactly');
    }
    let text = textOf(raw);
    if (text === null) return null;
    if (text.length > maxLength) return flagged(fault, `longer than ${maxLength} characters`);
    if (hasControlCharacter(text)) text = text.replace(allControlCharacters, ' ').trim() || null;
    return text === null || (nulls.size > 0 && nulls.has(text)) ? null : text;
  };
}

/** `1.23E+10`: a spreadsheet shortened a long number, and its digits are lost. */
const shortenedNumber = /^\d(?:\.\d+)?E\+\d{2,}$/i;

/** An APN is a text or a number; other values of a file would look like one and identify nothing. */
function apnConverter(toText: Converter): Converter {
  return (raw, fault) => {
    if (typeof raw === 'number') return toText(raw, fault);
    if (typeof raw !== 'string') return flagged(fault, 'no text');
    const isShortened = raw.length <= maxPlainLength && shortenedNumber.test(raw.trim());
    return isShortened
      ? flagged(fault, 'a number shortened by a spreadsheet: its digits are lost')
      : toText(raw, fault);
  };
}

function ownerTypeConverter(toText: Converter): Converter {
  return (raw, fault) => {
    const text = toText(raw, fault);
    if (text === null) return null;
    const type = String(text).toLowerCase();
    return ownerTypes.some((one) => one === type) ? type : flagged(fault, `none of ${ownerTypes.join(', ')}`);
  };
}

function stateConverter(toText: Converter): Converter {
  return (raw, fault) => {
    const text = toText(raw, fault);
    return text === null ? null : (stateCodeOf(String(text)) ?? flagged(fault, 'no two-letter state'));
  };
}

/** `T5N` from what rolls write: 5N, 05N, T5N, T 5 North. A county's own townships have names. */
const gridConverter =
  (letter: 'T' | 'R') =>
  (toText: Converter): Converter =>
  (raw, fault) => {
    const text = toText(raw, fault);
    return text === null
      ? null
      : (gridNumber(letter, String(text)) ?? flagged(fault, `nothing like ${letter}5${letter === 'T' ? 'N' : 'W'}`));
  };

/** Texts of a special kind, by column name; a comp's APN is read like a parcel's. */
const textKinds: ReadonlyMap<string, (toText: Converter) => Converter> = new Map([
  ['apn', apnConverter],
  ['owner_type', ownerTypeConverter],
  ['situs_state', stateConverter],
  ['mailing_state', stateConverter],
  ['township', gridConverter('T')],
  ['range', gridConverter('R')],
]);

function zipConverter(keepsNine: boolean, options: ConvertOptions): Converter {
  const nulls = splitNulls(options.nullIf ?? []).texts;
  return (raw, fault) => {
    const text = textOf(raw);
    if (text === null || nulls.has(text)) return null;
    const zip = zipDigits(text);
    if (zip === undefined) return flagged(fault, 'no ZIP code of the United States');
    if (zip === null) return null;
    // 0000 and incomplete extensions say nothing about the box or block.
    return keepsNine && zip.four.length === 4 && zip.four !== '0000' ? `${zip.five}-${zip.four}` : zip.five;
  };
}

const percentsConverter: Converter = (raw, fault) => {
  let list: unknown = raw;
  if (typeof raw === 'string') {
    if (raw.trim() === '') return null;
    try {
      list = JSON.parse(raw);
    } catch {
      return flagged(fault, 'no JSON list');
    }
  }
  if (list === null || list === undefined) return null;
  const isFit =
    Array.isArray(list) &&
    list.length === slopeEdgesPercent.length &&
    list.every((item) => typeof item === 'number' && item >= 0 && item <= 100);
  return isFit ? JSON.stringify(list) : flagged(fault, `no list of ${slopeEdgesPercent.length} percentages`);
};

/** @param read undefined: an unexpected text */
function wordConverter(
  read: (text: string) => string | number | null | undefined,
  expected: string,
  options: ConvertOptions,
): Converter {
  const nulls = splitNulls(options.nullIf ?? []).texts;
  return (raw, fault) => {
    const text = textOf(raw);
    if (text === null || nulls.has(text)) return null;
    const value = read(text);
    return value === undefined ? flagged(fault, expected) : value;
  };
}

const flagOf = (text: string): number | null | undefined => {
  const flag = parseDnc(text);
  return typeof flag === 'boolean' ? Number(flag) : flag;
};

const orderOf = (text: string): string | undefined => nameOrders.find((order) => order === text.toLowerCase());

export function converterFor(column: TargetColumn, options: ConvertOptions = {}): Converter {
  if (column.name === 'situs_zip') return zipConverter(false, options);
  if (column.name === 'mailing_zip') return zipConverter(true, options);
  switch (column.type) {
    case 'text': {
      const toText = textConverter(column, options);
      return textKinds.get(column.name)?.(toText) ?? toText;
    }
    case 'date':
      return dateConverter(options);
    case 'boolean':
      return booleanConverter(options);
    case 'zip':
      return zipConverter(false, options);
    case 'do_not_call':
      return options.yes || options.no
        ? booleanConverter(options)
        : wordConverter(flagOf, 'expected yes or no', options);
    case 'line_type':
      return wordConverter(parseLineType, 'expected Mobile or Landline', options);
    case 'name_order':
      return wordConverter(orderOf, `expected ${nameOrders.join(' or ')}`, options);
    case 'percents':
      return percentsConverter;
    default:
      return numberConverter(column, options);
  }
}
