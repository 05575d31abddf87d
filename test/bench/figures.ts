/**
 * Platbook's answers other than filters: search by APN, detail, the overhead of HTTP, comps, comp value, market
 * statistics.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { createKey } from '../../engine/account/api-keys.ts';
import { openEngine } from '../../engine/engine.ts';
import { startServer } from '../../engine/http/server.ts';
import type { Engine } from '../../engine/index.ts';
import { createRandom } from '../sample-maker/random.ts';
import type { Timing } from './ask-engines.ts';
import { compCounties } from './generated-comps.ts';
import { benchFips, type GeneratedCounty } from './generated-county.ts';
import { keptConnection, plainServer } from './http-client.ts';
import { median, quantile } from './statistics.ts';
import { measureTiles } from './tiles.ts';

export interface Figure extends Timing {
  readonly what: string;
  readonly medianMatches: number;
}

function seededRandom(seed: number): () => number {
  const random = createRandom(seed);
  return () => random.next();
}

const figureOf = (what: string, times: readonly number[], medianMatches: number): Figure => ({
  what,
  median: median(times),
  p95: quantile(times, 0.95),
  medianMatches,
});

async function timed(what: string, variants: number, ask: (variant: number) => Promise<number>): Promise<Figure> {
  const [times, matches]: [number[], number[]] = [[], []];
  await ask(-1);
  for (let variant = 0; variant < variants; variant++) {
    const began = performance.now();
    matches.push(await ask(variant));
    times.push(performance.now() - began);
  }
  return figureOf(what, times, median(matches));
}

async function askForParcels(engine: Engine, { parcels }: GeneratedCounty, variants: number): Promise<Figure[]> {
  const random = seededRandom(11);
  const apn = () => {
    const i = Math.floor(random() * parcels);
    return `${100 + Math.floor(i / 10_000)}${String(i % 10_000).padStart(4, '0')}`;
  };
  const id = () => 1 + Math.floor(random() * parcels);
  return [
    await timed(
      'search: APN',
      variants,
      async () => (await engine.call('search_properties', { fips: benchFips, apn: apn() })).data.count,
    ),
    await timed('detail', variants, async () => ((await engine.call('get_property', { id: id() })).data ? 1 : 0)),
  ];
}

/** In milliseconds, as between the calls of a client: one that follows at once finds the caches as the last one left them. */
const rest = 1;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  await after(rest);
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * The overhead of HTTP for a detail: each parcel is requested in process, then over a connection. Beside it the cost of
 * the same connection with a server that does nothing else: the minimum.
 */
async function askOverHttp(engine: Engine, { parcels }: GeneratedCounty): Promise<Figure[]> {
  const server = await startServer(engine, { port: 0, rate: { burst: 1_000_000, perSecond: 1_000_000 } });
  const { key } = createKey(engine.account, 'bench', ['read'], engine.now());
  const { ask, close } = keptConnection(key);
  const addressOf = (id: number) => `${server.baseUrl}/api/public/v1/properties/${id}/`;
  const plain = await plainServer(await ask(addressOf(1)));
  const random = seededRandom(11);
  const [added, bare]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < 500; pair++) {
    const id = 1 + Math.floor(random() * parcels);
    const inProcess = await timeOf(() => engine.call('get_property', { id }));
    added.push((await timeOf(() => ask(addressOf(id)))) - inProcess);
    bare.push(await timeOf(() => ask(plain.address)));
  }
  close();
  plain.close();
  await server.close();
  return [figureOf('HTTP adds', added, 1), figureOf('a bare Node server adds', bare, 1)];
}

/** 200,000 comps, and parcels of the generated county as subjects. */
async function askForValues(engine: Engine, county: GeneratedCounty, variants: number): Promise<Figure[]> {
  const random = seededRandom(13);
  const subjects = engine.land.file.column<number>(
    'SELECT property_id FROM parcels WHERE acres IS NOT NULL ORDER BY property_id LIMIT 20000',
  );
  const fiveMiles = 8047;
  return [
    await timed('comps: within 5 miles', variants, async () => {
      const point: [number, number] = [county.west + random() * 5, county.south + random() * 0.4];
      return (await engine.call('list_comps', { point, dist: fiveMiles, page_size: 25 })).data.count;
    }),
    await timed('comp value', variants, async () => {
      const id = subjects[Math.floor(random() * subjects.length)] ?? 1;
      return (await engine.call('get_property_ai_comp_value', { id })).data.mean_adjusted_price ? 1 : 0;
    }),
    await timed(
      'market stats of a county',
      variants,
      async (variant) =>
        (await engine.call('get_market_stats', { fips: compCounties[(variant + 10) % 10] ?? '' })).data.stats.length,
    ),
  ];
}

const copyIn = (folder: string): string => path.join(folder, 'home-with-comps');

/**
 * A copy of the home, for `measureFigures`: its comps, and the statistics that ANALYZE gives the planner, must not
 * affect other measurements.
 */
export async function makeFiguresHome(home: string, folder: string): Promise<void> {
  const child = fork(path.join(import.meta.dirname, 'comps-child.ts'), [home, copyIn(folder)]);
  process.once('exit', () => child.kill());
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the process that makes comps ended with code ${code}`);
}

/** On the copy of the home in this folder, which is removed. */
export async function measureFigures(folder: string, county: GeneratedCounty, variants: number): Promise<Figure[]> {
  const copy = copyIn(folder);
  const engine = openEngine({ home: copy, steadyNow: () => 0 });
  try {
    return [
      ...(await askForParcels(engine, county, variants)),
      ...(await askOverHttp(engine, county)),
      ...(await askForValues(engine, county, variants)),
      ...(await measureTiles(engine, county.fips, variants)),
    ];
  } finally {
    engine.close();
    fs.rmSync(copy, { recursive: true, force: true });
  }
}
