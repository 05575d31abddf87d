/** Accounts of a roll without a shape of their own: condominiums, mobile homes, leased ground. All invented. */
import { expect, test } from 'vitest';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { planImport } from '../../engine/importing/merge/plan-import.ts';
import { importStatewide } from '../../engine/importing/merge/statewide.ts';
import type { ImportProblem } from '../../engine/importing/stage/import-report.ts';
import { stackedOf } from '../../engine/query/stacked.ts';
import type { AccountChoice } from '../../engine/spec/accounts.ts';
import { checkLines, fillLines } from '../../engine/spec/import-checks.ts';
import type { LandStore } from '../../engine/store/land-store.ts';
import { clock, idsOf, importLots, openLand, square, writeFile } from './fixtures.ts';

const parcel = (pin: string, index: number, size?: number) => ({
  geometry: square(index, size),
  properties: { pin },
});

const mappingOf = (more: object = {}) =>
  parseMapping(
    {
      name: 'm',
      join: { parcel: 'pin', table: 'table.ACCOUNT' },
      columns: {
        apn: 'pin',
        owner_name: 'table.OWNER',
        acres: 'table.ACRES',
        assessed_total_value: 'table.VALUE',
      },
      ...more,
    },
    'm',
  );

/** A condominium with two units on 12-201, a home in a park on 7-4-000, one whose lot has no shape, one without a key. */
const roll = () =>
  writeFile(
    'roll.csv',
    [
      'ACCOUNT,OWNER,ACRES,VALUE,MAPLOT',
      '12-201,ASSOCIATION,3,100,a',
      '12-201-1,ASH,3,200,a',
      '12-201-B-2,BIRCH,,300,a',
      '7-4-000,PARK,9,50,b',
      '7-4-031,CEDAR,0.2,60,b',
      '99-1,ELM,1,70,c',
      ',NONE,1,80,c',
      '',
    ].join('\n'),
  );
const lots = [parcel('12-201', 0), parcel('7-4-000', 1), parcel('7-5', 2)];

const stored = (land: LandStore) =>
  Object.fromEntries(
    land.file
      .all<{ apn: string; owner: string; acres: number; value: number; lot: string; lon: number; shape: number }>(
        `SELECT apn, owner_name AS owner, coalesce(acres, calculated_acres) AS acres, assessed_total_value AS value,
           stacked_on AS lot, round(point_lon, 4) AS lon, geom IS NOT NULL AS shape
         FROM parcels WHERE status = 'current' ORDER BY apn`,
      )
      .map(({ apn, ...values }) => [apn, Object.values(values)]),
  );

const importRoll = (land: LandStore, accounts?: AccountChoice, mapping = mappingOf(), problems: ImportProblem[] = []) =>
  importLots(land, lots, {
    mapping,
    joinFiles: [roll()],
    onProblem: (problem) => problems.push(problem),
    ...(accounts && { accounts }),
  });

// The middles of the squares, which begin at -72 and -71.99 and are 0.001 wide, are -71.9995 and -71.9895; 0.001 degrees
// each way are about 2.2 acres, which are not those of any row.
const withShapes = {
  '12-201': ['ASSOCIATION', 3, 100, null, -71.9995, 1],
  '7-4-000': ['PARK', 9, 50, null, -71.9895, 1],
};

test('rows of a roll that no parcel has are left out unless the user says otherwise, and counted', async () => {
  const land = openLand();
  const report = await importRoll(land);
  expect(report).toMatchObject({ joined: 2, accounts: 0, stacked: { count: 0 }, table_rows_unmatched: { count: 5 } });
  expect(Object.keys(stored(land))).toEqual(['12-201', '7-4-000', '7-5']);
  const [joined] = checkLines([report], 3).filter(({ id }) => id === 'joined');
  expect(joined?.words).toContain('5 rows have no parcel and are left out');
});

