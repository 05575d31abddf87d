/** The heading of a walk, by course over ground. */
import { expect, test } from 'vitest';
import { bearingWords, magneticBearing } from '../../renderer/field/bearing.ts';
import { type Heading, headingAfter } from '../../renderer/location/heading.ts';

test('the course counts while the user walks; slower, the last one stays and is marked as old', () => {
  const walk: readonly (readonly [course: number | null, speed: number | null])[] = [
    [200, 0.2],
    [90, 1.4],
    [95, 0.71],
    [180, 0.7],
    [null, null],
    [null, 1.5],
    [270, 1.2],
  ];
  let heading: Heading | null = null;
  const seen = walk.map(([course, speed]) => {
    heading = headingAfter(heading, { course, speed });
    return heading;
  });
  expect(seen).toEqual([
    null,
    { degrees: 90, isOld: false },
    { degrees: 95, isOld: false },
    { degrees: 95, isOld: true },
    { degrees: 95, isOld: true },
    { degrees: 95, isOld: true },
    { degrees: 270, isOld: false },
  ]);
});

test('a compass that points west of true north shows more than the true bearing, one that points east less', () => {
  // 14.6° west: 10 + 14.6 = 24.6. 12° east: 5 − 12 = −7, which is 353.
  expect(magneticBearing(10, -14.6)).toBeCloseTo(24.6, 9);
  expect(magneticBearing(5, 12)).toBe(353);
  expect(magneticBearing(350, -14.6)).toBeCloseTo(4.6, 9);
  expect([bearingWords(359.7), bearingWords(48)]).toEqual(['0° N', '48° NE']);
});
