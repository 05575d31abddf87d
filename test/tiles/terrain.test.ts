/** Contours and relief of ground whose heights are a formula. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { enrichAgain } from '../../engine/enrichment/enrich-again.ts';
import { listLayers } from '../../engine/enrichment/list-layers.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { latitudeOf, longitudeOf, worldX, worldY } from '../../engine/geo/web-mercator.ts';
import { removeTerrain, terrainPath } from '../../engine/store/terrain-store.ts';
import { Heights } from '../../engine/terrain/heights.ts';
import type { HeightSource } from '../../engine/terrain/project-heights.ts';
import { keepHeights } from '../../engine/terrain/store-heights.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { mapSources } from '../../engine/tiles/map-sources.ts';
import { homeWith, now, testFips } from '../enrichment/enriched-home.ts';
import { lotOfFeet, origin } from '../enrichment/laid-shapes.ts';
import { decodeTile } from '../support/decode-tile.ts';
import { emptyHome, engineOn } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const [west, north] = [-72.2, 44.2];
const box = { minX: -72.13, minY: 44.07, maxX: -72.07, maxY: 44.13 };

/** A file of 0.2 by 0.2 degrees, in cells of degrees, with heights in meters. */
const source = (cell: number, heightAt: (longitude: number, latitude: number) => number): HeightSource => {
  const side = Math.round(0.2 / cell);
  return {
    ...{ width: side, height: side, metersPerUnit: 1 },
    pixels: {
      toCells: (path_) => path_.map((degrees, at) => (at % 2 === 0 ? degrees - west : north - degrees) / cell),
      toDegrees: (column, row) => [west + column * cell, north - row * cell],
    },
    read: async ({ left, top, right, bottom }) => {
      const width = right - left + 2;
      const heights = Float32Array.from({ length: width * (bottom - top + 2) }, (_, at) => {
        const [column, row] = [left - 1 + (at % width), top - 1 + Math.floor(at / width)];
        const isInside = column >= 0 && row >= 0 && column < side && row < side;
        return isInside ? heightAt(west + (column + 0.5) * cell, north - (row + 0.5) * cell) : Number.NaN;
      });
      return { heights, width, left: left - 1, top: top - 1 };
    },
  };
};

async function groundOf(
  heightAt: (longitude: number, latitude: number) => number,
  cell = 0.0002,
  around = box,
): Promise<Engine> {
  const engine = engineOn(emptyHome());
  await keep(engine, 'one', heightAt, cell, around);
  return engine;
}

const keep = (
  engine: Engine,
  content: string,
  heightAt: (longitude: number, latitude: number) => number,
  cell = 0.0002,
  around = box,
) =>
  keepHeights(engine.home, source(cell, heightAt), {
    fips: testFips,
    box: around,
    content,
    attribution: content,
    onTile: () => {},
  });

const tileAt = (zoom: number, longitude: number, latitude: number): [number, number, number] => [
  zoom,
  Math.floor(worldX(longitude) * 2 ** zoom),
  Math.floor(worldY(latitude) * 2 ** zoom),
];

/** Longitude and latitude of a place in a tile. */
const placeIn = (
  [zoom, x, y]: readonly [number, number, number],
  point: { x: number; y: number },
): [number, number] => [longitudeOf((x + point.x / 4096) / 2 ** zoom), latitudeOf((y + point.y / 4096) / 2 ** zoom)];

const contoursOf = async (engine: Engine, place: readonly [number, number, number]) =>
  decodeTile(await getTile(engine, 'contours', ...place)).contours ?? [];

/** Where a contour crosses an edge of a tile. */
interface Cut {
  readonly feet: number;
  readonly at: number;
}

const cutsOf = (lines: Awaited<ReturnType<typeof contoursOf>>, over: 'x' | 'y', edge: number): Cut[] =>
  lines.flatMap(({ parts, properties }) =>
    parts
      .flat()
      .filter((point) => point[over] === edge)
      .map((point) => ({ feet: Number(properties.ft), at: over === 'x' ? point.y : point.x })),
  );

