/**
 * The ground: the one function that the parcels' elevation and slope, the heights on the map and the streams are read from.
 * `sampleGround` gives it as an elevation file would: cells of degrees, in feet.
 */
import { metersPerFoot } from '../../engine/geo/local-metric.ts';
import { sampleGrid, samplePixels } from '../../engine/terrain/sample-heights.ts';
import { toPoint } from './fabric.ts';
import { distanceToRiver, riverHalfWidth, settlements } from './layout.ts';
import { noise } from './noise.ts';
import type { Point } from './plane.ts';

/** Meters to the nearer of the brooks that run down to the river. */
export const distanceToBrook = ({ x, y }: Point): number =>
  Math.min(
    Math.abs(x - 1250 - 260 * Math.sin(y / 640)),
    Math.abs(x + 5300 - 420 * Math.sin(y / 1100)),
    Math.abs(x - 6200 - 350 * Math.sin(y / 900)),
    Math.abs(x - 10400 + 300 * Math.sin(y / 800)),
  );

/** Above 1.12 the ground is wet: bogs by themselves, and the banks of the river and the brooks. */
export function wetnessAt(q: Point, river: number, brook = distanceToBrook(q)): number {
  const x = q.x + 170 * noise(q.x, q.y, 420, 31);
  const y = q.y + 170 * noise(q.x, q.y, 420, 32);
  const bog =
    Math.sin(x / 520 + 1.7) * Math.sin(y / 610) + 0.5 * Math.sin((x - y) / 290) + 0.3 * noise(q.x, q.y, 130, 33);
  return bog + 0.8 * Math.exp(-river / 260) + 0.55 * Math.exp(-brook / 90);
}

/** 0 below `low`, 1 above `high`, smooth between. */
function step(low: number, high: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

/** Feet by which a settlement stands above the ground around it. */
function terraces(q: Point): number {
  let feet = 0;
  for (const { center, east } of settlements) {
    const dx = (q.x - center.x) / east;
    const dy = (q.y - center.y) / east;
    const off = dx * dx + dy * dy;
    if (off < 6) feet += 52 * Math.exp(-off);
  }
  return feet;
}

/** Deep along the lines where the noise is 0: valleys that join, between rounded hills. */
const creased = (value: number): number => Math.sqrt(value * value + 0.0025);

/**
 * Feet above the sea. The river falls steadily to the west, the valley's sides rise from it, and the brooks have cut their
 * beds into them. The hills are noise whose places are themselves displaced by noise: plain waves would look like egg boxes.
 */
export function elevationAt(q: Point, river = distanceToRiver(q)): number {
  const brook = distanceToBrook(q);
  const water = 604 + 0.0025 * q.x;
  const shore = Math.max(0, river - riverHalfWidth(q.x));
  const rise = 1 - Math.exp(-shore / 1500);
  const x = q.x + 700 * noise(q.x, q.y, 2600, 1) + 160 * noise(q.x, q.y, 700, 2);
  const y = q.y + 700 * noise(q.x, q.y, 2600, 3) + 160 * noise(q.x, q.y, 700, 4);
  const ridges = creased(noise(x, y, 3300, 5));
  const spurs = creased(noise(x, y, 1300, 6));
  const knolls = noise(x, y, 620, 7) + 0.45 * noise(x, y, 300, 8);
  const bog = step(0.75, 1.15, wetnessAt(q, river, brook));
  const rough = 0.25 + 2.2 * ridges;
  const hills =
    760 * (ridges - 0.2) + 330 * (spurs - 0.2) * (0.4 + 1.6 * ridges) + 82 * rough * knolls * (1 - 0.8 * bog);
  const plain = 11 * noise(q.x, q.y, 270, 9);
  const bed = 2.5 + 250 * (1 - Math.exp(-shore / 3600));
  const above = 400 * rise + (0.02 + 0.98 * rise) * hills - bed;
  // No valley is deeper than the beds of the brooks, so that water finds its way down.
  const kept = 45 * Math.log1p(Math.exp(above / 45));
  const valley = 0.6 * Math.exp(-((brook / 850) ** 2)) + 0.38 * Math.exp(-((brook / 240) ** 2));
  return water + bed + plain * (0.12 + rise) + terraces(q) + kept * (1 - valley * (1 - step(4000, 7500, shore)));
}

const { west, north, cell, width, height } = sampleGrid;

/** Shaped like an elevation file that is read window by window. */
export const sampleGround = {
  width,
  height,
  metersPerUnit: metersPerFoot,
  pixels: samplePixels,
  read: async ({ left, top, right, bottom }: { left: number; top: number; right: number; bottom: number }) => {
    const across = right - left + 2;
    const heights = Float32Array.from({ length: across * (bottom - top + 2) }, (_, at) => {
      const [column, row] = [left - 1 + (at % across), top - 1 + Math.floor(at / across)];
      return elevationAt(toPoint(west + (column + 0.5) * cell, north - (row + 0.5) * cell));
    });
    return { heights, width: across, left: left - 1, top: top - 1 };
  },
};
