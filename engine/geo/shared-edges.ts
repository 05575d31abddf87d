/**
 * Which shapes share a stretch of boundary, and which face each other across a road. Edges with equal ends are paired by a
 * hash; the rest lie in a static R-tree, where stretches that run side by side within a meter count along their length. A
 * stretch that is shared with none looks outward: the first edge it meets within a road's width, if that one looks back,
 * is the other side of the road. A road that is a parcel itself is looked over: what lies beyond it faces the lot. Lots that
 * meet at a corner share no length.
 */
import Flatbush from 'flatbush';
import { EdgeList, pairEqual } from './edge-list.ts';
import { type Bounds, boundsOfCoordinates, boundsOverlap, type MultiPolygon } from './geometry.ts';
import { localMetric } from './local-metric.ts';
import { unitedLength, widenBounds } from './near-length.ts';

/** Two drawings of one line lie within this, and run within 10° of each other. */
const besideMeters = 1;
const besideTangent = Math.tan((10 * Math.PI) / 180);
/** The widest road that has neighbors across. */
const roadMeters = 25;
/** Edges face each other that run within 45° of opposite ways. */
const facingCosine = Math.SQRT1_2;
/** Less is a corner, or the noise of two drawings. */
export const leastSharedMeters = 2;
/** Edges that look around together, as long as their box has at most so many degrees along both sides. */
const edgesPerRun = 16;
const runDegrees = 0.002;
const runsPerStep = 1000;

/** Two shapes, by their places in the list, `one` the lesser; both lengths along the boundary on which they are longer. */
export interface SharedBoundary {
  readonly one: number;
  readonly other: number;
  /** Meters; 0 or at least `leastSharedMeters`, as `acrossMeters`. */
  readonly sharedMeters: number;
  /** Meters that face the other shape across a road. */
  readonly acrossMeters: number;
  /** Middle of the shared stretches, else of those that face, in degrees. */
  readonly longitude: number;
  readonly latitude: number;
}

interface SharedEdgesOptions {
  /** Only its pairs are wanted: the shapes are then those around it, within a road's width at least. */
  readonly subject?: number | null;
  /** Shapes that are roads, by their places; read when all shapes are. */
  readonly roads?: ReadonlySet<number>;
  /** Called now and then; an error it throws ends the work. */
  readonly onStep?: () => void;
}

/** @param shapes in degrees; equal ones share their whole boundary, so leave all but one of a stack out */
export function sharedEdges(
  shapes: Iterable<MultiPolygon>,
  { subject = null, roads = new Set(), onStep = () => {} }: SharedEdgesOptions = {},
): SharedBoundary[] {
  const edges = new EdgeList(shapes);
  const pairs = new Pairs(edges, subject);
  // Edges that a lot has in common with nothing but a road look over it.
  const roadside = new Uint8Array(roads.size === 0 ? 0 : edges.count);
  const isPaired = pairEqual(edges, (one, other, edge, met) => {
    if (roads.has(one) !== roads.has(other)) roadside[roads.has(one) ? met : edge] = 1;
    if (!pairs.isWanted(one, other)) return;
    const [meters, longitude, latitude] = edges.measure(edge);
    pairs.add('shared', one, other, meters, longitude, latitude);
    pairs.add('shared', other, one, meters, longitude, latitude);
  });
  const looking = Int32Array.from(edges.owners.subarray(0, edges.count), (_, edge) => edge).filter(
    (edge) => isPaired[edge] === 0 || roadside[edge] === 1,
  );
  new Stretches({ edges, looking, roads, roadside, pairs, subject }).measure(onStep);
  return pairs.found();
}

/** Meters between two shapes, as either boundary measures them. */
interface Pair {
  readonly one: number;
  readonly other: number;
  readonly shared: [number, number];
  readonly across: [number, number];
  /** Sums of length times place, and of length: of shared stretches, then of those across. */
  readonly places: [number, number, number, number, number, number];
}

class Pairs {
  readonly #pairs = new Map<number, Pair>();
  readonly #shapes: number;
  readonly #subject: number | null;

