/**
 * Assigns a point to a parcel, for counting: a point on the edge of two neighbors belongs to exactly one of them.
 * `locateInPolygon` answers "boundary" there, which would count it twice or never.
 *
 * The point counts as moved infinitesimally east, and far less north, so that it lies on no edge; exact predicates give
 * the side. Windings decide, not parity: a ring traced twice still contains its inside.
 */
import { orient2d } from 'robust-predicates';
import type { MultiPolygon, PolygonRings, Ring } from './geometry.ts';

function windingNumber(ring: Ring, x: number, y: number): number {
  let winding = 0;
  for (let index = 0; index + 3 < ring.length; index += 2) {
    const ay = ring[index + 1] as number;
    const by = ring[index + 3] as number;
    if (ay > y === by > y) continue;
    const side = orient2d(ring[index] as number, ay, ring[index + 2] as number, by, x, y);
    // orient2d is negative when the point is left of the edge; a point on it counts as east of it
    if (by > ay) winding += side < 0 ? 1 : 0;
    else winding -= side > 0 ? 1 : 0;
  }
  return winding;
}

/** Exterior minus holes. */
export function polygonHoldsPoint([exterior, ...holes]: PolygonRings, x: number, y: number): boolean {
  if (exterior === undefined || windingNumber(exterior, x, y) === 0) return false;
  return holes.every((hole) => windingNumber(hole, x, y) === 0);
}

export function holdsPoint(polygons: MultiPolygon, x: number, y: number): boolean {
  return polygons.some((polygon) => polygonHoldsPoint(polygon, x, y));
}
