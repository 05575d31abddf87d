/**
 * A job that is cancelled, or fails, after its commit says what is committed, so that the user does not believe that
 * nothing changed.
 */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { committedWords } from '../../engine/jobs/committed-words.ts';
import type { JobStatus } from '../../engine/jobs/job.ts';
import { reportOf } from '../../engine/jobs/job.ts';
import { doTask } from '../../engine/jobs/task-code.ts';
import type { TaskInput, TaskName } from '../../engine/jobs/task-kinds.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { generatedRoads, generatedWetlands, lotGrid, writeLines } from '../enrichment/generated-layers.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';

const fips = '33019';

function opened(): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  return engine;
}

const importOf = (seed: number, parcels: number, date: string) => {
  const file = path.join(emptyHome(), `county-${seed}.ndjson`);
  writeGeneratedCounty(file, parcels, seed, inSullivan);
  return { files: [file], county: fips, source: 'generated', date };
};

function layerOf(engine: Engine, kind: 'roads' | 'wetlands', parcels: number) {
  const file = path.join(engine.home, `${kind}.ndjson`);
  const make = kind === 'roads' ? generatedRoads : generatedWetlands;
  writeLines(file, make(lotGrid(parcels), parcels, 3));
  return { kind, file, county: fips, coverage: 'county' as const };
}

/** Sales of ten counties: testing the values of them all takes a while. */
function sales(engine: Engine): string {
  const counties = engine.land.file.column<string>(
    "SELECT fips FROM counties WHERE state = 'VT' ORDER BY fips LIMIT 10",
  );
  const random = createRandom('kept work');
  const rows = counties.flatMap((county) =>
    Array.from({ length: 300 }, (_, i) => {
      const [longitude, latitude] = [-72.5 + 0.01 * random.normal(), 44 + 0.01 * random.normal()];
      const day = new Date(Date.UTC(2026, 0, 1) - i * 4 * 86_400_000).toISOString().slice(0, 10);
      return `MLS,${county}-${i},${county},SOLD,${longitude},${latitude},2,${20_000 + i},${day}`;
    }),
  );
  const file = path.join(engine.home, 'sales.csv');
  const heading = 'source,source_id,fips,status,longitude,latitude,lot_size,price,sold_date';
  fs.writeFileSync(file, [heading, ...rows].join('\n'));
  return file;
}

function soldLot(engine: Engine): string {
  const ring = [
    [-72.2, 43.35],
    [-72.199, 43.35],
    [-72.199, 43.351],
    [-72.2, 43.351],
    [-72.2, 43.35],
  ];
  const sale = { last_sale_price: 40_000, last_sale_date: '2024-05-05' };
  const names = { last_sale_seller_name: 'ROE JANE', last_sale_buyer_name: 'ADAMS TOM', owner_name: 'ADAMS TOM' };
  const properties = { apn: '1', acres: 2.2, structure_count: 0, ...sale, ...names };
  const feature = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties };
  const file = path.join(engine.home, 'sold.geojson');
  fs.writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
  return file;
}

const countOf = (engine: Engine, table: string): number =>
  engine.land.file.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0;

