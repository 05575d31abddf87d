/** Positions of rows in and out of bitmaps. */
import type { CountyColumns } from './county-columns.ts';

/** Positions of all set rows. */
export function rowsOf({ memory, kernels, words }: CountyColumns, bits: number): Uint32Array {
  const count = kernels.count(bits, words);
  return memory.withScratch(count * 4, (out) => {
    kernels.select(bits, words, 0, count, out);
    return memory.numbers(out, count).slice();
  });
}

/** Clears the bits of some rows. */
export function clearRows({ memory, kernels }: CountyColumns, bits: number, rows: Uint32Array): void {
  memory.withScratch(rows.byteLength, (at) => {
    memory.numbers(at, rows.length).set(rows);
    kernels.clearPositions(bits, at, rows.length);
  });
}

/** Sets the bits of some rows. */
export function setRows({ memory, kernels }: CountyColumns, bits: number, rows: Uint32Array): void {
  memory.withScratch(rows.byteLength, (at) => {
    memory.numbers(at, rows.length).set(rows);
    kernels.setPositions(bits, at, rows.length);
  });
}
