/** Cuts shapes that cross longitude 180 there, as RFC 7946 asks: each part then lies at its own end of the map. */
import type { MultiPolygon, PolygonRings, Ring } from './geometry.ts';

/** Wider than any parcel or lake: such a ring goes around the other way. */
const widest = 180;

function isAcross(ring: Ring): boolean {
  let [west, east] = [ring[0] as number, ring[0] as number];
  for (let at = 2; at < ring.length; at += 2) {
    west = Math.min(west, ring[at] as number);
    east = Math.max(east, ring[at] as number);
  }
  return east - west > widest;
}

/** The same polygons if none crosses it. */
export function cutAt180(polygons: MultiPolygon): MultiPolygon {
  // The first vertex decides nearly every shape.
  if (polygons.every(([outer]) => Math.abs(outer?.[0] ?? 0) < widest / 2 || !isAcross(outer as Ring))) return polygons;
  return polygons.flatMap((polygon) => {
    const [outer] = polygon;
    if (!outer || !isAcross(outer)) return [polygon];
    const eastward = polygon.map((ring) => ring.map((value, at) => (at % 2 === 0 && value < 0 ? value + 360 : value)));
    const halves = [halfOf(eastward, 1, 0), halfOf(eastward, -1, -360)];
    return halves.filter((half) => half !== null);
  });
}

/** @param side 1: the part west of the line; -1: the part east of it. @param shift of its longitudes afterwards */
function halfOf(polygon: PolygonRings, side: 1 | -1, shift: number): PolygonRings | null {
  const [outer, ...holes] = polygon.map((ring) => clipped(ring, side, shift));
  return outer ? [outer, ...holes.filter((hole) => hole !== null)] : null;
}

/** Sutherland and Hodgman at one line; null if nothing is left. */
function clipped(ring: Ring, side: 1 | -1, shift: number): Ring | null {
  const kept: number[] = [];
  const isIn = (x: number): boolean => (180 - x) * side >= 0;
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x, y, nextX, nextY] = ring.subarray(at, at + 4) as unknown as [number, number, number, number];
    if (isIn(x)) kept.push(x + shift, y);
    if (isIn(x) !== isIn(nextX)) kept.push(180 + shift, y + ((nextY - y) * (180 - x)) / (nextX - x));
  }
  if (kept.length < 6) return null;
  return Float64Array.from([...kept, ...kept.slice(0, 2)]);
}
