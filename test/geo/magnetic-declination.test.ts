/** The declination, against the test values that NOAA publishes with the World Magnetic Model. */
import { expect, test } from 'vitest';
import { magneticDeclination } from '../../engine/geo/magnetic-declination.ts';

// "The US/UK World Magnetic Model for 2025-2030: Technical Report", table of test values at the ellipsoid.
test.each([
  ['2025-01-01', 80, 0, 1.28],
  ['2025-01-01', 0, 120, -0.16],
  ['2025-01-01', -80, 240, 68.78],
  ['2027-07-02', 80, 0, 2.59],
  ['2027-07-02', 0, 120, -0.24],
  ['2027-07-02', -80, 240, 68.49],
])('on %s at %d, %d a compass points %d beside north', async (day, latitude, longitude, expected) => {
  const found = await magneticDeclination(longitude > 180 ? longitude - 360 : longitude, latitude, new Date(day));
  expect(found?.model).toBe('World Magnetic Model 2025');
  expect(Math.abs((found?.degrees ?? 99) - expected)).toBeLessThan(0.06);
});

test('years without a model have no declination', async () => {
  for (const day of ['1990-01-01', '2031-01-01']) expect(await magneticDeclination(-72, 43, new Date(day))).toBeNull();
});
