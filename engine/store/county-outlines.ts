/**
 * Outlines of states and counties, made by engine/bin/make-outlines.mjs: coarse, so a parcel near a border may get the
 * wrong county.
 */
import fs from 'node:fs';
import path from 'node:path';
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
