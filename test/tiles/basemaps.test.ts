/** The user's base maps: valid MBTiles and PMTiles, and manipulated ones. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { cutTo } from '../importing/readers/mutants.ts';
import { decodeTile } from '../support/decode-tile.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';
import { emptyEngine, fourTiles, markedTile, nameIn, place, pmtilesOf, refusalOf, sourcesOf } from './basemap-files.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const tilesTable = `CREATE TABLE metadata (name TEXT, value TEXT);
  CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
  CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`;

/** Writes a SQLite file by its SQL. */
function writeMbtiles(
  engine: Engine,
  name: string,
  sql: string,
  work: (file: Database.Database) => void = () => {},
): void {
  const file = new Database(path.join(engine.home, 'basemaps', name));
  file.exec(sql);
  work(file);
  file.close();
}

/** Tiles of zoom 1, three of four. */
function fillTiles(file: Database.Database, table = 'tiles'): void {
  const insert = file.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`);
  insert.run(1, 0, 1, zlib.gzipSync(markedTile('north-west')));
  insert.run(1, 1, 0, zlib.gzipSync(markedTile('south-east')));
  insert.run(1, 0, 0, markedTile('south-west, plain'));
}

function addMetadata(file: Database.Database, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    file.prepare('INSERT INTO metadata VALUES (?, ?)').run(name, value);
  }
}

describe('MBTiles', () => {
  test('rows run from the south, gzip is taken off, and what the file says of itself is listed', async () => {
    const engine = emptyEngine();
    writeMbtiles(engine, 'Hof & Feld.mbtiles', tilesTable, (file) => {
      fillTiles(file);
      addMetadata(file, {
        minzoom: '1',
        maxzoom: '1',
        bounds: '-180,-85,180,85',
        attribution: '<a href="https://example.org">&copy; Some  County</a>',
        json: '{"vector_layers":[{"id":"places"}]}',
      });
    });
    expect(sourcesOf(engine).bases).toMatchObject([
      {
        source: 'base-hof-feld',
        title: 'Hof & Feld.mbtiles',
        type: 'vector',
        minzoom: 1,
        maxzoom: 1,
        bounds: [-180, -85, 180, 85],
        attribution: '© Some County',
        layers: ['places'],
      },
    ]);
    const tile = (z: number, x: number, y: number) => getTile(engine, 'base-hof-feld', z, x, y);
    expect(nameIn(await tile(1, 0, 0))).toBe('north-west');
    expect(nameIn(await tile(1, 1, 1))).toBe('south-east');
    expect(nameIn(await tile(1, 0, 1))).toBe('south-west, plain');
    expect(await tile(1, 1, 0)).toBeNull();
    expect(await tile(2, 0, 0)).toBeNull();
  });

  test.for([
    [
      'map and images',
      `CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
       CREATE TABLE images (tile_data BLOB, tile_id TEXT);
       CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
       CREATE UNIQUE INDEX images_id ON images (tile_id);
       CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
       INSERT INTO map VALUES (3, 1, 7, 'a');`,
      'INSERT INTO images VALUES (?, ?)',
    ],
    [
      'tiles_shallow and tiles_data',
      `CREATE TABLE tiles_shallow (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data_id TEXT,
         PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
       CREATE TABLE tiles_data (tile_data BLOB, tile_data_id TEXT PRIMARY KEY);
       INSERT INTO tiles_shallow VALUES (3, 1, 7, 'a');`,
      'INSERT INTO tiles_data VALUES (?, ?)',
    ],
  ] as const)('%s: a tile that is kept once for many places', async ([, sql, insert]) => {
    const engine = emptyEngine();
    writeMbtiles(engine, 'sea.mbtiles', sql, (file) => file.prepare(insert).run(png, 'a'));
    expect(sourcesOf(engine).bases).toMatchObject([
      { type: 'raster', minzoom: 3, maxzoom: 3, bounds: null, tile_size: 256 },
    ]);
    // Row 7 from the south is row 0 of 8 from the north.
    expect(Buffer.from((await getTile(engine, 'base-sea', 3, 1, 0)) ?? [])).toEqual(png);
  });

  test.for([
    [
      'a view that never ends',
      `CREATE VIEW tiles AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
       SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, max(i) AS tile_data FROM n;`,
      /no tiles in a plain table/,
    ],
    [
      'a generated column',
      `CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
         tile_data BLOB AS (zeroblob(900000000)) VIRTUAL);
       CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row); `,
      /no tiles in a plain table/,
    ],
    [
      'a virtual table',
      'CREATE VIRTUAL TABLE tiles USING fts5 (zoom_level, tile_column, tile_row, tile_data);',
      /no tiles in a plain table/,
    ],
    [
      'no index',
      "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data); INSERT INTO tiles VALUES (0, 0, 0, x'1a00');",
      /has no index/,
    ],
    ['no tile', tilesTable, /neither an image nor a vector tile/],
    ['no tables', 'CREATE TABLE other (a)', /no tiles in a plain table/],
    [
      'text for tiles',
      `${tilesTable} INSERT INTO tiles VALUES (0, 0, 0, 'a tile');`,
      /neither an image nor a vector tile/,
    ],
    [
      'zooms beyond the grid',
      `${tilesTable} INSERT INTO tiles VALUES (40, 0, 0, x'1a00');`,
      /Expected zooms from 0 to 22, found 40 to 40/,
    ],
  ] as const)('%s is refused in a sentence', ([, sql, why]) => {
    const engine = emptyEngine();
    writeMbtiles(engine, 'bad.mbtiles', sql);
    expect(refusalOf(engine, 'bad.mbtiles')).toMatch(why);
    expect(sourcesOf(engine).bases).toEqual([]);
  });

  test('a tile that swells beyond any tile costs an error and no memory', async () => {
    const engine = emptyEngine();
    writeMbtiles(engine, 'bomb.mbtiles', tilesTable, (file) => {
      file.prepare('INSERT INTO tiles VALUES (0, 0, 0, ?)').run(zlib.gzipSync(Buffer.alloc(80 * 1024 * 1024)));
    });
    await expect(getTile(engine, 'base-bomb', 0, 0, 0)).rejects.toThrow(
      /bomb.mbtiles gives no tile 0\/0\/0: It is larger than/,
    );
  });

  test('metadata of any length and type are survived', () => {
    const engine = emptyEngine();
    writeMbtiles(engine, 'odd.mbtiles', tilesTable, (file) => {
      fillTiles(file);
      file.exec(`INSERT INTO metadata VALUES ('bounds', 'nan,1,2,x'), ('minzoom', x'00'), (NULL, NULL), ('json', '{"vector_layers":[3,{"id":7}]}'),
        ('attribution', zeroblob(10)), ('maxzoom', '1e300')`);
      file.exec(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
        INSERT INTO metadata SELECT 'n' || i, hex(zeroblob(100)) FROM n`);
    });
    expect(sourcesOf(engine).bases).toMatchObject([
      { minzoom: 1, maxzoom: 1, bounds: null, layers: [], attribution: '' },
    ]);
  });
});

