/** Counties into PostGIS: every value arrives as it is here, again is no change, and ids are the server's to give. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Engine, openEngine } from '../../engine/engine.ts';
import type { ServerConnection } from '../../engine/postgis/connect.ts';
import { countsSql } from '../../engine/postgis/county-counts.ts';
import { blobOfEwkb } from '../../engine/postgis/ewkb.ts';
import { type PushOptions, pushLand } from '../../engine/postgis/push.ts';
import { foldColumns, parcelValueColumns } from '../../engine/postgis/server-columns.ts';
import { fillFixture, fixtureFips } from '../support/fixture-home.ts';
import { copyOfHome, emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { connected, startPostgis, type TestServer } from '../support/postgis.ts';

let postgis: TestServer;
beforeAll(async () => {
  const started = await startPostgis('push to PostGIS');
  if (!started) throw new Error('neither PostgreSQL nor PGlite starts');
  postgis = started;
}, 120_000);
afterAll(() => postgis.stop());

async function newServer(): Promise<ServerConnection> {
  const { url, access } = await postgis.newDatabase();
  return connected(url, access);
}

const push = async (server: ServerConnection, { home }: Engine, options: Partial<PushOptions> = {}) =>
  (await pushLand(server, home, { platbook: '0.0.0', ...options })).counties;

function fixtureEngine(change: (engine: Engine) => void = () => {}): Engine {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  fillFixture(engine);
  change(engine);
  return engine;
}

const sampleEngine = (): Engine => engineOn(sampleHome());

/** As land.sqlite has it, where PostgreSQL has another type. */
function asStored(type: string, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'boolean') return Number(value);
  if (type === 'doubles') return JSON.stringify(value);
  if (type === 'geometry') return blobOfEwkb(value as Buffer);
  return value;
}

test('every value and shape of the sample arrives as it is here; a second push changes nothing', async () => {
  const engine = sampleEngine();
  const server = await newServer();
  const home = engine.land.file.all('SELECT * FROM parcels ORDER BY property_id');
  const [first] = await push(server, engine);
  expect(first).toMatchObject({ added: home.length, changed: 0, removed: 0, unchanged: 0, renumbered: 0 });
  const names = parcelValueColumns.map(({ name }) =>
    name === 'geom' ? "ST_AsEWKB(geom, 'NDR') AS geom" : `"${name}"`,
  );
  const stored = await server.rows(`SELECT ${names.join(', ')} FROM parcels ORDER BY property_id`);
  expect(stored).toHaveLength(home.length);
  for (const [index, row] of stored.entries())
    for (const { name, type } of parcelValueColumns)
      expect([name, asStored(type, row[name])]).toEqual([name, home[index]?.[name] ?? null]);
  const raw = engine.land.file.all('SELECT property_id, json FROM raw_columns ORDER BY 1');
  expect(await server.rows('SELECT property_id, json FROM raw_columns ORDER BY 1')).toEqual(raw);
  const comps = engine.land.file.all('SELECT comp_id, price, sold_date, "use", photos FROM comps ORDER BY comp_id');
  expect(await server.rows('SELECT comp_id, price, sold_date, "use", photos FROM comps ORDER BY comp_id')).toEqual(
    comps,
  );
  const before = await server.rows('SELECT fips, generation FROM pushed_counties');
  const [again] = await push(server, engine);
  expect(again).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: home.length, is_changed: false });
  expect(await server.rows('SELECT fips, generation FROM pushed_counties')).toEqual(before);
});

test('rows that another program changed or deleted are as in the home again, also those without a note of it', async () => {
  const engine = engineOn(copyOfHome(sampleHome()));
  engine.land.file.run(
    `INSERT INTO raw_columns (property_id, json) SELECT property_id, '{"LOT":"7"}' FROM parcels ORDER BY property_id LIMIT 50`,
  );
  const server = await newServer();
  await push(server, engine);
  const all =
    "SELECT md5(string_agg(p::text || coalesce(w.json, ''), ',' ORDER BY p.property_id)) AS sum FROM parcels p LEFT JOIN raw_columns w USING (fips, property_id)";
  const before = await server.rows(all);
  // Rows with unmapped columns: those stay behind.
  const some = '(SELECT property_id FROM raw_columns ORDER BY 1 LIMIT 7)';
  await server.run(`UPDATE parcels SET acres = 1 WHERE property_id IN (SELECT property_id FROM parcels ORDER BY 1 DESC LIMIT 5);
    DELETE FROM parcels WHERE property_id IN ${some}`);
  const [mended] = await push(server, engine);
  expect(mended).toMatchObject({ added: 7, changed: 5, removed: 0, mended: 5, is_changed: true });
  expect(await server.rows(all)).toEqual(before);
  // A trigger tells nothing of these: the owner of the tables switched it off, or the row is another table's.
  await server.run(`ALTER TABLE parcels DISABLE TRIGGER parcels_written;
    UPDATE parcels SET acres = 1 WHERE property_id IN ${some}; ALTER TABLE parcels ENABLE TRIGGER parcels_written`);
  const [verified] = await push(server, engine, { verify: true });
  expect(verified).toMatchObject({ added: 0, changed: 7, mended: 7 });
  expect(await server.rows(all)).toEqual(before);
  await server.run('TRUNCATE parcels');
  expect((await push(server, engine))[0]).toMatchObject({ changed: 0, unchanged: 0 });
  expect(await server.rows(all)).toEqual(before);
});

