/** How files of contacts and comps are understood before they are applied. All persons are invented; numbers are 555-01xx. */
import fs from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import type { ListProposal } from '../../engine/importing/guess/list-proposal.ts';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { proposeComps } from '../../engine/importing/lists/propose-comps.ts';
import { proposeContacts } from '../../engine/importing/lists/propose-contacts.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { loadNamedMapping } from '../../engine/importing/mapping/saved-mappings.ts';
import { compTarget, contactTarget } from '../../engine/importing/values/mapping-target.ts';
import type { JobStatus } from '../../engine/jobs/job.ts';
import { runRead } from '../../engine/reads/index.ts';
import { leftOutWords } from '../../engine/spec/comp-import-lines.ts';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome } from '../support/homes.ts';
import { clock, openLand, writeFile } from './fixtures.ts';

/** Field → heading, of those that have one. */
const sources = ({ fields }: ListProposal): Record<string, string> =>
  Object.fromEntries(fields.flatMap(({ field, source }) => (source === null ? [] : [[field, source]])));

const odd = `REC,PTY,RESIDES,POBOX_TOWN,PV,MAILCODE,LINE A,LINE B,CALLSTOP
7001,"Marsh, Ellen Q",12 Elm St,Nowhere,NH,03280,6035550101,603-555-0102,no
7002,"Oakes, John",44 Pond Rd,Elsewhere,NH,03280,6035550103,,yes
7003,"Quill, Dora",9 Hill Ln,Nowhere,NH,03281,(603) 555-0104,,no
7004,HOLLOW PINE LLC,1 Main St,Nowhere,NH,03281,603 555 0105,,no
`;

