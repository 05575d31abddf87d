/**
 * The coverage of a layer: the area for which its file is complete. Inside it, no feature means 0; outside, the value is
 * unknown. A parcel only partly covered is unknown, since its share would be too low.
 *
 * By default the coverage is the convex hull of all features of the file, even far from the county: a state's file covers
 * its counties, a file around a town the town. `county` declares the file complete for the county.
 */
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon, type Ring } from '../geo/geometry.ts';
import { locateInPolygon } from '../geo/orientation.ts';

export type Coverage =
  | { readonly kind: 'county' }
  | { readonly kind: 'box'; readonly box: Bounds }
  /** flood maps: the layer's own polygons (flood-zones.ts) */
  | { readonly kind: 'features' }
  /** `ring` is closed; null: the file has no feature, so it covers nothing */
  | { readonly kind: 'hull'; readonly ring: readonly number[] | null };

export const outsideCoverage = "outside the layer's coverage";

/** A test whether the coverage contains a whole parcel. */
export function coverageTest(coverage: Coverage): (parcel: MultiPolygon) => boolean {
  if (coverage.kind === 'county' || coverage.kind === 'features') return () => true;
  if (coverage.kind === 'box') return (parcel) => isWithin(boundsOfMultiPolygon(parcel), coverage.box);
  if (coverage.ring === null) return () => false;
  const hull: Ring = Float64Array.from(coverage.ring);
  // the hull is convex: it contains a parcel if it contains its corners
  return (parcel) => parcel.every((polygon) => polygon.every((ring) => allWithin(ring, hull)));
}

const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner.minX >= outer.minX && inner.maxX <= outer.maxX && inner.minY >= outer.minY && inner.maxY <= outer.maxY;

function allWithin(ring: Ring, hull: Ring): boolean {
  for (let at = 0; at + 1 < ring.length; at += 2) {
    if (locateInPolygon([hull], ring[at] as number, ring[at + 1] as number) === 'outside') return false;
  }
  return true;
}

/** The coverage that a file name declares: the Census Bureau's county files name the county (`tl_2025_33019_roads.zip`). */
export function declaredCoverage(fileName: string, fips: string): Coverage | null {
  return /(?:^|[/\\])tl_\d{4}_(\d{5})_[^/\\]*$/.exec(fileName)?.[1] === fips ? { kind: 'county' } : null;
}
