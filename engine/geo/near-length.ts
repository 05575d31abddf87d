/**
 * The length of a boundary near lines. The points within a distance of a segment form a capsule (a rectangle and two
 * discs); a capsule is convex, so it cuts one interval out of an edge, in closed form. Intervals of several lines are
 * united, so that no stretch counts twice. No buffer polygon is built, and circles are exact.
 */
import type { Bounds, MultiPolygon, Ring } from './geometry.ts';
import { localMetric } from './local-metric.ts';

/** A segment of a line with its class and its feature. */
export interface LineSegments {
  /** `[ax, ay, bx, by, …]` in degrees */
  readonly coordinates: readonly number[];
  /** per segment, from 0 */
  readonly classes: readonly number[];
  /** per segment */
  readonly features: readonly number[];
}

interface ClassLengths {
  /** Meters of the boundary within reach of any line. */
  any: number;
  /** Meters within reach of the lines of each class. */
  readonly byClass: Float64Array;
}

interface NearLength extends ClassLengths {
  /** Of that, what runs along its line (within 45°), not towards it. */
  readonly along: ClassLengths;
  /** Features within reach. */
  readonly features: Set<number>;
}

/** Edges per look-up of lines. */
const edgesPerSearch = 32;
/** Degrees of longitude grow without bounds at the poles. */
const minMetersPerDegree = 1;

/** `box` widened by this distance on every side. */
export function widenBounds({ minX, minY, maxX, maxY }: Bounds, meters: number): Bounds {
  // its parallel nearer to a pole has the fewest meters per degree
  const metric = localMetric(Math.max(Math.abs(minY), Math.abs(maxY)));
  const dx = meters / Math.max(metric.x, minMetersPerDegree);
  // a degree of latitude is a percent shorter at the equator than anywhere we measure
  const dy = (meters / metric.y) * 1.02;
  return { minX: minX - dx, minY: minY - dy, maxX: maxX + dx, maxY: maxY + dy };
}

/**
 * @param reachMeters largest distance, inclusive
 * @param findSegments returns at least the segments that may lie in a box
 */
export function lengthNear(
  polygons: MultiPolygon,
  reachMeters: number,
  classCount: number,
  findSegments: (box: Bounds) => LineSegments,
): NearLength {
  const none = (): ClassLengths => ({ any: 0, byClass: new Float64Array(classCount) });
  const found: NearLength = { ...none(), along: none(), features: new Set() };
  const edges = boundaryEdges(polygons);
  for (let start = 0; start < edges.length; start += 4 * edgesPerSearch) {
    const run = edges.subarray(start, start + 4 * edgesPerSearch);
    const segments = findSegments(widenBounds(boundsOfEdges(run), reachMeters));
    if (segments.classes.length === 0) continue;
    for (let at = 0; at < run.length; at += 4) addEdge(run, at, segments, reachMeters, found);
  }
  return found;
}

function boundsOfEdges(edges: Float64Array): Bounds {
  const bounds = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let at = 0; at < edges.length; at += 2) {
    bounds.minX = Math.min(bounds.minX, edges[at] as number);
    bounds.maxX = Math.max(bounds.maxX, edges[at] as number);
    bounds.minY = Math.min(bounds.minY, edges[at + 1] as number);
    bounds.maxY = Math.max(bounds.maxY, edges[at + 1] as number);
  }
  return bounds;
}

/** Counts how often an edge is traced from its lower end minus how often towards it, in order of first appearance. */
export class TracedEdges {
  readonly #balance = new Map<string, number>();
  isUneven = true;

  /** True on the edge's first appearance. */
  add(ax: number, ay: number, bx: number, by: number): boolean {
    const isForward = ax < bx || (ax === bx && ay < by);
    const key = isForward ? `${ax} ${ay} ${bx} ${by}` : `${bx} ${by} ${ax} ${ay}`;
    const before = this.#balance.get(key);
    const after = (before ?? 0) + (isForward ? 1 : -1);
    this.#balance.set(key, after);
    if (after === 0) this.isUneven = false;
    return before === undefined;
  }

