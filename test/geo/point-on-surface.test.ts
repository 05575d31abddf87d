import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateInPolygon } from '../../engine/geo/orientation.ts';
import { pointOnSurface } from '../../engine/geo/point-on-surface.ts';
import { box, readRealParcels, realParcelsExist, ring, seededRandom, star } from './shapes.ts';

describe('the point on a surface', () => {
  it('is the middle of the widest stretch half way up', () => {
    // Rectangle 0..10 by 0..4: no vertex between 0 and 4, the line is at 2, its stretch 0..10
    expect(pointOnSurface([[box(0, 0, 10, 4)]])).toEqual([5, 2]);
    // With a hole 1..4 by 1..3 the line at (1 + 3) / 2 = 2 has stretches 0..1 and 4..10, the wider's middle is 7
    expect(pointOnSurface([[box(0, 0, 10, 4), box(1, 1, 4, 3)]])).toEqual([7, 2]);
  });

  it('is on the horseshoe, not in its bay', () => {
    // Open to the north; half way up is 5, the next vertices at 2 and 10: the line at 6 crosses the legs 0..2 and 8..11
    const horseshoe = ring([0, 0], [11, 0], [11, 10], [8, 10], [8, 2], [2, 2], [2, 10], [0, 10], [0, 0]);
    expect(pointOnSurface([[horseshoe]])).toEqual([9.5, 6]);
  });

  it('is on the largest part, holes taken off', () => {
    const small = [box(20, 0, 22, 2)];
    const large = [box(0, 0, 4, 4)];
    const largeButHollow = [box(30, 0, 40, 10), box(30.01, 0.01, 39.99, 9.99)];
    expect(pointOnSurface([small, largeButHollow, large])).toEqual([2, 2]);
  });

  it('does not fall on a vertex half way up', () => {
    const [x, y] = pointOnSurface([[ring([0, 0], [5, 5], [0, 10], [-5, 5], [0, 0])]]);
    expect(locateInPolygon([ring([0, 0], [5, 5], [0, 10], [-5, 5], [0, 0])], x, y)).toBe('inside');
  });

  it('is strictly inside random polygons, slivers and holes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 3, max: 40 }), fc.integer({ min: -9, max: 0 }), (seed, count, power) => {
        const exterior = star(seededRandom(seed), -100, 45, 10 ** power, count);
        // a hole that scales the exterior towards its centre stays within it: the exterior is star-shaped
        const hole = exterior.map((value, index) =>
          index % 2 === 0 ? -100 + (value + 100) / 2 : 45 + (value - 45) / 2,
        );
        for (const polygon of [[exterior], [exterior, hole]]) {
          expect(locateInPolygon(polygon, ...pointOnSurface([polygon]))).toBe('inside');
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('is somewhere on a polygon without an inside', () => {
    expect(pointOnSurface([[ring([0, 0], [4, 2], [0, 0], [0, 0])]])).toEqual([2, 1]);
    expect(pointOnSurface([[ring([3, 3], [3, 3], [3, 3], [3, 3])]])).toEqual([3, 3]);
    expect(pointOnSurface([[ring([0, 5], [6, 5], [2, 5], [0, 5])]])).toEqual([3, 5]);
  });

  it('does not exist without a polygon', () => {
    expect(() => pointOnSurface([])).toThrow('Expected at least one polygon, found none.');
  });

  const canReadParcels = realParcelsExist();
  if (!canReadParcels) console.warn('SKIPPED: points on real parcels: ../shared/data is absent');
  it.runIf(canReadParcels)('is strictly inside every real parcel', () => {
    for (const place of ['washington_nh', 'three_forks_mt', 'williamsburg_va'] as const) {
      for (const polygons of readRealParcels(place)) {
        const [x, y] = pointOnSurface(polygons);
        expect(polygons.some((polygon) => locateInPolygon(polygon, x, y) === 'inside')).toBe(true);
      }
    }
  });
});
