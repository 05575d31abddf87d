/**
 * The query geometry indexed for many parcels: its segments in an R-tree, and a grid over its box that remembers which
 * cells no segment enters. Such a cell lies wholly inside or wholly outside, and most parcels lie in such cells.
 */
import Flatbush from 'flatbush';
import { orient2d } from 'robust-predicates';
import { type Bounds, planarRingArea, type QueryGeometry, type Ring } from './geometry.ts';

/**
 * Measured on 100,000 parcels: 32 and 64 take the same time for every kind of query, 128 a third more (cells to fill).
 */
const cellsPerSide = 64;
/** A parcel over more cells than this goes straight to the R-tree. */
const maxCellsLookedAt = 16;

const unknownCell = 0;
const mixedCell = 1;
const outsideCell = 2;
const insideCell = 3;

/** Winding numbers are small; this one marks a cell whose reference has not been computed. */
const noReference = 0x7fffffff;

/** The boundary of a query. */
export interface Boundary {
  /**
   * Four numbers per segment: ax ay bx by. Edges of rings first, then of lines, then points (segments of zero length).
   */
  readonly segments: Float64Array;
  /** 1 where a segment begins a connected part that could lie wholly within a parcel. */
  readonly isPartStart: Uint8Array;
  readonly ringSegmentCount: number;
}

type Passes = (index: number) => boolean;

/** Finds segments by their boxes. */
interface SegmentTree {
  search(minX: number, minY: number, maxX: number, maxY: number, passes: Passes): number[];
  collides(minX: number, minY: number, maxX: number, maxY: number, passes?: Passes): boolean;
}

export class QueryIndex implements Boundary {
  readonly bounds: Bounds;
  readonly segments: Float64Array;
  readonly isPartStart: Uint8Array;
  readonly tree: SegmentTree;
  readonly ringSegmentCount: number;
  readonly #cellWidth: number;
  readonly #cellHeight: number;
  readonly #cells = new Uint8Array(cellsPerSide * cellsPerSide);
  readonly #references = new Int32Array(cellsPerSide * cellsPerSide).fill(noReference);

  /** The boundary must have at least one segment. */
  constructor(bounds: Bounds, { segments, isPartStart, ringSegmentCount }: Boundary) {
    this.bounds = bounds;
    this.segments = segments;
    this.isPartStart = isPartStart;
    this.ringSegmentCount = ringSegmentCount;
    this.tree = buildTree(segments);
    // a box of zero width still needs cells of some width; 1e-9 degrees is 0.1 mm
    this.#cellWidth = Math.max(this.bounds.maxX - this.bounds.minX, 1e-9) / cellsPerSide;
    this.#cellHeight = Math.max(this.bounds.maxY - this.bounds.minY, 1e-9) / cellsPerSide;
  }

  /**
   * The location of a box that overlaps the query's box: 'mixed' if a segment may enter it. Neighboring cells without
   * segments are on the same side of the boundary, so the first decides for all.
   */
  locateBox(box: Bounds): 'inside' | 'outside' | 'mixed' {
    const firstColumn = this.#column(box.minX);
    const lastColumn = this.#column(box.maxX);
    const firstRow = this.#row(box.minY);
    const lastRow = this.#row(box.maxY);
    if ((lastColumn - firstColumn + 1) * (lastRow - firstRow + 1) > maxCellsLookedAt) return 'mixed';
    let state = outsideCell;
    for (let row = firstRow; row <= lastRow; row++) {
      for (let column = firstColumn; column <= lastColumn; column++) {
        state = this.#cellState(column, row);
        if (state === mixedCell) return 'mixed';
      }
    }
    return state === insideCell ? 'inside' : 'outside';
  }

  /**
   * The segments that touch a box: those whose own boxes do, except those that pass it on one side. Long slanting
   * segments have boxes that cover half the county; ten thousand of them would otherwise meet every parcel.
   */
  findSegments({ minX, minY, maxX, maxY }: Bounds): number[] {
    const { segments } = this;
    return this.tree.search(minX, minY, maxX, maxY, (index) => {
      const at = index * 4;
      const ax = segments[at] as number;
      const ay = segments[at + 1] as number;
      const bx = segments[at + 2] as number;
      const by = segments[at + 3] as number;
      // a rising segment's extreme corners of the box are north-west and south-east, a falling one's the other two
      const isRising = bx > ax === by > ay;
      const side = orient2d(ax, ay, bx, by, minX, isRising ? maxY : minY);
      const otherSide = orient2d(ax, ay, bx, by, maxX, isRising ? minY : maxY);
      return !((side > 0 && otherSide > 0) || (side < 0 && otherSide < 0));
    });
  }

