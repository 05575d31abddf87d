/** Counties out of PostGIS into a home: the same rows, ids and comps; again no change; undo; nothing that the home knows otherwise. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkHome } from '../../engine/check.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { undoImport } from '../../engine/importing/merge/undo-import.ts';
import type { ServerConnection } from '../../engine/postgis/connect.ts';
import { pullCounty } from '../../engine/postgis/pull-county.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { fillFixture, fixtureFips } from '../support/fixture-home.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { connected, startPostgis, type TestServer } from '../support/postgis.ts';

let postgis: TestServer;
beforeAll(async () => {
  const started = await startPostgis('pull from PostGIS');
  if (!started) throw new Error('neither PostgreSQL nor PGlite starts');
  postgis = started;
}, 120_000);
afterAll(() => postgis.stop());

async function newServer(): Promise<ServerConnection> {
  const { url, access } = await postgis.newDatabase();
  return connected(url, access);
}

function newEngine(fill: (engine: Engine) => void = () => {}): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  fill(engine);
  return engine;
}

const push = async (server: ServerConnection, { home }: Engine) =>
  (await pushLand(server, home, { platbook: '0.0.0' })).counties[0];

const pull = (server: ServerConnection, { land, now }: Engine, fips: string, replace = false) =>
  pullCounty(server, land, { fips, now, replace });

/** Everything of a county that travels, without what a home numbers for itself. */
function landOf({ land: { file } }: Engine, fips: string) {
  const rows = (sql: string) => file.all(sql, fips);
  return {
    parcels: rows(`SELECT p.*, d.jurisdiction, 0 AS dataset_id FROM parcels p LEFT JOIN datasets d USING (dataset_id)
      WHERE p.fips = ? ORDER BY property_id`),
    registry: rows('SELECT * FROM parcel_registry WHERE fips = ? ORDER BY property_id'),
    raw: rows('SELECT w.* FROM raw_columns w JOIN parcels p USING (property_id) WHERE p.fips = ? ORDER BY property_id'),
    datasets: rows('SELECT *, 0 AS dataset_id FROM datasets WHERE fips = ? ORDER BY jurisdiction'),
    comps: rows('SELECT *, 0 AS comp_rowid FROM comps WHERE fips = ? ORDER BY comp_id'),
  };
}

test('push, pull, push: the home that pulled has every row as the first, and the server sees no difference', async () => {
  const first = engineOn(sampleHome());
  const { fips } = first.land.file.get<{ fips: string }>('SELECT fips FROM parcels LIMIT 1') ?? { fips: '' };
  first.land.file.run("UPDATE parcels SET township = 'T5N', section = 12 WHERE property_id % 3 = 0");
  first.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id % 100 = 7");
  const server = await newServer();
  await push(server, first);
  const second = newEngine();
  const pulled = await pull(server, second, fips);
  const parcels = landOf(first, fips).parcels.length;
  expect(pulled.datasets).toMatchObject([{ new: parcels, changed: 0, retired: 0, unchanged: 0 }]);
  expect(landOf(second, fips)).toEqual(landOf(first, fips));
  expect(checkHome(second).filter(({ ok }) => !ok)).toEqual([]);
  expect(await push(server, second)).toMatchObject({ is_changed: false, unchanged: parcels });
  const again = await pull(server, second, fips);
  expect(again).toMatchObject({ datasets: [{ import_id: null, unchanged: parcels }], comps_changed: 0 });
  // The next import of the county keeps on from the same ids.
  const last = (engine: Engine) => engine.land.file.get('SELECT max(property_id) AS id FROM parcel_registry');
  expect(last(second)).toEqual(last(first));
});

test('a pull changes only what differs, and undo takes it back', async () => {
  const first = newEngine(fillFixture);
  const server = await newServer();
  await push(server, first);
  const second = newEngine();
  await pull(server, second, fixtureFips);
  const before = landOf(second, fixtureFips);
  first.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 3");
  first.land.file.run('DELETE FROM parcels WHERE property_id = 4');
  first.land.file.run("UPDATE datasets SET source_date = '2026-03-01'");
  await push(server, first);
  const { datasets } = await pull(server, second, fixtureFips);
  expect(datasets).toMatchObject([{ new: 0, changed: 1, retired: 1, unchanged: 49 }]);
  expect(second.land.file.column('SELECT owner_name FROM parcels WHERE property_id = 3')).toEqual(['NEW OWNER']);
  expect(second.land.file.column('SELECT status FROM parcels WHERE property_id = 4')).toEqual(['retired']);
  undoImport(second.land, { now: second.now });
  expect(landOf(second, fixtureFips)).toEqual(before);
  await pull(server, second, fixtureFips);
  // A newer county of the home gives way only on request.
  second.land.file.run("UPDATE datasets SET source_date = '2026-09-01'");
  await expect(pull(server, second, fixtureFips)).rejects.toMatchObject({ code: 'import_refused' });
  expect((await pull(server, second, fixtureFips, true)).datasets).toMatchObject([{ changed: 0 }]);
});

