import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BuildSignal, BuildStopped } from '../../engine/columns/build-signal.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const openFiles = '/proc/self/fd';
const tellsFiles = requireOrSkip('open files', fs.existsSync(openFiles), 'what a process holds open is read in /proc');

/** How many times this process holds the home's land file open. */
const handlesOn = (home: string): number =>
  fs.readdirSync(openFiles).filter((handle) => {
    try {
      return fs.readlinkSync(path.join(openFiles, handle)).startsWith(path.join(home, 'land.sqlite'));
    } catch {
      return false;
    }
  }).length;

/** An edit as another program makes it, and a filter that finds the index stale. */
async function makeStale(engine: Engine): Promise<void> {
  engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 1");
  await engine.call('filter_properties', { county: '99001' });
}

test.runIf(tellsFiles)('a closed engine leaves no thread behind that still has the land file open', async () => {
  const home = copyOfHome(sampleHome());
  for (let round = 0; round < 5; round++) {
    const engine = openEngine({ home });
    const own = handlesOn(home);
    await makeStale(engine);
    await expect.poll(() => handlesOn(home), { timeout: 20_000, interval: 2 }).toBeGreaterThan(own);
    engine.close();
    expect(handlesOn(home)).toBe(0);
  }
});

test('a script that ends without closing its engine ends well, whatever the thread is at', async () => {
  const home = copyOfHome(sampleHome());
  const script = path.join(import.meta.dirname, '..', 'support', 'unclosed-child.ts');
  const codes: (number | null)[] = [];
  for (const milliseconds of [0, 100, 200, 250, 300, 350, 400, 500]) {
    const child = spawn(process.execPath, [script, home, String(milliseconds)], { stdio: 'ignore' });
    codes.push(await new Promise((resolve) => child.once('exit', resolve)));
  }
  expect(codes).toEqual(codes.map(() => 0));
});

test('a thread that was told to stop before it began opens nothing; one that runs is told at its next step', () => {
  const early = new BuildSignal(BuildSignal.sharedCells());
  early.stop();
  expect(early.begin()).toBe(false);

  const running = new BuildSignal(BuildSignal.sharedCells());
  expect(running.begin()).toBe(true);
  running.throwIfStopped();
  running.end();
  running.stop();
  expect(running.throwIfStopped).toThrow(BuildStopped);
});
