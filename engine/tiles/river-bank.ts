/** The line along which a river drawn as an area is lettered. */
import { type MultiPolygon, planarRingArea, type Ring } from '../geo/geometry.ts';

/** The north bank of each area, from west to east; of one that runs due north, its west bank or its east one. */
export const riverBanks = (polygons: MultiPolygon): Float64Array[] =>
  polygons.flatMap(([exterior]) => (exterior === undefined ? [] : [northBank(exterior)]));

function northBank(ring: Ring): Float64Array {
  // The ends are the corners that lie farthest apart; the farthest from any corner is one of them in a long area.
  const one = farthestFrom(ring, 0);
  const other = farthestFrom(ring, one);
  const [west, east] = (ring[one] as number) < (ring[other] as number) ? [one, other] : [other, one];
  // North of both ends lies what a clockwise ring passes from west to east.
  return planarRingArea(ring) < 0 ? walk(ring, west, east) : reversed(walk(ring, east, west));
}

function farthestFrom(ring: Ring, from: number): number {
  let [farthest, most] = [from, 0];
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [dx, dy] = [
      (ring[at] as number) - (ring[from] as number),
      (ring[at + 1] as number) - (ring[from + 1] as number),
    ];
    const distance = dx * dx + dy * dy;
    if (distance > most) [farthest, most] = [at, distance];
  }
  return farthest;
}

/** The corners of a closed ring between two of them, in its direction. */
function walk(ring: Ring, from: number, to: number): Float64Array {
  if (from <= to) return ring.slice(from, to + 2);
  return Float64Array.of(...ring.subarray(from, ring.length - 2), ...ring.subarray(0, to + 2));
}

function reversed(line: Float64Array): Float64Array {
  const turned = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 2) turned.set(line.subarray(line.length - 2 - at, line.length - at), at);
  return turned;
}