  constructor({ owners, count }: EdgeList, subject: number | null) {
    this.#shapes = count === 0 ? 0 : (owners[count - 1] as number) + 1;
    this.#subject = subject;
  }

  isWanted(a: number, b: number): boolean {
    return a !== b && (this.#subject === null || a === this.#subject || b === this.#subject);
  }

  /** @param own the shape whose boundary was measured */
  add(
    kind: 'shared' | 'across',
    own: number,
    other: number,
    meters: number,
    longitude: number,
    latitude: number,
  ): void {
    const [one, two] = own < other ? [own, other] : [other, own];
    const key = one * this.#shapes + two;
    let pair = this.#pairs.get(key);
    if (!pair) {
      pair = { one, other: two, shared: [0, 0], across: [0, 0], places: [0, 0, 0, 0, 0, 0] };
      this.#pairs.set(key, pair);
    }
    const side = own === one ? 0 : 1;
    pair[kind][side] += meters;
    const at = kind === 'shared' ? 0 : 3;
    pair.places[at] = (pair.places[at] as number) + meters * longitude;
    pair.places[at + 1] = (pair.places[at + 1] as number) + meters * latitude;
    pair.places[at + 2] = (pair.places[at + 2] as number) + meters;
  }

  found(): SharedBoundary[] {
    const found: SharedBoundary[] = [];
    for (const { one, other, shared, across, places } of this.#pairs.values()) {
      const [sharedMeters, acrossMeters] = [countedMeters(shared), countedMeters(across)];
      if (sharedMeters + acrossMeters === 0) continue;
      const at = sharedMeters > 0 ? 0 : 3;
      const meters = places[at + 2] as number;
      found.push({
        ...{ one, other, sharedMeters, acrossMeters },
        longitude: (places[at] as number) / meters,
        latitude: (places[at + 1] as number) / meters,
      });
    }
    return found;
  }
}

function countedMeters([one, other]: readonly [number, number]): number {
  const meters = Math.max(one, other);
  return meters < leastSharedMeters ? 0 : meters;
}

/** What an edge sees of another, in its own direction: from where to where along it, and how far out at both, in meters. */
interface Seen {
  readonly owner: number;
  /** It looks back: another side of a road. */
  readonly isFacing: boolean;
  readonly from: number;
  readonly to: number;
  readonly outFrom: number;
  readonly outTo: number;
}

/** A part of an edge, in meters from its start, beside an edge of another shape. */
interface Beside {
  readonly owner: number;
  readonly low: number;
  readonly high: number;
}

interface StretchesInput {
  readonly edges: EdgeList;
  /** Edges that are paired with none or with a road alone, in order. */
  readonly looking: Int32Array;
  readonly roads: ReadonlySet<number>;
  /** 1: paired with a road. */
  readonly roadside: Uint8Array;
  readonly pairs: Pairs;
  readonly subject: number | null;
}

/** Edges that are paired with no lot: where they run along others, and what lies across. */
class Stretches {
  readonly #edges: EdgeList;
  readonly #looking: Int32Array;
  readonly #roads: ReadonlySet<number>;
  readonly #roadside: Uint8Array;
  readonly #pairs: Pairs;
  readonly #subject: number | null;
  readonly #tree: Flatbush | null;
  // The edge that is measured: its start in degrees, its way in meters, and meters per degree there.
  #startX = 0;
  #startY = 0;
  #metricX = 0;
  #metricY = 0;
  #wayX = 0;
  #wayY = 0;
  #length = 0;

