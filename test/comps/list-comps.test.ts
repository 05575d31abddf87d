import path from 'node:path';
import geodesic from 'geographiclib-geodesic';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { atOnce } from '../../engine/land/answered.ts';
import { type Comp, type CompsInput, listComps } from '../../engine/operations/list-comps.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { findProblems, fromQuery } from '../../engine/spec/validate.ts';
import { landMigrations } from '../../engine/store/migrations/land.ts';
import { applicationId, openSqliteFile } from '../../engine/store/sqlite.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { type CompFields, idOf, insertComps } from './comp-rows.ts';
import { contextOf } from './operation-context.ts';
import { seededRandom } from './seeded-random.ts';

const now = () => new Date('2026-11-20T12:00:00Z');

function emptyEngine(): Engine {
  const engine = openEngine({ home: emptyHome(), now });
  onTestFinished(() => engine.close());
  return engine;
}

let engine: Engine;
const list = (input: CompsInput) => atOnce(listComps.run(input, contextOf(engine)));
const numbersOf = (comps: readonly Comp[]) => comps.map(({ id }) => Number(id.slice(-12)));
const ids = (input: CompsInput) => numbersOf(list(input).results);

function problemsOf(input: Record<string, unknown>): Record<string, string[]> {
  const problems = findProblems(listComps.input, input);
  if (problems) return { ...problems };
  try {
    list(input as CompsInput);
  } catch (error) {
    if (error instanceof EngineError) return error.details ?? { code: [error.code] };
    throw error;
  }
  return {};
}

