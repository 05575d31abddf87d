/** Files made to harm who reads them: SQL in a schema, values without end, columns without number, damaged directories. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ElevationRaster } from '../../../engine/enrichment/elevation-raster.ts';
import { openParcels } from '../../../engine/importing/formats/open-parcels.ts';
import { look } from '../../../engine/importing/look.ts';
import { openMbtiles } from '../../../engine/tiles/basemaps/mbtiles.ts';
import { emptyHome } from '../../support/homes.ts';

/** Stands in a schema while the rows are written. Then it is turned into one that overflows where it is evaluated. */
const dormant = '1 = 1';
const awake = 'abs(-9223372036854775807 - 1) > 0';
const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT';

const plain = {
  pages: '',
  contents: `CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT, min_x REAL, min_y REAL, max_x REAL, max_y REAL);
    INSERT INTO gpkg_contents VALUES ('lots', 'features', -72, 43, -71, 44)`,
  geometries: `CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, srs_id INTEGER);
    INSERT INTO gpkg_geometry_columns VALUES ('lots', 'geom', 4326)`,
  systems: `CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
    INSERT INTO gpkg_spatial_ref_sys VALUES (4326, 'EPSG', 4326, 'undefined')`,
  layer: 'CREATE TABLE lots (fid INTEGER PRIMARY KEY, geom BLOB, apn TEXT)',
  rows: "INSERT INTO lots (apn) VALUES ('1-2'), ('1-3')",
  counts: '',
};

function database(name: string, parts: readonly string[]): string {
  const file = path.join(emptyHome(), name);
  const made = new Database(file);
  for (const part of parts) made.exec(part);
  made.unsafeMode(true);
  made.pragma('writable_schema = ON');
  made.prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?)').run(dormant, awake);
  made.close();
  return file;
}

const geoPackage = (parts: Partial<typeof plain>): string =>
  database('lots.gpkg', Object.values({ ...plain, ...parts }));

const refused = (words: RegExp) =>
  expect.objectContaining({ code: 'import_refused', message: expect.stringMatching(words) });

describe('SQL in the schema of a GeoPackage is never run', () => {
  const lots = (more: string) => ({ layer: plain.layer.replace('apn TEXT', `apn TEXT, ${more}`) });
  test.each<[string, Partial<typeof plain>]>([
    ['a check constraint', lots(`CHECK (${dormant})`)],
    ['a computed column', lots(`x AS (${dormant})`)],
    ['a computed column that may not be null', lots(`x AS (${dormant}) NOT NULL`)],
    [
      'a view of counts',
      {
        counts: `CREATE VIEW gpkg_ogr_contents AS ${endless} 'lots' AS table_name, i AS feature_count FROM n WHERE i < 0`,
      },
    ],
  ])('%s: its rows are read', (_name, parts) => {
    const { layers } = look(geoPackage(parts));
    expect(layers).toMatchObject([
      { name: 'lots', rows: 2, problem: null, columns: [{ name: 'apn', samples: ['1-2', '1-3'] }] },
    ]);
  });

  test('a list of layers that is computed, or a view, is refused', () => {
    const computed = geoPackage({
      contents: plain.contents.replace('min_x REAL', `min_x AS (${dormant})`).replace('-72, ', ''),
    });
    const view = geoPackage({
      contents: `CREATE VIEW gpkg_contents AS ${endless} i AS table_name, 'features' AS data_type, 1 AS min_x, 1 AS min_y, 1 AS max_x, 1 AS max_y FROM n`,
    });
    for (const file of [computed, view]) expect(() => look(file)).toThrow(refused(/expected a GeoPackage/));
  });

  test('a list of systems that is a view counts as none', () => {
    const systems = `CREATE VIEW gpkg_spatial_ref_sys AS ${endless} i AS srs_id, 'EPSG' AS organization, 4326 AS organization_coordsys_id, '' AS definition FROM n WHERE i < 0`;
    expect(look(geoPackage({ systems })).layers[0]?.problem).toMatch(
      /expected a coordinate system, found none \(srs_id 4326\)/,
    );
  });

  test('a list of layers without a column is refused by name, and damage amid the rows too', () => {
    const contents = plain.contents.replace('min_x REAL, ', '').replace('-72, ', '');
    expect(() => look(geoPackage({ contents }))).toThrow(refused(/expected a GeoPackage/));
    const file = geoPackage({
      pages: 'PRAGMA page_size = 512',
      layer: `${plain.layer}; CREATE TABLE other (x, y AS (x))`,
      rows: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO lots (apn) SELECT 'parcel ' || i FROM n",
    });
    const bytes = fs.readFileSync(file);
    bytes.fill(0xee, 512 * 40, 512 * 41);
    fs.writeFileSync(file, bytes);
    const layer = openParcels(file).openLayer('lots');
    expect(() => [...layer.features()]).toThrow(expect.objectContaining({ code: 'file_damaged' }));
  });
});

