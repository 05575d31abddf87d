import { describe, expect, test } from 'vitest';
import { buildingsOf } from '../../engine/enrichment/buildings.ts';
import { coverageTest, declaredCoverage } from '../../engine/enrichment/coverage.ts';
import { HullBuilder } from '../../engine/enrichment/coverage-hull.ts';
import { floodHazard, floodZonesOf, notStudied } from '../../engine/enrichment/flood-zones.ts';
import { findLandlocked } from '../../engine/enrichment/landlocked.ts';
import { studiedClass } from '../../engine/enrichment/layer-classes.ts';
import { LayerIndex, LayerPacker } from '../../engine/enrichment/layer-index.ts';
import { placeOf, zipOf } from '../../engine/enrichment/places.ts';
import { findRoadMapping, roadClassifier } from '../../engine/enrichment/road-classes.ts';
import { roadsOf } from '../../engine/enrichment/roads.ts';
import { wetlandsOf } from '../../engine/enrichment/wetlands.ts';
import type { MultiPolygon } from '../../engine/geo/geometry.ts';
import { polygonHoldsPoint } from '../../engine/geo/holds-point.ts';
import { atFeet, boxOfFeet, lotOfFeet, type Position, pathOfFeet, ringOfFeet } from './laid-shapes.ts';

const packed = (fill: (packer: LayerPacker) => void): LayerIndex => {
  const packer = new LayerPacker();
  fill(packer);
  return new LayerIndex(packer.finish());
};
const polygonLayer = (...features: readonly (readonly [MultiPolygon, number])[]): LayerIndex =>
  packed((packer) => {
    for (const [polygons, featureClass] of features) packer.addPolygons(polygons, featureClass);
  });

const lot = lotOfFeet(0, 0, 100, 200);

describe('wetlands', () => {
  test('are the share of the parcel under any of them, with what was used', () => {
    // the western 30 feet and the western 50 feet of 100
    const layer = polygonLayer(
      [lotOfFeet(5000, 0, 5100, 100), 0],
      [lotOfFeet(-100, -10, 30, 300), 0],
      [lotOfFeet(-20, -10, 50, 300), 0],
    );
    expect(wetlandsOf(lot, layer)).toEqual({ values: [50], used: [1, 2], reason: null });
  });

  test('are 0 where none is, and unknown for a parcel without area', () => {
    expect(wetlandsOf(lot, polygonLayer()).values).toEqual([0]);
    const line: MultiPolygon = [[ringOfFeet([0, 0], [100, 0], [50, 0])]];
    expect(wetlandsOf(line, polygonLayer([lot, 0]))).toMatchObject({
      values: [null],
      reason: 'the parcel encloses no area',
    });
  });
});

