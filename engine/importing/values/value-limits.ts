/** Limits of the dictionary's values. Anything beyond is a mistake of the file: reported, and not stored. */
import { importColumns } from '../../spec/parcel-columns.ts';
import type { TargetColumn } from './mapping-target.ts';

/** Longer texts are not names, addresses or codes, and would slow every index and answer. */
export const maxTextLength = 4000;
/** Metes and bounds of a ranch can fill pages. */
const maxLegalDescription = 40_000;

/** Comps have columns of their own, with other limits. */
const ofDictionary = new Set<TargetColumn>(importColumns);

export function maxLengthOf(column: TargetColumn): number {
  if (!ofDictionary.has(column)) return Number.POSITIVE_INFINITY;
  return column.name === 'legal_description' ? maxLegalDescription : maxTextLength;
}

/** Larger than any acreage or length on Earth in feet. */
const largestMeasure = 1e10;
const isYear = ({ name }: TargetColumn): boolean => name.endsWith('_year') || name === 'year_built';
/** Some land lies below sea level; a tax may be a refund. */
const mayBeNegative = ({ name }: TargetColumn): boolean => name.startsWith('elevation_') || name === 'tax_amount';

/** Why the column cannot hold this number; null if it can. */
export function limitOf(column: TargetColumn): (number: number) => string | null {
  if (!ofDictionary.has(column)) return () => null;
  if (isYear(column)) return (year) => (year >= 1500 && year <= 2200 ? null : 'no year from 1500 to 2200');
  const isNegativeFine = mayBeNegative(column);
  const largest = column.type === 'money' ? Number.MAX_SAFE_INTEGER : largestMeasure;
  return (number) => {
    if (number < 0 && !isNegativeFine) return 'negative';
    return Math.abs(number) > largest ? 'too large' : null;
  };
}
