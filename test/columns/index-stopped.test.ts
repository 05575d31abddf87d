import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';

const processes = '/proc';
const tellsFiles = requireOrSkip(
  'open files',
  fs.existsSync(path.join(processes, 'self', 'fd')),
  'what a process holds open is read in /proc',
);

const linkOf = (file: string): string => {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
};

/** Processes other than this one that hold a file of the home open. */
const othersOn = (home: string): number[] =>
  namesIn(processes)
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((id) => {
      const handles = path.join(processes, id, 'fd');
      return namesIn(handles).some((handle) => linkOf(path.join(handles, handle)).startsWith(`${home}${path.sep}`));
    })
    .map(Number);

/** An edit as another program makes it, and a filter that finds the index stale. */
async function makeStale(engine: Engine): Promise<void> {
  engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 1");
  await engine.call('filter_properties', { county: '99001' });
}

test.runIf(tellsFiles)('a closed engine leaves no process behind that still has the land file open', async () => {
  const home = copyOfHome(sampleHome());
  for (let round = 0; round < 3; round++) {
    const engine = openEngine({ home });
    await makeStale(engine);
    await expect.poll(() => othersOn(home).length, { timeout: 60_000, interval: 2 }).toBe(1);
    engine.close();
    // Killed already; how soon the system has taken its files back is the system's matter.
    await expect.poll(() => othersOn(home), { timeout: 10_000, interval: 2 }).toEqual([]);
  }
  const engine = openEngine({ home });
  expect(engine.land.file.pragma('integrity_check')).toBe('ok');
  engine.close();
});

test('a script that ends without closing its engine ends well, and what it had begun ends with it', async () => {
  const home = copyOfHome(sampleHome());
  const script = path.join(import.meta.dirname, '..', 'support', 'unclosed-child.ts');
  const codes: (number | null)[] = [];
  for (const milliseconds of [0, 200, 400, 600]) {
    const child = spawn(process.execPath, [script, home, String(milliseconds)], { stdio: 'ignore' });
    codes.push(await new Promise((resolve) => child.once('exit', resolve)));
    if (tellsFiles) await expect.poll(() => othersOn(home), { timeout: 10_000, interval: 5 }).toEqual([]);
  }
  expect(codes).toEqual(codes.map(() => 0));
});

test('a script that has nothing else to do does not wait for an index that is being made', async () => {
  const home = copyOfHome(sampleHome());
  const script = path.join(import.meta.dirname, '..', 'support', 'unclosed-child.ts');
  const child = spawn(process.execPath, [script, home, 'never'], { stdio: 'ignore' });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
});