describe('a radius', () => {
  const wgs84 = geodesic.Geodesic.WGS84;
  const meters = (a: readonly number[], b: CompFields) =>
    wgs84.Inverse(a[1] ?? 0, a[0] ?? 0, b.latitude ?? 0, b.longitude ?? 0).s12 as number;

  /** A thousand places: a third anywhere, a third around the centers, and some exactly on the pole and the 180th meridian. */
  function places(centers: readonly (readonly number[])[]): CompFields[] {
    const random = seededRandom(11);
    return Array.from({ length: 1000 }, (_, index) => {
      const [x = 0, y = 0] = centers[index % centers.length] ?? [];
      if (index % 3 === 0) return { longitude: -180 + 360 * random(), latitude: -90 + 180 * random() };
      if (index % 50 === 1) return { longitude: index % 100 === 1 ? 180 : -180, latitude: y };
      const there = wgs84.Direct(y, x, 360 * random(), 260_000 * random() ** 2);
      return { longitude: there.lon2 as number, latitude: there.lat2 as number };
    });
  }

  const centers = [
    [-72.1, 43.2],
    [179.95, 52],
    [-179.99, 51.9],
    [180, -17],
    [30, 89.5],
    [-100, -89.99],
    [0, 90],
    [0, 0],
  ];

  test('finds what a look at every comp finds, in the same order: antimeridian and poles too', () => {
    engine = emptyEngine();
    const all = places(centers);
    insertComps(engine.land, all);
    let found = 0;
    for (const center of centers) {
      for (const dist of [1, 1000, 8047, 50_000, 200_000]) {
        const expected = all
          .map((comp, index) => ({ index, meters: meters(center, comp) }))
          .filter((one) => one.meters <= dist)
          .sort((a, b) => a.meters - b.meters || a.index - b.index);
        const { count, results } = list({ point: [...center], dist, page_size: 500 });
        expect(count).toBe(expected.length);
        // GeographicLib and the engine may differ in the last micrometre, so places are compared as sets of distances.
        const got = numbersOf(results).map((index) => meters(center, all[index] ?? {}));
        expect(got.every((value, i) => Math.abs(value - (expected[i]?.meters ?? -1)) < 1e-4)).toBe(true);
        expect(new Set(numbersOf(results))).toEqual(new Set(expected.map(({ index }) => index)));
        found += count;
      }
    }
    expect(found).toBeGreaterThan(1200);
  });

  test('of 1,000 m where nothing else is said, up to the metre', () => {
    engine = emptyEngine();
    const at = (far: number): CompFields => {
      const { lon2, lat2 } = wgs84.Direct(43, -72, 45, far);
      return { longitude: lon2 as number, latitude: lat2 as number };
    };
    insertComps(engine.land, [at(999.99), at(1000.01), at(500), at(0)]);
    expect(ids({ point: [-72, 43] })).toEqual([3, 2, 0]);
    expect(ids({ point: [-72, 43], dist: 1001 })).toEqual([3, 2, 0, 1]);
    expect(ids({ point: [-72, 43], dist: 1 })).toEqual([3]);
  });

  test('equally far ones come by id, on every page', () => {
    engine = emptyEngine();
    const order = [5, 3, 9, 1, 7, 0, 8, 2, 6, 4];
    insertComps(
      engine.land,
      order.map((number) => ({ id: idOf(number), latitude: number === 0 ? 43.001 : 43.002 })),
    );
    const pages = [1, 2, 3, 4].flatMap((page) => ids({ point: [-72, 43], page, page_size: 3 }));
    expect(pages).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('a county', () => {
  beforeEach(() => {
    engine = emptyEngine();
    insertComps(engine.land, [
      { sold_date: '2026-11-20' },
      { sold_date: '2026-11-10', fips: '30031' },
      { sold_date: '2026-10-21', lot_size: 5 },
      { sold_date: '2026-10-20', lot_size: null },
      { status: 'ACTIVE', lot_size: 5.01 },
      { status: 'PENDING', lot_size: 4.99 },
      { sold_date: '2026-11-21' },
      { sold_date: '2026-10-21', lot_size: 8 },
    ]);
  });

  test('newest sale first, unknown dates last, ties by id', () => {
    expect(ids({ fips: '33019' })).toEqual([6, 0, 2, 7, 3, 4, 5]);
    expect(ids({ fips: 33019, page: 2, page_size: 3 })).toEqual([7, 3, 4]);
  });

  test('statuses are OR-ed', () => {
    expect(ids({ fips: '33019', status: ['ACTIVE', 'PENDING'] })).toEqual([4, 5]);
    expect(ids({ fips: '33019', status: ['PENDING', 'PENDING'] })).toEqual([5]);
  });

  test('age counts days back from today, drops what has no sold date, and sales of tomorrow', () => {
    expect(ids({ fips: '33019', age: 0 })).toEqual([0]);
    expect(ids({ fips: '33019', age: 30 })).toEqual([0, 2, 7]);
    expect(ids({ fips: '33019', age: 31 })).toEqual([0, 2, 7, 3]);
  });

  test('acres include their bounds and drop unknown sizes', () => {
    expect(ids({ fips: '33019', acres_min: 4.99, acres_max: 5 })).toEqual([2, 5]);
    expect(ids({ fips: '33019', acres_max: 10_000 })).not.toContain(3);
    expect(ids({ fips: '33019', acres_min: 0 })).not.toContain(3);
  });

  test('and a point: both must hold', () => {
    expect(ids({ fips: '30031', point: [-72, 43] })).toEqual([1]);
    expect(ids({ fips: '30031', point: [-73, 43] })).toEqual([]);
    expect(ids({ point: [-72, 43] })).toHaveLength(8);
    expect(ids({ point: [-72, 43], status: ['SOLD'], age: 30, acres_min: 2 })).toEqual([2, 7]);
  });

  test('a page past the end is 404, page 1 of nothing is an empty list', () => {
    expect(list({ fips: '01001' })).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(problemsOf({ fips: '33019', page: 2 })).toEqual({ code: ['not_found'] });
    expect(problemsOf({ fips: '01001', page: 2 })).toEqual({ code: ['not_found'] });
    expect(problemsOf({ point: [-72, 43], page: 9 })).toEqual({ code: ['not_found'] });
  });

  test('costs one token a returned comp', () => {
    const answer = list({ fips: '33019', page_size: 3 });
    expect([answer.count, listComps.price(answer)]).toEqual([7, 3]);
    expect(listComps.price(list({ fips: '01001' }))).toBe(0);
    expect(listComps.quote({ fips: '33019' })).toBe(100);
    expect(listComps.quote({ fips: '33019', page_size: 9999 })).toBe(500);
  });
});

describe('a record', () => {
  test('has strings where the service has strings, and its place as strings', () => {
    engine = emptyEngine();
    insertComps(engine.land, [
      {
        source: 'MLS',
        status: 'SOLD',
        address: '1 MILL RD',
        city: 'Wrenfield',
        state: 'NH',
        zip: '03280',
        county: 'Sullivan',
        apn: '12-1',
        latitude: 43.15654178260426,
        longitude: -72,
        lot_size: 2.5,
        price: 45_000.5,
        sold_date: '2025-03-14',
        days_on_market: 12,
        sale_type: 'Sold',
        url: 'https://listings.invalid/1',
        photos: ['https://listings.invalid/1.jpg', 'https://listings.invalid/2.jpg'],
      },
      { status: 'ACTIVE', latitude: 1e-7, longitude: -1e-9, lot_size: null },
    ]);
    const [active, sold] = list({ fips: '33019' }).results.toReversed();
    expect(sold).toEqual({
      id: idOf(0),
      source: 'MLS',
      status: 'SOLD',
      address: '1 MILL RD',
      city: 'Wrenfield',
      state: 'NH',
      zip: '03280',
      county: 'Sullivan',
      apn: '12-1',
      latitude: '43.1565418',
      longitude: '-72',
      lot_size: 2.5,
      price: 45_000.5,
      sold_date: '2025-03-14T00:00:00Z',
      days_on_market: 12,
      sale_type: 'Sold',
      url: 'https://listings.invalid/1',
      photos: ['https://listings.invalid/1.jpg', 'https://listings.invalid/2.jpg'],
    });
    expect(active).toEqual({
      id: idOf(1),
      source: 'test',
      status: 'ACTIVE',
      address: '',
      city: '',
      state: '',
      zip: '',
      county: '',
      apn: '',
      latitude: '0.0000001',
      longitude: '0',
      lot_size: null,
      price: 10_000,
      sold_date: null,
      days_on_market: null,
      sale_type: '',
      url: '',
      photos: [],
    });
    const answer = list({ fips: '33019' });
    expect(listComps.table?.rows(answer)[0]?.photos).toBe(
      'https://listings.invalid/1.jpg https://listings.invalid/2.jpg',
    );
    expect(listComps.table?.columns).toEqual(Object.keys(sold ?? {}));
  });

  test('every comp of the sample fits the schema', () => {
    engine = engineOn(sampleHome(), { now });
    const answer = list({ fips: '99001', page_size: 500 });
    expect(answer.count).toBe(900);
    expect(answer.next).toBe('?page=2');
    for (const comp of answer.results) expect(Object.keys(comp)).toEqual(listComps.table?.columns);
    for (const { input } of listComps.examples) expect(list(input).count).toBeGreaterThan(0);
  });
});

describe('input', () => {
  const query = (text: string) => {
    const values: Record<string, string | string[]> = {};
    for (const [name, value] of new URLSearchParams(text)) {
      const known = values[name];
      values[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
    }
    return fromQuery(listComps.input, values);
  };

  test('comes from a query string with repeated parameters', () => {
    expect(query('point=-72.1&point=43&status=SOLD&status=ACTIVE&dist=5&acres_min=.5')).toEqual({
      point: [-72.1, 43],
      status: ['SOLD', 'ACTIVE'],
      dist: 5,
      acres_min: 0.5,
    });
    expect(query('status=SOLD&fips=33019&age=30')).toEqual({ status: ['SOLD'], fips: '33019', age: 30 });
  });

  test.each([
    ['', 'non_field_errors'],
    ['dist=5', 'non_field_errors'],
    ['fips=1', 'fips'],
    ['point=-72', 'point'],
    ['point=-72&point=43&point=1', 'point'],
    ['point=-72,43', 'point'],
    ['point=x&point=43', 'point'],
    ['point=43&point=-172', 'point'],
    ['point=-181&point=43', 'point'],
    ['point=1e400&point=43', 'point'],
    ['point=-72&point=43&dist=0', 'dist'],
    ['point=-72&point=43&dist=200001', 'dist'],
    ['point=-72&point=43&dist=1.5', 'dist'],
    ['fips=33019&status=sold', 'status'],
    ['fips=33019&status=SOLD&status=GONE', 'status'],
    ['fips=33019&status=', 'status'],
    ['fips=33019&age=-1', 'age'],
    ['fips=33019&acres_min=5&acres_max=4', 'acres_min'],
    ['fips=33019&acres_min=-1', 'acres_min'],
    ['fips=33019&acres=5', 'acres'],
    ['fips=33019&page=0', 'page'],
  ])('%s is refused at %s', (text, field) => {
    engine = engineOn(sampleHome(), { now });
    expect(Object.keys(problemsOf(query(text)))).toEqual([field]);
  });
});

test('the index of places follows every change, whoever makes it', () => {
  engine = emptyEngine();
  const { file } = engine.land;
  insertComps(engine.land, [{}, {}, {}]);
  file.run('UPDATE comps SET longitude = -100, latitude = 40 WHERE comp_id = ?', idOf(0));
  file.run('DELETE FROM comps WHERE comp_id = ?', idOf(1));
  file.run(
    "INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, price) VALUES (?, 'test', ?, '33019', 'SOLD', 1, 1, 5) ON CONFLICT (comp_id) DO UPDATE SET latitude = excluded.latitude, longitude = excluded.longitude",
    idOf(2),
    idOf(2),
  );
  expect([ids({ point: [-100, 40] }), ids({ point: [1, 1] }), ids({ point: [-72, 43] })]).toEqual([[0], [2], []]);
  expect(file.get('SELECT count(*) AS n, rtreecheck(?) AS fine FROM comps_index', 'comps_index')).toEqual({
    n: 2,
    fine: 'ok',
  });
});

test('a copy of the file by VACUUM INTO finds the same comps', () => {
  engine = emptyEngine();
  insertComps(
    engine.land,
    Array.from({ length: 50 }, (_, i) => ({ latitude: 43 + i / 10_000 })),
  );
  engine.land.file.run('DELETE FROM comps WHERE comp_rowid % 3 = 0');
  const before = ids({ point: [-72, 43], dist: 300 });
  const home = emptyHome();
  engine.land.file.run(`VACUUM INTO '${home}/land.sqlite'`);
  const copy = openEngine({ home, now });
  onTestFinished(() => copy.close());
  expect(numbersOf(atOnce(listComps.run({ point: [-72, 43], dist: 300 }, contextOf(copy))).results)).toEqual(before);
});

test('a file of the first version keeps its comps, gets their index and the successors of counties', () => {
  const home = emptyHome();
  const old = openSqliteFile(path.join(home, 'land.sqlite'), {
    fileName: 'land.sqlite',
    applicationId: applicationId('PLBL'),
    migrations: landMigrations.slice(0, 1),
    synchronous: 'NORMAL',
    functions: () => ({}),
    virtualModules: ['VirtualSpatialIndex'],
  });
  old.run("INSERT INTO counties VALUES ('09013', 'CT', 'Tolland County'), ('33019', 'NH', 'Sullivan County')");
  for (const number of [2, 1]) {
    old.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, price, sold_date)
       VALUES (?, 'MLS', ?, '33019', 'SOLD', 43, -72, 5000, '2025-03-14')`,
      idOf(number),
      String(number),
    );
  }
  old.close();
  engine = openEngine({ home, now });
  onTestFinished(() => engine.close());
  expect(ids({ point: [-72, 43] })).toEqual([1, 2]);
  const superseded = engine.land.file.all('SELECT fips, superseded_by FROM counties WHERE superseded_by IS NOT NULL');
  expect(superseded).toContainEqual({ fips: '09013', superseded_by: '09110 09150' });
  expect(superseded).toContainEqual({ fips: '46113', superseded_by: '46102' });
});

test('old and new files name the same successors', () => {
  engine = emptyEngine();
  const rows = engine.land.file.all<{ fips: string; superseded_by: string }>(
    'SELECT fips, superseded_by FROM counties WHERE superseded_by IS NOT NULL ORDER BY fips',
  );
  const [, second = ''] = landMigrations;
  const updates = [...second.matchAll(/superseded_by = '([\d ]+)' WHERE fips = '(\d+)'/g)];
  expect(updates.map(([, successors, fips]) => ({ fips, superseded_by: successors }))).toEqual(rows);
});
