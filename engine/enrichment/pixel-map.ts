/**
 * Converts longitude and latitude to cells of a raster. Only the conversion of a reference system to WGS84 is available
 * (importing needs no other), so the inverse is solved by Newton's method with derivatives taken once per parcel. Over 10 km
 * they change by a thousandth, so each step leaves a thousandth of the error.
 */
import { localMetric } from '../geo/local-metric.ts';

/** Position of a raster: its upper left corner and cell size, in units of its system. */
interface RasterGrid {
  readonly originX: number;
  readonly originY: number;
  readonly cellX: number;
  /** negative: rows run south */
  readonly cellY: number;
  /** x y pairs of the raster's system to longitude and latitude, in place */
  readonly toWgs84: (coordinates: Float64Array) => void;
}

/** Newton steps to a parcel, with fresh derivatives; then steps to each of its corners. */
const stepsToParcel = 12;
const stepsToCorner = 4;

export class PixelMap {
  readonly #grid: RasterGrid;
  readonly #middle: readonly [number, number];
  /** Position of the last parcel in cells; the next one is usually near it. */
  #from: readonly [number, number];

  /** @param width of the raster in cells */
  constructor(grid: RasterGrid, width: number, height: number) {
    this.#grid = grid;
    this.#middle = [width / 2, height / 2];
    this.#from = this.#middle;
  }

  /** Longitude and latitude of a position in cells; 0, 0 is the upper left corner of the first cell. */
  toDegrees(column: number, row: number): [number, number] {
    const { originX, originY, cellX, cellY, toWgs84 } = this.#grid;
    const pair = Float64Array.of(originX + column * cellX, originY + row * cellY);
    toWgs84(pair);
    return [pair[0] as number, pair[1] as number];
  }

  /** Degrees per cell along columns and rows at a position: [dx/dc, dx/dr, dy/dc, dy/dr]. */
  #slopesAt(column: number, row: number): [number, number, number, number] {
    const [x, y] = this.toDegrees(column, row);
    const [eastX, eastY] = this.toDegrees(column + 1, row);
    const [southX, southY] = this.toDegrees(column, row + 1);
    return [eastX - x, southX - x, eastY - y, southY - y];
  }

  /** Width and height of a cell on the ground in meters, independent of the projection's scale. */
  cellMeters(column: number, row: number): { width: number; height: number } {
    const metric = localMetric(this.toDegrees(column, row)[1]);
    const [xc, xr, yc, yr] = this.#slopesAt(column, row);
    return {
      width: Math.hypot(xc * metric.x, yc * metric.y),
      height: Math.hypot(xr * metric.x, yr * metric.y),
    };
  }

  /** Columns and rows of a path of degrees `[x, y, …]`. */
  toCells(path: Float64Array): Float64Array {
    const cells = new Float64Array(path.length);
    let [column, row] = this.#from;
    let slopes = this.#slopesAt(column, row);
    for (let step = 0; step < stepsToParcel; step++) {
      const moved = this.#step(column, row, path[0] as number, path[1] as number, slopes);
      const isThere = Math.abs(moved[0] - column) + Math.abs(moved[1] - row) < 1e-6;
      [column, row] = moved;
      slopes = this.#slopesAt(column, row);
      if (isThere) break;
    }
    // a position outside the system must not be the start for the next parcel
    this.#from = Number.isFinite(column + row) ? [column, row] : this.#middle;
    for (let at = 0; at < path.length; at += 2) {
      const [x, y] = [path[at] as number, path[at + 1] as number];
      for (let step = 0; step < stepsToCorner; step++) [column, row] = this.#step(column, row, x, y, slopes);
      cells[at] = column;
      cells[at + 1] = row;
    }
    return cells;
  }

  #step(
    column: number,
    row: number,
    x: number,
    y: number,
    [xc, xr, yc, yr]: readonly [number, number, number, number],
  ): [number, number] {
    const [foundX, foundY] = this.toDegrees(column, row);
    const [dx, dy] = [x - foundX, y - foundY];
    const turn = xc * yr - xr * yc;
    return [column + (dx * yr - xr * dy) / turn, row + (xc * dy - dx * yc) / turn];
  }
}
