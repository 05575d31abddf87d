/** The shapes of the county's parcels: lots, lots in two parts, lots with a hole, rights of way, water. */
import { layCountryRoads, shareLots } from './blocks.ts';
import { acresOf, latitudeOf, longitudeOf, type Ring } from './fabric.ts';
import { halfWidths, mainRoads, type Settlement, settlements } from './layout.ts';
import { cutIntoLots } from './lots.ts';
import { buildNetwork, insideGrid, type Network } from './network.ts';
import {
  at,
  bounds,
  contains,
  direction,
  distance,
  interiorPoint,
  type Point,
  ringCrossings,
  signedArea,
} from './plane.ts';
import type { Random } from './random.ts';
import type { RoadClass, SampleGeometry, SampleRing } from './types.ts';

export interface Frontage {
  readonly feet: Record<RoadClass, number>;
  /** The road with the longest frontage and the middle of its longest stretch; null off the road. */
  readonly road: number | null;
  readonly spot: Point;
}

export interface Shape {
  readonly kind: 'lot' | 'road' | 'water';
  /** Polygons of corner numbers: an outer ring and its holes. Empty: the county drew none. */
  readonly parts: Ring[][];
  readonly points: Point[];
  readonly middle: Point;
  readonly acres: number;
  readonly frontage: Frontage;
  /** Lots of one block are consecutive; -1 outside blocks. */
  readonly block: number;
  readonly road: number;
  /** Nearest town or village, whose name and ZIP the parcel has. */
  readonly settlement: Settlement;
  readonly inGrid: boolean;
  /** In the hole of another lot. */
  readonly inholding: boolean;
}

const feetPerMeter = 3.280839895;

interface Draft {
  readonly kind: Shape['kind'];
  readonly parts: Ring[][];
  readonly block: number;
  readonly road: number;
  readonly inholding?: boolean;
}

export interface Land {
  readonly network: Network;
  readonly shapes: Shape[];
}

/** Approximate total of the densities in `blocks.ts`. */
const usualTotal = 6000;

export function buildLand(total: number, random: Random): Land {
  const network = buildNetwork(random.fork('network'));
  layCountryRoads(network, total / usualTotal, random.fork('country roads'));
  const blocks = shareLots(network, total, random.fork('shares'));
  const cuts = random.fork('cuts');
  let owed = 0;
  const lots = blocks.flatMap(({ face, lots: count }, block) => {
    // Lots that did not fit into one block are made up for in the next, a few at a time.
    const asked = count + Math.min(owed, Math.round(count * 0.2));
    const rings = cutIntoLots(network, face.ring, asked, cuts);
    owed += count - rings.length;
    return rings.map((ring): Draft => ({ kind: 'lot', parts: [[ring]], block, road: -1 }));
  });
  const wanted = Math.max(1, Math.round(total / 250));
  joinAcrossRoads(network, lots, wanted, random.fork('joined'));
  lots.push(...digHoles(network, lots, Math.max(1, Math.round(total / 750)), random.fork('holes')));
  const drafts = [...lots, ...rightsOfWay(network), ...water(network)];
  return { network, shapes: drafts.map((draft) => shapeOf(network, draft)) };
}

function shapeOf(network: Network, draft: Draft): Shape {
  const parts = draft.parts.map((rings) => rings.map((ring) => network.fabric.expand(ring)));
  const polygons = parts.map((rings) => rings.map((ring) => network.fabric.points(ring)));
  const areas = polygons.map((rings) => rings.reduce((sum, ring) => sum + signedArea(ring), 0));
  const largest = at(polygons, areas.indexOf(Math.max(...areas)));
  const middle = interiorPoint(largest);
  const squareMeters = areas.reduce((sum, area) => sum + area, 0);
  return {
    kind: draft.kind,
    parts,
    points: at(largest, 0),
    middle,
    acres: acresOf(squareMeters, middle.y),
    frontage: frontageOf(network, parts.flat()),
    block: draft.block,
    road: draft.road,
    settlement: nearestSettlement(middle),
    inGrid: settlements.some((s) => insideGrid(s, middle)),
    inholding: draft.inholding ?? false,
  };
}

/** Towns reach further than villages. */
function nearestSettlement(q: Point): Settlement {
  const pull = (s: Settlement): number => distance(q, s.center) / Math.sqrt(s.reach);
  return settlements.reduce((best, s) => (pull(s) < pull(best) ? s : best));
}

function frontageOf(network: Network, rings: readonly Ring[]): Frontage {
  const feet = { major_highway: 0, normal_road: 0, local_road: 0 };
  const perRoad = new Map<number, number>();
  let longest = { length: 0, road: -1, spot: { x: 0, y: 0 } };
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      const [from, to] = [at(ring, i), at(ring, i + 1)];
      const road = network.fabric.markOf(from, to);
      if (road === undefined) continue;
      const [a, b] = [network.fabric.point(from), network.fabric.point(to)];
      const length = distance(a, b);
      feet[at(network.roads, road).class] += length * feetPerMeter;
      perRoad.set(road, (perRoad.get(road) ?? 0) + length);
      if (length > longest.length) longest = { length, road, spot: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
    }
  }
  return { feet, road: longest.road < 0 ? null : longest.road, spot: longest.spot };
}

