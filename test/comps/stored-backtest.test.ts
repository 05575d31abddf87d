/** A county's backtest is computed once, and again when anything that it rests on has changed. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { backtest } from '../../engine/comps/backtest.ts';
import { importComps } from '../../engine/importing/lists/import-comps.ts';
import { countySales } from '../../engine/query/comp-row.ts';
import { testedLines } from '../../engine/spec/comp-import-lines.ts';
import { type LandStore, openLandStore } from '../../engine/store/land-store.ts';
import { landMigrations } from '../../engine/store/migrations/land.ts';
import { applicationId, openSqliteFile } from '../../engine/store/sqlite.ts';
import { countyBacktest, explainedValue, withBacktests } from '../../engine/value-explained.ts';
import { createRandom } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';
import { insertComps } from './comp-rows.ts';

const fips = '33019';
const now = new Date('2026-11-20T12:00:00Z');

let home: string;
let land: LandStore;

/** Sixty sales of lots of one acre, the first forty of them linked to parcels. */
beforeEach(() => {
  home = emptyHome();
  land = openLandStore(home, () => performance.now());
  onTestFinished(() => land.close());
  const random = createRandom('stored backtest');
  for (let id = 1; id <= 50; id++) {
    land.file.run(
      'INSERT INTO parcels (property_id, apn, fips, acres, point_lon, point_lat) VALUES (?, ?, ?, 1, -72.005, 43.005)',
      id,
      `${id}-1`,
      fips,
    );
  }
  insertComps(
    land,
    Array.from({ length: 60 }, (_, i) => ({
      longitude: -72 + 0.01 * random.normal(),
      latitude: 43 + 0.01 * random.normal(),
      price: Math.round(20_000 * Math.exp(0.3 * random.normal())),
      sold_date: new Date(now.getTime() - (i + 1) * 20 * 86_400_000).toISOString().slice(0, 10),
      property_id: i < 40 ? i + 1 : null,
    })),
  );
});

function stranger(): Database.Database {
  const database = new Database(path.join(home, 'land.sqlite'));
  onTestFinished(() => {
    database.close();
  });
  return database;
}

const stored = () => land.file.all('SELECT fips, computed_at FROM backtests');

/** Counties with a model and its test. */
const tested = () => land.file.column<string>('SELECT fips FROM market_models ORDER BY fips');

/** The stored result gets a number of its own, so that a test can tell whether it was used. */
const mark = () => land.file.run("UPDATE backtests SET result = json_set(result, '$.valuedCount', 4711)");
const isMarked = () => countyBacktest(land, fips, now).valuedCount === 4711;
const fresh = () => backtest(countySales(land.file, fips), { maxSales: 300 });

