import geodesic from 'geographiclib-geodesic';
import { describe, expect, test } from 'vitest';
import { boxesAround, geodesicMeters, metersFrom } from '../../engine/comps/distance.ts';
import { seededRandom } from './seeded-random.ts';

const wgs84 = geodesic.Geodesic.WGS84;

describe('metres over the ground', () => {
  test.each([1, 1000, 8047, 50_000, 200_000])(
    'up to %d m are within 0.1 mm of GeographicLib, poles included',
    (farthest) => {
      const random = seededRandom(farthest);
      let worst = 0;
      for (let i = 0; i < 4000; i++) {
        const nearPole = i % 8 === 0;
        const latitude = nearPole ? (i % 16 === 0 ? 1 : -1) * (89 + random()) : -90 + 180 * random();
        const longitude = i % 5 === 0 ? 180 - 0.001 * random() : -180 + 360 * random();
        const there = wgs84.Direct(latitude, longitude, 360 * random(), farthest * random());
        const meters = geodesicMeters(longitude, latitude, there.lon2 as number, there.lat2 as number);
        worst = Math.max(worst, Math.abs(meters - (there.s12 as number)));
      }
      expect(worst).toBeLessThan(1e-4);
    },
  );

  test('a haversine on a sphere would be 0.3 percent off here', () => {
    // One degree of latitude at the equator: 110,574.4 m on the ellipsoid.
    expect(geodesicMeters(-72, -0.5, -72, 0.5)).toBeCloseTo(110_574.4, 0);
  });

  test('are the same both ways, 0 to itself, and numbers everywhere', () => {
    expect(geodesicMeters(-72, 43, -72, 43)).toBe(0);
    expect(geodesicMeters(180, 10, -180, 10)).toBeLessThan(1e-6);
    expect(geodesicMeters(0, 90, 123, 90)).toBeLessThan(1e-6);
    expect(geodesicMeters(-72, 43, -71, 44)).toBe(geodesicMeters(-71, 44, -72, 43));
    expect(metersFrom(-72, 43)(-71, 44)).toBe(geodesicMeters(-72, 43, -71, 44));
    // The other end of the world: no measure, but nothing near either.
    expect(geodesicMeters(0, 0, 180, 0)).toBeGreaterThan(1e7);
    expect(geodesicMeters(0, 90, 0, -90)).toBeGreaterThan(1e7);
  });
});

describe('boxes around a circle', () => {
  const centers: [string, number, number][] = [
    ['New Hampshire', -72.1, 43.2],
    ['the equator', 10, 0],
    ['Alaska, across the 180th meridian', 179.9, 52],
    ['the same from the other side', -179.95, 52],
    ['close to the north pole', 40, 89.2],
    ['close to the south pole', -130, -89.9],
    ['the pole itself', 0, 90],
  ];

  test.each(centers)('hold every place of the circle: %s', (_name, longitude, latitude) => {
    const random = seededRandom(7);
    for (const meters of [1, 5000, 200_000]) {
      const boxes = boxesAround(longitude, latitude, meters);
      expect(boxes.every(({ west, east, south, north }) => west <= east && south <= north)).toBe(true);
      expect(
        boxes.every(({ west, east, south, north }) => west >= -180 && east <= 180 && south >= -90 && north <= 90),
      ).toBe(true);
      for (let i = 0; i < 500; i++) {
        const { lon2 = 0, lat2 = 0 } = wgs84.Direct(
          latitude,
          longitude,
          360 * random(),
          meters * (i % 3 === 0 ? 1 : random()),
        );
        const holds = boxes.filter(
          (box) => lon2 >= box.west && lon2 <= box.east && lat2 >= box.south && lat2 <= box.north,
        );
        expect(holds).toHaveLength(1);
      }
    }
  });

  test('are no wider than needed away from the poles', () => {
    const [box, ...more] = boxesAround(-72, 43, 1000);
    expect(more).toEqual([]);
    expect((box?.east ?? 0) - (box?.west ?? 0)).toBeLessThan(0.026);
  });
});
