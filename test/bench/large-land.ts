/**
 * `node test/bench/large-land.ts FOLDER PART`: a million parcels past one machine (docs/past-one-machine.md). Each part
 * uses what an earlier one left in FOLDER:
 *   home  generates and imports the counties
 *   lake  writes them as GeoParquet
 *   push  pushes them into Debian's PostGIS on loopback
 *   ask   asks the server random filters of every kind
 * `--parcels N` (1,000,000) and `--counties 1` (18) choose another home, which needs a folder of its own; `--scope all`
 * asks each filter of all counties, not of one after the other.
 */
import { execFileSync, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { openEngine } from '../../engine/engine.ts';
import { workerMemory } from '../../engine/jobs/fork-worker.ts';
import { ServerConnection } from '../../engine/postgis/connect.ts';
import { PostgisLand } from '../../engine/postgis/postgis-land.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import { openLandStore } from '../../engine/store/land-store.ts';
import { filterBodies, scopeOf } from '../support/filter-bodies.ts';
import type { TwinParcel } from '../support/filter-twin.ts';
import { peakBytes } from '../support/peak-memory.ts';
import { clusterAddress, clusterFolder, createCluster, serverPid, startCluster } from './engines/postgis-cluster.ts';
import { writeGeneratedCounties, writeGeneratedCounty } from './generated-county.ts';
import { importApart } from './import-apart.ts';
import { median, megabytes, milliseconds, quantile, whole } from './statistics.ts';

const seed = 20_261_125;
const filters = 200;

const { values: options, positionals } = parseArgs({
  options: {
    parcels: { type: 'string', default: '1000000' },
    counties: { type: 'string', default: '18' },
    scope: { type: 'string', default: 'county' },
  },
  allowPositionals: true,
});
const [given = '', part = ''] = positionals;
const folder = path.resolve(given);
const home = path.join(folder, 'home');
const parcels = Number(options.parcels);

/** Seconds by the clock and of this process, and its peak. */
async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; words: string; seconds: number }> {
  const [used, began] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(used);
  const seconds = (performance.now() - began) / 1000;
  const cpu = (user + system) / 1e6;
  const words = `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU (${whole(parcels / cpu)} rows/s), peak ${megabytes(peakBytes())}`;
  return { result, words, seconds };
}

async function makeHome(): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const counties =
    options.counties === '1'
      ? [writeGeneratedCounty(path.join(folder, 'county.ndjson'), parcels, seed)]
      : writeGeneratedCounties(folder, parcels, seed);
  const files = counties.map(({ fips, file }) => `${fips}=${file}`);
  const { seconds } = await importApart({ home, files, parcels });
  for (const { file } of counties) fs.rmSync(file);
  console.log(`imported in ${seconds.toFixed(1)} s`);
}

