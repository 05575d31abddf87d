/** Country roads: halves blocks that are too large for their lots by a road, until lots can reach one. */
import { type Cut, longAxis, type Outlined, offsetForShare, outlined, straightCut } from './cutting.ts';
import { acresOf } from './fabric.ts';
import { inFrame, type Settlement, settlements } from './layout.ts';
import { type Face, insideGrid, type Network } from './network.ts';
import { distance, interiorPoint, type Point, ringCrossings, signedArea } from './plane.ts';
import type { Random } from './random.ts';

/** Usual lots per acre at a place, before the total is scaled to the requested number. */
function lotDensity(q: Point): number {
  const grid = settlements.find((s) => insideGrid(s, q));
  return grid ? gridDensity(grid, q) : countryDensity(q);
}

/** The same outside the street grids; also used for corners of country blocks that reach into one. */
export function countryDensity(q: Point): number {
  const roll = 0.55 * Math.sin(q.x / 2900 + 0.4) * Math.sin(q.y / 2500 + 1.1);
  let density = (1 / 52) * Math.exp(roll - 0.25 * remoteness(q));
  for (const s of settlements) {
    const beyond = Math.max(0, distance(q, s.center) - (s.east + s.west) / 2);
    density += (0.16 / s.lotAcres) * Math.exp(-beyond / s.reach);
  }
  return density;
}

/** A block's density: from its middle and from places toward its corners, because a town affects only one side. */
function blockDensity(points: readonly Point[], middle: Point): number {
  if (settlements.some((s) => insideGrid(s, middle))) return lotDensity(middle);
  const step = Math.max(1, Math.floor(points.length / 10));
  const places = points
    .filter((_, i) => i % step === 0)
    .map((p) => ({ x: middle.x + 0.7 * (p.x - middle.x), y: middle.y + 0.7 * (p.y - middle.y) }));
  return [middle, ...places].reduce((sum, q) => sum + countryDensity(q), 0) / (places.length + 1);
}

/** 0 in the valley, 1 in the hills along the county's edge, which have the largest lots. */
const remoteness = (q: Point): number =>
  Math.min(1, (Math.abs(q.y - 500) / 11000) ** 2 + (Math.abs(q.x - 700) / 15000) ** 2);

/** Lots grow by half from the crossing to the belt streets. */
function gridDensity(s: Settlement, q: Point): number {
  const { u, v } = inFrame(s, q);
  const share = Math.max(Math.abs(u) / Math.max(s.east, s.west), Math.abs(v) / Math.max(s.south, s.north));
  return 1 / (s.lotAcres * (0.75 + 0.75 * share));
}

/** `crowding`: multiple of the usual number of lots in the county; more lots need more roads. */
export function layCountryRoads(network: Network, crowding: number, random: Random): void {
  const done: Face[] = [];
  const todo = [...network.faces];
  for (let face = todo.pop(); face; face = todo.pop()) {
    const pieces = face.kind === 'land' ? halve(network, face, crowding, random) : null;
    if (pieces) todo.push(...pieces);
    else done.push(face);
  }
  network.faces = done;
}

function halve(network: Network, face: Face, crowding: number, random: Random): Face[] | null {
  const shape = outlined(network.fabric, face.ring);
  const middle = interiorPoint([shape.points]);
  if (settlements.some((s) => insideGrid(s, middle))) return null;
  const acres = acresOf(signedArea(shape.points), middle.y);
  const country = 1650 * Math.exp(0.35 * random.normal());
  if (acres < Math.max(14, Math.min(country, 60 / blockDensity(shape.points, middle)) / Math.max(1, crowding)))
    return null;
  for (let i = 0; i < 6; i++) {
    const center = roadAcross(shape, acres, random);
    if (!center) continue;
    const road = network.addRoad({
      name: network.nextCountryName(),
      class: acres > 1500 && random.chance(0.35) ? 'normal_road' : 'local_road',
      center,
      settlement: null,
    });
    return network.layRoad(face, road);
  }
  return null;
}