test('they are kept as parcels without shapes, with their acres and values', async () => {
  const land = openLand();
  const problems: ImportProblem[] = [];
  const report = await importRoll(land, 'without-shapes', mappingOf(), problems);
  expect(report).toMatchObject({
    ...{ features_read: 3, new: 7, joined: 2, accounts: 4, without_geometry: 0 },
    ...{
      stacked: { count: 0 },
      stacked_acres: 0,
      table_rows_unmatched: { count: 1, first: ['(row 7, without a key)'] },
    },
    tables: [{ rows: 7, joined: 2, unmatched: 1, repeated: 0, accounts: 4 }],
  });
  expect(stored(land)).toMatchObject({
    '12-201-1': ['ASH', 3, 200, null, null, 0],
    '12-201-B-2': ['BIRCH', null, 300, null, null, 0],
    '7-4-031': ['CEDAR', 0.2, 60, null, null, 0],
    '99-1': ['ELM', 1, 70, null, null, 0],
  });
  expect(problems.map(({ row, reason }) => [row, reason])).toContainEqual([7, 'Not used: the row has no key.']);
  const lines = checkLines([report], 3);
  expect(lines.find(({ id }) => id === 'accounts')).toMatchObject({ count: 4, isWarning: false });
  // Six of the seven parcels have an owner.
  expect(fillLines([report]).find(({ column }) => column === 'owner_name')).toMatchObject({ filled: 6, of: 7 });
});

test('they are stacked on the lot whose number theirs begins with: at its point, marked, without acres of their own', async () => {
  const land = openLand();
  const report = await importRoll(land, 'stacked');
  expect(report).toMatchObject({ accounts: 4, stacked_acres: 2 });
  expect(report.stacked).toEqual({
    count: 3,
    first: [
      { apn: '12-201-1', lot: '12-201' },
      { apn: '12-201-B-2', lot: '12-201' },
      { apn: '7-4-031', lot: '7-4-000' },
    ],
  });
  const parcels = stored(land);
  expect(parcels).toMatchObject({
    ...withShapes,
    '12-201-1': ['ASH', null, 200, '12-201', -71.9995, 0],
    '12-201-B-2': ['BIRCH', null, 300, '12-201', -71.9995, 0],
    '7-4-031': ['CEDAR', null, 60, '7-4-000', -71.9895, 0],
    '99-1': ['ELM', 1, 70, null, null, 0],
  });
  // 3 + 9 of the lots with a shape and 1 of the account without a lot; 7-5 has those of its shape.
  const acres = Object.entries(parcels).map(([apn, [, size]]) => (apn === '7-5' ? 0 : Number(size)));
  expect(acres.reduce((sum, size) => sum + size, 0)).toBe(13);
  const line = checkLines([report], 3).find(({ id }) => id === 'stacked');
  expect(line).toMatchObject({ count: 3, isWarning: true });
  expect(line?.words).toContain('12-201-1 on 12-201');
  expect(line?.words).toContain('acres of 2');
});

test('a lot names the accounts that lie on it, and an account its lot', async () => {
  const land = openLand();
  await importRoll(land, 'stacked');
  const ids = idsOf(land);
  const of = (key: string) => stackedOf(land, ids[key] ?? -1);
  expect(of('12-201/ASSOCIATION')).toEqual({
    lot: null,
    count: 2,
    accounts: [
      { property_id: ids['12-201-1/ASH'], apn: '12-201-1', owner_name: 'ASH' },
      { property_id: ids['12-201-B-2/BIRCH'], apn: '12-201-B-2', owner_name: 'BIRCH' },
    ],
  });
  expect(of('7-4-031/CEDAR')).toMatchObject({ lot: { apn: '7-4-000', owner_name: 'PARK' }, count: 0 });
  for (const alone of ['99-1/ELM', '7-5/']) expect(of(alone)).toEqual({ lot: null, count: 0, accounts: [] });
});

test('the same import again changes nothing, and an account that gets a shape stays the same parcel', async () => {
  const land = openLand();
  await importRoll(land, 'stacked');
  const before = idsOf(land);
  expect(await importRoll(land, 'stacked')).toMatchObject({ import_id: null, unchanged: 7, new: 0, changed: 0 });
  const report = await importLots(land, [...lots, parcel('99-1', 3), parcel('12-201-1', 4)], {
    mapping: mappingOf(),
    joinFiles: [roll()],
    accounts: 'stacked',
  });
  expect(report).toMatchObject({ new: 0, retired: 0, changed: 2, accounts: 2, stacked: { count: 2 } });
  expect(idsOf(land)).toEqual(before);
  expect(stored(land)).toMatchObject({ '12-201-1': ['ASH', 3, 200, null, -71.9595, 1] });
});

test('a mapping says by which column accounts find their lot, and which of the choices it is', async () => {
  const land = openLand();
  const report = await importRoll(land, undefined, mappingOf({ accounts: 'stacked', lot: 'table.MAPLOT' }));
  expect(report.stacked.first).toEqual([
    { apn: '12-201-1', lot: '12-201' },
    { apn: '12-201-B-2', lot: '12-201' },
    { apn: '7-4-031', lot: '7-4-000' },
  ]);
  // What the command says counts more.
  const other = openLand();
  const chosen = await importRoll(other, 'left-out', mappingOf({ accounts: 'stacked' }));
  expect(chosen).toMatchObject({ accounts: 0, stacked: { count: 0 } });
  expect(() => mappingOf({ accounts: 'anyhow' })).toThrow(/accounts: .*left-out, without-shapes, stacked/);
});

