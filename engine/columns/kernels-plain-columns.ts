/**
 * Predicates over codes in plain JavaScript. Codes of every width are read through the u32 view: one kind of array, so
 * that each loop is compiled for one. A half word of 32 rows is decided whole while many of its rows are left, row by
 * row otherwise.
 */
import type { ColumnKernels, Flag } from './kernels.ts';
import type { Views } from './kernels-memory.ts';
import { bitsIn, lowestBit } from './kernels-plain-bitmaps.ts';

/** Up to so many rows of 32 it is quicker to look at those alone. */
const sparseRows = 8;

/** How the code of a row is found in the u32 view: entry + (row >>> rowShift), then a shift and a mask. */
interface Width {
  readonly bits: 8 | 16 | 32;
  readonly rowShift: 0 | 1 | 2;
  readonly mask: number;
}

const widths: Record<8 | 16 | 32, Width> = {
  8: { bits: 8, rowShift: 2, mask: 0xff },
  16: { bits: 16, rowShift: 1, mask: 0xffff },
  32: { bits: 32, rowShift: 0, mask: -1 },
};

/** An interval of codes as one unsigned comparison, code − low ≤ span, and what becomes of its answer. */
interface CodeTest {
  readonly low: number;
  readonly span: number;
  /** 1: the rows within the interval go, the others stay. */
  readonly flip: Flag;
  /** 1: code 0 stays whatever else holds. */
  readonly keepZero: Flag;
}

/** The test of a range kernel, or what becomes of every row. */
function codeTest(low: number, high: number, max: number, passUnknown: Flag, negate: Flag): CodeTest | 'all' | 'none' {
  const top = Math.min(high, max);
  if (low <= top) return { low, span: top - low, flip: negate, keepZero: passUnknown };
  if (negate === 1) return 'all';
  return passUnknown === 1 ? { low: 0, span: 0, flip: 0, keepZero: 0 } : 'none';
}

/** The code of a row, with its high bit as a sign when it is 32 bits wide. */
const codeAt = (u32: Uint32Array, first: number, row: number, { rowShift, bits, mask }: Width): number =>
  ((u32[first + (row >>> rowShift)] as number) >>> ((row * bits) & 31)) & mask;

/**
 * Which of 32 rows, those of `half` at least, have a code with code − low ≤ span, unsigned. Without a branch or a
 * comparison, which V8 compiles to a branch: the borrow of span − (code − low) says it (H. S. Warren, Hacker's Delight,
 * 2nd edition, 2-12).
 */
function rowsWithin(
  u32: Uint32Array,
  first: number,
  row: number,
  half: number,
  width: Width,
  low: number,
  span: number,
): number {
  let beyond = 0;
  if (bitsIn(half) > sparseRows) {
    for (let bit = 0; bit < 32; bit++) {
      const offset = (codeAt(u32, first, row + bit, width) - low) | 0;
      beyond |= (((~span & offset) | ((~span | offset) & (span - offset))) >>> 31) << bit;
    }
  } else {
    for (let rest = half; rest !== 0; rest &= rest - 1) {
      const bit = lowestBit(rest);
      const offset = (codeAt(u32, first, row + bit, width) - low) | 0;
      beyond |= (((~span & offset) | ((~span | offset) & (span - offset))) >>> 31) << bit;
    }
  }
  return ~beyond;
}

function keepRange(width: Width, u32: Uint32Array, column: number, bits: number, words: number, test: CodeTest): void {
  const low = test.low | 0;
  const span = test.span | 0;
  const flip = test.flip === 1 ? -1 : 0;
  const first = column >>> 2;
  const start = bits >>> 2;
  for (let index = 0; index < words * 2; index++) {
    const half = u32[start + index] as number;
    if (half === 0) continue;
    let hits = rowsWithin(u32, first, index * 32, half, width, low, span) ^ flip;
    if (test.keepZero === 1) hits |= rowsWithin(u32, first, index * 32, half, width, 0, 0);
    u32[start + index] = half & hits;
  }
}

function keepMembers(width: Width, views: Views, column: number, bits: number, words: number, table: number): void {
  const { u8, u32 } = views;
  const first = column >>> 2;
  const start = bits >>> 2;
  for (let index = 0; index < words * 2; index++) {
    let half = u32[start + index] as number;
    const row = index * 32;
    for (let rest = half; rest !== 0; rest &= rest - 1) {
      const bit = lowestBit(rest);
      if (u8[table + (codeAt(u32, first, row + bit, width) >>> 0)] === 0) half ^= 1 << bit;
    }
    u32[start + index] = half;
  }
}

function addHistogram(width: Width, u32: Uint32Array, column: number, bits: number, words: number, to: number): void {
  const first = column >>> 2;
  const start = bits >>> 2;
  const counts = to >>> 2;
  for (let index = 0; index < words * 2; index++) {
    const row = index * 32;
    for (let rest = u32[start + index] as number; rest !== 0; rest &= rest - 1) {
      const at = counts + (codeAt(u32, first, row + lowestBit(rest), width) >>> 0);
      u32[at] = (u32[at] as number) + 1;
    }
  }
}

export function plainColumns(views: () => Views): ColumnKernels {
  const range =
    (width: Width): ColumnKernels['range8'] =>
    (column, bits, words, low, high, passUnknown, negate) => {
      const { u32 } = views();
      const test = codeTest(low, high, width.mask >>> 0, passUnknown, negate);
      if (test === 'all') return;
      if (test === 'none') u32.fill(0, bits >>> 2, (bits >>> 2) + words * 2);
      else keepRange(width, u32, column, bits, words, test);
    };
  const member =
    (width: Width): ColumnKernels['member8'] =>
    (column, bits, words, table) =>
      keepMembers(width, views(), column, bits, words, table);
  const histogram =
    (width: Width): ColumnKernels['histogram8'] =>
    (column, bits, words, counts) =>
      addHistogram(width, views().u32, column, bits, words, counts);
  return {
    range8: range(widths[8]),
    range16: range(widths[16]),
    range32: range(widths[32]),
    member8: member(widths[8]),
    member16: member(widths[16]),
    member32: member(widths[32]),
    histogram8: histogram(widths[8]),
    histogram16: histogram(widths[16]),
    histogram32: histogram(widths[32]),
  };
}
