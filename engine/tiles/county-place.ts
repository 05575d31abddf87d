/** Finds the county of a place by the outlines that the map draws. They are coarse: near a border the answer may be wrong. */
import { boundsOverlap } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { countyAt, outlineOfCounty } from '../store/county-outlines.ts';

/** West, south, east, north in degrees. */
export type PlaceBox = readonly [number, number, number, number];

/** FIPS code of the county that contains the point; null at sea and abroad. */
export const findCountyAt = (longitude: number, latitude: number): string | null =>
  countyAt(longitude, latitude)?.fips ?? null;

/** Rings of a county as `[x0, y0, x1, y1, …]` in degrees; none for a code without an outline. */
export const outlineOf = (fips: string): number[][] =>
  (outlineOfCounty(fips)?.polygons ?? []).flatMap((rings) => rings.map((ring) => [...ring]));

/**
 * Position of a box relative to a county. `inside`: its center is in the county. `beside`: it only overlaps the county's
 * box, as a file of several counties does. Null: the county has no outline.
 */
export function placeOfBox(
  fips: string,
  [west, south, east, north]: PlaceBox,
): 'inside' | 'beside' | 'elsewhere' | null {
  const county = outlineOfCounty(fips);
  if (!county) return null;
  if (holdsPoint(county.polygons, (west + east) / 2, (south + north) / 2)) return 'inside';
  return boundsOverlap(county.box, { minX: west, minY: south, maxX: east, maxY: north }) ? 'beside' : 'elsewhere';
}
