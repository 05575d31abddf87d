/** The terrain and roads that the generator starts from, in meters east and north of the crossing in Wrenfield. */
import type { Point } from './plane.ts';
import type { RoadClass } from './types.ts';

export interface Settlement {
  readonly name: string;
  readonly zip: string;
  readonly center: Point;
  /** Direction of its streets: radians from east. */
  readonly turn: number;
  /** Reach of the street grid west, east, south and north of the crossing. */
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
  readonly blockWidth: number;
  readonly blockDepth: number;
  /** Acres of a usual lot in the middle. */
  readonly lotAcres: number;
  /** How far its effect on lot sizes reaches beyond the grid. */
  readonly reach: number;
}

const village = { blockWidth: 170, blockDepth: 105, lotAcres: 0.45, reach: 430 };

export const wrenfield: Settlement = {
  name: 'Wrenfield',
  zip: '00142',
  center: { x: 0, y: 0 },
  turn: 0.12,
  west: 880,
  east: 1010,
  south: 860,
  north: 560,
  blockWidth: 215,
  blockDepth: 112,
  lotAcres: 0.27,
  reach: 850,
};

export const settlements: readonly Settlement[] = [
  wrenfield,
  {
    ...village,
    name: 'East Sorrel',
    zip: '00145',
    center: { x: 8100, y: -450 },
    turn: -0.2,
    west: 380,
    east: 420,
    south: 390,
    north: 330,
  },
  {
    ...village,
    name: 'Tollan Mills',
    zip: '00143',
    center: { x: -8000, y: -300 },
    turn: 0.05,
    west: 360,
    east: 300,
    south: 330,
    north: 330,
  },
  {
    ...village,
    name: 'Harrowgate',
    zip: '00144',
    center: { x: 500, y: 6100 },
    turn: 0.25,
    west: 330,
    east: 380,
    south: 250,
    north: 360,
  },
  {
    ...village,
    name: 'Pike Hollow',
    zip: '00146',
    center: { x: 8500, y: -6100 },
    turn: 0.1,
    west: 300,
    east: 250,
    south: 240,
    north: 260,
  },
  {
    ...village,
    name: 'Kestrel Corners',
    zip: '00141',
    center: { x: -3300, y: -6300 },
    turn: -0.1,
    west: 260,
    east: 300,
    south: 270,
    north: 240,
  },
];

const [eastSorrel, tollanMills, harrowgate, pikeHollow, kestrelCorners] = settlements.slice(1).map((s) => s.center);

/** A road's controls in order. A stop at a settlement fixes its place and direction there. */
interface MainRoad {
  readonly name: string;
  readonly class: RoadClass;
  readonly controls: readonly { readonly at: Point; readonly along?: 'turn' | 'across' }[];
}

const p = (x: number, y: number): { at: Point } => ({ at: { x, y } });
const along = (center: Point | undefined): { at: Point; along: 'turn' }[] =>
  center ? [{ at: center, along: 'turn' }] : [];
const across = (center: Point | undefined): { at: Point; along: 'across' }[] =>
  center ? [{ at: center, along: 'across' }] : [];

