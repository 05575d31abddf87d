/**
 * A point on the parcel for its pin, label and distances; a centroid may lie outside (in a horseshoe, on the neighbor's
 * land).
 */
import { type MultiPolygon, type PolygonRings, planarRingArea, type Ring } from './geometry.ts';
import { locateInPolygon } from './orientation.ts';

/** Further lines tried when rounding spoils the first: slivers thinner than the steps of a double. */
const maxFurtherLines = 64;

/**
 * `[longitude, latitude]` strictly inside the largest polygon (by planar area minus holes): the middle of its widest
 * stretch on a horizontal line half way up, between two vertices' latitudes so that no vertex lies on the line (the
 * method of JTS's InteriorPointArea). A polygon without an inside (a line there and back) gives the middle of its
 * longest edge. Throws if there is no polygon.
 */
export function pointOnSurface(polygons: MultiPolygon): [number, number] {
  const polygon = findLargest(polygons);
  const exterior = polygon?.[0];
  if (polygon === undefined || exterior === undefined) throw new Error('Expected at least one polygon, found none.');
  return (
    findInteriorPoint(polygon, [middleLine(polygon)]) ??
    findInteriorPoint(polygon, furtherLines(polygon)) ??
    middleOfLongestEdge(exterior)
  );
}

function findLargest(polygons: MultiPolygon): PolygonRings | undefined {
  if (polygons.length <= 1) return polygons[0];
  let largest: PolygonRings | undefined;
  let largestArea = Number.NEGATIVE_INFINITY;
  for (const polygon of polygons) {
    const [exterior, ...holes] = polygon;
    if (exterior === undefined) continue;
    let area = Math.abs(planarRingArea(exterior));
    for (const hole of holes) area -= Math.abs(planarRingArea(hole));
    if (area > largestArea) {
      largest = polygon;
      largestArea = area;
    }
  }
  return largest;
}

function findInteriorPoint(polygon: PolygonRings, latitudes: readonly number[]): [number, number] | null {
  for (const latitude of latitudes) {
    const longitude = middleOfWidestStretch(polygon, latitude);
    if (longitude !== null && locateInPolygon(polygon, longitude, latitude) === 'inside') return [longitude, latitude];
  }
  return null;
}

/** Half way between the vertices next below and next above the middle of the exterior's height. */
function middleLine(polygon: PolygonRings): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const exterior = polygon[0] ?? new Float64Array();
  for (let index = 1; index < exterior.length; index += 2) {
    low = Math.min(low, exterior[index] as number);
    high = Math.max(high, exterior[index] as number);
  }
  const middle = low + (high - low) / 2;
  for (const ring of polygon) {
    for (let index = 1; index < ring.length; index += 2) {
      const latitude = ring[index] as number;
      if (latitude <= middle) low = Math.max(low, latitude);
      else high = Math.min(high, latitude);
    }
  }
  return low + (high - low) / 2;
}

/** The middles of the tallest gaps between neighboring vertices' latitudes. */
function furtherLines(polygon: PolygonRings): number[] {
  const latitudes = Float64Array.from(
    polygon.flatMap((ring) => [...ring.filter((_, index) => index % 2 === 1)]),
  ).sort();
  const gaps: { height: number; middle: number }[] = [];
  for (let index = 1; index < latitudes.length; index++) {
    const low = latitudes[index - 1] as number;
    const height = (latitudes[index] as number) - low;
    if (height > 0) gaps.push({ height, middle: low + height / 2 });
  }
  gaps.sort((a, b) => b.height - a.height);
  return gaps.slice(0, maxFurtherLines).map(({ middle }) => middle);
}

/** Longitude of the middle of the line's widest stretch within the polygon; null if there is none. */
function middleOfWidestStretch(polygon: PolygonRings, latitude: number): number | null {
  const crossings: number[] = [];
  for (const ring of polygon) {
    for (let index = 0; index + 3 < ring.length; index += 2) {
      const ax = ring[index] as number;
      const ay = ring[index + 1] as number;
      const bx = ring[index + 2] as number;
      const by = ring[index + 3] as number;
      if (ay > latitude !== by > latitude) crossings.push(ax + ((latitude - ay) / (by - ay)) * (bx - ax));
    }
  }
  if (crossings.length === 2) {
    const [a = 0, b = 0] = crossings;
    // The same as below without a sort: almost every lot is convex enough.
    const west = Math.min(a, b);
    const width = Math.max(a, b) - west;
    return width > 0 ? west + width / 2 : null;
  }
  crossings.sort((a, b) => a - b);
  let widest = 0;
  let middle: number | null = null;
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    const west = crossings[index] as number;
    const width = (crossings[index + 1] as number) - west;
    if (width > widest) {
      widest = width;
      middle = west + width / 2;
    }
  }
  return middle;
}

function middleOfLongestEdge(ring: Ring): [number, number] {
  let longest = -1;
  let middle: [number, number] = [ring[0] as number, ring[1] as number];
  for (let index = 0; index + 3 < ring.length; index += 2) {
    const ax = ring[index] as number;
    const ay = ring[index + 1] as number;
    const dx = (ring[index + 2] as number) - ax;
    const dy = (ring[index + 3] as number) - ay;
    const length = Math.hypot(dx, dy);
    if (length > longest) {
      longest = length;
      middle = [ax + dx / 2, ay + dy / 2];
    }
  }
  return middle;
}
