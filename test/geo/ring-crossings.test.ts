import { expect, test } from 'vitest';
import { findSelfCrossing } from '../../engine/geo/ring-crossings.ts';

const shape = (...points: [number, number][]) => [[Float64Array.from(points.flat())]];

test.each<[string, [number, number][]]>([
  [
    'a bow tie',
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ],
  ],
  [
    'a corner on another edge',
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [1, 0],
      [0, 2],
      [0, 0],
    ],
  ],
  [
    'a spike',
    [
      [0, 0],
      [2, 0],
      [3, 0],
      [2, 0],
      [2, 2],
      [0, 0],
    ],
  ],
  [
    'a spike at the first corner',
    [
      [-1, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
      [-1, 0],
    ],
  ],
  [
    'a figure of eight that meets in one corner',
    [
      [0, 0],
      [1, 1],
      [2, 0],
      [2, 2],
      [1, 1],
      [0, 2],
      [0, 0],
    ],
  ],
])('%s touches itself', (_, points) => {
  expect(findSelfCrossing(shape(...points))).toMatch(/^A ring crosses or touches itself near -?\d/);
});

test('simple rings do not, whatever repeats and bends in them', () => {
  expect(findSelfCrossing(shape([0, 0], [0, 0], [2, 0], [2, 2], [2, 2], [0, 0]))).toBeNull();
  expect(findSelfCrossing(shape([0, 0], [1, 0], [2, 0], [2, 2], [1, 0.5], [0, 2], [0, 0]))).toBeNull();
});

/** A circle of `count` corners; two of them changed places makes it cross itself. */
function circle(count: number, swapped = -1): Float64Array {
  const order = Array.from({ length: count }, (_, index) => index);
  if (swapped >= 0) [order[swapped], order[swapped + 1]] = [swapped + 1, swapped];
  const angles = [...order, order[0] ?? 0].map((index) => (index / count) * 2 * Math.PI);
  return Float64Array.from(angles.flatMap((angle) => [Math.cos(angle), Math.sin(angle)]));
}

test('large rings are swept and give the same answers as pairs do in small ones', () => {
  for (const count of [12, 39, 40, 41, 42, 500, 20_000]) {
    expect(findSelfCrossing([[circle(count)]])).toBeNull();
    for (const swapped of [0, 1, count >> 1, count - 2]) {
      expect(findSelfCrossing([[circle(count, swapped)]])).not.toBeNull();
    }
  }
});

test('a hole that crosses itself is found too', () => {
  const [hole = new Float64Array()] = shape([0, 0], [0.1, 0.1], [0.1, 0], [0, 0.1], [0, 0])[0] ?? [];
  expect(findSelfCrossing([[circle(12), hole]])).not.toBeNull();
});
