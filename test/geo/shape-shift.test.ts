/** Shapes as publishers rewrite them, and shapes that were really moved. */
import { expect, test } from 'vitest';
import type { MultiPolygon, Ring } from '../../engine/geo/geometry.ts';
import { hasMovedAtMost, overlapOf } from '../../engine/geo/shape-shift.ts';
import { ring } from './shapes.ts';

/** About 81 m by 111 m. */
const lotAt = (x: number, y: number): MultiPolygon => [
  [ring([x, y], [x + 0.001, y], [x + 0.001, y + 0.001], [x, y + 0.001], [x, y])],
];
const lot = lotAt(-72, 43);
/** Degrees of latitude. */
const meters = (count: number): number => count / 111_100;

test('a shape that was shifted by centimetres, or got a corner amid a side, has not moved a decimetre', () => {
  expect(hasMovedAtMost(lot, lotAt(-72, 43 + meters(0.08)), 0.1)).toBe(true);
  expect(hasMovedAtMost(lot, lotAt(-72, 43 + meters(0.12)), 0.1)).toBe(false);
  const refined: MultiPolygon = [
    [ring([-71.999, 43], [-71.999, 43.001], [-72, 43.001], [-72, 43], [-71.9996, 43], [-71.999, 43])],
  ];
  expect(hasMovedAtMost(lot, refined, 0.01)).toBe(true);
  expect(hasMovedAtMost(refined, lot, 0.01)).toBe(true);
});

test('a corner that was cut off, a hole and another way through the same corners are moves', () => {
  const cut: MultiPolygon = [[ring([-72, 43], [-71.999, 43], [-71.999, 43.001], [-72, 43])]];
  expect(hasMovedAtMost(lot, cut, 1)).toBe(false);
  const [outer] = lot[0] as [Ring];
  const hole = ring([-71.9996, 43.0004], [-71.9994, 43.0004], [-71.9994, 43.0006], [-71.9996, 43.0004]);
  expect(hasMovedAtMost(lot, [[outer, hole]], 1)).toBe(false);
  const crossed: MultiPolygon = [[ring([-72, 43], [-71.999, 43.001], [-71.999, 43], [-72, 43.001], [-72, 43])]];
  expect(hasMovedAtMost(lot, crossed, 1)).toBe(false);
  expect(hasMovedAtMost([], lot, 1)).toBe(false);
});

test('the overlap is the share of the larger shape that both have', () => {
  expect(overlapOf(lot, lotAt(-72.0005, 43))).toBeCloseTo(0.5, 3);
  expect(overlapOf(lot, lot)).toBeCloseTo(1, 9);
  const half: MultiPolygon = [[ring([-72, 43], [-71.999, 43], [-71.999, 43.0005], [-72, 43.0005], [-72, 43])]];
  expect(overlapOf(half, lot)).toBeCloseTo(0.5, 3);
  expect(overlapOf(lot, lotAt(-71.9, 43))).toBe(0);
});
