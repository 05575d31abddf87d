/** Bounding boxes in plain JavaScript. */
import type { BoxKernels } from './kernels.ts';
import type { Views } from './kernels-memory.ts';
import { lowestBit } from './kernels-plain-bitmaps.ts';

interface Box {
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

/** Four arrays of boxes one after the other, in entries of the f32 view. */
interface BoxArrays {
  readonly first: number;
  readonly stride: number;
}

const boxArrays = (at: number, stride: number): BoxArrays => ({ first: at >>> 2, stride });

function meets(f32: Float32Array, { first, stride }: BoxArrays, index: number, query: Box): boolean {
  const at = first + index;
  return (
    (f32[at] as number) <= query.maxX &&
    (f32[at + stride] as number) >= query.minX &&
    (f32[at + 2 * stride] as number) <= query.maxY &&
    (f32[at + 3 * stride] as number) >= query.minY
  );
}

function liesWithin(f32: Float32Array, { first, stride }: BoxArrays, index: number, query: Box): boolean {
  const at = first + index;
  return (
    (f32[at] as number) >= query.minX &&
    (f32[at + stride] as number) <= query.maxX &&
    (f32[at + 2 * stride] as number) >= query.minY &&
    (f32[at + 3 * stride] as number) <= query.maxY
  );
}

function keepMeeting(f32: Float32Array, boxes: BoxArrays, row: number, half: number, query: Box): number {
  let hits = 0;
  for (let rest = half; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    if (meets(f32, boxes, row + bit, query)) hits |= 1 << bit;
  }
  return hits;
}

/** The grid of `classify`, with its tables as entries of their views. */
interface Grid {
  readonly originX: number;
  readonly originY: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly columns: number;
  readonly rows: number;
  readonly sat: number;
  readonly inside: number;
}

/** Cells are counted from 0; NaN falls into the first. */
function cellOf(value: number, origin: number, scale: number, cells: number): number {
  const place = (value - origin) * scale;
  if (place >= cells - 1) return cells - 1;
  return place > 0 ? Math.trunc(place) : 0;
}

const outside = 0;
const inside = 1;
const unsure = 2;

/** On which side of the boundary a box lies: outside, inside, or unsure. */
function sideOf({ f32, u32, u8 }: Views, { first, stride }: BoxArrays, index: number, grid: Grid): number {
  const at = first + index;
  const left = cellOf(f32[at] as number, grid.originX, grid.scaleX, grid.columns);
  const right = cellOf(f32[at + stride] as number, grid.originX, grid.scaleX, grid.columns) + 1;
  const bottom = cellOf(f32[at + 2 * stride] as number, grid.originY, grid.scaleY, grid.rows);
  const top = cellOf(f32[at + 3 * stride] as number, grid.originY, grid.scaleY, grid.rows) + 1;
  const lower = grid.sat + bottom * (grid.columns + 1);
  const upper = grid.sat + top * (grid.columns + 1);
  const entered =
    (u32[upper + right] as number) -
    (u32[upper + left] as number) -
    (u32[lower + right] as number) +
    (u32[lower + left] as number);
  if (entered !== 0) return unsure;
  return u8[grid.inside + bottom * grid.columns + left] === 1 ? inside : outside;
}

/** Decides the rows of one half word one by one. */
function decideRows(views: Views, boxes: BoxArrays, at: number, unsureAt: number, row: number, grid: Grid): void {
  const { u32 } = views;
  const half = u32[at] as number;
  let kept = 0;
  let moved = 0;
  for (let rest = half; rest !== 0; rest &= rest - 1) {
    const bit = lowestBit(rest);
    const side = sideOf(views, boxes, row + bit, grid);
    if (side === inside) kept |= 1 << bit;
    else if (side === unsure) moved |= 1 << bit;
  }
  u32[at] = kept;
  u32[unsureAt] = (u32[unsureAt] as number) | moved;
}

export function plainBoxes(views: () => Views): BoxKernels {
  return {
    boxes: (rowBoxes, wordBoxes, located, bits, words, minX, maxX, minY, maxY) => {
      const { f32, u32 } = views();
      const query: Box = { minX, maxX, minY, maxY };
      const ofRows = boxArrays(rowBoxes, words * 64);
      const ofWords = boxArrays(wordBoxes, words);
      for (let index = 0; index < words * 2; index++) {
        const at = (bits >>> 2) + index;
        const half = (u32[at] as number) & (u32[(located >>> 2) + index] as number);
        const word = index >>> 1;
        if (half === 0 || !meets(f32, ofWords, word, query)) u32[at] = 0;
        else if (liesWithin(f32, ofWords, word, query)) u32[at] = half;
        else u32[at] = keepMeeting(f32, ofRows, index * 32, half, query);
      }
    },
    classify: (rowBoxes, wordBoxes, bits, unsureBits, words, ...rest) => {
      const all = views();
      const [originX, originY, scaleX, scaleY, columns, rows, sat, insideAt] = rest;
      const grid: Grid = { originX, originY, scaleX, scaleY, columns, rows, sat: sat >>> 2, inside: insideAt };
      const ofRows = boxArrays(rowBoxes, words * 64);
      const ofWords = boxArrays(wordBoxes, words);
      for (let index = 0; index < words * 2; index++) {
        const at = (bits >>> 2) + index;
        if (all.u32[at] === 0) continue;
        const side = sideOf(all, ofWords, index >>> 1, grid);
        if (side === outside) all.u32[at] = 0;
        else if (side === unsure) decideRows(all, ofRows, at, (unsureBits >>> 2) + index, index * 32, grid);
      }
    },
  };
}
