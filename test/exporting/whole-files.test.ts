/** Files appear whole or not at all; exports contain what was chosen; the command line charges a search. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { chooseColumns, dictionaryColumns } from '../../engine/exporting/export-columns.ts';
import { clearShelf, findShelved, safeFileName, shelfPlace } from '../../engine/exporting/export-shelf.ts';
import { exportFormatNames } from '../../engine/exporting/index.ts';
import { getTracedOwner } from '../../engine/operations/skip-trace-property-owner.ts';
import type { MadeFile } from '../../engine/reads/export-parcels.ts';
import { runRead } from '../../engine/reads/index.ts';
import { neutralText, plainText } from '../../engine/spec/formula-cells.ts';
import { runChange } from '../../engine/work/index.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { copyOfHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { exported, fixtureEngine, scratchFolder } from './export-home.ts';

/** Whom the trace of parcel 1 looked for. */
let tracedOwner = '';

const rowsOf = (file: string): Record<string, string>[] => parse(fs.readFileSync(file), { bom: true, columns: true });

describe('a file', () => {
  test.each(exportFormatNames)('that does not fit on the disk leaves what was there: %s', async (format) => {
    const engine = fixtureEngine();
    const folder = scratchFolder();
    const file = path.join(folder, 'lots');
    fs.writeFileSync(file, 'the one before');
    const child = path.join(import.meta.dirname, 'export-child.ts');
    // A file may grow to 1 block of 1 KiB here, as on a disk that is full.
    const run = spawnSync(
      'bash',
      ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, child, engine.home, format, file],
      {
        encoding: 'utf8',
      },
    );
    expect(run.stdout).toMatch(/^disk_full: The disk is full: lots was not written|^disk_trouble: The disk of lots /);
    expect(fs.readdirSync(folder)).toEqual(['lots']);
    expect(fs.readFileSync(file, 'utf8')).toBe('the one before');
  });

  test('into a folder that is missing, or over a folder, is refused in words', async () => {
    const engine = fixtureEngine();
    const folder = scratchFolder();
    const out = await platbook(
      engine.home,
      'export',
      path.join(folder, 'none', 'x.csv'),
      '--format',
      'csv',
      '--filter',
      `{"county":"${fixtureFips}"}`,
    );
    expect(out).toMatchObject({ code: 1, err: expect.stringMatching(/Expected the folder .*none, found none/) });
  });
});

describe('what is exported', () => {
  test('holds the chosen parcels once each, in the chosen order and columns', async () => {
    const { file } = await exported(fixtureEngine(), 'csv', {
      ids: [9, 3, 3, 999, 7],
      columns: ['apn', 'property_id', 'point', 'shape'],
    });
    expect(fs.readFileSync(file, 'utf8').split('\r\n')[0]).toBe('\uFEFFapn,property_id,longitude,latitude');
    expect(rowsOf(file).map((row) => row.property_id)).toEqual(['9', '3', '7']);
  });

  test('of nothing is a file with headings', async () => {
    for (const format of exportFormatNames) {
      const { file } = await exported(fixtureEngine(), format, { ids: [] });
      expect(fs.statSync(file).size).toBeGreaterThan(0);
    }
  });

  test('of an unknown column suggests similar ones', () => {
    expect(() => chooseColumns(['ownername'], dictionaryColumns)).toThrow(/did you mean owner_name/);
  });

  test('holds the rows of one moment while others write', async () => {
    const engine = fixtureEngine();
    const { openExportSource } = await import('../../engine/exporting/export-source.ts');
    const source = openExportSource(engine.home, { title: 't', ids: [1, 2], columns: ['acres'], now: new Date(0) });
    engine.land.file.run('UPDATE parcels SET acres = 777');
    const seen: unknown[] = [];
    for await (const rows of source.batches()) seen.push(...rows.map(({ values }) => values[0]));
    source.close();
    // Half the number of the parcel.
    expect(seen).toEqual([0.5, 1]);
  });

  test('has the user’s own work beside the columns, and phones only where they are safe', async () => {
    const engine = fixtureEngine();
    await runChange(engine, 'star', { ids: [2] });
    engine.land.file.run("UPDATE parcels SET owner_name = 'MARSH ELLEN', mailing_zip = '00141' WHERE property_id = 1");
    await runChange(engine, 'add_note', { property_id: 2, text: 'two\nlines' });
    const list = (await runChange(engine, 'make_list', { name: 'Letters', of: { ids: [2, 1] } })).data as {
      list_id: number;
    };
    await runChange(engine, 'set_mailed_on', { list_id: list.list_id, ids: [1], mailed_on: '2026-10-14' });
    tracedOwner = JSON.stringify(getTracedOwner(1, engine));
    putTrace(engine.people.file);
    const made = async (more: object) => {
      const data = await runRead(engine, 'make_export', {
        what: { list_id: list.list_id },
        format: 'csv',
        ...more,
      });
      return rowsOf(findShelved(engine.home, (data as MadeFile).id)?.path ?? '');
    };
    const rows = await made({});
    expect(rows.map((row) => row.property_id)).toEqual(['2', '1']);
    expect(rows[0]).toMatchObject({
      starred: 'true',
      notes: expect.stringMatching(/^\d{4}-\d\d-\d\d: two\nlines$/),
      mailed_on: '',
    });
    expect(rows[1]).toMatchObject({ starred: '', mailed_on: '2026-10-14', phone_1: '6035550142', phone_1_dnc: 'No' });
    expect(rows[1]).not.toHaveProperty('phone_2');
    const all = await made({ leave_out_unsafe_phones: false });
    expect(all[1]).toMatchObject({
      phone_1: '6035550199',
      phone_1_dnc: 'Yes',
      phone_2: '6035550142',
      phone_3_dnc: 'Unknown',
    });
    await runChange(engine, 'do_not_mail_add', { property_id: 1, by: ['owner'] });
    expect((await made({ leave_out_do_not_mail: true })).map((row) => row.property_id)).toEqual(['2']);
    expect(engine.account.file.all('SELECT * FROM ledger')).toEqual([]);
  });
});

