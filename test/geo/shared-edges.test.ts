/** Neighbors among lots whose answer is known by how they are made. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { type SharedBoundary, sharedEdges } from '../../engine/geo/shared-edges.ts';
import { createRandom } from '../sample-maker/random.ts';

/** Meters around a place at the equator, where both degrees are nearly as long. */
const [degreeX, degreeY] = [1 / 111_319.49, 1 / 110_574.28];
type Corners = readonly (readonly [number, number])[];
const lot = (...corners: Corners): MultiPolygon => [
  [Float64Array.from([...corners, corners[0] as [number, number]].flatMap(([x, y]) => [x * degreeX, y * degreeY]))],
];
const box = (x: number, y: number, width: number, height: number): MultiPolygon =>
  lot([x, y], [x + width, y], [x + width, y + height], [x, y + height]);

const rounded = ({ one, other, sharedMeters, acrossMeters }: SharedBoundary) => [
  ...[one, other],
  ...[Math.round(sharedMeters * 10) / 10, Math.round(acrossMeters * 10) / 10],
];
const byPair = (a: SharedBoundary, b: SharedBoundary) => a.one - b.one || a.other - b.other;
const between = (...shapes: MultiPolygon[]) => sharedEdges(shapes).sort(byPair).map(rounded);

describe('what two lots share', () => {
  test('a side with equal ends, whichever way it is drawn', () => {
    expect(between(box(0, 0, 100, 80), box(100, 0, 60, 80))).toEqual([[0, 1, 80, 0]]);
    const clockwise = lot([100, 0], [100, 80], [160, 80], [160, 0]);
    expect(between(box(0, 0, 100, 80), clockwise)).toEqual([[0, 1, 80, 0]]);
  });

  test('the part of a long side that lies along a short one, and both of two short ones', () => {
    expect(between(box(0, 0, 100, 200), box(100, 50, 40, 30))).toEqual([[0, 1, 30, 0]]);
    expect(between(box(0, 0, 100, 200), box(100, 0, 40, 90), box(100, 90, 40, 110))).toEqual([
      [0, 1, 90, 0],
      [0, 2, 110, 0],
      [1, 2, 40, 0],
    ]);
  });

  test('nothing at a corner, along less than two meters, or from more than a meter away', () => {
    expect(between(box(0, 0, 100, 100), box(100, 100, 100, 100))).toEqual([]);
    expect(between(box(0, 0, 100, 100), box(100, 98.5, 100, 100))).toEqual([]);
    expect(between(box(0, 0, 100, 100), box(100, 97, 100, 100))).toEqual([[0, 1, 3, 0]]);
    expect(between(box(0, 0, 100, 100), box(100.9, 0, 50, 100))).toEqual([[0, 1, 100, 0]]);
    expect(between(box(0, 0, 100, 100), box(101.1, 0, 50, 100))).toEqual([[0, 1, 0, 100]]);
  });

  test('the side of an island, and the side of a lot that lies on another', () => {
    const [outer, hole] = [box(0, 0, 100, 100), box(40, 40, 20, 20)].map(([rings]) => rings?.[0] as Float64Array);
    expect(between([[outer, hole] as Float64Array[]], box(40, 40, 20, 20))).toEqual([[0, 1, 80, 0]]);
    expect(between(box(0, 0, 100, 100), box(60, 20, 40, 20))).toEqual([[0, 1, 20, 0]]);
  });
});

describe('across the road', () => {
  test('lots face each other within 25 m, along what they both have', () => {
    expect(between(box(0, 0, 100, 50), box(20, 65, 50, 50))).toEqual([[0, 1, 0, 50]]);
    expect(between(box(0, 0, 100, 50), box(20, 74, 50, 50))).toEqual([[0, 1, 0, 50]]);
    expect(between(box(0, 0, 100, 50), box(20, 76, 50, 50))).toEqual([]);
  });

  test('not through what is parcelled between, whose other side is another matter', () => {
    const found = between(box(0, 0, 100, 50), box(0, 50, 100, 15), box(0, 65, 100, 50));
    expect(found).toEqual([
      [0, 1, 100, 0],
      [1, 2, 100, 0],
    ]);
    expect(between(box(0, 0, 100, 50), box(0, 55, 60, 5), box(0, 65, 100, 50))).toEqual([
      [0, 1, 0, 60],
      [0, 2, 0, 40],
      [1, 2, 0, 60],
    ]);
  });

  test('not through the lot itself: a narrow one between two roads faces each of them once', () => {
    expect(between(box(0, 0, 100, 10), box(0, 20, 100, 50), box(0, -60, 100, 50))).toEqual([
      [0, 1, 0, 100],
      [0, 2, 0, 100],
    ]);
  });
});

