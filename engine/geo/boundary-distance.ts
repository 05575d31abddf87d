/** The nearest place on a parcel's boundary, for a GPS in the field: tens of meters, not counties. */
import type { MultiPolygon } from './geometry.ts';
import { localMetric } from './local-metric.ts';
import { boundaryEdges } from './near-length.ts';

/** The place on a boundary that is nearest to a point. */
export interface NearestOnBoundary {
  /** Infinite without a boundary. */
  readonly meters: number;
  /** Degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** Unit vector, meters east and north, across the edge there; either way. */
  readonly across: readonly [east: number, north: number];
}

/**
 * Measured to the nearest boundary of the polygons, outer or inner, in the plane around the point: within 2 km the error
 * stays below that of the scale along a parallel, 0.03 %.
 * @param longitude degrees
 * @param latitude degrees
 */
export function nearestOnBoundary(polygons: MultiPolygon, longitude: number, latitude: number): NearestOnBoundary {
  const metric = localMetric(latitude);
  const edges = boundaryEdges(polygons);
  let nearest = Number.POSITIVE_INFINITY;
  let east = 0;
  let north = 0;
  let across: readonly [number, number] = [0, 0];
  for (let at = 0; at < edges.length; at += 4) {
    const ax = ((edges[at] as number) - longitude) * metric.x;
    const ay = ((edges[at + 1] as number) - latitude) * metric.y;
    const dx = ((edges[at + 2] as number) - longitude) * metric.x - ax;
    const dy = ((edges[at + 3] as number) - latitude) * metric.y - ay;
    const share = nearestShare(ax, ay, dx, dy);
    const squared = (ax + share * dx) ** 2 + (ay + share * dy) ** 2;
    if (squared >= nearest) continue;
    nearest = squared;
    east = ax + share * dx;
    north = ay + share * dy;
    const length = Math.hypot(dx, dy);
    across = [dy / length, -dx / length];
  }
  return {
    meters: Math.sqrt(nearest),
    longitude: longitude + east / metric.x,
    latitude: latitude + north / metric.y,
    across,
  };
}

/** Meters from a point to the nearest boundary of the polygons; infinite without a boundary. */
export const metersToBoundary = (polygons: MultiPolygon, longitude: number, latitude: number): number =>
  nearestOnBoundary(polygons, longitude, latitude).meters;

/** From the origin to the segment that begins at a and goes by d. */
export function squaredDistance(ax: number, ay: number, dx: number, dy: number): number {
  const share = nearestShare(ax, ay, dx, dy);
  return (ax + share * dx) ** 2 + (ay + share * dy) ** 2;
}

/** Where on the segment the origin is nearest: 0 at its begin, 1 at its end. */
function nearestShare(ax: number, ay: number, dx: number, dy: number): number {
  const squaredLength = dx * dx + dy * dy;
  return squaredLength === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / squaredLength));
}