test('a home that knows the numbers otherwise is refused and stays as it was', async () => {
  const server = await newServer();
  await push(server, newEngine(fillFixture));
  const other = newEngine((engine) => {
    fillFixture(engine);
    engine.land.file.run("UPDATE parcels SET fips = '33019'");
    engine.land.file.run("UPDATE datasets SET fips = '33019'");
  });
  const before = landOf(other, '33019');
  await expect(pull(server, other, fixtureFips)).rejects.toMatchObject({
    code: 'import_refused',
    message: expect.stringMatching(/51 parcels .*--home/s),
  });
  expect(landOf(other, '33019')).toEqual(before);
  await expect(pull(server, other, '01001')).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining(fixtureFips),
  });
});

test('comps beyond the border come along, because a comp value reads them; those far away do not', async () => {
  const first = newEngine(fillFixture);
  const comp = (id: string, fips: string, longitude: number, parcel: number | null) =>
    first.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, property_id, status, latitude, longitude, price, sold_date)
       VALUES (?, 'list', ?, ?, ?, 'SOLD', 43.1, ?, 1000, '2026-01-01')`,
      ...[id, id, fips, parcel, longitude],
    );
  first.land.file.run("INSERT OR IGNORE INTO counties (fips, state, name) VALUES ('99003', 'ZZ', 'Birch County')");
  first.land.file.run(
    "INSERT INTO parcels (property_id, fips, status, apn, dataset_id) VALUES (900, '99003', 'current', 'B', NULL)",
  );
  comp('inside', fixtureFips, -72.2, 5);
  comp('beyond', '99003', -71.5, 900);
  comp('far', '99003', -69, null);
  const server = await newServer();
  await pushLand(server, first.home, { platbook: '0.0.0' });
  const second = newEngine();
  expect(await pull(server, second, fixtureFips)).toMatchObject({ comps: 2, comps_changed: 2 });
  expect(second.land.file.all('SELECT comp_id, property_id FROM comps ORDER BY 1')).toEqual([
    { comp_id: 'beyond', property_id: null },
    { comp_id: 'inside', property_id: 5 },
  ]);
});

test('a comp on a parcel of another county keeps it there and here, and is never on another with its number', async () => {
  const put = ({ land: { file } }: Engine, fips: string, apn: string) => {
    file.run("INSERT INTO counties (fips, state, name) VALUES (?, 'ZZ', 'Birch County')", fips);
    file.run("INSERT INTO parcels (property_id, fips, status, apn) VALUES (900, ?, 'current', ?)", fips, apn);
    file.run('INSERT INTO parcel_registry VALUES (900, ?, ?, ?, 1, NULL)', fips, '', apn);
  };
  const first = newEngine((engine) => {
    fillFixture(engine);
    put(engine, '99003', 'B');
    engine.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, property_id, status, latitude, longitude, price, sold_date)
       VALUES ('across', 'list', 'across', ?, 900, 'SOLD', 43.1, -72.2, 1000, '2026-01-01')`,
      fixtureFips,
    );
  });
  const server = await newServer();
  await pushLand(server, first.home, { platbook: '0.0.0' });
  const linkOf = ({ land: { file } }: Engine) => file.column('SELECT property_id FROM comps');
  const alone = newEngine();
  await pull(server, alone, fixtureFips);
  expect(linkOf(alone)).toEqual([null]);
  // A home without the other county does not take the comp's parcel away there.
  expect(await push(server, alone)).toMatchObject({ is_changed: false });
  const same = newEngine((engine) => put(engine, '99003', 'B'));
  await pull(server, same, fixtureFips);
  expect(linkOf(same)).toEqual([900]);
  for (const [fips, apn] of [
    ['99003', 'C'],
    ['99007', 'B'],
  ] as const) {
    const other = newEngine((engine) => put(engine, fips, apn));
    await pull(server, other, fixtureFips);
    expect(linkOf(other)).toEqual([null]);
  }
});

test('what the server holds of another kind is refused by name, and the home stays as it was', async () => {
  const server = await newServer();
  await push(server, newEngine(fillFixture));
  const home = newEngine();
  const refuses = async (statement: string, words: RegExp) => {
    await server.run(statement);
    await expect(pull(server, home, fixtureFips)).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(words),
    });
    expect(home.land.file.column('SELECT count(*) FROM parcels')).toEqual([0]);
  };
  await refuses(
    "UPDATE parcels SET geom = ST_GeomFromText('LINESTRING(0 0, 1 1)', 4326) WHERE property_id = 5",
    /A row of parcels on the server cannot be read: Expected a MultiPolygon or a point/,
  );
  await refuses("UPDATE datasets SET report = '{'", /A row of datasets on the server cannot be read/);
});
