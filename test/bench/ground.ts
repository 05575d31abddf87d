/**
 * `node test/bench/ground.ts`: the ground of the map, against its limits. CPU and bytes of contour and relief tiles of the
 * sample county; then what a county of 36 million cells takes in terrain.sqlite and in memory while it is kept.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRandom } from '../../data/sample/random.ts';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import type { Engine } from '../../engine/index.ts';
import { loadSampleCounty } from '../../engine/sample-county.ts';
import { terrainPath } from '../../engine/store/terrain-store.ts';
import { keepHeights } from '../../engine/terrain/keep-heights.ts';
import type { HeightSource } from '../../engine/terrain/project-heights.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { peakBytes } from '../support/peak-memory.ts';
import { median, milliseconds, quantile } from './statistics.ts';
import { drawTiles } from './tiles.ts';

const tilesOfZoom = 60;
/** Cells across the county: 6,000² are 36 million. */
const side = 6000;
const degrees = 0.0001;
const corner = { west: -72.3, north: 44.4 };

async function tileRow(engine: Engine, source: 'contours' | 'relief', zooms: readonly number[]): Promise<string> {
  const [times, sizes]: [number[], number[]] = [[], []];
  for (const zoom of zooms) {
    const [first, ...others] = drawTiles(engine, zoom, tilesOfZoom, zoom);
    if (first) await getTile(engine, source, first.z, first.x, first.y);
    for (const { z, x, y } of others) {
      const began = process.cpuUsage();
      const tile = await getTile(engine, source, z, x, y);
      const { user, system } = process.cpuUsage(began);
      times.push((user + system) / 1000);
      sizes.push((tile?.length ?? 0) / 1000);
    }
  }
  const kilobytes = `${median(sizes).toFixed(1)} kB, p95 ${quantile(sizes, 0.95).toFixed(1)}, most ${Math.max(...sizes).toFixed(1)}`;
  return `${times.length} tiles: CPU ${milliseconds(median(times))} ms, p95 ${milliseconds(quantile(times, 0.95))}; ${kilobytes}`;
}

/** Hills of three sizes with noise of half a meter, as surveyed ground has. */
function roughGround(): HeightSource {
  const random = createRandom(36);
  const noise = Float32Array.from({ length: 1 << 16 }, () => random.integer(0, 1000) / 2000);
  const heightAt = (column: number, row: number) =>
    300 +
    180 * Math.sin(column / 900) * Math.cos(row / 700) +
    40 * Math.sin(column / 110 + row / 170) +
    6 * Math.cos(column / 23 - row / 31) +
    (noise[(column * 7919 + row * 104_729) & 0xffff] as number);
  return {
    ...{ width: side, height: side, metersPerUnit: 1 },
    pixels: {
      toCells: (place) =>
        place.map((at, i) => (i % 2 === 0 ? (at - corner.west) / degrees : (corner.north - at) / degrees)),
      toDegrees: (column, row) => [corner.west + column * degrees, corner.north - row * degrees],
    },
    read: async ({ left, top, right, bottom }) => {
      const width = right - left + 2;
      const heights = Float32Array.from({ length: width * (bottom - top + 2) }, (_, at) =>
        heightAt(left - 1 + (at % width), top - 1 + Math.floor(at / width)),
      );
      return { heights, width, left: left - 1, top: top - 1 };
    },
  };
}

async function keepMany(home: string): Promise<string> {
  const reach = side * degrees;
  const box = { minX: corner.west, minY: corner.north - reach, maxX: corner.west + reach, maxY: corner.north };
  const began = process.cpuUsage();
  await keepHeights(home, roughGround(), { fips: '99002', box, content: 'rough', attribution: '', onTile: () => {} });
  const { user, system } = process.cpuUsage(began);
  const kept = fs.statSync(terrainPath(home)).size;
  return `${(kept / 1e6).toFixed(1)} MB kept, memory ${Math.round(peakBytes() / 1e6)} MB at most, CPU ${((user + system) / 1e6).toFixed(1)} s`;
}

const homes = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-ground-'));
try {
  const rows: { what: string; found: string; limit: string }[] = [];
  const many = path.join(homes, 'many');
  openEngine({ home: many, create: true }).close();
  // First: the peak is that of the whole process.
  rows.push({ what: '36 million cells', found: await keepMany(many), limit: '60 MB kept, 300 MB memory' });
  const engine = openEngine({ home: path.join(homes, 'sample'), create: true });
  await loadSampleCounty(engine);
  const zooms = [12, 13, 14, 15];
  rows.push({ what: 'contours', found: await tileRow(engine, 'contours', zooms), limit: 'p95 8 ms, 12 kB' });
  rows.push({ what: 'relief', found: await tileRow(engine, 'relief', zooms), limit: 'p95 25 ms, 90 kB' });
  engine.close();
  console.log(tableText(['what', 'found', 'limit'], rows));
} finally {
  fs.rmSync(homes, { recursive: true, force: true });
}
