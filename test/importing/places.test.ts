/** Coordinates that cannot be those of a parcel or of a sale: counted by reason, and never imported as a place. */
import { describe, expect, test } from 'vitest';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { planImport } from '../../engine/importing/merge/plan-import.ts';
import type { ImportProblem } from '../../engine/importing/stage/import-report.ts';
import { checkLines } from '../../engine/spec/import-checks.ts';
import { clock, importLots, lot, openLand, writeFile } from './fixtures.ts';

const common = { fips: '33011', homeKind: 'real', date: '2026-07-01', now: clock } as const;
const mapping = parseMapping({ name: 'm', columns: { apn: 'apn' } }, 'm');

const table = (rows: readonly string[]) => writeFile('lots.csv', ['apn,lon,lat', ...rows, ''].join('\n'));

const places = (land: ReturnType<typeof openLand>) =>
  land.file.rawRows("SELECT apn, point_lon, point_lat FROM parcels WHERE status = 'current' ORDER BY apn");

const good = ['A-1,-72.0,43.0', 'A-2,-71.99,43.01', 'A-3,-71.98,43.01'];

describe('a table of parcels with coordinates', () => {
  test('keeps rows at 0, 0, swapped or elsewhere without a place, and counts and lists them', async () => {
    const land = openLand();
    const problems: ImportProblem[] = [];
    const file = table([...good, 'B-1,0,0', 'B-2,0.0,0.000', 'B-3,43.0,-72.0', 'B-4,12.5,41.9', 'B-5,,']);
    const report = await importParcels(land, {
      ...common,
      files: [file],
      mapping,
      onProblem: (one) => problems.push(one),
    });
    expect(report).toMatchObject({
      new: 8,
      without_geometry: 8,
      misplaced: { zero: 2, swapped: 1, outside: 1 },
      refused: { count: 0 },
    });
    expect(places(land)).toEqual([
      ['A-1', -72, 43],
      ['A-2', -71.99, 43.01],
      ['A-3', -71.98, 43.01],
      ...['B-1', 'B-2', 'B-3', 'B-4', 'B-5'].map((apn) => [apn, null, null]),
    ]);
    expect(problems.map(({ row, value, reason }) => [row, value, reason])).toEqual([
      [4, '0 0', 'longitude and latitude are 0: kept without a place'],
      [5, '0 0', 'longitude and latitude are 0: kept without a place'],
      [6, '43 -72', 'longitude and latitude seem to be swapped: kept without a place'],
      [7, '12.5 41.9', 'the place is outside the United States: kept without a place'],
    ]);
    const line = checkLines([report], report.features_read).find(({ id }) => id === 'misplaced');
    expect(line).toMatchObject({
      count: 4,
      isWarning: true,
      words:
        'kept without a place: longitude and latitude are 0 in 2, longitude and latitude seem to be swapped in 1, the place is outside the United States in 1',
    });
  });

  test('refuses by row what is no degree, and a file whose rows are all swapped', async () => {
    const land = openLand();
    const report = await importParcels(land, { ...common, files: [table([...good, 'B-1,999999,999999'])], mapping });
    expect(report).toMatchObject({ new: 3, refused: { count: 1, first: [{ row: 4 }] }, misplaced: { zero: 0 } });
    const swapped = table(good.map((row) => row.split(',')).map(([apn, x, y]) => [apn, y, x].join()));
    await expect(importParcels(land, { ...common, files: [swapped], mapping })).rejects.toThrow(/seem to be swapped/);
  });

  test('whose coordinates are all 0 has no places', async () => {
    const land = openLand();
    const report = await importParcels(land, { ...common, files: [table(['B-1,0,0', 'B-2,0,0'])], mapping });
    expect(report).toMatchObject({ new: 2, without_geometry: 2, misplaced: { zero: 2 } });
  });
});

test('a point at 0, 0 in GeoJSON is no place either', async () => {
  const land = openLand();
  const zero = { ...lot('B-1', 0), geometry: { type: 'Point', coordinates: [0, 0] } };
  const report = await importLots(land, [lot('A-1', 1), lot('A-2', 2), zero]);
  expect(report).toMatchObject({ new: 3, misplaced: { zero: 1 }, without_geometry: 1 });
  expect(places(land)[2]).toEqual(['B-1', null, null]);
});

describe('sales with coordinates at 0, 0, swapped or elsewhere', () => {
  const sale = { status: 'SOLD', price: 40_000, lot_size: 4, sold_date: '2025-03-14' };
  const bring = (land: ReturnType<typeof openLand>, rows: readonly Record<string, unknown>[], point: unknown = null) =>
    importComps(land, {
      ...{ features: rows.map((properties) => ({ geometry: point, properties })), homeKind: 'real', fips: '33011' },
      ...{ source: 'Test listings', date: '2026-07-01', now: clock },
    });

  test('lie where their parcel lies, or are left out for want of a place; each is counted', async () => {
    const land = openLand();
    await importLots(land, [lot('A-1', 0), lot('A-2', 5)], { fips: '33011' });
    const at = (source_id: string, longitude: number, latitude: number, apn: string | null) => ({
      ...{ ...sale, source_id, longitude, latitude, apn },
    });
    const report = bring(land, [
      at('1', 0, 0, 'A-1'),
      at('2', 0, 0, null),
      at('3', 43, -72, null),
      at('4', 12.5, 41.9, 'A-2'),
      at('5', 999_999, 999_999, null),
      at('6', -72, 43, null),
    ]);
    expect(report).toMatchObject({ linked_by_apn: 2, refused: { count: 3 }, value_problems: { count: 3 } });
    expect(report.value_problems.first.map(({ row, reason }) => [row, reason])).toEqual([
      [3, 'longitude and latitude seem to be swapped'],
      [4, 'the place is outside the United States'],
      [5, 'no latitude and longitude in degrees'],
    ]);
    // Zeros in columns are unknown by the dictionary.
    expect(report.refused.first.map(({ row, reason }) => [row, reason])).toEqual(
      [
        [2, 'no coordinates'],
        [3, 'longitude and latitude seem to be swapped'],
        [5, 'no latitude and longitude in degrees'],
      ].map(([row, why]) => [row, `no place: ${why}; and no parcel of its APN`]),
    );
    const stored = land.file.rawRows('SELECT source_id, longitude < -71 AND latitude > 42 FROM comps ORDER BY 1');
    expect(stored).toEqual([
      ['1', 1],
      ['4', 1],
      ['6', 1],
    ]);
  });

  test('in a GeoJSON point as in columns', () => {
    const land = openLand();
    const zero = { type: 'Point', coordinates: [0, 0] };
    expect(() => bring(land, [{ ...sale, source_id: '1' }], zero)).toThrow(/no place: longitude and latitude are 0/);
  });
});

test('a dry run counts them, too', async () => {
  const land = openLand();
  const plan = await planImport(land, { ...common, files: [table([...good, 'B-1,0,0'])], mapping });
  expect(plan).toMatchObject({ misplaced: { zero: 1 } });
});
