/** A file of many counties: each row goes to its county, each county is a dataset of its own. */
import { describe, expect, test } from 'vitest';
import { checkColumnIndexes } from '../../engine/columns/index-check.ts';
import { importStatewide, planStatewide, type StatewideOptions } from '../../engine/importing/merge/statewide.ts';
import { undoImport } from '../../engine/importing/merge/undo-import.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { clock, countOf, importLots, type Lot, lot, openLand, wholeLand, writeFile } from './fixtures.ts';

/** Sullivan County is 33019, Cheshire County 33005; both in New Hampshire. */
const rows: Lot[] = [
  lot('1', 0, { COUNTY: 'Sullivan', situs_zip: '03280' }),
  lot('1', 1, { COUNTY: 'CHESHIRE COUNTY', situs_zip: '03431' }),
  lot('2', 2, { COUNTY: '033019.0', mailing_zip: '03280' }),
  lot('3', 3, { COUNTY: 'Sullivan ', mailing_zip: '03431' }),
  lot('4', 4, { COUNTY: 'Atlantis' }),
  lot('5', 5, { COUNTY: null }),
];

const options = (features: readonly Lot[], more: Partial<StatewideOptions> = {}): StatewideOptions => ({
  features,
  countyColumn: 'county',
  state: 'nh',
  ...{ source: 'State of NH', date: '2026-07-01', homeKind: 'real', now: clock },
  ...more,
});

const byCounty = (land: LandStore) =>
  land.file.all('SELECT fips, apn, owner_out_of_county FROM parcels ORDER BY fips, apn');

