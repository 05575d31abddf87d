/** Money in few signs: values as a range, rounded; offers and sums in thousands and millions. */
import { formatMoney, formatNumber } from '../parts/format.ts';
import type { Deal } from './desk-state.ts';

const thousands = (value: number): string => `${formatNumber(value / 1000)}k`;

function rounded(value: number): number {
  const step = value < 50_000 ? 1000 : value < 200_000 ? 5000 : 10_000;
  return Math.round(value / step) * step;
}

/** `110k–190k`; null without a value. */
export const rangeWords = ({
  value_low: low,
  value_high: high,
}: Pick<Deal, 'value_low' | 'value_high'>): string | null =>
  low === null || high === null ? null : `${thousands(rounded(low))}–${thousands(rounded(high))}`;

/** `$27k`; exact below ten thousand. */
export const offerWords = (dollars: number): string =>
  dollars < 10_000 ? formatMoney(dollars) : `$${formatNumber(dollars / 1000, 1).replace(/\.0$/, '')}k`;

/** `$0.9M` from a hundred thousand on. */
export const sumWords = (dollars: number): string =>
  dollars < 100_000 ? formatMoney(dollars) : `$${formatNumber(dollars / 1_000_000, 1)}M`;
