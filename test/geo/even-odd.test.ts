/** Repair of self-crossing rings. */
import { describe, expect, test } from 'vitest';
import { evenOddPolygons } from '../../engine/geo/even-odd.ts';
import { type PolygonRings, planarRingArea } from '../../engine/geo/geometry.ts';
import { locateInPolygon } from '../../engine/geo/orientation.ts';
import { openSpatialite } from '../enrichment/spatialite.ts';
import { createRandom } from '../sample-maker/random.ts';

const ring = (...corners: [number, number][]): Float64Array =>
  Float64Array.from([...corners, corners[0] as [number, number]].flat());

const areaOf = (polygons: readonly PolygonRings[]): number =>
  polygons.flat().reduce((sum, each) => sum + planarRingArea(each), 0);

const repaired = (...rings: Float64Array[]): PolygonRings[] => evenOddPolygons(rings) ?? [];

describe('a repaired polygon', () => {
  test('of a bow tie is its two triangles', () => {
    // The diagonals of a square of 2 cross in its middle: two triangles of base 2 and height 1.
    const polygons = repaired(ring([0, 0], [2, 2], [2, 0], [0, 2]));
    expect(polygons).toHaveLength(2);
    expect(areaOf(polygons)).toBeCloseTo(2, 12);
    expect(polygons.flat().every((each) => planarRingArea(each) > 0)).toBe(true);
  });

  test('of a ring with a spike is the ring without it', () => {
    const polygons = repaired(ring([0, 0], [1, 0], [3, 0], [1, 0], [1, 1], [0, 1]));
    expect(polygons.map((rings) => rings.map((each) => each.length / 2))).toEqual([[5]]);
    expect(areaOf(polygons)).toBe(1);
  });

  test('of a ring that touches itself from inside has a hole there', () => {
    // A square of 4 whose boundary runs in from its corner around a square of 1 and out again.
    const polygons = repaired(ring([0, 0], [4, 0], [4, 4], [0, 4], [0, 0], [1, 2], [2, 2], [2, 1]));
    expect(polygons.map((rings) => rings.length)).toEqual([2]);
    // The inner ring is 0,0 1,2 2,2 2,1: by the shoelace (1·2−2·2 + 2·1−2·2 = −4) ÷ 2 = 2
    expect(areaOf(polygons)).toBeCloseTo(14, 12);
  });

  test('of a hole that reaches beyond its exterior is what exactly one of them encloses', () => {
    // A square of 2 and a hole of 2 by 1 that lies half outside: 4 − 1 + 1.
    const polygons = repaired(ring([0, 0], [2, 0], [2, 2], [0, 2]), ring([1, 0.5], [3, 0.5], [3, 1.5], [1, 1.5]));
    expect(polygons).toHaveLength(2);
    expect(areaOf(polygons)).toBeCloseTo(4, 12);
  });

  test('of a ring traced twice is empty, so the ring is kept unchanged', () => {
    expect(evenOddPolygons([ring([0, 0], [1, 0], [1, 1], [0, 1], [0, 0], [1, 0], [1, 1], [0, 1])])).toBeNull();
  });

  test('of a sound polygon is the same', () => {
    const sound = [ring([0, 0], [4, 0], [4, 4], [0, 4]), ring([1, 1], [2, 1], [2, 2], [1, 2])];
    const polygons = repaired(...sound);
    expect(polygons.map((rings) => rings.length)).toEqual([2]);
    expect(areaOf(polygons)).toBe(15);
  });
});

const spatialite = openSpatialite();

/** A ring of random corners, every fifth with a hole; every third on a coarse grid: then corners lie on edges, and edges on each other. */
function randomRings(round: number, random: () => number): Float64Array[] {
  const grid = round % 3 === 0 ? 4 : 1e6;
  const place = (): [number, number] => [
    -98 + (Math.round(random() * grid) / grid) * 0.01,
    38 + (Math.round(random() * grid) / grid) * 0.01,
  ];
  const rings = [ring(...Array.from({ length: 4 + Math.floor(random() * 12) }, place))];
  if (round % 5 === 0) rings.push(ring(...Array.from({ length: 4 }, place)));
  return rings;
}

describe('600 random rings that cross themselves', () => {
  test('hold what an odd number of their boundaries encloses', () => {
    const random = createRandom(11).next;
    let left = 0;
    for (let round = 0; round < 600; round++) {
      const rings = randomRings(round, random);
      const ours = evenOddPolygons(rings);
      if (ours === null) {
        left++;
        expect(round % 3, 'only where edges lie on each other').toBe(0);
        continue;
      }
      for (let probe = 0; probe < 100; probe++) {
        const [x, y] = [-98 + random() * 0.01, 38 + random() * 0.01];
        const isInside = ours.some((polygon) => locateInPolygon(polygon, x, y) === 'inside');
        expect(isInside, `round ${round}`).toBe(locateInPolygon(rings, x, y) === 'inside');
      }
    }
    expect(left).toBeLessThan(6);
  });

  test.runIf(spatialite)('are valid to GEOS, and in general position of the area of its MakeValid', () => {
    const random = createRandom(12).next;
    for (let round = 0; round < 600; round++) {
      const rings = randomRings(round, random);
      const ours = evenOddPolygons(rings);
      if (ours === null) continue;
      expect(spatialite?.isValid(ours), `round ${round}`).toBe(true);
      // GEOS counts edges that lie on each other once.
      if (round % 3 === 0) continue;
      const text = `POLYGON(${rings.map((each) => `(${pairs(each)})`).join(',')})`;
      const theirs = spatialite?.value<number>('SELECT ST_Area(ST_MakeValid(GeomFromText(?)))', text) ?? 0;
      expect(Math.abs(areaOf(ours) - theirs), `round ${round}`).toBeLessThanOrEqual(0.001 * theirs);
    }
    spatialite?.close();
  });
});

const pairs = (each: Float64Array): string =>
  Array.from({ length: each.length / 2 }, (_, index) => `${each[index * 2]} ${each[index * 2 + 1]}`).join(', ');
