/** `platbook sheet`: what it writes, and what it refuses before it writes anything. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../engine/cli/exit-codes.ts';
import { openEngine } from '../../engine/engine.ts';
import { sheetScales } from '../../engine/spec/sheet-paper.ts';
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

test('refuses a page of more than 15,000 lots, and names the largest area that fits', async () => {
  const home = copyOfHome(sampleHome());
  const engine = openEngine({ home });
  // Five lots where the sample has one.
  for (const copy of [1, 2, 3, 4])
    engine.land.file.run(
      'INSERT INTO idx_parcels_geom SELECT pkid + ?, xmin, xmax, ymin, ymax FROM idx_parcels_geom WHERE pkid < ?',
      copy * 1e6,
      1e6,
    );
  engine.close();
  const file = path.join(emptyHome(), 'lots.pdf');
  const sheetAt = (scale: number) => platbook(home, 'sheet', file, '--parcel', '9-94', '--scale', String(scale));
  const refused = await sheetAt(100_000);
  expect(refused.code).toBe(exitCodes.failed);
  const [, shown = '', fitting = ''] =
    /At 1:100,000 the page shows ([\d,]+) lots, too many to tell apart \(at most 15,000\); 1:([\d,]+) fits\./.exec(
      refused.err,
    ) ?? [];
  expect(Number(shown.replaceAll(',', ''))).toBeGreaterThan(15_000);
  expect(fs.existsSync(file)).toBe(false);
  const scale = Number(fitting.replaceAll(',', ''));
  const next = sheetScales.find((one) => one > scale) as number;
  expect((await sheetAt(next)).err).toContain(`; 1:${fitting} fits.`);
  const done = await sheetAt(scale);
  expect(done.code, done.err).toBe(exitCodes.done);
  expect(fs.existsSync(file)).toBe(true);
});
