/** Projects an elevation file's heights to the pixels of tiles. */
import type { Bounds } from '../geo/geometry.ts';
import { latitudeOf, longitudeOf } from '../geo/web-mercator.ts';
import { tileSide } from './height-tile.ts';
import { lastHeightZoom } from './heights.ts';

/** An open elevation file: rows and columns of cells, read window by window. */
export interface HeightSource {
  readonly width: number;
  readonly height: number;
  readonly metersPerUnit: number;
  readonly pixels: {
    /** Columns and rows of a path of degrees; whole numbers are corners of cells. */
    toCells(path: Float64Array): Float64Array;
    toDegrees(column: number, row: number): [number, number];
  };
  /** The window's heights with one cell around it; NaN where unknown. */
  read(window: Window): Promise<{
    readonly heights: Float32Array;
    readonly width: number;
    readonly left: number;
    readonly top: number;
  }>;
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Steps along each edge of a file: a projected edge is curved. */
const edgeSteps = 16;

export function boundsOf({ width, height, pixels }: HeightSource): Bounds {
  const shares = Array.from({ length: edgeSteps + 1 }, (_, step) => step / edgeSteps);
  const edge = shares.flatMap((share) => [
    pixels.toDegrees(share * width, 0),
    pixels.toDegrees(share * width, height),
    pixels.toDegrees(0, share * height),
    pixels.toDegrees(width, share * height),
  ]);
  const [longitudes, latitudes] = [edge.map(([longitude]) => longitude), edge.map(([, latitude]) => latitude)];
  return {
    minX: Math.min(...longitudes),
    minY: Math.min(...latitudes),
    maxX: Math.max(...longitudes),
    maxY: Math.max(...latitudes),
  };
}

/** Projected points across a tile; straight lines between them are off by less than a hundredth of a cell. */
const netSide = 9;

/** Columns and rows of the file at the points of the net. */
function netOf({ pixels }: HeightSource, x: number, y: number): Float64Array {
  const path = new Float64Array(netSide * netSide * 2);
  for (let point = 0; point < netSide * netSide; point++) {
    const [column, row] = [point % netSide, Math.floor(point / netSide)];
    path[2 * point] = longitudeOf((x + column / (netSide - 1)) / 2 ** lastHeightZoom);
    path[2 * point + 1] = latitudeOf((y + row / (netSide - 1)) / 2 ** lastHeightZoom);
  }
  return pixels.toCells(path);
}

/**
 * Reads the heights of a tile of the deepest stored zoom, in meters.
 * @param heights of a tile, written
 * @returns false if the file has none there
 */
export async function readHeights(source: HeightSource, x: number, y: number, heights: Float32Array): Promise<boolean> {
  heights.fill(Number.NaN);
  return await fillPart(source, netOf(source, x, y), { column: 0, row: 0, side: tileSide }, heights);
}

/** Pixels of a tile, a square. */
interface Part {
  readonly column: number;
  readonly row: number;
  readonly side: number;
}

/** Cells read at once: a file with cells of a foot has a hundred million under a tile. */
const mostCells = 4 * 1024 * 1024;
const leastSide = 8;

/** @returns false if the file has no cell under the part */
async function fillPart(source: HeightSource, net: Float64Array, part: Part, heights: Float32Array): Promise<boolean> {
  const window = windowOf(source, net, part);
  if (window === null) return false;
  const { column, row, side } = part;
  if ((window.right - window.left) * (window.bottom - window.top) > mostCells && side > leastSide) {
    const half = side / 2;
    let isFilled = false;
    for (const quarter of [0, 1, 2, 3]) {
      const own = { column: column + (quarter % 2) * half, row: row + Math.floor(quarter / 2) * half, side: half };
      isFilled = (await fillPart(source, net, own, heights)) || isFilled;
    }
    return isFilled;
  }
  const read = await source.read(window);
  const perPixel = cellsPerPixel(net);
  const sample = perPixel > 1.5 ? meanOf(read, Math.round(perPixel)) : betweenOf(read);
  for (let y = row; y < row + side; y++) {
    for (let x = column; x < column + side; x++) {
      netPlace(net, (x + 0.5) / tileSide, (y + 0.5) / tileSide);
      heights[y * tileSide + x] = sample(place[0] as number, place[1] as number) * source.metersPerUnit;
    }
  }
  return true;
}

const cellsPerPixel = (net: Float64Array): number =>
  Math.abs((net[2 * (netSide - 1)] as number) - (net[0] as number)) / tileSide;

/** The cells under a part of a tile, and a few around; null if none. */
function windowOf({ width, height }: HeightSource, net: Float64Array, { column, row, side }: Part): Window | null {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0, 0];
  for (let corner = 0; corner < 9; corner++) {
    const [u, v] = [column + (corner % 3) * (side / 2), row + Math.floor(corner / 3) * (side / 2)];
    netPlace(net, u / tileSide, v / tileSide);
    const [x = Number.NaN, y = Number.NaN] = place;
    // Beyond the reach of the file's projection.
    if (!Number.isFinite(x + y)) return null;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const around = 2 + Math.ceil((right - left) / side);
  const window = {
    left: Math.max(0, Math.floor(left) - around),
    top: Math.max(0, Math.floor(top) - around),
    right: Math.min(width, Math.ceil(right) + around),
    bottom: Math.min(height, Math.ceil(bottom) + around),
  };
  return window.left < window.right && window.top < window.bottom ? window : null;
}

/** What `netPlace` found: the file's column and row. */
const place = new Float64Array(2);

/** Finds a place of the tile in the file. Without pairs of numbers, which would be objects by the million. */
function netPlace(net: Float64Array, u: number, v: number): void {
  // The last points belong to the last square.
  const column = Math.min(netSide - 2, Math.floor(u * (netSide - 1)));
  const row = Math.min(netSide - 2, Math.floor(v * (netSide - 1)));
  const s = u * (netSide - 1) - column;
  const t = v * (netSide - 1) - row;
  const at = 2 * (row * netSide + column);
  for (let axis = 0; axis < 2; axis++) {
    const north = (net[at + axis] as number) * (1 - s) + (net[at + 2 + axis] as number) * s;
    const south = (net[at + 2 * netSide + axis] as number) * (1 - s) + (net[at + 2 * netSide + 2 + axis] as number) * s;
    place[axis] = north * (1 - t) + south * t;
  }
}

type Read = Awaited<ReturnType<HeightSource['read']>>;
type Sample = (column: number, row: number) => number;

/** The mean of the cells around a place: for cells smaller than pixels. */
function meanOf({ heights, width, left, top }: Read, across: number): Sample {
  const rows = heights.length / width;
  return (column, row) => {
    const [c, r] = [Math.round(column - left - across / 2), Math.round(row - top - across / 2)];
    let [sum, count] = [0, 0];
    for (let y = Math.max(0, r); y < Math.min(rows, r + across); y++) {
      for (let x = Math.max(0, c); x < Math.min(width, c + across); x++) {
        const height = heights[y * width + x] as number;
        if (Number.isNaN(height)) continue;
        sum += height;
        count++;
      }
    }
    return count === 0 ? Number.NaN : sum / count;
  };
}

/** Between the middles of four cells; unknown cells count for nothing. */
function betweenOf({ heights, width, left, top }: Read): Sample {
  const rows = heights.length / width;
  return (column, row) => {
    const x = column - left - 0.5;
    const y = row - top - 0.5;
    const c = Math.floor(x);
    const r = Math.floor(y);
    if (c < 0 || r < 0 || c + 1 >= width || r + 1 >= rows) return Number.NaN;
    const at = r * width + c;
    const s = x - c;
    const t = y - r;
    const north = (heights[at] as number) * (1 - s) + (heights[at + 1] as number) * s;
    const south = (heights[at + width] as number) * (1 - s) + (heights[at + width + 1] as number) * s;
    const height = north * (1 - t) + south * t;
    return Number.isNaN(height) ? nearestKnown(heights, at, width, s, t) : height;
  };
}

/** Beside an unknown cell: the mean of the known ones by their weights. */
function nearestKnown(heights: Float32Array, at: number, width: number, s: number, t: number): number {
  let [sum, weight] = [0, 0];
  for (const [step, part] of [
    [0, (1 - s) * (1 - t)],
    [1, s * (1 - t)],
    [width, (1 - s) * t],
    [width + 1, s * t],
  ] as const) {
    const height = heights[at + step] as number;
    if (Number.isNaN(height)) continue;
    sum += part * height;
    weight += part;
  }
  return weight < leastWeight ? Number.NaN : sum / weight;
}

/** A pixel with less of its surroundings known is unknown. */
const leastWeight = 0.25;
