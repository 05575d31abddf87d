/** A base map of a usual schema, from tiles that the test makes: drawn on the roles of the ground, with its letters. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { LayerWriter, writeTile } from '../../engine/tiles/mvt-writer.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { tileUnits } from '../tiles/tile-oracle.ts';
import { colorAt, drawn, lookAt, mapPixels, mapSettled, openMapWindow, screenPlace, token } from './map-window.ts';
import { hasBrowser } from './window.ts';

const middle = { longitude: -71.82, latitude: 44.1 };
const zoom = 14;

/** The tile of the middle, with a main road through it, a wood, and a town beside. */
function openMapTile(x: number, y: number): Uint8Array {
  const [left, top] = tileUnits({ z: zoom, x, y }, middle.longitude, middle.latitude).map(Math.round) as [
    number,
    number,
  ];
  const road = new LayerWriter('transportation', ['class']);
  road.line(Int32Array.of(-64, top, 4160, top), 2);
  road.feature(1, ['primary']);
  const names = new LayerWriter('transportation_name', ['class', 'name', 'ref']);
  names.line(Int32Array.of(-64, top, 4160, top), 2);
  names.feature(1, ['primary', 'Ferry Road', '118']);
  const wood = new LayerWriter('landcover', ['class']);
  wood.ring(Int32Array.of(-64, -64, 4160, -64, 4160, 4160, -64, 4160), 4);
  wood.feature(1, ['wood']);
  const place = new LayerWriter('place', ['class', 'name']);
  place.point(left, Math.min(4000, top + 400));
  place.feature(1, ['town', 'Testville']);
  return writeTile([road, names, wood, place]) as Uint8Array;
}

function writeBase(home: string): void {
  fs.mkdirSync(path.join(home, 'basemaps'), { recursive: true });
  const file = new Database(path.join(home, 'basemaps', 'state.mbtiles'));
  const layers = ['transportation', 'transportation_name', 'landcover', 'place'].map((id) => ({ id }));
  file.exec(`CREATE TABLE metadata (name TEXT, value TEXT);
    CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB,
      PRIMARY KEY (zoom_level, tile_column, tile_row));`);
  const say = file.prepare('INSERT INTO metadata VALUES (?, ?)');
  for (const [name, value] of [
    ...[
      ['json', JSON.stringify({ vector_layers: layers })],
      ['minzoom', String(zoom)],
      ['maxzoom', String(zoom)],
    ],
  ] as const)
    say.run(name, value);
  const side = 2 ** zoom;
  const x = Math.floor(((middle.longitude + 180) / 360) * side);
  const radians = (middle.latitude * Math.PI) / 180;
  const y = Math.floor(((1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2) * side);
  file.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)').run(zoom, x, side - 1 - y, openMapTile(x, y));
  file.close();
}

describe.runIf(hasBrowser())('a vector base map', { timeout: 300_000 }, () => {
  test('of OpenMapTiles has its road, shield, wood and town in the map’s own colors', async () => {
    const home = copyOfHome(sampleHome());
    writeBase(home);
    const { page } = await openMapWindow({ pixels: true, home });
    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByLabel('state.mbtiles', { exact: true }).click();
    await page.keyboard.press('Escape');
    await lookAt(page, { ...middle, zoom: 14.5 });
    await mapSettled(page);
    const pixels = await mapPixels(page);
    const box = (await page.locator('.map-canvas canvas').boundingBox()) as { x: number; y: number };
    // A little beside the middle: there the shield may stand.
    const { x, y } = await screenPlace(page, middle.longitude + 0.0011, middle.latitude);
    expect(colorAt(pixels, x - box.x, y - box.y)).toBe(await token(page, '--map-road-main'));
    const layers = await page.evaluate(
      () =>
        document
          .querySelector<HTMLElement & { platbookMap?: { getStyle(): { layers: { id: string }[] } } }>('.map-canvas')
          ?.platbookMap?.getStyle()
          .layers.map(({ id }) => id)
          .filter((id) => id.startsWith('base-')) ?? [],
    );
    for (const ending of ['-shields', '-towns', '-area']) {
      const found = await Promise.all(layers.filter((id) => id.endsWith(ending)).map((id) => drawn(page, id)));
      expect(found.flat().length, ending).toBeGreaterThan(0);
    }
  });
});
