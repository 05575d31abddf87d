/** `platbook sheet`: what it writes, and what it refuses before it writes anything. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../engine/cli/exit-codes.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';

test('writes a PDF page around a parcel, and reports its scale as JSON', async () => {
  const file = path.join(emptyHome(), 'lot.pdf');
  const run = await platbook(copyOfHome(sampleHome()), 'sheet', file, '--parcel', '9-94', '--scale', '6000', '--json');
  expect(run.code, run.err).toBe(exitCodes.done);
  expect(JSON.parse(run.out)).toMatchObject({ scale: 6000 });
  expect(fs.readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
});

test.each([
  ['no place', [], /--center|--parcel/],
  ['an unknown parcel', ['--parcel', 'no such lot'], /no such lot/],
  ['an unknown paper', ['--parcel', '9-94', '--paper', 'a0'], /letter/],
  ['an unknown filter', ['--parcel', '9-94', '--filter', '{"acres_least": 5}'], /acres_least/],
])('refuses %s, and writes no file', async (_what, options, reason) => {
  const file = path.join(emptyHome(), 'lot.pdf');
  const run = await platbook(copyOfHome(sampleHome()), 'sheet', file, ...options);
  expect([exitCodes.failed, exitCodes.usage]).toContain(run.code);
  expect(run.err).toMatch(reason);
  expect(fs.existsSync(file)).toBe(false);
});
