/** A lake whose command is told to end, or is killed: no process and no partial file stays, and the old file does. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../../engine/store/owner-mark.ts';
import { fixtureFips, putPlainParcels } from '../support/fixture-home.ts';
import { ended, launcher } from '../support/platbook.ts';
import { fixtureEngine, scratchFolder } from './export-home.ts';

/** Enough rows that the writing has a middle. */
const rows = 120_000;

const eventually = <Value>(value: () => Value) => expect.poll(value, { timeout: 60_000, interval: 5 });

/** The command as a terminal starts it, in a group of processes of its own. */
async function writing() {
  const engine = fixtureEngine();
  putPlainParcels(engine, rows);
  const lake = path.join(scratchFolder(), 'lake');
  const county = path.join(lake, 'state=ZZ', `county=${fixtureFips}`);
  fs.mkdirSync(county, { recursive: true });
  fs.writeFileSync(path.join(county, 'part-0.parquet'), 'what an earlier run wrote');
  const child = spawn(process.execPath, [launcher, 'lake', lake], {
    env: { ...process.env, PLATBOOK_HOME: engine.home },
    detached: true,
  });
  const group = child.pid as number;
  onTestFinished(() => {
    if (isAlive(-group)) process.kill(-group, 'SIGKILL');
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString();
  });
  const temporary = () => fs.readdirSync(county).filter((name) => name.endsWith('.tmp'));
  await eventually(() => temporary().length).toBe(1);
  return { child, group, words: () => words, county, temporary };
}

const expectOldFile = (county: string) => {
  expect(fs.readdirSync(county)).toEqual(['part-0.parquet']);
  expect(fs.readFileSync(path.join(county, 'part-0.parquet'), 'utf8')).toBe('what an earlier run wrote');
};

test.each([
  ['SIGINT', 130, 'Ctrl+C, which every process of the terminal hears', -1],
  ['SIGINT', 130, 'the command alone', 1],
  ['SIGTERM', 143, 'the command alone', 1],
] as const)('%s ends with %i, by %s', { timeout: 120_000 }, async (signal, code, _by, sign) => {
  const { child, group, words, county } = await writing();
  const end = ended(child);
  process.kill(sign * group, signal);
  expect(await end).toBe(code);
  expect(words()).toContain('Interrupted; no partial file was left behind.');
  // the process that wrote has ended before the command did
  expect(isAlive(-group)).toBe(false);
  expectOldFile(county);
});

test('a command that is killed takes the process that writes with it', { timeout: 120_000 }, async () => {
  const { child, county, temporary } = await writing();
  child.kill('SIGKILL');
  await eventually(temporary).toEqual([]);
  expectOldFile(county);
});
