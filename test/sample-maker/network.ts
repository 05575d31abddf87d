/** From the county's outline to blocks: main roads, the river, the streets of the settlements. */
import { Fabric, type Ring } from './fabric.ts';
import {
  countyCorners,
  fromFrame,
  halfWidths,
  inFrame,
  mainRoads,
  riverHalfWidth,
  riverMiddle,
  type Settlement,
  settlements,
  wrenfield,
} from './layout.ts';
import { countryRoads, townStreets } from './names-of-roads.ts';
import {
  at,
  bounds,
  distance,
  interiorPoint,
  locateOnLine,
  offsetLine,
  type Point,
  signedArea,
  smoothLine,
} from './plane.ts';
import type { Random } from './random.ts';
import type { RoadClass } from './types.ts';

export interface Face {
  readonly ring: Ring;
  readonly kind: 'land' | 'road' | 'water';
  /** Index in `roads`, for a road face. */
  readonly road: number;
}

/** Square meters: an eighth of an acre. */
const smallestBlock = 500;

interface Road {
  readonly name: string;
  readonly class: RoadClass;
  readonly center: readonly Point[];
  /** Settlement whose street it is, or null. */
  readonly settlement: Settlement | null;
}

export class Network {
  readonly fabric = new Fabric();
  readonly roads: Road[] = [];
  readonly outline: Ring;
  faces: Face[];
  #countryNames: string[];

  constructor(random: Random) {
    this.#countryNames = [
      ...random.shuffle(countryRoads.slice(0, countryRoads.length / 2)),
      ...random.shuffle(countryRoads.slice(countryRoads.length / 2)),
    ];
    this.outline = countyRing(this.fabric, random.fork('outline'));
    this.faces = [{ ring: this.outline, kind: 'land', road: -1 }];
  }

  points(face: Face): Point[] {
    return this.fabric.points(this.fabric.expand(face.ring));
  }

  nextCountryName(): string {
    return this.#countryNames.shift() ?? `County Road ${this.roads.length}`;
  }

  addRoad(road: Road): number {
    this.roads.push(road);
    return this.roads.length - 1;
  }

  /** Lays a road's right of way through a face, if it crosses it from edge to edge. */
  layRoad(face: Face, road: number): Face[] {
    const { center, class: roadClass } = at(this.roads, road);
    const half = halfWidths[roadClass];
    const left = offsetLine(center, () => half);
    const right = offsetLine(center, () => -half);
    const pieces = this.fabric
      .cutAlong(face.ring, left, 1)
      .flatMap((ring) => this.fabric.cutAlong(ring, right, 1))
      .map((ring): Face => {
        const inside = interiorPoint([this.fabric.points(this.fabric.expand(ring))]);
        // A corner too small for anything stays with the road, like the leftovers of real layouts.
        const isRoad =
          Math.abs(locateOnLine(center, inside).offset) < half ||
          signedArea(this.fabric.points(this.fabric.expand(ring))) < smallestBlock;
        return isRoad ? { ring, kind: 'road', road } : { ring, kind: 'land', road: -1 };
      });
    for (const piece of pieces) if (piece.kind === 'road') this.fabric.mark(piece.ring, road);
    return pieces;
  }

  layRoadWhere(road: number, applies: (face: Face, points: Point[]) => boolean): void {
    const line = bounds(at(this.roads, road).center);
    this.faces = this.faces.flatMap((face) => {
      if (face.kind !== 'land') return [face];
      const points = this.points(face);
      const box = bounds(points);
      const apart = box.minX > line.maxX || box.maxX < line.minX || box.minY > line.maxY || box.maxY < line.minY;
      return apart || !applies(face, points) ? [face] : this.layRoad(face, road);
    });
  }
}

/** The outline: sides with a corner every mile or so, as surveyed town lines have. */
function countyRing(fabric: Fabric, random: Random): number[] {
  const corners = countyCorners.toReversed();
  return corners.flatMap((a, i) => {
    const b = at(corners, i + 1);
    const pieces = Math.max(1, Math.round(distance(a, b) / 2600));
    return Array.from({ length: pieces }, (_, k) => {
      const bend = k === 0 ? 0 : random.between(-25, 25);
      const share = k / pieces;
      return fabric.add({ x: a.x + (b.x - a.x) * share + bend, y: a.y + (b.y - a.y) * share + bend });
    });
  });
}