describe('the backtest of a county', () => {
  test('is kept with the first value that is explained, and used from then on', () => {
    const { tested } = explainedValue(land, 7, now);
    expect(tested).toMatch(/^Tested on 59 sales here/);
    expect(stored()).toEqual([{ fips, computed_at: now.toISOString() }]);
    expect(countyBacktest(land, fips, now)).toEqual(fresh());
    mark();
    expect(explainedValue(land, 7, now).tested).toMatch(/^Tested on 4711 sales here/);
  });

  test('comes from the file as it was computed, where bands are empty and nothing can be valued, too', () => {
    expect(countyBacktest(land, fips, now)).toEqual(countyBacktest(land, fips, now));
    insertComps(land, [{ id: 'one', fips: '33001', sold_date: '2026-01-01' }]);
    const nothing = countyBacktest(land, '33001', now);
    expect(nothing).toMatchObject({ saleCount: 1, valuedCount: 0, study: null });
    expect(nothing.bands.map(({ insideShare }) => insideShare)).toEqual([null, null, null, null]);
    expect(countyBacktest(land, '33001', now)).toEqual(nothing);
  });

  test.each([
    [
      'a sale is added',
      "INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, sold_date) VALUES ('x', 's', 'x', '33019', 'SOLD', 43, -72, 1, 9000, '2026-11-01')",
    ],
    ['a price is corrected', 'UPDATE comps SET price = price + 1 WHERE comp_rowid = 30'],
    ['a sale is deleted', 'DELETE FROM comps WHERE comp_rowid = 30'],
    ['a sale turns out to be of another county', "UPDATE comps SET fips = '33001' WHERE comp_rowid = 30"],
    [
      'a sale is replaced by one of another county',
      "INSERT OR REPLACE INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, price) SELECT comp_id, source, source_id, '33001', 'SOLD', 43, -72, 5 FROM comps WHERE comp_rowid = 30",
    ],
    ['the land of a sale is found wet', 'UPDATE parcels SET wetlands_percent = 80 WHERE property_id = 12'],
  ])('is computed anew once %s', (_what, sql) => {
    countyBacktest(land, fips, now);
    mark();
    expect(isMarked()).toBe(true);
    stranger().exec(sql);
    expect(countyBacktest(land, fips, now)).toEqual(fresh());
    mark();
    expect(isMarked()).toBe(true);
  });

  test('is still true when another county gets comps, or land without a sale is found wet', () => {
    countyBacktest(land, fips, now);
    mark();
    insertComps(land, [{ id: 'elsewhere', fips: '33001', sold_date: '2026-01-01' }]);
    land.file.run('UPDATE parcels SET wetlands_percent = 80, owner_name = ? WHERE property_id = 45', 'ANN');
    land.file.run('UPDATE parcels SET owner_name = ? WHERE property_id = 12', 'TOM');
    expect(isMarked()).toBe(true);
  });

  test('is answered without being kept while another program holds the file', () => {
    const other = stranger();
    other.exec('BEGIN IMMEDIATE');
    expect(explainedValue(land, 7, now).tested).toMatch(/^Tested on 59 sales here/);
    expect(stored()).toEqual([]);
    other.exec('COMMIT');
    // the patience of other writers is as before
    expect(land.file.pragma('busy_timeout')).toBe(5000);
    countyBacktest(land, fips, now);
    expect(stored()).toHaveLength(1);
  });

  test('is answered without being kept where the file cannot be written', () => {
    land.file.pragma('query_only = ON');
    expect(explainedValue(land, 7, now).tested).toMatch(/^Tested on 59 sales here/);
    land.file.pragma('query_only = OFF');
    expect(stored()).toEqual([]);
  });
});

