/** Questions about files: answered beside the host, the newest alone. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { forkWorker } from '../../engine/jobs/fork-worker.ts';
import { jobLimits, questionLimits, type TaskLimits } from '../../engine/jobs/task-limits.ts';
import { Worker } from '../../engine/jobs/worker.ts';
import type { SpawnWorker, WorkerNews, WorkerOrder } from '../../engine/jobs/worker-messages.ts';
import { runRead } from '../../engine/reads/index.ts';
import { collection, lot, writeFile } from '../importing/fixtures.ts';
import { emptyHome } from '../support/homes.ts';

/** An engine, and what its processes were told and did. */
function opened(): { engine: Engine; orders: WorkerOrder[]; alive: () => number; spawned: () => number } {
  const orders: WorkerOrder[] = [];
  let [spawned, ended] = [0, 0];
  const spawnWorker: SpawnWorker = ({ onNews, onExit }) => {
    spawned++;
    const worker = forkWorker({
      onNews,
      onExit: (lastWords) => {
        ended++;
        onExit(lastWords);
      },
    });
    return {
      kill: worker.kill,
      send: (order) => {
        orders.push(order);
        if (!isEndless(order)) worker.send(order);
      },
    };
  };
  const engine = openEngine({ home: emptyHome(), spawnWorker });
  onTestFinished(() => engine.close());
  return { engine, orders, alive: () => spawned - ended, spawned: () => spawned };
}

const lots = (): string => writeFile('lots.geojson', collection([lot('7-1', 0), lot('7-2', 1)]));

/** A question that does not end: its process waits for an order that never comes. */
const endless = (): string => path.join(emptyHome(), 'endless.csv');
const isEndless = (order: WorkerOrder): boolean => JSON.stringify(order).includes('endless.csv');

test('one process answers one asker’s questions, one after another, and none of them is listed as a job', async () => {
  const { engine, orders, spawned } = opened();
  const file = lots();
  const asker = 'wizard';
  const looked = await runRead(engine, 'look_file', { path: file, asker });
  expect(looked).toMatchObject({ kind: 'parcels', layers: [{ format: 'geojson', rows: 2 }] });
  const proposed = await runRead(engine, 'propose_mapping', { path: file, county: '33019', asker });
  expect(proposed).toMatchObject({ mapping: { columns: { apn: 'apn' } } });
  const mapping = { name: 'mine', columns: { apn: 'apn' } };
  const tried = await runRead(engine, 'preview_mapping', { path: file, mapping, asker });
  expect(tried).toMatchObject({ first: { apn: '7-1' } });
  expect(orders.map(({ kind }) => kind)).toEqual(['look_file', 'propose_mapping', 'preview_mapping']);
  expect([spawned(), engine.jobs.list()]).toEqual([1, []]);
});

test('a refusal keeps its words, and the process answers the next question', async () => {
  const { engine, spawned } = opened();
  await expect(async () => runRead(engine, 'look_file', { path: '/nowhere' })).rejects.toMatchObject({
    code: 'file_missing',
  });
  await expect(async () => runRead(engine, 'look_file', { path: '' })).rejects.toMatchObject({
    code: 'validation_error',
  });
  await expect(
    runRead(engine, 'preview_mapping', { path: lots(), mapping: { name: 'x', columns: { apnn: 'apn' } } }),
  ).rejects.toMatchObject({
    code: 'mapping_invalid',
    details: { 'columns.apnn': [expect.stringContaining('did you mean apn') as string] },
  });
  expect(await runRead(engine, 'look_file', { path: lots() })).toMatchObject({ kind: 'parcels' });
  // Askers without a name are known by what they ask.
  expect(spawned()).toBe(2);
});

test('the host answers while a question hangs; a newer one of the same asker stops it, one of another does not', async () => {
  const { engine, alive, spawned } = opened();
  const asker = 'wizard';
  const stuck = runRead(engine, 'look_file', { path: endless(), asker }).catch((error: unknown) => error);
  // Counted by the host's own database, which the question must not hold.
  expect(engine.land.file.get('SELECT count(*) AS n FROM parcels')).toEqual({ n: 0 });
  const other = await runRead(engine, 'look_file', { path: lots(), asker: 'another window' });
  expect(other).toMatchObject({ kind: 'parcels' });
  expect(engine.jobs.askers).toBe(2);
  const newer = await runRead(engine, 'look_file', { path: lots(), asker });
  expect(newer).toMatchObject({ kind: 'parcels' });
  expect(await stuck).toMatchObject({ code: 'validation_error', message: 'The question was taken back.' });
  expect([spawned(), engine.jobs.askers]).toEqual([3, 2]);
  await expect.poll(alive, { timeout: 10_000 }).toBe(2);
});

test('a question is dropped on demand, by a process that dies, and with the engine: nothing stays behind', async () => {
  const { engine, alive } = opened();
  const ask = (asker: string) =>
    runRead(engine, 'look_file', { path: endless(), asker }).catch((error: unknown) => error);
  const [dropped, closed] = [ask('one'), ask('two')];
  await runRead(engine, 'drop_question', { asker: 'one' });
  await runRead(engine, 'drop_question', { asker: 'nobody' });
  expect(await dropped).toMatchObject({ message: 'The question was taken back.' });
  engine.jobs.close();
  expect(await closed).toMatchObject({ message: 'The question was taken back.' });
  await expect.poll(alive, { timeout: 10_000 }).toBe(0);
  await expect(engine.jobs.ask('look_file', { path: lots() })).rejects.toMatchObject({ code: 'internal_error' });
  expect(fs.existsSync(path.join(engine.home, 'land.sqlite'))).toBe(true);
});