/** The edges inside a block of tiles, each as it is cut from both sides. */
async function edgesOf(engine: Engine, zoom: number, side: number): Promise<[here: Cut[], there: Cut[]][]> {
  const [, x, y] = tileAt(zoom, -72.1, 44.1);
  const places = Array.from({ length: side * side }, (_, at) => [at % side, Math.floor(at / side)] as const);
  const [left, top] = [x - Math.floor(side / 2), y - Math.floor(side / 2)];
  const tiles = await Promise.all(places.map(([column, row]) => contoursOf(engine, [zoom, left + column, top + row])));
  return places.flatMap(([column, row], at) => {
    const edge = (over: 'x' | 'y', next: number): [Cut[], Cut[]] => [
      cutsOf(tiles[at] ?? [], over, 4096),
      cutsOf(tiles[next] ?? [], over, 0),
    ];
    return [...(column < side - 1 ? [edge('x', at + 1)] : []), ...(row < side - 1 ? [edge('y', at + side)] : [])];
  });
}

/** Cuts without another within a unit; beyond the corners they belong to the next edge. */
const unmet = (some: readonly Cut[], others: readonly Cut[]): Cut[] =>
  some
    .filter(({ at }) => at >= 0 && at <= 4096)
    .filter(({ feet, at }) => !others.some((other) => other.feet === feet && Math.abs(other.at - at) <= 1));

/** Rolling hills: 60 m high, some hundred meters wide. */
const hills = (longitude: number, latitude: number): number =>
  300 + 60 * Math.sin(longitude * 700) * Math.cos(latitude * 900) + 25 * Math.sin(longitude * 2100 + latitude * 1500);

describe('contours', () => {
  test('lie where the ground has their height, at every zoom', async () => {
    const engine = await groundOf(hills);
    // Meters: a cell of zoom 12 is 56 m of ground that rises by up to a third; deeper ones are half as wide.
    for (const [zoom, most] of [
      [12, 4],
      [13, 2],
      [14, 1],
      [16, 1],
    ] as const) {
      const place = tileAt(zoom, -72.1, 44.1);
      const lines = await contoursOf(engine, place);
      expect(lines.length, `zoom ${zoom}`).toBeGreaterThan(0);
      const off = lines.flatMap(({ parts, properties }) =>
        parts.flat().map((point) => Math.abs(hills(...placeIn(place, point)) - Number(properties.ft) * 0.3048)),
      );
      const mean = off.reduce((sum, one) => sum + one, 0) / off.length;
      expect(mean, `zoom ${zoom}`).toBeLessThan(most);
    }
  });

  test('have the interval that the map announces, every fifth of them bold', async () => {
    // From 300 m in the south to 4,300 m in the north.
    const engine = await groundOf((longitude, latitude) => hills(longitude, latitude) + 20_000 * (latitude - 44));
    const { terrain } = mapSources(engine.home, engine.land);
    const interval = terrain?.contours.intervals[14 - 11] as number;
    const lines = await contoursOf(engine, tileAt(14, -72.1, 44.1));
    const feet = lines.map(({ properties }) => Number(properties.ft));
    expect(feet.filter((one) => one % interval !== 0)).toEqual([]);
    expect(lines.filter(({ properties }) => properties.is_bold).map(({ properties }) => properties.ft)).toEqual(
      feet.filter((one) => one % (5 * interval) === 0),
    );
    // Zoom 11 has only the bold ones of its interval.
    const far = await contoursOf(engine, tileAt(11, -72.1, 44.1));
    expect(new Set(far.map(({ properties }) => properties.is_bold))).toEqual(new Set([true]));
  });

  test('meet at a thousand edges of tiles, within a unit', async () => {
    const engine = await groundOf(hills, 0.0002, { minX: -72.19, minY: 44.02, maxX: -72.01, maxY: 44.18 });
    const blocks = [
      [13, 4],
      [14, 8],
      [15, 15],
      [16, 16],
    ] as const;
    const edges = (await Promise.all(blocks.map(([zoom, side]) => edgesOf(engine, zoom, side)))).flat();
    // 2 n (n − 1) of a block of n × n: 24 + 112 + 420 + 480.
    expect(edges).toHaveLength(1036);
    expect(edges.flatMap(([here, there]) => [...unmet(here, there), ...unmet(there, here)])).toEqual([]);
    expect(edges.flat(2).length).toBeGreaterThan(5000);
  });

  test('are those of the ground also where cells are much finer than pixels', async () => {
    // Cells of a meter: a tile has 12 million, which are read in parts.
    const engine = await groundOf(hills, 0.00001, { minX: -72.11, minY: 44.09, maxX: -72.105, maxY: 44.095 });
    // The height asked for is that of the tile's middle.
    const place = tileAt(13, -72.107, 44.092);
    const height = hills(...placeIn(place, { x: 2048, y: 2048 }));
    expect(Math.abs((await reliefAt(engine, -72.107, 44.092)) - height)).toBeLessThan(1);
  });

  test('follow the newer file, and the older one where that knows nothing', async () => {
    const engine = await groundOf(() => 100);
    await keep(engine, 'two', (longitude) => (longitude < -72.1 ? 500 : Number.NaN));
    const heights = await reliefHeights(engine);
    expect(heights).toEqual([500, 100]);
    const ground = () => mapSources(engine.home, engine.land).terrain?.contours;
    // Written twice.
    expect(ground()?.generation).toBe('2');
    expect(ground()?.attribution).toBe('Elevation: two; one');
    await keep(engine, 'three', () => 200);
    expect(ground()?.attribution).toBe('Elevation: three');
  });
});

