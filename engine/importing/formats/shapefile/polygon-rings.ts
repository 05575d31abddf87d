/**
 * Sorts the rings of a shape into exteriors and their holes. A Shapefile only tells them apart by direction: clockwise
 * exteriors, counterclockwise holes. As in GDAL: if the first ring runs clockwise the directions are trusted; else
 * rings inside an odd number of rings are holes.
 */
import { type Bounds, boundsOfCoordinates, planarRingArea } from '../../../geo/geometry.ts';

type Rings = readonly Float64Array[];

interface Part {
  readonly ring: Float64Array;
  /** Positive if counterclockwise, in square units of the file. */
  readonly area: number;
  readonly box: Bounds;
}

export function groupRings(rings: Rings): Rings[] {
  const [only] = rings;
  if (only === undefined) return [];
  if (rings.length === 1) return [[only]];
  const parts = rings.map((ring) => ({ ring, area: planarRingArea(ring), box: boundsOfCoordinates([ring]) }));
  const isDirected = (parts[0]?.area ?? 0) < 0;
  return isDirected ? groupByDirection(parts) : groupByContainment(parts);
}

/** A hole outside every exterior becomes a polygon of its own, so that no land is lost. */
function groupByDirection(parts: readonly Part[]): Rings[] {
  const polygons = new Map<Part, Float64Array[]>();
  for (const part of parts) if (part.area <= 0) polygons.set(part, [part.ring]);
  const exteriors = [...polygons.keys()].sort((a, b) => Math.abs(a.area) - Math.abs(b.area));
  for (const part of parts) {
    if (part.area <= 0) continue;
    const exterior = exteriors.find((other) => contains(other, part));
    if (exterior) polygons.get(exterior)?.push(part.ring);
    else polygons.set(part, [part.ring]);
  }
  return [...polygons.values()];
}

/** From the largest to the smallest: a ring belongs to the smallest of the larger rings around it. */
function groupByContainment(parts: readonly Part[]): Rings[] {
  const sorted = parts.toSorted((a, b) => Math.abs(b.area) - Math.abs(a.area));
  const depths = new Map<Part, number>();
  const polygons = new Map<Part, Float64Array[]>();
  for (const [index, part] of sorted.entries()) {
    const parent = sorted.slice(0, index).findLast((other) => contains(other, part));
    const depth = parent ? (depths.get(parent) ?? 0) + 1 : 0;
    depths.set(part, depth);
    if (parent && depth % 2 === 1) polygons.get(parent)?.push(part.ring);
    else polygons.set(part, [part.ring]);
  }
  return [...polygons.values()];
}

/** Whether `inner` lies in `outer`, by its first corner off the boundary of `outer`. */
function contains({ ring, box }: Part, inner: Part): boolean {
  const { box: other } = inner;
  if (other.minX < box.minX || other.maxX > box.maxX || other.minY < box.minY || other.maxY > box.maxY) return false;
  for (let index = 0; index < inner.ring.length; index += 2) {
    const side = sideOf(ring, inner.ring[index] as number, inner.ring[index + 1] as number);
    if (side !== 0) return side > 0;
  }
  // All corners are on the boundary: the middle of an edge decides.
  const [ax = 0, ay = 0, bx = 0, by = 0] = inner.ring;
  return sideOf(ring, (ax + bx) / 2, (ay + by) / 2) >= 0;
}

/** 1 inside, -1 outside, 0 on the boundary, by the crossings of a ray to the east. */
function sideOf(ring: Float64Array, x: number, y: number): -1 | 0 | 1 {
  let isInside = false;
  for (let index = 0; index + 3 < ring.length; index += 2) {
    const ax = ring[index] as number;
    const ay = ring[index + 1] as number;
    const bx = ring[index + 2] as number;
    const by = ring[index + 3] as number;
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const isBeside = Math.min(ax, bx) > x || Math.max(ax, bx) < x || Math.min(ay, by) > y || Math.max(ay, by) < y;
    if (turn === 0 && !isBeside) return 0;
    if (ay > y !== by > y && turn > 0 === by > ay) isInside = !isInside;
  }
  return isInside ? 1 : -1;
}