test('more askers than four do not mean more processes: those that rest make room', async () => {
  const { engine, alive } = opened();
  const file = lots();
  for (const asker of ['a', 'b', 'c', 'd', 'e', 'f']) await runRead(engine, 'look_file', { path: file, asker });
  expect(engine.jobs.askers).toBe(4);
  await expect.poll(alive, { timeout: 10_000 }).toBe(4);
});

/** A worker whose question has these limits, in a process as the engine forks it. */
async function limited(
  file: string,
  limits: Omit<TaskLimits, 'what'>,
  task: Parameters<Worker['do']>[0] = { kind: 'look_file', input: { path: file }, stays: true },
): Promise<unknown> {
  const worker = new Worker({ home: '', now: () => new Date(), threads: 1, spawnWorker: forkWorker, log: () => {} });
  try {
    return await worker.do(task, undefined, { what: file, ...limits }).catch((error: unknown) => error);
  } finally {
    worker.kill();
    await worker.ended;
  }
}

test('a file that takes too long, or too much memory, is refused by its name, the limit and what to do', async () => {
  const file = lots();
  expect(await limited(file, { seconds: 60, megabytes: 1024 })).toMatchObject({ kind: 'parcels' });
  const refused = (words: RegExp) => ({ code: 'import_refused', message: expect.stringMatching(words) as string });
  const [late, large] = [
    /lots\.geojson: .* longer than 0\.01 seconds .* Export it again/,
    /lots\.geojson: .* more than 20 MB of memory .* Export it again/,
  ];
  expect(await limited(file, { seconds: 0.01, megabytes: 1024 })).toMatchObject(refused(late));
  // Less than a process takes that does nothing.
  expect(await limited(file, { seconds: 60, megabytes: 20 })).toMatchObject(refused(large));
});

test('the limit counts what a question computes, not how long a busy machine lets it wait', async () => {
  const file = lots();
  const waiting: SpawnWorker = (ears) => {
    const own = forkWorker(ears);
    // Longer than the limit, and nothing is computed.
    return { kill: own.kill, send: (order) => void setTimeout(() => own.send(order), 4500) };
  };
  const worker = new Worker({ home: '', now: () => new Date(), threads: 1, spawnWorker: waiting, log: () => {} });
  const task = { kind: 'look_file', input: { path: file }, stays: true };
  expect(await worker.do(task, undefined, { what: file, seconds: 4, megabytes: 1024 })).toMatchObject({
    kind: 'parcels',
  });
  worker.kill();
  await worker.ended;
});

test('a job that reads a file has a limit of memory and of time without progress; one that reads none has neither', async () => {
  expect(jobLimits([])).toBeNull();
  const limits = jobLimits(['lots.geojson']);
  expect(limits).toMatchObject({ what: 'lots.geojson', seconds: 3600, isSilence: true });
  expect(limits?.megabytes).toBeGreaterThanOrEqual(2048);
  expect(limits?.megabytes).toBeLessThanOrEqual(8192);
  const { engine, orders } = opened();
  const file = lots();
  await engine.jobs.run('plan_parcels', { files: [file], county: '33011' });
  await engine.jobs.run('derive_comps', { county: '33019' }).catch(() => {});
  expect(orders.map(({ kind, megabytes }) => [kind, megabytes])).toEqual([
    ['plan_parcels', limits?.megabytes],
    ['derive_comps', undefined],
  ]);
  const task = { kind: 'plan_parcels', input: { files: [file], county: '33011' } } as const;
  expect(await limited(file, { seconds: 3600, isSilence: true, megabytes: 20 }, task)).toMatchObject({
    code: 'import_refused',
    message: expect.stringMatching(/lots\.geojson: .* more than 20 MB of memory/),
  });
});

test('a job without progress is ended by the name of its file; one that tells of its progress is not', async () => {
  const news: ((message: WorkerNews) => void)[] = [];
  const ended: (() => void)[] = [];
  const spawnWorker: SpawnWorker = ({ onNews, onExit }) => {
    news.push(onNews);
    ended.push(() => onExit('killed'));
    return { send: () => {}, kill: () => onExit('killed') };
  };
  const work = (seconds: number) => {
    const worker = new Worker({ home: '', now: () => new Date(), threads: 1, spawnWorker, log: () => {} });
    const limits = { what: 'lots.geojson', seconds, isSilence: true, megabytes: 1024 } as const;
    return worker.do({ kind: 'plan_parcels', input: {} }, undefined, limits).catch((error: unknown) => error);
  };
  expect(await work(0.01)).toMatchObject({
    code: 'import_refused',
    message: expect.stringMatching(/lots\.geojson: .* no progress for 0\.01 seconds/),
  });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const steady = work(10);
  for (let step = 0; step < 5; step++) {
    vi.advanceTimersByTime(9000);
    news.at(-1)?.({ news: 'progress', progress: { phase: 'writing', rows: step, total: null, rows_per_second: 1 } });
  }
  news.at(-1)?.({ news: 'done', report: 'whole' });
  ended.at(-1)?.();
  expect(await steady).toBe('whole');
});

test('a larger file, and a table to join, have more time', () => {
  const folder = emptyHome();
  const large = path.join(folder, 'large.csv');
  fs.writeFileSync(large, '');
  fs.truncateSync(large, 100 * 1024 * 1024);
  expect(questionLimits([lots()]).seconds).toBe(31);
  expect([questionLimits([large]).seconds, questionLimits([large, large]).seconds]).toEqual([50, 70]);
  expect(questionLimits([folder]).seconds).toBe(50);
  expect(questionLimits(['/nowhere']).seconds).toBe(30);
});
