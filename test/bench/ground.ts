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
import { loadSampleCounty } from '../../engine/sample-county.ts';
import { openTerrain, terrainPath } from '../../engine/store/terrain-store.ts';
import { dropHeights } from '../../engine/terrain/keep-heights.ts';
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
/** Cells across the raster: 6,000² are 36 million. */
const side = 6000;
/** A county of no sample parcels. */
const roughFips = '99002';

type Row = Readonly<Record<'what' | 'found' | 'limit', string>>;

/** Of the process that keeps a raster. */
interface Report {
  readonly peakBytes: number;
  readonly cpuSeconds: number;
}

async function tileRow(engine: Engine, source: 'contours' | 'relief', limit: string): Promise<Row> {
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
  const found = `${times.length} tiles: CPU ${milliseconds(median(times))} ms, p95 ${milliseconds(quantile(times, 0.95))}; ${kilobytes}`;
  return { what: source, found, limit };
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
  const answers = `answers meanwhile at most ${milliseconds(spreads[everyAnswer]?.max ?? Number.NaN)} ms`;
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
const engine = openEngine({ home: path.join(folder, 'home'), create: true });
try {
  await loadSampleCounty(engine);
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