test('of several pieces of a lot the largest is the ground, in whatever order the file has them', async () => {
  for (const order of [0, 1]) {
    const land = openLand();
    const pieces = [parcel('12-201', 0), parcel('12-201', 5, 0.002)];
    await importLots(land, order === 0 ? pieces : pieces.reverse(), {
      mapping: mappingOf(),
      joinFiles: [writeFile('roll.csv', 'ACCOUNT,OWNER,ACRES,VALUE\n12-201,A,,1\n12-201-1,B,,2\n')],
      accounts: 'stacked',
    });
    // The larger one begins at -71.95.
    expect(stored(land)['12-201-1']).toEqual(['B', null, 2, '12-201', -71.949, 0]);
  }
});

test('features of the file without a shape are stacked likewise, without a table', async () => {
  const land = openLand();
  const report = await importLots(
    land,
    [
      { geometry: square(0), properties: { apn: '5-1', acres: 4 } },
      { geometry: null, properties: { apn: '5-1-A', acres: 4 } },
      { geometry: null, properties: { apn: '6-1', acres: 1 } },
    ],
    { accounts: 'stacked' },
  );
  expect(report).toMatchObject({ without_geometry: 2, stacked: { count: 1 }, stacked_acres: 1 });
  expect(land.file.all('SELECT apn, stacked_on, acres FROM parcels ORDER BY apn')).toEqual([
    { apn: '5-1', stacked_on: null, acres: 4 },
    { apn: '5-1-A', stacked_on: '5-1', acres: null },
    { apn: '6-1', stacked_on: null, acres: 1 },
  ]);
});

test('a key of several columns gives the account its number', async () => {
  const land = openLand();
  const mapping = mappingOf({
    join: {
      parcel: { concat: ['map', 'lot'], separator: '-' },
      table: { concat: ['table.MAP', 'table.LOT', 'table.UNIT'], separator: '-' },
    },
    columns: { apn: { concat: ['map', 'lot'], separator: '-' }, owner_name: 'table.OWNER' },
  });
  await importLots(land, [{ geometry: square(0), properties: { map: '12', lot: '201' } }], {
    mapping,
    joinFiles: [writeFile('roll.csv', 'MAP,LOT,UNIT,OWNER\n12,201,,ASH\n12,201,4,ELM\n')],
    accounts: 'stacked',
  });
  expect(land.file.all('SELECT apn, owner_name, stacked_on FROM parcels ORDER BY apn')).toEqual([
    { apn: '12-201', owner_name: 'ASH', stacked_on: null },
    { apn: '12-201-4', owner_name: 'ELM', stacked_on: '12-201' },
  ]);
});

test('a table that joins nothing is refused though its rows could be kept; several counties cannot share accounts', async () => {
  const land = openLand();
  const table = writeFile('other.csv', 'ACCOUNT,OWNER,ACRES,VALUE\nX1,A,1,1\nX2,B,1,1\n');
  const wrong = importLots(land, lots, { mapping: mappingOf(), joinFiles: [table], accounts: 'without-shapes' });
  await expect(wrong).rejects.toThrow(/joins any of the 2 rows of other\.csv/);
  const statewide = importStatewide(land, {
    ...{ features: lots.map((lot) => ({ ...lot, properties: { ...lot.properties, fips: '33019' } })) },
    ...{ countyColumn: 'fips', source: 's', homeKind: 'real', anywhere: true, now: clock },
    ...{ mapping: mappingOf(), joinFiles: [roll()], accounts: 'stacked' },
  });
  await expect(statewide).rejects.toThrow(/name no county/);
});

test('the dry run counts what the import does', async () => {
  const land = openLand();
  const options = { mapping: mappingOf(), joinFiles: [roll()], accounts: 'stacked' } as const;
  const plan = await planImport(land, {
    ...{ features: lots, fips: '33019', source: 'Test county', date: '2026-07-01' },
    ...{ homeKind: 'real', anywhere: true, now: clock },
    ...options,
  });
  const { accounts, stacked, stacked_acres, new: added } = await importLots(land, lots, options);
  expect(plan).toMatchObject({ accounts, stacked, stacked_acres, new: added });
});
