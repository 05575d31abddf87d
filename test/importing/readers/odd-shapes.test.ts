/** Shapes that are read otherwise than drawn: arcs, collections, and those across longitude 180. */
import { describe, expect, test } from 'vitest';
import { planarRingArea } from '../../../engine/geo/geometry.ts';
import { readFeatureGeometry, readFeatureLines } from '../../../engine/geo/ring-geometry.ts';
import { wgs84 } from '../../../engine/importing/formats/crs/reference-system.ts';
import { readWkb } from '../../../engine/importing/formats/shapes/wkb.ts';
import { readWktShape } from '../../../engine/importing/formats/shapes/wkt-shape.ts';
import { checkLines } from '../../../engine/spec/import-checks.ts';
import { importLots, lot, openLand, square } from '../fixtures.ts';

/** Coordinates stay as they are: arcs are measured in the units of their file. */
const asDrawn = { ...wgs84, toWgs84: () => {} };

const head = (type: number, count?: number): Buffer => {
  const bytes = Buffer.alloc(count === undefined ? 5 : 9);
  bytes[0] = 1;
  bytes.writeUInt32LE(type, 1);
  if (count !== undefined) bytes.writeUInt32LE(count, 5);
  return bytes;
};
const group = (type: number, ...members: Buffer[]): Buffer => Buffer.concat([head(type, members.length), ...members]);
const doubles = (values: number[]): Buffer => Buffer.from(Float64Array.from(values).buffer);
const path = (type: 2 | 8, ...values: number[]): Buffer =>
  Buffer.concat([head(type, values.length / 2), doubles(values)]);
const point = (x: number, y: number): Buffer => Buffer.concat([head(1), doubles([x, y])]);
/** Two half circles. */
const circle = (x: number, y: number, r: number) => path(8, x + r, y, x, y + r, x - r, y, x, y - r, x + r, y);
const ringsOf = (wkb: Buffer) => readWkb(wkb, asDrawn)?.polygons ?? [];
const areaOf = (ring: Float64Array | undefined) => Math.abs(planarRingArea(ring ?? new Float64Array()));

describe('arcs', () => {
  test('enclose the area of their circles within 0.1 %, holes too, 0.1 m at a radius of 5 km', () => {
    // In metres of a projected system, with its large coordinates.
    const [[outer, hole] = []] = ringsOf(group(10, circle(500_000, 4_600_000, 5000), circle(500_100, 4_600_200, 40)));
    expect(Math.abs(areaOf(outer) / (Math.PI * 5000 ** 2) - 1)).toBeLessThan(0.001);
    expect(Math.abs(areaOf(hole) / (Math.PI * 40 ** 2) - 1)).toBeLessThan(0.001);
    const middles = Array.from({ length: (outer as Float64Array).length / 2 - 1 }, (_, at) => {
      const [x = 0, y = 0, nextX = 0, nextY = 0] = (outer as Float64Array).subarray(2 * at, 2 * at + 4);
      return 5000 - Math.hypot((x + nextX) / 2 - 500_000, (y + nextY) / 2 - 4_600_000);
    });
    expect(Math.max(...middles)).toBeLessThan(0.1);
    expect(Math.min(...middles)).toBeGreaterThanOrEqual(0);
  });

  test('join lines, turn either way, and may be a whole circle of three points', () => {
    // A half circle over a box of 20 by 10: 200 + 50 π; bulging inwards: 200 − 50 π.
    const box = path(2, 20, 0, 20, 10, 0, 10, 0, 0);
    const lotOf = (bulge: number) => ringsOf(group(10, group(9, path(8, 0, 0, 10, bulge, 20, 0), box)))[0]?.[0];
    expect(areaOf(lotOf(-10))).toBeCloseTo(200 + 50 * Math.PI, 1);
    expect(areaOf(lotOf(10))).toBeCloseTo(Math.abs(200 - 50 * Math.PI), 1);
    const [[whole] = []] = ringsOf(group(10, path(8, 3, 0, -3, 0, 3, 0)));
    expect(areaOf(whole)).toBeCloseTo(9 * Math.PI, 2);
    // Three points of one line have no circle.
    const flat = readWkb(group(11, path(8, 0, 0, 1, 1, 2, 2)), asDrawn)?.lines;
    expect(flat).toEqual([Float64Array.of(0, 0, 1, 1, 2, 2)]);
  });

  test('of a few bytes do not fill the memory', () => {
    const half = (x: number) => [x, 0, x + 1, 1, x + 2, 0];
    const many = path(8, ...Array.from({ length: 6000 }, (_, at) => half(2 * at).slice(at === 0 ? 0 : 2)).flat());
    expect(readWkb(group(10, many), asDrawn)?.problem).toMatch(/at most 1000000 vertices/);
  });

  test('of a lot are said', async () => {
    const geometry = readWkb(group(12, group(10, circle(-71.995, 43.005, 0.001))), wgs84);
    const report = await importLots(openLand(), [{ ...lot('Q-7', 0), geometry }, lot('Q-8', 3)]);
    expect(report).toMatchObject({ new: 2, refused: { count: 0 }, without_geometry: 0 });
    const line = checkLines([report], 2).find(({ id }) => id === 'notes');
    expect(line).toMatchObject({ count: 1, words: 'arcs drawn as short straight edges in 1' });
  });
});