test('sizes of comps are read in the unit that another column says of each row', () => {
  const rows = Array.from({ length: 10 }, (_, i) =>
    [i, 'Sold', 43, -72, i % 2 ? '10,890' : 2.5, i % 2 ? 'Square Feet' : 'Acres', 20_000 + i, '2025-05-05']
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  const heading = 'MLS,Status,Lat,Long,Lot Size,Lot Size Units,Sold Price,Sold Date';
  const { fields, first, mapping } = proposeComps(writeFile('units.csv', [heading, ...rows].join('\n')));
  expect(fields.find(({ field }) => field === 'lot_size')).toMatchObject({
    source: 'Lot Size + Lot Size Units',
    reason: 'Lot Size Units says the unit of each row',
  });
  expect(mapping.columns).toMatchObject({ lot_size: { from: 'Lot Size', scaleBy: { unit: 'Lot Size Units' } } });
  expect(first[0]).toMatch(/Acres 2\.5 /);
  expect(first[1]).toMatch(/Acres 0\.25 /);
});

test('sizes of comps are read in the unit that each value says', () => {
  const sizes = ['2.5 Acres', '10,890 sq. ft.', '3 ac', '1.25± acres', '5', '7 acres'];
  const rows = sizes.map((size, i) => `${i},Sold,43,-72,"${size}",${20_000 + i},2025-05-05`);
  const heading = 'MLS,Status,Lat,Long,Lot Size,Sold Price,Sold Date';
  const { fields, first, mapping } = proposeComps(writeFile('own-units.csv', [heading, ...rows].join('\n')));
  expect(fields.find(({ field }) => field === 'lot_size')).toMatchObject({
    source: 'Lot Size',
    reason: 'by its heading, each value with its unit',
  });
  expect(mapping.columns).toMatchObject({ lot_size: { from: 'Lot Size', scaleBy: { factors: { ACRES: 1, AC: 1 } } } });
  expect(first.slice(0, 5).map((row) => /Acres:? [^·]*/.exec(row)?.[0].trim())).toEqual([
    'Acres 2.5 ac',
    'Acres 0.25 ac',
    'Acres 3 ac',
    'Acres 1.25 ac',
    'Acres: no number',
  ]);
});

describe('contacts', () => {
  test('with meaningless headings are recognized by their values, and the first rows are shown as they will be kept', () => {
    const proposal = proposeContacts(writeFile('odd.csv', odd));
    expect(sources(proposal)).toEqual({
      full_name: 'PTY',
      name_order: 'given name first',
      address: 'RESIDES',
      city: 'POBOX_TOWN',
      state: 'PV',
      zip: 'MAILCODE',
      phone_1: 'LINE A',
      phone_2: 'LINE B',
    });
    expect(proposal.fields.find(({ field }) => field === 'zip')).toMatchObject({
      reason: '100 % are ZIP codes',
      sample: '03280',
    });
    expect(proposal.lack).toBeNull();
    expect(proposal.unused).toEqual([
      { name: 'REC', sample: '7001' },
      { name: 'CALLSTOP', sample: 'no' },
    ]);
    expect(proposal.first).toEqual([
      'ELLEN Q MARSH · 12 Elm St, Nowhere, NH 03280 · (603) 555-0101 DNC Unknown, (603) 555-0102 DNC Unknown',
      'JOHN OAKES · 44 Pond Rd, Elsewhere, NH 03280 · (603) 555-0103 DNC Unknown',
      'DORA QUILL · 9 Hill Ln, Nowhere, NH 03281 · (603) 555-0104 DNC Unknown',
      'row 4 is left out: a name of a company, not of a person',
    ]);
  });

  test('are read as a person says: another column, none, one flag for all phones', () => {
    const file = writeFile('odd.csv', odd);
    const proposal = proposeContacts(file, { dnc: 'CALLSTOP', 'phone 2': '' });
    expect(sources(proposal)).toMatchObject({ dnc: 'CALLSTOP', phone_1: 'LINE A' });
    expect(sources(proposal).phone_2).toBeUndefined();
    expect(proposal.first.slice(0, 2)).toEqual([
      'ELLEN Q MARSH · 12 Elm St, Nowhere, NH 03280 · (603) 555-0101 DNC No',
      'JOHN OAKES · 44 Pond Rd, Elsewhere, NH 03280 · (603) 555-0103 DNC Yes',
    ]);
    expect(proposeContacts(file, { full_name: '' }).lack).toBe('a name (First Name and Last Name, or Full Name)');
    expect(() => proposeContacts(file, { dnc: 'CALLSTOPP' })).toThrow(
      '"CALLSTOPP" is not a column of the file. Did you mean CALLSTOP?',
    );
    expect(() => proposeContacts(file, { zipp: 'REC' })).toThrow('"zipp" is not a field. Did you mean zip?');
  });

  test('whose headings are known keep what the headings say: types and flags beside their phones', () => {
    const file = writeFile(
      'plain.csv',
      'First Name,Last Name,Zip,Phone 1,Phone 1 Type,Phone 1 DNC,Cell\nEllen,Marsh,03280,6035550101,Landline,N,6035550102\n',
    );
    const proposal = proposeContacts(file);
    expect(sources(proposal)).toMatchObject({
      phone_1: 'Phone 1',
      phone_1_type: 'Phone 1 Type',
      phone_1_dnc: 'Phone 1 DNC',
      phone_2: 'Cell',
    });
    expect(proposal.first).toEqual([
      'Ellen Marsh · 03280 · (603) 555-0101 Landline DNC No, (603) 555-0102 Mobile DNC Unknown',
    ]);
  });

  test('a table of something else is not taken for people', () => {
    const rows = Array.from({ length: 20 }, (_, n) => `${1000 + n},Blue Widget,${n * 3},2024-01-${10 + n}`);
    const proposal = proposeContacts(writeFile('stock.csv', `SKU,ITEM,COUNT,DAY\n${rows.join('\n')}\n`));
    expect(proposal.lack).toContain('a phone');
    expect(sources(proposal).phone_1).toBeUndefined();
    expect(proposal.first).toEqual([]);
  });
});

const sales = `Listing No,Where,Town,Asking Price,Closed Price,Closing Date,Size,Lat,Lng,Stat,Parcel No
A1,12 Elm St,Washington,"$49,000","$45,000",03/04/2025,217800,43.17,-72.09,Closed,12-151
A2,44 Pond Rd,Washington,"$80,000","$76,500",04/01/2025,435600,43.18,-72.10,Closed,12-152
A3,9 Hill Ln,Washington,"$30,000",,,87120,43.19,-72.08,For Sale,12-153
`;

describe('sales that the county judges itself', () => {
  /** Headings of the county, and the verdicts of each sale. */
  const file = (headings: string, verdicts: readonly string[]) =>
    writeFile(
      'deeds.csv',
      [`parcel_id,lat,lon,acres,sale_date,sale_price,${headings}`]
        .concat(verdicts.map((verdict, i) => `${i}-1,43,-72.${100 + i},2,2025-05-05,${20_000 + i},${verdict}`))
        .join('\n'),
    );
  const readsOf = (headings: string, verdicts: readonly string[]) => {
    const { columns } = proposeComps(file(headings, verdicts)).mapping;
    const { is_land, is_qualified } = columns as Record<string, unknown>;
    return { is_land, is_qualified };
  };

  test('are screened by its columns, and the proposal says how many rows they take', () => {
    const proposal = proposeComps(file('qualified,vacant_or_improved', ['Q,V', 'U,V', 'Q,I', ',V']));
    expect(proposal.fields.filter(({ source }) => /qualified|vacant/.test(source ?? ''))).toMatchObject([
      { field: 'is_land', reason: 'V stays; I, blank: left out, 1 of the first 4 rows' },
      { field: 'is_qualified', reason: 'Q stays; U, blank: left out, 2 of the first 4 rows' },
    ]);
    const land = openLand();
    const mapping = parseMapping(proposal.mapping, 'proposed', compTarget);
    const report = importComps(land, { files: [proposal.file], homeKind: 'real', now: clock, fips: '33019', mapping });
    expect(report).toMatchObject({ new: 1, left_out: { not_qualified: 2, improved: 1 } });
    expect(proposal.first.slice(0, 2)).toEqual([
      'APN 0-1 · Latitude 43 · Longitude -72.1 · Acres 2 ac · Price $20,000 · Sold on 5 May 2025',
      `left out: ${leftOutWords.not_qualified}`,
    ]);
  });

  test('have their headings below a title, in one word or cut short', () => {
    const rows = [
      'Tax Parcel Number,saleprice,SALE_AMT,saledate,acres',
      '0-1,20000,,2025-05-05,2',
      '0-2,,21000,2025-05-06,2',
    ];
    const titled = writeFile('sales.csv', ['Sales of 2025,,,,', ...rows].join('\n'));
    const { fields, lack } = proposeComps(titled);
    expect(lack).toBeNull();
    const sourceOf = Object.fromEntries(fields.map(({ field, source }) => [field, source]));
    expect(sourceOf).toMatchObject({ apn: 'Tax Parcel Number', price: 'saleprice or SALE_AMT', sold_date: 'saledate' });
    const short = writeFile('short.csv', 'Tax Parcel Number,SALE_AMT,saledate,acres\n0-1,20000,2025-05-05,2\n');
    expect(proposeComps(short).fields).toContainEqual(expect.objectContaining({ field: 'price', source: 'SALE_AMT' }));
  });

  test.each<[headings: string, verdicts: readonly string[], expected: unknown]>([
    ['VALID SALE,IMPROVED', ['Y,N', 'N,Y'], { is_qualified: { yes: ['Y'] }, is_land: { yes: ['N'] } }],
    ['Is_Vacant', ['1', '0'], { is_land: { yes: ['1'] } }],
    ['SALEQUAL', ['Q V', 'Q I', 'U V'], { is_qualified: { yes: ['Q V', 'Q I'] } }],
    ['Property Type', ['Vacant Land', 'Single Family'], { is_land: { yes: ['Vacant Land'] } }],
  ])('%s is read by its values', (headings, verdicts, expected) => {
    expect(readsOf(headings, verdicts)).toMatchObject(expected as object);
  });

  test.each([
    ['codes of which 1 may mean anything', 'VALIDITY', ['0', '1', '7', '12']],
    ['a price of what stands there', 'IMPROVED', ['120000', '80000']],
    ['kinds of which none is land', 'Property Type', ['Condo', 'Townhouse']],
  ])('%s are no verdict', (_what, heading, verdicts) => {
    expect(readsOf(heading, verdicts)).toEqual({ is_land: undefined, is_qualified: undefined });
  });
});

describe('comps', () => {
  test('are recognized by headings and values: square feet become acres, and the price of a sale is not the asking price', () => {
    const proposal = proposeComps(writeFile('sales.csv', sales));
    expect(sources(proposal)).toEqual({
      source_id: 'Listing No',
      status: 'Stat',
      city: 'Town',
      apn: 'Parcel No',
      latitude: 'Lat',
      longitude: 'Lng',
      lot_size: 'Size',
      price: 'Closed Price or Asking Price',
      sold_date: 'Closing Date',
    });
    // 217,800 ÷ 43,560 = 5 acres
    expect(proposal.first[0]).toBe(
      'Id at the source A1 · Status Closed · City Washington · APN 12-151 · Latitude 43.17 · Longitude -72.09 · Acres 5 ac · Price $45,000 · Sold on 4 Mar 2025',
    );
    expect(proposal.unused.map(({ name }) => name)).toEqual(['Where']);
    expect([proposal.lack, proposal.profile]).toEqual([null, null]);
    expect(sources(proposeComps(proposal.file, { address: 'Where', price: 'Asking Price' }))).toMatchObject({
      address: 'Where',
      price: 'Asking Price',
    });
  });

  test('what is not sold has the price that is asked', () => {
    const file = writeFile(
      'both.csv',
      'APN,Status,Sale Price,List Price\n1,Sold,45000,49000\n2,Active,,39000\n3,Active,0,29000\n',
    );
    const { first, fields } = proposeComps(file);
    expect(first).toEqual([
      'Status Sold · APN 1 · Price $45,000',
      'Status Active · APN 2 · Price $39,000',
      'Status Active · APN 3 · Price $29,000',
    ]);
    expect(fields.find(({ field }) => field === 'price')?.reason).toBe(
      'the sale price, or the asking price of what is not sold',
    );
  });

  test.each([
    [
      'Sale Price,Consideration,Sale Date,Recording Date\n1,45000,,2025-01-02,2025-01-09\n2,0,39000,,2025-02-09\n3,,29000,,2025-03-03\n',
      'Sale Price is filled on 33 % of rows, Consideration on 67 %: the first that is filled counts',
      [
        'Price $45,000 · Sold on 2 Jan 2025',
        'Price $39,000 · Sold on 9 Feb 2025',
        'Price $29,000 · Sold on 3 Mar 2025',
      ],
    ],
    [
      // What is asked for a lot is not what it was sold for.
      'Price,Sold Price,Sold Date\n1,49000,45000,2025-01-02\n2,39000,,2025-02-09\n',
      'Sold Price is filled on 50 % of rows, Price on 100 %: the first that is filled counts',
      ['Price $45,000 · Sold on 2 Jan 2025', 'Price $39,000 · Sold on 9 Feb 2025'],
    ],
    [
      // Dates of two forms cannot be read as one.
      'Sale Price,Sale Date,Deed Date\n1,45000,20250102,01022025\n2,41000,20250209,02092025\n',
      'by its heading',
      ['Price $45,000 · Sold on 2 Jan 2025', 'Price $41,000 · Sold on 9 Feb 2025'],
    ],
  ])('two prices or dates are read in order where the second fills the first: %s', (text, reason, expected) => {
    const { first, fields } = proposeComps(writeFile('two.csv', `APN,${text}`));
    expect(first).toEqual(expected.map((words, index) => `APN ${index + 1} · ${words}`));
    expect(fields.find(({ field }) => field === 'price')?.reason).toBe(reason);
  });

  test('a row that the import leaves out says so before it', () => {
    const rows = 'APN,Sold Date,Price\n1,2025-05-05,20000\n2,2025-05-06,\n3,2025-05-07,10\n';
    expect(proposeComps(writeFile('gaps.csv', rows)).first).toEqual([
      'APN 1 · Price $20,000 · Sold on 5 May 2025',
      'left out: no price',
      `left out: ${leftOutWords.nominal_price}`,
    ]);
  });

  test('a size in acres stays, by its heading or because half are small', () => {
    const of = (heading: string, size: string) =>
      proposeComps(writeFile('s.csv', `Price,Sold Date,APN,${heading}\n100000,2025-01-02,1,${size}\n`)).first[0];
    expect(of('Acres', '1500')).toContain('Acres 1,500 ac');
    expect(of('Lot Area', '2.5')).toContain('Acres 2.5 ac');
    // 87,120 ÷ 43,560 = 2
    expect(of('Lot SF', '87120')).toContain('Acres 2 ac');
  });

  test('a heading whose values cannot be it is left alone, and what lacks is said', () => {
    const proposal = proposeComps(writeFile('s.csv', 'Price,Status,Lat\nask me,blue,900\nlater,green,901\n'));
    expect(sources(proposal)).toEqual({});
    expect(proposal.lack).toBe(
      'a price; a status, or a sold date; latitude and longitude, or an APN; what names each record: an id at the source, a web address, an address or an APN',
    );
  });

  // Its rows were shown as they would be kept, and the import then refused each of them.
  test('without anything that names a record lack that, as the import then says', () => {
    const text = 'Sale No,saleprice,saledate,Acreage,Lat,Lon\n77,40000,2025-01-10,2.5,43.2,-72.1\n';
    const file = writeFile('sales.csv', text);
    const naming = 'an id at the source, a web address, an address or an APN';
    const { lack, mapping } = proposeComps(file);
    expect(lack).toBe(`what names each record: ${naming}`);
    const asked = { files: [file], homeKind: 'real', date: '2026-07-01', now: clock, mapping } as const;
    expect(() => importComps(openLand(), asked as never)).toThrow(`nothing that names the record; expected ${naming}`);
    expect(proposeComps(file, { source_id: 'Sale No' }).lack).toBeNull();
  });

  test('a download of a known site is of its profile', () => {
    const headings =
      'SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,LOT SIZE,DAYS ON MARKET,STATUS,MLS#,SOURCE,URL (SEE https://www.redfin.com/buy-a-home/comparative-market-analysis FOR INFO ON PRICING),LATITUDE,LONGITUDE';
    const row =
      'PAST SALE,March-14-2025,Vacant Land,1 Elm St,Nowhere,NH,03280,45000,217800,,Sold,77,MLS,https://example.com/1,43.1,-72.1';
    const proposal = proposeComps(writeFile('redfin.csv', `${headings}\n${row}\n`));
    expect(proposal.profile).toBe('redfin');
    expect(proposal.first[0]).toContain('Sold on 14 Mar 2025');
  });
});

test('a mapping that was kept is taken in place of guesses where the file has its headings', () => {
  const file = writeFile('odd.csv', odd);
  const kept = { name: 'kept', columns: { full_name: 'PTY', zip: 'MAILCODE', phone_1: 'LINE B' } };
  const proposal = proposeContacts(file, { city: 'POBOX_TOWN' }, kept);
  expect(sources(proposal)).toMatchObject({ phone_1: 'LINE B', city: 'POBOX_TOWN' });
  expect(proposal.fields.find(({ field }) => field === 'zip')?.reason).toBe('as kept');
  expect(sources(proposal).address).toBeUndefined();
  const stranger = { ...kept, columns: { ...kept.columns, zip: 'POSTLEITZAHL' } };
  expect(sources(proposeContacts(file, {}, stranger))).toMatchObject({ phone_1: 'LINE A', zip: 'MAILCODE' });
  const columns = { price: 'Asking Price', sold_date: 'Closing Date', apn: 'Parcel No' };
  const comps = proposeComps(writeFile('sales.csv', sales), {}, { name: 'mine', source: 'broker', columns });
  expect([sources(comps), comps.mapping, comps.profile]).toEqual([
    columns,
    { name: 'mine', source: 'broker', columns },
    null,
  ]);
});

test('what was looked through is kept under a name, and an import takes it by that name', async () => {
  const engine = openEngine({ home: emptyHome() });
  onTestFinished(() => engine.close());
  const file = writeFile('odd.csv', odd);
  const data = await runRead(engine, 'propose_list', {
    path: file,
    as: 'contacts',
    choices: { dnc: 'CALLSTOP' },
  });
  const { mapping } = data as ListProposal;
  await runChange(engine, 'save_list_mapping', { as: 'contacts', name: 'tracers', mapping });
  expect(loadNamedMapping(engine.home, 'tracers', contactTarget)).toEqual({ ...mapping, name: 'tracers' });
  expect(runRead(engine, 'kept_list_mappings', { as: 'contacts' })).toEqual(['tracers']);
  await expect(runChange(engine, 'save_list_mapping', { as: 'contacts', name: '../x', mapping })).rejects.toMatchObject(
    { code: 'usage' },
  );
  const options = { file, source: 'tracers', mapping: 'tracers' };
  const started = (await runChange(engine, 'start_import', { what: 'contacts', options })).data as JobStatus;
  expect(await engine.jobs.finished(started.job_id)).toMatchObject({
    state: 'done',
    report: { new: 3, phones_kept: 4 },
  });
  const flags = engine.people.file.all(
    'SELECT last_name, dnc FROM contacts JOIN contact_phones USING (contact_id) ORDER BY number',
  );
  expect(flags).toEqual([
    { last_name: 'MARSH', dnc: 0 },
    { last_name: 'MARSH', dnc: 0 },
    { last_name: 'OAKES', dnc: 1 },
    { last_name: 'QUILL', dnc: 0 },
  ]);

  const comps = proposeComps(writeFile('sales.csv', sales)).mapping;
  await runChange(engine, 'save_list_mapping', { as: 'comps', name: 'broker', mapping: comps });
  expect(loadNamedMapping(engine.home, 'broker', compTarget)).toMatchObject({ name: 'broker', source: 'sales.csv' });
  const next = fs.readFileSync(writeFile('next.csv', sales.replace('45,000', '46,000')), 'utf8');
  const later = { files: [writeFile('later.csv', next)], county: '33019', mapping: 'broker' };
  const { data: job } = await runChange(engine, 'start_import', { what: 'comps', options: later });
  expect(await engine.jobs.finished((job as JobStatus).job_id)).toMatchObject({
    state: 'done',
    report: { source: 'sales.csv', new: 3, refused: { count: 0 } },
  });
});
