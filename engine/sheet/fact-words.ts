/** A parcel's facts in words, for sheets and pages. */
import type { ParcelColumn } from '../spec/parcel-columns.ts';

export const dollars = (value: number): string => `$${Math.round(value).toLocaleString('en-US')}`;

/** The unit, taken from the column's name. */
function unitOf(name: string): string {
  if (/acres$/.test(name)) return ' ac';
  if (/sqft$/.test(name)) return ' sq ft';
  if (/_ft$/.test(name)) return ' ft';
  return /_percent$/.test(name) ? ' %' : '';
}

/** The value in words; null if unknown. */
export function factText({ type, name }: ParcelColumn, value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (type === 'money') return dollars(value as number);
  if (type === 'percent') return `${(value as number).toLocaleString('en-US', { maximumFractionDigits: 1 })} %`;
  if (type === 'boolean') return value === true ? 'yes' : 'no';
  // Years have no thousands separator.
  if (typeof value === 'number' && !/year/.test(name))
    return `${value.toLocaleString('en-US', { maximumFractionDigits: 2 })}${unitOf(name)}`;
  return String(value);
}
