/** Where the boundaries of two shapes come nearest: lots of a few dozen edges, miles apart at most. */
import { squaredDistance } from './boundary-distance.ts';
import { boundsOfCoordinates, boundsOfMultiPolygon, type MultiPolygon } from './geometry.ts';
import { holdsPoint } from './holds-point.ts';
import { localMetric } from './local-metric.ts';
import { boundaryEdges } from './near-length.ts';

/** A place on each boundary, in degrees. Equal where the shapes meet or one lies on the other. */
export type NearestPlaces = readonly [x: number, y: number, otherX: number, otherY: number];

/** A shape that is measured from, to many others. */
export class MeasuredShape {
  readonly polygons: MultiPolygon;
  readonly bounds: ReturnType<typeof boundsOfMultiPolygon>;
  /** Four numbers each, in meters of the plane around its middle. */
  readonly #edges: Float64Array;
  readonly #x: number;
  readonly #y: number;
  readonly #metric: ReturnType<typeof localMetric>;

  constructor(polygons: MultiPolygon) {
    this.polygons = polygons;
    this.bounds = boundsOfMultiPolygon(polygons);
    this.#x = (this.bounds.minX + this.bounds.maxX) / 2;
    this.#y = (this.bounds.minY + this.bounds.maxY) / 2;
    this.#metric = localMetric(this.#y);
    this.#edges = this.#inPlane(polygons);
  }

  #inPlane(polygons: MultiPolygon): Float64Array {
    return boundaryEdges(polygons).map((value, at) =>
      at % 2 === 0 ? (value - this.#x) * this.#metric.x : (value - this.#y) * this.#metric.y,
    );
  }

  /** Null if either has no boundary, or they are farther apart. @param meters at most; what is farther costs little */
  nearest(other: MultiPolygon, meters = Number.POSITIVE_INFINITY): NearestPlaces | null {
    const edges = this.#inPlane(other);
    if (edges.length === 0 || this.#edges.length === 0) return null;
    const found = nearestOf(this.#edges, edges, meters);
    if (found.least > 0 && (isOn(other, this.polygons) || isOn(this.polygons, other))) {
      const [x = 0, y = 0] = other[0]?.[0] ?? [];
      return [x, y, x, y];
    }
    if (found.least >= meters * meters) return null;
    const degrees = (at: number, way: 'x' | 'y') => at / this.#metric[way] + (way === 'x' ? this.#x : this.#y);
    return [degrees(found.ax, 'x'), degrees(found.ay, 'y'), degrees(found.bx, 'x'), degrees(found.by, 'y')];
  }
}

/** Whether a shape whose boundary meets that of the other nowhere lies on it. */
function isOn(shape: MultiPolygon, other: MultiPolygon): boolean {
  const [x, y] = shape[0]?.[0] ?? [];
  return x !== undefined && y !== undefined && holdsPoint(other, x, y);
}

interface Nearest {
  least: number;
  ax: number;
  ay: number;
  bx: number;
  by: number;
}

/** Of two segments that do not cross, an end of one is a nearest place. */
function nearestOf(ones: Float64Array, others: Float64Array, meters: number): Nearest {
  const found: Nearest = { least: meters * meters, ax: 0, ay: 0, bx: 0, by: 0 };
  const { minX, minY, maxX, maxY } = boundsOfCoordinates([others]);
  const all = Float64Array.of(minX, minY, maxX, maxY);
  for (let a = 0; a < ones.length && found.least > 0; a += 4) {
    // A shape of a thousand edges has most of them far from any one lot.
    if (boxGap(ones, a, all, 0) >= found.least) continue;
    for (let b = 0; b < others.length; b += 4) {
      if (boxGap(ones, a, others, b) >= found.least) continue;
      if (takeCrossing(ones, a, others, b, found)) break;
      for (const end of [0, 2]) {
        takeEnd(ones, a + end, others, b, found, false);
        takeEnd(others, b + end, ones, a, found, true);
      }
    }
  }
  return found;
}

/** The square of the distance between the boxes of two edges. */
function boxGap(ones: Float64Array, a: number, others: Float64Array, b: number): number {
  const x = gapOf(ones[a] as number, ones[a + 2] as number, others[b] as number, others[b + 2] as number);
  const y = gapOf(ones[a + 1] as number, ones[a + 3] as number, others[b + 1] as number, others[b + 3] as number);
  return x * x + y * y;
}

/** Between two stretches of a line; the ends of each in any order. */
function gapOf(p: number, q: number, r: number, s: number): number {
  const below = p < q ? p : q;
  const above = p < q ? q : p;
  const low = r < s ? r : s;
  const high = r < s ? s : r;
  return low > above ? low - above : below > high ? below - high : 0;
}

/** From a vertex to the nearest place of an edge. */
function takeEnd(from: Float64Array, at: number, edges: Float64Array, edge: number, found: Nearest, isOther: boolean) {
  const [x, y] = [from[at] as number, from[at + 1] as number];
  const [ax, ay] = [(edges[edge] as number) - x, (edges[edge + 1] as number) - y];
  const [dx, dy] = [(edges[edge + 2] as number) - x - ax, (edges[edge + 3] as number) - y - ay];
  const squared = squaredDistance(ax, ay, dx, dy);
  if (squared >= found.least) return;
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
  const [px, py] = [x + ax + share * dx, y + ay + share * dy];
  Object.assign(
    found,
    { least: squared },
    isOther ? { ax: px, ay: py, bx: x, by: y } : { ax: x, ay: y, bx: px, by: py },
  );
}

function takeCrossing(ones: Float64Array, a: number, others: Float64Array, b: number, found: Nearest): boolean {
  const [px, py] = [ones[a] as number, ones[a + 1] as number];
  const [dx, dy] = [(ones[a + 2] as number) - px, (ones[a + 3] as number) - py];
  const [qx, qy] = [others[b] as number, others[b + 1] as number];
  const [ex, ey] = [(others[b + 2] as number) - qx, (others[b + 3] as number) - qy];
  const cross = dx * ey - dy * ex;
  if (cross === 0) return false;
  const [along, other] = [((qx - px) * ey - (qy - py) * ex) / cross, ((qx - px) * dy - (qy - py) * dx) / cross];
  if (along < 0 || along > 1 || other < 0 || other > 1) return false;
  const [x, y] = [px + along * dx, py + along * dy];
  Object.assign(found, { least: 0, ax: x, ay: y, bx: x, by: y });
  return true;
}
