/**
 * A plane divided into faces without gaps or overlaps. Faces name their corners by number; code that cuts an edge
 * leaves the new corner in `splits`, where the neighbor finds it, so both sides always walk the same corners.
 */
import {
  at,
  contains,
  distance,
  nearestOnSegment,
  type Point,
  ringCrossings,
  segmentsMeet,
  signedArea,
} from './plane.ts';

/** Anchor of the plane: the crossing in the middle of Wrenfield. */
const anchor = { longitude: -71.835, latitude: 44.099 };
const radians = Math.PI / 180;

/** Meters in a degree of the WGS84 ellipsoid at a latitude. */
function metersPerDegree(latitude: number): { longitude: number; latitude: number } {
  const [a, e2] = [6378137, 0.00669437999014];
  const w = 1 - e2 * Math.sin(latitude * radians) ** 2;
  return {
    longitude: (radians * a * Math.cos(latitude * radians)) / Math.sqrt(w),
    latitude: (radians * a * (1 - e2)) / w ** 1.5,
  };
}

const scale = metersPerDegree(anchor.latitude);

/** Ten-millionths of a degree, about a centimeter: corners lie on this grid, so printed numbers are exact. */
const grid = 1e7;

export const longitudeOf = (x: number): number => Math.round((anchor.longitude + x / scale.longitude) * grid) / grid;
export const latitudeOf = (y: number): number => Math.round((anchor.latitude + y / scale.latitude) * grid) / grid;
export const toPoint = (longitude: number, latitude: number): Point => ({
  x: (longitude - anchor.longitude) * scale.longitude,
  y: (latitude - anchor.latitude) * scale.latitude,
});

/** Acres on the ellipsoid of square meters of the plane at a height of the plane. */
export function acresOf(squareMeters: number, y: number): number {
  const there = metersPerDegree(anchor.latitude + y / scale.latitude);
  const stretch = (there.longitude * there.latitude) / (scale.longitude * scale.latitude);
  return (squareMeters * stretch) / 4046.8564224;
}

export type Ring = readonly number[];

/** A path across a face: from its edge, through points inside, to its edge. */
interface Chord {
  readonly start: Point;
  readonly middle: readonly Point[];
  readonly end: Point;
}

const edgeKey = (a: number, b: number): number => (a < b ? a * 4194304 + b : b * 4194304 + a);

export class Fabric {
  readonly #points: Point[] = [];
  readonly #splits = new Map<number, number>();
  readonly #marks = new Map<number, number>();

  add(p: Point): number {
    this.#points.push(toPoint(longitudeOf(p.x), latitudeOf(p.y)));
    return this.#points.length - 1;
  }