/** West and east of the line between the two files. */
const reliefHeights = async (engine: Engine): Promise<number[]> =>
  [await reliefAt(engine, -72.115, 44.1), await reliefAt(engine, -72.085, 44.1)].map(Math.round);

/** The height of a place, in meters. */
async function reliefAt(engine: Engine, longitude: number, latitude: number): Promise<number> {
  const file = engine.land.terrain;
  if (!file) throw new Error('no terrain');
  const [zoom, x, y] = tileAt(13, longitude, latitude);
  return new Heights(file).lattice(zoom, x, y, { from: 0.5, step: 0.01, side: 1 })[0] as number;
}

/** Gray and alpha of a picture, in rows of 256; the filter is that of the writer, Sub. */
function picture(png: Uint8Array | null): { gray: number; alpha: number }[] {
  const bytes = Buffer.from(png ?? []);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25]]).toEqual([256, 256, 8, 4]);
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)));
  return Array.from({ length: 256 * 256 }, (_, at) => {
    const [row, column] = [Math.floor(at / 256), at % 256];
    let [gray, alpha] = [0, 0];
    for (let before = 0; before <= column; before++) {
      gray = (gray + (rows[row * 513 + 1 + 2 * before] as number)) & 255;
      alpha = (alpha + (rows[row * 513 + 2 + 2 * before] as number)) & 255;
    }
    return { gray, alpha };
  });
}

