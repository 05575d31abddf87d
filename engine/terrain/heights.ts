/** Reads the heights of a home: tiles of terrain.sqlite, and smooth heights anywhere between their pixels. */
import type { SqliteFile } from '../store/sqlite.ts';
import { type PackedHeights, tileSide, unpackHeights } from './height-tile.ts';
import { scratch } from './scratch.ts';

/** Heights are stored for these zooms; deeper ones are interpolated. */
export const firstHeightZoom = 8;
export const lastHeightZoom = 13;

/** Unpacked tiles that are kept: a contour tile needs up to nine, its neighbor six of the same. */
const keptTiles = 64;

/** The heights of the counties together: where two overlap, the first with a known height counts. */
export class Heights {
  readonly #file: SqliteFile;
  readonly #kept = new Map<string, Float32Array | null>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  /** @returns shared heights, to read at once: later calls overwrite them; null if none are known */
  tile(zoom: number, x: number, y: number): Float32Array | null {
    const name = `${zoom}/${x}/${y}`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    const tile = this.#read(zoom, x, y, this.#kept.size < keptTiles ? undefined : this.#dropOldest());
    this.#kept.set(name, tile);
    return tile;
  }

  #dropOldest(): Float32Array | undefined {
    const [name, tile] = this.#kept.entries().next().value as [string, Float32Array | null];
    this.#kept.delete(name);
    return tile ?? undefined;
  }

  /** @param free written, if given */
  #read(zoom: number, x: number, y: number, free: Float32Array | undefined): Float32Array | null {
    const tiles = this.#file
      .all<PackedHeights>(
        'SELECT lowest, step, steps FROM height_tiles WHERE zoom = ? AND x = ? AND y = ? ORDER BY fips',
        zoom,
        x,
        y,
      )
      .map((packed, index) => unpackHeights(packed, index === 0 ? free : undefined));
    const [first = null, ...others] = tiles;
    for (const other of others) fillUnknown(first as Float32Array, other);
    return first;
  }

  /**
   * Heights on a square lattice over a tile, in meters, NaN where unknown: a cubic B-spline through the stored pixels, so that
   * contours and shades are smooth where cells are larger than pixels.
   * @param from the first position, and `step` to the next, as fractions of the tile's width
   */
  lattice(zoom: number, x: number, y: number, { from, step, side }: Lattice): Float32Array {
    const level = Math.min(zoom, lastHeightZoom);
    const pixels = tileSide / 2 ** (zoom - level);
    const positions = (tile: number) =>
      Float64Array.from({ length: side }, (_, index) => (tile + from + index * step) * pixels - 0.5);
    const [columns, rows] = [splineOf(positions(x)), splineOf(positions(y))];
    const block = this.#block(level, columns, rows);
    return block === null ? new Float32Array(side * side).fill(Number.NaN) : spline(block, columns, rows);
  }

  /** The pixels under a lattice. */
  #block(level: number, columns: Spline, rows: Spline): Float32Array | null {
    const block = blockOf(columns.width * rows.width).fill(Number.NaN);
    let isKnown = false;
    const tileOf = (pixel: number) => Math.floor(pixel / tileSide);
    for (let ty = tileOf(rows.first); ty <= tileOf(rows.first + rows.width - 1); ty++) {
      for (let tx = tileOf(columns.first); tx <= tileOf(columns.first + columns.width - 1); tx++) {
        const tile = this.tile(level, tx, ty);
        if (!tile) continue;
        isKnown = true;
        copyOverlap(tile, tx * tileSide - columns.first, ty * tileSide - rows.first, block, columns.width);
      }
    }
    return isKnown ? block : null;
  }
}

const blockOf = scratch((length) => new Float32Array(length));
const acrossOf = scratch((length) => new Float32Array(length));

/** Positions at `from`, `from + step`, …, `side` of them, along both axes. */
interface Lattice {
  readonly from: number;
  readonly step: number;
  readonly side: number;
}

/** @returns whether others knew more */
export function fillUnknown(heights: Float32Array, others: Float32Array): boolean {
  let isFilled = false;
  for (let at = 0; at < heights.length; at++) {
    if (!Number.isNaN(heights[at])) continue;
    heights[at] = others[at] as number;
    isFilled ||= !Number.isNaN(heights[at]);
  }
  return isFilled;
}

/** Copies what of a tile lies in a block. @param left of the tile in the block; may be negative */
function copyOverlap(tile: Float32Array, left: number, top: number, block: Float32Array, width: number): void {
  const height = block.length / width;
  const [from, to] = [Math.max(0, -left), Math.min(tileSide, width - left)];
  if (from >= to) return;
  for (let row = Math.max(0, -top); row < Math.min(tileSide, height - top); row++) {
    block.set(tile.subarray(row * tileSide + from, row * tileSide + to), (row + top) * width + left + from);
  }
}

/** For each position of one axis: the first of its four pixels in the block, and their weights. */
interface Spline {
  /** The first pixel of the block. */
  readonly first: number;
  readonly width: number;
  readonly pixels: Int32Array;
  readonly weights: Float64Array;
}

/** @param positions ascending, in pixels; 0 is the middle of the first pixel */
function splineOf(positions: Float64Array): Spline {
  const first = Math.floor(positions[0] as number) - 1;
  const width = Math.floor(positions.at(-1) as number) + 3 - first;
  const pixels = new Int32Array(positions.length);
  const weights = new Float64Array(positions.length * 4);
  for (const [index, position] of positions.entries()) {
    const whole = Math.floor(position);
    const t = position - whole;
    pixels[index] = whole - 1 - first;
    weights[4 * index] = (1 - t) ** 3 / 6;
    weights[4 * index + 1] = (3 * t ** 3 - 6 * t ** 2 + 4) / 6;
    weights[4 * index + 2] = (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6;
    weights[4 * index + 3] = t ** 3 / 6;
  }
  return { first, width, pixels, weights };
}

function spline(block: Float32Array, columns: Spline, rows: Spline): Float32Array {
  const [side, width] = [columns.pixels.length, columns.width];
  const across = acrossOf(side * rows.width);
  for (let row = 0; row < rows.width; row++) {
    for (let index = 0; index < side; index++) {
      const at = row * width + (columns.pixels[index] as number);
      across[row * side + index] = weighted(block, at, 1, columns.weights, 4 * index);
    }
  }
  const heights = new Float32Array(side * side);
  for (let row = 0; row < side; row++) {
    const at = (rows.pixels[row] as number) * side;
    for (let index = 0; index < side; index++) {
      heights[row * side + index] = weighted(across, at + index, side, rows.weights, 4 * row);
    }
  }
  return heights;
}

const weighted = (from: Float32Array, at: number, stride: number, weights: Float64Array, w: number): number =>
  (from[at] as number) * (weights[w] as number) +
  (from[at + stride] as number) * (weights[w + 1] as number) +
  (from[at + 2 * stride] as number) * (weights[w + 2] as number) +
  (from[at + 3 * stride] as number) * (weights[w + 3] as number);
