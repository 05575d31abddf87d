/** Pages of a sorted list in plain JavaScript. */
import type { OrderKernels } from './kernels.ts';
import type { Views } from './kernels-memory.ts';

const isSet = (u32: Uint32Array, start: number, bit: number): boolean =>
  (((u32[start + (bit >>> 5)] as number) >>> (bit & 31)) & 1) === 1;

/** What a walk goes over and writes, in entries of the u32 view, and how far it is. */
interface Walk {
  readonly order: number;
  readonly bits: number;
  readonly out: number;
  readonly take: number;
  toSkip: number;
  written: number;
}

/** Goes over the entries from `from` up to `to`, until the walk has taken what it wants. */
function walkEntries(u32: Uint32Array, walk: Walk, from: number, to: number): void {
  const { order, bits, out, take } = walk;
  let { toSkip, written } = walk;
  for (let entry = from; entry < to && written < take; entry++) {
    const position = u32[order + entry] as number;
    if (!isSet(u32, bits, position)) continue;
    if (toSkip > 0) toSkip--;
    else u32[out + written++] = position;
  }
  walk.toSkip = toSkip;
  walk.written = written;
}

export function plainOrders(views: () => Views): OrderKernels {
  const walkOf = (order: number, bits: number, skip: number, take: number, out: number): Walk => ({
    order: order >>> 2,
    bits: bits >>> 2,
    out: out >>> 2,
    take,
    toSkip: skip,
    written: 0,
  });
  return {
    walk: (order, from, to, bits, skip, take, out) => {
      const walk = walkOf(order, bits, skip, take, out);
      walkEntries(views().u32, walk, from, to);
      return walk.written;
    },
    walkDown: (order, starts, from, to, bits, skip, take, out) => {
      const { u32 } = views();
      const walk = walkOf(order, bits, skip, take, out);
      for (let end = to; end > from && walk.written < take; ) {
        let begin = end - 1;
        while (begin > from && !isSet(u32, starts >>> 2, begin)) begin--;
        walkEntries(u32, walk, begin, end);
        end = begin;
      }
      return walk.written;
    },
    countOrdered: (order, from, to, bits) => {
      const { u32 } = views();
      let count = 0;
      for (let entry = from; entry < to; entry++)
        if (isSet(u32, bits >>> 2, u32[(order >>> 2) + entry] as number)) count++;
      return count;
    },
  };
}
