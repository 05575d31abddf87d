/** Buildings as rectangles: as many as the lot has structures, set back from the road, inside the lot's lines. */
import type { ParcelRecord } from './parcels.ts';
import { at, contains, direction, distance, interiorPoint, type Point, ringCrossings } from './plane.ts';
import type { Random } from './random.ts';
import { uses } from './uses.ts';

interface Lot {
  /** The part that the buildings stand on, and its holes. */
  readonly rings: readonly (readonly Point[])[];
  /** A place on the road, the direction of the road, and the one from the road into the lot. */
  readonly front: Point;
  readonly along: Point;
  readonly inward: Point;
  readonly setback: number;
}

/** @param rings of the part of the lot with the most ground. @param isWet tells wet ground, which buildings avoid while there is other room */
export function footprintsOf(
  record: ParcelRecord,
  rings: readonly (readonly Point[])[],
  isWet: (q: Point) => boolean,
  random: Random,
): Point[][] {
  const lot = lotOf(record, rings, random);
  const placed: Point[][] = [];
  for (let number = 0; number < record.structures; number++) {
    const size = sizeOf(record, number, random);
    placed.push(place(lot, size, number, placed, isWet, random));
  }
  return placed;
}

function lotOf({ shape }: ParcelRecord, rings: readonly (readonly Point[])[], random: Random): Lot {
  const outer = at(rings, 0);
  const middle = interiorPoint(rings);
  const front = shape.frontage.road === null ? middle : shape.frontage.spot;
  // The edge of the lot nearest to the front runs along the road.
  let best = { off: Infinity, along: { x: 1, y: 0 } };
  for (let i = 0; i < outer.length; i++) {
    const [a, b] = [at(outer, i), at(outer, i + 1)];
    const off = distance({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, front);
    if (off < best.off) best = { off, along: direction(a, b) };
  }
  const { along } = best;
  // Rings run counter-clockwise: the lot lies to the left of its edges.
  const inward = { x: -along.y, y: along.x };
  const setback = shape.inGrid ? random.between(5, 10) : random.between(14, 48) + Math.min(40, shape.acres);
  return { rings, front, along, inward, setback };
}

/** Meters along the road and across, from the square feet on the tax card over two floors. */
function sizeOf({ use, properties }: ParcelRecord, number: number, random: Random): { long: number; deep: number } {
  const known = properties.building_sqft;
  const squareFeet = typeof known === 'number' ? known : 1500;
  const floors = use.class === 'C' || use.class === 'I' || use === uses.mobile ? 1 : squareFeet > 20_000 ? 3 : 1.7;
  const main = Math.min(3200, Math.max(48, (squareFeet / floors) * 0.0929));
  const barn = use === uses.farm && number < 3;
  const area = number === 0 ? main : barn ? random.between(150, 340) : random.between(30, 75);
  const stretch = use === uses.mobile && number === 0 ? 3.4 : random.between(1.15, barn ? 2.4 : 1.7);
  return { long: Math.sqrt(area * stretch), deep: Math.sqrt(area / stretch) };
}

const tries = 90;
/** Meters: smaller ones are not counted as structures. */
const least = 4.6;

function place(
  lot: Lot,
  size: { long: number; deep: number },
  number: number,
  placed: readonly Point[][],
  isWet: (q: Point) => boolean,
  random: Random,
): Point[] {
  const middle = interiorPoint(lot.rings);
  for (let i = 0; i < tries; i++) {
    // Smaller, and further from where it should stand, with every try.
    const scale = 1 - 0.62 * (i / tries);
    const center = tryAt(lot, middle, size.deep * scale, number, i, random);
    const ring = rectangle(center, lot.along, Math.max(least, size.long * scale), Math.max(least, size.deep * scale));
    const isTooWet = i < tries / 2 && ring.some(isWet);
    if (!isTooWet && isFree(lot.rings, ring, placed)) return ring;
  }
  return smallest(lot, placed, middle);
}

/** The house stands behind its setback, what belongs to it beside and behind; every fifth try is around the middle. */
function tryAt(lot: Lot, middle: Point, deep: number, number: number, i: number, random: Random): Point {
  const loose = 1 + i / 12;
  const behind = number === 0 ? 0 : random.between(6, 26) * loose;
  const aside = (number === 0 ? 7 : 24) * loose * random.normal();
  const isInMiddle = i % 5 === 4;
  const back = lot.setback * (i % 3 === 2 ? random.next() : 1) + deep / 2 + behind;
  const reach = isInMiddle ? random.between(-12, 12) * loose : back;
  const base = isInMiddle ? middle : lot.front;
  return {
    x: base.x + lot.along.x * aside + lot.inward.x * reach,
    y: base.y + lot.along.y * aside + lot.inward.y * reach,
  };
}

/** A shed where there is hardly room: the places of a fine grid around the middle are tried in a spiral. */
function smallest(lot: Lot, placed: readonly Point[][], middle: Point): Point[] {
  for (let i = 0; i < 4000; i++) {
    const [turn, reach] = [i * 2.4, 0.75 * Math.sqrt(i)];
    const center = { x: middle.x + reach * Math.cos(turn), y: middle.y + reach * Math.sin(turn) };
    const ring = rectangle(center, lot.along, least, least);
    if (isFree(lot.rings, ring, placed)) return ring;
  }
  return rectangle(middle, lot.along, least, least);
}

function rectangle(center: Point, along: Point, long: number, deep: number): Point[] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([u = 0, v = 0]) => ({
    x: center.x + (along.x * u * long - along.y * v * deep) / 2,
    y: center.y + (along.y * u * long + along.x * v * deep) / 2,
  }));
}

const closed = (ring: readonly Point[]): Point[] => [...ring, at(ring, 0)];

/** Inside the lot's lines and clear of its other buildings. */
function isFree(rings: readonly (readonly Point[])[], ring: readonly Point[], placed: readonly Point[][]): boolean {
  const [outer = [], ...holes] = rings;
  const inside = ring.every((p) => contains(outer, p) && !holes.some((hole) => contains(hole, p)));
  if (!inside || rings.some((line) => ringCrossings(line, closed(ring)).length > 0)) return false;
  return placed.every(
    (other) =>
      ringCrossings(other, closed(ring)).length === 0 && !contains(other, at(ring, 0)) && !contains(ring, at(other, 0)),
  );
}
