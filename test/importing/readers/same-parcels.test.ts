/** The same parcels in every format are the same rows. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { geometryHash } from '../../../engine/geo/geometry-hash.ts';
import { decodeMultiPolygon } from '../../../engine/geo/spatialite-blob.ts';
import type { Mapping } from '../../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { gdalOrSkip, gdalWritesOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { makeZip } from '../../support/make-zip.ts';
import { realDataOrSkip, sharedData } from '../../support/shared-data.ts';
import { clock, openLand, temporaryFolder } from '../fixtures.ts';
import { leftovers, metersBetween, readParcels } from './reading.ts';

/** New Hampshire, US survey feet: the rule in the country. */
const statePlane = 'EPSG:3437';

const hasGdal = gdalOrSkip('the same parcels in every format');
const writesGdb = hasGdal && gdalWritesOrSkip('File Geodatabases', 'OpenFileGDB');

function zipOf(folder: string, names: readonly string[], target: string, inside = ''): string {
  const zip = path.join(target, `${names.length}-files.zip`);
  const entries = names.map((name) => ({
    name: `${inside}${name}`,
    content: fs.readFileSync(path.join(folder, name)),
  }));
  fs.writeFileSync(zip, makeZip(entries));
  return zip;
}

interface Formats {
  /** What ogr2ogr itself makes of the Shapefile in degrees. */
  readonly reference: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The features of a GeoJSON file in feet and in degrees, in every format that is read. */
function makeFormats(source: string, select: readonly string[], folder: string): Formats {
  const at = (name: string) => path.join(folder, name);
  const multi = ['-nlt', 'PROMOTE_TO_MULTI'];
  ogr2ogr(
    '-f',
    'ESRI Shapefile',
    '-t_srs',
    statePlane,
    ...select,
    ...multi,
    '-lco',
    'ENCODING=CP1252',
    at('parcels.shp'),
    source,
  );
  const fine = ['-lco', 'COORDINATE_PRECISION=12'];
  ogr2ogr('-f', 'GeoJSON', '-t_srs', 'EPSG:4326', ...fine, at('parcels.geojson'), at('parcels.shp'));
  ogr2ogr('-f', 'GPKG', ...multi, at('parcels.gpkg'), at('parcels.shp'));
  ogr2ogr('-f', 'FlatGeobuf', ...multi, '-lco', 'SPATIAL_INDEX=NO', at('parcels.fgb'), at('parcels.shp'));
  ogr2ogr('-f', 'GeoJSONSeq', ...fine, at('parcels.geojsonl'), at('parcels.geojson'));
  ogr2ogr('-f', 'GeoJSON', '-lco', 'RFC7946=NO', ...fine, at('feet.geojson'), at('parcels.shp'));
  ogr2ogr(
    '-f',
    'CSV',
    '-lco',
    'GEOMETRY=AS_WKT',
    '-lco',
    'STRING_QUOTING=ALWAYS',
    at('parcels.csv'),
    at('parcels.geojson'),
  );
  ogr2ogr('-f', 'KML', at('parcels.kml'), at('parcels.geojson'));
  ogr2ogr('-f', 'GML', at('parcels.gml'), at('parcels.shp'));
  ogr2ogr('-f', 'MapInfo File', '-dsco', 'FORMAT=MIF', at('parcels.mif'), at('parcels.shp'));
  // A TAB keeps whole numbers: in these bounds they are ten-thousandths of a foot.
  ogr2ogr('-f', 'MapInfo File', '-lco', 'BOUNDS=800000,0,1200000,400000', at('parcels.tab'), at('parcels.shp'));
  if (writesGdb) ogr2ogr('-f', 'OpenFileGDB', ...multi, at('parcels.gdb'), at('parcels.shp'));
  const members = ['shp', 'shx', 'dbf', 'prj', 'cpg'].map((ending) => `parcels.${ending}`);
  const geodatabase = writesGdb ? fs.readdirSync(at('parcels.gdb')) : [];
  return {
    reference: at('parcels.geojson'),
    files: {
      'GeoJSON in degrees': at('parcels.geojson'),
      'GeoJSON in feet': at('feet.geojson'),
      'newline GeoJSON': at('parcels.geojsonl'),
      'plain Shapefile': at('parcels.shp'),
      'zipped Shapefile': zipOf(folder, members, folder),
      GeoPackage: at('parcels.gpkg'),
      'zipped GeoPackage': zipOf(folder, ['parcels.gpkg'], folder),
      FlatGeobuf: at('parcels.fgb'),
      'CSV with WKT': at('parcels.csv'),
      KML: at('parcels.kml'),
      'GML in feet': at('parcels.gml'),
      'MapInfo MIF in feet': at('parcels.mif'),
      'MapInfo TAB in feet': at('parcels.tab'),
      ...(writesGdb
        ? {
            'File Geodatabase folder': at('parcels.gdb'),
            'zipped File Geodatabase': zipOf(at('parcels.gdb'), geodatabase, folder, 'county/parcels.gdb/'),
          }
        : {}),
    },
  };
}

/**
 * Rows of the parcels table, without ids. Shapes are compared vertex by vertex elsewhere; the point on a shape may
 * differ among equally good ones if its ring begins elsewhere.
 */
async function importRows(file: string, mapping: Mapping): Promise<Record<string, unknown>[]> {
  const land = openLand();
  const report = await importParcels(land, {
    files: [file],
    fips: '33019',
    source: 'Test county',
    date: '2026-07-01',
    homeKind: 'real',
    mapping,
    now: clock,
  });
  expect(report).toMatchObject({ refused: { count: 0 } });
  const all = land.file.all<Record<string, unknown>>('SELECT * FROM parcels ORDER BY apn, owner_name');
  return all.map(({ geom, point_lon, point_lat, property_id, ...row }) => ({
    ...row,
    hasShape: geom !== null,
    hasPoint: point_lon !== null && point_lat !== null,
  }));
}

const corners = (polygons: ReturnType<typeof readParcels>[number]['polygons']): number[][] =>
  (polygons ?? [])
    .flat()
    .flatMap((ring) => Array.from({ length: ring.length / 2 }, (_, n) => [...ring.slice(2 * n, 2 * n + 2)]));

/** The largest distance of a corner from the nearest corner of the same parcel in the reference; meters. */
function worstDistance(actual: number[][], expected: number[][]): number {
  expect(actual.length).toBe(expected.length);
  const inOrder = Math.max(...actual.map((corner, n) => metersBetween(corner, expected[n] ?? [])));
  if (inOrder < 0.01) return inOrder;
  // Some writers turn rings or sort parts.
  return Math.max(...actual.map((corner) => Math.min(...expected.map((other) => metersBetween(corner, other)))));
}

function expectSameShapes(formats: Formats): void {
  const reference = new Map(readParcels(formats.reference).map((parcel) => [parcel.properties.id, parcel]));
  for (const [format, file] of Object.entries(formats.files)) {
    const parcels = readParcels(file);
    expect(parcels.length, format).toBe(reference.size);
    for (const { properties, polygons, problem } of parcels) {
      expect(problem).toBeNull();
      const worst = worstDistance(corners(polygons), corners(reference.get(properties.id)?.polygons ?? null));
      expect(worst, `${format}, ${String(properties.id)}`).toBeLessThan(0.01);
    }
  }
}

async function expectSameRows(formats: Formats, mapping: Mapping): Promise<Record<string, unknown>[]> {
  const first = await importRows(formats.reference, mapping);
  for (const [format, file] of Object.entries(formats.files)) {
    expect(await importRows(file, mapping), format).toEqual(first);
  }
  expect(leftovers()).toEqual([]);
  return first;
}

const ring = (west: number, south: number, size: number, isHole = false): number[][] => {
  const corner = [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ];
  return isHole ? corner.toReversed() : corner;
};

/** Invented lots: names beyond ASCII, APNs with leading zeros, holes, several parts, an island in a lake, an APN of 18 digits. */
function syntheticLots(): unknown {
  const shapes = [
    { type: 'Polygon', coordinates: [ring(-72.1, 43.1, 0.001)] },
    { type: 'Polygon', coordinates: [ring(-72.11, 43.11, 0.004), ring(-72.109, 43.111, 0.002, true)] },
    { type: 'MultiPolygon', coordinates: [[ring(-72.12, 43.12, 0.001)], [ring(-72.125, 43.12, 0.002)]] },
    {
      type: 'MultiPolygon',
      coordinates: [
        [ring(-72.13, 43.13, 0.006), ring(-72.129, 43.131, 0.004, true)],
        [ring(-72.128, 43.132, 0.001)],
        [ring(-72.14, 43.13, 0.001), ring(-72.1398, 43.1302, 0.0003, true)],
      ],
    },
  ];
  const owners = ['PEÑA JOSÉ', 'CAFÉ ÉLAN LLC', 'O’BRIEN — “SONS”', 'MÜLLER & SØN'];
  const features = shapes.map((geometry, index) => ({
    type: 'Feature',
    geometry,
    properties: {
      id: `00${index}`,
      long_id: `12000151000000000${index}`,
      owner: owners[index],
      acres: index + 0.25,
      year: index === 2 ? null : 1990 + index,
    },
  }));
  return { type: 'FeatureCollection', features };
}

describe.runIf(hasGdal)('invented lots', () => {
  let formats: Formats;
  const mapping: Mapping = {
    name: 'test',
    columns: { apn: 'id', external_id: 'long_id', owner_name: 'owner', acres: 'acres', year_built: 'year' },
  };

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-lots-'));
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    const source = path.join(folder, 'lots.geojson');
    fs.writeFileSync(source, JSON.stringify(syntheticLots()));
    formats = makeFormats(source, [], folder);
  });