test('a land.sqlite whose parcels are a view or computed is refused', () => {
  const application = `PRAGMA application_id = ${Buffer.from('PLBL').readUInt32BE(0)}`;
  const view = `CREATE VIEW parcels AS ${endless} i AS property_id, i AS fips, 'current' AS status, NULL AS geom, 1 AS point_lon, 1 AS point_lat FROM n`;
  const computed = `CREATE TABLE parcels (property_id INTEGER PRIMARY KEY, fips AS (${dormant}), status, geom, point_lon, point_lat); INSERT INTO parcels (status) VALUES ('current')`;
  for (const parcels of [view, computed]) {
    expect(() => look(database('land.sqlite', [application, parcels]))).toThrow(
      refused(/expected the parcels of a land\.sqlite/),
    );
  }
});

test('a check constraint in the tiles of a base map is not run', () => {
  const file = database('tiles.mbtiles', [
    `CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB, CHECK (${dormant})); CREATE UNIQUE INDEX place ON tiles (zoom_level, tile_column, tile_row); INSERT INTO tiles VALUES (0, 0, 0, x'89504e470d0a1a0a0000000d49484452')`,
  ]);
  const basemap = openMbtiles(file);
  expect(basemap).toMatchObject({ type: 'raster', minZoom: 0, maxZoom: 0 });
  basemap.close();
});

test('a table of 200,000 columns is refused before its headings are compared', () => {
  const file = path.join(emptyHome(), 'wide.csv');
  fs.writeFileSync(file, `${Array.from({ length: 200_000 }, (_, index) => `c${index}`).join(',')}\n`);
  expect(() => look(file)).toThrow(refused(/at most 5000 columns, found 200000/));
});

test('GeoJSON whose rows have ever other columns is refused, and a shape of more than a million vertices', () => {
  const collection = (features: string): string => {
    const file = path.join(emptyHome(), 'lots.geojson');
    fs.writeFileSync(file, `{"type":"FeatureCollection","features":[${features}]}`);
    return file;
  };
  const names = (row: number): string => Array.from({ length: 1000 }, (_, index) => `"c${row}_${index}":1`).join(',');
  const rows = Array.from({ length: 7 }, (_, row) => `{"type":"Feature","properties":{${names(row)}},"geometry":null}`);
  expect(look(collection(rows.join(','))).layers[0]?.problem).toMatch(/at most 5000 columns, found more/);
  const ring = '[0,0],'.repeat(1_000_000);
  const shape = `{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[${ring}[0,0]]]}}`;
  expect(look(collection(shape)).layers[0]?.problem).toMatch(/at most 1000000 vertices and texts, found more/);
});