test('texts are stored folded as filters compare them, where that differs', async () => {
  const engine = fixtureEngine();
  const server = await newServer();
  await push(server, engine);
  const stored = await server.rows<Record<string, string | null>>('SELECT * FROM parcels');
  for (const row of stored)
    for (const { name, of, make } of foldColumns)
      expect([name, row[name]]).toEqual([name, row[of] == null ? null : make(row[of])]);
  expect(stored.some(({ owner_name_words: words }) => words === ' SUM A1 THE TRUST OF ALDER ')).toBe(true);
});

test('only what changed travels: rows that were added, edited, redrawn or removed', async () => {
  const engine = fixtureEngine();
  const server = await newServer();
  await push(server, engine);
  const { file } = engine.land;
  file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 3");
  file.run('UPDATE parcels SET geom = (SELECT geom FROM parcels WHERE property_id = 5) WHERE property_id = 4');
  file.run('INSERT INTO raw_columns VALUES (6, \'{"A":1}\')');
  file.run('DELETE FROM parcels WHERE property_id = 7');
  const [county] = await push(server, engine);
  expect(county).toMatchObject({ added: 0, changed: 3, removed: 1, unchanged: 47, is_changed: true });
  expect(await server.rows('SELECT owner_name FROM parcels WHERE property_id IN (3, 7)')).toEqual([
    { owner_name: 'NEW OWNER' },
  ]);
  expect(await server.rows('SELECT generation FROM pushed_counties')).toEqual([{ generation: 2 }]);
  await expectCounted(server);
  file.run("UPDATE parcels SET situs_zip = '00999', acres = NULL, status = 'retired' WHERE property_id < 9");
  await push(server, engine);
  await expectCounted(server);
});

/** What is kept of each county is what its rows say now. */
async function expectCounted(server: ServerConnection): Promise<void> {
  const counties = await server.rows<{ is_same: boolean }>(
    `SELECT counts = ${countsSql('p.fips')} AS is_same FROM pushed_counties p`,
  );
  expect(counties).toEqual([{ is_same: true }]);
}

test('what PostgreSQL cannot hold is named, and nothing is sent', async () => {
  const engine = fixtureEngine(({ land: { file } }) => {
    file.run("UPDATE parcels SET zoning = 'A' || char(0) || 'B' WHERE property_id = 2");
    file.run("UPDATE parcels SET situs_city = CAST(x'41ff42' AS TEXT) WHERE property_id = 3");
    file.run("UPDATE parcels SET subdivision = 'fine: \ufffd' WHERE property_id = 4");
    file.run("UPDATE parcels SET last_sale_date = '2026-02-30' WHERE property_id = 6");
  });
  const server = await newServer();
  await expect(push(server, engine)).rejects.toMatchObject({
    code: 'push_refused',
    message: expect.stringMatching(/^3 values .*2, zoning: .*U\+0000.*3, situs_city: .*UTF-8.*6, last_sale_date/s),
  });
  expect(await server.rows('SELECT count(*) AS n FROM parcels')).toEqual([{ n: 0 }]);
});

test('a second home with the same numbers is refused, or renumbered by the server, and stays so', async () => {
  const other = '99003';
  const first = fixtureEngine();
  const second = fixtureEngine(({ land: { file } }) => {
    file.run("INSERT INTO counties (fips, state, name) VALUES (?, 'ZZ', 'Birch County')", other);
    for (const table of ['parcels', 'datasets']) file.run(`UPDATE ${table} SET fips = ?`, other);
  });
  const server = await newServer();
  await push(server, first);
  await expect(push(server, second)).rejects.toMatchObject({
    code: 'push_refused',
    message: expect.stringMatching(/51 parcels .*--renumber/s),
  });
  const [renumbered] = await push(server, second, { renumber: true });
  expect(renumbered).toMatchObject({ added: 51, renumbered: 51 });
  expect(await server.rows('SELECT first_id, last_id, fips FROM id_blocks ORDER BY 1')).toEqual([
    { first_id: 1, last_id: 51, fips: fixtureFips },
    { first_id: 52, last_id: 102, fips: other },
  ]);
  // Shape by shape, the parcels are the same under their new numbers.
  expect(
    await server.rows(`SELECT count(*) AS n FROM parcels a JOIN parcels b ON b.property_id = a.property_id + 51
      WHERE a.fips = '${fixtureFips}' AND a.apn = b.apn AND a.geom IS NOT DISTINCT FROM b.geom`),
  ).toEqual([{ n: 51 }]);
  const [again] = await push(server, second, { renumber: true });
  expect(again).toMatchObject({ is_changed: false, renumbered: 51 });
});

