/** The comps in memory against the rows of the file, after writes of any program. */
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ValueComp, valueFromComps } from '../../engine/comps/comp-value.ts';
import { recordOf } from '../../engine/comps/same-sale.ts';
import { type CompQuery, queryComps } from '../../engine/query/comp-query.ts';
import { explainValue, findSubject } from '../../engine/query/value-query.ts';
import { type LandStore, openLandStore } from '../../engine/store/land-store.ts';
import { createRandom, type Random } from '../sample-maker/random.ts';
import { emptyHome } from '../support/homes.ts';
import { idOf } from './comp-rows.ts';

const now = new Date('2026-11-20T12:00:00Z');
const compCount = 1500;
const parcelCount = 400;

type Run = (sql: string, ...values: unknown[]) => unknown;

let home: string;
let land: LandStore;

function insert(run: Run, table: string, row: Record<string, unknown>): void {
  const names = Object.keys(row);
  run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, ...Object.values(row));
}

const day = (random: Random): string =>
  new Date(now.getTime() - random.integer(-30, 3500) * 86_400_000).toISOString().slice(0, 10);

const place = (random: Random) => ({ latitude: 40 + 0.15 * random.normal(), longitude: -100 + 0.15 * random.normal() });

function parcelRow(random: Random, id: number): Record<string, unknown> {
  const { latitude, longitude } = place(random);
  return {
    property_id: id,
    apn: `${id}-1`,
    fips: '20163',
    acres: random.chance(0.9) ? Math.exp(1 + random.normal()) : null,
    calculated_acres: 3,
    zoning: random.pick(['AG', 'R1', null]),
    wetlands_percent: random.chance(0.5) ? random.integer(0, 100) : null,
    slope_area_percent: random.chance(0.3) ? JSON.stringify(Array.from({ length: 11 }, (_, i) => 100 - 9 * i)) : null,
    landlocked: random.pick([0, 1, null]),
    road_frontage_ft: random.chance(0.5) ? random.integer(0, 900) : null,
    water_frontage_ft: random.chance(0.5) ? random.integer(0, 60) : null,
    point_lon: longitude,
    point_lat: latitude,
  };
}

function compRow(random: Random, number: number): Record<string, unknown> {
  const acres = Math.exp(1 + random.normal());
  const status = random.pick(['SOLD', 'SOLD', 'PENDING', 'ACTIVE']);
  return {
    comp_id: idOf(random.integer(0, 1e7) * 10_000 + number),
    source: 'test',
    source_id: `${number}`,
    fips: random.pick(['20163', '20165']),
    property_id: random.chance(0.4) ? random.integer(1, parcelCount) : null,
    status,
    ...place(random),
    coordinate_grain: random.pick(['parcel', 'zip', null]),
    lot_size: random.chance(0.97) ? acres : null,
    price: Math.round(acres * Math.exp(8 - 0.4 * Math.log(acres) + 0.5 * random.normal())),
    use: random.pick(['AG', 'R1', null]),
    list_date: status === 'SOLD' ? null : day(random),
    as_of_date: status !== 'SOLD' && random.chance(0.5) ? day(random) : null,
    // other programs give listings a sold date, too
    sold_date: status === 'SOLD' || random.chance(0.05) ? day(random) : null,
  };
}

beforeEach(() => {
  home = emptyHome();
  land = openLandStore(home, () => performance.now());
  onTestFinished(() => land.close());
  const random = createRandom('land comps');
  const run: Run = (sql, ...values) => land.file.run(sql, ...values);
  land.file.transaction(() => {
    for (let id = 1; id <= parcelCount; id++) insert(run, 'parcels', parcelRow(random, id));
    for (let number = 0; number < compCount; number++) insert(run, 'comps', compRow(random, number));
  });
});

/** Another program at the same file: SQLite and nothing of ours. */
function stranger(): Database.Database {
  const database = new Database(path.join(home, 'land.sqlite'));
  onTestFinished(() => {
    database.close();
  });
  return database;
}

