/** The length of a line inside a parcel, which distinguishes a road parcel from a lot beside a road. */
import type { MultiPolygon } from './geometry.ts';
import { holdsPoint } from './holds-point.ts';
import { localMetric } from './local-metric.ts';

/** Meters of the segment a–b (degrees) inside the polygons. */
export function lengthInside(polygons: MultiPolygon, ax: number, ay: number, bx: number, by: number): number {
  const cuts = [0, 1];
  for (const ring of polygons.flat()) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const cx = (ring[at] as number) - ax;
      const cy = (ring[at + 1] as number) - ay;
      const fx = (ring[at + 2] as number) - ax - cx;
      const fy = (ring[at + 3] as number) - ay - cy;
      const turn = (bx - ax) * fy - (by - ay) * fx;
      // parallel: it never changes sides there
      if (turn === 0) continue;
      const share = (cx * fy - cy * fx) / turn;
      const along = (cx * (by - ay) - cy * (bx - ax)) / turn;
      if (share > 0 && share < 1 && along >= 0 && along <= 1) cuts.push(share);
    }
  }
  cuts.sort((a, b) => a - b);
  let inside = 0;
  for (let index = 0; index + 1 < cuts.length; index++) {
    const low = cuts[index] as number;
    const high = cuts[index + 1] as number;
    const middle = (low + high) / 2;
    if (high > low && holdsPoint(polygons, ax + middle * (bx - ax), ay + middle * (by - ay))) inside += high - low;
  }
  const metric = localMetric((ay + by) / 2);
  return inside * Math.hypot((bx - ax) * metric.x, (by - ay) * metric.y);
}