export function buildNetwork(random: Random): Network {
  const network = new Network(random);
  for (const road of mainRoads) {
    const jitter = random.fork(road.name);
    const controls = road.controls.flatMap((stop) => {
      if (!stop.along) return [{ x: stop.at.x + jitter.between(-160, 160), y: stop.at.y + jitter.between(-160, 160) }];
      const settlement = settlements.find((s) => s.center === stop.at) ?? wrenfield;
      return stopsAt(settlement, stop.along, at(road.controls, 0).at);
    });
    const center = smoothLine(controls, 70);
    const index = network.addRoad({ name: road.name, class: road.class, center, settlement: null });
    network.layRoadWhere(index, () => true);
  }
  layRiver(network);
  for (const settlement of settlements) layStreets(network, settlement, random.fork(settlement.name));
  return network;
}

/** Three stops in a row keep a main road straight through the settlement's grid. */
function stopsAt(s: Settlement, along: 'turn' | 'across', start: Point): Point[] {
  const stops =
    along === 'turn'
      ? [fromFrame(s, -s.west, 0), s.center, fromFrame(s, s.east, 0)]
      : [fromFrame(s, 0, -s.south), s.center, fromFrame(s, 0, s.north)];
  return distance(at(stops, 0), start) < distance(at(stops, 2), start) ? stops : stops.toReversed();
}

function layRiver(network: Network): void {
  const middle: Point[] = [];
  for (let x = -16000; x <= 18000; x += 55) middle.push({ x, y: riverMiddle(x) });
  const half = (i: number): number => riverHalfWidth(at(middle, i).x);
  const banks = [offsetLine(middle, half), offsetLine(middle, (i) => -half(i))];
  network.faces = network.faces.flatMap((face) => {
    if (face.kind !== 'land') return [face];
    const rings = banks.reduce<Ring[]>(
      (all, bank) => all.flatMap((r) => network.fabric.cutAlong(r, bank, 1)),
      [face.ring],
    );
    return rings.map((ring): Face => {
      const inside = interiorPoint([network.fabric.points(network.fabric.expand(ring))]);
      const near = locateOnLine(middle, inside);
      const sliver = signedArea(network.fabric.points(network.fabric.expand(ring))) < smallestBlock;
      const wet = sliver || Math.abs(near.offset) < riverHalfWidth(inside.x) + 3;
      return wet ? { ring, kind: 'water', road: -1 } : { ...face, ring };
    });
  });
}

export function insideGrid(s: Settlement, q: Point): boolean {
  const { u, v } = inFrame(s, q);
  return u > -s.west && u < s.east && v > -s.south && v < s.north;
}

function layStreets(network: Network, s: Settlement, random: Random): void {
  const names = s === wrenfield ? [...townStreets] : random.shuffle(townStreets);
  const addStreet = (name: string, controls: [number, number][]): number =>
    network.addRoad({
      name,
      class: 'local_road',
      center: smoothLine(
        controls.map(([u, v]) => fromFrame(s, u, v)),
        30,
      ),
      settlement: s,
    });
  for (const [name, v] of [
    ['North Belt Street', s.north],
    ['South Belt Street', -s.south],
  ] as const) {
    const back = -Math.sign(v) * 60;
    const belt = addStreet(name, beltControls(s, v, back));
    network.layRoadWhere(belt, () => true);
  }
  const skip = s === wrenfield ? 0.1 : 0.22;
  const lay = (controls: [number, number][]): void => {
    const street = addStreet(names.shift() ?? `${s.name} Street`, controls);
    network.layRoadWhere(street, (_, points) => insideGrid(s, interiorPoint([points])) && !random.chance(skip));
  };
  for (const u of gridLines(-s.west, s.east, s.blockWidth, random)) {
    const sway = random.between(-14, 14);
    lay([
      [u, -s.south - 30],
      [u + sway, 0],
      [u, s.north + 30],
    ]);
  }
  for (const v of gridLines(-s.south, s.north, s.blockDepth, random)) {
    const sway = random.between(-9, 9);
    lay([
      [-s.west - 30, v],
      [0, v + sway],
      [s.east + 30, v - sway],
    ]);
  }
}

/** A U around one half of the settlement, its corners rounded by a pair of close stops. */
function beltControls(s: Settlement, v: number, back: number): [number, number][] {
  const inset = 70 * Math.sign(v);
  return [
    [-s.west, back],
    [-s.west, v / 2],
    [-s.west, v - inset],
    [-s.west + 70, v],
    [0, v],
    [s.east - 70, v],
    [s.east, v - inset],
    [s.east, v / 2],
    [s.east, back],
  ];
}

/** Street lines on both sides of the main road that lies at 0. */
function gridLines(low: number, high: number, step: number, random: Random): number[] {
  const side = (end: number): number[] => {
    const count = Math.max(1, Math.round(Math.abs(end) / step));
    return Array.from({ length: count - 1 }, (_, i) => ((i + 1) / count) * end + random.between(-0.08, 0.08) * step);
  };
  return [...side(low), ...side(high)];
}