/** The best of a dozen straight cuts, then bent slightly. */
function roadAcross(shape: Outlined, acres: number, random: Random): Point[] | null {
  const { axis } = longAxis(shape.points);
  let best: { cut: Cut; score: number } | null = null;
  for (let i = 0; i < 12; i++) {
    const turn = random.normal() * 0.22 + (random.chance(0.2) ? Math.PI / 2 : 0);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const normal = { x: axis.x * c - axis.y * s, y: axis.y * c + axis.x * s };
    const offset = offsetForShare(shape.points, normal, random.between(0.34, 0.66));
    const cut = straightCut(shape, normal, offset);
    if (!cut) continue;
    const score = roadScore(cut);
    if (score > 0 && (!best || score > best.score)) best = { cut, score };
  }
  return best && bentRoad(shape, best.cut, acres, random);
}

/**
 * Prefers cuts that join roads at right angles and leave two blocks of similar size; a cut without a road gets none.
 */
function roadScore(cut: Cut): number {
  if (!cut.startsAtRoad && !cut.endsAtRoad) return 0;
  if (cut.sharpest < 0.5) return 0;
  const [a, b] = cut.sides.map((side) => side.area) as [number, number];
  const balance = Math.min(a, b) / (a + b);
  const oblong = Math.max(...cut.sides.map((side) => (side.perimeter * side.perimeter) / (16 * side.area)));
  return balance < 0.18
    ? 0
    : 2 + balance - 0.6 * oblong + 0.35 * cut.sharpest + (cut.startsAtRoad && cut.endsAtRoad ? 0.4 : 0);
}

function bentRoad(shape: Outlined, cut: Cut, acres: number, random: Random): Point[] | null {
  const length = distance(cut.start, cut.end);
  const [dx, dy] = [(cut.end.x - cut.start.x) / length, (cut.end.y - cut.start.y) / length];
  const sway = Math.min(length * 0.07, 110) * random.between(-1, 1);
  const waves = acres > 300 ? random.between(0.8, 2.2) : 1;
  const overshoot = 35;
  const pieces = Math.max(4, Math.round(length / 60));
  const line = Array.from({ length: pieces + 1 }, (_, i) => {
    const share = i / pieces;
    const along = -overshoot + share * (length + 2 * overshoot);
    const aside = sway * Math.sin(Math.PI * share) * Math.sin(Math.PI * waves * share + 0.9);
    return { x: cut.start.x + dx * along - dy * aside, y: cut.start.y + dy * along + dx * aside };
  });
  const shifted = [-16, 0, 16].map((d) => line.map((p) => ({ x: p.x - dy * d, y: p.y + dx * d })));
  return shifted.every((l) => ringCrossings(shape.points, l).length === 2) ? line : null;
}

/** Faces with the number of lots for each, which sum to the requested number. */
export function shareLots(network: Network, total: number, random: Random): { face: Face; lots: number }[] {
  const blocks = network.faces
    .filter((face) => face.kind === 'land')
    .map((face) => {
      const points = network.points(face);
      const middle = interiorPoint([points]);
      const acres = acresOf(signedArea(points), middle.y);
      const grid = settlements.find((s) => insideGrid(s, middle));
      const width = longAxis(points).width;
      // A block that lacks a street would hold lots without a road: it becomes a school, a green or works instead.
      const crowded = grid && width > 1.5 * grid.blockDepth;
      const density = blockDensity(points, middle);
      const usual = acres * density * Math.exp(0.18 * random.normal());
      // Timber tracts and state forest: occasionally a whole country block is one or two section-sized lots.
      if (density < 1 / 28 && acres > 300 && random.chance(0.08)) return { face, weight: Math.min(usual, acres / 430) };
      return { face, weight: crowded ? 0.12 * usual : usual };
    });
  const factor = total / blocks.reduce((sum, block) => sum + block.weight, 0);
  let carried = 0;
  return blocks.map(({ face, weight }) => {
    const wanted = weight * factor + carried;
    const lots = Math.max(1, Math.round(wanted));
    carried = wanted - lots;
    return { face, lots };
  });
}
