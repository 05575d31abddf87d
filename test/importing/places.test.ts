/** Coordinates that cannot be those of a parcel or of a sale: counted by reason, and never imported as a place. */

import { describe, expect, test } from 'vitest';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { planImport } from '../../engine/importing/merge/plan-import.ts';
import type { ImportProblem } from '../../engine/importing/stage/import-report.ts';
import { compTarget } from '../../engine/importing/values/mapping-target.ts';
import { strikeSuspects } from '../../engine/query/suspect-sales.ts';
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

describe('shapes far from their county', () => {
  /** A square at a place; 33011 is Hillsborough, NH, around longitude -71.7, latitude 42.9. */
  const at = (apn: string, x: number, y: number) => ({
    ...lot(apn, 0),
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [x, y],
          [x + 1e-3, y],
          [x + 1e-3, y + 1e-3],
          [x, y + 1e-3],
          [x, y],
        ],
      ],
    },
  });
  const row = (count: number) => Array.from({ length: count }, (_, i) => at(`H-${i}`, -71.7 + i * 0.002, 42.9));
  const strays = [at('S-0', 0, 0), at('S-1', -71.2, 46.8), at('S-2', 42.9, -71.7), at('S-3', -73.9, 42.6)];
  const two = (a: ReturnType<typeof at>, b: ReturnType<typeof at>) => ({
    ...a,
    geometry: { type: 'MultiPolygon', coordinates: [a.geometry.coordinates, b.geometry.coordinates] },
  });
  const bring = (
    land: ReturnType<typeof openLand>,
    features: ReturnType<typeof lot>[],
    more: Partial<Parameters<typeof importParcels>[1]> = {},
  ) => importParcels(land, { ...common, features, mapping, ...more });

  test('are listed with a reason and have no place, as points are; one stray part is enough', async () => {
    const land = openLand();
    const problems: ImportProblem[] = [];
    const parts = two(at('S-4', -71.69, 42.91), at('', 0, 0));
    const report = await bring(land, [...row(150), ...strays, parts], { onProblem: (one) => problems.push(one) });
    expect(report).toMatchObject({
      ...{ new: 155, without_geometry: 5 },
      misplaced: { zero: 2, swapped: 1, outside: 0, far: 2 },
    });
    expect(problems.map(({ row: at, reason }) => [at, reason.replace(': kept without a place', '')])).toEqual([
      [151, 'longitude and latitude are 0'],
      [152, 'the place is far from the county'],
      [153, 'longitude and latitude seem to be swapped'],
      [154, 'the place is far from the county'],
      [155, 'longitude and latitude are 0'],
    ]);
    expect(places(land).filter(([, x]) => x === null)).toHaveLength(5);
    const [[west, east] = []] = land.file.rawRows('SELECT min(point_lon), max(point_lon) FROM parcels');
    expect([west, east]).toEqual([expect.closeTo(-71.6995), expect.closeTo(-71.4015)]);
  });

  test('are refused over a twentieth, unless any place is accepted', async () => {
    const land = openLand();
    await expect(bring(land, [...row(50), ...strays])).rejects.toThrow(/^4 of the 54 shapes .* far from Hillsborough/);
    const report = await bring(land, [...row(50), ...strays], { anywhere: true });
    // Quebec and Albany are allowed then; 0, 0 and swapped ones still have no place.
    expect(report).toMatchObject({ new: 54, misplaced: { zero: 1, swapped: 1, far: 0 } });
  });
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

describe('sales that are no price of one lot', () => {
  const bring = (land: ReturnType<typeof openLand>, headings: string, rows: readonly string[]) =>
    importComps(land, {
      ...{ files: [writeFile('deeds.csv', [headings, ...rows, ''].join('\n'))], homeKind: 'real', fips: '33011' },
      ...{ mapping: parseMapping({ name: 'deeds', columns: saleColumns }, 'deeds', compTarget), now: clock },
    });
  const struckIn = ({ file }: ReturnType<typeof openLand>) =>
    strikeSuspects(file, '33011', new Map(), '2026-08-01').struck;
  const saleColumns = {
    ...{ apn: 'PIN', price: 'PAID', sold_date: 'DAY', lot_size: 'AC' },
    status: { constant: 'SOLD' },
  };
  const ordinary = ['A-1,31000,2025-02-03,4,501,', 'A-2,31000,2025-02-03,5,502,', 'A-3,45000,2026-03-01,6,503,'];
  const land = async () => {
    const opened = openLand();
    await importLots(
      opened,
      ['A-1', 'A-2', 'A-3', 'B-1', 'B-2', 'B-3', 'C-1', 'C-2'].map((apn, index) => lot(apn, index)),
      { fips: '33011' },
    );
    return opened;
  };

  test('are left out, said and listed: a day to come, an absurd price; one deed of several parcels is struck', async () => {
    const home = await land();
    const report = bring(home, 'PIN,PAID,DAY,AC,INSTRUMENT_NO,NOTE', [
      ...ordinary,
      ...['B-1,640000,2025-07-09,3,77,', 'B-2,640000,2025-07-09,4,77,', 'B-3,640000,2025-07-09,5,77,'],
      // The clock of the tests stands at 2026-08-01; 90 million for half an acre.
      ...['C-1,52000,2026-08-02,5,505,', 'C-2,90000000,2025-04-04,0.5,506,'],
    ]);
    expect(report).toMatchObject({
      ...{ rows_read: 8, new: 6, linked_by_apn: 6, refused: { count: 0 } },
      left_out: { future_date: 1, absurd_price: 1 },
    });
    expect(report.screened.map(({ row, reason }) => [row, reason])).toEqual([
      [7, 'sold after today'],
      [8, 'over $100 million an acre'],
    ]);
    expect(struckIn(home)).toEqual({ several_parcels: 3 });
  });

  test('are told without a column of deeds by three parcels alike, not by two', async () => {
    const rows = [...ordinary, ...['B-1,64000,2025-07-09,3,', 'B-2,64000,2025-07-09,4,', 'B-3,64000,2025-07-09,5,']];
    const home = await land();
    bring(
      home,
      'PIN,PAID,DAY,AC',
      rows.map((row) => row.split(',').slice(0, 4).join()),
    );
    expect(struckIn(home).several_parcels).toBeGreaterThanOrEqual(3);
  });

  test('are struck when a later file brings the rest of the deed', async () => {
    const home = await land();
    const deed = ['B-1,640000,2025-07-09,3,77', 'B-2,640000,2025-07-09,4,77'];
    bring(home, 'PIN,PAID,DAY,AC,DEED', [...ordinary.map((row) => row.slice(0, -1)), deed[0] ?? '']);
    expect(struckIn(home)).toEqual({});
    expect(bring(home, 'PIN,PAID,DAY,AC,DEED', deed)).toMatchObject({ new: 1, removed: 0 });
    expect(struckIn(home)).toEqual({ several_parcels: 2 });
  });
});
