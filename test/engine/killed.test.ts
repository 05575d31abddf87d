/** kill -9 in the middle: R1 and a short form of R3 of docs/reliability.md, "What must hold". */
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { openEngine } from '../../engine/engine.ts';
import { inSullivan, writeGeneratedCounty } from '../bench/generated-county.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { fullSize, measured, runs } from '../support/runs.ts';

const child = (file: string, ...args: string[]): ChildProcess =>
  fork(path.resolve(import.meta.dirname, '..', 'support', file), args);

const exited = (process: ChildProcess): Promise<unknown> => new Promise((resolve) => process.on('exit', resolve));

const failures = (home: string) => {
  const engine = openEngine({ home });
  const wrong = checkHome(engine).filter(({ ok }) => !ok);
  engine.close();
  return wrong;
};

test('a charge that was acknowledged is never lost, and none is counted twice, however often the process is killed', {
  timeout: fullSize(120_000, 1_800_000),
}, async () => {
  const home = copyOfHome(sampleHome());
  const kills = runs(5, 5, 100);
  /** Calls that are let through before the moments begin. */
  const first = fullSize(8, 200);
  const moments = [40, 90, 25, 140, 60];
  const restarts: number[] = [];
  let acknowledged = 0;
  let possible = 0;
  for (let kill = 0; kill < kills; kill++) {
    const started = performance.now();
    const meter = child('metering-child.ts', home);
    let known = 0;
    await new Promise<void>((resolve) => {
      meter.on('message', (count) => {
        known = count as number;
        if (known === 8) restarts.push(performance.now() - started);
        if (known === first) setTimeout(() => meter.kill('SIGKILL'), moments[kill % moments.length]);
      });
      meter.on('exit', () => resolve());
    });
    acknowledged += known;
    // Beyond its last report: the batch whose message was on its way, and the one being charged.
    possible += known + 16;
  }
  expect(acknowledged).toBeGreaterThan(kills * first);
  const engine = openEngine({ home });
  const used = (await engine.call('get_usage', {})).data.tokens_used;
  engine.close();
  expect(used).toBeGreaterThanOrEqual(acknowledged * 10);
  expect(used).toBeLessThanOrEqual(possible * 10);
  expect(failures(home)).toEqual([]);
  measured(`${kills} kills, ${acknowledged} calls acknowledged, ${used / 10} charged, 0 lost`);
  const longest = Math.max(...restarts) / 1000;
  measured(`a new process answers after ${longest.toFixed(2)} s at most`, ['≤ 1 s', longest <= 1]);
});

test('an import that is killed changes nothing, and the next one does it whole', async () => {
  const home = emptyHome();
  const folder = emptyHome();
  const first = path.join(folder, 'first.ndjson');
  const second = path.join(folder, 'second.ndjson');
  writeGeneratedCounty(first, 3000, 1, inSullivan);
  writeGeneratedCounty(second, 6000, 2, inSullivan);
  await exited(child('import-child.ts', home, first, '2026-01-01'));
  const state = () => {
    const engine = openEngine({ home });
    const row = engine.land.file.get(
      'SELECT count(*) AS parcels, sum(acres) AS acres, (SELECT count(*) FROM datasets) AS datasets, (SELECT max(source_date) FROM datasets) AS date FROM parcels',
    );
    engine.close();
    return row;
  };
  const before = state();
  expect(before).toMatchObject({ parcels: 3000, datasets: 1, date: '2026-01-01' });
  let killed = 0;
  for (const milliseconds of [5, 60, 120, 200, 280]) {
    const importing = child('import-child.ts', home, second, '2026-06-01');
    let done = false;
    importing.on('message', (message) => {
      if (message === 'open') setTimeout(() => importing.kill('SIGKILL'), milliseconds);
      else done = true;
    });
    await exited(importing);
    if (done) break;
    killed++;
    expect(state()).toEqual(before);
    expect(failures(home)).toEqual([]);
  }
  expect(killed).toBeGreaterThanOrEqual(2);
  await exited(child('import-child.ts', home, second, '2026-06-01'));
  expect(state()).toMatchObject({ parcels: 6000, datasets: 1, date: '2026-06-01' });
  expect(failures(home)).toEqual([]);
});
