import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MultiPolygon, Ring } from '../../engine/geo/geometry.ts';
import { geometryHash } from '../../engine/geo/geometry-hash.ts';
import {
  box,
  type Position,
  positionsOf,
  readRealParcels,
  realParcelsExist,
  reversed,
  ring,
  seededRandom,
  star,
} from './shapes.ts';

function startingAt(path: Ring, shift: number): Ring {
  const open = positionsOf(path).slice(1);
  const turned = [...open.slice(shift % open.length), ...open.slice(0, shift % open.length)];
  return ring(...turned, turned[0] as Position);
}

const someRing = fc
  .record({ seed: fc.nat(), vertexCount: fc.integer({ min: 3, max: 12 }) })
  .map(({ seed, vertexCount }) => star(seededRandom(seed), -100, 45, 0.01, vertexCount));
const somePolygons = fc.array(fc.array(someRing, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });

describe('the hash of a geometry', () => {
  it('does not see where a ring starts, which way it runs or how rings and polygons are ordered', () => {
    fc.assert(
      fc.property(somePolygons, fc.nat(20), fc.boolean(), (polygons, shift, isReversed) => {
        const rewritten = polygons
          .map(([exterior, ...holes]) => [exterior as Ring, ...holes.reverse()])
          .reverse()
          .map((rings) => rings.map((path) => startingAt(isReversed ? reversed(path) : path, shift)));
        expect(geometryHash(rewritten)).toBe(geometryHash(polygons));
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it('is a whole number of at most 48 bits', () => {
    fc.assert(
      fc.property(somePolygons, (polygons) => {
        const hash = geometryHash(polygons);
        expect(Number.isSafeInteger(hash) && hash >= 0 && hash < 2 ** 48).toBe(true);
      }),
      { seed: 5, numRuns: 500 },
    );
  });

  it('does not see less than half of 1e-7 degrees, and sees 1e-7 in any one coordinate', () => {
    const path = ring([-72.1, 43.2], [-72.0999, 43.2], [-72.1, 43.2001], [-72.1, 43.2]);
    const hash = geometryHash([[path]]);
    for (let index = 0; index < 6; index++) {
      const moved = (by: number): Ring => {
        const copy = path.slice();
        copy[index] = (copy[index] as number) + by;
        if (index < 2) copy[index + 6] = copy[index] as number;
        return copy;
      };
      expect(geometryHash([[moved(4e-8)]])).toBe(hash);
      expect(geometryHash([[moved(-4e-8)]])).toBe(hash);
      expect(geometryHash([[moved(1e-7)]])).not.toBe(hash);
    }
  });

  it('does not see duplicate vertices', () => {
    const once = ring([0, 0], [4, 0], [0, 4], [0, 0]);
    const twice = ring([0, 0], [4, 0], [4, 0], [4 + 1e-9, 0], [0, 4], [0, 0], [0, 0]);
    expect(geometryHash([[twice]])).toBe(geometryHash([[once]]));
  });

  it('tells a hole from a part, and which polygon a hole is in', () => {
    const [a, b, hole] = [box(0, 0, 4, 4), box(10, 0, 14, 4), box(1, 1, 2, 2)];
    const shapes: MultiPolygon[] = [
      [[a]],
      [[a, hole]],
      [[a], [hole]],
      [[hole, a]],
      [[a, hole], [b]],
      [[a], [b, hole]],
      [[a], [a]],
    ];
    expect(new Set(shapes.map(geometryHash)).size).toBe(shapes.length);
  });

  it('tells rings with the same corners in another order apart', () => {
    const square = ring([0, 0], [4, 0], [4, 4], [0, 4], [0, 0]);
    const crossed = ring([0, 0], [4, 4], [4, 0], [0, 4], [0, 0]);
    expect(geometryHash([[square]])).not.toBe(geometryHash([[crossed]]));
  });

  it('never changes, because it is stored', () => {
    expect(geometryHash([[box(-72.1, 43.1, -72, 43.2)]])).toBe(225_467_070_566_122);
  });

  it('rarely collides: 60,000 small squares on a lattice, no two alike', () => {
    // 2⁻⁴⁸ · 60,000² / 2 = 6e-6 collisions expected of a perfect hash
    const hashes = new Set<number>();
    for (let x = 0; x < 300; x++) {
      for (let y = 0; y < 200; y++) {
        hashes.add(geometryHash([[box(x * 1e-5, y * 1e-5, (x + 1) * 1e-5, (y + 1) * 1e-5)]]));
      }
    }
    expect(hashes.size).toBe(60_000);
  });

  const canReadParcels = realParcelsExist();
  if (!canReadParcels) console.warn('SKIPPED: hashes of real parcels: ../shared/data is absent');
  it.runIf(canReadParcels)('differs between real parcels unless their coordinates are the same', () => {
    const parcels = readRealParcels('washington_nh').concat(readRealParcels('three_forks_mt'));
    const texts = new Set(
      parcels.map((polygons) => JSON.stringify(polygons.map((rings) => rings.map((path) => [...path])))),
    );
    expect(new Set(parcels.map(geometryHash)).size).toBe(texts.size);
  });
});