  test('have the corners that ogr2ogr gives them, within a centimetre', () => {
    expectSameShapes(formats);
  });

  test('are the same rows from every format: names, leading zeros and long numbers intact', async () => {
    const rows = await expectSameRows(formats, mapping);
    expect(rows.map(({ apn, owner_name, external_id }) => [apn, owner_name, external_id])).toEqual([
      ['000', 'PEÑA JOSÉ', '120001510000000000'],
      ['001', 'CAFÉ ÉLAN LLC', '120001510000000001'],
      ['002', 'O’BRIEN — “SONS”', '120001510000000002'],
      ['003', 'MÜLLER & SØN', '120001510000000003'],
    ]);
  });

  test('of a Shapefile have the parts and holes that GDAL finds', () => {
    const parts = readParcels(formats.files['plain Shapefile'] ?? '').map(({ polygons }) =>
      polygons?.map((rings) => rings.length).sort(),
    );
    // A square; one with a hole; two squares; a square with a lake, the island in it, and another with a hole.
    expect(parts).toEqual([[1], [2], [1, 1], [1, 2, 2]]);
  });

  test('are the same shapes after another program wrote them', () => {
    const hashes = (file: string) => readParcels(file).map(({ polygons }) => polygons && geometryHash(polygons));
    expect(hashes(formats.files.GeoPackage ?? '')).toEqual(hashes(formats.files['plain Shapefile'] ?? ''));
  });
});