const daysOf = (iso: unknown): number | null => (iso === null ? null : Date.parse(String(iso)) / 86_400_000);

/** The rows of the table, read one by one and without any index. */
function rowsOfFile(): ValueComp[] {
  const rows = land.file.all<Record<string, unknown> & { longitude: number; latitude: number }>(
    `SELECT c.*, p.wetlands_percent, p.flood_zone_percent, p.slope_area_percent, p.landlocked, p.road_frontage_ft,
       p.water_frontage_ft, coalesce(p.market_land_value, p.assessed_land_value) AS county_land_value
     FROM comps c LEFT JOIN parcels p ON p.property_id = c.property_id`,
  );
  return rows.map((row) => ({
    id: row.comp_id as string,
    price: row.price as number,
    acres: row.lot_size as number | null,
    longitude: row.longitude,
    latitude: row.latitude,
    status: row.status as ValueComp['status'],
    date: row.status === 'SOLD' ? daysOf(row.sold_date) : daysOf(row.as_of_date ?? row.list_date),
    use: row.use as string | null,
    propertyId: row.property_id as number | null,
    apn: (row.apn as string | null) ?? '',
    address: (row.address as string | null) ?? '',
    attributes: {
      wetlandsShare: row.wetlands_percent === null ? null : (row.wetlands_percent as number) / 100,
      floodShare: row.flood_zone_percent === null ? null : (row.flood_zone_percent as number) / 100,
      // the sixth of the eleven edges is 15 %
      steepShare:
        row.slope_area_percent === null ? null : (JSON.parse(row.slope_area_percent as string)[5] as number) / 100,
      landlocked: row.landlocked === null ? null : row.landlocked === 1,
      roadFrontageFeet: row.road_frontage_ft as number | null,
      waterFrontageFeet: row.water_frontage_ft as number | null,
    },
    countyLandValue: row.county_land_value as number | null,
    coordinateGrain: (row.coordinate_grain as 'parcel' | 'zip' | null) ?? 'parcel',
    record: recordOf(row.address as string | null, row.source_id as string | null),
    struck: null,
  }));
}

/** Whole explanations, which hold everything: values, every comp used, every reason. */
function expectAgreement(ids: readonly number[]): void {
  const rows = rowsOfFile();
  for (const id of ids) {
    const subject = findSubject(land, id, { time: now, isPast: false });
    if (!subject) throw new Error(`parcel ${id}`);
    const expected = valueFromComps(subject, rows);
    expect(expected.value).not.toBeNull();
    expect(explainValue(land, id, now)).toEqual(expected);
  }
}

const some = [3, 77, 150, 301];
const priceOf = (id: number) => explainValue(land, id, now)?.value?.mean_adjusted_price;

