import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import type { LandTables } from '../../engine/sql/land-kysely.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';

/** The compiler refuses a table or column that is missing here, and one too many. */
type Names<Table extends keyof LandTables> = Record<keyof LandTables[Table], true>;

const tables: { readonly [Table in Exclude<keyof LandTables, 'parcels'>]: Names<Table> } = {
  comps: {
    ...{ comp_id: true, source: true, source_id: true, fips: true, property_id: true, status: true, address: true },
    ...{ city: true, state: true, zip: true, county: true, apn: true, latitude: true, longitude: true, lot_size: true },
    ...{ coordinate_grain: true, price: true, use: true, list_date: true, as_of_date: true, sold_date: true },
    ...{ days_on_market: true, sale_type: true, url: true, photos: true },
    ...{ deed: true, seller: true, buyer: true, struck: true },
  },
  datasets: {
    ...{ dataset_id: true, fips: true, jurisdiction: true, source_name: true, source_date: true, imported_at: true },
    ...{ mapping: true, report: true },
  },
  counties: { fips: true, state: true, name: true, superseded_by: true },
};

test('answers typed rows, the same that a filter counts', async () => {
  const engine = engineOn(sampleHome());
  const { data } = await engine.call('filter_properties', { county: '99001', zoning_codes: ['AG'] });
  const rows = await engine
    .kysely()
    .selectFrom('parcels')
    .select(['property_id', 'apn', 'acres', 'tax_delinquent'])
    .where('fips', '=', '99001')
    .where('status', '=', 'current')
    .where('zoning', '=', 'AG')
    .execute();
  expect(rows).toHaveLength(data.count);
  const acres: readonly (number | null)[] = rows.map((row) => row.acres);
  const overdue: readonly (0 | 1 | null)[] = rows.map((row) => row.tax_delinquent);
  expect(acres.some((one) => typeof one === 'number')).toBe(true);
  expect(overdue.every((one) => one === null || one === 0 || one === 1)).toBe(true);
  // The filter's 30 alone.
  expect(engine.account.file.column('SELECT tokens FROM ledger')).toEqual([30]);
});

test('joins, groups, counts and streams', async () => {
  const engine = engineOn(sampleHome());
  const land = engine.kysely();
  const sales = land
    .selectFrom('comps')
    .innerJoin('parcels', 'parcels.property_id', 'comps.property_id')
    .innerJoin('counties', 'counties.fips', 'parcels.fips')
    .groupBy('counties.name')
    .select(({ fn }) => ['counties.name', fn.countAll<number>().as('n'), fn.max('comps.price').as('most')]);
  const text = `SELECT c.name, count(*) AS n, max(s.price) AS most FROM comps s JOIN parcels p USING (property_id)
    JOIN counties c ON c.fips = p.fips GROUP BY c.name`;
  expect(await sales.execute()).toEqual(engine.sql(text));
  expect((await sales.executeTakeFirstOrThrow()).n).toBeGreaterThan(0);
  const streamed: string[] = [];
  for await (const { name } of land.selectFrom('counties').select('name').where('state', '=', 'NH').stream())
    streamed.push(name);
  // New Hampshire has ten counties.
  expect(streamed).toHaveLength(10);
});

test('every table has the columns that its type names, and parcels all that are stored', async () => {
  const engine = engineOn(sampleHome());
  const columnsOf = (table: string) =>
    engine.sql<{ name: string }>('SELECT name FROM pragma_table_info(?)', [table]).map(({ name }) => name);
  // SQLite's own row number of a comp may change.
  for (const [table, names] of Object.entries(tables))
    expect(
      columnsOf(table)
        .filter((name) => name !== 'comp_rowid')
        .toSorted(),
    ).toEqual(Object.keys(names).toSorted());
  const parcel = await engine.kysely().selectFrom('parcels').selectAll().limit(1).executeTakeFirstOrThrow();
  expect(Object.keys(parcel)).toEqual(columnsOf('parcels'));
  const inside: number | null = parcel.point_lon;
  const slopes: string | null = parcel.slope_area_percent;
  expect([typeof inside, typeof slopes]).toEqual(['number', 'string']);
  const introspected = (await engine.kysely().introspection.getTables()).map(({ name }) => name);
  expect(introspected).toEqual(expect.arrayContaining(['parcels', ...Object.keys(tables)]));
});

