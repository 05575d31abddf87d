/** R4, R12 and R21 of docs/reliability.md, "What must hold": many clients for long on a county of a hundred thousand parcels. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { type GeneratedCounty, inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { quantile } from '../bench/statistics.ts';
import { type RequestOptions, type Response, send } from '../http/client.ts';
import { createRandom } from '../sample-maker/random.ts';
import { fullSize, measured, runs } from '../support/runs.ts';

const clients = 16;
const parcels = fullSize(3000, 100_000);
const timeout = fullSize(120_000, 1_800_000);
const fips = '33019';

let folder = '';
let county: GeneratedCounty;
const agent = new http.Agent({ keepAlive: true, maxSockets: clients });

interface Listener {
  readonly child: ChildProcess;
  readonly ask: (request: RequestOptions) => Promise<Response>;
}

let listener: Listener;
const ask = (request: RequestOptions): Promise<Response> => listener.ask(request);

/** @param pace how many times too fast its clock runs */
async function listen(pace: number): Promise<Listener> {
  const child = fork(path.join(import.meta.dirname, 'listener-child.ts'), [path.join(folder, 'home'), String(pace)], {
    execArgv: ['--expose-gc'],
  });
  const [{ port, key }] = (await once(child, 'message')) as [{ port: number; key: string }];
  return { child, ask: (request) => send(port, agent, { key, ...request }) };
}

async function stop({ child }: Listener): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

const used = async (): Promise<number> => (await ask({ path: 'usage/' })).json.tokens_used;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-load-'));
  county = writeGeneratedCounty(path.join(folder, 'county.ndjson'), parcels, 1, inSullivan);
  const home = path.join(folder, 'home');
  const engine = openEngine({ home, create: true });
  await engine.jobs.run('import_parcels', {
    files: [county.file],
    county: fips,
    source: 'generated',
    date: '2026-01-01',
  });
  engine.close();
  listener = await listen(1);
  // Until the index beside the table stands, SQL answers.
  await sleep(fullSize(0, 10_000));
  return async () => {
    agent.destroy();
    await stop(listener);
    fs.rmSync(folder, { recursive: true, force: true });
  };
}, timeout);

// A connection that was idle through a test may be closed by the listener in the moment in which it is used again.
beforeEach(() => agent.destroy());

