/**
 * Outlines of states and counties, made by engine/bin/make-outlines.mjs: coarse, so a parcel near a border may get the
 * wrong county.
 */
import fs from 'node:fs';
import path from 'node:path';
import { metersToBoundary } from '../geo/boundary-distance.ts';
import { type Bounds, boundsOfMultiPolygon, boundsOverlap, type MultiPolygon } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import { readTopology, type Topology } from '../geo/topology.ts';
import { packageRoot } from '../package-root.ts';

export interface Outline {
  readonly fips: string;
  readonly name: string;
  readonly polygons: MultiPolygon;
  readonly box: Bounds;
}

interface Outlines {
  readonly source: string;
  /** west, south, east, north */
  readonly bounds: readonly [number, number, number, number];
  readonly states: readonly Outline[];
  readonly counties: readonly Outline[];
}

let read: Outlines | null = null;

/** Read once: the file ships with the package. */
export function outlines(): Outlines {
  if (read) return read;
  const file = path.join(packageRoot, 'data', 'outlines', 'counties.topojson');
  const topology = JSON.parse(fs.readFileSync(file, 'utf8')) as Topology;
  const shapesOf = readTopology(topology);
  const outlinesOf = (object: string): Outline[] =>
    shapesOf(object).map(({ id, name, polygons }) => ({
      fips: id,
      name,
      polygons,
      box: boundsOfMultiPolygon(polygons),
    }));
  read = {
    source: topology.source,
    bounds: topology.bbox,
    states: outlinesOf('states'),
    counties: outlinesOf('counties'),
  };
  return read;
}

/** The county that holds the point; undefined at sea and abroad. */
export function countyAt(longitude: number, latitude: number): Outline | undefined {
  const here = { minX: longitude, maxX: longitude, minY: latitude, maxY: latitude };
  return outlines().counties.find(
    ({ box, polygons }) => boundsOverlap(box, here) && holdsPoint(polygons, longitude, latitude),
  );
}

/** Undefined for a code without an outline. */
export const outlineOfCounty = (fips: string): Outline | undefined =>
  outlines().counties.find((county) => county.fips === fips);

export type Place = readonly [longitude: number, latitude: number];

/** Meters by which a simplified outline may lie beside the county's boundary. */
const outlineError = 2000;
/** The same in degrees, and more: of latitude, and of longitude in the north of Alaska. */
const nearBox = { x: 0.06, y: 0.02 };

/** The county's box, larger by what its outline may be wrong. */
export const nearCounty = ({ box: { minX, maxX, minY, maxY } }: Outline): Bounds => ({
  minX: minX - nearBox.x,
  maxX: maxX + nearBox.x,
  minY: minY - nearBox.y,
  maxY: maxY + nearBox.y,
});

/** In the county, or as near as its coarse outline may be wrong. */
export function isInCounty(county: Outline, [longitude, latitude]: Place): boolean {
  const { polygons } = county;
  const here = { minX: longitude, maxX: longitude, minY: latitude, maxY: latitude };
  if (!boundsOverlap(nearCounty(county), here)) return false;
  return holdsPoint(polygons, longitude, latitude) || metersToBoundary(polygons, longitude, latitude) <= outlineError;
}

/** The county that holds more of the places than any other; undefined where none holds any. */
export function countyOfPlaces(places: readonly Place[]): Outline | undefined {
  const found = [...Map.groupBy(places, (place) => countyAt(...place))].filter(([county]) => county !== undefined);
  return found.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/** Whether at least half of the places lie in the county; null without an outline, or without places. */
export function holdsMost(fips: string, places: readonly Place[]): boolean | null {
  const county = outlineOfCounty(fips);
  if (!county || places.length === 0) return null;
  return places.filter((place) => isInCounty(county, place)).length * 2 >= places.length;
}