/** As the app keeps it: for the owner of parcel 1 as the record has her, one number of each kind. */
function putTrace(file: { run(text: string, ...values: unknown[]): unknown }): void {
  const phones = [
    { number: '6035550199', line_type: null, dnc: true },
    { number: '6035550142', line_type: 'Mobile', dnc: false },
    { number: '6035550100', line_type: 'Landline', dnc: null },
  ];
  file.run(
    'INSERT INTO stored_traces (subject, asked, result, traced_at) VALUES (?, ?, ?, ?)',
    'parcel 1',
    tracedOwner,
    JSON.stringify({ matched: true, first_name: 'ELLEN', last_name: 'MARSH', phones }),
    '2026-11-01T00:00:00.000Z',
  );
}

test('the numbers of a former owner stay out', async () => {
  const engine = fixtureEngine();
  tracedOwner = '{"firstName":"SOMEBODY","lastName":"ELSE"}';
  putTrace(engine.people.file);
  const data = await runRead(engine, 'make_export', { what: { ids: [1] }, format: 'csv' });
  expect(rowsOf(findShelved(engine.home, (data as MadeFile).id)?.path ?? '')[0]).not.toHaveProperty('phone_1');
});

describe('names and places', () => {
  test.each([
    ['../../etc/passwd', 'etc passwd.csv'],
    ['CON', 'parcels CON.csv'],
    ['', 'parcels.csv'],
    ['.hidden', 'hidden.csv'],
    ['Riverfront, spring (2026)', 'Riverfront, spring (2026).csv'],
    ['a"b\r\nSet-Cookie: x', 'a b Set-Cookie x.csv'],
    ['Ñandú', 'Ñandú.csv'],
  ])('%s is saved as %s', (title, name) => {
    expect(safeFileName(title, 'csv')).toBe(name);
  });

  test('removes files older than a day, and nothing else', async () => {
    const { home } = fixtureEngine();
    const id = '0123456789abcdef0123456789abcdef';
    fs.writeFileSync(await shelfPlace(home, id, 'lots.csv'), 'x');
    fs.mkdirSync(path.join(home, 'exports', 'of the user'));
    clearShelf(home, new Date(Date.now() + 23 * 3_600_000));
    expect(findShelved(home, id)).toMatchObject({ name: 'lots.csv', bytes: 1, mediaType: 'text/csv; charset=utf-8' });
    clearShelf(home, new Date(Date.now() + 25 * 3_600_000));
    expect(fs.readdirSync(path.join(home, 'exports'))).toEqual(['of the user']);
    for (const bad of ['..', '../account.sqlite', '', id.toUpperCase()]) expect(findShelved(home, bad)).toBe(null);
  });

  test('the mark before a formula comes off exactly', () => {
    for (const text of [
      '=1',
      '+1',
      '-1',
      '@x',
      '\tx',
      '\rx',
      "'=1",
      "''=1",
      "'plain",
      'plain',
      '',
      "O'NEIL",
      '=',
      '1=2',
      '\uff1d1+1',
      "'\uff20x",
    ]) {
      expect(plainText(neutralText(text))).toBe(text);
    }
    expect(neutralText("'plain")).toBe("'plain");
    // Full-width = + - @ begin a formula too.
    for (const sign of '\uff1d\uff0b\uff0d\uff20') expect(neutralText(`${sign}1`)).toBe(`'${sign}1`);
  });
});

describe('the command line', () => {
  test('exports a filter and a saved search for the price of a search, a list for nothing', async () => {
    const engine = fixtureEngine();
    const filter = { county: fixtureFips, acres_min: 20 };
    await runChange(engine, 'save_search', { name: 'Big lots', filter, ordering: '-acres' });
    await runChange(engine, 'make_list', { name: 'Letters', of: { ids: [1, 2] } });
    const home = copyOfHome(engine.home);
    const folder = scratchFolder();
    const at = (name: string) => path.join(folder, name);
    const run = async (...args: string[]) => JSON.parse((await platbook(home, 'export', ...args, '--json')).out);
    expect(await run(at('a.csv'), '--format', 'csv', '--filter', JSON.stringify(filter))).toMatchObject({
      parcels: 9,
      tokens: 30,
    });
    expect(await run(at('b.csv'), '--format', 'csv', '--search', 'big lots')).toMatchObject({ parcels: 9, tokens: 30 });
    expect(rowsOf(at('b.csv')).map((row) => row.property_id)).toEqual([
      '49',
      '48',
      '47',
      '46',
      '45',
      '44',
      '43',
      '42',
      '41',
    ]);
    expect(await run(at('c.xlsx'), '--list', 'Letters')).toMatchObject({ parcels: 2, tokens: 0, format: 'xlsx' });
    const none = await platbook(home, 'export', at('d.csv'), '--list', 'Nobody');
    expect(none).toMatchObject({
      code: 2,
      err: expect.stringMatching(/there is no list "Nobody"; there are: "Letters"/),
    });
    expect(await platbook(home, 'export', at('d.csv'))).toMatchObject({ code: 2 });
  });
});
