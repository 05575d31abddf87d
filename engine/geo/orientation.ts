/**
 * Exact predicates on segments and polygons. Shapes touch in real plats (neighbors share corners and edges), so the
 * sign of a nearly zero area decides: Shewchuk's adaptive predicate always gives it correctly.
 */
import { orient2d } from 'robust-predicates';
import type { PolygonRings } from './geometry.ts';

/**
 * Whether two closed segments share a point. Only for segments whose boxes overlap: that decides for collinear ones (on
 * a line, overlapping boxes mean overlapping segments). A segment of zero length is a point.
 */
export function segmentsTouch(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  return !((a > 0 && b > 0) || (a < 0 && b < 0));
}

type Location = 'inside' | 'boundary' | 'outside';

/**
 * The location of a point relative to a polygon with holes. Each edge that straddles the point's latitude (lower end
 * included, upper not, so that a vertex counts once) and passes east of the point flips inside and outside: rings may
 * run either way.
 */
export function locateInPolygon(rings: PolygonRings, x: number, y: number): Location {
  let isInside = false;
  for (const ring of rings) {
    for (let index = 0; index + 3 < ring.length; index += 2) {
      const ax = ring[index] as number;
      const ay = ring[index + 1] as number;
      const bx = ring[index + 2] as number;
      const by = ring[index + 3] as number;
      if (isBeside(ax, ay, bx, by, x, y)) continue;
      const side = orient2d(ax, ay, bx, by, x, y);
      if (side === 0 && Math.min(ax, bx) <= x) return 'boundary';
      // orient2d is negative when the point is left of the edge, which is west of an edge that runs north
      if (ay > y !== by > y && side < 0 === by > ay) isInside = !isInside;
    }
  }
  return isInside ? 'inside' : 'outside';
}

/** Whether the edge is entirely above, below or west of the point, so that it cannot matter. */
function isBeside(ax: number, ay: number, bx: number, by: number, x: number, y: number): boolean {
  return (ay > y && by > y) || (ay < y && by < y) || (ax < x && bx < x);
}
