/** Lines of one name, joined where they touch. */
import { expect, test } from 'vitest';
import { heightOf, routeNumber, shieldOf } from '../../engine/tiles/feature-words.ts';
import { joined } from '../../engine/tiles/named-lines.ts';

const line = (...numbers: number[]) => Int32Array.from(numbers);
const plain = (lines: readonly Int32Array[]) => lines.map((one) => [...one]);

test('pieces that touch become one line, whichever way they run', () => {
  expect(plain(joined([line(0, 0, 10, 0), line(20, 0, 10, 0), line(20, 0, 30, 5, 40, 5)]))).toEqual([
    [0, 0, 10, 0, 20, 0, 30, 5, 40, 5],
  ]);
  expect(plain(joined([line(0, 0, 10, 0), line(50, 0, 60, 0)]))).toEqual([
    [0, 0, 10, 0],
    [50, 0, 60, 0],
  ]);
});

test('a ring is one line, and where three ends meet the straightest two go on', () => {
  expect(plain(joined([line(0, 0, 10, 0), line(10, 0, 10, 10), line(10, 10, 0, 0)]))).toEqual([
    [0, 0, 10, 0, 10, 10, 0, 0],
  ]);
  // A branch to the south between two pieces to the east.
  expect(plain(joined([line(0, 0, 10, 0), line(10, 0, 10, 10), line(10, 0, 20, 1)]))).toEqual([
    [0, 0, 10, 0, 20, 1],
    [10, 0, 10, 10],
  ]);
});

test('every piece is part of exactly one line, for random nets', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let net = 0; net < 200; net++) {
    const lines = Array.from({ length: 1 + random(12) }, () => line(random(3), random(3), 5 + random(3), random(3)));
    const steps = (all: readonly Int32Array[]) =>
      all
        .flatMap((one) =>
          Array.from({ length: one.length / 2 - 1 }, (_, at) => {
            const [a, b] = [one.slice(2 * at, 2 * at + 2), one.slice(2 * at + 2, 2 * at + 4)].map(String);
            return [a, b].toSorted().join(' – ');
          }),
        )
        .toSorted();
    expect(steps(joined(lines))).toEqual(steps(lines));
  }
});

test('a route has its number on a shield, a street with a number has none', () => {
  const routes = ['State Rte 118', 'US Hwy 2', 'I- 93', 'NH 11', 'State Route 10A', 'Route 12'];
  expect(routes.map(routeNumber)).toEqual(['118', '2', '93', '11', '10A', '12']);
  expect(['Mill Rd', '5th Street', 'Old Route 12 Spur', 'County Rd'].map(routeNumber)).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(shieldOf('Main Street', '{"ref":"US 2;NH 11"}')).toBe('2');
  expect(shieldOf('State Rte 118', null)).toBe('118');
  expect(shieldOf(null, 'no JSON')).toBeNull();
});

test('the height of a summit is in feet, from feet or meters', () => {
  expect(heightOf('{"ele":"304.8"}')).toBe(1000);
  expect(heightOf('{"ELEV_IN_FT":1093}')).toBe(1093);
  expect(heightOf('{"ele":""}')).toBeNull();
  expect(heightOf(null)).toBeNull();
});