test('the compiler refuses writes, transactions, unknown and undocumented tables, and columns that are computed', async () => {
  const engine = engineOn(sampleHome());
  const land = engine.kysely();
  const neverRun = [
    // @ts-expect-error a misspelt column
    () => land.selectFrom('parcels').select('acers'),
    // @ts-expect-error no column: computed when read
    () => land.selectFrom('parcels').select('county_name'),
    // @ts-expect-error a text is no number
    () => land.selectFrom('parcels').where('acres', '=', 'five').selectAll(),
    // @ts-expect-error not documented
    () => land.selectFrom('parcel_registry').selectAll(),
    // @ts-expect-error writes
    () => land.deleteFrom('parcels').execute(),
    // @ts-expect-error writes
    () => land.updateTable('parcels').set({ apn: 'x' }).execute(),
    // @ts-expect-error writes
    () => land.schema.dropTable('parcels').execute(),
    // @ts-expect-error has no end that the next question could wait for
    () => land.transaction(),
  ];
  expect(neverRun).toHaveLength(8);
});

const writes: Readonly<Record<string, (land: Kysely<LandTables>) => Promise<unknown>>> = {
  'a deletion': (land) => land.deleteFrom('parcels').execute(),
  'a deletion that returns rows': (land) => land.deleteFrom('parcels').returning('apn').execute(),
  'a change': (land) => land.updateTable('parcels').set({ apn: 'x' }).execute(),
  'a new row': (land) =>
    land.insertInto('counties').values({ fips: '1', state: 'NH', name: 'X', superseded_by: null }).execute(),
  'a dropped table': (land) => land.schema.dropTable('parcels').execute(),
  'raw SQL': (land) => sql`DELETE FROM parcels`.execute(land),
  'a pragma': (land) => sql`PRAGMA query_only = OFF`.execute(land),
  'a transaction': (land) => land.transaction().execute((inside) => inside.selectFrom('parcels').selectAll().execute()),
};

test.each(Object.entries(writes))(
  '%s is refused with what was found and expected, and nothing is changed',
  async (_what, write) => {
    const engine = engineOn(sampleHome());
    const sum = 'SELECT total(property_id) AS sum, group_concat(apn) AS apns FROM parcels';
    const before = engine.sql(sum);
    // A script in JavaScript knows no types.
    const refused = write(engine.kysely() as unknown as Kysely<LandTables>);
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(/^(?:sql|kysely): expected .*, found /),
    });
    expect(engine.sql(sum)).toEqual(before);
  },
);

test('takes the time limit of sql, sees changes, and ends with the engine', async () => {
  const home = copyOfHome(sampleHome());
  const engine = openEngine({ home, keepsIndexes: false });
  const land = engine.kysely({ seconds: 0.3 });
  const owner = () => land.selectFrom('parcels').select('owner_name').where('property_id', '=', 1).executeTakeFirst();
  await owner();
  engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 1");
  expect(await owner()).toEqual({ owner_name: 'NEW OWNER' });
  const endless = land
    .withRecursive('n(i)', (with_) =>
      with_
        .selectNoFrom(sql<number>`1`.as('i'))
        .unionAll(
          with_.selectFrom('n' as never).select(sql<number>`i + 1`.as('i')) as SelectQueryBuilder<
            LandTables,
            never,
            { i: number }
          >,
        ),
    )
    .selectFrom('n')
    .select(({ fn }) => fn.countAll().as('rows'));
  await expect(endless.execute()).rejects.toThrow(/^sql: stopped after 0\.3 seconds/);
  engine.close();
  await expect(owner()).rejects.toMatchObject({ code: 'closed' });
});
