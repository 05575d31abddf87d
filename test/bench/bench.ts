/**
 * `npm run bench`: how fast the engine is on a generated county, in one table. Seeded, so two runs ask the same; medians
 * over many variants of each question. Nothing is asserted: limits that fail on a slow morning teach nobody.
 * `--parcels N` changes the size.
 */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRandom } from '../../data/sample/random.ts';
import { createKey } from '../../engine/account/api-keys.ts';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import { startServer } from '../../engine/http/server.ts';
import type { Engine, InputOf } from '../../engine/index.ts';
import { compCounties, writeGeneratedComps } from './generated-comps.ts';
import { type GeneratedCounty, writeGeneratedCounty } from './generated-county.ts';

const fips = '20163';
const variants = 50;
const comps = 200_000;

function seededRandom(seed: number): () => number {
  const random = createRandom(seed);
  return () => random.next();
}

interface Figure {
  readonly what: string;
  readonly median: string;
  readonly p95: string;
  readonly note: string;
}

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const quantile = (values: readonly number[], q: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? Number.NaN;
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

async function timed(what: string, ask: (variant: number) => Promise<number>): Promise<Figure> {
  const times: number[] = [];
  const matches: number[] = [];
  await ask(-1);
  for (let variant = 0; variant < variants; variant++) {
    const began = performance.now();
    matches.push(await ask(variant));
    times.push(performance.now() - began);
  }
  return {
    what,
    median: ms(quantile(times, 0.5)),
    p95: ms(quantile(times, 0.95)),
    note: `${variants} variants, median ${Math.round(quantile(matches, 0.5))} matches`,
  };
}

/** In a process of its own, so that its memory is the import's alone. */
async function importInChild(home: string, county: GeneratedCounty): Promise<Figure> {
  const child = fork(path.join(import.meta.dirname, 'import-child.ts'), [home, county.file, fips]);
  const result = await new Promise<{ seconds: number; rows: number; megabytes: number }>((resolve, reject) => {
    child.on('message', (message) => resolve(message as { seconds: number; rows: number; megabytes: number }));
    child.on('exit', (code) => reject(new Error(`the import ended with code ${code}`)));
  });
  const size = fs.statSync(path.join(home, 'land.sqlite')).size;
  return {
    what: 'import, newline GeoJSON',
    median: `${Math.round(result.rows / result.seconds)} rows/s`,
    p95: '',
    note: `${result.seconds.toFixed(1)} s, peak memory ${Math.round(result.megabytes)} MB, file ${Math.round(size / 1e6)} MB`,
  };
}

function questions(county: GeneratedCounty): Record<string, (random: () => number) => InputOf<'filter_properties'>> {
  const { west, south, step, width } = county;
  const circle = (random: () => number, share: number) => {
    const radius = Math.sqrt(share / Math.PI) * width * step;
    const x = west + random() * width * step;
    const y = south + random() * width * step;
    const corners = Array.from(
      { length: 64 },
      (_, k) => `${x + radius * Math.cos((k * Math.PI) / 32)} ${y + radius * Math.sin((k * Math.PI) / 32)}`,
    );
    return `POLYGON((${[...corners, corners[0]].join(', ')}))`;
  };
  const zip = (random: () => number) => `670${10 + Math.floor(random() * 80)}`;
  return {
    'filter: county, acres range, no structures': (random) => ({
      county: fips,
      acres_min: 2 + random() * 10,
      acres_max: 20 + random() * 40,
      structure_count_max: 0,
    }),
    'filter: county, eight predicates': (random) => ({
      county: fips,
      acres_min: 1 + random(),
      acres_max: 80,
      vacant_only: true,
      out_of_state_owner: true,
      flood_zone_percent_max: 10,
      wetlands_percent_max: 20,
      exclude_corp_owner: true,
      market_total_value_max: 50_000 + random() * 50_000,
      ownership_length_min: 60,
    }),
    'filter: county, one loose predicate': (random) => ({ county: fips, flood_zone_percent_max: random() * 50 }),
    'filter: polygon over 1 % + 3 predicates': (random) => ({
      geom_intersects: circle(random, 0.01),
      acres_min: 1,
      vacant_only: true,
      exclude_landlocked: true,
    }),
    'filter: polygon over 30 % + 3 predicates': (random) => ({
      geom_intersects: circle(random, 0.3),
      acres_min: 1,
      vacant_only: true,
      exclude_landlocked: true,
    }),
    'filter: five excluded owner words': (random) => ({
      county: fips,
      owner_name_exclude_words: ['LLC', 'INC', 'TRUST', 'ESTATE', 'CHURCH'],
      acres_min: random(),
    }),
    'filter: ten ZIP codes + ranges': (random) => ({
      zips_include: Array.from({ length: 10 }, () => zip(random)),
      acres_min: 2,
      assessed_total_value_max: 40_000 + random() * 40_000,
    }),
    'filter: page 100 by acres, descending': (random) => ({
      county: fips,
      acres_min: random(),
      ordering: '-acres',
      page: 100,
      page_size: 100,
    }),
  };
}

async function askEngine(engine: Engine, county: GeneratedCounty): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [what, question] of Object.entries(questions(county))) {
    const random = seededRandom(7);
    figures.push(await timed(what, async () => (await engine.call('filter_properties', question(random))).data.count));
  }
  const random = seededRandom(11);
  const owners = ['smith john', 'garcia', 'núñez', "o'brien mary", 'trust'];
  figures.push(
    await timed(
      'search: owner tokens',
      async (variant) =>
        (await engine.call('search_properties', { fips, owner_name: owners[(variant + 5) % 5] ?? 'lee' })).data.count,
    ),
    await timed(
      'search: APN',
      async () =>
        (
          await engine.call('search_properties', {
            fips,
            apn: `${100 + Math.floor(random() * (county.parcels / 1000))}-${Math.floor(random() * 1000)}`,
          })
        ).data.count,
    ),
    await timed('detail', async () =>
      (await engine.call('get_property', { id: 1 + Math.floor(random() * county.parcels) })).data ? 1 : 0,
    ),
  );
  return figures;
}