/** Joins two lots that face each other over a road; the second leaves the list. */
function joinAcrossRoads(network: Network, lots: Draft[], wanted: number, random: Random): void {
  const joined = new Set<Draft>();
  const boxes = lots.map((lot) => bounds(network.points({ ring: at(at(lot.parts, 0), 0), kind: 'land', road: -1 })));
  for (let i = 0; i < wanted * 40 && joined.size < wanted * 2; i++) {
    const lot = random.pick(lots);
    const over = acrossTheRoad(network, lot);
    if (!over || joined.has(lot)) continue;
    const other = lots.find((candidate, k) => {
      const box = at(boxes, k);
      if (over.x < box.minX || over.x > box.maxX || over.y < box.minY || over.y > box.maxY) return false;
      return contains(network.fabric.points(network.fabric.expand(at(at(candidate.parts, 0), 0))), over);
    });
    if (!other || other === lot || joined.has(other)) continue;
    lot.parts.push(...other.parts);
    joined.add(lot).add(other);
    const index = lots.indexOf(other);
    lots.splice(index, 1);
    boxes.splice(index, 1);
  }
}

/** A point a few meters beyond the far edge of the country road that a larger lot lies on. */
function acrossTheRoad(network: Network, lot: Draft): Point | null {
  const ring = network.fabric.expand(at(at(lot.parts, 0), 0));
  const area = signedArea(network.fabric.points(ring));
  if (area < 12_000 || area > 600_000) return null;
  const { road, spot } = frontageOf(network, [ring]);
  if (road === null) return null;
  const edge = ring.findIndex((vertex, i) => {
    const [a, b] = [network.fabric.point(vertex), network.fabric.point(at(ring, i + 1))];
    return network.fabric.markOf(vertex, at(ring, i + 1)) === road && Math.abs((a.x + b.x) / 2 - spot.x) < 0.01;
  });
  const u = direction(network.fabric.point(at(ring, edge)), network.fabric.point(at(ring, edge + 1)));
  const reach = 2 * halfWidths[at(network.roads, road).class] + 6;
  return { x: spot.x + u.y * reach, y: spot.y - u.x * reach };
}

/** Burial grounds and old camp lots inside a larger lot: the hole of one is the ring of the other. */
function digHoles(network: Network, lots: Draft[], wanted: number, random: Random): Draft[] {
  const dug: Draft[] = [];
  const used = new Set<Draft>();
  for (let i = 0; i < wanted * 60 && dug.length < wanted; i++) {
    const lot = random.pick(lots);
    const points = network.fabric.points(network.fabric.expand(at(at(lot.parts, 0), 0)));
    const area = signedArea(points);
    if (used.has(lot) || lot.parts.length > 1 || area < 50_000 || area > 900_000) continue;
    const hole = holeCorners(points, random);
    if (!hole) continue;
    const ring = hole.map((p) => network.fabric.add(p));
    lot.parts.splice(0, 1, [...at(lot.parts, 0), ring.toReversed()]);
    used.add(lot);
    dug.push({ kind: 'lot', parts: [[ring]], block: lot.block, road: -1, inholding: true });
  }
  return dug;
}

function holeCorners(outer: readonly Point[], random: Random): Point[] | null {
  const center = interiorPoint([outer]);
  const [half, turn] = [random.between(14, 42), random.between(0, Math.PI)];
  const ring = [0.2, 1.4, 3.3, 4.6].map((angle) => {
    const reach = half * random.between(0.9, 1.3);
    return { x: center.x + reach * Math.cos(angle + turn), y: center.y + reach * Math.sin(angle + turn) };
  });
  const apart = ring.map((p) => ({ x: center.x + (p.x - center.x) * 1.5, y: center.y + (p.y - center.y) * 1.5 }));
  const clear = apart.every((p) => contains(outer, p)) && ringCrossings(outer, [...apart, at(apart, 0)]).length === 0;
  return clear ? ring : null;
}

/**
 * Rights of way as counties draw them: a parcel for each main road, and a few for all the streets or lanes of a
 * place together. Pieces that touch along an edge may not be parts of one multipolygon, so they go to another.
 */
function rightsOfWay(network: Network): Draft[] {
  const groups: { key: string; edges: Set<string>; draft: Draft }[] = [];
  for (const face of network.faces) {
    if (face.kind !== 'road') continue;
    const ring = network.fabric.expand(face.ring);
    const key = keeperOf(network, face.road, ring);
    const edges = ring.map((a, i) => [a, at(ring, i + 1)].sort((p, q) => p - q).join());
    const group = groups.find((g) => g.key === key && !edges.some((edge) => g.edges.has(edge)));
    if (group) {
      group.draft.parts.push([ring]);
      for (const edge of edges) group.edges.add(edge);
      continue;
    }
    groups.push({ key, edges: new Set(edges), draft: { kind: 'road', parts: [[ring]], block: -1, road: face.road } });
  }
  return groups.map((group) => group.draft);
}

function keeperOf(network: Network, index: number, ring: Ring): string {
  const road = at(network.roads, index);
  if (isMainRoad(road.name)) return road.name;
  if (road.settlement) return `streets of ${road.settlement.name}`;
  return `roads near ${nearestSettlement(interiorPoint([network.fabric.points(ring)])).name}`;
}

export const isMainRoad = (name: string): boolean => mainRoads.some((road) => road.name === name);

const water = (network: Network): Draft[] =>
  network.faces
    .filter((face) => face.kind === 'water')
    .map((face) => ({ kind: 'water', parts: [[face.ring]], block: -1, road: -1 }));

export function geometryOf(network: Network, shape: Shape): SampleGeometry | null {
  const polygons = shape.parts.map((rings) => rings.map((ring) => closedRing(network, ring)));
  const [first] = polygons;
  if (!first) return null;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons };
}

export function closedRing(network: Network, ring: Ring): SampleRing {
  return [...ring, at(ring, 0)].map((vertex) => {
    const p = network.fabric.point(vertex);
    return [longitudeOf(p.x), latitudeOf(p.y)];
  });
}