describe('a TIFF', () => {
  /** Little-endian, one directory at byte 8. @param tags tag, type, count, value */
  function tiff(tags: readonly (readonly number[])[], next = 0): string {
    const bytes = Buffer.alloc(10 + tags.length * 12 + 4);
    bytes.write('II*\0', 'latin1');
    bytes.writeUInt32LE(8, 4);
    bytes.writeUInt16LE(tags.length, 8);
    for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of tags.entries()) {
      const at = 10 + index * 12;
      bytes.writeUInt16LE(tag, at);
      bytes.writeUInt16LE(type, at + 2);
      bytes.writeUInt32LE(count, at + 4);
      bytes.writeUInt32LE(value, at + 8);
    }
    bytes.writeUInt32LE(next, bytes.length - 4);
    const file = path.join(emptyHome(), 'heights.tif');
    fs.writeFileSync(file, bytes);
    return file;
  }
  const [width, height, stripOffsets, stripRows, cellSize, long, short, double] = [
    256, 257, 273, 278, 33_550, 4, 3, 12,
  ] as const;

  test.each<[string, Parameters<typeof tiff>, RegExp]>([
    [
      'whose directory points to itself, with more values than bytes',
      [
        [
          [width, long, 0x7fffffff, 8],
          [cellSize, double, 0x10000000, 8],
        ],
        8,
      ],
      /the TIFF is damaged/,
    ],
    ['whose values are of no type', [[[width, 0, 4, 4]]], /the TIFF is damaged/],
    [
      'of two thousand million columns',
      [
        [
          [width, long, 1, 0x7fffffff],
          [height, long, 1, 1000],
          [stripOffsets, long, 1, 8],
          [stripRows, long, 1, 1],
        ],
      ],
      /found 2147483647 by 1000/,
    ],
    [
      'of one strip of four thousand million cells',
      [
        [
          [width, long, 1, 65_000],
          [height, long, 1, 65_000],
          [stripOffsets, long, 1, 8],
          [stripRows, long, 1, 65_000],
        ],
      ],
      /in tiles of 4225000000/,
    ],
    [
      'of no cells',
      [
        [
          [width, short, 1, 0],
          [height, short, 1, 0],
        ],
      ],
      /found 0 by 0/,
    ],
  ])('%s is refused', async (_name, given, words) => {
    await expect(ElevationRaster.open(tiff(...given), {} as never)).rejects.toThrow(refused(words));
  });

  /** Of 256 by 256 heights of one byte in one tile, which is packed so. */
  function tileOf(compression: number, packed: Uint8Array): string {
    const scale = Buffer.alloc(72);
    for (const [at, value] of [1, 1, 0, 0, 0, 0, -111, 46, 0].entries()) scale.writeDoubleLE(value, at * 8);
    const keys = Buffer.from(Uint16Array.of(1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326).buffer);
    const tags = 15;
    const scaleAt = 10 + tags * 12 + 4;
    const file = tiff([
      [width, long, 1, 256],
      [height, long, 1, 256],
      [258, short, 1, 8],
      [259, short, 1, compression],
      [262, short, 1, 1],
      [277, short, 1, 1],
      [284, short, 1, 1],
      [322, long, 1, 256],
      [323, long, 1, 256],
      [324, long, 1, scaleAt + 72 + keys.length],
      [325, long, 1, packed.length],
      [339, short, 1, 1],
      [cellSize, double, 3, scaleAt],
      [33_922, double, 6, scaleAt + 24],
      [34_735, short, 16, scaleAt + 72],
    ]);
    fs.appendFileSync(file, Buffer.concat([scale, keys, packed]));
    return file;
  }

  /** LZW of 8 million zeros: each code is the one before and one zero more. */
  function zerosByLzw(): Uint8Array {
    let bits = '';
    const put = (code: number, wide: number): void => {
      bits += code.toString(2).padStart(wide, '0');
    };
    put(256, 9);
    put(0, 9);
    // As many bits as the next free code of the reader needs, one early (TIFF 6.0, section 13).
    for (let code = 258; code < 4094; code++) put(code, code < 511 ? 9 : code < 1023 ? 10 : code < 2047 ? 11 : 12);
    put(257, 12);
    return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  }

  const zeros = (count: number): Uint8Array => new Uint8Array(count);
  const packings: readonly (readonly [string, number, (count: number) => Uint8Array])[] = [
    ['Deflate', 8, (count) => zlib.deflateSync(zeros(count))],
    ['the older number of Deflate', 32_946, (count) => zlib.deflateSync(zeros(count))],
    ['zstd', 50_000, (count) => zlib.zstdCompressSync(zeros(count))],
    ['PackBits', 32_773, (count) => new Uint8Array(count / 64).fill(129).map((byte, at) => (at % 2 === 0 ? byte : 0))],
  ];

  test.each(packings)('whose tile unpacks by %s to more than the tile is refused', async (_name, number, pack) => {
    const reading = async (packed: Uint8Array) => {
      const raster = await ElevationRaster.open(tileOf(number, packed), { elevationUnit: 'm' } as never);
      onTestFinished(() => raster.close());
      return raster.read({ left: 0, top: 0, right: 256, bottom: 256 });
    };
    expect((await reading(pack(256 * 256))).heights[300]).toBe(0);
    await expect(reading(pack(64 * 1024 * 1024))).rejects.toThrow(refused(/the TIFF is damaged/));
  });

  test('whose tile unpacks by LZW to more than the tile is refused, and so are pictures', async () => {
    for (const [compression, packed, words] of [
      [5, zerosByLzw(), /holds more than its 65536 bytes/],
      [7, zeros(100), /packed as a picture/],
    ] as const) {
      const raster = await ElevationRaster.open(tileOf(compression, packed), { elevationUnit: 'm' } as never);
      onTestFinished(() => raster.close());
      const read = raster.read({ left: 0, top: 0, right: 256, bottom: 256 });
      await expect(read).rejects.toThrow(refused(words));
    }
  });

  test('whose tiles are so large that one window needs gigabytes is refused before they are read', async () => {
    const large: Parameters<typeof tiff>[0] = [
      [width, long, 1, 40_000],
      [height, long, 1, 40_000],
      [258, short, 1, 32],
      [322, long, 1, 8000],
      [323, long, 1, 8000],
    ];
    await expect(ElevationRaster.open(tiff(large), {} as never)).rejects.toThrow(refused(/which need 2\.\d GB/));
  });
});
