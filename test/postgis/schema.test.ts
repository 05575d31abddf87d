/** The tables in PostgreSQL: made once, checked at every use, refused where another program changed them. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import type { ServerConnection } from '../../engine/postgis/connect.ts';
import { expectSchema, migrateServer } from '../../engine/postgis/migrate.ts';
import {
  columnDefinition,
  compServerColumns,
  foldColumns,
  parcelServerColumns,
  parcelValueColumns,
} from '../../engine/postgis/server-columns.ts';
import { emptyHome } from '../support/homes.ts';
import { connected, startPostgis, type TestServer } from '../support/postgis.ts';

let postgis: TestServer;
beforeAll(async () => {
  const started = await startPostgis('tables in PostGIS');
  if (!started) throw new Error('neither PostgreSQL nor PGlite starts');
  postgis = started;
}, 120_000);
afterAll(() => postgis.stop());

function emptyLand() {
  const engine = openEngine({ home: emptyHome(), keepsIndexes: false });
  onTestFinished(() => engine.close());
  return engine.land.file;
}

const countiesOf = (file: ReturnType<typeof emptyLand>) =>
  file.all<{ fips: string; state: string; name: string; superseded_by: string | null }>(
    'SELECT fips, state, name, superseded_by FROM counties ORDER BY fips',
  );

/** Takes away what version 4 made. */
const withoutIndexes = 'DROP FUNCTION note_write CASCADE; DROP TABLE county_indexes, county_writes;';

async function migrated() {
  const { url, access } = await postgis.newDatabase();
  const server = await connected(url, access);
  const counties = countiesOf(emptyLand());
  const notes = await migrateServer(server, { counties, platbook: '0.0.0' });
  return { server, counties, notes };
}

test('the server has the columns of land.sqlite, by name, and the folded texts besides', async () => {
  const file = emptyLand();
  const names = (table: string) => file.column<string>('SELECT name FROM pragma_table_info(?)', table).sort();
  expect(parcelValueColumns.map(({ name }) => name).sort()).toEqual(names('parcels'));
  expect(compServerColumns.map(({ name }) => name).sort()).toEqual(
    names('comps').filter((name) => name !== 'comp_rowid'),
  );
  expect(foldColumns.map(({ name }) => name)).toContain('owner_name_fold');
  expect(foldColumns.map(({ name }) => name)).toContain('owner_name_words');
});

test('a first use makes the tables, partitioned by state, with every county; a second changes nothing', async () => {
  const { server, counties, notes } = await migrated();
  expect(notes).toEqual([]);
  await expectSchema(server);
  const [stored] = await server.rows('SELECT count(*) AS n FROM counties');
  expect(stored).toEqual({ n: counties.length });
  const partitions = await server.rows<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'parcels'::regclass ORDER BY 1",
  );
  const states = new Set(counties.map(({ fips }) => fips.slice(0, 2)));
  expect(partitions.map(({ name }) => name).sort()).toEqual(
    [...[...states].map((state) => `parcels_${state}`), 'parcels_other'].sort(),
  );
  const before = await server.rows('SELECT * FROM schema_version');
  expect(await migrateServer(server, { counties, platbook: '0.0.1' })).toEqual([]);
  expect(await server.rows('SELECT * FROM schema_version')).toEqual(before);
});

test('a database without the tables, or with changed ones, is refused by name', async () => {
  const { url, access } = await postgis.newDatabase();
  const server = await connected(url, access);
  await server.run('CREATE EXTENSION IF NOT EXISTS postgis; CREATE EXTENSION IF NOT EXISTS pg_trgm');
  await expect(expectSchema(server)).rejects.toMatchObject({ code: 'postgis_schema' });
  const counties = countiesOf(emptyLand());
  await migrateServer(server, { counties, platbook: '0.0.0' });
  await server.run('ALTER TABLE parcels ALTER COLUMN zoning TYPE text COLLATE "und-x-icu"');
  await expect(expectSchema(server)).rejects.toMatchObject({
    code: 'postgis_schema',
    message: expect.stringMatching(/zoning.*und-x-icu/),
  });
  await server.run('ALTER TABLE parcels DROP COLUMN zoning');
  await expect(expectSchema(server)).rejects.toMatchObject({ message: expect.stringMatching(/lacks zoning/) });
  await server.run("UPDATE schema_version SET version = 99, platbook = '9.9.9'");
  for (const ask of [() => expectSchema(server), () => migrateServer(server, { counties, platbook: '0.0.0' })])
    await expect(ask()).rejects.toMatchObject({ code: 'postgis_schema', message: expect.stringMatching(/9\.9\.9/) });
});

test('an id names its county by the blocks, which never overlap', async () => {
  const { server } = await migrated();
  await server.run("INSERT INTO id_blocks VALUES (1, 100, '33019'), (101, 200, '33001')");
  expect(await server.rows('SELECT county_of(100) AS a, county_of(101) AS b, county_of(201) AS c')).toEqual([
    { a: '33019', b: '33001', c: null },
  ]);
  await expect(server.run("INSERT INTO id_blocks VALUES (50, 60, '33003')")).rejects.toThrow();
});

