/**
 * Cuts closed rings at straight lines, whatever their faults. Cutting at a half-plane (I. Sutherland and G. Hodgman,
 * 1974) replaces each excursion beyond the line by a walk along it: around every point of the half-plane the ring winds
 * as often as before, crossings and doubled edges included. So a shape may be cut into tiles and measured tile by tile
 * by its winding numbers; only rounding on the lines changes.
 */
import { type Bounds, boundsOfCoordinates, type MultiPolygon, type PolygonRings, type Ring } from './geometry.ts';

/** A triangle with its first point repeated, in numbers. */
const minRingNumbers = 8;

/**
 * The part of a ring on one side of a line parallel to an axis; null if nothing is left.
 * @param axis 0: the line is `x = at`, 1: `y = at`
 * @param keep 1 keeps the part at or above `at`, -1 the part at or below
 */
export function cutRing(ring: Ring, axis: 0 | 1, at: number, keep: 1 | -1): Ring | null {
  const other = 1 - axis;
  const kept = new Float64Array(ring.length * 2 + 4);
  let length = 0;
  const add = (along: number, across: number): void => {
    kept[length + axis] = along;
    kept[length + other] = across;
    length += 2;
  };
  for (let index = 0; index + 3 < ring.length; index += 2) {
    const a = ring[index + axis] as number;
    const b = ring[index + 2 + axis] as number;
    const acrossA = ring[index + other] as number;
    const isKept = (a - at) * keep >= 0;
    if (isKept) add(a, acrossA);
    if (isKept === (b - at) * keep >= 0) continue;
    const acrossB = ring[index + 2 + other] as number;
    add(at, acrossA + ((at - a) / (b - a)) * (acrossB - acrossA));
  }
  if (length === 0) return null;
  add(kept[axis] as number, kept[other] as number);
  return length < minRingNumbers ? null : kept.slice(0, length);
}

/** The part of a ring within a box; the ring itself if it lies inside. */
export function clipRing(ring: Ring, box: Bounds): Ring | null {
  const bounds = boundsOfCoordinates([ring]);
  let left: Ring | null = ring;
  if (bounds.minX < box.minX) left = cutRing(left, 0, box.minX, 1);
  if (left && bounds.maxX > box.maxX) left = cutRing(left, 0, box.maxX, -1);
  if (left && bounds.minY < box.minY) left = cutRing(left, 1, box.minY, 1);
  if (left && bounds.maxY > box.maxY) left = cutRing(left, 1, box.maxY, -1);
  return left;
}

/** The part of polygons in a box; a hole goes with its exterior. */
export const clipPolygons = (polygons: MultiPolygon, box: Bounds): MultiPolygon =>
  polygons.flatMap((rings): PolygonRings[] => {
    const [exterior, ...holes] = rings.map((ring) => clipRing(ring, box));
    return exterior ? [[exterior, ...holes.filter((hole) => hole !== null && hole !== undefined)]] : [];
  });
