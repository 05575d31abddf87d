/** Distance from a point to a parcel's boundary, for a GPS in the field: tens of meters, not counties. */
import type { MultiPolygon } from './geometry.ts';
import { localMetric } from './local-metric.ts';
import { boundaryEdges } from './near-length.ts';

/**
 * Meters from a point to the nearest boundary of the polygons, outer or inner; infinite without a boundary. Measured in
 * the plane around the point: within 2 km the error stays below that of the scale along a parallel, 0.03 %.
 * @param longitude degrees
 * @param latitude degrees
 */
export function metersToBoundary(polygons: MultiPolygon, longitude: number, latitude: number): number {
  const metric = localMetric(latitude);
  const edges = boundaryEdges(polygons);
  let nearest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < edges.length; at += 4) {
    const ax = ((edges[at] as number) - longitude) * metric.x;
    const ay = ((edges[at + 1] as number) - latitude) * metric.y;
    const bx = ((edges[at + 2] as number) - longitude) * metric.x;
    const by = ((edges[at + 3] as number) - latitude) * metric.y;
    nearest = Math.min(nearest, squaredDistance(ax, ay, bx - ax, by - ay));
  }
  return Math.sqrt(nearest);
}

/** From the origin to the segment that begins at a and goes by d. */
function squaredDistance(ax: number, ay: number, dx: number, dy: number): number {
  const squaredLength = dx * dx + dy * dy;
  const share = squaredLength === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / squaredLength));
  return (ax + share * dx) ** 2 + (ay + share * dy) ** 2;
}