const hasData = realDataOrSkip('real parcels in every format') && hasGdal;

describe.runIf(hasData)('2,016 real parcels', () => {
  test('are the same in every format, within a centimetre of ogr2ogr, and the same rows', async () => {
    const source = path.join(sharedData() ?? '', 'washington_nh', 'parcels.geojson');
    const formats = makeFormats(source, ['-select', 'id,owner,address,use,area'], temporaryFolder());
    expectSameShapes(formats);
    const mapping: Mapping = {
      name: 'test',
      columns: { apn: 'id', owner_name: 'owner', situs_address: 'address', land_use_code: 'use', acres: 'area' },
    };
    expect(await expectSameRows(formats, mapping)).toHaveLength(2016);
  });
});

test.runIf(hasGdal)('a land.sqlite of another home gives its parcels with shapes, a county at a time', async () => {
  const land = openLand();
  const folder = temporaryFolder();
  const source = path.join(folder, 'lots.geojson');
  fs.writeFileSync(source, JSON.stringify(syntheticLots()));
  const mapping: Mapping = { name: 'test', columns: { apn: 'id', owner_name: 'owner', acres: 'acres' } };
  const options = { fips: '33019', source: 'A', date: '2026-07-01', homeKind: 'real', mapping, now: clock } as const;
  await importParcels(land, { ...options, files: [source] });
  const copy = path.join(folder, 'given.sqlite');
  land.file.run('VACUUM INTO ?', copy);
  const given = readParcels(copy);
  const byApn = given.toSorted((a, b) => String(a.properties.apn).localeCompare(String(b.properties.apn)));
  expect(byApn.map(({ properties }) => [properties.apn, properties.owner_name, properties.acres])).toEqual([
    ['000', 'PEÑA JOSÉ', 0.25],
    ['001', 'CAFÉ ÉLAN LLC', 1.25],
    ['002', 'O’BRIEN — “SONS”', 2.25],
    ['003', 'MÜLLER & SØN', 3.25],
  ]);
  const stored = land.file.column<Buffer>('SELECT geom FROM parcels ORDER BY property_id');
  expect(given.map(({ polygons }) => polygons && geometryHash(polygons))).toEqual(
    stored.map((blob) => geometryHash(decodeMultiPolygon(blob))),
  );
  expect(fs.readdirSync(folder).sort()).toEqual(['given.sqlite', 'lots.geojson']);
  // And GDAL can still open the files.
  execFileSync('ogrinfo', ['-ro', '-q', copy], { stdio: 'ignore' });
});

