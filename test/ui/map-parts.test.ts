/** The map's own arithmetic: units, scale, sides, areas as text, classes, pictures. */

import { describe, expect, test } from 'vitest';
import { parseArea, toWkt } from '../../renderer/map/area-wkt.ts';
import { cellLimits } from '../../renderer/map/cell-limits.ts';
import { crossesItself } from '../../renderer/map/crossing.ts';
import { classStep, fillByName, fillClasses, fills, stepOf } from '../../renderer/map/fills.ts';
import { groundToLeave, leftWords } from '../../renderer/map/ground-pace.ts';
import { hatchImage } from '../../renderer/map/map-images.ts';
import { geoLink, qrPath } from '../../renderer/map/qr-code.tsx';
import { sidesOf } from '../../renderer/map/sides.ts';
import {
  formatArea,
  formatLength,
  formatPlace,
  metersPerPixel,
  scaleRatio,
  scaleSteps,
} from '../../renderer/map/units.ts';
import { noViews, stepped, type View, withView } from '../../renderer/map/view-history.ts';

describe('units', () => {
  test('a length is feet or miles, metres or kilometres', () => {
    // 100 m = 328.08 ft; 5,000 m = 3.1069 mi.
    expect(formatLength(100, 'ft, ac')).toBe('328 ft');
    expect(formatLength(5000, 'ft, sq ft')).toBe('3.11 mi');
    expect(formatLength(100, 'm, ha')).toBe('100 m');
    expect(formatLength(5000, 'm, ha')).toBe('5.00 km');
  });

  test('an area is acres, square feet or hectares', () => {
    // 10 acres of 4,046.856 m² each, 43,560 sq ft each; 4.0469 ha.
    expect(formatArea(40_468.564224, 'ft, ac')).toBe('10.00 ac');
    expect(formatArea(40_468.564224, 'ft, sq ft')).toBe('435,600 sq ft');
    expect(formatArea(40_468.564224, 'm, ha')).toBe('4.05 ha');
  });

  test('the scale bar has the longest round lengths that fit', () => {
    // 90 px of 4 m are 360 m: 300 m, and 1,181 ft: 1,000 ft = 304.8 m = 76.2 px.
    expect(scaleSteps(4, 90)).toEqual({
      feet: { pixels: 76.2, words: '1,000 ft' },
      meters: { pixels: 75, words: '300 m' },
    });
    // 90 px of 100 m are 9 km and 5.59 mi.
    expect(scaleSteps(100, 90)).toEqual({
      feet: { pixels: 80.5, words: '5 mi' },
      meters: { pixels: 50, words: '5 km' },
    });
  });

  test('the ratio counts a pixel as 1/96 inch', () => {
    // The equator, 40,075,017 m, over 512 px at zoom 0: 78,271.5 m; 4 m to a pixel are 1 : 15,118.
    expect(metersPerPixel(0, 0)).toBeCloseTo(78_271.5, 0);
    expect(scaleRatio(4)).toBe('1 : 15,000');
    expect(formatPlace(-71.83164, 44.10271)).toBe('44.1027, −71.8316');
  });
});

describe('sides of a lot', () => {
  /** A square of 0.001° near the equator: 111.2 m each way, one side with a vertex in its middle. */
  const square = [
    [0, 0],
    [0.0005, 0],
    [0.001, 0],
    [0.001, 0.001],
    [0, 0.001],
    [0, 0],
  ];

  test('run from corner to corner; a vertex on the way is none', () => {
    const sides = sidesOf({ type: 'Polygon', coordinates: [square] });
    expect(sides.map(({ meters }) => Math.round(meters))).toEqual([111, 111, 111, 111]);
    expect(sides[0]?.middle.map((one) => Number(one.toFixed(6)))).toEqual([0.0005, 0]);
  });

  test('of several parts are all of them', () => {
    expect(sidesOf({ type: 'MultiPolygon', coordinates: [[square], [square]] }).length).toBe(8);
  });
});

test('distinguishes a self-crossing ring from one that turns inwards', () => {
  const ring = (...corners: [number, number][]) => ({
    type: 'Polygon' as const,
    coordinates: [[...corners, corners[0] as [number, number]]],
  });
  expect(crossesItself(ring([0, 0], [2, 2], [2, 0], [0, 2]))).toBe(true);
  expect(crossesItself(ring([0, 0], [4, 0], [4, 4], [2, 1], [0, 4]))).toBe(false);
  expect(
    crossesItself({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ],
    }),
  ).toBe(false);
});

describe('an area as text', () => {
  test('comes back as it was drawn', () => {
    const polygon = {
      type: 'Polygon' as const,
      coordinates: [
        [
          [-72.1, 43.2],
          [-72, 43.2],
          [-72, 43.3],
          [-72.1, 43.2],
        ],
      ],
    };
    expect(toWkt(polygon)).toBe('POLYGON ((-72.1 43.2, -72 43.2, -72 43.3, -72.1 43.2))');
    expect(parseArea(toWkt(polygon))).toEqual(polygon);
  });

  test('of another kind or in disorder is not drawn', () => {
    expect(parseArea('POINT (1 2)')).toBeNull();
    expect(parseArea('POLYGON ((1 2, 3')).toBeNull();
    expect(parseArea('MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))')?.coordinates.length).toBe(2);
  });
});