/** All clients ask, each its next request once it has the answer, while `goesOn` says so. */
async function askWhile(next: () => RequestOptions, goesOn: () => boolean, onAnswer: (answer: Response) => void) {
  const times: number[] = [];
  const client = async () => {
    while (goesOn()) {
      const began = performance.now();
      const answer = await ask(next());
      times.push(performance.now() - began);
      onAnswer(answer);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

const filter = (random: ReturnType<typeof createRandom>): RequestOptions => ({
  method: 'POST',
  path: 'properties/filter/?page_size=25',
  body: {
    county: fips,
    acres_min: Number(random.between(0.5, 8).toFixed(3)),
    acres_max: Number(random.between(12, 45).toFixed(3)),
    structure_count_max: 0,
  },
});

test('filters of sixteen clients at once are all answered, and charged as they say', { timeout }, async () => {
  const random = createRandom('load');
  const [before, seconds] = [await used(), fullSize(0.5, 15)];
  let tokens = 0;
  const began = performance.now();
  const isOn = () => performance.now() - began < seconds * 1000;
  const times = await askWhile(
    () => filter(random),
    isOn,
    ({ status, headers, text }) => {
      expect(status, text).toBe(200);
      tokens += Number(headers['x-tokens-used']);
    },
  );
  const rate = (1000 * times.length) / (performance.now() - began);
  expect(await used()).toBe(before + tokens);
  expect(tokens).toBeGreaterThan(0);
  const p99 = quantile(times, 0.99);
  measured(`${times.length} filters over ${parcels} parcels by ${clients} clients, 0 errors, ${tokens} tokens = usage`);
  measured(`${Math.round(rate)} a second`, ['≥ 1,000', rate >= 1000]);
  measured(`p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`, ['≤ 25 ms', p99 <= 25]);
});

/** A ring or a line that goes to and fro across the county as often as a query may. */
function zigzag(kind: 'LINESTRING' | 'POLYGON', turns: number): string {
  const { west, east, south, north } = county;
  const at = (n: number) => `${n % 2 === 0 ? west : east} ${south + ((north - south) * n) / turns}`;
  const points = Array.from({ length: turns }, (_, n) => at(n)).join(', ');
  return kind === 'LINESTRING' ? `LINESTRING(${points})` : `POLYGON((${points}, ${west} ${north}, ${at(0)}))`;
}

test('the broadest areas are answered, or refused free, in time, and the next one is answered', {
  timeout,
}, async () => {
  const areas = [
    zigzag('LINESTRING', 1000),
    zigzag('LINESTRING', 9990),
    zigzag('POLYGON', 300),
    zigzag('POLYGON', 9900),
  ].map((area) => ({ method: 'POST', path: 'properties/filter/', body: { county: fips, geom_intersects: area } }));
  // No area of 10,000 points takes 2 s any more: beside the real clock one that runs so fast that all of them are too broad.
  const pace = fullSize(2000, 100);
  const hasty = await listen(pace);
  onTestFinished(() => stop(hasty));
  let refused = 0;
  const timesOf = async ({ ask }: Listener): Promise<number[]> => {
    const times: number[] = [];
    for (const area of areas) {
      const began = performance.now();
      const answer = await ask(area);
      times.push((performance.now() - began) / 1000);
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) {
        expect(answer.headers['x-tokens-used']).toBe('0');
        expect(answer.text).toMatch(/too broad/);
        refused++;
      }
      expect((await ask({ path: 'properties/1/' })).status).toBe(200);
    }
    return times;
  };
  const longest = Math.max(...(await timesOf(listener)));
  measured(`4 areas across ${parcels} parcels: the longest took ${longest.toFixed(2)} s`, ['≤ 2.2 s', longest <= 2.2]);
  refused = 0;
  const limit = 2 / pace;
  const over = Math.max(...(await timesOf(hasty))) - limit;
  expect(refused).toBeGreaterThan(0);
  measured(
    `by a limit of ${1000 * limit} ms ${refused} of them refused as too broad, free, the next answered; the latest ${over.toFixed(2)} s after the limit`,
    ['≤ 0.2 s', over <= 0.2],
  );
});

/**
 * Megabytes by which memory may grow in the second half: of the heap nothing but noise (a kilobyte kept of each request
 * would be 46), and beside it what the page cache of SQLite (64 MB for the parcels) has still to take in.
 */
const most = { heap: 8, resident: 64 };

test('memory stays flat over many requests of every kind', { timeout }, async () => {
  const random = createRandom('soak');
  const requests = runs(600, 600, 94_000);
  const kinds: (() => RequestOptions)[] = [
    () => filter(random),
    () => ({ ...filter(random), headers: { Accept: 'text/csv' } }),
    () => ({ path: `properties/search/?fips=${fips}&owner_name=${random.pick(['smith', 'town', 'llc'])}&page_size=5` }),
    () => ({ path: `properties/${random.integer(1, 2 * parcels)}/` }),
    () => ({ path: 'usage/' }),
    () => ({ path: `properties/search/?fips=${fips}&nothing=${random.next()}` }),
    () => ({ path: 'usage/', headers: { Authorization: `Bearer ${random.next()}` } }),
  ];
  const statuses = new Map<number, number>();
  const samples: { heap: number; resident: number }[] = [];
  let asked = 0;
  const sample = async () => {
    listener.child.send('how much?');
    samples.push(((await once(listener.child, 'message')) as [(typeof samples)[number]])[0]);
  };
  const parts = 20;
  for (let part = 1; part <= parts; part++) {
    const until = (requests * part) / parts;
    await askWhile(
      () => random.pick(kinds)(),
      () => asked++ < until,
      ({ status }) => {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      },
    );
    asked = until;
    await sample();
  }
  expect([...statuses.keys()].sort()).toEqual([200, 400, 401, 404]);
  const grown = (['heap', 'resident'] as const).map((kind) => {
    const values = samples.map((one) => one[kind]);
    const [half, end] = [median(values.slice(8, 12)), median(values.slice(16))];
    return { kind, half, end, by: end - half };
  });
  const words = grown.map(
    ({ kind, half, end }) => `${kind} ${half.toFixed(1)} MB at half, ${end.toFixed(1)} MB at the end`,
  );
  measured(`${requests} requests, ${statuses.get(200)} answered, no 5xx; ${words.join('; ')}`);
  expect(grown.filter(({ kind, by }) => by > most[kind])).toEqual([]);
});

const median = (values: readonly number[]): number => quantile(values, 0.5);
