/**
 * Plane geometry in meters. The plane is an affine image of longitude and latitude, so what is straight, shared or
 * inside here is so in degrees too.
 */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Crossing {
  /** Segment of the line plus the share of it that lies before the crossing. */
  readonly position: number;
  readonly point: Point;
}

/** Item at an index known to exist; negative indexes count from the end, and indexes wrap. */
export function at<T>(list: readonly T[], index: number): T {
  const { length } = list;
  const value = list[index >= 0 && index < length ? index : ((index % length) + length) % length];
  if (value === undefined) throw new RangeError(`no item ${index}`);
  return value;
}

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

export const cross = (a: Point, b: Point, p: Point): number => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);

/** Positive when counter-clockwise. */
export function signedArea(ring: readonly Point[]): number {
  const origin = at(ring, 0);
  let twice = 0;
  for (let i = 1; i < ring.length - 1; i++) twice += cross(origin, at(ring, i), at(ring, i + 1));
  return twice / 2;
}

export function perimeter(ring: readonly Point[]): number {
  return ring.reduce((sum, p, i) => sum + distance(p, at(ring, i + 1)), 0);
}

export function contains(ring: readonly Point[], p: Point): boolean {
  let inside = false;
  let a = at(ring, -1);
  for (const b of ring) {
    if (a.y > p.y !== b.y > p.y && p.x < ((b.x - a.x) * (p.y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    a = b;
  }
  return inside;
}

export function bounds(ring: readonly Point[]): { minX: number; minY: number; maxX: number; maxY: number } {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const p of ring) {
    box.minX = Math.min(box.minX, p.x);
    box.maxX = Math.max(box.maxX, p.x);
    box.minY = Math.min(box.minY, p.y);
    box.maxY = Math.max(box.maxY, p.y);
  }
  return box;
}

/** Middle of the widest run inside the rings along one of a few level lines: well inside, never on an edge. */
export function interiorPoint(rings: readonly (readonly Point[])[]): Point {
  const box = bounds(at(rings, 0));
  let best = { width: -1, point: at(at(rings, 0), 0) };
  for (const share of [0.5, 0.31, 0.69, 0.17, 0.83]) {
    const y = box.minY + (box.maxY - box.minY) * share;
    const xs = rings.flatMap((ring) => levelCrossings(ring, y)).sort((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const [left, right] = [at(xs, i), at(xs, i + 1)];
      if (right - left > best.width) best = { width: right - left, point: { x: (left + right) / 2, y } };
    }
  }
  return best.point;
}

function levelCrossings(ring: readonly Point[], y: number): number[] {
  const xs: number[] = [];
  let a = at(ring, -1);
  for (const b of ring) {
    if (a.y > y !== b.y > y) xs.push(((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x);
    a = b;
  }
  return xs;
}

export function nearestOnSegment(a: Point, b: Point, p: Point): { share: number; point: Point; distance: number } {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length2 = dx * dx + dy * dy;
  const share = length2 === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
  const point = { x: a.x + dx * share, y: a.y + dy * share };
  return { share, point, distance: distance(point, p) };
}

/** Where along the line the nearest point lies, in meters from its start, and on which side (left positive). */
export function locateOnLine(line: readonly Point[], p: Point): { along: number; offset: number } {
  let [walked, along, best, side] = [0, 0, Infinity, 1];
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [at(line, i), at(line, i + 1)];
    const near = nearestOnSegment(a, b, p);
    const length = distance(a, b);
    if (near.distance < best) {
      best = near.distance;
      along = walked + near.share * length;
      side = cross(a, b, p) >= 0 ? 1 : -1;
    }
    walked += length;
  }
  return { along, offset: best * side };
}

/** The line moved to its left by some meters; only for lines that bend more gently than that. */
export function offsetLine(line: readonly Point[], meters: (position: number) => number): Point[] {
  return line.map((p, i) => {
    const before = i === 0 ? p : at(line, i - 1);
    const after = i === line.length - 1 ? p : at(line, i + 1);
    const length = distance(before, after) || 1;
    const d = meters(i) / length;
    return { x: p.x - (after.y - before.y) * d, y: p.y + (after.x - before.x) * d };
  });
}

/**
 * A smooth curve through the controls, with a point about every step. Its tangents are as long as the stretch they
 * bend, so that a short stretch between long ones (a road's stops in a village) does not overshoot.
 */
export function smoothLine(controls: readonly Point[], step: number): Point[] {
  const line: Point[] = [at(controls, 0)];
  for (let i = 0; i + 1 < controls.length; i++) {
    const [b, c] = [at(controls, i), at(controls, i + 1)];
    const from = direction(i === 0 ? b : at(controls, i - 1), c);
    const to = direction(b, i + 2 === controls.length ? c : at(controls, i + 2));
    const pieces = Math.max(1, Math.round(distance(b, c) / step));
    for (let k = 1; k <= pieces; k++) line.push(hermite(b, from, c, to, k / pieces));
  }
  return line;
}

export function direction(a: Point, b: Point): Point {
  const length = distance(a, b) || 1;
  return { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
}

function hermite(a: Point, from: Point, b: Point, to: Point, t: number): Point {
  const length = distance(a, b);
  const [h1, h2, h3] = [t * t * (3 - 2 * t), t * (1 - t) ** 2 * length, t * t * (t - 1) * length];
  return {
    x: a.x + h1 * (b.x - a.x) + h2 * from.x + h3 * to.x,
    y: a.y + h1 * (b.y - a.y) + h2 * from.y + h3 * to.y,
  };
}

/** Whether two segments cross or touch. */
export function segmentsMeet(p: Point, q: Point, a: Point, b: Point): boolean {
  if (Math.max(p.x, q.x) < Math.min(a.x, b.x) || Math.max(a.x, b.x) < Math.min(p.x, q.x)) return false;
  if (Math.max(p.y, q.y) < Math.min(a.y, b.y) || Math.max(a.y, b.y) < Math.min(p.y, q.y)) return false;
  return cross(p, q, a) * cross(p, q, b) <= 0 && cross(a, b, p) * cross(a, b, q) <= 0;
}

/**
 * Where a line crosses a ring, in the line's order. An end exactly on the other's line counts as its left side,
 * for both, so a line through a corner crosses once and the crossings alternate between in and out.
 */
export function ringCrossings(ring: readonly Point[], line: readonly Point[]): Crossing[] {
  const found: Crossing[] = [];
  for (let i = 0; i + 1 < line.length; i++) segmentCrossings(ring, at(line, i), at(line, i + 1), i, found);
  return found.sort((a, b) => a.position - b.position);
}

function segmentCrossings(ring: readonly Point[], p: Point, q: Point, index: number, found: Crossing[]): void {
  const [minX, maxX, minY, maxY] = [Math.min(p.x, q.x), Math.max(p.x, q.x), Math.min(p.y, q.y), Math.max(p.y, q.y)];
  let a = at(ring, -1);
  for (const b of ring) {
    const from = a;
    a = b;
    if ((from.x < minX && b.x < minX) || (from.x > maxX && b.x > maxX)) continue;
    if ((from.y < minY && b.y < minY) || (from.y > maxY && b.y > maxY)) continue;
    if (cross(p, q, from) >= 0 === cross(p, q, b) >= 0) continue;
    const [dp, dq] = [cross(from, b, p), cross(from, b, q)];
    if (dp >= 0 === dq >= 0) continue;
    const t = dp / (dp - dq);
    found.push({ position: index + t, point: { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t } });
  }
}