describe('a statewide file', () => {
  test('puts each row into its county, and lists rows without one', async () => {
    const land = openLand();
    const report = await importStatewide(land, options(rows));
    expect(report).toMatchObject({
      features_read: 6,
      unplaced: {
        count: 3,
        first: [{ row: 3 }, { row: 5, reason: 'Expected a county in county, found "Atlantis".' }, { row: 6 }],
      },
      counties: [
        { fips: '33005', new: 1, features_read: 1, dataset_id: 1 },
        { fips: '33019', new: 2, features_read: 2, dataset_id: 2 },
      ],
    });
    // The owner of 3 has his mail in a ZIP of another county: whether that is elsewhere is unknown.
    expect(byCounty(land)).toEqual([
      { fips: '33005', apn: '1', owner_out_of_county: null },
      { fips: '33019', apn: '1', owner_out_of_county: null },
      { fips: '33019', apn: '3', owner_out_of_county: null },
    ]);
    expect(countOf(land, 'datasets')).toBe(2);
    expect(checkColumnIndexes(land.file)).toEqual({ current: 2, stale: 0, problems: [] });
    expect(land.file.all("SELECT name FROM temp.sqlite_schema WHERE name LIKE 'staged%'")).toEqual([]);
  });

  test.each([
    ['33019', undefined],
    ['33019.0', undefined],
    ['019', 'NH'],
    ['19', 'NH'],
    ['Sullivan County', 'NH'],
  ])('names a county by %s', async (value, state) => {
    const land = openLand();
    const given = options([lot('1', 0, { COUNTY: value })]);
    const { state: _state, ...rest } = given;
    const report = await importStatewide(land, state === undefined ? rest : { ...rest, state });
    expect(report.counties.map(({ fips }) => fips)).toEqual(['33019']);
  });

  test('again changes nothing; newer, it replaces each county for itself, and each can be taken back', async () => {
    const land = openLand();
    await importStatewide(land, options(rows));
    const same = await importStatewide(land, options(rows));
    expect(same.counties.map(({ import_id, unchanged }) => [import_id, unchanged])).toEqual([
      [null, 1],
      [null, 2],
    ]);
    const before = byCounty(land);
    const newer = await importStatewide(land, options(rows.slice(1), { date: '2026-08-01' }));
    expect(newer.counties.map(({ fips, retired }) => [fips, retired])).toEqual([
      ['33005', 0],
      ['33019', 1],
    ]);
    undoImport(land, { now: clock });
    expect(byCounty(land)).toEqual(before);
    expect(countOf(land, "parcels WHERE status = 'current'")).toBe(3);
  });

  test('is tried before it is imported', async () => {
    const land = openLand();
    await importLots(land, [lot('1', 0)], { source: 'State of NH' });
    const before = wholeLand(land);
    const plan = await planStatewide(land, options(rows));
    expect(wholeLand(land)).toEqual(before);
    expect(plan.counties.map(({ fips, new: added, changed }) => [fips, added, changed])).toEqual([
      ['33005', 1, 0],
      ['33019', 1, 1],
    ]);
  });

  test('lands whole or not at all', async () => {
    const land = openLand();
    await importLots(land, [lot('1', 0)], { source: 'Town of Lempster' });
    const before = wholeLand(land);
    // Sullivan County comes second, and is loaded from elsewhere.
    await expect(importStatewide(land, options(rows))).rejects.toThrow(/loaded from "Town of Lempster"/);
    expect(wholeLand(land)).toEqual(before);
    const cancelled = importStatewide(land, {
      ...options(rows, { replace: true }),
      onProgress: ({ phase }) => {
        if (phase === 'finishing') throw new Error('cancelled');
      },
    });
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(wholeLand(land)).toEqual(before);
  });

  test('without a county in any row says what would help', async () => {
    const land = openLand();
    const names = rows.map((row) => ({ ...row, properties: { ...row.properties, COUNTY: 'Washington' } }));
    const { state: _state, ...nationwide } = options(names);
    await expect(importStatewide(land, nationwide)).rejects.toThrow(/names a county.*--state/);
  });

  test.each([
    ['VA', 'Franklin', 'Franklin County (51067) and Franklin city (51620)'],
    ['VA', 'RICHMOND', 'Richmond County (51159) and Richmond city (51760)'],
    [undefined, 'Baltimore', 'Baltimore County (24005) and Baltimore city (24510)'],
  ])('of counties of one state (%s) that share the name %s says which', async (state, name, counties) => {
    const land = openLand();
    const { state: _state, ...nationwide } = options([lot('1', 0, { COUNTY: name })]);
    const imported = importStatewide(land, state === undefined ? nationwide : { ...nationwide, state });
    const reason = `found "${name}". ${counties} have this name: the column must hold codes or whole names.`;
    await expect(imported).rejects.toThrow(reason);
    if (state !== undefined) await expect(imported).rejects.not.toThrow('--state');
  });

  test('of counties of several states that share a name asks for the state, which then tells them', async () => {
    const land = openLand();
    const { state: _state, ...nationwide } = options([
      lot('1', 0, { COUNTY: 'Sullivan' }),
      lot('2', 1, { COUNTY: '33019' }),
    ]);
    const { unplaced } = await importStatewide(land, nationwide);
    expect(unplaced.first[0]?.reason).toMatch(/found "Sullivan"\. Counties of several states.*\(--state\)\.$/);
    const told = await importStatewide(land, { ...nationwide, state: 'NH' });
    expect(told.unplaced.count).toBe(0);
  });

  test('joins one table for all counties', async () => {
    const land = openLand();
    const table = writeFile('roll.csv', 'PIN,OWNER,FLAG\n1,ADAMS,x\n3,BAKER,y\n');
    const mapping = {
      name: 'state',
      columns: { apn: 'apn', owner_name: 'table.OWNER' },
      join: { parcel: 'apn', table: 'table.PIN' },
    };
    const report = await importStatewide(land, options(rows, { mapping, joinFiles: [table] }));
    expect(report.counties.map(({ joined }) => joined)).toEqual([1, 2]);
    expect(land.file.all('SELECT owner_name FROM parcels ORDER BY fips, apn')).toEqual([
      { owner_name: 'ADAMS' },
      { owner_name: 'ADAMS' },
      { owner_name: 'BAKER' },
    ]);
    const raw = land.file.get<{ json: string }>('SELECT json FROM raw_columns ORDER BY property_id DESC');
    expect(JSON.parse(raw?.json ?? '{}')).toMatchObject({ COUNTY: 'Sullivan ', 'table.FLAG': 'y' });
  });
});
