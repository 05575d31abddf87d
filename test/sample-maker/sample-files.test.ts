/** The files that ship are what the generator makes. */
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { keepSampleGround, packedSample, placeSample, sampleAir, sampleFiles } from '../../engine/sample-county.ts';
import { openImagery } from '../../engine/store/imagery-store.ts';
import type { SqliteFile } from '../../engine/store/sqlite.ts';
import { undoFolder } from '../../engine/store/undo-store.ts';
import { unpackHeights } from '../../engine/terrain/height-tile.ts';
import { lastHeightZoom } from '../../engine/terrain/heights.ts';
import { packedHeightsFile } from '../../engine/terrain/sample-heights.ts';
import { keepHeights } from '../../engine/terrain/store-heights.ts';
import { emptyHome } from '../support/homes.ts';
import { addAir } from './air-photo.ts';
import { sampleGround } from './ground.ts';
import { makeSample } from './make-sample.ts';

const stale = 'data/sample is not what the generator makes: npm run sample';

/**
 * Rows of each table, by its name. Statistics of SQLite's own differ with the order of pages; what an import reports of
 * itself grows with its words.
 */
function tablesOf(file: SqliteFile): Map<string, string[]> {
  const names = file.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
  );
  return new Map(
    names.map(({ name }) => [
      name,
      file
        .all(`SELECT * FROM "${name}"`)
        .map((row) => JSON.stringify(name === 'datasets' ? { ...row, report: null } : row))
        .sort(),
    ]),
  );
}

/** R-trees may be split otherwise: their boxes are compared. SpatiaLite's triggers note the time of day. */
const isOther = (table: string): boolean =>
  /_(node|parent|rowid)$/.test(table) || ['home_identity', 'geometry_columns_time'].includes(table);

function expectSame(found: SqliteFile, made: SqliteFile): void {
  const [foundTables, madeTables] = [tablesOf(found), tablesOf(made)];
  expect([...foundTables.keys()]).toEqual([...madeTables.keys()]);
  for (const [table, rows] of madeTables) {
    if (isOther(table)) continue;
    // Not toEqual: the difference of six thousand rows would be printed.
    const other = foundTables.get(table) ?? [];
    const at = rows.findIndex((row, index) => row !== other[index]);
    const where = `${table}: ${rows.length} rows made, ${other.length} shipped; ${rows[at]?.slice(0, 300)}`;
    expect(rows.length === other.length && at < 0, `${stale} (${where})`).toBe(true);
  }
}

test('every table of the shipped sample is made anew, row for row', { timeout: 300_000 }, async () => {
  const [shipped, anew] = [emptyHome(), emptyHome()];
  placeSample(shipped);
  await makeSample(anew);
  const [found, made] = [shipped, anew].map((home) => openEngine({ home, keepsIndexes: false }));
  try {
    if (!found || !made) throw new Error('two engines');
    expectSame(found.land.file, made.land.file);
    expectSame(found.people.file, made.people.file);
    for (const tree of ['idx_parcels_geom', 'comps_index', 'layer_features_index']) {
      const boxes = (file: SqliteFile) => JSON.stringify(file.all(`SELECT * FROM ${tree} ORDER BY 1`));
      expect(boxes(found.land.file) === boxes(made.land.file), `${stale} (${tree})`).toBe(true);
    }
    expect(fs.readdirSync(undoFolder(shipped))).toEqual(fs.readdirSync(undoFolder(anew)));
  } finally {
    found?.close();
    made?.close();
  }
});

test('its heights are those of the ground, within what they are rounded by', { timeout: 300_000 }, async () => {
  const [shipped, anew] = [emptyHome(), emptyHome()];
  placeSample(shipped);
  const engine = openEngine({ home: shipped, keepsIndexes: false });
  await keepSampleGround(engine);
  const wholeEarth = { minX: -180, minY: -90, maxX: 180, maxY: 90 };
  await keepHeights(anew, sampleGround, {
    ...{ fips: '99001', box: wholeEarth, content: 'sample', attribution: '', onTile: () => {} },
  });
  const other = openEngine({ home: anew, create: true, keepsIndexes: false });
  type Tile = { zoom: number; x: number; y: number; lowest: number; step: number; steps: Uint8Array };
  const tiles = ({ land }: typeof engine) =>
    land.terrain?.all<Tile>('SELECT zoom, x, y, lowest, step, steps FROM height_tiles ORDER BY zoom, x, y') ?? [];
  const [found, made] = [tiles(engine), tiles(other)];
  expect(found.map(({ zoom, x, y }) => [zoom, x, y])).toEqual(made.map(({ zoom, x, y }) => [zoom, x, y]));
  expect(found.length).toBeGreaterThan(100);
  const far = found.filter((tile, index) => {
    const [heights, exact] = [unpackHeights(tile), unpackHeights(made[index] as Tile)];
    // Half a fifth of a foot is 3 cm; a tile and each below it round by half a 16th of a meter, in both.
    const within = 0.0305 + (2 / 32) * (lastHeightZoom + 1 - tile.zoom);
    // NaN beside a number, a cell that only one of them knows, is not within either.
    return heights.some(
      (height, at) =>
        !(Math.abs(height - (exact[at] as number)) <= within || (Number.isNaN(height) && Number.isNaN(exact[at]))),
    );
  });
  expect(far.map(({ zoom, x, y }) => [zoom, x, y])).toEqual([]);
  engine.close();
  other.close();
});

test('its photo of the air is what the generator draws, within what JPEG changes', { timeout: 300_000 }, async () => {
  const [shipped, anew] = [emptyHome(), emptyHome()];
  placeSample(shipped);
  const engine = openEngine({ home: shipped, keepsIndexes: false });
  await keepSampleGround(engine);
  engine.close();
  await addAir(anew);
  const rowsOf = (home: string) => {
    const file = openImagery(home);
    try {
      return ['imagery', 'imagery_files'].map((table) =>
        file.all(`SELECT * FROM ${table}`).map((row) => ({ ...(row as object), bytes: 0, fingerprint: '' })),
      );
    } finally {
      file.close();
    }
  };
  expect(rowsOf(shipped), stale).toEqual(rowsOf(anew));
  for (const name of sampleAir.filter((each) => each.endsWith('.tif'))) {
    const [found, made] = await Promise.all(
      [shipped, anew].map((home) => sharp(path.join(home, name)).raw().toBuffer()),
    );
    if (!found || !made) throw new Error('two pictures');
    expect(found.length).toBe(made.length);
    let sum = 0;
    for (let at = 0; at < made.length; at++) sum += Math.abs((found[at] as number) - (made[at] as number));
    // Decoders and encoders of other computers round otherwise.
    expect(sum / made.length, `${stale} (${name})`).toBeLessThan(1);
  }
});

test('the packed files are small', () => {
  const names = [...sampleFiles, ...sampleAir].map(packedSample);
  const bytes = [...names, packedHeightsFile].map((file) => fs.statSync(file).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(7_000_000);
  expect(fs.readdirSync(path.dirname(packedHeightsFile)).length).toBe(bytes.length);
});
