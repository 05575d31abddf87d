/** Bitmaps in plain JavaScript, as pairs of 32-bit halves: BigInt words were ten times slower. */
import type { BitmapKernels } from './kernels.ts';
import type { Views } from './kernels-memory.ts';

/** Set bits of 32. H. S. Warren, Hacker's Delight, 2nd edition, figure 5-2. */
export function bitsIn(half: number): number {
  let sum = half - ((half >>> 1) & 0x5555_5555);
  sum = (sum & 0x3333_3333) + ((sum >>> 2) & 0x3333_3333);
  sum = (sum + (sum >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(sum, 0x0101_0101) >>> 24;
}

/** Position of the lowest set bit of a half that has one. */
export const lowestBit = (half: number): number => 31 - Math.clz32(half & -half);

export function plainBitmaps(views: () => Views): BitmapKernels {
  return {
    fillRows: (bits, words, rows) => {
      const { u32 } = views();
      const first = bits >>> 2;
      const full = rows >>> 5;
      u32.fill(0xffff_ffff, first, first + full);
      u32.fill(0, first + full, first + words * 2);
      if ((rows & 31) !== 0) u32[first + full] = 2 ** (rows & 31) - 1;
    },
    clear: (bits, words) => void views().u32.fill(0, bits >>> 2, (bits >>> 2) + words * 2),
    copy: (to, from, words) => void views().u32.copyWithin(to >>> 2, from >>> 2, (from >>> 2) + words * 2),
    ...combining(views),
    ...counting(views),
    setPositions: (bits, positions, count) => {
      const { u32 } = views();
      const first = bits >>> 2;
      for (let index = positions >>> 2, end = index + count; index < end; index++) {
        const position = u32[index] as number;
        const at = first + (position >>> 5);
        u32[at] = (u32[at] as number) | (1 << (position & 31));
      }
    },
    clearPositions: (bits, positions, count) => {
      const { u32 } = views();
      const first = bits >>> 2;
      for (let index = positions >>> 2, end = index + count; index < end; index++) {
        const position = u32[index] as number;
        const at = first + (position >>> 5);
        u32[at] = (u32[at] as number) & ~(1 << (position & 31));
      }
    },
  };
}

function combining(views: () => Views): Pick<BitmapKernels, 'and' | 'andNot' | 'or'> {
  return {
    and: (to, from, words) => {
      const { u32 } = views();
      const [left, right] = [to >>> 2, from >>> 2];
      for (let index = 0; index < words * 2; index++)
        u32[left + index] = (u32[left + index] as number) & (u32[right + index] as number);
    },
    andNot: (to, from, words) => {
      const { u32 } = views();
      const [left, right] = [to >>> 2, from >>> 2];
      for (let index = 0; index < words * 2; index++)
        u32[left + index] = (u32[left + index] as number) & ~(u32[right + index] as number);
    },
    or: (to, from, words) => {
      const { u32 } = views();
      const [left, right] = [to >>> 2, from >>> 2];
      for (let index = 0; index < words * 2; index++)
        u32[left + index] = (u32[left + index] as number) | (u32[right + index] as number);
    },
  };
}

function counting(views: () => Views): Pick<BitmapKernels, 'count' | 'countAnd' | 'select'> {
  return {
    count: (bits, words) => {
      const { u32 } = views();
      let count = 0;
      for (let index = bits >>> 2, end = index + words * 2; index < end; index++) count += bitsIn(u32[index] as number);
      return count;
    },
    countAnd: (a, b, words) => {
      const { u32 } = views();
      const [left, right] = [a >>> 2, b >>> 2];
      let count = 0;
      for (let index = 0; index < words * 2; index++)
        count += bitsIn((u32[left + index] as number) & (u32[right + index] as number));
      return count;
    },
    select: (bits, words, skip, take, out) => {
      const { u32 } = views();
      const first = bits >>> 2;
      const write = out >>> 2;
      let toSkip = skip;
      let written = 0;
      for (let index = 0; index < words * 2 && written < take; index++) {
        let half = u32[first + index] as number;
        const count = bitsIn(half);
        if (count <= toSkip) {
          toSkip -= count;
          continue;
        }
        for (; toSkip > 0; toSkip--) half &= half - 1;
        for (; half !== 0 && written < take; half &= half - 1) u32[write + written++] = index * 32 + lowestBit(half);
      }
      return written;
    },
  };
}