describe('flood zones', () => {
  const zones = ['AE', 'VE'];

  test('name the special zone with the larger share of a parcel across two', () => {
    // AE the south 40 of 200 feet, VE the north 60; they are 20 % and 30 %
    const layer = polygonLayer([lotOfFeet(-10, -10, 110, 40), 0], [lotOfFeet(-10, 140, 110, 300), 1]);
    expect(floodZonesOf(lot, layer, zones, false).values).toEqual([50, 'VE']);
  });

  test('are 0 and X where none is', () => {
    const layer = polygonLayer([lotOfFeet(500, 0, 600, 100), 0]);
    expect(floodZonesOf(lot, layer, zones, false).values).toEqual([0, 'X']);
  });

  test('are unknown where the map names its studied area and the parcel lies beyond', () => {
    const ae = [lotOfFeet(-10, -10, 110, 40), 0] as const;
    const half = polygonLayer(ae, [lotOfFeet(-10, 40, 110, 120), studiedClass]);
    expect(floodZonesOf(lot, half, zones, true)).toMatchObject({ values: [null, null], reason: notStudied });
    const whole = polygonLayer(ae, [lotOfFeet(-10, 40, 110, 500), studiedClass]);
    expect(floodZonesOf(lot, whole, zones, true).values).toEqual([20, 'AE']);
  });

  test('are recognized by their codes', () => {
    const special = ['A', 'AE', 'AH', 'AO', 'AR', 'A99', 'A1', 'A30', 'AR/AE', 'V', 'VE', 'V12', ' ae '];
    expect(special.map(floodHazard)).toEqual(special.map(() => 'special'));
    const studied = ['X', 'B', 'C', 'X PROTECTED BY LEVEE', 'OPEN WATER', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD'];
    expect(studied.map(floodHazard)).toEqual(studied.map(() => 'studied'));
    expect(['D', 'AREA NOT INCLUDED', ''].map(floodHazard)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  test('are read in county spellings; an unknown zone does not count as dry', () => {
    const special = [
      ...['Zone AE', 'ZONE A', 'AE FLOODWAY', 'AE, FLOODWAY', 'AEFW', 'AE-FW', 'FW', 'Floodway', 'AO (2 FT)', 'A1-30'],
      ...['1% Annual Chance', '1 PCT ANNUAL CHANCE FLOOD HAZARD', '100-Year Floodplain', '100 YR', 'FWIC', '100IC'],
    ];
    expect(special.map((zone) => [zone, floodHazard(zone)])).toEqual(special.map((zone) => [zone, 'special']));
    const studied = [
      ...[
        'Zone X',
        'X500',
        'X (SHADED)',
        'SHADED X',
        'X, 0.2 PCT',
        'B',
        'C',
        '0.2% Annual Chance',
        '500-Year Floodplain',
      ],
      ...['AREA OF MINIMAL FLOOD HAZARD', 'AREA WITH REDUCED FLOOD RISK DUE TO LEVEE', '500IC'],
      ...['1 PCT DEPTH LESS THAN 1 FOOT', '1 PCT DRAINAGE AREA LESS THAN 1 SQUARE MILE'],
    ];
    expect(studied.map((zone) => [zone, floodHazard(zone)])).toEqual(studied.map((zone) => [zone, 'studied']));
    const unknown = ['Zone D', 'ANI', 'UNDES', 'Undetermined', 'Area Not Included', 'NP', 'NONE', 'N/A', ' '];
    expect(unknown.map((zone) => [zone, floodHazard(zone)])).toEqual(unknown.map((zone) => [zone, 'unknown']));
    const unmapped = ['Red', '7', 'AREA OF INTEREST', 'EXEMPT', 'VALLEY', 'CREEK', 'BASIN'];
    expect(unmapped.map((zone) => [zone, floodHazard(zone)])).toEqual(unmapped.map((zone) => [zone, 'unmapped']));
  });
});

describe('buildings', () => {
  const points = (...footprints: readonly MultiPolygon[]): LayerIndex =>
    packed((packer) => {
      for (const footprint of footprints) packer.addAsPoint(footprint, 0);
    });

  test('count where their point on surface lies', () => {
    // the second crosses the east line, most of it on the neighbor
    const layer = points(lotOfFeet(10, 10, 40, 40), lotOfFeet(90, 50, 130, 80), lotOfFeet(300, 0, 330, 30));
    expect(buildingsOf(lot, layer)).toEqual({ values: [1], used: [0], reason: null });
    expect(buildingsOf(lotOfFeet(100, 0, 200, 200), layer).used).toEqual([1]);
  });

  test('on the line belong to exactly one of the two lots', () => {
    // corners that are exact in binary, so that the point lies on the shared edge to the last digit
    const square = (x: number, y: number) => [[Float64Array.of(x, y, x + 1, y, x + 1, y + 1, x, y + 1, x, y)]];
    const lots = [square(0, 0), square(1, 0), square(0, 1), square(1, 1)];
    for (const [x, y] of [
      [1, 0.5],
      [0.5, 1],
      [1, 1],
      [0.25, 0.25],
    ] as const) {
      expect(lots.filter(([polygon]) => polygonHoldsPoint(polygon ?? [], x, y))).toHaveLength(1);
    }
  });
});

describe('school districts and ZIPs', () => {
  test('are those of the smallest polygon that holds the point', () => {
    const layer = polygonLayer([lotOfFeet(-5000, -5000, 5000, 5000), 0], [lotOfFeet(-500, -500, 500, 500), 1]);
    expect(placeOf('schools', atFeet([0, 0]), layer, ['Unified', 'Elementary']).values).toEqual(['Elementary']);
    expect(placeOf('schools', atFeet([900, 0]), layer, ['Unified', 'Elementary'])).toEqual({
      values: ['Unified'],
      used: [0],
      reason: null,
    });
    expect(placeOf('schools', atFeet([9000, 0]), layer, ['Unified', 'Elementary']).reason).not.toBeNull();
  });

  test('ZIPs have five digits', () => {
    expect([3280, '03280', '03280-1234', '032801234'].map(zipOf)).toEqual(['03280', '03280', '03280', '03280']);
    expect(['', null, 'N/A', '3280', 123456].map(zipOf)).toEqual([null, null, null, null, null]);
  });
});

describe('road classes', () => {
  test('come from MTFCC or highway, whatever the case of the column', () => {
    const mtfcc = findRoadMapping(['LINEARID', 'mtfcc']);
    const classOf = mtfcc && roadClassifier(mtfcc);
    expect(['S1100', 'S1200', 'S1400', 'S1740', 'S1500', 'S9999'].map((code) => classOf?.(code))).toEqual([
      'major_highway',
      'normal_road',
      'local_road',
      'local_road',
      null,
      undefined,
    ]);
    expect(findRoadMapping(['osm_id', 'fclass'])?.column).toBe('fclass');
    expect(findRoadMapping(['roadtype'])).toBeNull();
  });

  test('come from a mapping', () => {
    const classOf = roadClassifier({ column: 't', classes: { st: 'local_road', TRL: null } });
    expect(['ST', 'trl', null, 'HWY'].map(classOf)).toEqual(['local_road', null, undefined, undefined]);
  });
});

describe('landlocked', () => {
  const road: readonly Position[] = [
    [-2000, 0],
    [2000, 0],
  ];
  const roads = packed((packer) => packer.addLines([pathOfFeet(...road)], 2));
  const settings = { sharedWithinFeet: 2, sharedLengthFeet: 10 };

  test('a lot with frontage is not, a lot behind another is', () => {
    const front = roadsOf(lotOfFeet(0, 30, 100, 230), roads, 50);
    // its side lines lead 20 ft into reach on both sides
    expect(front.values).toEqual([100, 0, 0, 100, 0]);
    const behind = lotOfFeet(0, 230, 100, 430);
    const found = roadsOf(behind, roads, 50);
    expect(found).toMatchObject({ values: [0, 0, 0, 0, null], isRoad: false });
    expect(findLandlocked({ settings, roads: [], candidates: [0], shapeOf: () => behind })).toEqual(new Set([0]));
  });

  test('a lot that shares a boundary with a road parcel is not', () => {
    // a right of way of 200 by 60 feet without a centerline, 1 foot off the lot as in real plats; a corner is no shared
    // boundary
    const rightOfWay = lotOfFeet(-200, 430, 0, 490);
    const beside = lotOfFeet(1, 440, 100, 600);
    const corner = lotOfFeet(0, 490, 100, 600);
    const shapes = [rightOfWay, beside, corner];
    const shapeOf = (place: number) => shapes[place] ?? null;
    expect(findLandlocked({ settings, roads: [0], candidates: [0, 1, 2], shapeOf })).toEqual(new Set([2]));
  });

  test('a strip along a centreline is a road parcel, a lot with its own drive is not', () => {
    // 60 feet wide, 600 long
    expect(roadsOf(lotOfFeet(0, -30, 600, 30), roads, 50).isRoad).toBe(true);
    // 500 feet of road through a lot of 500 by 300: 300 feet wide along it
    expect(roadsOf(lotOfFeet(0, -100, 500, 200), roads, 50).isRoad).toBe(false);
    // 100 feet wide and deep, crossed by the line: no strip
    expect(roadsOf(lotOfFeet(0, -50, 100, 50), roads, 50).isRoad).toBe(false);
  });
});

describe('the coverage of a layer', () => {
  const hull = (...rings: readonly Float64Array[]) => {
    const builder = new HullBuilder();
    for (const ring of rings) builder.add(ring);
    return { kind: 'hull', ring: builder.finish() } as const;
  };

  test('is the convex hull of its features: a parcel must lie within as a whole', () => {
    // two boxes on the diagonal: beside it the hull is 10 feet wide on either side
    const covers = coverageTest(hull(boxOfFeet(0, 0, 10, 10), boxOfFeet(990, 990, 1000, 1000)));
    expect(covers(lotOfFeet(493, 493, 500, 500))).toBe(true);
    expect(covers(lotOfFeet(0, 0, 10, 10))).toBe(true);
    expect(covers(lotOfFeet(5, -1, 9, 9))).toBe(false);
    expect(covers(lotOfFeet(490, 490, 505, 505))).toBe(false);
  });

  test('is nothing without features, and the whole county when it is said or declared by the file’s name', () => {
    expect(coverageTest(hull())(lot)).toBe(false);
    expect(coverageTest({ kind: 'county' })(lot)).toBe(true);
    expect(declaredCoverage('/data/tl_2025_33019_roads.zip', '33019')).toEqual({ kind: 'county' });
    expect(declaredCoverage('tl_2025_33019_roads.shp', '33013')).toBeNull();
    expect(declaredCoverage('tl_2025_33_unsd.zip', '33019')).toBeNull();
  });

  test('keeps its hull over more vertices than are held at once', () => {
    const circle = Float64Array.from({ length: 240_000 }, (_, index) => {
      const angle = ((index >> 1) / 120_000) * 2 * Math.PI;
      return index % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
    });
    const found = hull(circle.subarray(0, 120_000), circle.subarray(120_000));
    const xs = found.ring?.filter((_, index) => index % 2 === 0) ?? [];
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-1, 1]);
  });
});