/** A sale in one county, whose pin lies on a parcel of another or the same. */
function putComp({ land: { file } }: Engine, id: string, fips: string, parcel: number | null): void {
  file.run(
    `INSERT INTO comps (comp_id, source, source_id, fips, property_id, status, latitude, longitude, price, sold_date)
     VALUES (?, 'list', ?, ?, ?, 'SOLD', 43.1, -72.2, 1000, '2026-01-01')`,
    ...[id, id, fips, parcel],
  );
}

test('a comp lies on the same parcel there as here, also on one of another county that has other numbers there', async () => {
  const [west, east] = ['99003', '99005'];
  const second = fixtureEngine((engine) => {
    const { file } = engine.land;
    for (const fips of [west, east])
      file.run("INSERT INTO counties (fips, state, name) VALUES (?, 'ZZ', 'Birch County')", fips);
    for (const table of ['parcels', 'datasets']) file.run(`UPDATE ${table} SET fips = ?`, west);
    // Registered by hand and by another program: both are the county's.
    file.run("INSERT INTO parcels (property_id, fips, status, apn) VALUES (60, ?, 'current', 'E-60')", east);
    file.run("INSERT INTO parcels (property_id, fips, status, apn) VALUES (61, ?, 'current', 'E-61')", east);
    file.run("INSERT INTO parcel_registry VALUES (60, ?, '', 'E-60', 1, NULL)", east);
    putComp(engine, 'west on west', west, 5);
    putComp(engine, 'west on east', west, 60);
    putComp(engine, 'west on unregistered', west, 61);
    putComp(engine, 'east on west', east, 7);
    putComp(engine, 'on no parcel', east, 7777);
  });
  const server = await newServer();
  await push(server, fixtureEngine());
  const pushed = await push(server, second, { renumber: true });
  expect(pushed).toMatchObject([
    { fips: west, renumbered: 51, comps: 3, comps_without_parcel: 2 },
    { fips: east, renumbered: 2, comps: 2, comps_without_parcel: 1 },
  ]);
  const links = () =>
    server.rows(`SELECT c.comp_id, p.fips, p.apn FROM comps c JOIN parcels p ON p.property_id = c.property_id
      WHERE c.fips <> '${fixtureFips}' ORDER BY 1`);
  const expected = second.land.file.all(
    'SELECT c.comp_id, p.fips, p.apn FROM comps c JOIN parcels p USING (property_id) ORDER BY 1',
  );
  expect(expected).toHaveLength(4);
  expect(await links()).toEqual(expected);
  expect(await server.rows("SELECT property_id FROM comps WHERE comp_id = 'on no parcel'")).toEqual([
    { property_id: null },
  ]);
  const again = await push(server, second, { renumber: true });
  expect(again).toMatchObject([
    { is_changed: false, comps_without_parcel: 0 },
    { is_changed: false, comps_without_parcel: 1 },
  ]);
  expect(await links()).toEqual(expected);
});

test('counties travel side by side: one that is refused leaves the others whole, and the next push brings it', async () => {
  const counties = [fixtureFips, '99003', '99005'];
  const engine = fixtureEngine(({ land: { file } }) => {
    for (const [place, fips] of counties.entries()) {
      if (place > 0) file.run("INSERT INTO counties (fips, state, name) VALUES (?, 'ZZ', 'Birch County')", fips);
      file.run('UPDATE parcels SET fips = ? WHERE property_id % 3 = ?', fips, place);
    }
    file.run("UPDATE parcels SET zoning = 'A' || char(0) WHERE property_id = 1");
  });
  const server = await newServer();
  const pushed: string[] = [];
  const refused = push(server, engine, { onCounty: ({ fips }) => pushed.push(fips) });
  await expect(refused).rejects.toMatchObject({
    code: 'push_refused',
    message: expect.stringMatching(/Parcel 1, zoning/),
  });
  const there = () => server.rows('SELECT fips, count(*) AS n FROM parcels GROUP BY 1 ORDER BY 1');
  expect(await there()).toEqual(pushed.sort().map((fips) => ({ fips, n: 17 })));
  engine.land.file.run("UPDATE parcels SET zoning = 'A' WHERE property_id = 1");
  expect((await push(server, engine)).map(({ fips }) => fips)).toEqual(counties);
  expect(await there()).toEqual(counties.map((fips) => ({ fips, n: 17 })));
});

test('a town of the county that only the server has stays', async () => {
  const town = (name: string, from: number) =>
    fixtureEngine(({ land: { file } }) => {
      file.run('UPDATE datasets SET jurisdiction = ?', name);
      file.run('UPDATE parcels SET property_id = property_id + ?, apn = apn || ?', from, name);
    });
  const server = await newServer();
  await push(server, town('Wrenfield', 0));
  const [county] = await push(server, town('Marlow', 1000));
  expect(county).toMatchObject({ added: 51, removed: 0, kept_datasets: 1, parcels: 102 });
});

test('the sample and real data each need a database of their own', async () => {
  const server = await newServer();
  await push(server, fixtureEngine());
  const real = fixtureEngine(({ land }) => land.file.run("UPDATE home_kind SET kind = 'real'"));
  await expect(push(server, real)).rejects.toMatchObject({ code: 'sample_and_real' });
});