  /** Is a point on a segment or on one of the points? */
  isOnBoundary(x: number, y: number): boolean {
    const { segments } = this;
    return this.tree.collides(x, y, x, y, (index) => {
      const at = index * 4;
      const side = orient2d(
        segments[at] as number,
        segments[at + 1] as number,
        segments[at + 2] as number,
        segments[at + 3] as number,
        x,
        y,
      );
      return side === 0;
    });
  }

  /**
   * Whether a point off the boundary lies within a polygon: the winding number of the cell's reference point plus the
   * edges crossed on the way from there. The way is short, so a polygon with thousands of teeth costs little.
   */
  isWithinPolygons(x: number, y: number): boolean {
    const { minX, minY, maxX, maxY } = this.bounds;
    if (this.ringSegmentCount === 0 || x < minX || x > maxX || y < minY || y > maxY) return false;
    const column = this.#column(x);
    const row = this.#row(y);
    const referenceX = minX + (column + 0.5) * this.#cellWidth;
    const referenceY = minY + (row + 0.5) * this.#cellHeight;
    const cell = row * cellsPerSide + column;
    if (this.#references[cell] === noReference) {
      if (this.isOnBoundary(referenceX, referenceY)) return this.#windingByRay(x, y) !== 0;
      this.#references[cell] = this.#windingByRay(referenceX, referenceY);
    }
    return (this.#references[cell] as number) + this.#windingChange(referenceX, referenceY, x, y) !== 0;
  }

  #column(x: number): number {
    const column = Math.floor((x - this.bounds.minX) / this.#cellWidth);
    return Math.min(Math.max(column, 0), cellsPerSide - 1);
  }

  #row(y: number): number {
    const row = Math.floor((y - this.bounds.minY) / this.#cellHeight);
    return Math.min(Math.max(row, 0), cellsPerSide - 1);
  }

  #cellState(column: number, row: number): number {
    const cell = row * cellsPerSide + column;
    const known = this.#cells[cell] as number;
    if (known !== unknownCell) return known;
    // wider than the cell by far more than the rounding error of `#column` and `#row` (1e-12 of a cell, 3e-14 degrees)
    const padX = this.#cellWidth * 1e-6 + 1e-12;
    const padY = this.#cellHeight * 1e-6 + 1e-12;
    const minX = this.bounds.minX + column * this.#cellWidth;
    const minY = this.bounds.minY + row * this.#cellHeight;
    const maxX = minX + this.#cellWidth;
    const maxY = minY + this.#cellHeight;
    const isMixed = this.tree.collides(minX - padX, minY - padY, maxX + padX, maxY + padY);
    const isInside = !isMixed && this.isWithinPolygons((minX + maxX) / 2, (minY + maxY) / 2);
    const state = isMixed ? mixedCell : isInside ? insideCell : outsideCell;
    this.#cells[cell] = state;
    return state;
  }

  /**
   * Winding number of a point off the boundary: edges that cross the ray east of it count +1 upwards and -1 downwards;
   * an edge includes its lower end and excludes its upper one (D. Sunday, "Inclusion of a Point in a Polygon").
   */
  #windingByRay(x: number, y: number): number {
    const { segments } = this;
    let winding = 0;
    this.tree.search(x, y, this.bounds.maxX, y, (index) => {
      if (index >= this.ringSegmentCount) return false;
      const at = index * 4;
      const ax = segments[at] as number;
      const ay = segments[at + 1] as number;
      const bx = segments[at + 2] as number;
      const by = segments[at + 3] as number;
      if (ay > y === by > y) return false;
      const isUpward = by > ay;
      // orient2d is negative when the point is left of the edge
      if (orient2d(ax, ay, bx, by, x, y) < 0 === isUpward) winding += isUpward ? 1 : -1;
      return false;
    });
    return winding;
  }

  /**
   * The winding number at q minus that at p; neither is on the boundary. An edge is crossed if its ends lie on
   * different sides of the line p q, and p and q on different sides of its own line. An end exactly on the line p q
   * counts as right of it, for every edge alike: that moves p and q a hair to the left, which changes neither's winding
   * number. In the second test no side can then be zero: if p were on the edge's line, both ends would be on the line p
   * q, hence alike, or p would be between them, on the boundary.
   */
  #windingChange(px: number, py: number, qx: number, qy: number): number {
    const { segments } = this;
    let change = 0;
    const filter = (index: number): boolean => {
      if (index >= this.ringSegmentCount) return false;
      const at = index * 4;
      const ax = segments[at] as number;
      const ay = segments[at + 1] as number;
      const bx = segments[at + 2] as number;
      const by = segments[at + 3] as number;
      const isLeftA = orient2d(px, py, qx, qy, ax, ay) < 0;
      const isLeftB = orient2d(px, py, qx, qy, bx, by) < 0;
      if (isLeftA === isLeftB) return false;
      if (orient2d(ax, ay, bx, by, px, py) < 0 === orient2d(ax, ay, bx, by, qx, qy) < 0) return false;
      // the inside of a counterclockwise ring is left of its edge: q gains it if the edge comes from the left of p q
      change += isLeftA ? 1 : -1;
      return false;
    };
    this.tree.search(Math.min(px, qx), Math.min(py, qy), Math.max(px, qx), Math.max(py, qy), filter);
    return change;
  }
}

