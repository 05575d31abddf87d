import { expect, test } from 'vitest';
import { sortedPlaces } from '../../engine/columns/sort-numbers.ts';
import { createRandom } from '../sample-maker/random.ts';

/** Many equal ones, some that only 64 bits tell apart, signs, zeros and extremes. */
function numbers(count: number, seed: number): Float64Array {
  const random = createRandom(seed);
  const kinds = [
    () => random.integer(0, 20),
    () => 1000 + random.integer(0, 5) * 1e-9,
    () => (random.next() - 0.5) * 1e6,
    () => random.next() * 1e-40,
    () => -random.next() * 1e30,
    () => 0,
  ];
  return Float64Array.from({ length: count }, () => kinds[random.integer(0, kinds.length - 1)]?.() ?? 0);
}

test.each([0, 1, 2, 3, 64, 1000, 50_000])('%d numbers are ordered as by a plain sort, both ways', (count) => {
  const values = numbers(count, count + 7);
  for (const isDescending of [false, true]) {
    const sign = isDescending ? -1 : 1;
    const expected = Uint32Array.from(values, (_, place) => place).sort(
      (a, b) => sign * ((values[a] as number) - (values[b] as number)) || a - b,
    );
    expect(sortedPlaces(values, isDescending, (a, b) => a - b)).toEqual(expected);
  }
});

test('ties are broken as the caller says', () => {
  const values = Float64Array.of(2, 1, 2, 1);
  expect([...sortedPlaces(values, false, (a, b) => b - a)]).toEqual([3, 1, 2, 0]);
});