test('a server of a Platbook that kept no counts is refused to readers, and counted by the next push', async () => {
  const { server, counties } = await migrated();
  await server.run(`INSERT INTO parcels (property_id, fips, status, situs_zip, acres, dataset_id, row_hash) VALUES
      (1, '33019', 'current', '03743', 2, 1, 0), (2, '33019', 'current', NULL, NULL, 1, 0), (3, '33019', 'retired', '03743', 1, 1, 0);
    INSERT INTO pushed_counties (fips, generation, pushed_at, parcels, comps, counts) VALUES ('33019', 1, now(), 3, 0, '{}');
    ALTER TABLE pushed_counties DROP COLUMN counts;
    ${withoutIndexes}
    UPDATE schema_version SET version = 1`);
  const migrate = async () => {
    await expect(expectSchema(server)).rejects.toMatchObject({ code: 'postgis_schema' });
    await migrateServer(server, { counties, platbook: '0.0.0' });
    await expectSchema(server);
    return server.rows('SELECT counts FROM pushed_counties');
  };
  const counted = await migrate();
  expect(counted).toMatchObject([
    {
      counts: {
        parcels: 2,
        known: { effective_acres: 1, situs_zip: 1 },
        zips: { '03743': 1 },
        datasets: { 1: [2, 1] },
      },
    },
  ]);
  // A filter that came later than the counts.
  await server.run(
    "UPDATE pushed_counties SET counts = counts #- '{known,zoning}'; UPDATE schema_version SET land_version = 1",
  );
  expect(await migrate()).toEqual(counted);
});

const columnsOf = async (server: ServerConnection, table: string) =>
  (
    await server.rows<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 ORDER BY attnum`,
    )
  ).map(({ name }) => name);

test('what filters read stands in a row before the rest, and the next push orders the tables of an older Platbook', async () => {
  const { server, counties } = await migrated();
  const ordered = await columnsOf(server, 'parcels');
  expect(ordered.slice(0, 5)).toEqual(['property_id', 'row_hash', 'dataset_id', 'fips', 'status']);
  for (const name of ['acres', 'zoning_fold', 'road_frontage_ft', 'principal_meridian', 'slope_area_percent'])
    expect(ordered.indexOf(name), name).toBeLessThan(ordered.indexOf('legal_description'));
  expect(ordered.at(-1)).toBe('geom');

  const older = [...parcelServerColumns.map(columnDefinition), '"of_another" integer'].join(', ');
  await server.run(`DROP INDEX parcels_owner_words;
    ${withoutIndexes}
    ALTER TABLE parcels ADD COLUMN of_another integer;
    DROP TABLE parcels_33; DROP TABLE parcels_other;
    CREATE TABLE parcels_33 (${older}); CREATE TABLE parcels_other (${older});
    ALTER TABLE parcels ATTACH PARTITION parcels_33 FOR VALUES FROM ('33') TO ('34');
    ALTER TABLE parcels ATTACH PARTITION parcels_other DEFAULT;
    INSERT INTO parcels (property_id, fips, status, acres, zoning, zoning_fold, owner_name, geom, row_hash, of_another) VALUES
      (2, '33019', 'current', 2.5, 'r-1', 'R-1', 'ANNA', 'SRID=4326;POINT(-72 43)', 7, 1),
      (1, '33019', 'retired', NULL, NULL, NULL, NULL, NULL, 8, 2),
      (3, '99001', 'current', 1, NULL, NULL, NULL, NULL, 9, NULL);
    UPDATE schema_version SET version = 2`);
  expect((await columnsOf(server, 'parcels_33')).at(-2)).toBe('row_hash');
  const rows = () =>
    server.rows('SELECT to_jsonb(p) AS row, tableoid::regclass::text AS part FROM parcels p ORDER BY property_id');
  const before = await rows();
  await expect(expectSchema(server)).rejects.toMatchObject({ code: 'postgis_schema' });
  await migrateServer(server, { counties, platbook: '0.0.0' });
  await expectSchema(server);
  expect(await rows()).toEqual(before);
  for (const part of ['parcels_33', 'parcels_other', 'parcels_20'])
    expect(await columnsOf(server, part)).toEqual([...ordered, 'of_another']);
  const indexes = await server.rows<{ part: string; n: number }>(
    "SELECT tablename AS part, count(*) AS n FROM pg_indexes WHERE tablename ~ '^parcels(_33|_20|_other)?$' GROUP BY 1",
  );
  expect(new Set(indexes.map(({ n }) => n)).size, JSON.stringify(indexes)).toBe(1);

  // A write is noted in a partition that was rewritten, too.
  await server.run('DELETE FROM county_writes; UPDATE parcels_33 SET acres = 3 WHERE property_id = 1');
  expect(await server.rows('SELECT fips FROM county_writes')).toEqual([{ fips: '33019' }]);
});
