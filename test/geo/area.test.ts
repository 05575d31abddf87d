import geodesic from 'geographiclib-geodesic';
import { describe, expect, it } from 'vitest';
import { acresOfMultiPolygon, squareMetersPerAcre } from '../../engine/geo/area.ts';
import type { Ring } from '../../engine/geo/geometry.ts';
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

const squareMeters = (path: Ring): number => acresOfMultiPolygon([[path]]) * squareMetersPerAcre;

function oracle(path: Ring): number {
  const polygon = geodesic.Geodesic.WGS84.Polygon(false);
  for (const [longitude, latitude] of positionsOf(path).slice(1)) polygon.AddPoint(latitude, longitude);
  return Math.abs(polygon.Compute(false, true).area ?? Number.NaN);
}

/** A shape in meters laid at a latitude: accurate enough for a test that gives the oracle the same degrees. */
function lay(path: Ring, latitude: number): Ring {
  const metersPerDegree = 111_320;
  const scale = Math.cos((latitude * Math.PI) / 180);
  return ring(
    ...positionsOf(path).map(
      ([x, y]): Position => [-100 + x / metersPerDegree / scale, latitude + y / metersPerDegree],
    ),
  );
}

describe('acres of a parcel', () => {
  it('are what GeographicLib publishes for a diamond at the equator', () => {
    // test Planimeter0 of GeographicLib: 24 619 419 146 m² (± 1). Wider than a degree, so GeographicLib computes it here too.
    const diamond = ring([-1, 0], [0, -1], [1, 0], [0, 1], [-1, 0]);
    expect(Math.abs(squareMeters(diamond) - 24_619_419_146)).toBeLessThan(1);
  });

  it('equal the closed form for a small square at the equator', () => {
    // At the equator a degree of longitude is a π/180 = 111 319.490793 m and of latitude a (1 − e²) π/180 =
    // 110 574.275823 m. A square of 0.001° there: 111.319490793 · 110.574275823 = 12 309.0721… m², 3.0416379 acres
    const acres = acresOfMultiPolygon([[box(-80, -0.0005, -79.999, 0.0005)]]);
    expect(acres).toBeCloseTo((111.319490793 * 110.574275823) / 4046.8564224, 6);
  });

  it.each([0, 10, 25, 37, 45, 49, 60, 70, -45])(
    'agree with GeographicLib within 1e-7 at latitude %i, 100 m to 10 km',
    (latitude) => {
      const random = seededRandom(latitude + 100);
      for (const size of [100, 300, 1000, 3000, 10_000]) {
        for (let trial = 0; trial < 40; trial++) {
          const path = lay(star(random, 0, 0, size / 2, 3 + Math.floor(random() * 9)), latitude);
          expect(Math.abs(squareMeters(path) / oracle(path) - 1)).toBeLessThan(1e-7);
        }
      }
    },
  );

  it('agree with GeographicLib within 1e-6 up to the size from which it is asked itself', () => {
    const random = seededRandom(5);
    for (const latitude of [0, 30, 45, 60, 70]) {
      for (let trial = 0; trial < 40; trial++) {
        const path = star(random, -100, latitude, 0.5, 3 + Math.floor(random() * 9));
        expect(Math.abs(squareMeters(path) / oracle(path) - 1)).toBeLessThan(1e-6);
      }
    }
  });

  it('stay exact for lots of 1 to 100 m², where GeographicLib itself rounds', () => {
    // On so small a lot the ellipsoid is its tangent plane at the lot's centre. Parallelograms, because the bulge of a
    // geodesic edge (length · tan(latitude) / radius, 1e-6 of such a lot) is undone by the edge opposite.
    const random = seededRandom(6);
    for (const latitude of [0.1, 20, 45, 70]) {
      for (const size of [1, 3, 10]) {
        const [ax, ay, bx, by] = [size * (0.5 + random()), size * random() * 0.5, -size * random() * 0.5, size];
        const path = lay(ring([0, 0], [ax, ay], [ax + bx, ay + by], [bx, by], [0, 0]), latitude);
        expect(Math.abs(squareMeters(path) / tangentPlaneArea(path) - 1)).toBeLessThan(2e-8);
      }
    }
  });

  /** For a parallelogram: the cross product of two sides in meters, with M and N at its center. */
  function tangentPlaneArea(path: Ring): number {
    const [first, second, third, fourth] = positionsOf(path) as [Position, Position, Position, Position];
    const degree = Math.PI / 180;
    const eccentricitySquared = 0.00669437999014;
    const centre = (first[1] + third[1]) / 2;
    const w = 1 - eccentricitySquared * Math.sin(centre * degree) ** 2;
    const metersPerDegreeX = (6_378_137 / Math.sqrt(w)) * Math.cos(centre * degree) * degree;
    const metersPerDegreeY = ((6_378_137 * (1 - eccentricitySquared)) / w ** 1.5) * degree;
    const [ax, ay] = [second[0] - first[0], second[1] - first[1]];
    const [bx, by] = [fourth[0] - first[0], fourth[1] - first[1]];
    return Math.abs(ax * by - bx * ay) * metersPerDegreeX * metersPerDegreeY;
  }

  it('leave out holes, add parts and ignore the direction of rings', () => {
    const exterior = box(-100, 40, -99.99, 40.01);
    const hole = box(-99.998, 40.002, -99.992, 40.008);
    const island = box(-99.996, 40.004, -99.994, 40.006);
    const net = acresOfMultiPolygon([[exterior]]) - acresOfMultiPolygon([[hole]]);
    expect(acresOfMultiPolygon([[exterior, hole]])).toBeCloseTo(net, 9);
    expect(acresOfMultiPolygon([[reversed(exterior), hole]])).toBeCloseTo(net, 9);
    expect(acresOfMultiPolygon([[exterior, reversed(hole)], [island]])).toBeCloseTo(
      net + acresOfMultiPolygon([[island]]),
      9,
    );
  });

  it('do not depend on which corner comes first', () => {
    const positions = positionsOf(star(seededRandom(8), -100, 45, 0.001, 12)).slice(1);
    const areas = positions.map((_, shift) => {
      const shifted = [...positions.slice(shift), ...positions.slice(0, shift)];
      return acresOfMultiPolygon([[ring(...shifted, shifted[0] as Position)]]);
    });
    for (const area of areas) expect(Math.abs(area / (areas[0] as number) - 1)).toBeLessThan(1e-10);
  });

  it('are zero for a line there and back, and never negative', () => {
    expect(acresOfMultiPolygon([[ring([-100, 45], [-99.99, 45], [-100, 45], [-100, 45])]])).toBe(0);
    expect(acresOfMultiPolygon([[box(-100, 45, -99.999, 45.001), box(-101, 45, -99, 45.002)]])).toBe(0);
  });

  const canReadParcels = realParcelsExist();
  if (!canReadParcels) console.warn('SKIPPED: areas of real parcels: ../shared/data is absent');
  it.runIf(canReadParcels)('agree with GeographicLib within 1e-6 or 2e-5 m² on every real parcel', () => {
    for (const place of ['washington_nh', 'three_forks_mt', 'williamsburg_va'] as const) {
      for (const path of readRealParcels(place).flat(2)) {
        const expected = oracle(path);
        expect(Math.abs(squareMeters(path) - expected)).toBeLessThan(Math.max(1e-6 * expected, 2e-5));
      }
    }
  });
});
