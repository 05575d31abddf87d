import * as turf from '@turf/turf';
import type { MultiPolygon as GeoMultiPolygon, Polygon } from 'geojson';
import { describe, expect, test } from 'vitest';
import { acresOfMultiPolygon, squareMetersPerAcre } from '../../engine/geo/area.ts';
import { clipRing, cutRing } from '../../engine/geo/clip-ring.ts';
import { coveredArea } from '../../engine/geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon, type PolygonRings, type Ring } from '../../engine/geo/geometry.ts';
import { metersPerFoot } from '../../engine/geo/local-metric.ts';
import { multiPolygonToGeoJson } from '../../engine/geo/spatialite-blob.ts';
import { subdividePolygon } from '../../engine/geo/subdivide.ts';
import { box, reversed, seededRandom, star } from '../geo/shapes.ts';
import { boxOfFeet, lotOfFeet, origin, ringOfFeet } from './laid-shapes.ts';

const squareFoot = metersPerFoot * metersPerFoot;

/** Square feet of a parcel, of it under the polygons, and of it under each class. */
function squareFeet(parcel: MultiPolygon, polygons: readonly PolygonRings[], classes: readonly number[] = []) {
  const covering = polygons.map((polygon, index) => ({ polygon, coverClass: classes[index] ?? 0 }));
  const area = coveredArea(parcel, covering, Math.max(0, ...classes) + 1);
  return {
    parcel: area.parcel / squareFoot,
    covered: area.covered / squareFoot,
    byClass: [...area.byClass].map((meters) => meters / squareFoot),
  };
}