describe('relief', () => {
  test('leaves flat ground alone, lights what falls to the northwest and darkens what falls to the southeast', async () => {
    const slopes: Record<string, number> = { flat: 0, northwest: 1, southeast: -1 };
    for (const [name, rise] of Object.entries(slopes)) {
      const engine = await groundOf(
        (longitude, latitude) => 500 + rise * 20_000 * (longitude - west - (latitude - 44)),
      );
      const pixels = picture(await getTile(engine, 'relief', ...tileAt(13, -72.1, 44.1)));
      const { gray = -1, alpha = -1 } = pixels[128 * 256 + 128] ?? {};
      if (name === 'flat') expect(alpha).toBe(0);
      else expect([gray > 128, alpha > 10], name).toEqual([name === 'northwest', true]);
    }
  });

  test('fades toward the edge of the heights, evenly across tiles, and is whole beyond 32 pixels from it', async () => {
    const engine = await groundOf(
      (longitude, latitude) => 500 - 20_000 * (longitude - west - (latitude - 44)),
      0.0002,
      { ...box, minX: west },
    );
    const [z, x, y] = tileAt(12, west, 44.1);
    // The heights end within the first of these two tiles.
    const row = 128 * 256;
    const tiles = await Promise.all([x, x + 1].map((column) => getTile(engine, 'relief', z, column, y)));
    const alphas = tiles.flatMap((tile) => picture(tile).slice(row, row + 256)).map(({ alpha }) => alpha);
    const edge = Math.round((worldX(west) * 2 ** z - x) * 256);
    const whole = alphas[edge + 128] as number;
    expect(whole).toBeGreaterThan(100);
    expect(Math.max(...alphas.slice(0, edge + 3))).toBeLessThan(whole / 4);
    expect(alphas[edge + 16]).toBeGreaterThan(whole / 4);
    expect(alphas[edge + 16]).toBeLessThan((whole * 3) / 4);
    const steps = alphas.slice(1, edge + 200).map((alpha, at) => Math.abs(alpha - (alphas[at] as number)));
    expect(Math.max(...steps)).toBeLessThan(whole / 8);
    expect(new Set(alphas.slice(edge + 48, edge + 200)).size).toBeLessThan(4);
  });

  test('is empty beyond the heights', async () => {
    const engine = await groundOf(hills);
    expect(await getTile(engine, 'relief', ...tileAt(13, -71, 44.1))).toBeNull();
    expect(await getTile(engine, 'contours', ...tileAt(13, -71, 44.1))).toBeNull();
    expect(await getTile(engine, 'relief', ...tileAt(7, -72.1, 44.1))).toBeNull();
  });
});

test('a home without elevation has no terrain, nor one whose terrain.sqlite is no database', () => {
  const engine = engineOn(emptyHome());
  expect(mapSources(engine.home, engine.land).terrain).toBeNull();
  fs.writeFileSync(terrainPath(engine.home), 'no database');
  expect(mapSources(engine.home, engine.land).terrain).toBeNull();
});

const hasGdal = requireOrSkip(
  'GDAL',
  spawnSync('gdal_translate', ['--version']).status === 0,
  'install gdal-bin to make an elevation file',
);

