import { describe, expect, test } from 'vitest';
import { compColumns } from '../../engine/comps/comp-columns.ts';
import { compId } from '../../engine/comps/stable-id.ts';
import { linkComps } from '../../engine/importing/lists/comp-links.ts';
import { type CompImportOptions, importComps } from '../../engine/importing/lists/import-comps.ts';
import { loadMapping, parseMapping, profileNames } from '../../engine/importing/mapping/mapping.ts';
import { compTarget } from '../../engine/importing/values/mapping-target.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { clock, importLots, lot, openLand, writeFile } from './fixtures.ts';

const importFile = (land: LandStore, file: string, more: Partial<CompImportOptions> = {}) =>
  importComps(land, { files: [file], homeKind: 'real', date: '2026-07-01', now: clock, ...more });

const importRows = (land: LandStore, rows: readonly Record<string, unknown>[], more: Partial<CompImportOptions> = {}) =>
  importComps(land, {
    features: rows.map((properties) => ({ geometry: null, properties })),
    homeKind: 'real',
    fips: '33019',
    source: 'Test listings',
    date: '2026-07-01',
    now: clock,
    ...more,
  });

const compsOf = (land: LandStore) => land.file.all<Record<string, unknown>>('SELECT * FROM comps ORDER BY source_id');

function refusalOf(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('expected a refusal, found none');
}

const sale = {
  source_id: '1',
  status: 'SOLD',
  price: 40_000,
  lot_size: 4,
  sold_date: '2025-03-14',
  longitude: -72,
  latitude: 43.2,
};

