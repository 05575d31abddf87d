/**
 * A fingerprint of a shape, to detect whether a parcel's boundary changed between two imports. Publishers rewrite rings
 * from another start, in the other direction and in another order without moving a corner: none of that may look like a
 * change.
 *
 * So a commutative sum combines the parts: a ring is the sum of its undirected edges, a polygon its exterior mixed with
 * the sum of its holes, the shape the sum of its polygons. Coordinates are rounded to 1e-7 degrees (11 mm).
 *
 * The value is stored: any change here makes every parcel look changed at the next import.
 */
import type { MultiPolygon, PolygonRings, Ring } from './geometry.ts';

const roundingPerDegree = 1e7;

/** The finalizer of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function hashVertex(x: number, y: number, seed: number): number {
  return mix(Math.imul(mix(x ^ seed), 31) + y);
}

/** Duplicate vertices (after rounding) add nothing, because edges of zero length are left out. */
function hashRing(ring: Ring, seed: number): number {
  let sum = 0;
  let previousX = Math.round((ring[0] as number) * roundingPerDegree);
  let previousY = Math.round((ring[1] as number) * roundingPerDegree);
  let previous = hashVertex(previousX, previousY, seed);
  for (let index = 2; index < ring.length; index += 2) {
    const x = Math.round((ring[index] as number) * roundingPerDegree);
    const y = Math.round((ring[index + 1] as number) * roundingPerDegree);
    if (x === previousX && y === previousY) continue;
    const current = hashVertex(x, y, seed);
    const low = Math.min(previous, current);
    const high = Math.max(previous, current);
    sum = (sum + mix(Math.imul(low, 31) + mix(high))) | 0;
    previousX = x;
    previousY = y;
    previous = current;
  }
  return mix(sum);
}

function hashPolygon(rings: PolygonRings, seed: number): number {
  const [exterior, ...holes] = rings;
  if (exterior === undefined) return 0;
  let sumOfHoles = 0;
  for (const hole of holes) sumOfHoles = (sumOfHoles + hashRing(hole, seed)) | 0;
  return mix(Math.imul(hashRing(exterior, seed), 31) + sumOfHoles);
}

function hashWithSeed(polygons: MultiPolygon, seed: number): number {
  let sum = 0;
  for (const rings of polygons) sum = (sum + hashPolygon(rings, seed)) | 0;
  return mix(sum) >>> 0;
}

/**
 * 48 bits as a safe, non-negative integer. Two shapes collide with probability 2⁻⁴⁸; the hash is compared per parcel, never
 * used as a key. (Two sums of 32 bits with different seeds, because JavaScript multiplies integers in 32.)
 */
export function geometryHash(polygons: MultiPolygon): number {
  const low = hashWithSeed(polygons, 0x9e3779b9);
  const high = hashWithSeed(polygons, 0x3c6ef372) >>> 16;
  return high * 2 ** 32 + low;
}