/** 200,000 comps, and parcels of the generated county as subjects. */
async function askForValues(engine: Engine, county: GeneratedCounty): Promise<Figure[]> {
  writeGeneratedComps(engine.land, comps, 20261120);
  engine.land.file.exec('ANALYZE');
  const random = seededRandom(13);
  const subjects = engine.land.file.column<number>(
    'SELECT property_id FROM parcels WHERE acres IS NOT NULL ORDER BY property_id LIMIT 20000',
  );
  const fiveMiles = 8047;
  return [
    await timed('comps: within 5 miles', async () => {
      const point: [number, number] = [county.west + random() * 5, county.south + random() * 0.4];
      return (await engine.call('list_comps', { point, dist: fiveMiles, page_size: 25 })).data.count;
    }),
    await timed('comp value', async () => {
      const { data } = await engine.call('get_property_ai_comp_value', {
        id: subjects[Math.floor(random() * subjects.length)] ?? 1,
      });
      return data.mean_adjusted_price ? 1 : 0;
    }),
    await timed(
      'market stats of a county',
      async (variant) =>
        (await engine.call('get_market_stats', { fips: compCounties[(variant + 10) % 10] ?? '' })).data.stats.length,
    ),
  ];
}

async function askOverHttp(engine: Engine, county: GeneratedCounty): Promise<Figure> {
  const server = await startServer(engine, { port: 0, rate: { burst: 1_000_000, perSecond: 1_000_000 } });
  const { key } = createKey(engine.account, 'bench', ['read'], engine.now());
  const random = seededRandom(11);
  const figure = await timed('detail over HTTP', async () => {
    const response = await fetch(
      `${server.baseUrl}/api/public/v1/properties/${1 + Math.floor(random() * county.parcels)}/`,
      { headers: { authorization: `Bearer ${key}` } },
    );
    await response.arrayBuffer();
    return response.status === 200 ? 1 : 0;
  });
  await server.close();
  return figure;
}

const sizeAt = process.argv.indexOf('--parcels');
const parcels = sizeAt > 0 ? Number(process.argv[sizeAt + 1]) : 100_000;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-bench-'));
try {
  const county = writeGeneratedCounty(path.join(folder, 'county.ndjson'), parcels, 20261120);
  const home = path.join(folder, 'home');
  const figures = [await importInChild(home, county)];
  const engine = openEngine({ home });
  figures.push(
    ...(await askEngine(engine, county)),
    await askOverHttp(engine, county),
    ...(await askForValues(engine, county)),
  );
  engine.close();
  console.log(
    `${parcels} generated parcels, ${comps} generated comps, Node ${process.versions.node}, ${os.cpus()[0]?.model ?? 'unknown processor'} × ${os.cpus().length}`,
  );
  console.log(
    tableText(
      ['what', 'median', 'p95', 'note'],
      figures.map((figure) => ({ ...figure })),
    ),
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
