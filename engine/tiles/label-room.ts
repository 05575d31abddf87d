/** Place and largest size of a parcel's label, computed in degrees, so that all tiles agree. */
import type { MultiPolygon } from '../geo/geometry.ts';
import { pointOnSurface } from '../geo/point-on-surface.ts';

/** An upright box in degrees, around its point. */
export interface LabelRoom {
  readonly longitude: number;
  readonly latitude: number;
  readonly width: number;
  readonly height: number;
}

/** Distances from the point to the nearest edges along both axes. */
interface Stretch {
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/**
 * Uses the stored point if it lies on the parcel; another program may have moved the shape without it.
 */
export function labelRoom(polygons: MultiPolygon, longitude: number | null, latitude: number | null): LabelRoom {
  if (longitude !== null && latitude !== null) {
    const stretch = stretchAt(polygons, longitude, latitude);
    if (stretch) return roomOf(polygons, longitude, latitude, stretch);
  }
  const [x, y] = pointOnSurface(polygons);
  return roomOf(polygons, x, y, stretchAt(polygons, x, y) ?? { halfWidth: 0, halfHeight: 0 });
}

/** Visits every edge, relative to a point. */
function eachEdge(
  polygons: MultiPolygon,
  x: number,
  y: number,
  visit: (ax: number, ay: number, bx: number, by: number) => void,
): void {
  for (const rings of polygons) {
    for (const ring of rings) {
      for (let at = 0; at + 3 < ring.length; at += 2) {
        const ax = (ring[at] as number) - x;
        const ay = (ring[at + 1] as number) - y;
        visit(ax, ay, (ring[at + 2] as number) - x, (ring[at + 3] as number) - y);
      }
    }
  }
}

function stretchAt(polygons: MultiPolygon, x: number, y: number): Stretch | null {
  let isInside = false;
  let halfWidth = Number.POSITIVE_INFINITY;
  let halfHeight = Number.POSITIVE_INFINITY;
  eachEdge(polygons, x, y, (ax, ay, bx, by) => {
    if (ay > 0 !== by > 0) {
      const across = ax - (ay / (by - ay)) * (bx - ax);
      if (across > 0) isInside = !isInside;
      halfWidth = Math.min(halfWidth, Math.abs(across));
    }
    if (ax > 0 !== bx > 0) halfHeight = Math.min(halfHeight, Math.abs(ay - (ax / (bx - ax)) * (by - ay)));
  });
  return isInside ? { halfWidth, halfHeight } : null;
}

/**
 * The box of both stretches, shrunk until no edge enters it. In units where the box is the square from −1 to 1, the
 * distance of an edge is the least max(|x|, |y|) along it.
 */
function roomOf(polygons: MultiPolygon, x: number, y: number, { halfWidth, halfHeight }: Stretch): LabelRoom {
  if (halfWidth === 0 || halfHeight === 0) return { longitude: x, latitude: y, width: 0, height: 0 };
  let share = 1;
  eachEdge(polygons, x, y, (x0, y0, x1, y1) => {
    const [ax, ay, bx, by] = [x0 / halfWidth, y0 / halfHeight, x1 / halfWidth, y1 / halfHeight];
    if (isBeyond(ax, bx, share) || isBeyond(ay, by, share)) return;
    share = Math.min(share, squareDistance(ax, ay, bx, by));
  });
  return { longitude: x, latitude: y, width: 2 * halfWidth * share, height: 2 * halfHeight * share };
}

/** Whether both ends lie so far out on one side that the edge cannot matter. */
const isBeyond = (a: number, b: number, share: number): boolean =>
  (a >= share && b >= share) || (a <= -share && b <= -share);

/**
 * The least max(|x|, |y|) along an edge. The function is convex, so its minimum is at an end or where |x| = |y|; where only
 * x is 0, |y| decides and falls to one side.
 */
function squareDistance(ax: number, ay: number, bx: number, by: number): number {
  let least = Math.min(Math.max(Math.abs(ax), Math.abs(ay)), Math.max(Math.abs(bx), Math.abs(by)));
  for (const sign of [1, -1]) {
    // Where x = sign · y.
    const from = ax - sign * ay;
    const to = bx - sign * by;
    if (from > 0 === to > 0) continue;
    least = Math.min(least, Math.abs(ax + (from / (from - to)) * (bx - ax)));
  }
  return least;
}