describe('a comp value from memory', () => {
  test('equals what the rows of the file give, with its whole explanation', () => {
    const random = createRandom('subjects');
    expectAgreement(Array.from({ length: 60 }, () => random.integer(1, parcelCount)));
  });

  test('knows comps beyond the ring, and names the nearest of those that are too far', () => {
    const run: Run = (sql, ...values) => land.file.run(sql, ...values);
    const alone = { ...parcelRow(createRandom('far'), 9000), acres: 5, point_lon: -90, point_lat: 30 };
    insert(run, 'parcels', alone);
    const subject = findSubject(land, 9000, { time: now, isPast: false });
    if (!subject) throw new Error('parcel 9000');
    const expected = valueFromComps(subject, rowsOfFile());
    expect(expected).toMatchObject({ value: null, reason: 'no_comps', nearest: { reason: 'beyond_ring' } });
    expect(explainValue(land, 9000, now)).toEqual(expected);
  });

  test('follows every row that another program inserts, changes, moves, replaces or deletes', () => {
    expectAgreement(some);
    const other = stranger();
    const run: Run = (sql, ...values) => other.prepare(sql).run(...values);
    const newest = createRandom('newest');
    const edits: Record<string, () => void> = {
      insert: () => insert(run, 'comps', { ...compRow(newest, 5000), source_id: 'new', price: 9e6 }),
      price: () => run('UPDATE comps SET price = price * 2 WHERE comp_rowid % 3 = 0'),
      place: () => run('UPDATE comps SET longitude = longitude + 0.05 WHERE comp_rowid % 5 = 0'),
      day: () => run("UPDATE comps SET sold_date = '2026-11-19' WHERE status = 'SOLD' AND comp_rowid % 2 = 0"),
      use: () => run("UPDATE comps SET use = 'AG'"),
      parcel: () => run('UPDATE comps SET property_id = NULL WHERE property_id > 200'),
      replace: () =>
        run(
          `INSERT OR REPLACE INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price)
           SELECT comp_id, source, source_id, fips, 'ACTIVE', latitude, longitude, 2, 7000 FROM comps WHERE comp_rowid < 300`,
        ),
      row: () => run('UPDATE comps SET comp_rowid = comp_rowid + 100000 WHERE comp_rowid % 7 = 0'),
      delete: () => run('DELETE FROM comps WHERE comp_rowid % 4 = 1'),
      'several in one transaction': other.transaction(() => {
        run('UPDATE comps SET price = price / 3');
        run('DELETE FROM comps WHERE comp_rowid % 11 = 0');
      }),
    };
    for (const edit of Object.values(edits)) {
      const before = rowsOfFile();
      edit();
      expect(rowsOfFile()).not.toEqual(before);
      expectAgreement(some);
    }
  });

  test('follows what becomes known of the parcels of comps', () => {
    const before = explainValue(land, 3, now);
    stranger().exec('UPDATE parcels SET wetlands_percent = 90, landlocked = 1, road_frontage_ft = 1000');
    expect(explainValue(land, 3, now)?.value).not.toEqual(before?.value);
    expectAgreement(some);
  });

  test('is of the open transaction inside it, and forgets it when it is taken back', () => {
    const before = priceOf(3);
    const tripled = () => {
      land.file.run('UPDATE comps SET price = price * 3');
      expect(priceOf(3)).toBeCloseTo(3 * (before ?? 0), 6);
      throw new Error('taken back');
    };
    expect(() => land.file.transaction(tripled)).toThrow('taken back');
    // as many rows as those that were taken back: the generation is the same, the prices are not
    land.file.run('UPDATE comps SET price = price * 5');
    expect(priceOf(3)).toBeCloseTo(5 * (before ?? 0), 6);
    expectAgreement(some);
  });

  test('does not trust what is in memory once another program took the triggers away', () => {
    expectAgreement(some);
    const other = stranger();
    other.exec('DROP TRIGGER comp_generation_update');
    expectAgreement(some);
    const before = priceOf(3) ?? 0;
    other.exec('UPDATE comps SET price = price * 2');
    expect(priceOf(3)).toBeCloseTo(2 * before, 6);
  });

  test('bears values that no import would write', () => {
    stranger().exec(`UPDATE comps SET price = 'free' WHERE comp_rowid % 10 = 0;
      UPDATE comps SET lot_size = 'large' WHERE comp_rowid % 10 = 1;
      UPDATE comps SET sold_date = x'00ff', lot_size = -1 WHERE comp_rowid % 10 = 2`);
    for (const id of some) {
      const { value, leftOut } = explainValue(land, id, now) ?? {};
      expect(value?.mean_adjusted_price).toBeGreaterThan(0);
      expect(leftOut?.counts.no_price).toBeGreaterThan(0);
      expect(leftOut?.counts.no_lot_size).toBeGreaterThan(0);
    }
  });
});

