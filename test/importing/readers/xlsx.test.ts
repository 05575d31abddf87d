import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTableFile } from '../../../engine/importing/formats/table-file.ts';
import { importComps } from '../../../engine/importing/lists/import-comps.ts';
import { importContacts } from '../../../engine/importing/lists/import-contacts.ts';
import { proposeContacts } from '../../../engine/importing/lists/propose-contacts.ts';
import { look } from '../../../engine/importing/look.ts';
import { importParcels } from '../../../engine/importing/merge/import-parcels.ts';
import { openPeopleStore } from '../../../engine/store/people-store.ts';
import { gdalWritesOrSkip, ogr2ogr } from '../../support/gdal.ts';
import { makeXlsx, type XlsxParts } from '../../support/make-xlsx.ts';
import { makeZip } from '../../support/make-zip.ts';
import { clock, collection, lot, openLand, temporaryFolder, writeFile } from '../fixtures.ts';
import { leftovers, refusalOf } from './reading.ts';

const open = (parts: XlsxParts) => openTableFile(writeFile('table.csv', makeXlsx(parts)));

function rowsOf(parts: XlsxParts): (string | null)[][] {
  const table = open(parts);
  return [...table.rows(table.columns.map((_, index) => index))].map(({ values }) => [...values]);
}

const headed = (columns: readonly string[], ...rows: string[]): string =>
  `<row>${columns.map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('')}</row>${rows.map((cells) => `<row>${cells}</row>`).join('')}`;

