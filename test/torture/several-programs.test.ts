/** R20 of docs/reliability.md, "What must hold": an app and scripts work on one home at once, and nothing of either is lost. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { openEngine } from '../../engine/engine.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { fullSize, measured, runs } from '../support/runs.ts';

const programs = 4;
const each = runs(30, 60, 500);

test('four programs charge and write notes at once: every charge and every note is there', {
  timeout: fullSize(120_000, 900_000),
}, async () => {
  const home = copyOfHome(sampleHome());
  const children = Array.from({ length: programs }, (_, n) => {
    const child = fork(path.join(import.meta.dirname, 'working-child.ts'), [home, String(each), String(n + 1)]);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  });
  await Promise.all(children.map((child) => once(child, 'message')));
  const ended = Promise.all(children.map((child) => once(child, 'exit')));
  const said = Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) child.send('go');
  expect((await ended).map(([code]) => code as number)).toEqual(children.map(() => 0));
  // SQLite is not fair: one may wait in vain for as long as a writer waits. What is refused was not written.
  const refused = (await said).reduce((sum, [count]) => sum + (count as number), 0);
  expect(refused).toBeLessThan((programs * each) / 50);
  const engine = openEngine({ home, keepsIndexes: false });
  onTestFinished(() => engine.close());
  expect((await engine.call('get_usage', {})).data.tokens_used).toBe(programs * each * 10);
  const notes = engine.account.file.column<number>('SELECT count(*) FROM notes GROUP BY property_id');
  expect(notes).toEqual(children.map(() => each));
  expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
  measured(
    `${programs} programs at once: ${programs * each} charges and ${programs * each} notes, 0 lost, ${refused} refused as locked and made again`,
  );
});