const thrownBy = (job: JobStatus): string => {
  try {
    reportOf(job);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it was done');
};

/** In a process of its own. @param act at the first progress of such a phase */
async function ended<Name extends TaskName<'listed'>>(
  engine: Engine,
  kind: Name,
  input: TaskInput<Name>,
  phase: RegExp,
  act: (id: number) => void,
): Promise<JobStatus> {
  const { job_id: id } = engine.jobs.start(kind, input);
  let isOver = false;
  engine.jobs.onChange((job) => {
    if (job.job_id !== id || isOver || !job.progress || !phase.test(job.progress.phase)) return;
    isOver = true;
    act(id);
  });
  return engine.jobs.finished(id);
}

test('a cancel while values are tested says that the comps are in, for the terminal and the window', async () => {
  const engine = opened();
  const input = { files: [sales(engine)] };
  const job = await ended(engine, 'import_comps', input, /^testing values/, (id) => engine.jobs.cancel(id));
  expect(job).toMatchObject({ state: 'cancelled', report: { new: 3000, source: 'sales.csv' } });
  expect(countOf(engine, 'comps')).toBe(3000);
  expect(countOf(engine, 'backtests')).toBeLessThan(10);
  expect(thrownBy(job)).toBe(
    'Cancelled. The comps are in, and land is priced from them; their import has no undo. The values of their counties were not all tested on them yet: a county is tested when it is next looked at.',
  );
  expect(committedWords(job, 'window')).toContain('The comps are in');
  expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
});

test('an import and an undo whose layers cannot be written again have failed, and say what is in', async () => {
  const engine = opened();
  await engine.jobs.run('import_parcels', importOf(1, 700, '2026-01-01'));
  await engine.jobs.run('enrich', layerOf(engine, 'wetlands', 700));
  const other = new Database(path.join(engine.home, 'land.sqlite'));
  onTestFinished(() => {
    other.close();
  });
  /** Writes, as a second program, from the commit on that makes the query find a row. */
  const lockedAfter = async <Name extends TaskName<'listed'>>(kind: Name, input: TaskInput<Name>, sql: string) => {
    const { job_id: id } = engine.jobs.start(kind, input);
    const timer = setInterval(() => {
      if (!engine.land.file.get(sql)) return;
      clearInterval(timer);
      other.exec('BEGIN IMMEDIATE');
    }, 2);
    const job = await engine.jobs.finished(id);
    clearInterval(timer);
    if (other.inTransaction) other.exec('ROLLBACK');
    return job;
  };
  const locked = /Another program is writing land\.sqlite\. Try again when it is done\.$/;

  const isIn = 'SELECT 1 FROM imports WHERE import_id = 2';
  const imported = await lockedAfter('import_parcels', importOf(2, 1000, '2026-06-01'), isIn);
  expect(imported).toMatchObject({
    state: 'failed',
    error: { code: 'file_locked', message: expect.stringMatching(locked) as string },
    report: { import_id: 2, fips, completed: [] },
  });
  expect(countOf(engine, 'parcels')).toBeGreaterThanOrEqual(1000);
  expect(thrownBy(imported)).toMatch(
    /^The import of the parcels is in and can be taken back \("platbook undo 2"\)\. Layers may not .*; "platbook layers compute 33019" does that\. What came after failed: Another program/,
  );
  expect(committedWords(imported, 'window')).toMatch(/can be taken back under Loaded\. .*; Loaded says which wait\.$/);

  // The remaining steps it names can be done.
  expect(await engine.jobs.run('enrich_again', { county: fips })).toMatchObject({ completed: ['wetlands'] });
  // The roads layer knows nothing of the earlier parcels.
  await engine.jobs.run('enrich', layerOf(engine, 'roads', 700));
  const undone = await lockedAfter('undo_import', {}, `${isIn} AND undone_at IS NOT NULL`);
  expect(undone).toMatchObject({ state: 'failed', error: { code: 'file_locked' }, report: { import_id: 2, fips } });
  expect(countOf(engine, 'parcels')).toBe(700);
  expect(thrownBy(undone)).toMatch(/^The import is taken back\. Layers may not/);
});

test('work that fails or is cancelled before its commit says that nothing was changed', async () => {
  const engine = opened();
  await engine.jobs.run('import_parcels', importOf(1, 500, '2026-01-01'));
  const cancelled = await ended(engine, 'import_parcels', importOf(2, 4000, '2026-06-01'), /^reading/, (id) =>
    engine.jobs.cancel(id),
  );
  expect([cancelled.state, cancelled.report, thrownBy(cancelled)]).toEqual([
    'cancelled',
    null,
    'Cancelled; nothing was changed.',
  ]);
  const { job_id: id } = engine.jobs.start('undo_import', { import_id: 7 });
  const failed = await engine.jobs.finished(id);
  expect([failed.state, failed.report, thrownBy(failed)]).toEqual(['failed', null, 'There is no import 7.']);
});

describe('every kind of work tells what stays as soon as it stands', () => {
  /** In this process. @param isStopped the phase at which the work fails */
  async function told(engine: Engine, kind: TaskName<'listed'>, input: object, isStopped = (_phase: string) => false) {
    const kept: { report: object; parcels: number; layers: number; comps: number; values: number }[] = [];
    const order = { kind, input, home: engine.home, now: Date.now(), threads: 1 } as const;
    const work = doTask(order, {
      now: () => new Date(),
      progress: ({ phase }) => {
        if (isStopped(phase)) throw new Error('stopped');
      },
      // By another connection, so that only committed rows count.
      keep: (report) =>
        kept.push({
          report: report as object,
          parcels: countOf(engine, 'parcels'),
          layers: countOf(engine, 'layers'),
          comps: countOf(engine, 'comps'),
          values: countOf(engine, 'computed_values'),
        }),
      onStep: () => {},
    });
    const report = await work.catch((error: Error) => error.message);
    return { kept, report };
  }

  test('parcels, their layers one by one, undo and delete', async () => {
    const engine = opened();
    const first = await told(engine, 'import_parcels', importOf(1, 300, '2026-01-01'));
    expect(first.kept).toMatchObject([{ parcels: 300, report: { import_id: 1, new: 300, completed: [] } }]);
    const roads = await told(engine, 'enrich', layerOf(engine, 'roads', 300));
    expect(roads.kept).toMatchObject([{ layers: 1, values: 300, report: { kind: 'roads', layer_id: 1 } }]);
    await told(engine, 'enrich', layerOf(engine, 'wetlands', 300));

    const again = await told(
      engine,
      'import_parcels',
      importOf(2, 400, '2026-06-01'),
      (phase) => phase === 'computing',
    );
    expect(again.report).toBe('stopped');
    expect(again.kept.map(({ report }) => report)).toMatchObject([{ import_id: 2, completed: [] }]);
    const compute = await told(engine, 'enrich_again', { county: fips });
    expect(compute.kept.map(({ report }) => report)).toEqual([
      { completed: ['roads'], left_out: [] },
      { completed: ['roads', 'wetlands'], left_out: [] },
    ]);
    const undo = await told(engine, 'undo_import', {});
    expect(undo.kept[0]).toMatchObject({ parcels: 300, report: { import_id: 2, completed: [] } });
    const gone = await told(engine, 'delete_dataset', { dataset_id: 1 });
    expect(gone.kept).toEqual([expect.objectContaining({ parcels: 0, report: gone.report })]);
  });

  test('comps of a file and of recorded sales, before any value is tested, and contacts', async () => {
    const engine = opened();
    const atTests = (phase: string) => phase.startsWith('testing');
    const comps = await told(engine, 'import_comps', { files: [sales(engine)] }, atTests);
    expect(comps).toMatchObject({ report: 'stopped', kept: [{ comps: 3000, report: { new: 3000 } }] });
    await told(engine, 'import_parcels', { files: [soldLot(engine)], county: fips });
    const derived = await told(engine, 'derive_comps', { county: fips }, atTests);
    expect(derived).toMatchObject({ report: 'stopped', kept: [{ comps: 3001, report: { fips, comps: 1 } }] });
    const file = path.join(engine.home, 'contacts.csv');
    fs.writeFileSync(
      file,
      'First Name,Last Name,Mailing City,Mailing State,Mailing Zip,Phone 1\nAnn,Roe,Barre,VT,05641,8025550143\n',
    );
    const contacts = await told(engine, 'import_contacts', { file });
    expect(contacts.kept.map(({ report }) => report)).toEqual([contacts.report]);
    expect(contacts.report).toMatchObject({ new: 1 });
  });

  test('a dry run keeps nothing', async () => {
    const engine = opened();
    expect((await told(engine, 'plan_parcels', importOf(1, 100, '2026-01-01'))).kept).toEqual([]);
  });
});
