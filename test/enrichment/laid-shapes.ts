/** Shapes in feet or metres around a place, laid on the ellipsoid: hand-worked tests speak of lots of 100 by 200 feet. */
import type { MultiPolygon, Ring } from '../../engine/geo/geometry.ts';
import { localMetric, metersPerFoot } from '../../engine/geo/local-metric.ts';

/** In the middle of no real county: -98° lies in none of the tests' places. */
export const origin = { longitude: -98.5, latitude: 39.5 } as const;
const metric = localMetric(origin.latitude);

export type Position = readonly [number, number];

/** Degrees of a place so many feet east and north of the origin. */
export const atFeet = ([x, y]: Position): [number, number] => [
  origin.longitude + (x * metersPerFoot) / metric.x,
  origin.latitude + (y * metersPerFoot) / metric.y,
];

/** A path in feet. */
export const pathOfFeet = (...positions: readonly Position[]): Float64Array =>
  Float64Array.from(positions.flatMap(atFeet));

/** Closed by its first position. */
export function ringOfFeet(...positions: readonly Position[]): Ring {
  const [first] = positions;
  return first ? pathOfFeet(...positions, first) : new Float64Array();
}

/** A rectangle from one corner to the other, counterclockwise. */
export const boxOfFeet = (west: number, south: number, east: number, north: number): Ring =>
  ringOfFeet([west, south], [east, south], [east, north], [west, north]);

export const lotOfFeet = (west: number, south: number, east: number, north: number): MultiPolygon => [
  [boxOfFeet(west, south, east, north)],
];
