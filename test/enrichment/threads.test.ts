/** A county large enough for threads: the same values as without them, and nothing at all when the process is killed. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { emptyHome } from '../support/homes.ts';
import { now } from './enriched-home.ts';
import { generatedLots, generatedRoads, generatedWetlands, lotGrid, writeLines } from './generated-layers.ts';

const fips = '20155';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-threads-'));
const home = path.join(folder, 'home');
const wetlands = path.join(folder, 'wetlands.geojsonl');
const roads = path.join(folder, 'roads.geojsonl');

const valuesOf = (engine: Engine): unknown[] =>
  engine.land.file.all(
    `SELECT property_id, wetlands_percent, road_frontage_ft, road_frontage_major_highway_ft, road_frontage_local_road_ft,
       landlocked FROM parcels ORDER BY property_id`,
  );

beforeAll(async () => {
  const county = lotGrid(6000);
  const lots = path.join(folder, 'county.geojsonl');
  writeLines(lots, generatedLots(county, 5));
  writeLines(wetlands, generatedWetlands(county, 2000, 6));
  writeLines(roads, generatedRoads(county, 2000, 7));
  const engine = openEngine({ home, create: true });
  await importParcels(engine.land, {
    files: [lots],
    fips,
    source: 'generated',
    date: '2026-01-01',
    homeKind: 'real',
    now,
  });
  engine.close();
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function copyOfCounty(): Engine {
  const copy = emptyHome();
  fs.cpSync(home, copy, { recursive: true });
  return openEngine({ home: copy });
}

describe('threads', () => {
  test('give what one core gives', async () => {
    const results: unknown[][] = [];
    for (const threads of [1, 2, 3]) {
      const engine = copyOfCounty();
      const options = { fips, now, threads, coverage: 'county' as const, date: '2026-01-01' };
      const wet = await enrich(engine.land, { ...options, kind: 'wetlands', file: wetlands });
      const road = await enrich(engine.land, { ...options, kind: 'roads', file: roads });
      expect([wet.threads, road.threads]).toEqual([threads, threads]);
      results.push(valuesOf(engine));
      engine.close();
    }
    expect(results[0]?.some((row) => (row as { wetlands_percent: number }).wetlands_percent > 0)).toBe(true);
    expect(results[0]?.some((row) => (row as { landlocked: number }).landlocked === 1)).toBe(true);
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test('stop when the signal says so, and leave nothing', async () => {
    const engine = copyOfCounty();
    const before = valuesOf(engine);
    const controller = new AbortController();
    const outcome = enrich(engine.land, {
      ...{ fips, now, threads: 2, kind: 'wetlands', file: wetlands, signal: controller.signal },
      onProgress: ({ phase }) => phase === 'computing' && controller.abort(),
    });
    await expect(outcome).rejects.toThrow(/abort/i);
    expect(valuesOf(engine)).toEqual(before);
    engine.close();
  });
});

/** Runs an enrichment in a separate process and kills it some milliseconds after a message. */
function killAt(copy: string, phase: string, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'enrich-child.ts'), [copy, fips, wetlands], { execArgv: [] });
    child.on('message', (message) => {
      if (message === phase) setTimeout(() => child.kill('SIGKILL'), milliseconds);
    });
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
}

test('a killed enrichment leaves all or nothing, with every trigger in place', async () => {
  const reference = copyOfCounty();
  const schemaSql = "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'parcels' ORDER BY type, name";
  const schema = reference.land.file.all(schemaSql);
  const untouched = valuesOf(reference);
  reference.close();
  const outcomes: string[] = [];
  for (const [phase, milliseconds] of [
    ['computing', 30],
    ['writing', 0],
    ['writing', 40],
    ['writing', 120],
  ] as const) {
    const copy = emptyHome();
    fs.cpSync(home, copy, { recursive: true });
    await killAt(copy, phase, milliseconds);
    const engine = openEngine({ home: copy });
    const { file } = engine.land;
    const layers = file.get<{ n: number }>('SELECT count(*) AS n FROM layers')?.n;
    const values = file.get<{ n: number }>('SELECT count(*) AS n FROM computed_values')?.n;
    expect([
      [0, 0],
      [1, 6000],
    ]).toContainEqual([layers, values]);
    if (layers === 0) expect(valuesOf(engine)).toEqual(untouched);
    expect(file.all(schemaSql)).toEqual(schema);
    expect(file.pragma('integrity_check')).toBe('ok');
    outcomes.push(layers === 0 ? 'nothing' : 'all');
    engine.close();
  }
  expect(outcomes).toContain('nothing');
});
