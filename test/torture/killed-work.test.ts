/** kill -9 at random moments of an import, an enrichment and an undo: all or nothing, every time. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import type { TaskInput, TaskName } from '../../engine/jobs/task-kinds.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { generatedWetlands, lotGrid, writeLines } from '../enrichment/generated-layers.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';
import { fullSize, measured, runs } from '../support/runs.ts';

const kills = runs(4, 4, 20);
/** At least this many killed in time; others may have finished first. */
const leastKilled = kills / 4;
/** Twenty kills take as long as the machine's other work allows. */
const timeout = fullSize(120_000, 900_000);
const parcels = fullSize(1500, 6000);

const tables = [
  'parcels',
  'parcel_registry',
  'datasets',
  'imports',
  'idx_parcels_geom',
  'layers',
  'computed_values',
  'raw_columns',
];

/** Everything the work writes, and the triggers and indexes it temporarily drops. */
const stateOf = ({ land: { file } }: Engine): Record<string, unknown> => ({
  ...Object.fromEntries(tables.map((table) => [table, file.all(`SELECT * FROM ${table} ORDER BY 1, 2`)])),
  schema: file.all("SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'parcels' ORDER BY 1, 2"),
});

const faultsOf = (engine: Engine) => checkHome(engine).filter(({ ok }) => !ok);

function opened(): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  return engine;
}

function county(seed: number, size = parcels): string {
  const file = path.join(emptyHome(), `county-${seed}.ndjson`);
  writeGeneratedCounty(file, size, seed, inSullivan);
  return file;
}

const importOf = (file: string, date: string) => ({ files: [file], county: '33019', source: 'generated', date });

/** How long a job takes here and now, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Starts the job over and over and kills it at moments spread over its length.
 * @param isDone whether the file has what the job writes: a kill may come between its end and its report
 * @returns how often it was killed in time
 */
async function torture<Name extends TaskName<'listed'>>(
  engine: Engine,
  kind: Name,
  input: TaskInput<Name>,
  length: number,
  isDone: () => boolean,
): Promise<number> {
  const random = createRandom(7).next;
  const before = stateOf(engine);
  let killed = 0;
  for (let round = 0; round < kills; round++) {
    const { job_id: id } = engine.jobs.start(kind, input);
    // Each moment once. The length was measured under load, and the job may be faster now.
    const wait = length * (0.1 + (0.9 * (round + random())) / kills);
    const timer = setTimeout(() => engine.jobs.cancel(id), wait);
    const { state, report } = await engine.jobs.finished(id);
    clearTimeout(timer);
    expect(faultsOf(engine)).toEqual([]);
    if (state !== 'cancelled' || report !== null || isDone()) break;
    killed++;
    expect(stateOf(engine)).toEqual(before);
    expect(fs.readdirSync(path.join(engine.home)).filter((name) => name.endsWith('.part'))).toEqual([]);
  }
  measured(`${kind}: ${killed} of ${kills} killed in time, nothing changed`);
  return killed;
}

test('a killed import leaves everything as it was, and its leftover undo files do no harm', {
  timeout,
}, async () => {
  const engine = opened();
  const length = await timed(() => engine.jobs.run('import_parcels', importOf(county(1), '2026-01-01')));
  const before = stateOf(engine);
  const second = importOf(county(2), '2026-06-01');
  const isDone = () => engine.land.file.get("SELECT 1 FROM datasets WHERE source_date = '2026-06-01'") !== undefined;
  expect(await torture(engine, 'import_parcels', second, length, isDone)).toBeGreaterThanOrEqual(leastKilled);
  // Where it came through before the last kill, this finds nothing to do.
  await engine.jobs.run('import_parcels', second);
  expect(engine.land.file.get('SELECT max(source_date) AS date FROM datasets')).toEqual({ date: '2026-06-01' });
  expect(faultsOf(engine)).toEqual([]);
  await engine.jobs.run('undo_import', {});
  // The registry has learnt the new numbers, and imports are remembered; the county is as it was.
  const after = stateOf(engine);
  for (const table of ['parcels', 'datasets', 'idx_parcels_geom', 'raw_columns', 'schema'] as const) {
    expect(after[table], table).toEqual(before[table]);
  }
});

test('an enrichment that is killed leaves no layer and no value', { timeout }, async () => {
  const engine = opened();
  await engine.jobs.run('import_parcels', importOf(county(1), '2026-01-01'));
  const file = path.join(emptyHome(), 'wetlands.ndjson');
  writeLines(file, generatedWetlands(lotGrid(parcels), parcels, 3));
  const input = { kind: 'wetlands', file, county: '33019', coverage: 'county' as const };
  const home = emptyHome();
  engine.land.file.checkpoint();
  fs.cpSync(engine.home, home, { recursive: true });
  const other = openEngine({ home, keepsIndexes: false });
  const length = await timed(() => other.jobs.run('enrich', input));
  other.close();
  const isDone = () => engine.land.file.get('SELECT 1 FROM layers') !== undefined;
  expect(await torture(engine, 'enrich', input, length, isDone)).toBeGreaterThanOrEqual(leastKilled);
  const { n } = engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM computed_values') ?? { n: 0 };
  expect(n > 0).toBe(isDone());
});

test('an undo that is killed leaves the import standing, and can be done again', { timeout }, async () => {
  const engine = opened();
  await engine.jobs.run('import_parcels', importOf(county(1), '2026-01-01'));
  const before = engine.land.file.all('SELECT * FROM parcels ORDER BY property_id');
  const length = await timed(() => engine.jobs.run('import_parcels', importOf(county(2), '2026-06-01')));
  const isUndone = () =>
    engine.land.file.get('SELECT 1 FROM imports WHERE import_id = 2 AND undone_at IS NOT NULL') !== undefined;
  await torture(engine, 'undo_import', {}, length * 0.8, isUndone);
  if (!isUndone()) await engine.jobs.run('undo_import', {});
  expect(engine.land.file.all('SELECT * FROM parcels ORDER BY property_id')).toEqual(before);
  expect(faultsOf(engine)).toEqual([]);
});