/** ogr2ogr, QGIS and geopandas write a PIN that is kept as a double with fifteen decimals into a Shapefile. */
test.runIf(hasGdal)('a county whose numbers are doubles is the same as Shapefile and as GeoPackage', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  const features = [0, 1, 2].map((index) => ({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [ring(-72.1 - index / 100, 43.1, 0.001)] },
    properties: { pin: `${1_234_567_000 + index}.0`, code: `${101 + index}.0`, account: `${9000 + index}.0` },
  }));
  // Without the quotes, so that they are doubles.
  const text = JSON.stringify({ type: 'FeatureCollection', features }).replace(/"(\d+\.0)"/g, '$1');
  fs.writeFileSync(at('lots.geojson'), text);
  ogr2ogr('-f', 'ESRI Shapefile', at('lots.shp'), at('lots.geojson'));
  ogr2ogr('-f', 'GPKG', at('lots.gpkg'), at('lots.geojson'));
  expect(fs.readFileSync(at('lots.dbf'), 'latin1')).toContain('1234567000.000');

  const land = openLand();
  const mapping: Mapping = {
    name: 'test',
    columns: { apn: 'pin', land_use_code: 'code', tax_account_number: 'account' },
  };
  const options = { fips: '33005', source: 'A', homeKind: 'real', mapping, now: clock } as const;
  await importParcels(land, { ...options, files: [at('lots.shp')], date: '2026-07-01' });
  const rows = () =>
    land.file.all(
      "SELECT apn, apn_key, land_use_code, tax_account_number FROM parcels WHERE status = 'current' ORDER BY 1",
    );
  const expected = [0, 1, 2].map((index) => ({
    apn: String(1_234_567_000 + index),
    apn_key: String(1_234_567_000 + index),
    land_use_code: String(101 + index),
    tax_account_number: String(9000 + index),
  }));
  expect(rows()).toEqual(expected);
  const report = await importParcels(land, { ...options, files: [at('lots.gpkg')], date: '2026-08-01' });
  expect(report).toMatchObject({ new: 0, retired: 0 });
  expect(rows()).toEqual(expected);
});
