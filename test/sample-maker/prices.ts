/** The value of land by place and time: one smooth surface that values, sales and listings all follow. */
import type { Shape } from './land.ts';
import { distanceToRiver, riverHalfWidth, settlements, wrenfield } from './layout.ts';
import { at, distance, type Point } from './plane.ts';
import type { Terrain } from './terrain.ts';
import type { LandUse } from './uses.ts';

/** Dollars for a plain acre at a place in 2026. */
function acrePrice(q: Point): number {
  let pull = 0;
  for (const s of settlements)
    pull += (s === wrenfield ? 2.4 : 1.25) * Math.exp(-distance(q, s.center) / (s === wrenfield ? 2300 : 1100));
  const region = 0.16 * Math.sin(q.x / 4100 + 0.7) + 0.12 * Math.cos(q.y / 3600 - 0.4);
  const shore = 0.32 * Math.exp(-Math.max(0, distanceToRiver(q) - riverHalfWidth(q.x)) / 120);
  return 7200 * Math.exp(pull + region + shore);
}

/** Share of the prices of 2026, linear between the years in logarithms. */
const index: readonly (readonly [year: number, level: number])[] = [
  [1974, 0.09],
  [1985, 0.2],
  [1990, 0.3],
  [1996, 0.31],
  [2000, 0.4],
  [2006, 0.82],
  [2009, 0.69],
  [2012, 0.58],
  [2016, 0.63],
  [2019, 0.7],
  [2020.5, 0.76],
  [2022.4, 0.98],
  [2024, 0.96],
  [2026, 1],
  [2027, 1.02],
];

export function priceLevel(year: number): number {
  const next = index.findIndex(([y]) => y >= year);
  const [y0, l0] = at(index, Math.max(0, next - 1));
  const [y1, l1] = at(index, next);
  if (y1 === y0) return l1;
  return Math.exp(Math.log(l0) + ((year - y0) / (y1 - y0)) * (Math.log(l1) - Math.log(l0)));
}

/** Dollars for the bare land in 2026, by size, access, slope and water. */
export function landPrice(shape: Shape, terrain: Terrain, use: LandUse): number {
  const { feet } = shape.frontage;
  const frontage = feet.major_highway + feet.normal_road + feet.local_road;
  const steep = (terrain.steeper[5] ?? 0) / 100;
  const logs =
    -0.7 * (terrain.wetlands / 100) -
    0.2 * (terrain.flood / 100) -
    0.3 * steep +
    (frontage > 0 ? 0.05 * Math.log(1 + frontage / 100) : -0.35);
  const commercial = use.class === 'C' ? 0.55 : use.class === 'I' ? 0.3 : 0;
  return acrePrice(shape.middle) * Math.max(0.02, shape.acres) ** 0.7 * Math.exp(logs + commercial);
}
