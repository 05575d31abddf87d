/**
 * `node test/bench/ground.ts`: the ground of the map, against its limits. CPU and bytes of contour and relief tiles of the
 * sample county; then what a raster of 36 million cells takes in terrain.sqlite, and in the memory of the process that keeps
 * it, while the home answers. `--runs N` keeps it several times, `--only tiles` or `--only raster` leaves the other out.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import type { Engine } from '../../engine/index.ts';
import { workerMemory } from '../../engine/jobs/fork-worker.ts';
import { keepSampleGround, placeSample } from '../../engine/sample-county.ts';
import { openTerrain, terrainPath } from '../../engine/store/terrain-store.ts';
import { dropHeights } from '../../engine/terrain/store-heights.ts';
import { getTile } from '../../engine/tiles/index.ts';
import { answerWhile, askersOf, everyAnswer } from './answers-beside.ts';
import { writeRoughGround } from './rough-ground.ts';
import { median, megabytes, milliseconds, quantile } from './statistics.ts';
import { drawTiles } from './tiles.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});

const tilesOfZoom = 60;
const zooms = [12, 13, 14, 15];
/** Contours are drawn at both, relief at the first. */
const firstZooms = [11, 16];
/** Cells across the raster: 6,000² are 36 million. */
const side = 6000;
/** A county of no sample parcels. */
const roughFips = '99002';

type Row = Readonly<Record<'what' | 'found' | 'limit', string>>;

/** Milliseconds and kilobytes. */
interface Cost {
  readonly time: number;
  readonly size: number;
}

/** Of the process that keeps a raster. */
interface Report {
  readonly peakBytes: number;
  readonly cpuSeconds: number;
}

/** A process compiles what it runs during its first tiles, which count apart. */
async function tileRow(engine: Engine, source: 'contours' | 'relief', limit: string): Promise<Row> {
  const first = await costsOf(engine, source, firstZooms);
  const costs = await costsOf(engine, source, zooms);
  const [times, sizes] = [costs.map(({ time }) => time), costs.map(({ size }) => size)];
  const kilobytes = `${median(sizes).toFixed(1)} kB, p95 ${quantile(sizes, 0.95).toFixed(1)}, most ${Math.max(...sizes).toFixed(1)}`;
  const compiling = `first ${first.length} at most ${milliseconds(Math.max(...first.map(({ time }) => time)))}`;
  const found = `${times.length} tiles: CPU ${milliseconds(median(times))} ms, p95 ${milliseconds(quantile(times, 0.95))}, ${compiling}; ${kilobytes}`;
  return { what: source, found, limit };
}

async function costsOf(engine: Engine, source: 'contours' | 'relief', at: readonly number[]): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const { z, x, y } of at.flatMap((zoom) => drawTiles(engine, zoom, tilesOfZoom, zoom))) {
    const began = process.cpuUsage();
    const tile = await getTile(engine, source, z, x, y);
    const { user, system } = process.cpuUsage(began);
    costs.push({ time: (user + system) / 1000, size: (tile?.length ?? 0) / 1000 });
  }
  return costs;
}

/** Keeps the raster as a job does, while the engine answers about its own county. */
async function keepRow(engine: Engine, file: string): Promise<Row> {
  const before = fs.statSync(terrainPath(engine.home)).size;
  const child = fork(path.join(import.meta.dirname, 'ground-child.ts'), [engine.home, file, roughFips], {
    execArgv: workerMemory.execArgv,
    env: { ...process.env, ...workerMemory.env },
  });
  const ended = once(child, 'exit');
  const reports: Report[] = [];
  child.on('message', (message) => void reports.push(message as Report));
  const [{ fips = '', parcels = 0 } = {}] = engine.land.file.all<{ fips: string; parcels: number }>(
    'SELECT fips, count(*) AS parcels FROM parcels GROUP BY fips',
  );
  const { spreads } = await answerWhile(
    askersOf(engine, fips, parcels),
    () => child.exitCode === null && child.signalCode === null,
  );
  await ended;
  const [report] = reports;
  if (!report) throw new Error('The process that keeps the raster ended without a report.');
  const kept = megabytes(fs.statSync(terrainPath(engine.home)).size - before);
  dropAgain(engine.home);
  const [[slowest = '', { max = Number.NaN } = {}] = []] = Object.entries(spreads)
    .filter(([kind]) => kind !== everyAnswer)
    .sort(([, one], [, other]) => other.max - one.max);
  const answers = `answers meanwhile at most ${milliseconds(max)} ms (${slowest})`;
  return {
    what: '36 million cells',
    found: `${kept} kept, memory ${megabytes(report.peakBytes)} at most, CPU ${report.cpuSeconds.toFixed(1)} s; ${answers}`,
    limit: '60 MB kept, 300 MB memory, answers 200 ms',
  };
}

/** So that the next run finds the file as it was. */
function dropAgain(home: string): void {
  dropHeights(home, roughFips);
  const file = openTerrain(home);
  file.exec('VACUUM');
  file.close();
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-ground-'));
placeSample(path.join(folder, 'home'));
const engine = openEngine({ home: path.join(folder, 'home') });
try {
  await keepSampleGround(engine);
  const rows: Row[] = [];
  if (values.only !== 'raster') {
    rows.push(await tileRow(engine, 'contours', 'p95 8 ms, 12 kB'));
    rows.push(await tileRow(engine, 'relief', 'p95 25 ms, 90 kB'));
  }
  if (values.only !== 'tiles') {
    const raster = path.join(folder, 'rough.tif');
    writeRoughGround(raster, side);
    for (let run = 0; run < Number(values.runs); run++) rows.push(await keepRow(engine, raster));
  }
  console.log(tableText(['what', 'found', 'limit'], rows));
} finally {
  engine.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
