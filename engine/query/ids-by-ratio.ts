/** Orders a result by a ratio of two numbers, which is not stored. */
import { rowsOf } from '../columns/county-rows.ts';
import { decodedNumbers } from '../columns/decode-numbers.ts';
import type { CountyMatches } from '../columns/pages.ts';
import { sortedPlaces } from '../columns/sort-numbers.ts';

export interface Ratio {
  readonly value: string;
  readonly by: string;
}

/** Columns of the results table that the dictionary lacks; row-columns.ts derives their SQL from the same table. */
export const ratioColumns: Readonly<Record<string, Ratio>> = {
  market_value_per_acre: { value: 'market_total_value', by: 'effective_acres' },
};

/** property_ids, those without a ratio last; ties by property_id. */
export function idsByRatio(
  matches: readonly CountyMatches[],
  { value, by }: Ratio,
  isDescending: boolean,
): Float64Array {
  const ids: number[] = [];
  const ratios: number[] = [];
  const without: number[] = [];
  for (const { county, bits } of matches) {
    const rows = rowsOf(county, bits);
    const [values, divisors] = [decodedNumbers(county, value, rows), decodedNumbers(county, by, rows)];
    for (let i = 0; i < rows.length; i++) {
      const id = county.id(rows[i] as number);
      const ratio = (values[i] as number) / (divisors[i] as number);
      // NaN for an unknown, infinite for a division by zero.
      if (Number.isFinite(ratio)) {
        ids.push(id);
        ratios.push(ratio);
      } else without.push(id);
    }
  }
  const places = sortedPlaces(
    Float64Array.from(ratios),
    isDescending,
    (a, b) => (ids[a] as number) - (ids[b] as number),
  );
  const ordered = new Float64Array(ids.length + without.length);
  for (const [at, place] of places.entries()) ordered[at] = ids[place] as number;
  ordered.set(
    without.sort((a, b) => a - b),
    ids.length,
  );
  return ordered;
}
