/** Long work in processes of its own: what a caller sees of it, and that the engine goes on answering. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import type { JobStatus } from '../../engine/jobs/job.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { emptyHome } from '../support/homes.ts';
import { byDay } from '../support/runs.ts';

function opened(home = emptyHome()): Engine {
  const engine = openEngine({ home });
  onTestFinished(() => engine.close());
  return engine;
}

function generated(parcels: number, seed: number): string {
  const file = path.join(emptyHome(), `county-${seed}.ndjson`);
  writeGeneratedCounty(file, parcels, seed, inSullivan);
  return file;
}

const options = (file: string, date: string) => ({ files: [file], county: '33019', source: 'generated', date });

const count = (engine: Engine) => engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n;

test('an import runs in a process of its own, tells how far it is, and reports what it did', async () => {
  const engine = opened();
  const seen: JobStatus[] = [];
  engine.jobs.onChange((status) => seen.push(status));
  const started = engine.jobs.start('import_parcels', options(generated(5000, 1), '2026-01-01'));
  expect(started).toMatchObject({ job_id: 1, kind: 'import_parcels', state: 'running', report: null, error: null });
  const ended = await engine.jobs.finished(1);
  expect(ended).toMatchObject({ state: 'done', error: null, report: { import_id: 1, new: 5000, features_read: 5000 } });
  expect(count(engine)).toBe(5000);
  const phases = [...new Set(seen.flatMap(({ progress }) => progress?.phase ?? []))];
  expect(phases).toEqual(expect.arrayContaining(['reading parcels', 'matching', 'writing', 'finishing']));
  const written = seen.find(({ progress }) => progress?.phase === 'writing')?.progress;
  expect(written).toMatchObject({ rows: 5000, total: 5000, seconds_left: 0 });
  expect(runRead(engine, 'jobs', {})).toEqual([ended]);
  expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
});

test('a job that is refused says why, as the function would', async () => {
  const engine = opened();
  const { job_id: id } = engine.jobs.start('import_parcels', { files: ['/nowhere.geojson'], county: '33019' });
  expect(await engine.jobs.finished(id)).toMatchObject({
    state: 'failed',
    error: { code: 'file_missing', message: expect.stringContaining('/nowhere.geojson') as string },
  });
  expect(() => engine.jobs.start('import_parcels', { files: [] })).toThrow(/files/);
  expect(() => engine.jobs.get(99)).toThrow('There is no job 99.');
});

test('two writers of one file run one after the other, and a job that waits can be taken back', async () => {
  const engine = opened();
  const first = engine.jobs.start('import_parcels', options(generated(3000, 1), '2026-01-01'));
  const second = engine.jobs.start('import_parcels', options(generated(3000, 2), '2026-02-01'));
  const third = engine.jobs.start('import_parcels', options(generated(10, 3), '2026-03-01'));
  expect([first.state, second.state, third.state]).toEqual(['running', 'queued', 'queued']);
  expect(engine.jobs.cancel(third.job_id)).toMatchObject({ state: 'cancelled', report: null });
  const [one, two] = [await engine.jobs.finished(first.job_id), await engine.jobs.finished(second.job_id)];
  expect([one.state, two.state]).toEqual(['done', 'done']);
  expect(one.ended_at ?? '').toBeTruthy();
  expect((two.started_at ?? '') >= (one.ended_at ?? '')).toBe(true);
  expect(() => engine.jobs.cancel(third.job_id)).toThrow(/ended already/);
});

test('the engine answers and charges while a county is replaced: the old one until the new one stands, never a part', async () => {
  const engine = opened();
  await engine.jobs.run('import_parcels', options(generated(2000, 1), '2026-01-01'));
  const total = async () => {
    const { data } = await engine.call('filter_properties', { county: '33019', page_size: 1 });
    return data.count;
  };
  expect(await total()).toBe(2000);
  const { job_id: id } = engine.jobs.start('import_parcels', options(generated(6000, 2), '2026-06-01'));
  const answers: number[] = [];
  while (engine.jobs.get(id).state === 'running') {
    answers.push(await total());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(engine.jobs.get(id).state).toBe('done');
  answers.push(await total());
  expect(answers.length).toBeGreaterThan(20);
  // The second county has the APNs of the first and more.
  expect([...new Set(answers)]).toEqual([2000, 6000]);
  const charged = engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM ledger')?.n;
  expect(charged).toBe(answers.length + 1);
});

describe('a cancel', () => {
  test.each(byDay(['writing'], ['reading parcels', 'matching', 'writing', 'finishing']))(
    'while %s leaves the county as it was',
    async (phase) => {
      const engine = opened();
      await engine.jobs.run('import_parcels', options(generated(2000, 1), '2026-01-01'));
      const rows = () => engine.land.file.all('SELECT * FROM parcels ORDER BY property_id');
      const before = rows();
      const { job_id: id } = engine.jobs.start('import_parcels', options(generated(4000, 2), '2026-06-01'));
      engine.jobs.onChange((status) => {
        if (status.job_id === id && status.state === 'running' && status.progress?.phase === phase) {
          engine.jobs.cancel(id);
        }
      });
      const ended = await engine.jobs.finished(id);
      // A kill that comes after the commit comes too late: then the whole import stands.
      expect(['cancelled', 'done']).toContain(ended.state);
      if (ended.state === 'cancelled' && ended.report === null) expect(rows()).toEqual(before);
      else expect(count(engine)).toBeGreaterThan(2000);
      expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
      expect(fs.statSync(path.join(engine.home, 'land.sqlite-wal')).size).toBe(0);
    },
  );
});

test('the app’s changes start jobs, take imports back and delete datasets', async () => {
  const engine = opened();
  const file = generated(500, 1);
  const finish = async (name: string, input: unknown) => {
    const { data } = await runChange(engine, name, input);
    return engine.jobs.finished((data as JobStatus).job_id);
  };
  const dry = await finish('start_import', { what: 'parcels', dry_run: true, options: options(file, '2026-01-01') });
  expect(dry).toMatchObject({
    state: 'done',
    report: { new: 500, import_id: null, samples: expect.anything() as unknown },
  });
  expect(count(engine)).toBe(0);
  const real = await finish('start_import', { what: 'parcels', options: options(file, '2026-01-01') });
  expect(real).toMatchObject({ state: 'done', report: { new: 500, import_id: 1 } });
  await expect((async () => runChange(engine, 'undo_import', {}))()).rejects.toThrow(/Expected import_id/);
  expect(await finish('undo_import', { import_id: 1 })).toMatchObject({
    state: 'done',
    report: { removed: 500, restored: 0 },
  });
  expect(count(engine)).toBe(0);
  await finish('start_import', { what: 'parcels', options: options(file, '2026-01-01') });
  expect(await finish('delete_dataset', { dataset_id: 2 })).toMatchObject({ state: 'done', report: { removed: 500 } });
  expect(count(engine)).toBe(0);
  expect(await finish('undo_import', { import_id: 3 })).toMatchObject({
    state: 'done',
    report: { restored: 500, removed: 0 },
  });
  expect(count(engine)).toBe(500);
});

test('work of the host has a lane of its own, and hears when it is to stop', async () => {
  const engine = opened();
  const job = engine.jobs.startHost({
    kind: 'test',
    title: 'Waits to be stopped',
    lane: 'test',
    work: ({ signal, progress }) => {
      progress({ phase: 'waiting', rows: 1, total: 4, rows_per_second: 1 });
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
  });
  expect(engine.jobs.get(job.job_id).progress).toMatchObject({ phase: 'waiting', seconds_left: 3 });
  engine.jobs.cancel(job.job_id);
  expect(await engine.jobs.finished(job.job_id)).toMatchObject({ state: 'cancelled' });
});

test('an import says which parcels wait for an elevation file that is gone, and the command that gives it again completes them', async () => {
  const engine = opened();
  const file = generated(200, 1);
  await engine.jobs.run('import_parcels', options(file, '2026-01-01'));
  // A layer of a raster as an enrichment leaves it, without GDAL: every parcel computed, the file named.
  const raster = { path: '/nowhere/dem.tif', bytes: 1, sha256: '0' };
  engine.land.file.transaction(() => {
    engine.land.file.run(
      `INSERT INTO layers (fips, kind, source_name, source_date, feature_count, settings, coverage, report, loaded_at)
       VALUES ('33019', 'slope', 'dem.tif', '2025-01-01', 0, '{}', '{"kind":"features"}', ?, '2026-01-01')`,
      JSON.stringify({ raster }),
    );
    engine.land.file.exec(
      `INSERT INTO computed_values (layer_id, property_id, geometry_hash, "values", computed_at)
       SELECT 1, property_id, geometry_hash, '{"slope_mean_percent":7}', '2026-01-01' FROM parcel_registry`,
    );
  });
  const waiting = () => runRead(engine, 'datasets', {}).waiting;
  expect(waiting()).toEqual([]);
  // The first 200 parcels of the larger county are drawn elsewhere, 40 are new.
  const report = await engine.jobs.run('import_parcels', options(generated(240, 2), '2026-06-01'));
  const { left_out: leftOut, completed } = report as { left_out: { parcels: number }[]; completed: string[] };
  const waits = { fips: '33019', kind: 'slope', needs: 'file', file: raster.path };
  expect([completed, leftOut, waiting()]).toEqual([[], [expect.objectContaining(waits)], leftOut]);
  const lacking = engine.land.file.get<{ n: number }>(
    `SELECT count(*) AS n FROM parcels WHERE status = 'current'
     AND property_id NOT IN (SELECT property_id FROM computed_values)`,
  );
  expect(leftOut[0]?.parcels).toBe(lacking?.n);
  expect(lacking?.n).toBeGreaterThanOrEqual(40);
  const sources = runRead(engine, 'sources', { fips: '33019' });
  expect(sources.sources.find(({ kind }) => kind === 'slope')?.waiting).toContain(
    'wait for their elevation file, dem.tif',
  );

  // Taken back: the parcels of before are there again, with the shapes that were computed from.
  await engine.jobs.run('undo_import', {});
  expect(waiting()).toEqual([]);
});
