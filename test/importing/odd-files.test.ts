/** Files as counties, spreadsheets and services really write them, each with the wrong value that it once gave. */
import { describe, expect, test } from 'vitest';
import { converterFor } from '../../engine/importing/convert-value.ts';
import { guessComps } from '../../engine/importing/guess-comps.ts';
import { factsOf } from '../../engine/importing/guess-facts.ts';
import { importParcels } from '../../engine/importing/import-parcels.ts';
import { guessDate, parseDate } from '../../engine/importing/parse-date.ts';
import { proposeMapping } from '../../engine/importing/profiles/propose-mapping.ts';
import { importStatewide } from '../../engine/importing/statewide.ts';
import { openTableFile } from '../../engine/importing/table-file.ts';
import { parcelColumnsByName } from '../../engine/spec/parcel-columns.ts';
import { clock, collection, importLots, lot, openLand, temporaryFolder, writeFile } from './fixtures.ts';

describe('parcels of another place', () => {
  test('are refused with where they lie', async () => {
    const land = openLand();
    await expect(importLots(land, [lot('1', 0), lot('2', 1)], { fips: '06037' })).rejects.toThrow(
      /2 of the 2 parcels of what was given lie far from Los Angeles \(06037\).*longitude -71\.999, latitude 43\.001/,
    );
    expect(land.file.column('SELECT count(*) FROM parcels')).toEqual([0]);
    expect(await importLots(land, [lot('1', 0), lot('2', 1)])).toMatchObject({ new: 2 });
  });

  test('numbers of counties that are no FIPS codes do not give a state’s counties wrong names', async () => {
    const land = openLand();
    const features = [lot('1', 0, { CO_NO: '1' })];
    const options = { features, countyColumn: 'CO_NO', homeKind: 'real', now: clock, source: 'x' } as const;
    await expect(importStatewide(land, { ...options, state: 'FL' })).rejects.toThrow(/lie far from Alachua \(12001\)/);
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

  test.each(ways)('as %s are told by the column, whatever each of them could be', (format, texts, second) => {
    const { dateFormat, dates } = factsOf(texts);
    expect([dateFormat, dates]).toEqual([format, 0]);
    expect(parseDate(texts[1], format)).toBe(second);
    expect(guessComps(['Close Date'], () => texts).get('sold_date')?.expression).toEqual({
      from: 'Close Date',
      date: format,
    });
  });

  test('in milliseconds are told as before; of ten digits alone nobody knows the unit', () => {
    expect(guessDate('1541203200000')).toBe('2018-11-03');
    expect(guessDate('1541203200')).toBeNull();
    expect(factsOf(['1541203200000', '946684800000']).dateFormat).toBeNull();
    // Numbers of any other kind are no dates at all.
    expect(factsOf(['12', '15', '431']).dateFormat).toBeNull();
  });

  test('with a time of day keep their day', () => {
    expect(guessDate('13 MAY 2016 10:00')).toBe('2016-05-13');
    expect(parseDate('5/3/16 0:00', 'MM/DD/YY')).toBe('2016-05-03');
    expect(parseDate('Jan 02, 2024 12:00 AM', 'MON DD YYYY')).toBe('2024-01-02');
    expect(parseDate('1/2/30', 'MM/DD/YY')).toBe('1930-01-02');
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
  const pages = (...more: object[]) => {
    const folder = temporaryFolder();
    return more.map((said, index) =>
      writeFile(`${index}.geojson`, collection([lot(String(index), index)], said), folder),
    );
  };
  const run = (files: string[], threads = 1) =>
    importParcels(openLand(), { files, fips: '33019', homeKind: 'real', now: clock, threads });

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