test('reports a missing file, and two of one name', () => {
  const engine = emptyEngine();
  fs.mkdirSync(path.join(engine.home, 'basemaps', 'folder.pmtiles'));
  execFileSync('mkfifo', [path.join(engine.home, 'basemaps', 'pipe.pmtiles')]);
  place(engine, 'a.pmtiles', pmtilesOf(fourTiles));
  place(engine, 'A .pmtiles', pmtilesOf(fourTiles));
  place(engine, 'notes.txt', Buffer.from('no map'));
  expect(sourcesOf(engine).bases).toHaveLength(1);
  expect(sourcesOf(engine).refused).toEqual([
    { name: 'a.pmtiles', why: 'Its name is too like that of A .pmtiles: rename one of them.' },
    { name: 'folder.pmtiles', why: 'It is a folder; expected the file itself.' },
    { name: 'pipe.pmtiles', why: 'It is a pipe; expected the file itself.' },
  ]);
});

const hasRealData = realDataOrSkip('base maps of other programs');

describe.runIf(hasRealData)('files of other programs', () => {
  const folder = path.join(sharedData() ?? '', 'tiles');
  const copyInto = (engine: Engine, name: string) =>
    fs.copyFileSync(path.join(folder, name), path.join(engine.home, 'basemaps', name));

  test('a vector MBTiles and a raster PMTiles give their tiles', async () => {
    const engine = emptyEngine();
    copyInto(engine, 'three_forks_vector.mbtiles');
    copyInto(engine, 'world_z0-3_raster.pmtiles');
    expect(sourcesOf(engine)).toMatchObject({
      refused: [],
      bases: [
        { source: 'base-three-forks-vector', type: 'vector', minzoom: 7, maxzoom: 14 },
        { source: 'base-world-z0-3-raster', type: 'raster', minzoom: 0, maxzoom: 3 },
      ],
    });
    // Manhattan, Montana, 45.857 N 111.332 W: column 68.668 / 360 · 2¹⁴ = 3125; the row comes from the grid's formula.
    const radians = (45.857 * Math.PI) / 180;
    const row = Math.floor((1 - Math.asinh(Math.tan(radians)) / Math.PI) * 2 ** 13);
    const town = decodeTile(await getTile(engine, 'base-three-forks-vector', 14, 3125, row));
    expect(Object.keys(town)).toEqual(expect.arrayContaining(['roads', 'buildings']));
    const world = await getTile(engine, 'base-world-z0-3-raster', 0, 0, 0);
    expect(Buffer.from(world ?? []).toString('latin1', 1, 4)).toBe('PNG');
    for (let x = 0; x < 8; x++)
      for (let y = 0; y < 8; y++) {
        expect((await getTile(engine, 'base-world-z0-3-raster', 3, x, y))?.length, `3/${x}/${y}`).toBeGreaterThan(50);
      }
  });

  test.for(['three_forks_vector.mbtiles', 'world_z0-3_raster.pmtiles'])(
    '%s cut off is refused in a sentence',
    (name) => {
      const engine = emptyEngine();
      const whole = fs.readFileSync(path.join(folder, name));
      for (const share of [0, 0.001, 0.1, 0.5, 0.9]) {
        place(engine, name, cutTo(share)(whole));
        expect(refusalOf(engine, name), `cut to ${share}`).toMatch(/\.$/);
      }
    },
  );
});
