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

/** Rows of those parcels that belong to this county. */
export function rowsOfIds(county: CountyColumns, ids: ArrayLike<number>): Uint32Array {
  const rows = new Uint32Array(ids.length);
  let count = 0;
  for (let at = 0; at < ids.length; at++) {
    const row = county.rowOf(ids[at] as number);
    if (row >= 0) rows[count++] = row;
  }
  return rows.subarray(0, count);
}

const keptBits = new WeakMap<CountyColumns, WeakMap<ArrayLike<number>, Uint8Array>>();

/**
 * The same as a bitmap, cached per set: callers that pass the same object must never change it. Otherwise a list of
 * 100,000 parcels costs 5 ms at every move of a slider.
 */
export function bitsOfIds(county: CountyColumns, ids: ArrayLike<number>): Uint8Array {
  const sets = keptBits.get(county) ?? new WeakMap<ArrayLike<number>, Uint8Array>();
  keptBits.set(county, sets);
  const known = sets.get(ids);
  if (known) return known;
  const bits = new Uint8Array(county.words * 8);
  for (const row of rowsOfIds(county, ids)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  sets.set(ids, bits);
  return bits;
}