describe('the dictionary of comps', () => {
  test.each(compColumns.map((column) => [column.name, column] as const))('column %s has its words', (_name, column) => {
    expect(column.label.length).toBeGreaterThan(1);
    expect(column.docs).toMatch(/^[A-Z`].{10,}\.$/);
  });
});

const redfinHeadings =
  'SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,BATHS,LOCATION,SQUARE FEET,LOT SIZE,YEAR BUILT,DAYS ON MARKET,$/SQUARE FEET,HOA/MONTH,STATUS,NEXT OPEN HOUSE START TIME,NEXT OPEN HOUSE END TIME,URL (SEE https://www.redfin.com/buy-a-home/comparative-market-analysis FOR INFO ON PRICING),SOURCE,MLS#,FAVORITE,INTERESTED,LATITUDE,LONGITUDE';
const disclaimer = 'In accordance with local MLS rules, some MLS listings are not included in the download';

const redfinRow = (more: Record<string, string> = {}): string => {
  const values: Record<string, string> = {
    'SALE TYPE': 'PAST SALE',
    'SOLD DATE': 'March-4-2025',
    'PROPERTY TYPE': 'Vacant Land',
    ADDRESS: '0 Mill Rd',
    CITY: 'Wrenfield',
    'STATE OR PROVINCE': 'NH',
    'ZIP OR POSTAL CODE': '3280',
    PRICE: '45000',
    'LOT SIZE': '217800',
    STATUS: 'Sold',
    'URL (SEE https://www.redfin.com/buy-a-home/comparative-market-analysis FOR INFO ON PRICING)':
      'https://listings.invalid/1',
    SOURCE: 'ALDER',
    'MLS#': '4000001',
    FAVORITE: 'N',
    LATITUDE: '43.0005',
    LONGITUDE: '-71.9995',
    ...more,
  };
  return redfinHeadings
    .split(',')
    .map((name) => `"${values[name] ?? ''}"`)
    .join(',');
};

describe('a Redfin-style download', () => {
  const redfin = { mapping: loadMapping('redfin', compTarget), fips: '33019' };

  test('comes in: acres of square feet, dates, statuses; houses and the disclaimer stay out', () => {
    const land = openLand();
    const file = writeFile(
      'redfin_2026-07-09-01-02-03.csv',
      [
        redfinHeadings,
        `"${disclaimer}"`,
        redfinRow(),
        redfinRow({ 'MLS#': '4000002', STATUS: 'Active', 'SALE TYPE': 'MLS Listing', 'SOLD DATE': '', 'LOT SIZE': '' }),
        redfinRow({ 'MLS#': '4000003', STATUS: 'Contingent', 'SALE TYPE': 'MLS Listing', 'SOLD DATE': '' }),
        redfinRow({ 'MLS#': '4000004', 'PROPERTY TYPE': 'Single Family Residential', BEDS: '3' }),
        redfinRow({ 'MLS#': '4000005', PRICE: '' }),
        redfinRow({ 'MLS#': '', STATUS: '', 'SOLD DATE': 'December-31-2024' }),
        redfinRow({ 'MLS#': '4000007', 'SOLD DATE': 'February-30-2025' }),
        `${disclaimer}${','.repeat(26)}`,
      ].join('\r\n'),
    );
    const report = importComps(land, { files: [file], homeKind: 'real', now: clock, ...redfin });
    expect(report).toMatchObject({
      date: '2026-07-09',
      rows_read: 9,
      blank_rows: 2,
      left_out: { improved: 1 },
      refused: { count: 1, first: [{ file: 'redfin_2026-07-09-01-02-03.csv', row: 6, reason: 'no price' }] },
      value_problems: { count: 1, by_column: { sold_date: 1 } },
      new: 5,
      unlinked: 5,
      without_lot_size: 1,
    });
    expect(compsOf(land)).toMatchObject([
      {
        comp_id: compId('Redfin: ALDER', '4000001'),
        source: 'Redfin: ALDER',
        fips: '33019',
        status: 'SOLD',
        address: '0 Mill Rd',
        city: 'Wrenfield',
        state: 'NH',
        zip: '03280',
        county: 'Sullivan County',
        lot_size: 5,
        price: 45_000,
        sold_date: '2025-03-04',
        as_of_date: null,
        days_on_market: null,
        sale_type: 'PAST SALE',
        url: 'https://listings.invalid/1',
        latitude: 43.0005,
        longitude: -71.9995,
      },
      { source_id: '4000002', status: 'ACTIVE', sold_date: null, lot_size: null, as_of_date: '2026-07-09' },
      { source_id: '4000003', status: 'PENDING' },
      { source_id: '4000007', status: 'SOLD', sold_date: null },
      { source_id: 'https://listings.invalid/1', status: 'SOLD', sold_date: '2024-12-31' },
    ]);
  });

  test('of houses alone brings nothing, and says so', () => {
    const land = openLand();
    const file = writeFile('r.csv', [redfinHeadings, redfinRow({ 'PROPERTY TYPE': 'Townhouse' })].join('\n'));
    expect(importFile(land, file, redfin)).toMatchObject({ new: 0, left_out: { improved: 1 } });
  });

  test('of nothing but the disclaimer is refused', () => {
    const land = openLand();
    const file = writeFile('r.csv', [redfinHeadings, disclaimer].join('\n'));
    expect(refusalOf(() => importFile(land, file, redfin)).code).toBe('import_refused');
  });
});

describe('a row that is no market price of land', () => {
  const nextDoor = (id: string, more: Record<string, unknown>) => ({
    ...sale,
    source_id: id,
    is_land: 'yes',
    is_qualified: 'yes',
    ...more,
  });

  test('stays out, counted under the first screen that takes it', () => {
    const land = openLand();
    const report = importRows(land, [
      nextDoor('1', {}),
      nextDoor('2', { is_land: 'no' }),
      nextDoor('3', { is_land: null }),
      nextDoor('4', { is_qualified: 'no', is_land: 'no' }),
      nextDoor('5', { is_qualified: null }),
      nextDoor('6', { price: 999 }),
      nextDoor('7', { price: 4000, lot_size: 100 }),
      nextDoor('8', { price: 999, status: 'ACTIVE' }),
    ]);
    expect(report).toMatchObject({
      new: 2,
      left_out: { improved: 1, vacancy_unknown: 1, not_qualified: 2, nominal_price: 2 },
    });
    expect(compsOf(land)).toMatchObject([{ source_id: '1' }, { source_id: '8' }]);
  });

  test('is not told by what the file does not say at all', () => {
    expect(importRows(openLand(), [sale])).toMatchObject({ new: 1, left_out: {} });
  });
});

describe('a comp', () => {
  test('keeps its id: the same file changes nothing, a newer one updates it', () => {
    const land = openLand();
    const listing = { ...sale, status: 'ACTIVE', sold_date: null, price: 50_000 };
    expect(importRows(land, [listing, { ...sale, source_id: '2' }])).toMatchObject({ new: 2 });
    const before = compsOf(land);
    expect(importRows(land, [listing, { ...sale, source_id: '2' }])).toMatchObject({
      new: 0,
      changed: 0,
      unchanged: 2,
    });
    expect(compsOf(land)).toEqual(before);
    // Sold meanwhile; records missing from the file stay.
    expect(importRows(land, [sale], { date: '2026-08-01' })).toMatchObject({ new: 0, changed: 1, unchanged: 0 });
    expect(compsOf(land)).toMatchObject([
      { comp_id: before[0]?.comp_id, status: 'SOLD', price: 40_000, sold_date: '2025-03-14', as_of_date: null },
      { source_id: '2' },
    ]);
  });

  test('is not put back by an older file', () => {
    const land = openLand();
    const listing = { ...sale, status: 'ACTIVE', sold_date: null, price: 50_000 };
    importRows(
      land,
      [
        { ...sale, sold_date: '2026-03-14' },
        { ...listing, source_id: '2' },
      ],
      { date: '2026-06-01' },
    );
    const older = [listing, { ...listing, source_id: '2', price: 60_000 }];
    expect(importRows(land, older, { date: '2026-01-01' })).toMatchObject({ changed: 0, older: 2, unchanged: 0 });
    expect(compsOf(land)).toMatchObject([{ status: 'SOLD' }, { price: 50_000 }]);
    // Listed again after the sale.
    expect(importRows(land, [listing], { date: '2026-07-01' })).toMatchObject({ changed: 1, older: 0 });
  });

  test('of one id twice in a file is the later one', () => {
    const land = openLand();
    expect(importRows(land, [sale, { ...sale, price: 41_000 }])).toMatchObject({ new: 1, repeated: 1 });
    expect(compsOf(land)).toMatchObject([{ price: 41_000 }]);
  });

  test('of two sources is two', () => {
    const land = openLand();
    importRows(land, [sale, { ...sale, source: 'Other' }]);
    expect(
      compsOf(land)
        .map(({ source }) => source)
        .sort(),
    ).toEqual(['Other', 'Test listings']);
  });

  test('has its dates and texts in order', () => {
    const land = openLand();
    const photos = ['https://listings.invalid/1.jpg', 'javascript:alert(1)'];
    const report = importRows(land, [
      {
        ...sale,
        list_date: '2025-03-01',
        photos: JSON.stringify(photos),
        url: 'javascript:alert(1)',
        state: 'New Hampshire',
      },
      {
        ...sale,
        source_id: '2',
        status: 'Under Contract',
        photos: 'https://a.invalid/1 | https://a.invalid/2',
        lot_size: 0,
      },
      { ...sale, source_id: '3', status: null, days_on_market: -3 },
    ]);
    expect(report.value_problems.by_column).toEqual({ url: 1, state: 1 });
    expect(compsOf(land)).toMatchObject([
      { days_on_market: 13, photos: '["https://listings.invalid/1.jpg"]', url: null, state: 'NH' },
      { status: 'PENDING', sold_date: null, photos: '["https://a.invalid/1","https://a.invalid/2"]', lot_size: null },
      { status: 'SOLD', days_on_market: null },
    ]);
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ price: null }, /no price/],
    [{ price: 1 }, /no price/],
    [{ price: -5 }, /no price/],
    [{ status: 'Gone' }, /no status among/],
    [{ status: null, sold_date: null }, /no status among/],
    [{ source_id: null }, /nothing that names the record/],
    [{ longitude: null, latitude: null }, /no place/],
    [{ longitude: 200 }, /no place/],
    [{ longitude: 0, latitude: 0 }, /no place/],
  ])('with %j is refused', (change, reason) => {
    const land = openLand();
    const { refused, new: added } = importRows(land, [
      { ...sale, ...change },
      { ...sale, source_id: '9' },
    ]);
    expect(added).toBe(1);
    expect(refused).toMatchObject({ count: 1, first: [{ row: 1, reason: expect.stringMatching(reason) }] });
  });

  test('off the market is left out', () => {
    const land = openLand();
    expect(
      importRows(land, [
        { ...sale, status: 'Withdrawn' },
        { ...sale, source_id: '2' },
      ]),
    ).toMatchObject({ new: 1, left_out: { off_market: 1 } });
  });
});

test('a row that repeats an id is counted once among the linked ones', async () => {
  const land = openLand();
  await importLots(land, [lot('12-201', 0)]);
  const nowhere = { longitude: null, latitude: null };
  const twice = importRows(land, [
    { ...sale, ...nowhere, apn: '12-201' },
    { ...sale, ...nowhere, apn: '12-201', lot_size: 5 },
  ]);
  expect(twice).toMatchObject({ new: 1, repeated: 1, linked_by_apn: 1, linked_by_place: 0, unlinked: 0 });
});

describe('the parcel of a comp', () => {
  const lots = [
    lot('12-201', 0, { land_use_description: 'WOODS', acres: 2.5 }),
    lot('12-2-01', 1, { zoning: 'R1', acres: 30 }),
    lot('13-1', 2),
  ];
  const inLot = (index: number) => ({ longitude: -72 + index * 0.01 + 0.0005, latitude: 43.0005 });

  const linkOf = async (comp: Record<string, unknown>, more: Partial<CompImportOptions> = {}) => {
    const land = openLand();
    await importLots(land, lots);
    const report = importRows(land, [{ ...sale, longitude: null, latitude: null, ...comp }], more);
    const [row] = compsOf(land);
    const by = report.linked_by_apn > 0 ? 'apn' : report.linked_by_place > 0 ? 'place' : null;
    const apn = land.file.get<{ apn: string }>('SELECT apn FROM parcels WHERE property_id = ?', row?.property_id)?.apn;
    return { row, by, apn };
  };

  test('is found by its APN, however it is written, and gives place, use and county', async () => {
    const { row, by, apn } = await linkOf({ apn: '13 1' });
    expect([by, apn]).toEqual(['apn', '13-1']);
    expect(row).toMatchObject({ fips: '33019', latitude: 43.0005, coordinate_grain: 'parcel', apn: '13 1' });
    expect((await linkOf({ apn: '12-201' })).row?.use).toBe('WOODS');
    expect((await linkOf({ apn: '12-2-01' })).row?.use).toBe('R1');
  });

  test('of two with the same letters and digits is the nearer one', async () => {
    expect((await linkOf({ apn: '12201', ...inLot(1) })).apn).toBe('12-2-01');
    expect((await linkOf({ apn: '12201', ...inLot(0) })).apn).toBe('12-201');
  });

  test('is found by its point, where the acres agree', async () => {
    expect(await linkOf({ ...inLot(0), lot_size: 2.7 })).toMatchObject({
      by: 'place',
      apn: '12-201',
      row: { apn: '12-201' },
    });
    expect(await linkOf({ ...inLot(0), lot_size: null })).toMatchObject({ by: 'place', apn: '12-201' });
    expect(await linkOf({ ...inLot(0), lot_size: 3 })).toMatchObject({ by: null });
    expect(await linkOf({ ...inLot(1), lot_size: 3 })).toMatchObject({ by: null });
    expect(await linkOf({ longitude: -72.005, latitude: 43 })).toMatchObject({ by: null });
  });

  test('is not the one that holds the point of its ZIP code, which only tells the county', async () => {
    const land = openLand();
    await importLots(land, lots);
    const zip = { ...sale, ...inLot(0), coordinate_grain: 'ZIP', lot_size: null };
    importRows(land, [
      { ...zip, source_id: '1' },
      { ...zip, source_id: '2', apn: '12-201' },
    ]);
    expect(compsOf(land).map(({ fips }) => fips)).toEqual(['33019', '33019']);
    expect(compsOf(land).map(({ property_id: id }) => id !== null)).toEqual([false, true]);
    expect(linkComps(land)).toBe(0);
  });

  test('is not one of the same number far away', async () => {
    expect(await linkOf({ apn: '13-1', longitude: -70, latitude: 45 })).toMatchObject({ by: null });
  });

  test('gives the county when nothing else does; so do county name and state', async () => {
    const land = openLand();
    await importLots(land, lots);
    const features = [
      { ...sale, source_id: '1', ...inLot(0), lot_size: 2.5 },
      { ...sale, source_id: '2', longitude: -100, latitude: 40, county: 'Sullivan', state: 'nh' },
      { ...sale, source_id: '3', longitude: -100, latitude: 40 },
      { ...sale, source_id: '4', longitude: -100, latitude: 40, fips: '8001' },
    ].map((properties) => ({ geometry: null, properties }));
    const report = importComps(land, { features, homeKind: 'real', source: 'x', now: clock });
    expect(report).toMatchObject({
      new: 3,
      refused: { count: 1, first: [{ row: 3, reason: expect.stringMatching(/no county/) }] },
    });
    expect(compsOf(land).map(({ fips }) => fips)).toEqual(['33019', '33019', '08001']);
  });

  test('that comes in later is linked then', async () => {
    const land = openLand();
    importRows(land, [{ ...sale, ...inLot(0), lot_size: 2.5 }]);
    expect(linkComps(land)).toBe(0);
    await importLots(land, lots);
    expect([linkComps(land, '01001'), linkComps(land), linkComps(land)]).toEqual([0, 1, 0]);
    expect(compsOf(land)).toMatchObject([{ property_id: expect.any(Number), use: 'WOODS' }]);
  });
});

describe('files', () => {
  const point = (longitude: number, latitude: number) => ({ type: 'Point', coordinates: [longitude, latitude] });

  test('of GeoJSON, points and lots', () => {
    const land = openLand();
    const square = {
      type: 'Polygon',
      coordinates: [
        [
          [-72, 43],
          [-71, 43],
          [-71, 44],
          [-72, 44],
          [-72, 43],
        ],
      ],
    };
    const { longitude: _x, latitude: _y, ...properties } = sale;
    const file = writeFile(
      'comps.geojson',
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          { type: 'Feature', geometry: point(-72.5, 43.5), properties },
          { type: 'Feature', geometry: square, properties: { ...properties, source_id: '2' } },
        ],
      }),
    );
    expect(importFile(land, file, { fips: '33019' })).toMatchObject({ new: 2 });
    expect(compsOf(land)).toMatchObject([
      { longitude: -72.5, latitude: 43.5, source: 'comps.geojson' },
      { longitude: -71.5, latitude: 43.5 },
    ]);
  });

  test("of the service's own CSV: its columns, its ids", () => {
    const land = openLand();
    const file = writeFile(
      'comps.csv',
      'id,source,status,address,city,state,zip,county,apn,latitude,longitude,lot_size,price,sold_date,days_on_market,sale_type,url,photos\n' +
        'abc,MLS,SOLD,1 Mill Rd,Wrenfield,NH,03280,Sullivan,1-1,43.1,-72.1,2.5,45000,2025-03-14T00:00:00Z,12,Sold,https://a.invalid/1,https://a.invalid/1.jpg\n',
    );
    expect(importFile(land, file)).toMatchObject({ new: 1, value_problems: { count: 0 } });
    expect(compsOf(land)).toMatchObject([
      {
        source: 'MLS',
        source_id: 'abc',
        fips: '33019',
        sold_date: '2025-03-14',
        lot_size: 2.5,
        days_on_market: 12,
        photos: '["https://a.invalid/1.jpg"]',
      },
    ]);
  });

  test('with a row of another length lose that row alone', () => {
    const land = openLand();
    const file = writeFile(
      'c.csv',
      'source_id;status;price;latitude;longitude\n1;SOLD;5000;43;-72\n2;SOLD;5000\n3;SOLD;6000;43;-72\n',
    );
    expect(importFile(land, file, { fips: '33019' })).toMatchObject({
      new: 2,
      refused: { count: 1, first: [{ row: 2, reason: 'expected 5 values as in the headings, found 3' }] },
    });
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['empty', '', /an empty file/],
    ['binary', Buffer.from([1, 2, 3, 0]), /binary data/],
    ['headings alone', 'price,status\n', /at least one comp/],
    ['other headings', 'a,b\n1,2\n', /None of the columns/],
    ['UTF-16 with headings alone', Buffer.from('\ufeffprice,status\n', 'utf16le'), /at least one comp/],
    ['no rows that fit', 'price,status,source_id\n0,SOLD,1\n', /None of the 1 rows can be used.*no price/],
  ])('%s: refused, and nothing is left behind', (_name, content, words) => {
    const land = openLand();
    const error = refusalOf(() => importFile(land, writeFile('x.csv', content), { fips: '33019' }));
    expect(error.message).toMatch(words);
    expect(land.kind).toBeNull();
    expect(land.file.all("SELECT name FROM temp.sqlite_schema WHERE name LIKE 'staged%'")).toEqual([]);
  });

  test('that are missing, or of an unknown county', () => {
    const land = openLand();
    expect(refusalOf(() => importFile(land, '/nowhere/x.csv')).code).toBe('file_missing');
    const file = writeFile('x.csv', 'price\n1\n');
    expect(refusalOf(() => importFile(land, file, { fips: '99999' })).message).toMatch(/No county has the FIPS code/);
    expect(refusalOf(() => importComps(land, { homeKind: 'real', now: clock })).message).toMatch(/none or both/);
    expect(refusalOf(() => importFile(land, file, { date: '2026-02-30' })).message).toMatch(/a date like/);
  });

  test('cancelled on the way change nothing', () => {
    const land = openLand();
    const rows = Array.from({ length: 1500 }, (_, i) => ({ ...sale, source_id: String(i) }));
    const onProgress = () => {
      throw new Error('cancelled');
    };
    expect(() => importRows(land, rows, { onProgress })).toThrow('cancelled');
    expect(compsOf(land)).toEqual([]);
    expect(importRows(land, rows)).toMatchObject({ new: 1500 });
  });

  test('of real sales do not mix with the sample', () => {
    const land = openLand();
    importRows(land, [sale], { homeKind: 'sample' });
    expect(refusalOf(() => importRows(land, [{ ...sale, source_id: '2' }])).code).toBe('sample_and_real');
    expect(compsOf(land)).toHaveLength(1);
  });
});

describe('mappings', () => {
  test('of the profiles are valid', () => {
    expect(profileNames(compTarget)).toEqual(['redfin']);
    for (const name of profileNames(compTarget)) expect(loadMapping(name, compTarget).name).toBe(name);
  });

  test('are found by their path, and missed by name', () => {
    const file = writeFile('m.json', JSON.stringify({ name: 'mine', columns: { price: 'Ask' } }));
    expect(loadMapping(file, compTarget).columns).toEqual({ price: 'Ask' });
    expect(refusalOf(() => loadMapping('nothing', compTarget)).message).toMatch(/not a profile of comps \(redfin\)/);
    expect(refusalOf(() => loadMapping(writeFile('m.json', '{'), compTarget)).message).toMatch(/is not JSON/);
  });

  test.each<[unknown, string]>([
    [{ name: 'm', columns: { pric: 'A' } }, 'columns.pric'],
    [{ name: 'm', columns: { price: { from: 'A', scael: 2 } } }, 'columns.price.scael'],
    [{ name: 'm', columns: { price: { from: 'A', constant: 1 } } }, 'columns.price'],
    [{ name: 'm', columns: { price: 'table.A' } }, 'columns.price'],
    [{ name: 'm', columns: { price: { from: { from: 'A', scale: 2 } } } }, 'columns.price.from.scale'],
    [{ name: 'm', columns: {} }, 'columns'],
    [{ name: 'm', columns: { price: 'A' }, join: { parcel: 'A', table: 'table.B' } }, 'join'],
    [{ name: 'm', columns: { price: 'A' }, title: 5 }, 'title'],
    [{ columns: { price: 'A' } }, 'name'],
    [{ name: 'm' }, 'columns'],
  ])('%j is wrong at %s', (mapping, at) => {
    const error = refusalOf(() => parseMapping(mapping, 'm', compTarget));
    expect(error.code).toBe('mapping_invalid');
    expect(Object.keys(error.details ?? {})).toContain(at);
  });

  test('that speak of a column which the file lacks are refused', () => {
    const land = openLand();
    const mapping = parseMapping(
      { name: 'm', columns: { price: 'Prise', status: { constant: 'SOLD' } } },
      'm',
      compTarget,
    );
    const file = writeFile('x.csv', 'price,status\n5000,SOLD\n');
    expect(refusalOf(() => importFile(land, file, { mapping })).message).toMatch(
      /reads the column Prise.*Did you mean price/,
    );
  });

  test('fill units and constants', () => {
    const land = openLand();
    const mapping = loadMapping(
      writeFile(
        'm.json',
        JSON.stringify({
          name: 'm',
          source: 'County sales',
          columns: {
            source_id: '$id',
            status: { constant: 'SOLD' },
            price: 'Amount',
            lot_size: { from: 'Hectares', scale: 2.4710538 },
            sold_date: { from: 'Day', date: 'DD/MM/YYYY' },
            latitude: 'y',
            longitude: 'x',
          },
        }),
      ),
      compTarget,
    );
    const properties = { AMOUNT: '$45,000', hectares: '2', Day: '14/03/2025', x: -72, y: 43 };
    importComps(land, {
      features: [{ geometry: null, properties, id: 'a7' }],
      mapping,
      fips: '33019',
      homeKind: 'real',
      now: clock,
    });
    expect(compsOf(land)).toMatchObject([
      { source: 'County sales', source_id: 'a7', price: 45_000, lot_size: 4.942108, sold_date: '2025-03-14' },
    ]);
  });
});
