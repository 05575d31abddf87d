/** Isolines of grids whose lines are known, and of random grids by what must hold for any. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thinned } from '../../engine/geo/thinned.ts';
import { intervalFeet } from '../../engine/terrain/interval.ts';
import { isolines } from '../../engine/terrain/isolines.ts';

const grid = (side: number, heightAt: (column: number, row: number) => number): Float32Array =>
  Float32Array.from({ length: side * side }, (_, at) => heightAt(at % side, Math.floor(at / side)));

const pairs = (points: Float64Array): [number, number][] =>
  Array.from({ length: points.length / 2 }, (_, at) => [points[2 * at] as number, points[2 * at + 1] as number]);

describe('isolines', () => {
  test('of a plane are straight, with the higher ground to their left', () => {
    // Height rises by 2 to the east: level 7 lies at column 3.5; going south, left is east.
    const [line, ...others] = isolines(
      grid(6, (column) => 2 * column),
      6,
      [7],
    );
    expect(others).toEqual([]);
    expect(pairs(line?.points ?? new Float64Array())).toEqual([0, 1, 2, 3, 4, 5].map((row) => [3.5, row]));
    expect(line).toMatchObject({ level: 7, isRing: false });
  });

  test('of a cone are rings at its radius', () => {
    const [ring, ...others] = isolines(
      grid(41, (column, row) => 100 - 5 * Math.hypot(column - 20, row - 20)),
      41,
      [40],
    );
    expect([ring?.isRing, others]).toEqual([true, []]);
    // 40 = 100 − 5 r: r = 12. Between corners a cone is not straight: its lines are off by less than 1 ÷ 8 r.
    for (const [x, y] of pairs(ring?.points ?? new Float64Array())) {
      expect(Math.abs(Math.hypot(x - 20, y - 20) - 12)).toBeLessThan(0.02);
    }
  });

  test('end where heights are unknown', () => {
    const lines = isolines(
      grid(7, (column, row) => (column === 3 && row === 3 ? Number.NaN : row)),
      7,
      [2.5],
    );
    // The four cells around the unknown corner have no line: columns 0 to 2 and 4 to 6 are left.
    expect(lines.map(({ points }) => pairs(points).map(([x]) => x)).toSorted()).toEqual([
      [2, 1, 0],
      [6, 5, 4],
    ]);
  });

  test('cross every edge between lower and higher ground once, whatever the heights', () => {
    const side = 7;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 49, maxLength: 49 }), (numbers) => {
        const heights = Float32Array.from(numbers);
        const expected: string[] = [];
        const edge = (at: number, other: number, x: number, y: number, dx: number, dy: number): void => {
          const [a, b] = [heights[at] as number, heights[other] as number];
          if (a >= 2.5 === b >= 2.5) return;
          const share = (2.5 - a) / (b - a);
          expected.push(`${(x + share * dx).toFixed(6)} ${(y + share * dy).toFixed(6)}`);
        };
        for (let at = 0; at < side * side; at++) {
          const [x, y] = [at % side, Math.floor(at / side)];
          if (x < side - 1) edge(at, at + 1, x, y, 1, 0);
          if (y < side - 1) edge(at, at + side, x, y, 0, 1);
        }
        const found = isolines(heights, side, [2.5]).flatMap(({ points, isRing }) =>
          pairs(points)
            .slice(isRing ? 1 : 0)
            .map(([x, y]) => `${x.toFixed(6)} ${y.toFixed(6)}`),
        );
        expect(found.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });
});

describe('thinning', () => {
  test('leaves no dropped point farther away than the tolerance', () => {
    const wave = Float64Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? at : 20 * Math.sin(at / 15)));
    const left = pairs(thinned(wave, 1.6));
    expect(left.length).toBeLessThan(60);
    for (const [x, y] of pairs(wave)) {
      const after = left.findIndex(([other]) => other >= x);
      const [ax, ay] = left[Math.max(0, after - 1)] as [number, number];
      const [bx, by] = left[after] as [number, number];
      const length = Math.hypot(bx - ax, by - ay) || 1;
      expect(Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length).toBeLessThanOrEqual(1.6 + 1e-9);
    }
  });

  test('keeps the points that must stay', () => {
    const straight = Float64Array.of(0, 0, 10, 0, 20, 0, 30, 0);
    expect(pairs(thinned(straight, 1.6))).toEqual([
      [0, 0],
      [30, 0],
    ]);
    expect(pairs(thinned(straight, 1.6, (x) => x === 20))).toEqual([
      [0, 0],
      [20, 0],
      [30, 0],
    ]);
  });
});

describe('the interval of contours', () => {
  // At 44° a pixel of zoom 14 is 40,075,017 m × cos 44° ÷ (512 × 2¹⁴) = 3.44 m; 7 of them are 24.1 m.
  test.each([
    // 24.1 m × 0.05 = 1.2 m = 4.0 ft, 0.2: 15.8 ft, 0.6: 47.4 ft
    [0.05, 14, 5],
    [0.2, 14, 20],
    [0.6, 14, 50],
    // Two zooms deeper a quarter: 1.0 ft, and 3.95 ft.
    [0.05, 16, 1],
    [0.2, 16, 5],
    [30, 8, 500],
  ])('on slopes of %s at zoom %s is %s ft', (slope, zoom, feet) => {
    expect(intervalFeet(slope, 44, zoom)).toBe(feet);
  });
});
