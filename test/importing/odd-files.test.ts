/** Files as counties, spreadsheets and services really write them, each with the wrong value that it once gave. */
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportText } from '../../engine/cli/import-parcels-command.ts';
import { findPlace } from '../../engine/importing/formats/csv/csv-places.ts';
import { findHeadings } from '../../engine/importing/formats/csv/heading-row.ts';
import { openParcels } from '../../engine/importing/formats/open-parcels.ts';
import { openTableFile } from '../../engine/importing/formats/table-file.ts';
import {
  agreementOf,
  dateFormatOf as dateFormatBy,
  factsOf as factsBy,
} from '../../engine/importing/guess/guess-facts.ts';
import { proposeMapping } from '../../engine/importing/guess/propose-mapping.ts';
import { guessComps } from '../../engine/importing/lists/guess-comps.ts';
import type { Mapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { importStatewide } from '../../engine/importing/merge/statewide.ts';
import { PlaceCount } from '../../engine/importing/stage/expect-place.ts';
import { converterFor, parseNumber } from '../../engine/importing/values/convert-value.ts';
import { guessDate, parseDate } from '../../engine/importing/values/parse-date.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { filesWords } from '../../engine/spec/files-words.ts';
import { fillLines } from '../../engine/spec/import-checks.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { makeXlsx } from '../support/make-xlsx.ts';
import { clock, collection, importLots, lot, openLand, temporaryFolder, writeFile } from './fixtures.ts';

/** Guesses of dates depend on the day. */
const today = '2026-11-20';
const factsOf = (texts: readonly (string | null)[]) => factsBy(texts, today);
const dateFormatOf = (texts: readonly string[]) => dateFormatBy(texts, today);

/** A lot of Newport, the seat of Sullivan County. */
const inSullivan = { type: 'Point', coordinates: [-72.173, 43.365] };

describe('parcels of another place', () => {
  const checked = { anywhere: false };

  test('are refused with where they lie', async () => {
    const land = openLand();
    const lots = [lot('1', 0), lot('2', 1)];
    await expect(importLots(land, lots, { ...checked, fips: '06037' })).rejects.toThrow(
      /^0 of the 2 checked parcels of the input lie in Los Angeles \(06037\); 2 lie in Hillsborough \(33011\)\. .*--county 33011/,
    );
    const atSea = lots.map((one) => ({ ...one, geometry: { type: 'Point', coordinates: [-74, 32] } }));
    await expect(importLots(land, atSea, { ...checked, fips: '06037' })).rejects.toThrow(
      /2 lie in no county, around longitude -74\.000, latitude 32\.000\. Give the code of their own county, or the coordinate/,
    );
    expect(land.file.column('SELECT count(*) FROM parcels')).toEqual([0]);
    expect(await importLots(land, lots, { ...checked, fips: '33011' })).toMatchObject({ new: 2, other_county: null });
  });

  test('of which fewer than half lie in the county are refused, with the neighbour that holds them', async () => {
    const land = openLand();
    // Hillsborough contains the place; Sullivan is adjacent.
    const lots = [lot('1', 0), lot('2', 1), { ...lot('3', 2), geometry: inSullivan }];
    await expect(importLots(land, lots, checked)).rejects.toThrow(
      /1 of the 3 checked parcels of the input lie in Sullivan \(33019\); 2 lie in Hillsborough \(33011\).*--anywhere/,
    );
    const forced = await importLots(land, lots);
    expect(forced.other_county).toEqual({ fips: '33011', name: 'Hillsborough', there: 2, inside: 1, of: 3 });
    expect(reportText(forced)).toMatch(/another county: 2; 2 of 3 in Hillsborough \(33011\), 1 in 33019/);
    // More than half lie in it: they come in, and the others are told.
    const right = await importLots(openLand(), lots, { ...checked, fips: '33011' });
    expect(right).toMatchObject({ new: 3, other_county: { fips: '33019', there: 1, inside: 2, of: 3 } });
  });

  test('beside a border count as in the county, as far as its coarse outline may be wrong', () => {
    const near = new PlaceCount();
    const far = new PlaceCount();
    // The border of Sullivan and Hillsborough runs at 43.13: 1.5 km and 6 km south of it.
    for (let i = 0; i < 40; i++) {
      near.add(-72.04 + i * 0.0005, 43.12);
      far.add(-72.04 + i * 0.0005, 43.08);
    }
    expect(() => near.expectCounty('33019', 'a file')).not.toThrow();
    expect(near.otherCounty('33019')).toMatchObject({ inside: 0, there: 40 });
    expect(() => far.expectCounty('33019', 'a file')).toThrow(/0 of the 40 checked parcels of a file lie in Sullivan/);
  });

  test('without shapes have no place, and a county whose outline is a mere line gives no verdict', async () => {
    const shapeless = (apn: string) => ({ ...lot(apn, 0), geometry: null });
    const report = await importLots(openLand(), [shapeless('1'), shapeless('2')]);
    expect(report).toMatchObject({ new: 2, other_county: null });
    const features = [{ ...shapeless('1'), properties: { APN: '1', COUNTY: '33019' } }];
    const options = { features, countyColumn: 'COUNTY', homeKind: 'real', now: clock, source: 'x' } as const;
    const { counties } = await importStatewide(openLand(), {
      ...options,
      mapping: { columns: { apn: 'APN' } } as never,
    });
    expect(counties).toMatchObject([{ new: 1, other_county: null }]);
    // Falls Church, a city of two square miles within Fairfax.
    const places = new PlaceCount();
    for (let i = 0; i < 50; i++) places.add(-77.17 - 0.0002 * i, 38.88 + 0.0002 * i);
    expect(() => places.expectCounty('51610', 'a file')).not.toThrow();
    expect(places.otherCounty('51610')).toBeNull();
  });

  test('are looked at evenly, however many there are', () => {
    const places = new PlaceCount();
    // The first third lies in Hillsborough, as at the start of a file of several counties.
    for (let i = 0; i < 30_000; i++) places.add(i < 10_000 ? -71.7 : -72.2, i < 10_000 ? 42.9 : 43.35);
    const { sample } = places;
    expect(sample.length).toBeGreaterThan(100);
    expect(sample.length).toBeLessThanOrEqual(256);
    expect(sample.filter(([longitude]) => longitude === -71.7).length / sample.length).toBeCloseTo(1 / 3, 1);
    expect(() => places.expectCounty('33019', 'a file')).not.toThrow();
    expect(places.otherCounty('33019')).toMatchObject({ fips: '33011', there: 79, of: 235 });
    expect(() => places.expectCounty('33013', 'a file')).toThrow(/156 lie in Sullivan/);
    expect(places.otherCounty('99001')).toBeNull();
  });

  test('numbers of counties that are no FIPS codes do not give a state’s counties wrong names', async () => {
    const land = openLand();
    const features = Array.from({ length: 20 }, (_, i) => lot(String(i), i, { CO_NO: '1' }));
    const options = { features, countyColumn: 'CO_NO', homeKind: 'real', now: clock, source: 'x' } as const;
    await expect(importStatewide(land, { ...options, state: 'FL' })).rejects.toThrow(
      /^0 of the 20 checked parcels of the input lie in Alachua \(12001\)/,
    );
  });
});

describe('dates', () => {
  const ways = [
    ['excel_days', ['36526', '43407', '45321.5', '38353'], '2018-11-03'],
    ['epoch_s', ['946684800', '1541203200', '1706659200', '1104537600'], '2018-11-03'],
    ['MM/DD/YY', ['1/1/00', '11/3/18', '1/31/24', '12/5/98'], '2018-11-03'],
    ['DD.MM.YYYY', ['01.01.2000', '03.11.2018', '31.01.2024', '05.12.1998'], '2018-11-03'],
    ['MON DD YYYY', ['Jan 01, 2000', 'November 3, 2018', 'Jan 31 2024', 'Dec. 5, 1998'], '2018-11-03'],
  ] as const;

  test('as days of Excel are recognized where all are of the last year, as in a list of sales', () => {
    const last = Date.parse(today) / 86_400_000 + 25_569;
    const texts = (from: number) => Array.from({ length: 50 }, (_, i) => String(from - 6 * i));
    expect(factsOf(texts(last - 20)).dateFormat).toBe('excel_days');
    // All of them could be days of the year 46, too.
    expect(texts(last - 20).every((text) => /^46[0-3]/.test(text))).toBe(true);
    expect(factsOf(texts(last - 2000)).dateFormat).toBeNull();
  });

  test('with the time of day behind their digits are no milliseconds', () => {
    for (const texts of [
      ['201605131430', '200912010900', '199507042359'],
      ['20160513143000', '20091201000000', '19950704235959'],
    ]) {
      expect(factsOf(texts).dateFormat).toBe('YYYYMMDD');
      expect(texts.map((text) => parseDate(text, 'YYYYMMDD'))).toEqual(['2016-05-13', '2009-12-01', '1995-07-04']);
    }
    expect(parseDate('201605132460', 'YYYYMMDD')).toBeNull();
    // Days of 1976 and later, in milliseconds.
    expect(dateFormatOf(['201571200000', '999907200000', '899510400000'])).toBe('epoch_ms');
  });

  test.each(ways)(
    'as %s are recognized by the whole column, whatever each value alone could be',
    (format, texts, second) => {
      const { dateFormat, dates } = factsOf(texts);
      expect([dateFormat, dates]).toEqual([format, 0]);
      expect(parseDate(texts[1], format)).toBe(second);
      expect(guessComps({ columns: ['Close Date'], of: () => texts, today }).get('sold_date')?.expression).toEqual({
        from: 'Close Date',
        date: format,
      });
    },
  );

  test('in milliseconds are recognized; ten digits alone leave the unit unknown', () => {
    expect(guessDate('1541203200000')).toBe('2018-11-03');
    expect(guessDate('1541203200')).toBeNull();
    expect(factsOf(['1541203200000', '946684800000']).dateFormat).toBe('epoch_ms');
    // Numbers of any other kind are no dates at all.
    expect(factsOf(['12', '15', '431']).dateFormat).toBeNull();
    expect(factsOf(['2015', '2019', '1998']).dateFormat).toBeNull();
    expect(factsOf(['201905', '199812', '200001']).dateFormat).toBeNull();
    expect(factsOf(['1022019', '12311998', '9302004', '3152001']).dateFormat).toBeNull();
  });

  test('with a time of day keep their day', () => {
    expect(guessDate('13 MAY 2016 10:00')).toBe('2016-05-13');
    expect(parseDate('5/3/16 0:00', 'MM/DD/YY')).toBe('2016-05-03');
    expect(parseDate('Jan 02, 2024 12:00 AM', 'MON DD YYYY')).toBe('2024-01-02');
    expect(parseDate('1/2/30', 'MM/DD/YY')).toBe('1930-01-02');
  });

  test.each([
    ['MM/DD/YYYY', '5/13/2016  12:00:00 AM'],
    ['YYYY-MM-DD', '2016-05-13  00:00:00'],
    ['YYYY-MM-DD', '2016-05-13 T00:00:00'],
    ['YYYY-MM-DD', '2016-05-13T 00:00:00'],
    ['MM/DD/YY', '5/13/16  0:00'],
  ] as const)('as %s keep their day however their time is set off: %j', (format, text) => {
    expect(parseDate(text, format)).toBe('2016-05-13');
    if (format === 'MM/DD/YY') expect(factsOf([text]).dateFormat).toBe(format);
    else expect([guessDate(text), factsOf([text]).dates]).toEqual(['2016-05-13', 1]);
  });

  test('of a column in milliseconds are read around 1970 too, where they have fewer digits', () => {
    const day = 86_400_000;
    const texts = Array.from({ length: 200 }, (_, row) => String(1_541_203_200_000 - row * 40 * day));
    const format = dateFormatOf([...texts, '-2160000000']);
    expect(format).toBe('epoch_ms');
    expect(parseDate('-2160000000', 'epoch_ms')).toBe('1969-12-07');
    // The sample need not hold such a day for the file to have one.
    expect(dateFormatOf(texts)).toBe('epoch_ms');
    // Values of the general reading that the column's format reads differently, or not at all, are not lost.
    expect(dateFormatOf([...texts, '5/13/2016'])).toBeNull();
    expect(dateFormatOf([...texts, '20160513'])).toBeNull();
  });

  const every = <Item>(count: number, of: (row: number) => Item) => Array.from({ length: count }, (_, row) => of(row));
  const two = (number: number) => String(number).padStart(2, '0');
  const noFormat: readonly (readonly [string, readonly string[]])[] = [
    ['days of the year, YYDDD', ['16085', '23123']],
    ['days of the year through forty years', every(200, (row) => `${60 + (row % 40)}${String(row + 100)}`)],
    ['days of the year with a mistyping', [...every(99, (row) => `${16 + (row % 8)}${String(row + 100)}`), '16999']],
    ['quarters, YYYYQ', ['19954', '20011', '20184', '19903', '20232']],
    ['quarters of more than a century', every(200, (row) => `${1905 + (row % 120)}${1 + (row % 4)}`)],
    ['numbers that lie close together', every(100, (row) => String(27_401 + row * 7))],
    ['YY-MM-DD', every(50, (row) => `${two(1 + (row % 12))}-${two(1 + (row % 9))}-${two(1 + (row % 28))}`)],
    ['a year-first 05-08-27', ['05-08-27', '03-11-12', '12-01-30']],
    ['YY/MM/DD', ['05/08/17', '03/11/12', '12/01/10']],
    ['days to come', ['05-13-27', '06-30-28', '12-31-29']],
    ['days to come with dots', ['13.05.2161', '30.06.2200', '31.12.2180']],
    ['hours, YYYYMMDDHH as seconds', ['2016051300', '1998051312', '2005022300']],
    ['days before deeds were numbered', ['13.05.1716', '30.06.1722', '31.12.1703']],
  ];

  test.each(noFormat)('are not made of %s', (_, texts) => {
    expect(dateFormatOf(texts)).toBeNull();
    const { expression } = guessComps({ columns: ['Close Date'], of: () => texts, today }).get('sold_date') ?? {};
    expect(expression ?? 'Close Date').toBe('Close Date');
  });

  test('with days first are recognized though many rows have a placeholder day', () => {
    const dates = every(100, (row) => (row % 4 === 0 ? '01/01/1753' : `${two(1 + (row % 28))}/03/2016`));
    expect(dateFormatOf(dates)).toBe('DD/MM/YYYY');
  });

  test('with months first and two-digit years are recognized where the year cannot come first', () => {
    const dates = every(200, (row) => `${two(1 + (row % 12))}-${two(1 + (row % 28))}-${two(row % 25)}`);
    expect(dateFormatOf(dates)).toBe('MM-DD-YY');
    // A year is never written first with one digit.
    expect(dateFormatOf(['1/1/04', '3/8/12', '5/6/21'])).toBe('MM/DD/YY');
  });

  test('that stand for none are none, whichever mapping reads them', () => {
    const column = parcelColumnsByName.get('last_sale_date');
    if (!column) throw new Error('no such column');
    const fault = { reason: null };
    const convert = converterFor(column);
    expect(['1899-12-30', '1/1/1900', '1900-01-02', '-2209161600000'].map((text) => convert(text, fault))).toEqual([
      null,
      null,
      '1900-01-02',
      null,
    ]);
    expect(fault.reason).toBeNull();
  });
});

describe('a page of a layer', () => {
  const pages = (...more: Record<string, unknown>[]) => {
    const folder = temporaryFolder();
    return more.map((said, index) =>
      writeFile(`${index}.geojson`, collection([lot(String(index), index)], said), folder),
    );
  };
  const run = (files: string[]) => importParcels(openLand(), { files, fips: '33011', homeKind: 'real', now: clock });

  test.each([{ exceededTransferLimit: true }, { properties: { exceededTransferLimit: true } }])(
    'is no county: the rest would be retired (%j)',
    async (said) => {
      await expect(run(pages(said))).rejects.toThrow(/0\.geojson: expected all features.*resultOffset/);
      await expect(run(pages(said, said))).rejects.toThrow(/exceededTransferLimit/);
      expect(await run(pages(said, {}))).toMatchObject({ new: 2 });
    },
  );

  test('that is the last, or has properties of its own, is whole', async () => {
    expect(await run(pages({ exceededTransferLimit: false, properties: { title: 'x' } }))).toMatchObject({ new: 1 });
  });
});

describe('numbers of parcels that a program has changed', () => {
  test('are refused where their digits are lost', () => {
    const column = parcelColumnsByName.get('apn');
    if (!column) throw new Error('no such column');
    const fault: { reason: string | null } = { reason: null };
    const convert = converterFor(column);
    expect(convert('1.23E+10', fault)).toBeNull();
    expect(fault.reason).toMatch(/digits are lost/);
    // Lots of a map 12E, and of a block 1E5, are numbers of parcels.
    for (const apn of ['12E-10', '1E5', '1.23E10A']) expect(convert(apn, { reason: null })).toBe(apn);
  });

  test('lose the fraction that stands on all of them, in a list of parcels and in a table', () => {
    const folder = temporaryFolder();
    const lots = Array.from({ length: 12 }, (_, i) => `${60_050 + i}.0,"OWNER ${i}",${43.2 + i / 1000},-72.2`);
    const file = writeFile('parcels.csv', ['PIN,OWNER_NAME,LAT,LON', ...lots].join('\n'), folder);
    const proposal = proposeMapping({ file, state: 'NH' });
    expect(proposal.mapping?.columns.apn).toEqual({ from: 'PIN', wholeNumber: true });
    const polygons = writeFile(
      'polygons.geojson',
      collection(Array.from({ length: 12 }, (_, i) => ({ ...lot('', i), properties: { MAPLOT: String(60_050 + i) } }))),
      folder,
    );
    expect(proposeMapping({ file: polygons, joinFiles: [file], state: 'NH' }).joins[0]?.share).toBe(1);
    // Where some have another fraction it means something.
    const mixed = writeFile(
      'mixed.csv',
      ['PIN,OWNER_NAME,LAT,LON', ...lots, '60070.1,X,43.2,-72.2'].join('\n'),
      folder,
    );
    expect(proposeMapping({ file: mixed, state: 'NH' }).mapping?.columns.apn).toBe('PIN');
  });
});

describe('a table whose leading zeros a spreadsheet took', () => {
  test.each([
    ['with separators', (i: number) => `001-${String(i).padStart(4, '0')}`],
    ['without', (i: number) => `001${String(i).padStart(4, '0')}`],
  ])('joins numbers %s, each its own row', async (_name, numberOf) => {
    const folder = temporaryFolder();
    const numbers = Array.from({ length: 26 }, (_, i) => numberOf(7 * i + 1 + (i % 3)));
    const lots = numbers.map((number, i) => ({ ...lot('', i), properties: { MAPLOT: number } }));
    const file = writeFile('polygons.geojson', collection(lots), folder);
    const rows = numbers.map(
      (number, i) => `${Number(number.replace('-', ''))},SMITH ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i]}`,
    );
    const joinFile = writeFile('roll.csv', ['PARCEL_ID,OWNER_NAME', ...rows].join('\n'), folder);
    const {
      mapping,
      joins: [join],
    } = proposeMapping({ file, joinFiles: [joinFile], state: 'NH' });
    expect(join?.share).toBe(1);
    const land = openLand();
    const options = { files: [file], joinFiles: [joinFile], fips: '33011', homeKind: 'real', now: clock } as const;
    await importParcels(land, { ...options, ...(mapping ? { mapping } : {}) });
    expect(
      land.file.all('SELECT apn, owner_name FROM parcels ORDER BY apn').map((row) => Object.values(row as object)),
    ).toEqual(numbers.map((number, i) => [number, `SMITH ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i]}`]));
  });
});

describe('headings', () => {
  const rows = 'PIN,OWNER,ACRES\n001,SMITH,2\n002,DOE,3\n';
  const table = (text: string) => {
    const opened = openTableFile(writeFile('roll.csv', text));
    return [opened.columns, [...opened.rows([0])].map(({ row, values }) => [row, values[0]])];
  };
  const plain = [
    ['PIN', 'OWNER', 'ACRES'],
    [
      [1, '001'],
      [2, '002'],
    ],
  ];

  test.each(['', 'Assessor roll of 2026\n', 'Assessor roll,,\nPrinted 1/1/2026,,\n', 'Parcel,,\n,,\n'])(
    'are found below %j',
    (above) => expect(table(above + rows)).toEqual(plain),
  );

  test('are the first row where no other can be', () => {
    expect(table('PIN,,\n001,SMITH,2\n002,DOE,3\n')[0]).toEqual(['PIN', '', '']);
    expect(table('PIN\n001\n')[0]).toEqual(['PIN']);
  });

  test('are the first row where it names the first columns alone', () => {
    const partly = [
      ['APN', 'OWNER', '', '', '', ''],
      ['A-1', 'SMITH', 'Main St', 'Newport', 'NH', 'residential'],
      ['B-2', 'DOE', 'Elm St', 'Newport', 'NH', 'vacant'],
    ];
    expect(table(partly.map((row) => `${row.join(',')}\n`).join(''))).toEqual([
      partly[0],
      [
        [1, 'A-1'],
        [2, 'B-2'],
      ],
    ]);
    expect(findHeadings(partly)).toBe(0);
    const cells = (row: readonly string[]) => row.map((text) => (text ? `<c t="str"><v>${text}</v></c>` : '')).join('');
    const sheet = partly.map((row) => `<row>${cells(row)}</row>`).join('');
    const workbook = openTableFile(writeFile('roll.xlsx', makeXlsx({ rows: sheet })));
    expect(workbook.columns).toEqual(['APN', 'OWNER']);
    expect([...workbook.rows([0])].map(({ values }) => values[0])).toEqual(['A-1', 'B-2']);
  });

  test.each([
    ['headings over several columns', ['Parcel', '', 'Owner', '', '', '']],
    ['a label and what it says', ['County:', 'Sullivan', '', '', '', '']],
    ['a number', ['Sullivan', '2026', '', '', '', '']],
    ['a title that a comma divides', ['Sullivan County', ' NH']],
    ['a title that stands in the middle', ['', 'Assessor', 'roll', '', '', '']],
  ])('are not %s', (_, above) => {
    const headings = ['PIN', 'NAME', 'STREET', 'TOWN', 'STATE', 'USE'];
    expect(findHeadings([above, headings, ['A-1', 'SMITH', 'Main St', 'Newport', 'NH', 'vacant']])).toBe(1);
  });
});

describe('what is said', () => {
  test('of numbers of parcels that are written otherwise than before', async () => {
    const land = openLand();
    await importLots(land, [lot('001-0001', 0), lot('001-0002', 1), lot('001-0003', 2)]);
    const report = await importLots(land, [lot('0010001', 0), lot('001-0002', 1), lot('9', 5)], { date: '2026-07-02' });
    expect(report).toMatchObject({ new: 2, retired: 2, written_otherwise: 1 });
    expect(await importLots(land, [lot('001-0002', 1)], { date: '2026-07-03' })).toMatchObject({
      retired: 2,
      written_otherwise: 0,
    });
  });

  test('of a county name that several states have, and of a missing column', async () => {
    const options = { countyColumn: 'CO', homeKind: 'real', now: clock, source: 'x' } as const;
    const features = [lot('1', 0, { CO: 'Sullivan' }), lot('2', 1, { CO: '33019' })];
    const { unplaced } = await importStatewide(openLand(), { ...options, features });
    expect(unplaced.first[0]?.reason).toMatch(/found "Sullivan"\. Counties of several states.*--state/);
    await expect(importStatewide(openLand(), { ...options, countyColumn: 'COUNTY', features })).rejects.toThrow(
      /expected a column COUNTY that names the county, found apn, owner_name, acres, CO/,
    );
  });

  test.each([
    ['JSON in UTF-16', Buffer.from('\ufeff{"type":"FeatureCollection"}', 'utf16le'), /in UTF-16: save it as UTF-8/],
    ['KML without Placemarks', '<?xml version="1.0"?><kml/>', /expected a KML with Placemarks, found none/],
    ['GeoRSS', '<?xml version="1.0"?>\n<rss version="2.0"><channel/></rss>', /GeoRSS or another feed: turn it into/],
    ['an error page', '<!DOCTYPE html>\n<html><body>404</body></html>', /XML or HTML that holds no KML and no GML/],
    ['a TAB alone', '!table\n!version 300\n', /expected \.dat and \.map and \.id of the same name/],
    ['a MIF alone', 'VERSION 650\nCharset "Neutral"\n', /expected \.mid of the same name/],
    [
      'an empty TopoJSON',
      '{"type":"Topology","objects":{},"arcs":[]}',
      /expected a TopoJSON, found something else or a/,
    ],
    ['DXF that was cut off', '  0\nSECTION\n  2\nHEADER\n', /expected its EOF mark at its end/],
    ['binary DXF', 'AutoCAD Binary DXF\r\n\x1a\0', /a binary DXF: save it as a DXF in ASCII/],
    ['E00', 'EXP  0 /COUNTY/PARCELS.E00\n', /an ArcInfo export \(E00\): turn it into/],
    ['Parquet that was cut off', 'PAR1\0\0', /expected PAR1 at its end/],
  ])('of %s', (_name, content, message) => {
    expect(() => openParcels(writeFile('file', content)).openLayer('file').features().next()).toThrow(message);
  });
});

describe('numbers', () => {
  test('with a decimal comma are no thousands', () => {
    expect([parseNumber('0,456'), parseNumber('1,5')]).toEqual([Number.NaN, Number.NaN]);
    expect([parseNumber('1,456'), parseNumber('$12,345,678.90'), parseNumber('(1,234)')]).toEqual([
      1456, 12345678.9, -1234,
    ]);
    const agreement = agreementOf(['2,674', '4,278', '5,883', '3,476', '5,081'], [2.67, 4.28, 5.88, 3.48, 5.08]);
    expect(agreement?.isDecimalComma).toBe(true);
    expect(
      agreementOf(['2,674', '4,278', '5,883', '3,476', '5,081'], [2674, 4278, 5883, 3476, 5081])?.isDecimalComma,
    ).toBe(false);
  });

  test('of digits and a point are those of JavaScript, to the last bit', () => {
    const edges = ['0', '0.0', '.5', '5.', '007', '0.1', '999999999999999', '9999999999999999', '9007199254740993'];
    const longest = Array.from({ length: 20 }, (_, digits) => `${'9'.repeat(digits)}.${'123456789'.repeat(2)}`);
    // A sequence of digits without a pattern, cut at every length with the point at every place.
    const digits = '314159265358979323846';
    const cut = [...digits].flatMap((_, end) =>
      Array.from({ length: end + 1 }, (_, point) => `${digits.slice(0, point)}.${digits.slice(point, end + 1)}`),
    );
    for (const text of [...edges, ...longest, ...cut]) expect([text, parseNumber(text)]).toEqual([text, Number(text)]);
    for (const text of ['', '.', '1.2.3', ' ', '٣']) expect(parseNumber(text)).toBeNaN();
  });

  test('of degrees are taken before x and y, which may be feet', () => {
    const columns = ['X_COORD', 'Y_COORD', 'LATITUDE', 'LONGITUDE'];
    expect(findPlace(columns, [])).toEqual({ kind: 'coordinates', x: 3, y: 2 });
    expect(findPlace(['X', 'Y'], [])).toEqual({ kind: 'coordinates', x: 0, y: 1 });
  });
});

describe('a row that stands several times', () => {
  const [one, blank] = [lot('1', 0, { PADDOCK: 'A' }), lot(null, 2)];

  test('in everything is one parcel, and the report says how many there were', async () => {
    const land = openLand();
    const accounts = [lot('2', 1, { owner_name: 'ADAMS' }), lot('2', 1, { owner_name: 'BAKER' })];
    const lots = [
      one,
      ...accounts,
      one,
      blank,
      { ...one, properties: { ...one.properties, PADDOCK: 'B' } },
      blank,
      one,
    ];
    const report = await importLots(land, lots);
    // Two accounts of one lot stay, and so does the row that differs in a column that nothing maps.
    expect(report).toMatchObject({ features_read: 8, new: 5, duplicates: 3, apn_doubles: 2, unchanged: 0 });
    expect(reportText(report)).toContain('Rows that repeat an earlier one in everything: 3; each is one parcel');
    expect(fillLines([report]).map(({ column, filled, of }) => [column, filled, of])).toEqual(
      expect.arrayContaining([
        ['apn', 4, 5],
        ['owner_name', 5, 5],
      ]),
    );
    expect(land.file.column('SELECT count(*) FROM raw_columns')).toEqual([2]);
    // Neither their number nor the order of the file makes a change.
    expect(await importLots(land, lots.toReversed())).toMatchObject({ import_id: null, unchanged: 5, duplicates: 3 });
    const once = [one, ...accounts, blank, lots[5] ?? one];
    expect(await importLots(land, once)).toMatchObject({ import_id: null, unchanged: 5, duplicates: 0 });
  });

  test('in a statewide file is one parcel of its county', async () => {
    const features = [one, one, lot('7', 3)].map(({ geometry, properties }, i) => ({
      geometry,
      properties: { ...properties, COUNTY: i < 2 ? '33011' : '33013' },
    }));
    const options = { features, countyColumn: 'COUNTY', homeKind: 'real', now: clock, source: 'x' } as const;
    const { counties } = await importStatewide(openLand(), options);
    expect(counties).toMatchObject([
      { fips: '33011', new: 1, duplicates: 1 },
      { fips: '33013', new: 1, duplicates: 0 },
    ]);
  });
});

test('a source of many files is short: their number and folder, or the first and the last', async () => {
  const folder = temporaryFolder();
  const sheets = [0, 1, 2, 3, 4].map((i) => writeFile(`sheet${i}.geojson`, collection([lot(`${i}`, i)]), folder));
  const report = await importLots(openLand(), [], { features: undefined, files: sheets, source: undefined } as never);
  expect(report.source).toBe(`5 files of ${path.basename(folder)}`);
  expect(filesWords(['/a/x.zip', '/a/y.zip'])).toBe('x.zip, y.zip');
  expect(filesWords(['/a/1', '/a/2', '/a/3', '/b/4', 'C:\\b\\5'])).toBe('5 files from 1 to 5');
});

describe('a roll without shapes', () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheetRow = (...texts: string[]) => `<row>${texts.map(cell).join('')}</row>`;
  const sheet =
    sheetRow('PARCEL_ID', 'OWNER_NAME', 'ACRES') + sheetRow('1-1', 'ADAMS', '2') + sheetRow('1-2', 'BAKER', '3');
  const roll = 'PARCEL_ID,OWNER_NAME,ACRES\n1-1,ADAMS,2\n1-2,BAKER,3\n';
  const mapping: Mapping = { name: 'roll', columns: { apn: 'PARCEL_ID', owner_name: 'OWNER_NAME', acres: 'ACRES' } };
  const options = { fips: '33019', homeKind: 'real', now: clock, mapping, source: 'Roll' } as const;
  const withoutShapes = { reading: { withoutShapes: true } };

  test.each([
    ['CSV', () => writeFile('roll.csv', roll)],
    ['XLSX', () => writeFile('roll.xlsx', makeXlsx({ rows: sheet }))],
  ] as const)('comes in as parcels without shapes where the user says so: %s', async (_, write) => {
    const land = openLand();
    const file = write();
    await expect(importParcels(land, { ...options, files: [file] })).rejects.toThrow(EngineError);
    const report = await importParcels(land, { ...options, ...withoutShapes, files: [file] });
    expect(report).toMatchObject({ new: 2, without_geometry: 2, other_county: null });
    expect(reportText(report)).toContain('No shape: 2; in the table, not on the map');
    expect(land.file.all('SELECT apn, owner_name, acres, geom FROM parcels ORDER BY apn')).toEqual([
      { apn: '1-1', owner_name: 'ADAMS', acres: 2, geom: null },
      { apn: '1-2', owner_name: 'BAKER', acres: 3, geom: null },
    ]);
    expect(await importParcels(land, { ...options, ...withoutShapes, files: [file] })).toMatchObject({ unchanged: 2 });
  });

  test('takes no shapes from what is loaded', async () => {
    const land = openLand();
    await importLots(land, [lot('1-1', 0), lot('1-2', 1)]);
    const files = [writeFile('roll.csv', roll)];
    await expect(importParcels(land, { ...options, ...withoutShapes, files, replace: true })).rejects.toThrow(
      /^2 of the loaded parcels \("Test county"\) have shapes, which a roll without shapes would take away: join it/,
    );
    const beside = await importParcels(land, { ...options, ...withoutShapes, files, jurisdiction: 'Roll' });
    expect(beside).toMatchObject({ new: 2, retired: 0 });
  });
});
