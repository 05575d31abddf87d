import { area, booleanPointInPolygon, kinks, point, polygon } from '@turf/turf';
import { describe, expect, test } from 'vitest';
import { aliquotShape } from '../../engine/geo/aliquot-shape.ts';
import type { PolygonRings, Ring } from '../../engine/geo/geometry.ts';
import type { AliquotPart, AliquotStep } from '../../engine/spec/plss/aliquot.ts';
import { positionsOf, ring, seededRandom } from './shapes.ts';

const shapeOf = (section: PolygonRings, ...part: AliquotPart): Ring => {
  const shape = aliquotShape(section, part);
  if (!shape?.[0]) throw new Error('no shape');
  return shape[0];
};
const squareMeters = (outline: Ring): number => area(polygon([positionsOf(outline).map(([x, y]) => [x, y])]));
/** By the shoelace formula, where straight lines are straight. */
const squareDegrees = (outline: Ring): number => {
  const points = positionsOf(outline).map(([x, y]) => [x + 111.5, y - 45.9] as const);
  const terms = points.slice(1).map(([x, y], at) => (points[at]?.[0] ?? 0) * y - x * (points[at]?.[1] ?? 0));
  return terms.reduce((sum, term) => sum + term, 0) / 2;
};
/** Edges of turf are not straight in degrees: a corner more on a line changes its areas by this share at most. */
const turfDetours = 5e-6;
const rounded = (outline: Ring) => [...outline].map((degree) => Math.round(degree * 1e9) / 1e9);

/** A square in degrees: its parts have round corners. */
const square = [ring([-100, 40], [-99.9, 40], [-99.9, 40.08], [-100, 40.08], [-100, 40])];
const quarters: readonly AliquotStep[] = ['NE', 'NW', 'SE', 'SW'];

/** A section as surveyed: corners off by some meters, quarter corners on bent sides. */
function surveyed(seed: number): PolygonRings {
  const random = seededRandom(seed);
  const off = () => (random() - 0.5) * 0.0012;
  const [x, y, size] = [-111.5 + off(), 45.9 + off(), 0.02];
  const at = (east: number, north: number): [number, number] => [
    x + east * size + off(),
    y + north * size * 0.72 + off(),
  ];
  const corners = [at(0, 0), at(0.5, 0), at(1, 0), at(1, 0.5), at(1, 1), at(0.5, 1), at(0, 1), at(0, 0.4)];
  const from = Math.floor(random() * corners.length);
  const turned = [...corners.slice(from), ...corners.slice(0, from)];
  const path = random() < 0.5 ? turned : turned.toReversed();
  return [ring(...path, path[0] as [number, number])];
}

describe('the shape of an aliquot part', () => {
  test('has the corners that halving by hand gives', () => {
    expect(rounded(shapeOf(square, 'NE'))).toEqual([
      -99.95, 40.04, -99.9, 40.04, -99.9, 40.08, -99.95, 40.08, -99.95, 40.04,
    ]);
    expect(rounded(shapeOf(square, 'SW', 'NE'))).toEqual([
      ...[-99.975, 40.02, -99.95, 40.02, -99.95, 40.04, -99.975, 40.04, -99.975, 40.02],
    ]);
    expect(rounded(shapeOf(square, 'W', 'S'))).toEqual([-100, 40, -99.95, 40, -99.95, 40.04, -100, 40.04, -100, 40]);
    expect(rounded(shapeOf(square))).toEqual(rounded(square[0] as Ring));
  });

  test('sums up: halves and quarters fill what they divide, by the areas of turf', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const section = surveyed(seed);
      for (const part of [[], ['NE'], ['SW', 'SE'], ['E'], ['N', 'NW']] as AliquotPart[]) {
        const sum = (measure: typeof squareMeters, steps: readonly AliquotStep[]) =>
          steps.reduce((total, step) => total + measure(shapeOf(section, ...part, step)), 0) /
          measure(shapeOf(section, ...part));
        for (const steps of [['N', 'S'], ['E', 'W'], quarters] as AliquotStep[][]) {
          expect(Math.abs(sum(squareDegrees, steps) - 1)).toBeLessThan(1e-9);
          expect(Math.abs(sum(squareMeters, steps) - 1)).toBeLessThan(turfDetours);
        }
      }
      expect(Math.abs(squareMeters(shapeOf(section)) / squareMeters(section[0] as Ring) - 1)).toBeLessThan(1e-9);
    }
  });

  test('makes a half out of its two quarters, for quarters of quarters too', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const section = surveyed(seed);
      const both = (within: AliquotPart, a: AliquotStep, b: AliquotStep) =>
        squareMeters(shapeOf(section, ...within, a)) + squareMeters(shapeOf(section, ...within, b));
      for (const within of [[], ['NW']] as AliquotPart[]) {
        expect(both(within, 'NE', 'NW') / squareMeters(shapeOf(section, ...within, 'N'))).toBeCloseTo(1, 5);
        expect(both(within, 'NE', 'SE') / squareMeters(shapeOf(section, ...within, 'E'))).toBeCloseTo(1, 5);
      }
    }
  });

  test('crosses itself nowhere, and lies on its side of the section', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const section = surveyed(seed);
      const outline = positionsOf(shapeOf(section, 'NE', 'NE')).map(([x, y]) => [x, y]);
      const drawn = polygon([outline]);
      expect(kinks(drawn).features).toEqual([]);
      const all = positionsOf(section[0] as Ring);
      const [east, north] = [Math.max(...all.map(([x]) => x)), Math.max(...all.map(([, y]) => y))];
      expect(booleanPointInPolygon(point([east - 0.003, north - 0.0025]), drawn)).toBe(true);
    }
  });

  test('is none without four corners', () => {
    expect(aliquotShape([ring([0, 0], [1, 0], [0.5, 1], [0, 0])], ['NE'])).toBeNull();
    const cross = ring(
      [1, 0],
      [2, 0],
      [2, 1],
      [3, 1],
      [3, 2],
      [2, 2],
      [2, 3],
      [1, 3],
      [1, 2],
      [0, 2],
      [0, 1],
      [1, 1],
      [1, 0],
    );
    expect(aliquotShape([cross], ['NE'])).toBeNull();
  });
});