describe('comps around a point', () => {
  const circle = { longitude: -100, latitude: 40, meters: 12_000 };
  const page = { number: 1, size: 25, offset: 0 };

  /** After any write the next query is the first one of a new state, which the file answers. */
  const touch = () => land.file.run('UPDATE comps SET photos = photos WHERE comp_rowid = 1');
  const fromFile = (query: CompQuery) => {
    touch();
    return queryComps(land, query);
  };
  const fromMemory = (query: CompQuery) => {
    touch();
    queryComps(land, { circle, page });
    return queryComps(land, query);
  };

  const randomQuery = (random: Random): CompQuery => ({
    circle: { ...circle, longitude: -100 + 0.1 * random.normal(), meters: random.integer(500, 40_000) },
    page: { number: 1, size: random.integer(1, 60), offset: 0 },
    ...(random.chance(0.3) ? { fips: random.pick(['20163', '20165', '33019']) } : {}),
    ...(random.chance(0.3) ? { statuses: random.pick([['SOLD'], ['ACTIVE', 'PENDING']] as const) } : {}),
    ...(random.chance(0.3) ? { soldFrom: day(random), soldUntil: '2026-11-20' } : {}),
    ...(random.chance(0.3) ? { acresMin: random.between(0, 3) } : {}),
    ...(random.chance(0.3) ? { acresMax: random.between(2, 9) } : {}),
  });

  test('come from the file at first, and from memory when asked again', () => {
    touch();
    const { count } = queryComps(land, { circle, page });
    touch();
    // the R-tree is used for searching the file; no trigger watches it
    land.file.run('DELETE FROM comps_index');
    expect(queryComps(land, { circle, page }).count).toBe(0);
    expect(queryComps(land, { circle, page }).count).toBe(count);
    touch();
    expect(queryComps(land, { circle, page }).count).toBe(0);
    expect(count).toBeGreaterThan(100);
  });

  test('are the same from both, count and order, under any conditions', () => {
    const random = createRandom('queries');
    let matches = 0;
    for (let i = 0; i < 80; i++) {
      const query = randomQuery(random);
      const { size } = query.page;
      const expected = fromFile(query);
      expect(fromMemory(query)).toEqual(expected);
      matches += expected.count;
      if (expected.count <= size) continue;
      const last = Math.ceil(expected.count / size);
      const lastPage = { ...query, page: { number: last, size, offset: (last - 1) * size } };
      expect(fromMemory(lastPage)).toEqual(fromFile(lastPage));
      const beyond = { ...query, page: { number: last + 1, size, offset: last * size } };
      expect(() => fromMemory(beyond)).toThrow(/page/i);
    }
    expect(matches).toBeGreaterThan(5000);
  });

  test('come by id where they are equally far, from memory too', () => {
    land.file.run('UPDATE comps SET longitude = -100, latitude = 40.01 WHERE comp_rowid % 2 = 0');
    const ids = fromMemory({ circle, page: { number: 1, size: 400, offset: 0 } }).results.map(({ comp_id: id }) => id);
    expect(
      fromFile({ circle, page: { number: 1, size: 400, offset: 0 } }).results.map(({ comp_id: id }) => id),
    ).toEqual(ids);
    const twins = land.file.column<string>('SELECT comp_id FROM comps WHERE comp_rowid % 2 = 0 ORDER BY comp_id');
    const first = ids.indexOf(twins[0] ?? '');
    expect(ids.slice(first)).toEqual(twins.slice(0, 400 - first));
  });

  test('are read from the file where another program wrote invalid days', () => {
    land.file.run("UPDATE comps SET sold_date = '2026-11-01T00:00:00Z' WHERE status = 'SOLD' AND comp_rowid % 2 = 0");
    const query: CompQuery = { circle, page, soldFrom: '2026-11-01', soldUntil: '2026-11-02' };
    const expected = fromFile(query);
    expect(expected.count).toBeGreaterThan(0);
    expect(fromMemory(query)).toEqual(expected);
  });

  test('follow another connection', () => {
    fromMemory({ circle, page });
    const { results, count } = queryComps(land, { circle, page });
    stranger().prepare('DELETE FROM comps WHERE comp_id = ?').run(results[0]?.comp_id);
    for (const _time of [1, 2]) {
      const after = queryComps(land, { circle, page });
      expect(after.count).toBe(count - 1);
      expect(after.results.slice(0, 24)).toEqual(results.slice(1));
    }
  });
});
