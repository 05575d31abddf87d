/** How far a boundary moved between two drawings of a parcel: publishers round, snap and convert without a survey. */
import { squaredDistance } from './boundary-distance.ts';
import { coveredArea } from './covered-area.ts';
import type { MultiPolygon } from './geometry.ts';
import { localMetric } from './local-metric.ts';
import { boundaryEdges } from './near-length.ts';

/** Whether every corner, and every middle of a side, of each lies within `meters` of the other's boundary. */
export function hasMovedAtMost(a: MultiPolygon, b: MultiPolygon, meters: number): boolean {
  const [edgesA, edgesB] = [boundaryEdges(a), boundaryEdges(b)];
  return isNear(edgesA, edgesB, meters) && isNear(edgesB, edgesA, meters);
}

/** Begins each search at the edge that the place before was near to: both usually go round in the same order. */
function isNear(edges: Float64Array, others: Float64Array, meters: number): boolean {
  const metric = localMetric(edges[1] ?? 0);
  const [squared, count] = [meters * meters, others.length / 4];
  let from = 0;
  const finds = (x: number, y: number): boolean => {
    for (let step = 0; step < count; step++) {
      const at = 4 * ((from + step) % count);
      const ax = ((others[at] as number) - x) * metric.x;
      const ay = ((others[at + 1] as number) - y) * metric.y;
      const dx = ((others[at + 2] as number) - x) * metric.x - ax;
      const dy = ((others[at + 3] as number) - y) * metric.y - ay;
      if (squaredDistance(ax, ay, dx, dy) > squared) continue;
      from = (from + step) % count;
      return true;
    }
    return false;
  };
  for (let at = 0; at < edges.length; at += 4) {
    const [ax, ay, bx, by] = edges.subarray(at, at + 4) as unknown as [number, number, number, number];
    if (!finds(ax, ay) || !finds((ax + bx) / 2, (ay + by) / 2)) return false;
  }
  return edges.length > 0;
}

/** The share of the larger shape that both have in common, 0 to 1. */
export function overlapOf(a: MultiPolygon, b: MultiPolygon): number {
  const coverOf = (shape: MultiPolygon) => shape.map((polygon) => ({ polygon, coverClass: 0 }));
  const [first, second] = [coveredArea(a, coverOf(b), 1), coveredArea(b, coverOf(a), 1)];
  const larger = Math.max(first.parcel, second.parcel);
  return larger > 0 ? first.covered / larger : 0;
}
