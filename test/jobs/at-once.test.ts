import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';
import { TaskRunner } from '../../engine/jobs/task-runner.ts';
import { Worker } from '../../engine/jobs/worker.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';

const now = () => new Date('2026-11-22T08:00:00Z');
const workersOn = (home: string) => ({ home, now, spawnWorker: forkWorker, threads: 1, log: () => {} });
const runnerOn = (home: string) => new TaskRunner(workersOn(home));

test('stale counties are indexed in a process of their own, and named', async () => {
  const engine = engineOn(sampleHome());
  engine.land.file.run('UPDATE parcels SET acres = acres + 1 WHERE property_id = 1');
  expect(await engine.jobs.run('index_stale', {})).toEqual(['99001']);
  expect(await engine.jobs.run('index_stale', {})).toEqual([]);
});

test('a refusal by a task has its code, a bug in Platbook its stack', async () => {
  const home = emptyHome();
  const noBackup = path.join(home, 'no.zip');
  fs.writeFileSync(noBackup, 'no zip');
  await expect(runnerOn(home).run('prepare_restore', { file: noBackup, only_my_work: false })).rejects.toMatchObject({
    name: 'EngineError',
    message: expect.stringContaining('no.zip'),
  });
  const noSuch = new Worker(workersOn(home)).do({ kind: 'no such', input: {} });
  await expect(noSuch).rejects.toThrow(/TypeError.*task-code/s);
});

test('one that is killed says so', async () => {
  const task = runnerOn(emptyHome()).begin('index_stale', {});
  task.kill();
  await expect(task.report).rejects.toThrow('the worker of index_stale ended');
});
