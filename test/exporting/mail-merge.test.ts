/** Letters and labels: one for each mailing address, none for owners on Do not mail. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import { labelSheets } from '../../engine/exporting/label-sheets.ts';
import { labelLines, writeLabels } from '../../engine/exporting/labels-pdf.ts';
import { type MailRow, mergeMail } from '../../engine/exporting/mail-merge.ts';
import { addressee } from '../../engine/exporting/salutation.ts';
import type { MadeMail } from '../../engine/reads/export-parcels.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { mailWords } from '../../renderer/export/mail-words.ts';
import { requireOrSkip } from '../support/require.ts';
import { allIds, fixtureEngine, madeAt, scratchFolder } from './export-home.ts';

const nobodyKept = () => false;

const set = (engine: Engine, id: number, values: Record<string, string | null>): void => {
  for (const [column, value] of Object.entries(values))
    engine.land.file.run(`UPDATE parcels SET "${column}" = ? WHERE property_id = ?`, value, id);
};

describe('one row for each mailing address', () => {
  test('counts the parcels, and names those without an address', async () => {
    const engine = fixtureEngine();
    const { rows, parcels, leftOut } = await mergeMail(engine.home, { ids: allIds, isKeptBack: nobodyKept });
    // The fixture has five addresses (the number of the parcel modulo five) and none for each sixth parcel: 8 of 50.
    expect(rows).toHaveLength(5);
    expect(parcels).toBe(50);
    expect(leftOut).toEqual({ gone: 0, doNotMail: 0, noAddress: 8, noName: 0 });
    expect(rows.reduce((sum, row) => sum + row.parcels, 0)).toBe(42);
    // Parcels 5, 10, 15 … 50 but 30: nine at one address.
    expect(rows.find((row) => row.address === '0 MAIN ST')?.parcels).toBe(9);
  });

  test('keeps foreign addresses, which have no key, apart by what is written', async () => {
    const engine = fixtureEngine();
    const foreign = { mailing_key: null, mailing_city: 'PARIS', mailing_state: null, mailing_zip: '75001' };
    for (const id of [7, 8]) set(engine, id, { ...foreign, mailing_address: '12 RUE DE RIVOLI' });
    set(engine, 9, { ...foreign, mailing_address: '14 rue  de Rivoli' });
    const { rows } = await mergeMail(engine.home, { ids: [7, 8, 9], isKeptBack: nobodyKept });
    expect(rows.map(({ address, zip, parcels }) => [address, zip, parcels])).toEqual(
      [
        ['12 RUE DE RIVOLI', '75001', 2],
        ['14 rue  de Rivoli', '75001', 1],
      ].sort((a, b) => Number(b[2]) - Number(a[2])),
    );
  });

  test('writes to whoever has most of the parcels, and names the others', async () => {
    const engine = fixtureEngine();
    for (const id of [1, 2, 3])
      set(engine, id, {
        mailing_key: 'ONE',
        mailing_address: '1 ELM ST',
        mailing_zip: '00141',
        owner_name: 'OAKES JOHN & RUTH',
      });
    set(engine, 2, { owner_name: 'ALDER RIDGE LLC' });
    const { rows } = await mergeMail(engine.home, { ids: [1, 2, 3], isKeptBack: nobodyKept });
    // Acres are half the number: 0.5 + 1 + 1.5.
    expect(rows).toMatchObject([
      {
        name: 'John and Ruth Oakes',
        salutation: 'Dear John and Ruth Oakes,',
        otherOwners: ['ALDER RIDGE LLC'],
        parcels: 3,
        acres: 3,
      },
    ]);
  });

  test('leaves out Do not mail by address and by name, and says how many', async () => {
    const engine = fixtureEngine();
    await runChange(engine, 'do_not_mail_add', { owner_name: 'alder  ridge llc' });
    const data = await runRead(engine, 'make_mail_merge', { what: { ids: allIds }, format: 'csv' });
    const made = data as MadeMail;
    const rows = parse(fs.readFileSync(findShelved(engine.home, made.id)?.path ?? ''), {
      bom: true,
      columns: true,
    }) as Record<string, string>[];
    // ALDER RIDGE LLC has parcels 8, 13, 18 … 48: nine, two of the eight without an address among them.
    expect(made.left_out).toEqual({ gone: 0, do_not_mail: 9, no_address: 6, no_name: 0 });
    expect(made.letters).toBe(rows.length);
    expect(rows.map((row) => row.owner_name)).not.toContain('ALDER RIDGE LLC');
    expect(rows.reduce((sum, row) => sum + Number(row.parcels), 0) + 15).toBe(50);
    expect(engine.account.file.all('SELECT * FROM ledger')).toEqual([]);
  });

  // Parcels 4, 9 and 14 are of one address, and 9 went with its dataset; 51 is retired from the start.
  const chosen = [4, 9, 14, 51];
  const loseTwo = ({ land: { file } }: Engine): void => {
    file.run("UPDATE parcels SET status = 'retired' WHERE property_id = 14");
    file.run('DELETE FROM parcels WHERE property_id = 9');
  };

  test.each(['csv', 'labels-5160'])(
    'nobody writes to the last owner of a parcel that is no more: %s',
    async (format) => {
      const engine = fixtureEngine();
      const { data } = await runChange(engine, 'make_list', { name: 'Old', of: { ids: chosen } });
      loseTwo(engine);
      const { list_id: list } = data as { list_id: number };
      const made = (await runRead(engine, 'make_mail_merge', { what: { list_id: list }, format })) as MadeMail;
      expect(made).toMatchObject({ letters: 1, parcels: 4, left_out: { gone: 3, do_not_mail: 0 } });
      expect(mailWords(made)).toBe(`${made.name}: 1 letter for 4 parcels. Left out: 3 no longer in the file.`);
    },
  );

  test('of a letter ignores the acres and APNs of retired parcels', async () => {
    const engine = fixtureEngine();
    loseTwo(engine);
    const { rows, leftOut } = await mergeMail(engine.home, { ids: chosen, isKeptBack: nobodyKept });
    expect(rows).toMatchObject([{ address: '4 MAIN ST', parcels: 1, acres: 2, apns: ['-7'] }]);
    expect(leftOut).toEqual({ gone: 3, doNotMail: 0, noAddress: 0, noName: 0 });
  });
});

test.each([
  ['SMITH JOHN', 'John Smith', 'Dear John Smith,'],
  ['SMITH JOHN & MARY', 'John and Mary Smith', 'Dear John and Mary Smith,'],
  ["O'NEIL-BERG, ANNA", "Anna O'Neil-Berg", "Dear Anna O'Neil-Berg,"],
  ['ALDER RIDGE LLC', 'ALDER RIDGE LLC', 'Dear property owner,'],
  ['TOWN OF WRENFIELD', 'TOWN OF WRENFIELD', 'Dear property owner,'],
])('a letter to %s is addressed to %s', (owner, name, salutation) => {
  expect(addressee(owner)).toEqual({ name, salutation });
});

const letter = (more: Partial<MailRow> = {}): MailRow => ({
  name: 'José Muñoz',
  salutation: '',
  owner: '',
  otherOwners: [],
  address: '12 ELM ST',
  city: 'WRENFIELD',
  state: 'ZZ',
  zip: '00141',
  parcels: 1,
  acres: null,
  apns: [],
  counties: [],
  ...more,
});

const sheetNamed = (name: string) => {
  const sheet = labelSheets.find((one) => one.name === name);
  if (!sheet) throw new Error(name);
  return sheet;
};

async function labels(rows: readonly MailRow[], name = 'labels-5160') {
  const file = path.join(scratchFolder(), 'labels.pdf');
  const notes = await writeLabels(rows, sheetNamed(name), { title: 'Letters', madeAt }, file);
  return { file, notes };
}

describe('labels', () => {
  test.each([
    ['labels-5160', 612, 792, 30],
    ['labels-5163', 612, 792, 10],
    ['labels-l7160', 595.28, 841.89, 21],
  ])('%s: sheets of %d by %d points with %d labels', async (name, width, height, perPage) => {
    const { file } = await labels(
      Array.from({ length: perPage + 1 }, () => letter()),
      name,
    );
    const document = await PDFDocument.load(fs.readFileSync(file));
    expect(document.getPageCount()).toBe(2);
    expect(document.getPage(0).getWidth()).toBeCloseTo(width, 1);
    expect(document.getPage(0).getHeight()).toBeCloseTo(height, 1);
    const {
      columns,
      rows,
      left,
      top,
      columnStep,
      rowStep,
      width: labelWidth,
      height: labelHeight,
      paper: { size: page },
    } = sheetNamed(name);
    // Nothing lies off the sheet: the last label ends before the edge.
    expect(left + (columns - 1) * columnStep + labelWidth).toBeLessThanOrEqual(page[0]);
    expect(top + (rows - 1) * rowStep + labelHeight).toBeLessThanOrEqual(page[1]);
    expect(columns * rows).toBe(perPage);
  });

  const hasPoppler = requireOrSkip(
    'labels read by poppler',
    spawnSync('pdftotext', ['-v']).status === 0,
    'poppler-utils is not installed',
  );

  test.runIf(hasPoppler)('can be read by another program, accents and all, each in its place', async () => {
    const rows = [
      letter(),
      letter({ name: 'Łucja Ñandú', address: 'ÉLM ST 5\nAPT 2' }),
      letter({ name: 'Third' }),
      letter({ name: 'Fourth' }),
    ];
    const { file, notes } = await labels(rows);
    expect(notes).toEqual([]);
    const text = spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout;
    for (const line of ['José Muñoz', 'Łucja Ñandú', 'ÉLM ST 5', 'APT 2', 'Fourth']) expect(text).toContain(line);
    const words = [
      ...spawnSync('pdftotext', ['-bbox', file, '-'], { encoding: 'utf8' }).stdout.matchAll(
        /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</g,
      ),
    ];
    const place = (text: string) => {
      const word = words.find((one) => one[5] === text);
      return { x: Number(word?.[1]), y: Number(word?.[2]), right: Number(word?.[3]), bottom: Number(word?.[4]) };
    };
    // 5160: columns start at 13.5, 211.5 and 409.5 points, rows at 36 and 108.
    expect(place('José').x).toBeGreaterThan(13.5);
    expect(place('Muñoz').right).toBeLessThan(13.5 + 189);
    expect(place('Łucja').x).toBeGreaterThan(211.5);
    expect(place('Third').x).toBeGreaterThan(409.5);
    expect(place('José').y).toBeGreaterThan(36);
    expect(place('José').bottom).toBeLessThan(108);
    expect(place('Fourth').y).toBeGreaterThan(108);
    expect(spawnSync('pdffonts', [file], { encoding: 'utf8' }).stdout).toMatch(
      /Inter-Medium\s+CID TrueType\s+Identity-H\s+yes no\s+yes/,
    );
  });

  test('say what the font lacks, and take the accent off where that helps', async () => {
    const font = LabelFont.load();
    expect(font.shown('MUÑOZ ÉMILE ŁÓDŹ Ở')).toEqual({ text: 'MUÑOZ ÉMILE ŁÓDŹ O', missing: [] });
    expect(font.shown('Ā̧ ﬁn 山田')).toMatchObject({ missing: expect.arrayContaining(['山', '田']) });
    const { notes } = await labels([letter({ name: '山田 太郎' })]);
    expect(notes).toEqual(['The label font lacks 4 characters (山 田 太 郎); shown as ?. CSV and XLSX have them.']);
  });

  test('shrink a long line, and cut one that is too long for any size', async () => {
    expect((await labels([letter({ name: 'A NAME OF FORTY-ONE LETTERS IS STILL FINE' })])).notes).toEqual([]);
    // Seventy letters of words are broken, not cut; of one word they cannot be.
    const long = letter({ address: 'Upper Quillwater Orchard, Old Grange of Wrenfield, by Tollan Mills ZZ4' });
    expect((await labels([long])).notes).toEqual([]);
    expect((await labels([letter({ name: 'W'.repeat(90) })])).notes).toEqual([
      '1 address is too long for a label and cut (…).',
    ]);
  });

  test('leave out lines that are empty', () => {
    expect(labelLines(letter({ city: '', state: '', zip: '' }))).toEqual(['José Muñoz', '12 ELM ST']);
    expect(labelLines(letter())).toEqual(['José Muñoz', '12 ELM ST', 'WRENFIELD, ZZ 00141']);
  });
});