describe('a workbook', () => {
  test('is found by what it holds; texts keep their zeros, empty cells are null', () => {
    const table = open({
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="s"><v>2</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="D3"><v>7</v></c></row>',
      sharedStrings: ['<t>PID</t>', '<t>OWNER</t>', '<t>ACRES</t>', '<t>000123</t>'],
    });
    expect([table.format, table.columns]).toEqual(['xlsx', ['PID', 'OWNER', '', 'ACRES']]);
    expect([...table.rows([0, 3, 1])]).toEqual([{ row: 2, values: ['000123', '7', null] }]);
    expect(leftovers()).toEqual([]);
  });

  test('reads texts of every kind', () => {
    const rows = headed(
      ['A', 'B', 'C', 'D', 'E', 'F'],
      '<c t="s"><v>0</v></c><c t="inlineStr"><is><r><t>two</t></r><r><t xml:space="preserve"> runs</t></r></is></c><c t="str"><f>A1&amp;"x"</f><v>F &lt; G</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="s"><v>1</v></c>',
    );
    const sharedStrings = [
      '<r><t>PE&#209;A </t></r><r><t>&amp; CO</t></r><rPh sb="0" eb="1"><t>no</t></rPh>',
      '<t>line_x000A_end</t>',
    ];
    expect(rowsOf({ rows, sharedStrings })).toEqual([['PEÑA & CO', 'two runs', 'F < G', 'TRUE', null, 'line\nend']]);
  });

  test('shows numbers as Excel does: fifteen digits, zeros of the format, dates as ISO', () => {
    const formats = [0, 164, 165, 14, 166, 22, 2];
    const formatCodes = { 164: '00000', 165: '00000\\-0000', 166: '[$-409]mmm\\ d\\,\\ yyyy;@' };
    // Day 45292 is 2024-01-01 (25569 is 1970-01-01, and 19723 days passed until then); 60 is the day that never was.
    const cells = [
      ['0', '0.30000000000000004'],
      ['0', '1.2E+17'],
      ['1', '3280'],
      ['2', '32800012'],
      ['3', '45292'],
      ['4', '45292'],
      ['5', '45292.75'],
      ['3', '1'],
      ['3', '61'],
      ['6', '2.5'],
      ['0', '120001510000000001'],
    ].map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`);
    const columns = cells.map((_, n) => `C${n}`);
    expect(rowsOf({ rows: headed(columns, cells.join('')), formats, formatCodes })).toEqual([
      [
        '0.3',
        '120000000000000000',
        '03280',
        '03280-0012',
        '2024-01-01',
        '2024-01-01',
        '2024-01-01T18:00:00',
        '1900-01-01',
        '1900-03-01',
        '2.5',
        '120001510000000000',
      ],
    ]);
  });

  test('counts days from 1904 where the workbook says so', () => {
    // 43830 days after 1904-01-01: 1462 days more after 1899-12-30 make 45292.
    const rows = headed(['D'], '<c s="1"><v>43830</v></c>');
    expect(rowsOf({ rows, formats: [0, 14], startsIn1904: true })).toEqual([['2024-01-01']]);
  });

  test('gives its first sheet that holds anything, and passes over blank rows', () => {
    const rows = `<row/><row><c/></row>${headed(['A'], '<c><v>1</v></c>', '', '<c><v>2</v></c>')}`;
    expect(rowsOf({ rows, before: { Empty: '', Blank: '<row><c r="A1" s="0"/></row>' } })).toEqual([['1'], ['2']]);
  });

  test('names the other sheets with a table, which it does not read', () => {
    const rows = headed(['A', 'B'], '<c><v>1</v></c><c><v>2</v></c>');
    const more = headed(['A', 'B'], '<c><v>3</v></c><c><v>4</v></c>');
    const file = writeFile(
      'list.xlsx',
      makeXlsx({ rows, before: { Notes: headed(['Read me']), 'Y 2025': more, 'Y 2024': more } }),
    );
    expect(openTableFile(file).leftOut).toBe('2 other sheets of the workbook (Y 2024, Rows)');
    expect(openTableFile(file).encoding?.()).toBe(
      'sheet Y 2025, without 2 other sheets of the workbook (Y 2024, Rows)',
    );
    expect(open({ rows }).encoding?.()).toBeUndefined();
    expect(look(file).layers[0]?.leftOut).toBe('2 other sheets of the workbook (Y 2024, Rows)');
    expect(proposeContacts(file).left_out).toBe('2 other sheets of the workbook (Y 2024, Rows)');
    expect(open({ rows }).leftOut).toBeNull();
    // The last sheet is damaged, and is not the one that is read.
    const damaged = open({ rows: headed(['A', 'B'], '<c t="s"><v>9</v></c>'), before: { List: rows } });
    expect(damaged.columns).toEqual(['A', 'B']);
    expect(damaged.leftOut).toBe('1 other sheet of the workbook (Rows)');
    expect(leftovers()).toEqual([]);
  });

  test.each([
    ['a text that is not there', { rows: headed(['A'], '<c t="s"><v>9</v></c>') }, 'number "9"'],
    ['a number that is none', { rows: headed(['A'], '<c><v>x</v></c>') }, 'expected a number'],
    ['one heading twice', { rows: headed(['A', 'A']) }, 'A twice'],
    ['nothing', { rows: '' }, 'empty sheet'],
    ['a document type', { rows: '<!DOCTYPE x [<!ENTITY a "b">]>' }, 'document type'],
    ['columns beyond Excel’s', { rows: headed(['A'], '<c r="ZZZ2"><v>1</v></c>') }, 'columns'],
    ['a row that never ends', { rows: '<row><c>' }, 'ends within a tag'],
    ['rubbish between cells', { rows: headed(['A'], '<c><v>1</v></c>rubbish') }, 'something else'],
  ] as [string, XlsxParts, string][])('with %s is refused by name, and nothing stays behind', (_, parts, words) => {
    const error = refusalOf(() => rowsOf(parts));
    expect([error.code, error.message]).toEqual(['import_refused', expect.stringContaining(words)]);
    expect(error.message).toContain('table.csv');
    expect(error.message).not.toContain('platbook-read');
    expect(leftovers()).toEqual([]);
  });

  test('cut off anywhere is refused', () => {
    const whole = makeXlsx({ rows: headed(['A'], '<c><v>1</v></c>') });
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      const file = writeFile('cut.xlsx', whole.subarray(0, Math.floor(whole.length * share)));
      expect(refusalOf(() => openTableFile(file)).code).toBe('import_refused');
    }
  });

  test('that is another zip archive is refused', () => {
    const file = writeFile('table.xlsx', makeZip([{ name: 'readme.txt', content: 'Hello' }]));
    expect(refusalOf(() => openTableFile(file)).message).toContain('not an XLSX workbook');
  });
});

const writesXlsx = gdalWritesOrSkip('workbooks of another program', 'XLSX');

test.runIf(writesXlsx)('a workbook that GDAL wrote has the rows of its CSV', () => {
  const folder = temporaryFolder();
  const csv = writeFile(
    't.csv',
    'PID,OWNER,ACRES,DAY\n000123,PEÑA,2.5,2024/02/29\n000124,"O\'BRIEN & ""SONS""",,\n',
    folder,
  );
  const types = writeFile('t.csvt', 'String,String,Real,Date', folder);
  expect(path.dirname(types)).toBe(folder);
  const xlsx = path.join(folder, 't.xlsx');
  ogr2ogr('-f', 'XLSX', xlsx, csv);
  const table = openTableFile(xlsx);
  expect(table.columns).toEqual(['PID', 'OWNER', 'ACRES', 'DAY']);
  expect([...table.rows([0, 1, 2, 3])].map(({ values }) => values)).toEqual([
    ['000123', 'PEÑA', '2.5', '2024-02-29'],
    ['000124', 'O\'BRIEN & "SONS"', null, null],
  ]);
});

test('a workbook joins parcels as a CSV does', async () => {
  const rows = headed(
    ['PID', 'OWNER'],
    '<c t="inlineStr"><is><t>001</t></is></c><c t="inlineStr"><is><t>PEÑA</t></is></c>',
  );
  const land = openLand();
  const report = await importParcels(land, {
    files: [writeFile('parcels.geojson', collection([lot('001', 0), lot('002', 1)]))],
    joinFiles: [writeFile('roll.xlsx', makeXlsx({ rows }))],
    mapping: {
      name: 'test',
      join: { parcel: 'apn', table: 'table.PID' },
      columns: { apn: 'apn', owner_name: 'table.OWNER' },
    },
    fips: '33011',
    date: '2026-07-01',
    homeKind: 'real',
    now: clock,
  });
  expect(report).toMatchObject({ joined: 1, table_rows: 1 });
  expect(land.file.all('SELECT apn, owner_name FROM parcels ORDER BY apn')).toEqual([
    { apn: '001', owner_name: 'PEÑA' },
    { apn: '002', owner_name: null },
  ]);
});

const inline = (texts: readonly string[]): string =>
  texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('');

test('a workbook of contacts is a list of contacts', () => {
  const people = openPeopleStore(temporaryFolder());
  onTestFinished(() => people.close());
  const columns = ['First Name', 'Last Name', 'Address', 'City', 'State', 'Zip', 'Phone 1'];
  const rows = headed(columns, inline(['Ana', 'Peña', '1 Main St', 'Concord', 'NH', '03301', '603-555-0142']));
  const file = writeFile('list.xlsx', makeXlsx({ rows }));
  expect(importContacts(people, { file, now: clock })).toMatchObject({ rows: 1, new: 1 });
  expect(people.file.all('SELECT last_name, zip FROM contacts')).toEqual([{ last_name: 'Peña', zip: '03301' }]);
});

test('a workbook of sales is a file of comps', () => {
  const columns = ['source_id', 'status', 'price', 'lot_size', 'sold_date', 'longitude', 'latitude'];
  const cells = `${inline(['1', 'SOLD'])}<c><v>40000</v></c><c><v>4</v></c><c s="1"><v>45292</v></c><c><v>-72</v></c><c><v>43.2</v></c>`;
  const land = openLand();
  importComps(land, {
    files: [writeFile('sales.xlsx', makeXlsx({ rows: headed(columns, cells), formats: [0, 14] }))],
    fips: '33011',
    homeKind: 'real',
    date: '2026-07-01',
    now: clock,
  });
  expect(land.file.all('SELECT price, lot_size, sold_date FROM comps')).toEqual([
    { price: 40_000, lot_size: 4, sold_date: '2024-01-01' },
  ]);
});

test('20,000 rows of 40 columns take less than 300 MB', () => {
  const count = 20_000;
  const cells = (row: number) =>
    Array.from({ length: 40 }, (_, n) =>
      n % 2 ? `<c><v>${row * n}</v></c>` : `<c t="s"><v>${row * 20 + n / 2}</v></c>`,
    ).join('');
  // The first row holds the headings, which are texts.
  const headings = Array.from({ length: 40 }, (_, n) => `H${n}`);
  const texts = Array.from({ length: (count + 1) * 20 }, (_, n) => `<t>${String(n).padStart(12, '0')} TEXT</t>`);
  const sheet = headed(headings, ...Array.from({ length: count }, (_, row) => cells(row)));
  const file = writeFile('big.xlsx', makeXlsx({ rows: sheet, sharedStrings: texts }));
  const script = `
    const { openTableFile } = await import(process.argv[1]);
    const { peakBytes } = await import(process.argv[3]);
    const table = openTableFile(process.argv[2]);
    let rows = 0;
    for (const row of table.rows(table.columns.map((_, n) => n))) rows += row.values[38] === null ? 0 : 1;
    console.log(rows, Math.round(peakBytes() / 1024 / 1024));`;
  const root = path.resolve(import.meta.dirname, '..', '..', '..');
  const module = path.join(root, 'engine', 'importing', 'formats', 'table-file.ts');
  const memory = path.join(root, 'test', 'support', 'peak-memory.ts');
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, module, file, memory], {
    encoding: 'utf8',
  });
  const [rows, megabytes] = output.trim().split(' ').map(Number);
  expect(rows).toBe(count);
  expect(megabytes).toBeLessThan(300);
});
