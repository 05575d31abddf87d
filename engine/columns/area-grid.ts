/**
 * A grid over the box of a query geometry: the cells its boundary enters, and which of the others lie inside. A parcel
 * whose box meets no boundary cell needs no exact test; a summed-area table answers that in four look-ups (F. Crow,
 * "Summed-area tables for texture mapping", 1984).
 */
import type { PreparedGeometry } from '../geo/intersects.ts';

interface AreaGrid {
  readonly originX: number;
  readonly originY: number;
  /** Cells per degree. */
  readonly scaleX: number;
  readonly scaleY: number;
  readonly columns: number;
  readonly rows: number;
  /** (columns + 1) × (rows + 1): boundary cells in the rows and columns before. */
  readonly sums: Uint32Array;
  /** A byte per cell, row by row. */
  readonly inside: Uint8Array;
}

/** A box of zero width still needs cells of some width; 1e-9 degrees is 0.1 mm. */
const leastSide = 1e-9;

/** @param side cells per side */
export function buildAreaGrid({ bounds, segments, ringSegmentCount }: PreparedGeometry, side: number): AreaGrid {
  const scaleX = side / Math.max(bounds.maxX - bounds.minX, leastSide);
  const scaleY = side / Math.max(bounds.maxY - bounds.minY, leastSide);
  const grid = new Rasterizer(bounds.minX, bounds.minY, scaleX, scaleY, side);
  for (let at = 0; at < segments.length; at += 4) {
    const ax = segments[at] as number;
    const ay = segments[at + 1] as number;
    const bx = segments[at + 2] as number;
    const by = segments[at + 3] as number;
    // Points upwards, so that bands are walked from below; the sign keeps the ring's direction.
    const isUp = by >= ay;
    grid.addSegment(isUp ? ax : bx, isUp ? ay : by, isUp ? bx : ax, isUp ? by : ay);
    if (at / 4 < ringSegmentCount) grid.addCrossings(ax, ay, bx, by);
  }
  return {
    originX: bounds.minX,
    originY: bounds.minY,
    scaleX,
    scaleY,
    columns: side,
    rows: side,
    sums: grid.sums(),
    inside: grid.inside(),
  };
}

/** Where a ring crosses the middle of a row of cells: +1 upwards, −1 downwards. */
interface Crossing {
  readonly x: number;
  readonly turn: 1 | -1;
}

class Rasterizer {
  readonly #originX: number;
  readonly #originY: number;
  readonly #scaleX: number;
  readonly #scaleY: number;
  readonly #side: number;
  readonly #boundary: Uint8Array;
  readonly #crossings: Crossing[][];

  constructor(originX: number, originY: number, scaleX: number, scaleY: number, side: number) {
    this.#originX = originX;
    this.#originY = originY;
    this.#scaleX = scaleX;
    this.#scaleY = scaleY;
    this.#side = side;
    this.#boundary = new Uint8Array(side * side);
    this.#crossings = Array.from({ length: side }, () => []);
  }

  /**
   * Must equal the formula in the kernel `classify`, so that a point and a box that holds it fall into the same cells.
   */
  #column(x: number): number {
    return Math.min(this.#side - 1, Math.max(0, Math.floor((x - this.#originX) * this.#scaleX)));
  }

  #row(y: number): number {
    return Math.min(this.#side - 1, Math.max(0, Math.floor((y - this.#originY) * this.#scaleY)));
  }

  /** Marks every cell that the segment enters; ay is at most by. */
  addSegment(ax: number, ay: number, bx: number, by: number): void {
    const first = this.#row(ay);
    const last = this.#row(by);
    // Far wider than rounding can move a point between the band and the formula (3e-14 degrees).
    const padX = 1e-6 / this.#scaleX + 1e-12;
    const padY = 1e-6 / this.#scaleY + 1e-12;
    for (let row = first; row <= last; row++) {
      const low = Math.max(ay, this.#originY + row / this.#scaleY - padY);
      const high = Math.min(by, this.#originY + (row + 1) / this.#scaleY + padY);
      const x0 = by > ay ? ax + ((low - ay) / (by - ay)) * (bx - ax) : ax;
      const x1 = by > ay ? ax + ((high - ay) / (by - ay)) * (bx - ax) : bx;
      const from = this.#column(Math.min(x0, x1) - padX);
      const to = this.#column(Math.max(x0, x1) + padX);
      this.#boundary.fill(1, row * this.#side + from, row * this.#side + to + 1);
    }
  }

  /** Where a ring's edge crosses the middles of rows; an edge includes its lower end and excludes its upper end. */
  addCrossings(ax: number, ay: number, bx: number, by: number): void {
    const first = this.#row(Math.min(ay, by));
    const last = this.#row(Math.max(ay, by));
    for (let row = first; row <= last; row++) {
      const y = this.#originY + (row + 0.5) / this.#scaleY;
      if (ay > y === by > y) continue;
      this.#crossings[row]?.push({ x: ax + ((y - ay) / (by - ay)) * (bx - ax), turn: by > ay ? 1 : -1 });
    }
  }

  /**
   * Takes the winding number at the middle of each cell. A crossing within a cell makes it a boundary cell, so rounding
   * cannot put one on the wrong side of another cell's middle. Rings run so that windings of overlapping polygons add
   * up.
   */
  inside(): Uint8Array {
    const side = this.#side;
    const inside = new Uint8Array(side * side);
    for (const [row, crossings] of this.#crossings.entries()) {
      crossings.sort((a, b) => a.x - b.x);
      let winding = 0;
      let next = 0;
      for (let column = 0; column < side && next < crossings.length; column++) {
        const middle = this.#originX + (column + 0.5) / this.#scaleX;
        for (; next < crossings.length && (crossings[next] as Crossing).x < middle; next++) {
          winding += (crossings[next] as Crossing).turn;
        }
        const cell = row * side + column;
        if (winding !== 0 && this.#boundary[cell] === 0) inside[cell] = 1;
      }
    }
    return inside;
  }

  sums(): Uint32Array {
    const side = this.#side;
    const sums = new Uint32Array((side + 1) * (side + 1));
    for (let row = 0; row < side; row++) {
      let inRow = 0;
      for (let column = 0; column < side; column++) {
        inRow += this.#boundary[row * side + column] as number;
        sums[(row + 1) * (side + 1) + column + 1] = inRow + (sums[row * (side + 1) + column + 1] as number);
      }
    }
    return sums;
  }
}
