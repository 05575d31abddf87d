/**
 * Pages of a sorted list, however deep. Walking is quick near an end; further in, the entries in front of the page are
 * counted by halves: the number of an entry's bucket is kept bit by bit, one bitmap of rows per bit, so that how many
 * set rows lie in a half is one AND and one count (the bit-sliced index of P. O'Neil and D. Quass, "Improved query
 * performance with variant indexes", SIGMOD 1997). 900,000 entries in: 0.09 ms instead of 0.7.
 */
import type { Kernels } from './kernels.ts';
import type { KernelMemory } from './kernels-memory.ts';

/** Bitmaps of a ladder: 256 buckets, 4,096 entries each in a million. */
export const ladderSlices = 8;

/** Rows to pass over from which counting by halves is quicker than walking. */
const deepRows = 30_000;

/** A column's order, in a memory. Offsets as in kernels.ts. */
export interface SortedRows {
  /** u32 positions of rows by value, equal values by position. */
  readonly order: number;
  readonly entries: number;
  /** Bitmap of entries: where a value begins. */
  readonly starts: number;
  /** `ladderSlices` bitmaps of `words` words. */
  readonly ladder: number;
}

/** An entry's bucket is the entry without its lowest so many bits. */
export const ladderShift = (entries: number): number =>
  Math.max(0, Math.ceil(Math.log2(Math.max(entries, 1))) - ladderSlices);

/** Fills the bitmaps of `ladder`, which may hold anything. */
export function writeLadder(kernels: Kernels, { order, entries, ladder }: SortedRows, words: number): void {
  kernels.clear(ladder, words * ladderSlices);
  for (let level = 0; level < ladderSlices; level++) {
    const run = 2 ** (ladderShift(entries) + ladderSlices - 1 - level);
    for (let from = run; from < entries; from += 2 * run)
      kernels.setPositions(ladder + level * words * 8, order + from * 4, Math.min(run, entries - from));
  }
}

export interface PageRequest {
  /** The matches; all of them must have entries in the order. */
  readonly bits: number;
  readonly words: number;
  /** Set bits of `bits`. */
  readonly count: number;
  readonly isDescending: boolean;
  readonly skip: number;
  readonly take: number;
  /** A bitmap to work in. */
  readonly scratch: number;
  /** Room for `take` u32, two at least. */
  readonly out: number;
}

/** Writes the positions of the page to `out`, by value and where values are equal by position; answers how many. */
export function sortedPage(kernels: Kernels, memory: KernelMemory, sorted: SortedRows, page: PageRequest): number {
  const { order, entries, starts } = sorted;
  const { bits, count, skip, take, out } = page;
  if (skip >= count) return 0;
  if (!page.isDescending) {
    if (skip < deepRows) return kernels.walk(order, 0, entries, bits, skip, take, out);
    const { from, before } = bucketOf(kernels, memory, sorted, page, skip);
    return kernels.walk(order, from, entries, bits, before, take, out);
  }
  if (skip < deepRows) return kernels.walkDown(order, starts, 0, entries, bits, skip, take, out);
  // The row wanted has the value of the one that has as many behind it, because both lists have the same values.
  const mirrored = count - 1 - skip;
  const { from, to, before } = bucketOf(kernels, memory, sorted, page, mirrored);
  const end = nextStart(memory, starts, to, entries);
  const above = count - (mirrored - before) - kernels.countOrdered(order, from, end, bits);
  return kernels.walkDown(order, starts, 0, end, bits, skip - above, take, out);
}

/** The entries of the bucket that holds set row number `skip` by value, and how many set rows of it come before. */
function bucketOf(kernels: Kernels, memory: KernelMemory, sorted: SortedRows, page: PageRequest, skip: number) {
  const { bits, scratch, words, out } = page;
  kernels.seek(sorted.ladder, ladderSlices, bits, scratch, words, skip, out);
  const [bucket = 0, before = 0] = new Uint32Array(memory.buffer, out, 2);
  const size = 2 ** ladderShift(sorted.entries);
  return { from: bucket * size, to: Math.min((bucket + 1) * size, sorted.entries), before };
}

/** The first entry from `entry` on that begins a value, or the end. */
function nextStart(memory: KernelMemory, starts: number, entry: number, entries: number): number {
  const bytes = new Uint8Array(memory.buffer, starts, Math.ceil(entries / 8));
  let at = entry;
  while (at < entries && (((bytes[at >>> 3] as number) >>> (at & 7)) & 1) === 0) at++;
  return at;
}
