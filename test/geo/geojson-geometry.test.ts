import { describe, expect, it } from 'vitest';
import { multiPolygonFromGeoJson } from '../../engine/geo/geojson-geometry.ts';
import { ring } from './shapes.ts';

const triangle = [
  [0, 0],
  [4, 0],
  [0, 4],
  [0, 0],
];
const triangleRing = ring([0, 0], [4, 0], [0, 4], [0, 0]);

function problemOf(geometry: unknown): string {
  const result = multiPolygonFromGeoJson(geometry);
  if (result.ok) throw new Error('accepted');
  return result.problem;
}

describe('GeoJSON geometry', () => {
  it('becomes polygons', () => {
    const expected = { ok: true, polygons: [[triangleRing]], point: null, repairs: [] };
    expect(multiPolygonFromGeoJson({ type: 'Polygon', coordinates: [triangle] })).toEqual(expected);
    expect(multiPolygonFromGeoJson({ type: 'MultiPolygon', coordinates: [[triangle]] })).toEqual(expected);
  });

  it('loses its heights', () => {
    const coordinates = [triangle.map((position) => [...position, 312.5])];
    expect(multiPolygonFromGeoJson({ type: 'Polygon', coordinates })).toMatchObject({ polygons: [[triangleRing]] });
    expect(multiPolygonFromGeoJson({ type: 'Point', coordinates: [1, 2, 3] })).toMatchObject({ point: [1, 2] });
  });

  it('may be a point or nothing', () => {
    expect(multiPolygonFromGeoJson({ type: 'Point', coordinates: [-72, 43] })).toEqual({
      ok: true,
      polygons: null,
      point: [-72, 43],
      repairs: [],
    });
    for (const nothing of [null, undefined]) {
      expect(multiPolygonFromGeoJson(nothing)).toEqual({ ok: true, polygons: null, point: null, repairs: [] });
    }
  });

  it('is closed where a ring is open, and says so', () => {
    expect(multiPolygonFromGeoJson({ type: 'Polygon', coordinates: [triangle.slice(0, 3)] })).toEqual({
      ok: true,
      polygons: [[triangleRing]],
      point: null,
      repairs: ['1 ring closed.'],
    });
  });

  it('keeps duplicate vertices', () => {
    const coordinates = [
      [
        [0, 0],
        [4, 0],
        [4, 0],
        [0, 4],
        [0, 0],
      ],
    ];
    expect(multiPolygonFromGeoJson({ type: 'Polygon', coordinates })).toEqual({
      ok: true,
      polygons: [[ring([0, 0], [4, 0], [4, 0], [0, 4], [0, 0])]],
      point: null,
      repairs: [],
    });
  });

  it('loses rings that are no rings, and says so', () => {
    const line = [
      [1, 1],
      [2, 1],
      [3, 1],
      [1, 1],
    ];
    const short = [
      [1, 1],
      [2, 1],
      [1, 1],
    ];
    expect(multiPolygonFromGeoJson({ type: 'Polygon', coordinates: [triangle, line, short, []] })).toEqual({
      ok: true,
      polygons: [[triangleRing]],
      point: null,
      repairs: ['2 rings with fewer than 4 points dropped.', '1 ring without area dropped.'],
    });
  });

  it('loses a polygon with its exterior, but not the others', () => {
    const coordinates = [
      [
        [
          [1, 1],
          [2, 1],
          [1, 1],
        ],
        triangle,
      ],
      [triangle],
    ];
    expect(multiPolygonFromGeoJson({ type: 'MultiPolygon', coordinates })).toEqual({
      ok: true,
      polygons: [[triangleRing]],
      point: null,
      repairs: ['1 ring with fewer than 4 points dropped.', '1 polygon without an exterior dropped.'],
    });
  });

  it('is nothing when nothing of it is left', () => {
    expect(multiPolygonFromGeoJson({ type: 'Polygon', coordinates: [] })).toMatchObject({
      polygons: null,
      point: null,
      repairs: ['1 polygon without an exterior dropped.'],
    });
    expect(multiPolygonFromGeoJson({ type: 'MultiPolygon', coordinates: [] })).toMatchObject({
      polygons: null,
      repairs: [],
    });
  });

  it.each([
    [{ type: 'LineString', coordinates: triangle }, 'Expected a Polygon, MultiPolygon or Point, found "LineString".'],
    [{ type: 'GeometryCollection', geometries: [] }, 'found "GeometryCollection".'],
    [{ type: 'x'.repeat(5000) }, `found "${'x'.repeat(38)}….`],
    [{}, 'found undefined.'],
    ['POINT(1 2)', 'Expected a GeoJSON geometry object, found "POINT(1 2)".'],
    [[1, 2], 'Expected a GeoJSON geometry object, found an array of 2.'],
    [7, 'found 7.'],
    [{ type: 'Polygon' }, 'Expected an array of rings, found undefined.'],
    [{ type: 'Polygon', coordinates: triangle }, 'Expected an array of numbers, found 0.'],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 'x'],
            [0, 1],
          ],
        ],
      },
      'Expected a finite latitude in degrees, found "x".',
    ],
    [
      { type: 'Polygon', coordinates: [[[0, 0], [1], [0, 1]]] },
      'Expected a finite latitude in degrees, found undefined.',
    ],
    [{ type: 'Polygon', coordinates: [[[Number.NaN, 0]]] }, 'Expected a finite longitude in degrees, found NaN.'],
    [{ type: 'Point', coordinates: [0, Number.POSITIVE_INFINITY] }, 'found Infinity.'],
    [{ type: 'Point', coordinates: [] }, 'Expected a finite longitude in degrees, found undefined.'],
    [{ type: 'Point', coordinates: { length: 2 } }, 'Expected an array of numbers, found an object.'],
    [
      { type: 'Point', coordinates: [1_012_345.5, 300_000] },
      'Expected a longitude from -180 to 180 degrees, found 1012345.5. Projected coordinates (feet, meters) must be reprojected',
    ],
    [{ type: 'Point', coordinates: [43, -111.5] }, 'Expected a latitude from -90 to 90 degrees, found -111.5.'],
  ])('refuses %j', (geometry, expected) => {
    expect(problemOf(geometry)).toContain(expected);
  });

  it('does not follow arrays nested without end', () => {
    let nested: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    expect(problemOf({ type: 'MultiPolygon', coordinates: nested })).toContain('Expected a finite longitude');
  });
});
