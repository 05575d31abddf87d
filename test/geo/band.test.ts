/** The band around a shape, against the distance of its boundary at many places. */
import { expect, test } from 'vitest';
import { bandAround } from '../../engine/geo/band.ts';
import { metersToBoundary } from '../../engine/geo/boundary-distance.ts';
import type { MultiPolygon, Ring } from '../../engine/geo/geometry.ts';
import { holdsPoint } from '../../engine/geo/holds-point.ts';
import { localMetric } from '../../engine/geo/local-metric.ts';
import { createRandom } from '../sample-maker/random.ts';

const [x0, y0] = [-72, 44];
const metric = localMetric(y0);

/** Corners in meters. */
const ring = (...corners: readonly (readonly [number, number])[]): Ring =>
  Float64Array.from(
    [...corners, corners[0] as readonly [number, number]].flatMap(([x, y]) => [x0 + x / metric.x, y0 + y / metric.y]),
  );
const box = (west: number, south: number, east: number, north: number) =>
  ring([west, south], [east, south], [east, north], [west, north]);

const shapes: Readonly<Record<string, MultiPolygon>> = {
  square: [[box(0, 0, 400, 400)]],
  'an L with a spike': [[ring([0, 0], [500, 0], [500, 100], [101, 100], [100, 900], [99, 100], [0, 100])]],
  'a ring around a pond': [[box(0, 0, 600, 600), box(100, 100, 500, 500)]],
  'two parts, far apart': [[box(0, 0, 100, 100)], [box(700, 300, 800, 500)]],
  'two parts that share an edge': [[box(0, 0, 100, 100)], [box(100, 0, 200, 100)]],
};

test.each(
  Object.entries(shapes).flatMap(([name, shape]) =>
    [10, 91.44, 304.8, 1609.344].map((meters) => ({ name, shape, meters })),
  ),
)('$name, $meters m', ({ shape, meters }) => {
  const band = bandAround(shape, meters) as MultiPolygon;
  expect(band).not.toBeNull();
  const random = createRandom(7);
  const lacks: number[] = [];
  for (let turn = 0; turn < 3000; turn++) {
    const x = x0 + (-meters * 1.2 + random.next() * (800 + 2.4 * meters)) / metric.x;
    const y = y0 + (-meters * 1.2 + random.next() * (900 + 2.4 * meters)) / metric.y;
    const away = metersToBoundary(shape, x, y);
    const isWithin = !holdsPoint(shape, x, y) && away <= meters;
    // The edge that two parts share is no boundary.
    if (Math.abs(away - meters) > Math.max(0.02 * meters, 0.5) && holdsPoint(band, x, y) !== isWithin) lacks.push(away);
  }
  expect(lacks).toEqual([]);
});

test('without a shape there is none', () => {
  expect(bandAround([], 100)).toBeNull();
});
