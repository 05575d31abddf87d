/** Cuts blocks into lots: repeatedly in two, until each piece is one lot. */
import { countryDensity } from './blocks.ts';
import {
  type Cut,
  frontageOf,
  longAxis,
  type Outlined,
  offsetForShare,
  outlined,
  roadAxis,
  type Side,
  straightCut,
} from './cutting.ts';
import { acresOf, type Ring } from './fabric.ts';
import type { Network } from './network.ts';
import { contains, distance, interiorPoint, type Point, ringCrossings, signedArea } from './plane.ts';
import type { Random } from './random.ts';

interface Piece {
  readonly ring: Ring;
  readonly lots: number;
}

interface Plan {
  readonly cut: Cut;
  readonly normal: Point;
  readonly counts: readonly [number, number];
}

/** Lots in the order of the cuts, so that neighbors are consecutive and can be numbered in a row. */
export function cutIntoLots(network: Network, ring: Ring, lots: number, random: Random): Ring[] {
  const done: Ring[] = [];
  const todo: Piece[] = [{ ring, lots }];
  for (let piece = todo.pop(); piece; piece = todo.pop()) {
    const halves = piece.lots > 1 ? cutInTwo(network, piece, random) : null;
    if (halves) todo.push(halves[1], halves[0]);
    else done.push(piece.ring);
  }
  return done;
}

function cutInTwo(network: Network, piece: Piece, random: Random): [Piece, Piece] | null {
  const { fabric } = network;
  const shape = outlined(fabric, piece.ring);
  const middle = interiorPoint([shape.points]);
  const lotAcres = acresOf(signedArea(shape.points), middle.y) / piece.lots;
  const plat = lotAcres < 1.6;
  const plan = bestPlan(shape, piece.lots, plat, random);
  if (!plan) return null;
  const tolerance = plat ? 2.2 : Math.min(14, Math.sqrt(lotAcres) * 3);
  const bends = plat || random.chance(0.6) ? [] : bend(shape, plan, random);
  const { start, end } = plan.cut;
  const sides =
    fabric.split(piece.ring, { start, middle: bends, end }, tolerance) ??
    fabric.split(piece.ring, { start, middle: [], end }, 0.3);
  if (!sides) return null;
  // The fabric returns the side that runs from the cut's start first, as the plan does.
  return [
    { ring: sides[0], lots: plan.counts[0] },
    { ring: sides[1], lots: plan.counts[1] },
  ];
}

function bestPlan(shape: Outlined, lots: number, plat: boolean, random: Random): Plan | null {
  const { axis } = longAxis(shape.points);
  const road = roadAxis(shape);
  const straight = [axis, { x: -axis.y, y: axis.x }, ...(road ? [road] : [])];
  // In the country each direction is tried three times, slightly turned; streets are laid out square.
  const normals = plat ? straight : straight.flatMap((n) => [0, 1, 2].map(() => turned(n, 0.07 * random.normal())));
  const whole = { area: signedArea(shape.points), frontage: frontageOf(shape) };
  let best: { plan: Plan; score: number } | null = null;
  for (const normal of normals) {
    const plan = planCut(shape, normal, lots, plat, random);
    if (!plan) continue;
    const score = 0.12 * random.normal() - defects(plan, whole, lots, plat);
    if (score > (best?.score ?? -50)) best = { plan, score };
  }
  return best?.plan ?? null;
}

function turned(v: Point, angle: number): Point {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return { x: v.x * c - v.y * s, y: v.y * c + v.x * s };
}

function planCut(shape: Outlined, normal: Point, lots: number, plat: boolean, random: Random): Plan | null {
  const half = Math.floor(lots / 2);
  const even = plat ? half / lots + (lots < 4 ? 0.05 * random.normal() : 0) : random.between(0.3, 0.7);
  const share = Math.min(0.85, Math.max(0.15, even));
  const cut = straightCut(shape, normal, offsetForShare(shape.points, normal, share));
  if (!cut) return null;
  const [a, b] = cut.sides;
  const weight = (side: Side): number => {
    if (plat) return side.area;
    const reach = side.frontage / (a.frontage + b.frontage + 1) / (side.area / (a.area + b.area));
    const usual = side.area * countryDensity(side.middle);
    return usual * (0.45 + 0.55 * Math.min(2.5, reach)) * Math.exp(0.55 * random.normal());
  };
  const [wa, wb] = [weight(a), weight(b)];
  const [roomA, roomB] = [roadsideRoom(a, plat), roadsideRoom(b, plat)];
  const wanted = Math.min(Math.max((lots * wa) / (wa + wb), lots - roomB), Math.max(roomA, lots - roomB));
  const first = Math.min(lots - 1, Math.max(1, Math.round(wanted)));
  return { cut, normal, counts: [Math.min(first, groundRoom(a, plat)), Math.min(lots - first, groundRoom(b, plat))] };
}

/** How many lots get enough road frontage not to be strips. Streets run around a town's blocks: no limit there. */
const roadsideRoom = (side: Side, plat: boolean): number =>
  plat ? Infinity : Math.max(1, side.frontage ** 2 / (0.3 * side.area));

/** Maximum number of lots with ground to build on and access; the rest is given up. */
function groundRoom(side: Side, plat: boolean): number {
  const ground = Math.floor(side.area / (plat ? 380 : 1600));
  return Math.max(1, Math.min(ground, Math.ceil(1.5 * roadsideRoom(side, plat))));
}

/** Defects that a surveyor would avoid: lots off the road, slivers, sharp corners, specks. */
function defects(plan: Plan, whole: { area: number; frontage: number }, lots: number, plat: boolean): number {
  let sum = plan.cut.sharpest < 0.45 ? 1.2 : 0;
  plan.cut.sides.forEach((side, i) => {
    const count = plan.counts[i] ?? 1;
    if (side.area < (whole.area / lots) * 0.06 || side.area < 300) sum += 20;
    if (whole.frontage > 5 && side.frontage < 5) sum += (plat ? 5 : 0.9) + 0.4 * Math.min(8, count - 1);
    const oblong = (side.perimeter * side.perimeter) / (16 * side.area);
    // A piece for several lots may be long; a lot may be about three times as deep as wide.
    sum += Math.max(0, oblong - (count > 1 ? 1.5 : 1.35)) * (plat ? 0.8 : 1.1);
  });
  return sum;
}

/** A bend, or a jog to one side: old stone walls are not straight. */
function bend(shape: Outlined, plan: Plan, random: Random): Point[] {
  const { start, end } = plan.cut;
  const { normal } = plan;
  const length = distance(start, end);
  const spot = (share: number, aside: number): Point => ({
    x: start.x + (end.x - start.x) * share + normal.x * aside,
    y: start.y + (end.y - start.y) * share + normal.y * aside,
  });
  const aside = length * random.between(0.02, 0.07) * (random.chance(0.5) ? 1 : -1);
  const share = random.between(0.3, 0.7);
  const jog = random.chance(0.25);
  const middle = jog ? [spot(share, -2 * aside), spot(share, 2 * aside)] : [spot(share, aside)];
  const path = [spot(0.02, jog ? -2 * aside : 0), ...middle, spot(0.98, jog ? 2 * aside : 0)];
  const clear = ringCrossings(shape.points, path).length === 0 && middle.every((p) => contains(shape.points, p));
  return clear ? middle : [];
}
