/** Holdings by topology against exact unions by polyclip-ts, on lots cut at random out of one block. */
import fc from 'fast-check';
import * as polyclip from 'polyclip-ts';
import { describe, expect, test } from 'vitest';
import { dissolve } from '../../engine/geo/dissolve.ts';
import type { MultiPolygon, Ring } from '../../engine/geo/geometry.ts';
import { poleOf } from '../../engine/geo/pole.ts';

/** About a metre, at the equator. */
const meter = 1 / 111_320;

type Pairs = [number, number][];
const ringOf = (pairs: Pairs): Ring => Float64Array.from([...pairs, pairs[0] as [number, number]].flat());
const pairsOf = (ring: Ring): Pairs =>
  Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at] as number, ring[2 * at + 1] as number]);
const box = (x: number, y: number, width: number, height: number): MultiPolygon => [
  [
    ringOf(
      (
        [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ] as Pairs
      ).map(([a, b]) => [a * meter, b * meter]),
    ),
  ],
];

const clipOf = (polygons: MultiPolygon): polyclip.Geom => polygons.map((rings) => rings.map(pairsOf)) as polyclip.Geom;
const areaOf = (polygons: MultiPolygon): number =>
  polygons.reduce(
    (sum, rings) => sum + rings.reduce((part, ring, at) => part + (at === 0 ? 1 : -1) * ringArea(pairsOf(ring)), 0),
    0,
  );
function ringArea(pairs: Pairs): number {
  let twice = 0;
  for (let at = 0; at + 1 < pairs.length; at++) {
    const [[ax, ay], [bx, by]] = [pairs[at] as [number, number], pairs[at + 1] as [number, number]];
    twice += ax * by - bx * ay;
  }
  return Math.abs(twice / 2) / meter ** 2;
}
const clipArea = (geometry: polyclip.Geom): number =>
  areaOf((geometry as Pairs[][]).map((rings) => rings.map((pairs) => Float64Array.from(pairs.flat()))));

