/** Finding boxes near a box, against a look at each of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundsIndex } from '../../engine/geo/bounds-index.ts';
import { type Bounds, boundsOverlap } from '../../engine/geo/geometry.ts';

const box = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }), fc.nat(9), fc.nat(9))
  .map(([minX, minY, width, height]): Bounds => ({ minX, minY, maxX: minX + width, maxY: minY + height }));

test('finds each box that meets the given one, in order, and none without a place', () => {
  fc.assert(
    fc.property(fc.array(fc.option(box)), box, (boxes, near) => {
      const found = boxes.flatMap((one, at) => (one !== null && boundsOverlap(one, near) ? [at] : []));
      expect(new BoundsIndex(boxes).near(near)).toEqual(found);
    }),
  );
});