/** In a process of its own with its options, as the command does. */
async function writeLakes(): Promise<void> {
  const lake = path.join(folder, 'lake');
  fs.rmSync(lake, { recursive: true, force: true });
  const child = fork(path.join(import.meta.dirname, 'lake-child.ts'), [home, lake], {
    execArgv: workerMemory.execArgv,
    env: { ...process.env, ...workerMemory.env },
  });
  await new Promise<void>((resolve, reject) => {
    child.on('message', (words) => console.log(words));
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the lake ended with code ${code}`))));
  });
}

/** Seconds of CPU of the server and all that it started. */
function serverSeconds(): number {
  const pid = serverPid(folder) ?? 0;
  const ticks = (file: string, from: number, to: number): number => {
    const stat = fs.readFileSync(file, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
  };
  const children = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid='], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  // utime, stime, and of the reaped children
  return [ticks(`/proc/${pid}/stat`, 11, 15), ...children.map((child) => ticks(`/proc/${child}/stat`, 11, 13))].reduce(
    (sum, some) => sum + some / 100,
    0,
  );
}

async function withServer(work: (server: ServerConnection, url: string, password: string) => Promise<void>) {
  if (!fs.existsSync(clusterFolder(folder))) createCluster(folder, { isKept: true });
  const { stop } = await startCluster(folder);
  try {
    const { port, password } = clusterAddress(folder);
    const url = `postgres://bench@127.0.0.1:${port}/land`;
    const server = new ServerConnection(parseServerAddress(url), { password });
    await work(server, url, password);
    await server.close();
  } finally {
    stop();
  }
}

const push = () =>
  withServer(async (server, url, password) => {
    const root = new ServerConnection(parseServerAddress(url.replace(/land$/, 'postgres')), { password });
    await root.open();
    await root.run('DROP DATABASE IF EXISTS land');
    await root.run('CREATE DATABASE land');
    await root.close();
    await server.open();
    const before = serverSeconds();
    let [phase, since] = ['', performance.now()];
    const phases = new Map<string, number>();
    const { words, seconds } = await timed(() =>
      pushLand(server, home, {
        platbook: '0.0.0',
        onPhase: (_fips, next) => {
          const now = performance.now();
          phases.set(phase, (phases.get(phase) ?? 0) + now - since);
          [phase, since] = [next.replace(/:.*/, ''), now];
        },
      }),
    );
    const used = serverSeconds() - before;
    console.log(`pushed: ${whole(parcels / seconds)} rows/s by the clock; here ${words}`);
    console.log(`server ${used.toFixed(1)} s of CPU (${whole(parcels / used)} rows/s)`);
    console.log([...phases].map(([name, time]) => `${name || 'opening'} ${(time / 1000).toFixed(1)} s`).join(', '));
    const sizes = await server.rows(
      `SELECT pg_size_pretty(sum(pg_table_size(c.oid))) AS heap, pg_size_pretty(sum(pg_indexes_size(c.oid))) AS indexes,
         pg_size_pretty(pg_total_relation_size('county_indexes')) AS columns
       FROM pg_class c WHERE c.relkind = 'r' AND c.relname LIKE 'parcels\\_%'`,
    );
    console.log(JSON.stringify(sizes[0]));
  });

/** Some parcels of every county: filters take their bounds from them. */
function someParcels(): TwinParcel[] {
  const land = openLandStore(home, () => 0);
  try {
    return land.file.all<TwinParcel>(
      `SELECT p.*, d.source_date FROM parcels p LEFT JOIN datasets d USING (dataset_id)
       WHERE p.property_id % ? = 0 ORDER BY property_id`,
      Math.max(1, Math.floor(parcels / 2000)),
    );
  } finally {
    land.close();
  }
}

const ask = () =>
  withServer(async (_server, url, password) => {
    const land = new PostgisLand(parseServerAddress(url), { password });
    const engine = openEngine({ home, keepsIndexes: false, land });
    const some = someParcels();
    const counties = scopeOf(some).counties as string[];
    const round = async (words: string, roundSeed: number) => {
      const found: { time: number; count: number; body: unknown }[] = [];
      for (const [i, body] of fc.sample(filterBodies(some), { numRuns: filters, seed: roundSeed }).entries()) {
        const input = {
          counties: options.scope === 'all' ? counties : counties.slice(i % counties.length, (i % counties.length) + 1),
          ...body,
        };
        const began = performance.now();
        const count = await engine.call('filter_properties', input).then(
          ({ data }) => (data as { count: number }).count,
          () => -1,
        );
        found.push({ time: performance.now() - began, count, body });
      }
      const times = found.map(({ time }) => time);
      const matched = found.filter(({ count }) => count > 0).length;
      const stopped = found.filter(({ count }) => count < 0).length;
      console.log(
        `${words}: ${filters} filters, ${matched} not empty, ${stopped} refused: median ${milliseconds(median(times))} ms, 95 % ${milliseconds(quantile(times, 0.95))} ms, worst ${milliseconds(Math.max(...times))} ms`,
      );
      for (const { time, count, body } of found
        .sort((a, b) => b.time - a.time)
        .slice(0, Number(process.env.SLOWEST ?? 0)))
        console.log(`${milliseconds(time)} ms, ${count}: ${JSON.stringify(body).slice(0, 600)}`);
    };
    await round('at first', seed);
    const [used, began] = [process.cpuUsage(), performance.now()];
    await land.keptCounties.settle();
    const { user, system } = process.cpuUsage(used);
    console.log(
      `${land.keptCounties.counties} counties in ${megabytes(land.keptCounties.byteLength)} of memory after ${((performance.now() - began) / 1000).toFixed(1)} s more, ${((user + system) / 1e6).toFixed(1)} s of CPU here, peak ${megabytes(peakBytes())}`,
    );
    await round('asked again', seed + 1);
    engine.close();
    await land.close();
  });

const parts: Readonly<Record<string, () => Promise<void>>> = { home: makeHome, lake: writeLakes, push, ask };
const run = parts[part];
if (!run) {
  console.error(`Usage: node test/bench/large-land.ts FOLDER ${Object.keys(parts).join('|')}`);
  process.exit(2);
}
await run();
process.exit(0);