  point(vertex: number): Point {
    return at(this.#points, vertex);
  }

  points(ring: Ring): Point[] {
    return ring.map((vertex) => at(this.#points, vertex));
  }

  /** The ring with every corner that neighbors have since put on its edges. */
  expand(ring: Ring): number[] {
    const out: number[] = [];
    for (let i = 0; i < ring.length; i++) this.#walk(at(ring, i), at(ring, i + 1), out);
    return out;
  }

  #walk(a: number, b: number, out: number[]): void {
    const middle = this.#splits.get(edgeKey(a, b));
    if (middle === undefined) {
      out.push(a);
      return;
    }
    this.#walk(a, middle, out);
    this.#walk(middle, b, out);
  }

  /** Records what runs along the edges of a ring (a road's number), also for the pieces they are cut into. */
  mark(ring: Ring, mark: number): void {
    const all = this.expand(ring);
    for (let i = 0; i < all.length; i++) this.#marks.set(edgeKey(at(all, i), at(all, i + 1)), mark);
  }

  markOf(a: number, b: number): number | undefined {
    return this.#marks.get(edgeKey(a, b));
  }

  /** Puts a point on the nearest edge of an expanded ring, or uses a corner within the tolerance. */
  #attach(ring: Ring, p: Point, tolerance: number): { ring: number[]; vertex: number } {
    let best = { index: 0, distance: Infinity };
    for (let i = 0; i < ring.length; i++) {
      const near = nearestOnSegment(this.point(at(ring, i)), this.point(at(ring, i + 1)), p);
      if (near.distance < best.distance) best = { index: i, distance: near.distance };
    }
    const [a, b] = [at(ring, best.index), at(ring, best.index + 1)];
    const [toA, toB] = [distance(this.point(a), p), distance(this.point(b), p)];
    if (Math.min(toA, toB) <= tolerance) return { ring: [...ring], vertex: toA <= toB ? a : b };
    const vertex = this.add(p);
    this.#splits.set(edgeKey(a, b), vertex);
    const mark = this.markOf(a, b);
    if (mark !== undefined) {
      this.#marks.set(edgeKey(a, vertex), mark);
      this.#marks.set(edgeKey(vertex, b), mark);
    }
    return { ring: ring.toSpliced(best.index + 1, 0, vertex), vertex };
  }

  /** The two sides of a ring cut along a chord; null if one of them would be empty. */
  split(ring: Ring, chord: Chord, tolerance: number): [number[], number[]] | null {
    const first = this.#attach(this.expand(ring), chord.start, tolerance);
    const second = this.#attach(first.ring, chord.end, tolerance);
    const [i, j] = [second.ring.indexOf(first.vertex), second.ring.indexOf(second.vertex)];
    if (i === j) return null;
    const turned = [...second.ring.slice(i), ...second.ring.slice(0, i)];
    const cut = turned.indexOf(second.vertex);
    const straight = chord.middle.length === 0;
    if (straight && (cut === 1 || cut === turned.length - 1)) return null;
    // Snapping to a near corner turns the chord slightly: occasionally enough to cross a side close to it.
    const path = [this.point(first.vertex), ...chord.middle, this.point(second.vertex)];
    if (path.length <= 4 && !staysInside(this.points(turned), cut, path)) return null;
    const middle = chord.middle.map((p) => this.add(p));
    const left = [...turned.slice(0, cut + 1), ...middle.toReversed()];
    const right = [...turned.slice(cut), first.vertex, ...middle];
    return [left, right].every((side) => signedArea(this.points(side)) > 1) ? [left, right] : null;
  }

  /** Cuts a ring along every stretch of a line that lies inside it from edge to edge; loose ends cut nothing. */
  cutAlong(ring: Ring, line: readonly Point[], tolerance: number): number[][] {
    const whole = this.expand(ring);
    const pieces = [whole];
    for (const chord of this.#chords(whole, line, tolerance)) {
      const probe = chordProbe(chord);
      const index = pieces.findIndex((piece) => contains(this.points(this.expand(piece)), probe));
      const piece = pieces[index];
      const sides = piece && this.split(piece, chord, tolerance);
      if (sides) pieces.splice(index, 1, ...sides);
    }
    return pieces;
  }

  #chords(ring: Ring, line: readonly Point[], tolerance: number): Chord[] {
    const points = this.points(ring);
    const crossings = ringCrossings(points, line);
    const chords: Chord[] = [];
    for (let i = 0; i + 1 < crossings.length; i++) {
      const [from, to] = [at(crossings, i), at(crossings, i + 1)];
      const middle = line
        .slice(Math.ceil(from.position), Math.floor(to.position) + 1)
        .filter((p) => Math.min(distance(p, from.point), distance(p, to.point)) > tolerance);
      const chord = { start: from.point, middle, end: to.point };
      if (contains(points, chordProbe(chord))) chords.push(chord);
    }
    return chords;
  }
}

/** Whether a path from corner 0 to corner `end` of a ring meets the ring nowhere else. */
function staysInside(ring: readonly Point[], end: number, path: readonly Point[]): boolean {
  const last = path.length - 2;
  return path.slice(0, -1).every((p, k) => {
    const q = at(path, k + 1);
    return ring.every((a, i) => {
      const ends = [i, (i + 1) % ring.length];
      if ((k === 0 && ends.includes(0)) || (k === last && ends.includes(end))) return true;
      return !segmentsMeet(p, q, a, at(ring, i + 1));
    });
  });
}

/** A point in the run of a chord, away from its ends. */
function chordProbe(chord: Chord): Point {
  const path = [chord.start, ...chord.middle, chord.end];
  const half = Math.floor((path.length - 1) / 2);
  const [a, b] = [at(path, half), at(path, half + 1)];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