describe('the covered area of a parcel', () => {
  // a lot of 100 by 200 feet is 20,000 square feet; laid with the metric at its south edge, so within 1e-5
  const lot = lotOfFeet(0, 0, 100, 200);

  test('is that of what lies in both', () => {
    // the eastern half
    const area = squareFeet(lot, [[boxOfFeet(50, -50, 500, 500)]]);
    expect(area.parcel / 20_000).toBeCloseTo(1, 4);
    expect(area.covered / area.parcel).toBeCloseTo(0.5, 9);
  });

  test('counts overlapping polygons once, and per class', () => {
    // [0, 60] and [40, 100] of 100 overlap in 20: together all of it; each 60 %
    const area = squareFeet(lot, [[boxOfFeet(-10, -10, 60, 210)], [boxOfFeet(40, -10, 110, 210)]], [0, 1]);
    expect(area.covered / area.parcel).toBeCloseTo(1, 9);
    expect(area.byClass.map((feet) => feet / area.parcel)).toEqual([expect.closeTo(0.6, 9), expect.closeTo(0.6, 9)]);
  });

  test('leaves out holes of either side', () => {
    // the parcel lacks its middle tenth (20 by 100 feet), the wetland its southern half
    const parcel: MultiPolygon = [[boxOfFeet(0, 0, 100, 200), boxOfFeet(40, 50, 60, 150)]];
    const wetland: PolygonRings = [boxOfFeet(-50, -50, 150, 250), boxOfFeet(-10, -10, 110, 100)];
    const area = squareFeet(parcel, [wetland]);
    expect(area.parcel / 18_000).toBeCloseTo(1, 4);
    // north of y = 100: 100 × 100 − 20 × 50 = 9,000 of 18,000
    // a foot of latitude is 1e-6 shorter in square metres 30 metres further north
    expect(area.covered / area.parcel).toBeCloseTo(0.5, 5);
  });

  test('is exact where boundaries coincide', () => {
    const same = squareFeet(lot, [[boxOfFeet(0, 0, 100, 200)]]);
    expect(same.covered).toBe(same.parcel);
    // neighbours that share their edges with it cover nothing
    const beside = squareFeet(lot, [[boxOfFeet(100, 0, 200, 200)], [boxOfFeet(0, 200, 100, 300)]]);
    expect(beside.covered).toBe(0);
  });

  test('of a bow-tie is both wings, of a ring traced twice one', () => {
    // two triangles of 100 by 50 feet, 2,500 square feet each
    const bowTie = ringOfFeet([0, 0], [100, 100], [100, 0], [0, 100]);
    expect(squareFeet([[bowTie]], []).parcel / 5000).toBeCloseTo(1, 4);
    const twice = ringOfFeet([0, 0], [100, 0], [100, 200], [0, 200], [0, 0], [100, 0], [100, 200], [0, 200]);
    expect(squareFeet([[twice]], []).parcel / 20_000).toBeCloseTo(1, 4);
  });

  test('has no place for spikes and doubled vertices', () => {
    const spiked = ringOfFeet([0, 0], [100, 0], [100, 100], [400, 100], [100, 100], [100, 200], [100, 200], [0, 200]);
    const area = squareFeet([[spiked]], [[boxOfFeet(50, -50, 500, 500)]]);
    expect(area.parcel / 20_000).toBeCloseTo(1, 4);
    expect(area.covered / area.parcel).toBeCloseTo(0.5, 9);
  });

  test('is the geodesic area, also of a township at 60 degrees', () => {
    const random = seededRandom(60);
    for (const [x, y, radius] of [
      [-98, 39, 0.0005],
      [-150, 60, 0.05],
      [-81, 25, 0.02],
    ] as const) {
      const shape: MultiPolygon = [[star(random, x, y, radius, 40)]];
      const acres = coveredArea(shape, [], 0).parcel / squareMetersPerAcre;
      // edges are straight in degrees here and geodesic there: 2e-5 over 5 km
      expect(acres / acresOfMultiPolygon(shape)).toBeCloseTo(1, 4);
    }
  });

  test('does not depend on the direction of rings or where they begin', () => {
    const random = seededRandom(7);
    const parcel = star(random, 0, 0, 1e-3, 30);
    const wet = star(random, 5e-4, 0, 1e-3, 30);
    const area = coveredArea([[parcel]], [{ polygon: [wet], coverClass: 0 }], 1);
    const turned = coveredArea([[reversed(parcel)]], [{ polygon: [reversed(wet)], coverClass: 0 }], 1);
    expect(turned.covered / area.covered).toBeCloseTo(1, 12);
  });

  test('is the same however finely a polygon is cut into pieces', () => {
    const random = seededRandom(11);
    const { longitude, latitude } = origin;
    const wet = [star(random, longitude, latitude, 0.02, 5000), star(random, longitude, latitude, 0.004, 300)];
    const pieces = subdividePolygon(wet);
    expect(pieces.length).toBeGreaterThan(50);
    expect(Math.max(...pieces.map((piece) => piece.reduce((sum, part) => sum + part.length / 2, 0)))).toBeLessThan(65);
    let partly = 0;
    for (let lot = 0; lot < 40; lot++) {
      const [x, y] = [longitude + (random() - 0.5) * 0.03, latitude + (random() - 0.5) * 0.03];
      const parcel: MultiPolygon = [[star(random, x, y, 0.004, 12)]];
      const whole = coveredArea(parcel, [{ polygon: wet, coverClass: 0 }], 1);
      const cut = coveredArea(
        parcel,
        pieces.map((polygon) => ({ polygon, coverClass: 0 })),
        1,
      );
      // strips of other heights: the density of area is taken at other middles, 1e-7 over 800 metres
      expect(cut.covered / whole.parcel).toBeCloseTo(whole.covered / whole.parcel, 6);
      if (whole.covered > 0 && whole.covered < 0.999 * whole.parcel) partly++;
    }
    expect(partly).toBeGreaterThan(20);
  });

  test('of a parcel of many vertices is swept in halves without a seam', () => {
    const random = seededRandom(13);
    // 4,000 vertices: cut several times; a circle that covers half of every direction
    const parcel: MultiPolygon = [[star(random, 0, 40, 0.05, 4000)]];
    const half = box(0, 39, 1, 41);
    const area = coveredArea(parcel, [{ polygon: [half], coverClass: 0 }], 1);
    const east = cutRing(parcel[0]?.[0] as Ring, 0, 0, 1) as Ring;
    expect(area.covered / (acresOfMultiPolygon([[east]]) * squareMetersPerAcre)).toBeCloseTo(1, 4);
  });

  test('agrees with turf on random polygons', () => {
    const random = seededRandom(17);
    let compared = 0;
    for (let round = 0; round < 60; round++) {
      const parcel: MultiPolygon = [[star(random, -98, 39, 2e-3, 12)]];
      const wet: MultiPolygon = [[star(random, -98 + 1e-3, 39, 2e-3, 40)], [star(random, -98, 39 + 1e-3, 2e-3, 40)]];
      const ours = coveredArea(
        parcel,
        wet.map((polygon) => ({ polygon, coverClass: 0 })),
        1,
      );
      const union = turf.union(turf.featureCollection(wet.map((polygon) => feature([polygon]))));
      const both = union && turf.intersect(turf.featureCollection<Polygon | GeoMultiPolygon>([feature(parcel), union]));
      const theirs = both ? turf.area(both) / turf.area(feature(parcel)) : 0;
      expect(ours.covered / ours.parcel).toBeCloseTo(theirs, 4);
      if (theirs > 0) compared++;
    }
    expect(compared).toBeGreaterThan(30);
  });
});

const feature = (polygons: MultiPolygon) => turf.multiPolygon(multiPolygonToGeoJson(polygons).coordinates);

describe('cutting a ring', () => {
  test('keeps what is on one side, and nothing of what is not', () => {
    const cut = cutRing(box(0, 0, 4, 2), 0, 1, 1) as Ring;
    expect(boundsOfMultiPolygon([[cut]])).toEqual({ minX: 1, minY: 0, maxX: 4, maxY: 2 });
    expect(cutRing(box(0, 0, 4, 2), 1, 3, 1)).toBeNull();
    expect(cutRing(box(0, 0, 4, 2), 1, 3, -1)).toEqual(box(0, 0, 4, 2));
  });

  test('to a box gives the ring itself when it lies within', () => {
    const square = box(0, 0, 1, 1);
    expect(clipRing(square, { minX: -1, minY: -1, maxX: 2, maxY: 2 })).toBe(square);
    expect(clipRing(square, { minX: 5, minY: 5, maxX: 6, maxY: 6 })).toBeNull();
  });
});
