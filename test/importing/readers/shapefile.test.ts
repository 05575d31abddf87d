import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { geometryHash } from '../../../engine/geo/geometry-hash.ts';
import { groupRings } from '../../../engine/importing/formats/shapefile/polygon-rings.ts';
import { gdalOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { makeShapefile, type ShapeRow, writeShapefile } from '../../support/make-shapefile.ts';
import { temporaryFolder } from '../fixtures.ts';
import { readParcels, refusalOf } from './reading.ts';

type Ring = [number, number][];

/** Clockwise, as exteriors are. */
const square = (west: number, south: number, size: number): Ring => [
  [west, south],
  [west, south + size],
  [west + size, south + size],
  [west + size, south],
  [west, south],
];
const hole = (west: number, south: number, size: number): Ring => square(west, south, size).reverse();

const columns = [{ name: 'apn' }, { name: 'owner' }, { name: 'acres', type: 'N' }];
const row = (shape: ShapeRow['shape'], ...values: string[]): ShapeRow => ({ shape, values });
const write = (rows: readonly ShapeRow[], more = {}) =>
  writeShapefile(temporaryFolder(), 'parcels', makeShapefile(rows, { columns, ...more }));

describe('a Shapefile', () => {
  test('gives texts as they stand, null for nothing, shapes in degrees', () => {
    const [first, second] = readParcels(
      write([row([square(-72, 43, 1)], '00012', ' PEÑA ', '2.50'), row(null, '', '', '***')]),
    );
    expect(first?.properties).toEqual({ apn: '00012', owner: 'PEÑA', acres: '2.50' });
    expect(first?.polygons?.[0]?.[0]).toEqual(Float64Array.of(-72, 43, -72, 44, -71, 44, -71, 43, -72, 43));
    expect(second).toEqual({
      properties: { apn: null, owner: null, acres: null },
      polygons: null,
      point: null,
      problem: null,
    });
  });

  // Programs pad doubles: QGIS, geopandas and ogr2ogr to N 24.15, ArcGIS to F 19.11 with an exponent.
  test.each([
    ['N', '1234567.000000000000000', '1234567'],
    ['N', '00012.00', '00012'],
    ['N', '12345.', '12345'],
    ['N', '-7.000', '-7'],
    ['N', '.000', '0'],
    ['N', '-0.000', '0'],
    ['N', '12.500000000000000', '12.500000000000000'],
    ['N', '1200', '1200'],
    ['F', '1.23456789000e+09', '1234567890'],
    ['F', '0.00000000000e+00', '0'],
    ['F', '-4.20000000000E+001', '-42'],
    ['F', '1.25000000000e-01', '1.25000000000e-01'],
    ['F', '1.23456789000e+19', '1.23456789000e+19'],
    // A text is not a number.
    ['C', '1234567.000', '1234567.000'],
    ['C', '1.23e+09', '1.23e+09'],
  ])('gives a whole number of type %s without its padding: %s is %s', (type, written, read) => {
    const padded = [{ name: 'apn' }, { name: 'value', type, length: 24 }];
    const one = readParcels(write([row(null, '1', written)], { columns: padded }));
    // A row with a non-ASCII name is read another way.
    const other = readParcels(write([row(null, 'É', written)], { columns: padded }));
    expect([one[0]?.properties.value, other[0]?.properties.value]).toEqual([read, read]);
  });

  test.each([15, 25])('of type %d loses its heights and measures', (type) => {
    const flat = readParcels(write([row([square(-72, 43, 1), hole(-71.8, 43.2, 0.1)], '1', '', '')]));
    expect(readParcels(write([row([square(-72, 43, 1), hole(-71.8, 43.2, 0.1)], '1', '', '')], { type }))).toEqual(
      flat,
    );
  });

  test.each([1, 11, 21])('of points (type %d) gives points', (type) => {
    expect(readParcels(write([row([-72, 43], '1', '', '')], { type }))[0]).toMatchObject({
      point: [-72, 43],
      polygons: null,
    });
  });

  test('passes over rows that are marked as deleted, with their shapes', () => {
    const rows = [
      row([square(-72, 43, 1)], '1', '', ''),
      { ...row([square(-71, 43, 1)], '2', '', ''), isDeleted: true },
      row([square(-70, 43, 1)], '3', '', ''),
    ];
    expect(
      readParcels(write(rows)).map(({ properties, polygons }) => [properties.apn, polygons?.[0]?.[0]?.[0]]),
    ).toEqual([
      ['1', -72],
      ['3', -70],
    ]);
  });

  test.each([
    ['UTF-8', 'utf8'],
    ['1252', 'latin1'],
    ['ISO-8859-1', 'latin1'],
    ['ANSI 1252', 'latin1'],
    ['', 'utf8'],
    ['', 'latin1'],
    ['KLINGON', 'latin1'],
    ['UTF-8', 'latin1'],
  ] as const)('with the .cpg %j and text in %s keeps its names', (cpg, encoding) => {
    expect(readParcels(write([row(null, 'CAFÉ', 'PEÑA', '1')], { cpg, encoding }))[0]?.properties.owner).toBe('PEÑA');
  });

  test('whose column names collide keeps them all', () => {
    const twice = [{ name: 'OWNER_NAME' }, { name: 'OWNER_NAME' }, { name: 'OWNER_NAME' }];
    expect(readParcels(write([row(null, 'A', 'B', 'C')], { columns: twice }))[0]?.properties).toEqual({
      OWNER_NAME: 'A',
      OWNER_NAME_1: 'B',
      OWNER_NAME_2: 'C',
    });
  });

  test('is found by its content, and its parts whatever the case of their endings', () => {
    const folder = temporaryFolder();
    const { shp, shx, dbf } = makeShapefile([row(null, '1', '', '')], { columns });
    fs.writeFileSync(path.join(folder, 'Parcels.dat'), shp);
    fs.writeFileSync(path.join(folder, 'PARCELS.SHX'), shx);
    fs.writeFileSync(path.join(folder, 'parcels.Dbf'), dbf);
    expect(readParcels(path.join(folder, 'Parcels.dat'))).toHaveLength(1);
  });

  test('in feet without a .prj is refused, and read with the system named', () => {
    const feet = makeShapefile([row([square(900_000, 200_000, 100)], '1', '', '')], { columns });
    for (const [n, value] of [900_000, 200_000, 900_100, 200_100].entries()) feet.shp.writeDoubleLE(value, 36 + n * 8);
    const file = writeShapefile(temporaryFolder(), 'parcels', feet);
    expect(refusalOf(() => readParcels(file)).message).toMatch(/parcels\.shp: expected a \.prj .*--crs/);
    const [longitude = 0, latitude = 0] = readParcels(file, { crs: 'EPSG:3437' })[0]?.polygons?.[0]?.[0] ?? [];
    // The false easting of 984,250 ft lies at 71°40′ west; 84,250 ft (25.7 km) west of it is about 0.31° of longitude.
    expect(longitude).toBeCloseTo(-71.98, 1);
    // 200,000 ft (60.96 km) north of 42°30′: 0.549°.
    expect(latitude).toBeCloseTo(43.049, 2);
  });

  test('with records out of order and old versions of them is read by its .shx', () => {
    const files = makeShapefile([row([square(-72, 43, 1)], '1', '', ''), row([square(-71, 43, 1)], '2', '', '')], {
      columns,
    });
    // As a program that edits in place: record 1 is written again at the end, the .shx points there.
    const length = 8 + files.shp.readInt32BE(104) * 2;
    const again = Buffer.from(files.shp.subarray(100, 100 + length));
    again.writeDoubleLE(-72.5, 8 + 44 + 4);
    const shp = Buffer.concat([files.shp, again]);
    shp.writeInt32BE(shp.length / 2, 24);
    files.shx.writeInt32BE(files.shp.length / 2, 100);
    const parcels = readParcels(writeShapefile(temporaryFolder(), 'parcels', { ...files, shp }));
    expect(parcels.map(({ properties, polygons }) => [properties.apn, polygons?.[0]?.[0]?.[0]])).toEqual([
      ['1', -72.5],
      ['2', -71],
    ]);
  });
});

describe('a folder', () => {
  test('with one layer is that layer; with several the one that is named', () => {
    const folder = temporaryFolder();
    writeShapefile(folder, 'parcels', makeShapefile([row(null, '1', '', '')], { columns }));
    fs.writeFileSync(path.join(folder, 'readme.txt'), 'Hello');
    expect(readParcels(folder)).toHaveLength(1);
    writeShapefile(folder, 'roads', makeShapefile([row(null, '1', '', ''), row(null, '2', '', '')], { columns }));
    expect(refusalOf(() => readParcels(folder)).message).toMatch(/found 2: "parcels", "roads".*--layer/);
    expect(readParcels(folder, { layer: 'ROADS' })).toHaveLength(2);
    expect(refusalOf(() => readParcels(folder, { layer: 'rivers' })).message).toContain('it has "parcels", "roads"');
  });

  test('without one is refused by name', () => {
    const error = refusalOf(() => readParcels(temporaryFolder()));
    expect([error.code, error.message]).toEqual([
      'file_missing',
      expect.stringContaining('is a folder without a layer'),
    ]);
  });
});

const hasGdal = gdalOrSkip('rings of Shapefiles against GDAL');

describe('rings', () => {
  // Each a list of rings; islands in lakes, holes before their exteriors, holes in nothing, exteriors that touch.
  const shapes: Readonly<Record<string, Ring[]>> = {
    'one square': [square(-72, 43, 1)],
    'a square the wrong way round': [hole(-72, 43, 1)],
    'a hole': [square(-72, 43, 1), hole(-71.8, 43.2, 0.3)],
    'two squares': [square(-72, 43, 1), square(-70, 43, 1)],
    'two squares, a hole in the second': [square(-72, 43, 1), square(-70, 43, 1), hole(-69.8, 43.2, 0.3)],
    'an island in a lake': [square(-72, 43, 1), hole(-71.8, 43.2, 0.6), square(-71.6, 43.4, 0.2)],
    'the island first': [square(-71.6, 43.4, 0.2), square(-72, 43, 1), hole(-71.8, 43.2, 0.6)],
    'a hole that touches its exterior in a corner': [
      square(-72, 43, 1),
      hole(-72, 43, 0.3).map(([x, y]) => [x, y] as [number, number]),
    ],
    'squares side by side': [square(-72, 43, 1), square(-71, 43, 1)],
    'nested four deep': [square(-72, 43, 1), hole(-71.9, 43.1, 0.8), square(-71.8, 43.2, 0.6), hole(-71.7, 43.3, 0.4)],
  };

  test.runIf(hasGdal).each(Object.keys(shapes))('of %s are exteriors and holes as GDAL has them', (name) => {
    const rings = shapes[name] ?? [];
    const file = write([row(rings, '1', '', '')]);
    const folder = temporaryFolder();
    ogr2ogr('-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=12', path.join(folder, 'out.geojson'), file);
    const [ours] = readParcels(file);
    const [theirs] = readParcels(path.join(folder, 'out.geojson'));
    const counts = (polygons: typeof ours) => polygons?.polygons?.map((each) => each.length).sort();
    expect(counts(ours)).toEqual(counts(theirs));
    expect(ours?.polygons && geometryHash(ours.polygons)).toBe(theirs?.polygons && geometryHash(theirs.polygons));
  });

  // GDAL takes a single clockwise ring for the exterior of all the others, without looking where they lie: a hole outside of its
  // polygon, or around it. Neither is a shape; here the rings decide by their places.
  test('of a single clockwise ring hold only what lies in it', () => {
    const outside = readParcels(write([row([square(-72, 43, 1), hole(-60, 43, 0.3)], '1', '', '')]));
    expect(outside[0]?.polygons?.map((rings) => rings.length)).toEqual([1, 1]);
    const around = readParcels(write([row([hole(-72, 43, 1), square(-71.8, 43.2, 0.3)], '1', '', '')]));
    expect(around[0]?.polygons?.map((rings) => rings.map((ring) => ring[0]))).toEqual([[-72, -71.8]]);
  });

  test('lose none, however they lie', () => {
    const flat = Object.values(shapes).map((rings) => rings.map((ring) => Float64Array.from(ring.flat())));
    for (const rings of flat) expect(groupRings(rings).flat().length).toBe(rings.length);
  });
});

test('reads 100,000 parcels within 100 MB of additional memory', () => {
  const rows = Array.from({ length: 100_000 }, (_, n) =>
    row([square(-72 + (n % 300) / 1000, 43 + n / 1e6, 0.0009)], String(n), `OWNER ${n}`, '1.5'),
  );
  const file = write(rows);
  const script = `
    const { readParcelFile } = await import(process.argv[1]);
    const { readFeatureGeometry } = await import(process.argv[2]);
    const before = process.memoryUsage().rss;
    let rows = 0;
    let most = 0;
    for (const { geometry } of readParcelFile(process.argv[3])) {
      if (readFeatureGeometry(geometry).ok) rows++;
      if (rows % 1000 === 0) most = Math.max(most, process.memoryUsage().rss);
    }
    console.log(rows, Math.round((most - before) / 1e6));`;
  const engine = path.resolve(import.meta.dirname, '..', '..', '..', 'engine');
  const modules = [
    path.join(engine, 'importing', 'formats', 'parcel-reader.ts'),
    path.join(engine, 'geo', 'ring-geometry.ts'),
  ];
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, ...modules, file], {
    encoding: 'utf8',
  });
  const [count, megabytes] = output.trim().split(' ').map(Number);
  expect(count).toBe(100_000);
  expect(megabytes).toBeLessThan(100);
});
