import { describe, expect, test } from 'vitest';
import { multiPolygonFromGeoJson } from '../../engine/geo/geojson-geometry.ts';
import { positionOf } from '../../engine/importing/mapping/row-mapper.ts';
import { dateInName, findDatasetDate, latestDateFor } from '../../engine/importing/stage/dataset-date.ts';
import { deriveValues, wholeMonths } from '../../engine/importing/stage/derive-values.ts';
import type { StoredValue } from '../../engine/importing/values/convert-value.ts';
import { importColumns } from '../../engine/spec/parcel-columns.ts';
import { square } from './fixtures.ts';

function derive(given: Record<string, StoredValue>, geometry: unknown = null, isMapped = (_column: string) => true) {
  const values: StoredValue[] = importColumns.map((column) => given[column.name] ?? null);
  const result = multiPolygonFromGeoJson(geometry);
  const keys = deriveValues(values, result.ok ? result.polygons : null, { date: '2026-07-15', state: 'NH', isMapped });
  return { ...keys, of: (name: string) => values[positionOf(name)] ?? null };
}

describe('derived values', () => {
  test('mapped acres have two decimals and come from the ellipsoid', () => {
    // 0.001° by 0.001° at 43°: 81.5 m by 111.1 m = 9,053 m² = 2.24 acres.
    expect(derive({}, square(0)).of('calculated_acres')).toBe(2.24);
    expect(derive({}).of('calculated_acres')).toBeNull();
    expect(derive({ calculated_acres: 2.3 }, square(0)).of('calculated_acres')).toBe(2.3);
  });

  test('improvements of 0 are a value where land is worth 0 too, unless nobody owns the record', () => {
    const zeros = { assessed_land_value: null, assessed_improvement_value: 0 };
    const has =
      (...columns: string[]) =>
      (column: string) =>
        columns.includes(column) || column.startsWith('assessed_');
    expect(derive(zeros, null, has()).of('assessed_improvement_value')).toBe(0);
    expect(derive({ ...zeros, owner_name: 'LOWE TAD' }, null, has('owner_name')).of('assessed_improvement_value')).toBe(
      0,
    );
    expect(derive(zeros, null, has('owner_name')).of('assessed_improvement_value')).toBeNull();
  });

  test('the state is the county’s where the file gives none', () => {
    expect(derive({}).of('situs_state')).toBe('NH');
    expect(derive({ situs_state: 'VT' }).of('situs_state')).toBe('VT');
  });

  test.each<[Record<string, StoredValue>, StoredValue]>([
    [{ mailing_state: 'MA' }, 1],
    [{ mailing_state: 'nh' }, 0],
    [{ mailing_state: null }, null],
    [{ mailing_state: 'Ontario' }, null],
    [{ mailing_state: 'MA', owner_out_of_state: 0 }, 0],
  ])('out of state, of %j: %j', (given, value) => {
    expect(derive(given).of('owner_out_of_state')).toBe(value);
  });

  test.each<[Record<string, StoredValue>, StoredValue]>([
    [{ situs_zip: '03280', mailing_zip: '03280-1234' }, 0],
    [{ situs_zip: '03280', mailing_zip: '03281' }, 1],
    [{ mailing_zip: '03281' }, null],
    [{ situs_zip: '03280' }, null],
  ])('out of ZIP, of %j: %j', (given, value) => {
    expect(derive(given).of('owner_out_of_zip')).toBe(value);
  });

  test.each<[Record<string, StoredValue>, StoredValue]>([
    [{ assessed_improvement_value: 30_000, assessed_total_value: 90_000 }, 33.33],
    [{ assessed_improvement_value: 30_000, assessed_land_value: 60_000 }, 33.33],
    [{ market_improvement_value: 1, market_total_value: 4 }, 25],
    [
      {
        assessed_improvement_value: 0,
        assessed_total_value: 90_000,
        market_improvement_value: 1,
        market_total_value: 2,
      },
      0,
    ],
    [{ assessed_improvement_value: 100, assessed_total_value: 90 }, null],
    [{ assessed_total_value: 90_000 }, null],
    [{}, null],
  ])('improvement share of %j is %j', (given, value) => {
    expect(derive(given).of('improvement_percent')).toBe(value);
  });

  test('improvements of 0 beside no land and no total value are unknown', () => {
    expect(derive({ market_improvement_value: 0 }).of('market_improvement_value')).toBeNull();
    expect(derive({ market_improvement_value: 0, market_land_value: 5 }).of('market_improvement_value')).toBe(0);
    // A county that publishes nothing but improvements says that nothing is built.
    const alone = derive({ market_improvement_value: 0 }, null, (column) => column === 'market_improvement_value');
    expect(alone.of('market_improvement_value')).toBe(0);
  });

  test('a tax of 0 is unknown where a record has no value, as of a strip of road, and else a value', () => {
    expect(derive({ tax_amount: 0, assessed_improvement_value: 0 }).of('tax_amount')).toBeNull();
    expect(derive({ tax_amount: 0, assessed_land_value: 900 }).of('tax_amount')).toBe(0);
    expect(derive({ tax_amount: 0, market_total_value: 900 }).of('tax_amount')).toBe(0);
    expect(derive({ tax_amount: 12.5 }).of('tax_amount')).toBe(12.5);
    const untold = derive({ tax_amount: 0 }, null, (column) => column === 'tax_amount');
    expect(untold.of('tax_amount')).toBe(0);
  });

  test.each([
    ['2026-06-15', '2026-07-15', 1],
    ['2026-06-16', '2026-07-15', 0],
    ['2003-10-03', '2026-07-15', 273],
    ['2026-07-15', '2026-07-15', 0],
    ['2026-07-16', '2026-07-15', null],
    ['2027-01-01', '2026-07-15', null],
  ])('from %s to %s are %j whole months', (from, to, months) => {
    expect(wholeMonths(from, to)).toBe(months);
  });

  test('delinquent since a year is delinquent, for so many years; never less than none', () => {
    const parcel = derive({ tax_delinquent_year: 2021 });
    expect([parcel.of('tax_delinquent'), parcel.tax_delinquent_years]).toEqual([1, 5]);
    expect(derive({ tax_delinquent_year: 2030 }).tax_delinquent_years).toBe(0);
    expect(derive({ tax_delinquent_year: 2021, tax_delinquent: 0 }).of('tax_delinquent')).toBe(0);
    expect(derive({}).of('tax_delinquent')).toBeNull();
  });

  test('keys: letters and digits of the APN, normalized mailing address', () => {
    const keys = derive({ apn: '12-2-01a', mailing_address: '1 Main Street', mailing_zip: '03280-1111' });
    expect(keys).toMatchObject({ apn_key: '12201A', mailing_key: '1 MAIN ST||03280' });
    expect(derive({ apn: '---' }).apn_key).toBeNull();
  });
});

test.each([
  ['/x/assessor_2024-09.dbf', '2024-09-01'],
  ['/x/parcels_2026-07-09.geojson', '2026-07-09'],
  ['/x/20260709_parcels.csv', '2026-07-09'],
  ['/2020-01-01/parcels.csv', null],
  ['parcels_2026-13.csv', null],
  ['pin_123456789.csv', null],
])('the name %s is of %j', (name, date) => {
  expect(dateInName(name)).toBe(date);
});

test('the header of a table dates the data unless it lies in the future', () => {
  const today = new Date('2026-08-01T12:00:00Z');
  expect(findDatasetDate([], { path: 'roll.dbf', date: '2026-08-01' }, today)).toBe('2026-08-01');
  expect(findDatasetDate([], { path: 'roll.dbf', date: '2026-08-02' }, today)).toBe('2026-08-01');
  expect(latestDateFor('2026-08-01')).toBe('2027-08-01');
});