  get balances(): number[] {
    return [...this.#balance.values()];
  }
}

/**
 * Whether a vertex repeats, apart from closing ones. Vertices with equal sums count as equal, which only costs time.
 */
function hasRepeatedVertex(rings: readonly Ring[]): boolean {
  const met = new Set<number>();
  let count = 0;
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      met.add((ring[at] as number) * Math.PI + (ring[at + 1] as number));
      count++;
    }
  }
  return met.size < count;
}

/**
 * The edges `[ax, ay, bx, by, …]` that form the boundary: an edge traced there and back (a spike, a seam between two
 * parts) has the parcel on both sides or on none; one traced twice in the same direction counts once.
 */
export function boundaryEdges(polygons: MultiPolygon): Float64Array {
  const rings: Ring[] = polygons.flat();
  const edges = new Float64Array(rings.reduce((sum, ring) => sum + ring.length * 2, 0));
  // a repeated edge has a repeated vertex: most rings have none, and skip the comparison
  const traced = hasRepeatedVertex(rings) ? new TracedEdges() : null;
  let length = 0;
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const edge = ring.subarray(at, at + 4);
      const [ax, ay, bx, by] = edge as unknown as [number, number, number, number];
      if ((ax === bx && ay === by) || traced?.add(ax, ay, bx, by) === false) continue;
      edges.set(edge, length);
      length += 4;
    }
  }
  const met = edges.subarray(0, length);
  if (traced === null || traced.isUneven) return met;
  const { balances } = traced;
  return met.filter((_, index) => balances[index >> 2] !== 0);
}

function addEdge(
  edges: Float64Array,
  at: number,
  { coordinates, classes, features }: LineSegments,
  reach: number,
  found: NearLength,
): void {
  const ax = edges[at] as number;
  const ay = edges[at + 1] as number;
  const metric = localMetric((ay + (edges[at + 3] as number)) / 2);
  const ex = ((edges[at + 2] as number) - ax) * metric.x;
  const ey = ((edges[at + 3] as number) - ay) * metric.y;
  const near = new Intervals(found.byClass.length);
  const along = new Intervals(found.byClass.length);
  for (let segment = 0; segment < classes.length; segment++) {
    const start = segment * 4;
    const cx = ((coordinates[start] as number) - ax) * metric.x;
    const cy = ((coordinates[start + 1] as number) - ay) * metric.y;
    const dx = ((coordinates[start + 2] as number) - ax) * metric.x;
    const dy = ((coordinates[start + 3] as number) - ay) * metric.y;
    if (!capsuleInterval(ex, ey, cx, cy, dx, dy, reach)) continue;
    const isAlong = runsAlong(ex, ey, dx - cx, dy - cy);
    for (const intervals of isAlong ? [near, along] : [near]) intervals.add(classes[segment] as number);
    found.features.add(features[segment] as number);
  }
  const length = Math.hypot(ex, ey);
  near.addTo(found, length);
  along.addTo(found.along, length);
}

/** Whether two directions differ by at most 45°, whichever way each goes. */
function runsAlong(ex: number, ey: number, ux: number, uy: number): boolean {
  const dot = ex * ux + ey * uy;
  return 2 * dot * dot >= (ex * ex + ey * ey) * (ux * ux + uy * uy);
}

/** Parts of one edge, of all lines and of each class. */
class Intervals {
  readonly #all: number[] = [];
  readonly #byClass: number[][];

  constructor(classCount: number) {
    this.#byClass = Array.from({ length: classCount }, () => []);
  }

  /** Adds `interval`. */
  add(lineClass: number): void {
    this.#all.push(interval.low, interval.high);
    this.#byClass[lineClass]?.push(interval.low, interval.high);
  }

