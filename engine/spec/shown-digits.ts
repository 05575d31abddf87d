/** How many decimals of a number people read: in the window, and in the answers of an assistant. */
import type { ParcelColumn } from './parcel-columns.ts';

const unitDigits: Readonly<Record<string, number>> = { ac: 2, ft: 0 };

/** Decimals of a dictionary column; undefined: up to two, as many as the number has. */
export const shownDigits = ({ type, unit }: Pick<ParcelColumn, 'type' | 'unit'>): number | undefined =>
  type === 'money' ? 0 : type === 'percent' ? 1 : unitDigits[unit ?? ''];

/** Dollars per acre: cents only where a dollar would be more than a hundredth. */
export const perAcreDigits = (value: number): number => (value < 100 ? 2 : 0);

/** Degrees of a place: about a meter. */
export const degreeDigits = 5;

/** Rounds as the words of the number do (number-words.ts): 1.005 is 1.01, whatever its bits say. */
export const roundTo = (value: number, digits = 2): number =>
  Number.isInteger(value)
    ? value
    : Number(value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: digits })) || 0;