describe('a collection', () => {
  const polygon = square(4);
  const text = `POLYGON((${polygon.coordinates[0]?.map((place) => place.join(' ')).join(',')}))`;
  const ring = Float64Array.from(polygon.coordinates[0]?.flat() ?? []);
  const wkbPolygon = Buffer.concat([head(3, 1), head(0, ring.length / 2).subarray(5), doubles([...ring])]);
  const inJson = (...geometries: unknown[]) => ({ type: 'GeometryCollection', geometries });
  const inText = (words: string) => readWktShape(`GEOMETRYCOLLECTION(${words})`, () => wgs84);
  const label = { type: 'Point', coordinates: [-71.9, 43] };
  const line = {
    type: 'LineString',
    coordinates: [
      [-71.9, 43],
      [-71.8, 43],
    ],
  };
  const alone: [string, unknown][] = [
    ['GeoJSON', inJson(polygon)],
    ['GeoJSON, in another', inJson(inJson(polygon))],
    ['WKB', readWkb(group(7, wkbPolygon), wgs84)],
    ['WKT', inText(text)],
  ];
  const mixed: [string, unknown][] = [
    ['GeoJSON', inJson(label, polygon, line)],
    ['WKB', readWkb(group(7, point(-71.9, 43), wkbPolygon, path(2, -71.9, 43, -71.8, 43)), wgs84)],
    ['WKT', inText(`POINT(-71.9 43), ${text}, LINESTRING(-71.9 43, -71.8 43)`)],
  ];

  test.each(alone)('with one polygon is that polygon (%s)', (_, geometry) => {
    expect(readFeatureGeometry(geometry)).toMatchObject({ ok: true, polygons: [[ring]] });
    expect((readFeatureGeometry(geometry) as { notes?: string[] }).notes ?? []).toEqual([]);
  });

  test.each(mixed)('with points and lines besides is its polygons, said (%s)', (_, geometry) => {
    const notes = ['points or lines beside the polygons left out'];
    expect(readFeatureGeometry(geometry)).toMatchObject({ ok: true, polygons: [[ring]], notes });
  });

  test('of lines is its lines; of points alone no parcel', () => {
    expect(readFeatureLines(inJson(line, label))).toMatchObject({
      ok: true,
      lines: [Float64Array.of(-71.9, 43, -71.8, 43)],
    });
    expect(readFeatureGeometry(inJson(label, label))).toMatchObject({ ok: false });
    expect(readFeatureGeometry(inJson(label))).toMatchObject({ ok: true, point: [-71.9, 43] });
  });
});

test('a lot across longitude 180 has its point on it, and its acres, with its hole', async () => {
  const across = [
    [179.99, 52],
    [-179.98, 52],
    [-179.98, 52.02],
    [179.99, 52.02],
    [179.99, 52],
  ];
  const hole = [
    [179.998, 52.005],
    [-179.998, 52.005],
    [-179.998, 52.01],
    [179.998, 52.01],
    [179.998, 52.005],
  ];
  const beside = (rings: number[][][], by: number) =>
    rings.map((one) => one.map(([x = 0, y = 0]) => [(x < 0 ? x + 360 : x) - by, y]));
  const land = openLand();
  await importLots(land, [
    { properties: { apn: 'T-1' }, geometry: { type: 'Polygon', coordinates: [across, hole] } },
    // The same lot half a degree west.
    { properties: { apn: 'T-2' }, geometry: { type: 'Polygon', coordinates: beside([across, hole], 0.5) } },
  ]);
  const [lot180, west] = land.file.all<{ point_lon: number; calculated_acres: number }>(
    'SELECT point_lon, calculated_acres FROM parcels ORDER BY apn',
  );
  expect(Math.abs(lot180?.point_lon ?? 0)).toBeGreaterThan(179.98);
  expect(lot180?.calculated_acres).toBeCloseTo(west?.calculated_acres ?? 0, 1);
});