  addTo(lengths: ClassLengths, edgeLength: number): void {
    if (this.#all.length === 0) return;
    lengths.any += edgeLength * unitedLength(this.#all);
    for (const [index, intervals] of this.#byClass.entries())
      lengths.byClass[index] = (lengths.byClass[index] as number) + edgeLength * unitedLength(intervals);
  }
}

/** Result of `capsuleInterval`, as shares of the edge; one object for millions of results. */
const interval = { low: 0, high: 0 };

/**
 * The part of the edge from (0, 0) to (ex, ey) within `reach` of the segment from c to d; false if there is none.
 * The three convex parts of the capsule give three intervals whose hull is the answer.
 */
function capsuleInterval(
  ex: number,
  ey: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  reach: number,
): boolean {
  const isApart =
    Math.min(cx, dx) - reach > Math.max(0, ex) ||
    Math.max(cx, dx) + reach < Math.min(0, ex) ||
    Math.min(cy, dy) - reach > Math.max(0, ey) ||
    Math.max(cy, dy) + reach < Math.min(0, ey);
  if (isApart) return false;
  interval.low = Number.POSITIVE_INFINITY;
  interval.high = Number.NEGATIVE_INFINITY;
  addDisc(ex, ey, cx, cy, reach);
  addDisc(ex, ey, dx, dy, reach);
  addRectangle(ex, ey, cx, cy, dx - cx, dy - cy, reach);
  interval.low = Math.max(interval.low, 0);
  interval.high = Math.min(interval.high, 1);
  return interval.low < interval.high;
}

function widenInterval(low: number, high: number): void {
  if (low > high) return;
  if (low < interval.low) interval.low = low;
  if (high > interval.high) interval.high = high;
}

/** |t e − c|² ≤ reach², a quadratic in t. */
function addDisc(ex: number, ey: number, cx: number, cy: number, reach: number): void {
  const squared = ex * ex + ey * ey;
  const middle = (ex * cx + ey * cy) / squared;
  // distance from the line, not |c|² − …: that would cancel for far centers
  const distance = ex * cy - ey * cx;
  const half = reach * reach - (distance * distance) / squared;
  if (half < 0) return;
  const root = Math.sqrt(half / squared);
  widenInterval(middle - root, middle + root);
}

/** Between the segment's ends along it, within reach across it: two linear conditions in t. */
function addRectangle(ex: number, ey: number, cx: number, cy: number, ux: number, uy: number, reach: number): void {
  const length = Math.hypot(ux, uy);
  if (length === 0) return;
  const along = linearRange((ex * ux + ey * uy) / length, -(cx * ux + cy * uy) / length, 0, length);
  if (along === null) return;
  const across = linearRange((ux * ey - uy * ex) / length, -(ux * cy - uy * cx) / length, -reach, reach);
  if (across === null) return;
  widenInterval(Math.max(along[0], across[0]), Math.min(along[1], across[1]));
}

/** The t with low ≤ slope × t + offset ≤ high; null if there is none. */
function linearRange(slope: number, offset: number, low: number, high: number): [number, number] | null {
  if (slope === 0) return offset >= low && offset <= high ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : null;
  const a = (low - offset) / slope;
  const b = (high - offset) / slope;
  return a < b ? [a, b] : [b, a];
}

/** Length of the union of intervals `[low, high, …]`. */
export function unitedLength(intervals: readonly number[]): number {
  if (intervals.length === 2) return (intervals[1] as number) - (intervals[0] as number);
  const order = Array.from({ length: intervals.length / 2 }, (_, index) => index * 2);
  order.sort((a, b) => (intervals[a] as number) - (intervals[b] as number));
  let total = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const at of order) {
    const low = Math.max(intervals[at] as number, end);
    const high = intervals[at + 1] as number;
    if (high > low) total += high - low;
    end = Math.max(end, high);
  }
  return total;
}
