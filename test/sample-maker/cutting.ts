/** Evaluates cuts before they are made: a fabric cannot undo a split edge. */
import type { Fabric, Ring } from './fabric.ts';
import { at, bounds, direction, distance, type Point, perimeter, signedArea } from './plane.ts';

/** A ring with the roads along its edges, for trial cuts. */
export interface Outlined {
  readonly points: readonly Point[];
  /** Per edge, from the corner of the same index: whether a road runs along it. */
  readonly roadside: readonly boolean[];
}

export interface Side {
  readonly area: number;
  readonly perimeter: number;
  readonly frontage: number;
  /** Mean of its corners. */
  readonly middle: Point;
}

export interface Cut {
  readonly start: Point;
  readonly end: Point;
  readonly sides: readonly [Side, Side];
  /** Whether each end lies on a road. */
  readonly startsAtRoad: boolean;
  readonly endsAtRoad: boolean;
  /** Sine of the sharper angle that the cut makes with the edge it meets. */
  readonly sharpest: number;
}

export function outlined(fabric: Fabric, ring: Ring): Outlined {
  const all = fabric.expand(ring);
  return {
    points: fabric.points(all),
    roadside: all.map((a, i) => fabric.markOf(a, at(all, i + 1)) !== undefined),
  };
}

export function frontageOf(shape: Outlined): number {
  return shape.points.reduce((sum, p, i) => sum + (shape.roadside[i] ? distance(p, at(shape.points, i + 1)) : 0), 0);
}

/** The direction in which the shape is longest: the box of least area along one of its longer edges. */
export function longAxis(points: readonly Point[]): { axis: Point; length: number; width: number } {
  const edges = points
    .map((a, i) => ({ a, b: at(points, i + 1) }))
    .sort((e, f) => distance(f.a, f.b) - distance(e.a, e.b))
    .slice(0, 8);
  let best = { axis: { x: 1, y: 0 }, length: 0, width: Infinity };
  for (const { a, b } of edges) {
    const u = direction(a, b);
    const turned = points.map((p) => ({ x: p.x * u.x + p.y * u.y, y: p.y * u.x - p.x * u.y }));
    const box = bounds(turned);
    const [w, h] = [box.maxX - box.minX, box.maxY - box.minY];
    if (w * h >= best.length * best.width && best.width !== Infinity) continue;
    best = w >= h ? { axis: u, length: w, width: h } : { axis: { x: -u.y, y: u.x }, length: h, width: w };
  }
  return best;
}

/** The direction of the longest stretch of road along the shape, or null. */
export function roadAxis(shape: Outlined): Point | null {
  let [best, axis]: [number, Point | null] = [0, null];
  shape.points.forEach((p, i) => {
    const q = at(shape.points, i + 1);
    if (!shape.roadside[i] || distance(p, q) <= best) return;
    [best, axis] = [distance(p, q), direction(p, q)];
  });
  return axis;
}

/** The distance along `normal` at which a straight cut has this share of the area behind it. */
export function offsetForShare(points: readonly Point[], normal: Point, share: number): number {
  const heights = new Float64Array(points.length);
  const widths = new Float64Array(points.length);
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const p = at(points, i);
    const height = p.x * normal.x + p.y * normal.y;
    heights[i] = height;
    widths[i] = p.y * normal.x - p.x * normal.y;
    low = Math.min(low, height);
    high = Math.max(high, height);
  }
  const wanted = share * areaBelow(heights, widths, high);
  for (let i = 0; i < 10; i++) {
    const middle = (low + high) / 2;
    if (areaBelow(heights, widths, middle) < wanted) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Area of the part of a ring below a level: the depth below it, integrated around the ring. The level itself has depth
 * 0, so the cut's own edge adds nothing and need not be built.
 */
function areaBelow(heights: Float64Array, widths: Float64Array, level: number): number {
  let sum = 0;
  let last = heights.length - 1;
  for (let i = 0; i < heights.length; last = i++) {
    const [from, to] = [level - (heights[last] ?? 0), level - (heights[i] ?? 0)];
    if (from <= 0 && to <= 0) continue;
    const wet = from > 0 && to > 0 ? 1 : Math.max(from, to) / Math.abs(to - from);
    sum += ((widths[i] ?? 0) - (widths[last] ?? 0)) * wet * ((Math.max(from, 0) + Math.max(to, 0)) / 2);
  }
  return Math.abs(sum);
}

interface Hit {
  readonly edge: number;
  readonly point: Point;
  readonly along: number;
}

/** A straight cut across the shape at right angles to `normal`: along its longest run inside. */
export function straightCut(shape: Outlined, normal: Point, offset: number): Cut | null {
  const hits = levelHits(shape.points, normal, offset);
  let best: readonly [Hit, Hit] | null = null;
  for (let i = 0; i + 1 < hits.length; i += 2) {
    const pair = [at(hits, i), at(hits, i + 1)] as const;
    if (!best || pair[1].along - pair[0].along > best[1].along - best[0].along) best = pair;
  }
  if (!best || best[0].edge === best[1].edge) return null;
  const [from, to] = best;
  return {
    start: from.point,
    end: to.point,
    sides: [sideOf(shape, from, to), sideOf(shape, to, from)],
    startsAtRoad: shape.roadside[from.edge] ?? false,
    endsAtRoad: shape.roadside[to.edge] ?? false,
    sharpest: Math.min(sine(shape.points, from.edge, normal), sine(shape.points, to.edge, normal)),
  };
}

function levelHits(points: readonly Point[], normal: Point, offset: number): Hit[] {
  const hits: Hit[] = [];
  points.forEach((p, edge) => {
    const q = at(points, edge + 1);
    const [hp, hq] = [p.x * normal.x + p.y * normal.y - offset, q.x * normal.x + q.y * normal.y - offset];
    if (hp >= 0 === hq >= 0) return;
    const t = hp / (hp - hq);
    const point = { x: p.x + (q.x - p.x) * t, y: p.y + (q.y - p.y) * t };
    hits.push({ edge, point, along: point.y * normal.x - point.x * normal.y });
  });
  return hits.sort((a, b) => a.along - b.along);
}

function sine(points: readonly Point[], edge: number, normal: Point): number {
  const u = direction(at(points, edge), at(points, edge + 1));
  return Math.abs(u.x * normal.x + u.y * normal.y);
}

/** The part of the ring from one hit forward to the other, closed by the cut. */
function sideOf(shape: Outlined, from: Hit, to: Hit): Side {
  const ring: Point[] = [from.point];
  let [frontage, last, edge] = [0, from.point, from.edge];
  while (edge !== to.edge) {
    const corner = at(shape.points, edge + 1);
    if (shape.roadside[edge]) frontage += distance(last, corner);
    ring.push(corner);
    last = corner;
    edge = (edge + 1) % shape.points.length;
  }
  if (shape.roadside[edge]) frontage += distance(last, to.point);
  ring.push(to.point);
  const sum = ring.reduce((m, p) => ({ x: m.x + p.x, y: m.y + p.y }));
  const middle = { x: sum.x / ring.length, y: sum.y / ring.length };
  return { area: Math.abs(signedArea(ring)), perimeter: perimeter(ring), frontage, middle };
}