export const mainRoads: readonly MainRoad[] = [
  {
    name: 'State Route 118',
    class: 'major_highway',
    controls: [
      p(-17000, -900),
      p(-12000, 350),
      ...along(tollanMills),
      p(-4200, -750),
      ...along(wrenfield.center),
      p(4100, 500),
      ...along(eastSorrel),
      p(11800, -300),
      p(19000, -1000),
    ],
  },
  {
    name: 'Quill Brook Road',
    class: 'normal_road',
    controls: [
      p(1500, 14000),
      p(-100, 9000),
      ...across(harrowgate),
      p(-300, 3400),
      ...across(wrenfield.center),
      p(-300, -4000),
      p(700, -8200),
      p(-200, -15000),
    ],
  },
  {
    name: 'State Route 9',
    class: 'major_highway',
    controls: [
      p(7600, 14000),
      p(8600, 8500),
      p(7700, 4200),
      ...across(eastSorrel),
      p(8900, -3200),
      ...across(pikeHollow),
      p(8000, -9500),
      p(8500, -15000),
    ],
  },
  {
    name: 'Harrow Hill Road',
    class: 'normal_road',
    controls: [
      p(-17000, 5200),
      p(-11000, 6400),
      p(-5000, 5300),
      ...along(harrowgate),
      p(5000, 6900),
      p(11500, 6100),
      p(19000, 6800),
    ],
  },
  {
    name: 'Mill Ridge Road',
    class: 'normal_road',
    controls: [
      p(-17000, -5600),
      p(-9000, -6600),
      ...along(kestrelCorners),
      p(2600, -5900),
      ...along(pikeHollow),
      p(13000, -5400),
      p(19000, -6200),
    ],
  },
  {
    name: 'Old Kiln Road',
    class: 'normal_road',
    controls: [
      p(-2100, 400),
      p(-1900, -1500),
      p(-3000, -3800),
      ...across(kestrelCorners),
      p(-4100, -9200),
      p(-3700, -15000),
    ],
  },
  {
    name: 'Tamarack Road',
    class: 'normal_road',
    controls: [
      p(-9000, 14000),
      p(-7600, 8000),
      p(-8600, 3700),
      ...across(tollanMills),
      p(-7500, -3600),
      p(-8300, -9000),
      p(-7800, -15000),
    ],
  },
  {
    name: 'Ferry Lane',
    class: 'normal_road',
    controls: [p(4000, -200), p(3900, 1500), p(4500, 3600), p(4000, 5400), p(4300, 7600)],
  },
  {
    name: 'Bellwether Road',
    class: 'normal_road',
    controls: [p(12900, 14000), p(12300, 7000), p(12900, 2500), p(12200, -2600), p(12800, -7000), p(12300, -15000)],
  },
];

/** Half widths of the rights of way. A lot's edge lies within 50 ft of the centerline, the reach of a frontage. */
export const halfWidths: Record<RoadClass, number> = { major_highway: 13.7, normal_road: 10, local_road: 7.6 };

/** Corners of the county before its sides are roughened. */
export const countyCorners: readonly Point[] = [
  { x: -12900, y: 9300 },
  { x: -6100, y: 10300 },
  { x: -5900, y: 11200 },
  { x: 3100, y: 10500 },
  { x: 9800, y: 10900 },
  { x: 14700, y: 9600 },
  { x: 14200, y: 3300 },
  { x: 15400, y: 3200 },
  { x: 15100, y: -4600 },
  { x: 14300, y: -10900 },
  { x: 5600, y: -11300 },
  { x: 5400, y: -10500 },
  { x: -5200, y: -11600 },
  { x: -12600, y: -10800 },
  { x: -13600, y: -3200 },
  { x: -12700, y: 1500 },
];

/** Middle of the Sorrel River at an easting: one height each, so the distance is quick to find. */
export function riverMiddle(x: number): number {
  return (
    1150 +
    1500 * (1 - Math.exp(-((x / 4600) ** 2))) +
    150 * Math.sin(x / 290 + 0.6) +
    210 * Math.sin(x / 830 + 1.3) +
    260 * Math.sin(x / 2900)
  );
}

/** Half width of the river: a pond behind the dam east of the ferry, a brook above it. */
export function riverHalfWidth(x: number): number {
  return 30 + 6 * Math.sin(x / 610) + 150 * Math.exp(-(((x - 6000) / 520) ** 2));
}

/** Approximate square meters to the river: exact enough for floods, wetlands and the valley. */
export function distanceToRiver(q: Point): number {
  const slope = (riverMiddle(q.x + 40) - riverMiddle(q.x - 40)) / 80;
  return Math.abs(q.y - riverMiddle(q.x)) / Math.hypot(1, slope);
}

/** A place in a settlement's own frame: along its streets, and across them. */
export function inFrame(s: Settlement, q: Point): { u: number; v: number } {
  const [dx, dy, c, n] = [q.x - s.center.x, q.y - s.center.y, Math.cos(s.turn), Math.sin(s.turn)];
  return { u: dx * c + dy * n, v: dy * c - dx * n };
}

export function fromFrame(s: Settlement, u: number, v: number): Point {
  const [c, n] = [Math.cos(s.turn), Math.sin(s.turn)];
  return { x: s.center.x + u * c - v * n, y: s.center.y + u * n + v * c };
}
