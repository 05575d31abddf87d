/** Heights, slope, wet ground and floods: smooth functions of place, sampled over each parcel. */
import { slopeEdgesPercent } from '../../engine/spec/parcel-columns.ts';
import { distanceToBrook, elevationAt, wetnessAt } from './ground.ts';
import type { Shape } from './land.ts';
import { distanceToRiver, riverHalfWidth, riverMiddle } from './layout.ts';
import { bounds, contains, type Point } from './plane.ts';
import type { Random } from './random.ts';
import { round } from './record-parts.ts';

export interface Terrain {
  readonly elevation: { readonly min: number; readonly mean: number; readonly max: number };
  readonly slopeMean: number;
  /** Percent of the area steeper than each of the dictionary's edges. */
  readonly steeper: readonly number[];
  readonly wetlands: number;
  readonly flood: number;
  readonly zone: 'X' | 'A' | 'AE';
}

interface Ground {
  readonly height: number;
  /** Percent grade, by differences over 10 m. */
  readonly slope: number;
  readonly zone: Terrain['zone'];
  readonly wet: boolean;
}

function groundAt(q: Point): Ground {
  const river = distanceToRiver(q);
  const height = elevationAt(q, river);
  const east = elevationAt({ x: q.x + 10, y: q.y }) - height;
  const north = elevationAt({ x: q.x, y: q.y + 10 }) - height;
  const slope = (Math.hypot(east, north) / (10 * 3.280839895)) * 100;
  return { height, slope, zone: floodZoneAt(q, river), wet: isWet(q, river) };
}

export const floodplainWidth = (x: number): number => 130 + 110 * Math.sin(x / 1300) + 60 * Math.sin(x / 410 + 2);

function floodZoneAt(q: Point, river: number): Terrain['zone'] {
  const above = Math.abs(q.y - riverMiddle(q.x)) - riverHalfWidth(q.x);
  if (above < floodplainWidth(q.x)) return 'AE';
  return river < 4200 && distanceToBrook(q) < 60 ? 'A' : 'X';
}

/** Above this the ground is wet (`wetnessAt`). */
export const wetFrom = 1.12;

const isWet = (q: Point, river: number): boolean => wetnessAt(q, river) > wetFrom;

/** Points on a grid over the parcel, those that lie inside; more for larger ones. */
function samplePoints(shape: Shape): Point[] {
  const box = bounds(shape.points);
  const side = shape.acres < 2 ? 4 : shape.acres < 40 ? 6 : 8;
  const found: Point[] = [shape.middle];
  for (let i = 0; i < side; i++) {
    for (let k = 0; k < side; k++) {
      const q = {
        x: box.minX + ((i + 0.5) / side) * (box.maxX - box.minX),
        y: box.minY + ((k + 0.5) / side) * (box.maxY - box.minY),
      };
      if (contains(shape.points, q)) found.push(q);
    }
  }
  return found;
}

export function surveyTerrain(shape: Shape, random: Random): Terrain {
  const ground = samplePoints(shape).map(groundAt);
  const share = (test: (g: Ground) => boolean): number => (100 * ground.filter(test).length) / ground.length;
  const heights = ground.map((g) => g.height);
  // Real ground is rougher than smooth functions.
  const slopes = ground.map((g) => g.slope * Math.exp(0.3 * random.normal()) + 0.3 * random.next());
  const [ae, a] = [share((g) => g.zone === 'AE'), share((g) => g.zone === 'A')];
  // A grid's shares come in coarse steps; a small lot is either in or out, and a large one seldom has a round number.
  const soften = (percent: number): number =>
    percent <= 0 || percent >= 100 ? percent : Math.min(99.5, Math.max(0.2, percent + random.between(-2, 2)));
  return {
    elevation: {
      min: round(Math.min(...heights), 1),
      mean: round(heights.reduce((sum, h) => sum + h, 0) / heights.length, 1),
      max: round(Math.max(...heights), 1),
    },
    slopeMean: round(slopes.reduce((sum, s) => sum + s, 0) / slopes.length, 2),
    steeper: slopeEdgesPercent.map((edge) => round((100 * slopes.filter((s) => s > edge).length) / slopes.length, 1)),
    wetlands: round(soften(share((g) => g.wet)), 2),
    flood: round(soften(ae + a), 2),
    zone: ae + a === 0 ? 'X' : ae >= a ? 'AE' : 'A',
  };
}
