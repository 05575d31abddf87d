import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { look } from '../../../engine/importing/look.ts';
import { gdalOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { makeShapefile, writeShapefile } from '../../support/make-shapefile.ts';
import { makeZip } from '../../support/make-zip.ts';
import { importLots, lot, openLand, temporaryFolder, writeFile } from '../fixtures.ts';
import { leftovers, readParcels, refusalOf } from './reading.ts';

const nad83Feet =
  'PROJCS["NAD_1983_StatePlane_New_Hampshire_FIPS_2800_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-71.66666666666667],PARAMETER["Scale_Factor",0.9999666666666667],PARAMETER["Latitude_Of_Origin",42.5],UNIT["Foot_US",0.3048006096012192]]';

const feet = (n: number): [number, number][][] => [
  [
    [900_000 + n * 200, 200_000],
    [900_000 + n * 200, 200_100],
    [900_100 + n * 200, 200_100],
    [900_100 + n * 200, 200_000],
    [900_000 + n * 200, 200_000],
  ],
];

function feetShapefile(prj = nad83Feet) {
  const rows = Array.from({ length: 8 }, (_, n) => ({
    shape: feet(n),
    values: [`00${n}`, n < 2 ? 'PEÑA' : `OWNER ${n}`, String(n / 2)],
  }));
  const columns = [{ name: 'APN' }, { name: 'OWNER' }, { name: 'ACRES', type: 'N' }];
  const files = makeShapefile(rows, { columns, prj });
  for (const [n, value] of [900_000, 200_000, 901_500, 200_100].entries()) files.shp.writeDoubleLE(value, 36 + n * 8);
  return files;
}

describe('a look', () => {
  test('at a Shapefile tells rows, columns with samples, system, encoding and place', () => {
    const file = writeShapefile(temporaryFolder(), 'parcels', feetShapefile());
    const { kind, layers } = look(file);
    expect([kind, layers.length]).toEqual(['parcels', 1]);
    expect(layers[0]).toMatchObject({
      name: 'parcels',
      format: 'shapefile',
      rows: 8,
      encoding: 'UTF-8 (.cpg)',
      system: { name: 'NAD_1983_StatePlane_New_Hampshire_FIPS_2800_Feet' },
      isSampled: false,
      isProbablySwapped: false,
      problem: null,
      columns: [
        { name: 'APN', type: 'text', samples: ['000', '001', '002', '003', '004'] },
        { name: 'OWNER', type: 'text', samples: ['PEÑA', 'OWNER 2', 'OWNER 3', 'OWNER 4', 'OWNER 5'] },
        { name: 'ACRES', type: 'integer', samples: ['0', '0.5', '1', '1.5', '2'] },
      ],
    });
    // The box of the header in degrees is that of the shapes themselves.
    const [west = 0, south = 0] = layers[0]?.bounds ?? [];
    const first = readParcels(file)[0]?.polygons?.[0]?.[0] ?? [];
    expect([west, south]).toEqual([expect.closeTo(first[0] ?? 0, 4), expect.closeTo(first[1] ?? 0, 4)]);
  });

  test('at a zip of several layers lists them, also the one that cannot be read', () => {
    const good = Object.entries(feetShapefile());
    const bad = Object.entries(feetShapefile(nad83Feet.replaceAll('1983', '1927')));
    const file = writeFile(
      'county.zip',
      makeZip([
        ...good.map(([ending, content]) => ({ name: `a/parcels.${ending}`, content })),
        ...bad.map(([ending, content]) => ({ name: `a/old.${ending}`, content })),
      ]),
    );
    const { layers } = look(file);
    expect(layers.map(({ name, rows, problem }) => [name, rows, problem === null])).toEqual([
      ['parcels', 8, true],
      ['old', 8, false],
    ]);
    expect(layers[1]?.problem).toMatch(/county\.zip \(a\/old\.prj\): NAD27/);
    expect(leftovers()).toEqual([]);
  });

  test('at lines is fine for a layer, and tells what the shapes are; parcels have none', () => {
    const line = (n: number) => `"LINESTRING (-72.${n} 43, -72 43.${n})",${n}`;
    const file = writeFile('roads.csv', `wkt,id\n${[1, 2, 3].map(line).join('\n')}\n`);
    expect(look(file, { purpose: 'layer' }).layers[0]).toMatchObject({
      shapes: 'lines',
      bounds: [-72.3, 43, -72, 43.3],
      problem: null,
    });
    expect(look(file).layers[0]).toMatchObject({ shapes: null, problem: expect.stringContaining('a line') as string });
    const areas = writeShapefile(temporaryFolder(), 'parcels', feetShapefile());
    expect(look(areas, { purpose: 'layer' }).layers[0]).toMatchObject({ shapes: 'polygons', problem: null });
  });

  test('at degrees that are swapped says so', () => {
    const rows = Array.from({ length: 3 }, (_, n) => `"POINT (43.${n} -72)",${n}`);
    const [layer] = look(writeFile('parcels.csv', `wkt,apn\n${rows.join('\n')}\n`)).layers;
    expect(layer).toMatchObject({
      format: 'csv',
      rows: 3,
      isProbablySwapped: true,
      isSampled: true,
      bounds: [43, -72, 43.2, -72],
    });
    expect(layer?.columns.map(({ name, type }) => [name, type])).toEqual([['apn', 'integer']]);
  });

  test('at a table without shapes tells what can be joined; leading zeros are text', () => {
    const { kind, layers } = look(writeFile('roll.csv', 'PID,VALUE,ACRES\n0001,12,1.5\n0002,13,2\n'));
    expect(kind).toBe('table');
    expect(layers[0]).toMatchObject({
      format: 'csv',
      rows: 2,
      encoding: 'UTF-8',
      columns: [
        { name: 'PID', type: 'text', samples: ['0001', '0002'] },
        { name: 'VALUE', type: 'integer', samples: ['12', '13'] },
        { name: 'ACRES', type: 'number', samples: ['1.5', '2'] },
      ],
    });
  });

  test('at a long file counts no rows that it did not see', () => {
    const rows = Array.from({ length: 1500 }, (_, n) =>
      JSON.stringify({ type: 'Feature', geometry: null, properties: { apn: `${n}` } }),
    );
    expect(look(writeFile('parcels.txt', rows.join('\n'))).layers[0]).toMatchObject({
      rows: null,
      format: 'geojson-lines',
    });
  });

  test('at another home shows its counties', async () => {
    const land = openLand();
    await importLots(land, [lot('1', 0), lot('2', 1)]);
    const copy = path.join(temporaryFolder(), 'copy.sqlite');
    land.file.run('VACUUM INTO ?', copy);
    expect(look(copy).layers[0]).toMatchObject({ name: '33019', format: 'land', rows: 2 });
  });

  test('at a home that is closed leaves no log files beside it, and changes no byte', async () => {
    const home = temporaryFolder();
    const land = openLand(home);
    await importLots(land, [lot('1', 0)]);
    land.close();
    const file = path.join(home, 'land.sqlite');
    const [before, names] = [fs.readFileSync(file), fs.readdirSync(home)];
    expect(names).toEqual(['land.sqlite', 'undo']);
    expect(look(file).layers[0]?.rows).toBe(1);
    expect(fs.readdirSync(home)).toEqual(names);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });

  test('at what is neither parcels nor a table refuses it for that', () => {
    expect(refusalOf(() => look(writeFile('x.pdf', '%PDF-1.4'))).message).toContain('a PDF');
    expect(refusalOf(() => look('/nowhere/x')).code).toBe('file_missing');
  });
});

const hasGdal = gdalOrSkip('a look at GeoPackage and FlatGeobuf');

test.runIf(hasGdal)('a look at GeoPackage lists its layers with their own counts and types', () => {
  const folder = temporaryFolder();
  const shp = writeShapefile(folder, 'parcels', feetShapefile());
  const file = path.join(folder, 'county.gpkg');
  ogr2ogr('-f', 'GPKG', '-a_srs', 'EPSG:3437', file, shp, '-nln', 'parcels');
  ogr2ogr('-f', 'GPKG', '-update', '-a_srs', 'EPSG:3437', file, shp, '-nln', 'roads', '-where', "APN < '003'");
  const { layers } = look(file);
  expect(layers.map(({ name, rows, system }) => [name, rows, system?.code])).toEqual([
    ['parcels', 8, 3437],
    ['roads', 3, 3437],
  ]);
  expect(refusalOf(() => readParcels(file)).message).toContain('"parcels", "roads"');
  expect(readParcels(file, { layer: 'roads' })).toHaveLength(3);
  ogr2ogr('-f', 'FlatGeobuf', '-a_srs', 'EPSG:3437', path.join(folder, 'county.fgb'), shp);
  expect(look(path.join(folder, 'county.fgb')).layers[0]).toMatchObject({
    format: 'flatgeobuf',
    rows: 8,
    system: { code: 3437 },
  });
  expect(fs.readdirSync(folder).filter((name) => /-(?:wal|shm|journal)$/.test(name))).toEqual([]);
});

test('a look tells flood zones, buildings and streams from parcels', () => {
  const folder = temporaryFolder();
  const { geometry } = lot('1', 0);
  const file = (name: string, properties: object, shape: unknown = geometry) =>
    writeFile(
      name,
      JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry: shape, properties }] }),
      folder,
    );
  const line = {
    type: 'LineString',
    coordinates: [
      [-72, 43],
      [-72.1, 43],
    ],
  };
  const contentOf = (path: string) => look(path, { purpose: 'layer' }).layers[0]?.content;
  expect(contentOf(file('a.geojson', { FLD_ZONE: 'AE' }))).toBe('flood');
  expect(contentOf(file('buildings.geojson', { name: '' }))).toBe('buildings');
  expect(contentOf(file('rivers.geojson', { name: 'Alder Brook' }, line))).toBe('stream');
  expect(contentOf(file('lots.geojson', { APN: '1', FLOOD_ZONE: 'AE' }))).toBeNull();
});