  constructor({ edges, looking, roads, roadside, pairs, subject }: StretchesInput) {
    this.#edges = edges;
    this.#looking = looking;
    this.#roads = roads;
    this.#roadside = roadside;
    this.#pairs = pairs;
    this.#subject = subject;
    this.#tree = looking.length === 0 ? null : new Flatbush(looking.length);
    if (this.#tree === null) return;
    for (const edge of looking) {
      const { minX, minY, maxX, maxY } = this.#box(edge, edge);
      this.#tree.add(minX, minY, maxX, maxY);
    }
    this.#tree.finish();
  }

  measure(onStep: () => void): void {
    const mayMeet = this.#subject === null ? () => true : this.#isNear(this.#subject);
    for (let at = 0, runs = 0; at < this.#looking.length; runs++) {
      if (runs % runsPerStep === 0) onStep();
      const end = this.#endOfRun(at);
      const box = widenBounds(this.#box(this.#looking[at] as number, this.#looking[end - 1] as number), roadMeters);
      if (mayMeet(box)) {
        const near = this.#tree?.search(box.minX, box.minY, box.maxX, box.maxY) ?? [];
        for (; at < end; at++) this.#measure(this.#looking[at] as number, near);
      }
      at = end;
    }
  }

  /** Edges of one shape, one after another, are looked around for together, while that is not far. */
  #endOfRun(start: number): number {
    const first = this.#looking[start] as number;
    let end = start + 1;
    for (; end < this.#looking.length && end < start + edgesPerRun; end++) {
      const edge = this.#looking[end] as number;
      if (this.#edges.owners[edge] !== this.#edges.owners[first]) break;
      const { minX, minY, maxX, maxY } = this.#box(first, edge);
      if (maxX - minX + maxY - minY > runDegrees) break;
    }
    return end;
  }

  /** Box around these edges and those between. */
  #box(first: number, last: number): Bounds {
    return boundsOfCoordinates([this.#edges.coordinates.subarray(4 * first, 4 * last + 4)]);
  }

  /** Whether an edge in this box may lie beside or across from the subject. */
  #isNear(subject: number): (box: Bounds) => boolean {
    const { owners, count } = this.#edges;
    const [first, last] = [owners.indexOf(subject), owners.lastIndexOf(subject, count - 1)];
    const own = first < 0 ? boundsOfCoordinates([]) : this.#box(first, last);
    return (box) => boundsOverlap(box, own);
  }

  /** @param near places in `#looking` */
  #measure(edge: number, near: readonly number[]): void {
    this.#take(edge);
    const own = this.#edges.owners[edge] as number;
    const isRoad = this.#roads.has(own);
    const seen: Seen[] = [];
    const beside: Beside[] = [];
    for (const at of near) {
      const other = this.#looking[at] as number;
      if (other === edge) continue;
      const one = this.#see(other);
      if (one === null) continue;
      if (!this.#roads.has(one.owner)) seen.push(one);
      // What is paired counts already.
      if (one.owner === own || this.#roadside[edge] === 1 || this.#roadside[other] === 1) continue;
      const part = this.#beside(one);
      if (part) beside.push(part);
    }
    if (beside.length > 0) this.#addShared(own, beside);
    if (isRoad) return;
    const lots = beside.filter(({ owner }) => !this.#roads.has(owner));
    const covered = lots.flatMap(({ low, high }) => [low, high]);
    if (this.#length - unitedLength(covered) > besideMeters) this.#addFacing(own, seen, lots);
  }

  #take(edge: number): void {
    const { coordinates } = this.#edges;
    const [ax, ay] = [coordinates[4 * edge] as number, coordinates[4 * edge + 1] as number];
    const [bx, by] = [coordinates[4 * edge + 2] as number, coordinates[4 * edge + 3] as number];
    const metric = localMetric((ay + by) / 2);
    const [dx, dy] = [(bx - ax) * metric.x, (by - ay) * metric.y];
    this.#length = Math.hypot(dx, dy);
    this.#startX = ax;
    this.#startY = ay;
    this.#metricX = metric.x;
    this.#metricY = metric.y;
    this.#wayX = dx / this.#length;
    this.#wayY = dy / this.#length;
  }

  /** Null: it lies beyond the ends, behind, or farther out than a road. */
  #see(edge: number): Seen | null {
    const { coordinates } = this.#edges;
    const px = ((coordinates[4 * edge] as number) - this.#startX) * this.#metricX;
    const py = ((coordinates[4 * edge + 1] as number) - this.#startY) * this.#metricY;
    const qx = ((coordinates[4 * edge + 2] as number) - this.#startX) * this.#metricX;
    const qy = ((coordinates[4 * edge + 3] as number) - this.#startY) * this.#metricY;
    const p = px * this.#wayX + py * this.#wayY;
    const q = qx * this.#wayX + qy * this.#wayY;
    if (p === q || (p <= 0 && q <= 0) || (p >= this.#length && q >= this.#length)) return null;
    // Right of the edge, where the outside is.
    const pOut = px * this.#wayY - py * this.#wayX;
    const qOut = qx * this.#wayY - qy * this.#wayX;
    if ((pOut < -besideMeters && qOut < -besideMeters) || (pOut > roadMeters && qOut > roadMeters)) return null;
    const owner = this.#edges.owners[edge] as number;
    const isFacing = p - q >= facingCosine * Math.hypot(q - p, qOut - pOut);
    return p < q
      ? { owner, isFacing, from: p, to: q, outFrom: pOut, outTo: qOut }
      : { owner, isFacing, from: q, to: p, outFrom: qOut, outTo: pOut };
  }

  #beside({ owner, from, to, outFrom, outTo }: Seen): Beside | null {
    const [run, rise] = [to - from, outTo - outFrom];
    if (Math.abs(rise) > besideTangent * run) return null;
    let [low, high] = [Math.max(0, from), Math.min(this.#length, to)];
    if (rise !== 0) {
      const [one, other] = [-besideMeters, besideMeters].map((out) => from + ((out - outFrom) * run) / rise);
      low = Math.max(low, Math.min(one as number, other as number));
      high = Math.min(high, Math.max(one as number, other as number));
    } else if (Math.abs(outFrom) > besideMeters) return null;
    return high > low ? { owner, low, high } : null;
  }

  /** The place on the edge, in degrees, so many meters from its start. */
  #place(along: number): readonly [number, number] {
    return [this.#startX + (along * this.#wayX) / this.#metricX, this.#startY + (along * this.#wayY) / this.#metricY];
  }

  #addShared(own: number, beside: readonly Beside[]): void {
    for (const owner of new Set(beside.map((part) => part.owner))) {
      if (!this.#pairs.isWanted(own, owner)) continue;
      const parts = beside.filter((part) => part.owner === owner);
      const meters = unitedLength(parts.flatMap(({ low, high }) => [low, high]));
      const middle = parts.reduce((sum, { low, high }) => sum + (high * high - low * low) / 2, 0);
      const whole = parts.reduce((sum, { low, high }) => sum + (high - low), 0);
      this.#pairs.add('shared', own, owner, meters, ...this.#place(middle / whole));
    }
  }

  /** Between any two ends of edges that are seen, the nearest of them is what lies across. */
  #addFacing(own: number, seen: readonly Seen[], beside: readonly Beside[]): void {
    if (!seen.some(({ owner, isFacing }) => isFacing && this.#pairs.isWanted(own, owner))) return;
    const ends = [...seen.flatMap(({ from, to }) => [from, to]), ...beside.flatMap(({ low, high }) => [low, high])];
    const inside = ends.filter((at) => at > 0 && at < this.#length).sort((a, b) => a - b);
    let from = 0;
    for (const to of [...inside, this.#length]) {
      const middle = (from + to) / 2;
      const across = to > from && !isWithin(beside, middle) ? nearestOut(seen, middle) : null;
      if (across?.isFacing && this.#pairs.isWanted(own, across.owner))
        this.#pairs.add('across', own, across.owner, to - from, ...this.#place(middle));
      from = to;
    }
  }
}

const isWithin = (parts: readonly Beside[], along: number): boolean =>
  parts.some(({ low, high }) => low <= along && along <= high);

/** What is met first, going out from a place of an edge, within a road's width. */
function nearestOut(seen: readonly Seen[], along: number): Seen | null {
  let nearest: Seen | null = null;
  let least = roadMeters;
  for (const one of seen) {
    if (one.from > along || one.to < along) continue;
    const out = one.outFrom + ((along - one.from) / (one.to - one.from)) * (one.outTo - one.outFrom);
    if (out <= 0 || out > least) continue;
    [nearest, least] = [one, out];
  }
  return nearest;
}

/** Shapes that are farther apart make no pair. */
export const pairMeters = 2 * roadMeters;

/** The box in which the shapes around one must lie for `sharedEdges` to find all of its pairs. */
export const aroundShape = (bounds: Bounds): Bounds => widenBounds(bounds, pairMeters);
