import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readParcelFile } from '../../engine/importing/formats/parcel-reader.ts';
import { loadMapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';
import { clock, countOf, openLand } from './fixtures.ts';

const data = sharedData() ?? '';
const file = (...parts: string[]) => path.join(data, ...parts);
const common = { homeKind: 'real' as const, now: clock };

const importWashington = (land: LandStore, table: string) =>
  importParcels(land, {
    ...common,
    files: [file('washington_nh', 'parcels.geojson')],
    fips: '33019',
    mapping: loadMapping('washington_nh'),
    joinFiles: [file('washington_nh', table)],
  });

const importThreeForks = (land: LandStore) =>
  importParcels(land, {
    ...common,
    files: [file('three_forks_mt', 'parcels.geojson')],
    fips: '30031',
    mapping: loadMapping('three_forks_mt'),
  });

const idsByApn = (land: LandStore) =>
  new Map(
    land.file
      .all<{ apn: string; property_id: number }>("SELECT apn, property_id FROM parcels WHERE fips = '33019'")
      .map(({ apn, property_id }) => [apn, property_id]),
  );

const hasData = realDataOrSkip('real counties');

describe.runIf(hasData)('two real counties in one home', () => {
  test('come in, join, keep their ids through a newer table, and change nothing the second time', async () => {
    const land = openLand();
    const first = await importWashington(land, 'assessor_2024-09.dbf');
    expect(first).toMatchObject({ date: '2024-09-01', features_read: 2016, joined: 2014, table_rows: 2031, new: 2016 });
    const ids = idsByApn(land);

    const second = await importWashington(land, 'assessor_2026-07.dbf');
    expect(second).toMatchObject({
      date: '2026-07-01',
      joined: 2015,
      table_rows: 2029,
      table_rows_unmatched: { count: 14 },
      table_keys_repeated: 0,
      refused: { count: 0 },
      new: 0,
      retired: 0,
    });
    expect(second.changed).toBeGreaterThan(900);
    expect(idsByApn(land)).toEqual(ids);
    // The CSV of the same day says the same in other forms: 2003/10/03 for 20031003.
    expect(await importWashington(land, 'assessor_2026-07.csv')).toMatchObject({ new: 0, changed: 0, unchanged: 2016 });

    const forks = await importThreeForks(land);
    expect(forks).toMatchObject({
      features_read: 1830,
      new: 1830,
      blank_apns: 49,
      apn_doubles: 0,
      refused: { count: 0 },
    });
    expect(await importThreeForks(land)).toMatchObject({ changed: 0, unchanged: 1830 });
    expect(countOf(land, 'parcels WHERE geom IS NOT NULL')).toBe(countOf(land, 'idx_parcels_geom'));
    expect(countOf(land, 'parcels')).toBe(2016 + 1830);
  });

  test('12-201 and 12-2-01 are two lots, though letters and digits are the same', async () => {
    const land = openLand();
    await importWashington(land, 'assessor_2026-07.dbf');
    const lots = land.file.all("SELECT apn FROM parcels WHERE apn_key = '12201' ORDER BY apn");
    expect(lots).toEqual([{ apn: '12-2-01' }, { apn: '12-201' }]);
  });

  test('zeros of Washington are unknown where they are no data', async () => {
    const land = openLand();
    await importWashington(land, 'assessor_2026-07.dbf');
    expect(countOf(land, 'parcels WHERE year_built = 0 OR last_sale_price IN (0, 1) OR acres = 0')).toBe(0);
    expect(countOf(land, 'parcels WHERE last_sale_price > 1')).toBeGreaterThan(800);
    expect(countOf(land, 'parcels WHERE market_total_value < assessed_total_value')).toBe(0);
    expect(countOf(land, 'parcels WHERE structure_count = 0 AND year_built IS NOT NULL')).toBe(0);
    expect(countOf(land, 'parcels WHERE structure_count = 0')).toBe(693);
    expect(countOf(land, "parcels WHERE situs_city = 'WASHINGTON' AND situs_state = 'NH' AND situs_zip IS NULL")).toBe(
      2016,
    );
  });

  test('the 57 records of zeros in Three Forks hold nothing but a shape', async () => {
    const land = openLand();
    await importThreeForks(land);
    const empty = `parcels WHERE owner_name IS NULL AND acres IS NULL AND tax_year IS NULL AND market_total_value IS NULL
      AND market_improvement_value IS NULL AND external_id IS NULL AND calculated_acres IS NOT NULL`;
    expect(countOf(land, empty)).toBe(57);
    expect(
      countOf(land, "parcels WHERE situs_city = 'THREE FORKS' AND situs_zip = '59752' AND situs_state = 'MT'"),
    ).toBe(749);
    expect(countOf(land, "parcels WHERE property_class_id = 'Vacant Land' AND situs_city IS NULL")).toBe(316);
  });

  test('the 49 parcels without APN keep their ids whatever the order of the file', async () => {
    const land = openLand();
    const features = [...readParcelFile(file('three_forks_mt', 'parcels.geojson'))];
    const options = { ...common, fips: '30031', mapping: loadMapping('three_forks_mt'), date: '2026-01-01' };
    const blank = () =>
      land.file.all('SELECT property_id, point_lon, point_lat FROM parcels WHERE apn IS NULL ORDER BY property_id');
    await importParcels(land, { ...options, features });
    const before = blank();
    expect(before).toHaveLength(49);
    const report = await importParcels(land, { ...options, features: features.toReversed(), date: '2026-02-01' });
    expect(report).toMatchObject({ new: 0, retired: 0, changed: 0 });
    expect(blank()).toEqual(before);
  });

  test('a second jurisdiction, cut from the same data, retires nothing of the first', async () => {
    const land = openLand();
    const features = [...readParcelFile(file('three_forks_mt', 'parcels.geojson'))];
    const options = { ...common, fips: '30031', mapping: loadMapping('three_forks_mt'), date: '2026-01-01' };
    await importParcels(land, { ...options, features: features.slice(0, 1000), jurisdiction: 'West' });
    const east = await importParcels(land, { ...options, features: features.slice(1000), jurisdiction: 'East' });
    expect(east).toMatchObject({ new: 830, retired: 0 });
    expect(countOf(land, "parcels WHERE status = 'current'")).toBe(1830);
  });
});