test.runIf(hasGdal)('an elevation file gives contours at once; without its layer they are gone', async () => {
  const engine = await homeWith([{ apn: 'A', shape: lotOfFeet(0, 0, 400, 400) }]);
  const folder = emptyHome();
  const asc = path.join(folder, 'heights.asc');
  const rows = Array.from({ length: 120 }, (_, row) => Array.from({ length: 120 }, () => 3 * row).join(' '));
  const head = [
    'ncols 120',
    'nrows 120',
    `xllcorner ${origin.longitude - 0.03}`,
    `yllcorner ${origin.latitude - 0.03}`,
    'cellsize 0.0005',
  ];
  fs.writeFileSync(asc, [...head, 'NODATA_value -9999', ...rows].join('\n'));
  const file = path.join(folder, 'heights.tif');
  execFileSync('gdal_translate', ['-q', '-a_srs', 'EPSG:4326', '-ot', 'Float32', asc, file]);
  await enrich(engine.land, { kind: 'slope', file, fips: testFips, now, date: '2025-01-01' });
  const { terrain } = mapSources(engine.home, engine.land);
  expect(terrain?.contours.attribution).toBe('Elevation: heights.tif, 2025-01-01');
  const lines = await contoursOf(engine, tileAt(14, origin.longitude, origin.latitude));
  // Heights fall to the north: contours run east and west.
  expect(lines.length).toBeGreaterThan(3);
  for (const { parts } of lines) {
    const ys = parts.flat().map(({ y }) => y);
    expect(Math.max(...ys) - Math.min(...ys)).toBeLessThan(20);
  }
  // The same file in feet is lower.
  const before = await reliefAt(engine, origin.longitude, origin.latitude);
  await enrich(engine.land, {
    kind: 'slope',
    file,
    fips: testFips,
    now,
    date: '2025-01-01',
    settings: { elevationUnit: 'ft' },
  });
  expect((await reliefAt(engine, origin.longitude, origin.latitude)) / before).toBeCloseTo(0.3048, 2);
  await enrich(engine.land, { kind: 'slope', file, fips: testFips, now, date: '2025-02-01', source: 'USGS' });
  expect(mapSources(engine.home, engine.land).terrain?.contours.attribution).toBe('Elevation: USGS, 2025-02-01');
  // A damaged file, or none, is made again by the next computing.
  const place = tileAt(14, origin.longitude, origin.latitude);
  removeTerrain(engine.home);
  fs.writeFileSync(terrainPath(engine.home), 'no database');
  expect(await getTile(engine, 'contours', ...place)).toBeNull();
  await enrichAgain(engine.land, testFips, { now });
  expect((await contoursOf(engine, place)).length).toBeGreaterThan(3);
  removeTerrain(engine.home);
  expect(mapSources(engine.home, engine.land).terrain).toBeNull();
  await enrichAgain(engine.land, testFips, { now });
  expect((await contoursOf(engine, place)).length).toBeGreaterThan(3);
  const [layer] = listLayers(engine.land);
  unenrich(engine.land, layer?.layer_id ?? 0);
  expect(mapSources(engine.home, engine.land).terrain).toBeNull();
});

describe('height tiles', () => {
  test('agree with the heights of the file at 20 places, and are level beyond it', async () => {
    const engine = await groundOf(hills);
    const place = tileAt(13, -72.1, 44.1);
    const bytes = (await getTile(engine, 'heights', ...place)) as Uint8Array;
    const heights = terrarium(bytes);
    for (let at = 0; at < 20; at++) {
      const [column, row] = [(at * 53 + 11) % 256, (at * 97 + 29) % 256];
      const [longitude, latitude] = placeIn(place, { x: column * 16, y: row * 16 });
      // A pixel is 14 m of ground that rises by up to a third; the spline rounds hilltops off.
      expect(Math.abs((heights[row * 256 + column] as number) - hills(longitude, latitude))).toBeLessThan(2);
    }
    const edge = terrarium((await getTile(engine, 'heights', ...tileAt(8, -72.1, 44.1))) as Uint8Array);
    expect(Math.min(...edge)).toBeGreaterThan(200);
    // A tile near the county without heights of its own is level; far from it there is none.
    const beside = terrarium((await getTile(engine, 'heights', ...tileAt(13, -71.9, 44.1))) as Uint8Array);
    expect(new Set(beside)).toEqual(new Set([Math.min(...edge)]));
    expect(await getTile(engine, 'heights', ...tileAt(13, -60, 44.1))).toBeNull();
  });
});

/** Heights of a PNG of red, green and blue whose rows have the filter Sub, as engine/tiles/png-writer.ts writes it. */
function terrarium(png: Uint8Array): number[] {
  const bytes = Buffer.from(png);
  const at = bytes.indexOf('IDAT');
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
  return Array.from({ length: 256 }, (_, row) => {
    const start = row * 769;
    expect(rows[start]).toBe(1);
    const value = [0, 0, 0];
    return Array.from({ length: 256 }, (_, column) => {
      for (const band of [0, 1, 2])
        value[band] = ((value[band] as number) + (rows[start + 1 + column * 3 + band] as number)) & 255;
      const [red = 0, green = 0, blue = 0] = value;
      return red * 256 + green + blue / 256 - 32_768;
    });
  }).flat();
}