describe('dissolve', () => {
  test('two lots with a common side become one, and the side a line within', () => {
    const [one, ...others] = dissolve([box(0, 0, 100, 100), box(100, 0, 100, 100)]);
    expect(others).toEqual([]);
    expect(one?.members).toEqual([0, 1]);
    expect(one?.inner).toHaveLength(4);
    expect(areaOf(one?.polygons ?? [])).toBeCloseTo(20_000, 0);
  });

  test('lots across a road, at a corner, or along two metres stay apart', () => {
    expect(dissolve([box(0, 0, 100, 100), box(110, 0, 100, 100)])).toHaveLength(2);
    expect(dissolve([box(0, 0, 100, 100), box(100, 100, 100, 100)])).toHaveLength(2);
    expect(dissolve([box(0, 0, 100, 100), box(100, 98, 100, 100)])).toHaveLength(2);
    expect(dissolve([box(0, 0, 100, 100), box(100, 96, 100, 100)])).toHaveLength(1);
  });

  test('a corner in the middle of the neighbor’s side, and a slip of 30 cm, do not part them', () => {
    const [one, ...others] = dissolve([box(0, 0, 100, 200), box(100.3, 50, 80, 80)]);
    expect(others).toEqual([]);
    expect(one?.isDissolved).toBe(true);
    expect(one?.polygons).toHaveLength(1);
  });

  test('the neighbor’s lot in the middle stays a hole, a gap of a few square metres does not', () => {
    const around = (x: number, y: number, side: number) => [
      box(0, 0, 300, y),
      box(0, y, x, side),
      box(x + side, y, 300 - x - side, side),
      box(0, y + side, 300, 300 - y - side),
    ];
    expect(dissolve(around(100, 100, 50))[0]?.polygons[0]).toHaveLength(2);
    expect(dissolve(around(100, 100, 4))[0]?.polygons[0]).toHaveLength(1);
  });

  test('units on one ground count once', () => {
    const [one] = dissolve([box(0, 0, 50, 50), box(0, 0, 50, 50), box(50, 0, 50, 50)]);
    expect(one?.members).toEqual([0, 1, 2]);
    expect(areaOf(one?.polygons ?? [])).toBeCloseTo(5000, 0);
  });

  test('lots whose union would lose area are drawn as they are', () => {
    // The second lies within the first and runs the other way along the common side.
    const [one] = dissolve([box(0, 0, 100, 100), box(100, 0, 100, 100), box(60, 20, 40, 60)]);
    expect(one?.members).toEqual([0, 1, 2]);
    expect(areaOf(one?.polygons ?? [])).toBeGreaterThanOrEqual(20_000 - 150);
  });

  /** A block of cells with wandering corners; each cell belongs to one of two owners. */
  const blocks = fc.record({
    columns: fc.integer({ min: 2, max: 6 }),
    rows: fc.integer({ min: 2, max: 6 }),
    slips: fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 98, maxLength: 98 }),
    owners: fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }),
  });

  type Block = typeof blocks extends fc.Arbitrary<infer Value> ? Value : never;
  function lotsOf({ columns, rows, slips, owners }: Block): MultiPolygon[] {
    const corner = (column: number, row: number): [number, number] => {
      const at = (row * 7 + column) * 2;
      return [(column * 100 + (slips[at] as number)) * meter, (row * 100 + (slips[at + 1] as number)) * meter];
    };
    const cells = Array.from({ length: rows * columns }, (_, at) => [at % columns, Math.floor(at / columns)] as const);
    return cells
      .filter(([column, row]) => owners[row * 6 + column])
      .map(([column, row]) => {
        const pairs = (
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ] as const
        ).map(([c, r]) => corner(column + c, row + r));
        return [[ringOf((row + column) % 2 === 0 ? pairs : pairs.toReversed())]];
      });
  }

  test('the union is the exact union of random blocks, each member in one group', () => {
    fc.assert(
      fc.property(blocks, (block) => {
        const lots = lotsOf(block);
        if (lots.length === 0) return;
        const groups = dissolve(lots);
        expect(groups.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual(lots.map((_, at) => at));
        for (const { members, polygons, isDissolved } of groups) {
          expect(isDissolved).toBe(true);
          const [first, ...more] = members.map((at) => clipOf(lots[at] as MultiPolygon));
          const exact = polyclip.union(first as polyclip.Geom, ...more);
          expect(polygons).toHaveLength(exact.length);
          const odd = polyclip.xor(clipOf(polygons), exact);
          expect(odd.length === 0 ? 0 : clipArea(odd)).toBeLessThan(1);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test('the pole lies inside, and no vertex of a fine grid is farther from the edges', () => {
  const random = fc.array(fc.double({ min: 0.2, max: 1, noNaN: true }), { minLength: 3, maxLength: 14 });
  fc.assert(
    fc.property(random, (radii) => {
      const pairs = radii.map((radius, at): [number, number] => {
        const angle = (2 * Math.PI * at) / radii.length;
        return [radius * 100 * Math.cos(angle), radius * 100 * Math.sin(angle)];
      });
      const ring = ringOf(pairs);
      const pole = poleOf([ring], 0.1);
      const distance = (x: number, y: number): number => {
        const closed = pairsOf(ring);
        const edges = closed.slice(1).map((end, at) => [closed[at] as [number, number], end] as const);
        const isInside =
          edges.filter(([[ax, ay], [bx, by]]) => ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax))
            .length % 2;
        const least = Math.min(
          ...edges.map(([[ax, ay], [bx, by]]) => {
            const t = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
            const held = Math.max(0, Math.min(1, t));
            return Math.hypot(x - ax - held * (bx - ax), y - ay - held * (by - ay));
          }),
        );
        return isInside ? least : -least;
      };
      expect(distance(pole.x, pole.y)).toBeCloseTo(pole.radius, 6);
      for (let x = -100; x <= 100; x += 10) {
        for (let y = -100; y <= 100; y += 10) expect(distance(x, y)).toBeLessThanOrEqual(pole.radius + 0.1001);
      }
    }),
    { numRuns: 40 },
  );
});
