/** `platbook export` of a filter costs as much as a search, and only if the file was written. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { exportFormats } from '../../engine/exporting/index.ts';
import { fixtureEngine, scratchFolder } from '../exporting/export-home.ts';
import { fixtureFips, putPlainParcels } from '../support/fixture-home.ts';
import { type Finished, platbook } from '../support/platbook.ts';

const filter = JSON.stringify({ county: fixtureFips });

const exportTo = ({ home }: Engine, file: string, ...more: string[]): Promise<Finished> =>
  platbook(home, 'export', file, '--filter', filter, ...more);

const ledger = ({ account }: Engine): number[] => account.file.column<number>('SELECT tokens FROM ledger');

test('a file that cannot be made costs nothing, and leaves nothing behind', async () => {
  const engine = fixtureEngine();
  const folder = scratchFolder();
  const file = path.join(folder, 'lots.csv');
  const csv = ['--format', 'csv'];
  expect(await exportTo(engine, file, ...csv, '--columns', 'apn,ownr_name')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no column "ownr_name"; did you mean owner_name/),
  });
  expect(await exportTo(engine, path.join(folder, 'none', 'lots.csv'), ...csv)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Expected the folder .*none, found none/),
  });
  expect((await exportTo(engine, folder, ...csv)).err).toContain(`Expected the name of a file, found the folder`);
  expect((await exportTo(engine, file, ...csv, '--ordering', 'acers')).err).toMatch(/ordering: /);
  const none = await platbook(engine.home, 'export', file, ...csv, '--filter', 'null');
  expect(none).toMatchObject({ code: 2, err: 'platbook: --filter: expected a filter body in JSON, found null' });
  expect(ledger(engine)).toEqual([]);
  expect(fs.readdirSync(folder)).toEqual([]);
  expect(await exportTo(engine, file, ...csv)).toMatchObject({ code: 0, err: '30 tokens' });
  expect(ledger(engine)).toEqual([30]);
});

test('more rows than a sheet holds cost nothing', { timeout: 300_000 }, async () => {
  const engine = fixtureEngine();
  putPlainParcels(engine, 1_048_576);
  // Without an index they are counted one by one, which a busy machine may not finish before the deadline.
  indexStaleCounties(engine.land.file);
  const file = path.join(scratchFolder(), 'lots.xlsx');
  expect(await exportTo(engine, file)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^platbook: A sheet holds 1,048,575 parcels at most/),
  });
  expect(ledger(engine)).toEqual([]);
  expect(fs.existsSync(file)).toBe(false);
});

test('a Shapefile goes by its ending too, and the help says so', async () => {
  const engine = fixtureEngine();
  const made = await exportTo(engine, path.join(scratchFolder(), 'lots.zip'), '--format', 'shp', '--json');
  expect(JSON.parse(made.out)).toMatchObject({ format: 'shapefile', parcels: 50 });
  expect((await platbook(engine.home, 'export', '--help')).out).toMatch(/shapefile, shp +names cut/);
});

test('the ending of the file decides its format; an unknown or contradicted one is refused and costs nothing', async () => {
  const engine = fixtureEngine();
  const folder = scratchFolder();
  const at = (name: string) => path.join(folder, name);
  for (const name of ['lots', 'lots.doc', 'lots.shp']) {
    expect(await exportTo(engine, at(name)), name).toMatchObject({
      code: 2,
      err: expect.stringMatching(/expected a file name with the ending .*\.csv \(CSV\).*\.zip \(Shapefile\)/),
    });
  }
  expect(await exportTo(engine, at('lots.csv'), '--format', 'xlsx')).toMatchObject({
    code: 2,
    err: 'platbook: --format xlsx writes .xlsx files; found the ending .csv',
  });
  expect([ledger(engine), fs.readdirSync(folder)]).toEqual([[], []]);
  for (const { ending, name } of exportFormats) {
    const made = await exportTo(engine, at(`lots.${ending.toUpperCase()}`), '--json');
    expect(JSON.parse(made.out)).toMatchObject({ format: name, parcels: 50 });
  }
  expect(fs.readFileSync(at('lots.CSV'), 'utf8')).toMatch(/^\uFEFFproperty_id,/);
  const other = await exportTo(engine, at('lots.txt'), '--format', 'csv', '--json');
  expect(JSON.parse(other.out)).toMatchObject({ format: 'csv' });
});

test('over the cap there is no file, and the one before stays', async () => {
  const engine = fixtureEngine();
  changePlan(engine.account, { cap_tokens: 10 });
  const folder = scratchFolder();
  const file = path.join(folder, 'lots.csv');
  fs.writeFileSync(file, 'the one before');
  expect(await exportTo(engine, file, '--format', 'csv')).toMatchObject({ code: 1 });
  expect(fs.readFileSync(file, 'utf8')).toBe('the one before');
  expect(fs.readdirSync(folder)).toEqual(['lots.csv']);
  expect(ledger(engine)).toEqual([]);
});

test('GeoParquet, which is sorted by place, says that it does not keep the order asked for', async () => {
  const engine = fixtureEngine();
  const file = path.join(scratchFolder(), 'lots.parquet');
  expect((await exportTo(engine, file)).out).not.toMatch(/order/);
  fs.rmSync(file);
  expect((await exportTo(engine, file, '--ordering', 'acres')).out).toMatch(/the order asked for is not kept/);
});
