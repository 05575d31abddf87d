/** Formats numbers, dates and values for people. Units are separate, to appear beside them in gray. */
import { formatDate } from '../../engine/spec/date-words.ts';
import { formatMoney, formatMonths, formatNumber, noBreak } from '../../engine/spec/number-words.ts';
import { type ParcelColumn, parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { shownDigits } from '../../engine/spec/shown-digits.ts';

/** Keeps the percent signs of a sentence beside their numbers. */
export const keepPercents = (text: string): string => text.replaceAll(/(?<=\d) (?=%)/g, noBreak);

/** `09:42`, in this computer's time zone. */
export const formatTime = (at: string): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

export const columnLabel = (name: string): string => parcelColumnsByName.get(name)?.label ?? name;

interface Shown {
  readonly text: string;
  readonly unit?: string;
}

/** A value of a dictionary column; null stays null, so that the caller words the unknown. */
export function formatColumn(column: ParcelColumn, value: unknown): Shown | null {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no' };
  if (typeof value === 'number') return formatColumnNumber(column, value);
  if (column.type === 'date') return { text: formatDate(String(value)) };
  return { text: Array.isArray(value) ? value.join(', ') : String(value) };
}

function formatColumnNumber(column: ParcelColumn, value: number): Shown {
  const { name, type, unit } = column;
  if (type === 'money') return { text: formatMoney(value) };
  if (unit === 'months') return { text: formatMonths(value) };
  // Years are names, not amounts.
  if (/year$|year_built/.test(name)) return { text: String(value) };
  return { text: formatNumber(value, shownDigits(column)), ...(unit ? { unit } : {}) };
}

/** Parses a typed number: `1,200`, `$1200`, `12 %`; undefined for an empty text, null for an invalid one. */
export function parseNumber(text: string): number | undefined | null {
  const plain = text.replace(/[\s,$%]/g, '').replace('−', '-');
  if (plain === '') return undefined;
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** `1,200`, not `10,5`: half the world writes ten and a half that way, and would get 105. */
export const hasCommasInPlace = (text: string): boolean =>
  !text.includes(',') || /^[^\d,.]*\d{1,3}(,\d{3})+(?![\d,])/.test(text);

export { counted as plural } from '../../engine/spec/counted.ts';
export {
  formatMoney,
  formatMonths,
  formatNumber,
  formatPercent,
  minus,
} from '../../engine/spec/number-words.ts';
export { formatDate };