describe('classes', () => {
  test('the legend says each class in words, the darkest is the most', () => {
    const fill = fillByName('value_per_acre');
    const classes = fillClasses(fill, { limits: [2000, 3000, 4500, 6500], counts: [34, 78, 102, 74, 31] });
    expect(classes.map(({ words }) => words)).toEqual([
      'under 2,000',
      '2,000 to 3,000',
      '3,000 to 4,500',
      '4,500 to 6,500',
      '6,500 and more',
    ]);
    expect(classes.map(({ step, count }) => [step, count])).toEqual([
      [0, 34],
      [1, 78],
      [2, 102],
      [3, 74],
      [4, 31],
    ]);
  });

  test('a value on a limit is of the class above it, an absent one of none', () => {
    const fill = fillByName('acres');
    expect([9.9, 10, 39, 40, undefined].map((value) => classStep(fill, [10, 40], value))).toEqual([0, 2, 2, 4, null]);
    expect(classStep(fillByName('owner_type'), [], 'government')).toBe(4);
    expect(classStep(fillByName('owner_type'), [], 'something else')).toBeNull();
  });

  test('fewer classes are as far apart as possible', () => {
    expect([1, 2, 3, 4, 5].map((classes) => Array.from({ length: classes }, (_, i) => stepOf(classes, i)))).toEqual([
      [2],
      [1, 3],
      [0, 2, 4],
      [0, 1, 3, 4],
      [0, 1, 2, 3, 4],
    ]);
    expect(
      fills.every(({ kind, ...fill }) => kind === 'choice' || !('limits' in fill) || fill.limits.length === 4),
    ).toBe(true);
  });

  test('cells are shaded by quantiles of those in view', () => {
    expect(cellLimits([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual([3, 5, 7, 9]);
    expect(cellLimits([])).toEqual([1]);
    expect(cellLimits([0, 0])).toEqual([1]);
    expect(cellLimits([4, 4, 4])).toEqual([]);
  });
});

describe('pictures', () => {
  test('the hatch is a third ink and repeats without a seam', () => {
    const { width, data } = hatchImage({ lot: '#ffffff', line: '#000000' }, 2);
    const shades = Array.from({ length: width * width }, (_, i) => 1 - (data[i * 4] ?? 0) / 255);
    expect(shades.reduce((sum, one) => sum + one, 0) / shades.length).toBeCloseTo(1 / 3, 1);
    // Along a diagonal from corner to corner one color holds, across the edge of the tile too.
    expect(data[0]).toBe(data[(width - 1 + width) * 4]);
  });

  test('the QR code holds the link, with the three squares in its corners', () => {
    expect(geoLink(-71.831642, 44.102711)).toBe('geo:44.10271,-71.83164');
    const { size, path } = qrPath(geoLink(-71.831642, 44.102711));
    // A version-2 code (25 modules) takes 26 bytes at level M; this link has 22.
    expect(size).toBe(25);
    for (const corner of ['M0 0h', `M${size - 1} 0h`, `M0 ${size - 1}h`]) expect(path).toContain(corner);
  });
});

describe('Back and Forward of the view', () => {
  const at = (longitude: number, zoom = 12): View => ({ center: [longitude, 44], zoom });
  const shown = (...views: View[]) => views.reduce(withView, noViews);

  test('go through the places shown, and a new place ends the way forward', () => {
    const three = shown(at(-72), at(-71), at(-70));
    const back = stepped(three, -1);
    expect(back?.views[back.at]).toEqual(at(-71));
    expect(back && stepped(back, 1)).toEqual(three);
    const elsewhere = withView(back ?? noViews, at(-60));
    expect(elsewhere.views.map(({ center }) => center[0])).toEqual([-72, -71, -60]);
    expect([stepped(elsewhere, 1), stepped(shown(at(-72)), -1), stepped(noViews, -1)]).toEqual([null, null, null]);
  });

  test('keep twenty places, and none beside the one before', () => {
    const many = shown(...Array.from({ length: 30 }, (_, i) => at(-100 + i)));
    expect([many.views.length, many.views[0], many.at]).toEqual([20, at(-90), 19]);
    // At zoom 12 a degree of longitude is 512 × 2¹² ÷ 360 = 5,825 pixels: 200 and 300 of them.
    const one = shown(at(-72));
    expect(withView(one, at(-72 + 200 / 5825))).toBe(one);
    expect(withView(one, at(-72 + 300 / 5825)).views.length).toBe(2);
    // A degree of latitude is drawn 1 ÷ cos 44° = 1.39 times as long: 200 pixels of longitude are 278 here.
    expect(withView(one, { center: [-72, 44 + 200 / 5825], zoom: 12 }).views.length).toBe(2);
    expect(withView(one, at(-72, 12.4))).toBe(one);
    expect(withView(one, at(-72, 13)).views.length).toBe(2);
  });
});

describe('ground on a slow computer', () => {
  const both = ['relief', 'contours'] as const;

  test('relief goes first, then contours, when the median frame takes more than 200 ms', () => {
    // Sorted: 90, 150, 210, 800, 900.
    const slow = [800, 150, 210, 90, 900];
    expect(groundToLeave(slow, both, [])).toBe('relief');
    expect(groundToLeave(slow, ['contours'], [])).toBe('contours');
    expect(groundToLeave(slow, [], [])).toBeNull();
    expect(leftWords(['relief', 'contours'])).toContain('Relief and contours are off');
  });

  test('fast frames, some slow ones between them, and too few of them leave everything on', () => {
    expect(groundToLeave([16, 17, 16, 200, 3000, 3000, 16], both, [])).toBeNull();
    expect(groundToLeave([200, 200, 200, 200, 200], both, [])).toBeNull();
    expect(groundToLeave([900, 900, 900, 900], both, [])).toBeNull();
  });

  test('what the user asked back stays', () => {
    const slow = [300, 300, 300, 300, 300];
    expect(groundToLeave(slow, both, ['relief'])).toBe('contours');
    expect(groundToLeave(slow, both, both)).toBeNull();
  });
});