describe('an import of sales', () => {
  const sale = (county: string, number: number) => ({
    geometry: { type: 'Point', coordinates: [-72, 43] },
    properties: {
      source: 'MLS',
      source_id: `${county}-${number}`,
      fips: county,
      price: 5000 + number,
      sold_date: '2026-10-01',
      lot_size: 2,
    },
  });
  const importSales = (counties: readonly string[], heard: string[] = [], number = 1) =>
    withBacktests(
      land,
      now,
      (onRead) =>
        importComps(land, {
          ...{ features: counties.map((county) => sale(county, number)), homeKind: 'real', now: () => now },
          onRead,
        }),
      { onCounty: (name) => heard.push(name) },
    );

  test('tests the counties that it changed, and no others', () => {
    countyBacktest(land, fips, now);
    mark();
    const heard: string[] = [];
    const report = importSales(['33001', '33003'], heard);
    expect(report.new).toBe(2);
    expect(heard).toEqual(['Belknap County', 'Carroll County']);
    expect(tested()).toEqual(['33001', '33003']);
    expect(stored().map((row) => row.fips)).toEqual(['33001', '33003', fips]);
    expect(isMarked()).toBe(true);
  });

  test('that changes nothing says nothing of values', () => {
    expect(importSales(['33001']).backtests).toMatchObject([{ fips: '33001', before: null, is_worse: false }]);
    const heard: string[] = [];
    expect(importSales(['33001'], heard).backtests).toEqual([]);
    expect(heard).toEqual(['Belknap County']);
  });

  test('says loudly that values got worse, and a file that names its houses takes them away again', () => {
    const random = createRandom('houses among the lots');
    // Among lots of some 20,000 dollars, houses of ten to thirty times that, on lots alike.
    const houses = Array.from({ length: 60 }, (_, i) => ({
      geometry: { type: 'Point', coordinates: [-72 + 0.01 * random.normal(), 43 + 0.01 * random.normal()] },
      properties: {
        ...{ source: 'County', source_id: `${i}`, fips, lot_size: 1, sold_date: `2026-0${1 + (i % 9)}-11` },
        price: 200_000 + 400_000 * random.next(),
      },
    }));
    const bring = (more: object) =>
      withBacktests(
        land,
        now,
        (onRead) =>
          importComps(land, {
            features: houses.map(({ geometry, properties }) => ({ geometry, properties: { ...properties, ...more } })),
            ...{ homeKind: 'real', now: () => now, onRead },
          }),
        { onCounty: () => {} },
      );
    const { backtests, untested } = bring({});
    expect(backtests).toMatchObject([{ fips, name: 'Sullivan County', is_worse: true }]);
    const [poisoned] = backtests;
    expect(poisoned?.after.half_within).toBeGreaterThan(2 * (poisoned?.before?.half_within ?? 0));
    expect(testedLines({ backtests, untested })[0]?.words).toMatch(
      /^VALUES OF SULLIVAN COUNTY GOT WORSE: half of \d+ sales within \d+ %, \d+ % before\./,
    );

    const again = bring({ is_land: 'no' });
    expect(again).toMatchObject({ new: 0, removed: 60, left_out: { improved: 60 } });
    expect(again.backtests).toMatchObject([{ before: poisoned?.after, after: poisoned?.before, is_worse: false }]);
  });

  test('of many counties tests ten, and the others on demand', () => {
    const counties = land.file.column<string>("SELECT fips FROM counties WHERE state = 'VT' ORDER BY fips");
    expect(counties.length).toBeGreaterThan(10);
    importSales(['33001']);
    const report = importSales([...counties, '33001'], [], 2);
    expect(report.untested).toBe(counties.length + 1 - 10);
    // it alone had comps before
    expect(report.backtests.filter(({ before }) => before !== null)).toMatchObject([{ fips: '33001' }]);
    expect(testedLines(report).at(-1)?.words).toBe(
      `Values of ${counties.length - 9} more counties with changed comps: not tested before and after.`,
    );
    expect(tested()).toHaveLength(10);
  });
});

test('a file of the second version gets generations for the counties of its comps', () => {
  const before = emptyHome();
  const old = openSqliteFile(path.join(before, 'land.sqlite'), {
    fileName: 'land.sqlite',
    applicationId: applicationId('PLBL'),
    migrations: landMigrations.slice(0, 2),
    synchronous: 'NORMAL',
    functions: () => ({}),
    virtualModules: ['VirtualSpatialIndex'],
  });
  for (const [id, county] of [
    ['a', '33001'],
    ['b', '33001'],
    ['c', fips],
  ]) {
    old.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, price)
       VALUES (?, 'MLS', ?, ?, 'SOLD', 43, -72, 5000)`,
      id,
      id,
      county,
    );
  }
  old.close();
  const opened = openLandStore(before, () => 0);
  onTestFinished(() => opened.close());
  const generations = () => opened.file.all('SELECT fips, generation FROM comp_generations ORDER BY fips');
  expect(generations()).toEqual([
    { fips: '33001', generation: 1 },
    { fips, generation: 1 },
  ]);
  opened.file.run("UPDATE comps SET fips = '33001' WHERE comp_id = 'c'");
  opened.file.run("DELETE FROM comps WHERE comp_id = 'a'");
  expect(generations()).toEqual([
    { fips: '33001', generation: 3 },
    { fips, generation: 2 },
  ]);
});
