import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ErrandRunner } from '../../engine/jobs/errand-runner.ts';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';
import { Worker } from '../../engine/jobs/worker.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';

const now = () => new Date('2026-11-22T08:00:00Z');
const workersOn = (home: string) => ({ home, now, spawnWorker: forkWorker, threads: 1, log: () => {} });
const runnerOn = (home: string) => new ErrandRunner(workersOn(home));

test('stale counties are indexed in a process of their own, and named', async () => {
  const engine = engineOn(sampleHome());
  engine.land.file.run('UPDATE parcels SET acres = acres + 1 WHERE property_id = 1');
  expect(await engine.errands.run('index_stale', {})).toEqual(['99001']);
  expect(await engine.errands.run('index_stale', {})).toEqual([]);
});

test('a refusal by an errand has its code, a bug in Platbook its stack', async () => {
  const home = emptyHome();
  const noBackup = path.join(home, 'no.zip');
  fs.writeFileSync(noBackup, 'no zip');
  await expect(runnerOn(home).run('prepare_restore', { file: noBackup, only_my_work: false })).rejects.toMatchObject({
    name: 'EngineError',
    message: expect.stringContaining('no.zip'),
  });
  const noSuch = new Worker(workersOn(home)).do({ as: 'errand', kind: 'no such', input: {} });
  await expect(noSuch).rejects.toThrow(/TypeError.*errand-work/s);
});

test('one that is killed says so', async () => {
  const errand = runnerOn(emptyHome()).begin('index_stale', {});
  errand.kill();
  await expect(errand.report).rejects.toThrow('the worker of index_stale ended');
});