/**
 * Exteriors counterclockwise and holes clockwise, so that the winding numbers of overlapping polygons (a collection may
 * hold them) add up instead of cancelling.
 */
export function collectSegments({ points, lines, polygons }: QueryGeometry): Boundary {
  const rings = polygons.flatMap((polygon) =>
    polygon.map((ring, index) => ({
      ring,
      isReversed: planarRingArea(ring) < 0 === (index === 0),
      isPartStart: index === 0,
    })),
  );
  const ringSegmentCount = rings.reduce((sum, { ring }) => sum + ring.length / 2 - 1, 0);
  const lineSegmentCount = lines.reduce((sum, line) => sum + line.length / 2 - 1, 0);
  const total = ringSegmentCount + lineSegmentCount + points.length / 2;
  const segments = new Float64Array(total * 4);
  const isPartStart = new Uint8Array(total);
  let next = 0;
  const addPath = (path: Ring, isReversed: boolean): void => {
    const [from, to] = isReversed ? [2, 0] : [0, 2];
    for (let index = 0; index + 3 < path.length; index += 2, next++) {
      segments[next * 4 + from] = path[index] as number;
      segments[next * 4 + from + 1] = path[index + 1] as number;
      segments[next * 4 + to] = path[index + 2] as number;
      segments[next * 4 + to + 1] = path[index + 3] as number;
    }
  };
  for (const { ring, isReversed, isPartStart: startsPart } of rings) {
    isPartStart[next] = startsPart ? 1 : 0;
    addPath(ring, isReversed);
  }
  for (const line of lines) {
    isPartStart[next] = 1;
    addPath(line, false);
  }
  for (let index = 0; index < points.length; index += 2, next++) {
    isPartStart[next] = 1;
    segments.set(points.subarray(index, index + 2), next * 4);
    segments.set(points.subarray(index, index + 2), next * 4 + 2);
  }
  return { segments, isPartStart, ringSegmentCount };
}

/** A pass over so few costs less than a tree, which has to be built. */
const fewSegments = 64;

class FewSegments implements SegmentTree {
  readonly #segments: Float64Array;

  constructor(segments: Float64Array) {
    this.#segments = segments;
  }

  search(minX: number, minY: number, maxX: number, maxY: number, passes: Passes): number[] {
    const found: number[] = [];
    this.collides(minX, minY, maxX, maxY, (index) => {
      if (passes(index)) found.push(index);
      return false;
    });
    return found;
  }

  collides(minX: number, minY: number, maxX: number, maxY: number, passes?: Passes): boolean {
    const segments = this.#segments;
    for (let at = 0; at < segments.length; at += 4) {
      const ax = segments[at] as number;
      const ay = segments[at + 1] as number;
      const bx = segments[at + 2] as number;
      const by = segments[at + 3] as number;
      if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;
      if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;
      if (!passes || passes(at / 4)) return true;
    }
    return false;
  }
}

function buildTree(segments: Float64Array): SegmentTree {
  if (segments.length <= fewSegments * 4) return new FewSegments(segments);
  const tree = new Flatbush(segments.length / 4);
  for (let at = 0; at < segments.length; at += 4) {
    const ax = segments[at] as number;
    const ay = segments[at + 1] as number;
    const bx = segments[at + 2] as number;
    const by = segments[at + 3] as number;
    tree.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
  }
  tree.finish();
  return tree;
}
