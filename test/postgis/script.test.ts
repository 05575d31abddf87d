/** The two commands of docs/past-one-machine.md: a server is started, a county pushed, and its data is there after a restart. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { missingPostgis } from '../bench/engines/postgis-cluster.ts';
import { fillFixture } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { ended, platbook } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';

const canRun = requireOrSkip('npm run postgis', missingPostgis() === null, missingPostgis() ?? '');

async function started(folder: string): Promise<{ child: ChildProcess; file: string; address: string }> {
  const script = path.resolve(import.meta.dirname, '..', 'support', 'postgis-here.ts');
  const child = spawn(process.execPath, [script, folder]);
  onTestFinished(() => {
    child.kill('SIGTERM');
  });
  let text = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /PGPASSFILE=(\S+) platbook push (\S+)\n/.exec(text);
      if (found) resolve({ child, file: found[1] ?? '', address: found[2] ?? '' });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}

afterAll(() => {
  delete process.env.PGPASSFILE;
});

test.runIf(canRun)('npm run postgis starts a server that a push fills, and keeps its data', async () => {
  const folder = emptyHome();
  const home = emptyHome();
  const engine = openEngine({ home, keepsIndexes: false });
  fillFixture(engine);
  engine.close();
  const first = await started(folder);
  expect(fs.statSync(first.file).mode & 0o077).toBe(0);
  process.env.PGPASSFILE = first.file;
  const pushed = await platbook(home, 'push', first.address);
  expect(pushed).toMatchObject({ code: 0, out: expect.stringMatching(/^99001: 51 new/) });
  const over = ended(first.child);
  first.child.kill('SIGTERM');
  expect(await over).toBe(0);
  const second = await started(folder);
  const again = await platbook(home, 'push', second.address);
  expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/^99001: no change; 51 parcels/) });
  const end = ended(second.child);
  second.child.kill('SIGTERM');
  await end;
});
