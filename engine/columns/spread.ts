/** The distribution of a column's values over some rows. */
import type { CountyColumns, LoadedColumn } from './county-columns.ts';

/** Rows by code; entry 0 counts the unknown. */
export function countCodes(county: CountyColumns, column: LoadedColumn, bits: number): Uint32Array {
  const { memory, kernels, words } = county;
  const entries = column.scale.count + 1;
  // The kernel of 8-bit codes always needs 256 entries.
  return memory.withScratch(Math.max(entries, 256) * 4, (counts) => {
    memory.numbers(counts, entries).fill(0);
    const { width } = column;
    const count = width === 1 ? kernels.histogram8 : width === 2 ? kernels.histogram16 : kernels.histogram32;
    count(column.at, bits, words, counts);
    return memory.numbers(counts, entries).slice();
  });
}

/** Rows whose code is in each of the ranges. */
export function countRanges(
  county: CountyColumns,
  { at, width }: LoadedColumn,
  bits: number,
  ranges: readonly { readonly low: number; readonly high: number }[],
): number[] {
  const { memory, kernels, words } = county;
  const range = width === 1 ? kernels.range8 : width === 2 ? kernels.range16 : kernels.range32;
  return memory.withBitmap((part) =>
    ranges.map(({ low, high }) => {
      kernels.copy(part, bits, words);
      range(at, part, words, low, high, 0, 0);
      return kernels.count(part, words);
    }),
  );
}

/** The value at a rank of the rows' sorted values, from 0; null past the last known one. */
export function valueAtRank(county: CountyColumns, name: string, bits: number, rank: number): number | string | null {
  const column = county.column(name);
  const order = county.order(name);
  if (!order) return null;
  const { memory, kernels } = county;
  const row = memory.withScratch(4, (out) =>
    kernels.walk(order.at, 0, order.known, bits, rank, 1, out) === 1 ? (memory.numbers(out, 1)[0] as number) : null,
  );
  return row === null ? null : column.scale.value(county.codes(column)[row] as number);
}