describe('over a road that is a parcel', () => {
  const over = (road: MultiPolygon, ...lots: MultiPolygon[]) =>
    sharedEdges([road, ...lots], { roads: new Set([0]) })
      .sort(byPair)
      .map(rounded);

  test('lots that abut the road face each other, with equal ends or drawn apart', () => {
    const equal = over(box(0, 50, 100, 15), box(0, 0, 100, 50), box(0, 65, 100, 50));
    expect(equal).toEqual([
      [0, 1, 100, 0],
      [0, 2, 100, 0],
      [1, 2, 0, 100],
    ]);
    const apart = over(box(-40, 50.4, 300, 14.2), box(0, 0, 100, 50), box(30, 65, 100, 50));
    expect(apart).toEqual([
      [0, 1, 100, 0],
      [0, 2, 100, 0],
      [1, 2, 0, 70],
    ]);
  });

  test('a lot on the way is what faces, and beside a road that is one line the other side faces', () => {
    const island = over(box(0, 50, 100, 20), box(0, 0, 100, 50), box(0, 55, 60, 5), box(0, 70, 100, 50));
    expect(island.filter(([one]) => one !== 0)).toEqual([
      [1, 2, 0, 60],
      [1, 3, 0, 40],
      [2, 3, 0, 60],
    ]);
    expect(over(box(0, 56, 100, 3), box(0, 0, 100, 50), box(0, 65, 100, 50))).toEqual([[1, 2, 0, 100]]);
  });

  test('not farther than a road is wide, and a road faces nothing', () => {
    const wide = over(box(0, 50, 100, 30), box(0, 0, 100, 50), box(0, 80, 100, 50));
    expect(wide.filter(([one]) => one !== 0)).toEqual([]);
    expect(over(box(0, 60, 100, 15), box(0, 0, 100, 50))).toEqual([]);
  });

  test('one lot has the pairs that all have', () => {
    const shapes = [box(0, 50, 100, 15), box(0, 0, 50, 50), box(50, 0, 50, 50), box(0, 65, 100, 50)];
    const roads = new Set([0]);
    for (const subject of shapes.keys()) {
      const all = sharedEdges(shapes, { roads }).filter(({ one, other }) => one === subject || other === subject);
      expect(sharedEdges(shapes, { subject, roads }).sort(byPair)).toEqual(all.sort(byPair));
    }
  });
});

/** `side` by `side` lots of 30 by 40 m, in blocks of eight by two between roads of 15 m, with corners off by up to `noise`. */
function lattice(side: number, noise: number): MultiPolygon[] {
  const random = createRandom(33);
  const off = () => noise * (random.next() - 0.5);
  return Array.from({ length: side * side }, (_, at) => {
    const [column, row] = [at % side, Math.floor(at / side)];
    const [x, y] = [column * 30 + Math.floor(column / 8) * 15, row * 40 + Math.floor(row / 2) * 15];
    const corners: Corners = [
      [0, 0],
      [30, 0],
      [30, 40],
      [0, 40],
    ];
    return lot(...corners.map(([dx, dy]): [number, number] => [x + dx + off(), y + dy + off()]));
  });
}

test.each([0, 0.3])('a lattice with noise of %f m has every side, every road, and not one corner', (noise) => {
  const side = 16;
  const found = sharedEdges(lattice(side, noise));
  const kinds = found.map(({ one, other, sharedMeters, acrossMeters }) => {
    const [dx, dy] = [Math.abs((other % side) - (one % side)), Math.floor(other / side) - Math.floor(one / side)];
    return `${dx === 1 && dy === 0 ? 'beside' : dx === 0 && dy === 1 ? 'behind' : 'other'} ${sharedMeters > 0 ? 'shared' : acrossMeters > 0 ? 'across' : 'none'}`;
  });
  const counts = Object.fromEntries([...Map.groupBy(kinds, (kind) => kind)].map(([kind, all]) => [kind, all.length]));
  // 16 columns: 14 sides within the two blocks and one road between them, on each of 16 rows; 8 pairs of rows, 7 roads.
  expect(counts).toEqual({
    'beside shared': 14 * 16,
    'beside across': 16,
    'behind shared': 8 * 16,
    'behind across': 7 * 16,
  });
  for (const { sharedMeters } of found)
    if (sharedMeters > 0) expect([30, 40]).toContain(10 * Math.round(sharedMeters / 10));
});

test('the neighbors of one lot, found among those around it, are those found among all', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), fc.constantFrom(0, 0.3, 2), (subject, noise) => {
      const shapes = lattice(10, noise);
      const all = sharedEdges(shapes).filter(({ one, other }) => one === subject || other === subject);
      expect(sharedEdges(shapes, { subject }).sort(byPair)).toEqual(all.sort(byPair));
    }),
    { numRuns: 30 },
  );
});
