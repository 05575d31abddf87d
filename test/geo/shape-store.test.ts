/** Shapes kept in long arrays come back as they were. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShapeStore } from '../../engine/geo/shape-store.ts';

const ring = fc.array(fc.double(), { maxLength: 12 }).map((numbers) => Float64Array.from(numbers));
const shape = fc.array(fc.array(ring, { maxLength: 3 }), { maxLength: 3 });

test('any shapes, those without a polygon too, and one that is larger than an array', () => {
  const large = [[new Float64Array(600_000).fill(7)]];
  fc.assert(
    fc.property(fc.array(shape, { maxLength: 20 }), (given) => {
      const store = new ShapeStore();
      const all = [...given, large, ...given];
      const kept = all.map((one) => store.keep(one));
      expect(kept.map(({ polygons }) => polygons)).toEqual(all);
      expect(kept.map(({ isEmpty }) => isEmpty)).toEqual(all.map((one) => one.length === 0));
    }),
    { numRuns: 20 },
  );
});
