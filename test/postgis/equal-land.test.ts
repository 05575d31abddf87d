/**
 * The operations over PostGIS against those over the home whose counties were pushed: ids, order, pages, tokens, notices
 * and errors are equal. The home of the second engine holds no land.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { operations } from '../../engine/operations/index.ts';
import { orderingColumns } from '../../engine/operations/parcel-list.ts';
import { updateOwners } from '../../engine/owners/update-owners.ts';
import { ServerConnection } from '../../engine/postgis/connect.ts';
import { PostgisLand } from '../../engine/postgis/postgis-land.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import { findStaleNeighbours } from '../../engine/query/find-neighbours.ts';
import { keepMarket } from '../../engine/query/train-market.ts';
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { foldCase } from '../../engine/spec/text-fold.ts';
import { filterBodies, scopeOf } from '../support/filter-bodies.ts';
import type { FilterBody } from '../support/filter-twin.ts';
import { openHomeCopy, plainParcels, removeHome, sampleHome } from '../support/homes.ts';
import { startPostgis, type TestServer } from '../support/postgis.ts';
import { runs } from '../support/runs.ts';

const randomFilters = runs(200, 2000);
const randomSearches = runs(60, 300);
const randomValues = runs(60, 300);
/** Both engines have one clock. */
const now = () => new Date('2026-11-25T12:00:00Z');
const timeout = 120_000 + randomFilters * 100;

let postgis: TestServer;
let land: PostgisLand;
let home: Engine;
let remote: Engine;
/** Ask the same server, with counties in memory: by the index that the push sent, and built of the server's rows. */
let keptLands: PostgisLand[];
let kept: Engine[];

beforeAll(async () => {
  const started = await startPostgis('operations over PostGIS');
  if (!started) throw new Error('neither PostgreSQL nor PGlite starts');
  postgis = started;
  home = openHomeCopy(sampleHome(), { now });
  const at = now();
  home.land.file.run(
    `INSERT INTO layers (fips, kind, source_name, source_date, feature_count, settings, coverage, report, loaded_at)
     VALUES ('99001', 'flood', 'zones', '2026-01-01', 1, '{}', '{}', '{}', '2026-01-02')`,
  );
  beyondTheBorder(home);
  keepMarket(home.land, '99001', at);
  indexStaleCounties(home.land.file);
  // Owners and holdings are worked out before the push: of later changes the server knows nothing.
  findStaleNeighbours(home.land.file);
  updateOwners(home.land.file, []);
  const { url, access } = await postgis.newDatabase();
  const onServer = async (work: (server: ServerConnection) => Promise<unknown>) => {
    const server = new ServerConnection(parseServerAddress(url), access);
    await server.open();
    await work(server);
    await server.close();
  };
  await onServer((server) => pushLand(server, home.home, { platbook: '0.0.0' }));
  land = new PostgisLand(parseServerAddress(url), access, 0);
  // The one session of PGlite holds no second transaction, in which a county comes.
  const isInMemory = postgis.kind !== 'PGlite';
  keptLands = [1, 2].map(() => new PostgisLand(parseServerAddress(url), access, isInMemory ? undefined : 0));
  const engines = [land, ...keptLands].map((one) => openHomeCopy(sampleHome(), { land: one, now }));
  for (const engine of engines)
    engine.land.file.exec('DELETE FROM comps; DELETE FROM parcels; DELETE FROM datasets; DELETE FROM layers');
  [remote, ...kept] = engines as [Engine, ...Engine[]];
  for (const [place, keptLand] of keptLands.entries()) {
    // the index comes at the first question; without one the county is built at the second
    for (let time = 0; time <= place; time++)
      await kept[place]?.call('filter_properties', { counties: ['99001', '33019'] });
    await keptLand.keptCounties.settle();
    expect(keptLand.keptCounties.counties).toBe(isInMemory ? 2 : 0);
    await onServer((server) => server.run('DELETE FROM county_indexes'));
  }
}, 240_000);

/** Every fifth of some parcels becomes another county's: comps then have parcels there, and ids of the two alternate. */
function beyondTheBorder({ land: { file } }: Engine): void {
  file.run(
    `INSERT INTO datasets (fips, jurisdiction, source_name, source_date, imported_at, mapping, report)
     SELECT '33019', jurisdiction, source_name, source_date, imported_at, mapping, report FROM datasets`,
  );
  file.run(
    `UPDATE parcels SET fips = '33019', dataset_id = (SELECT dataset_id FROM datasets WHERE fips = '33019')
     WHERE property_id BETWEEN 1000 AND 3000 AND property_id % 5 = 0`,
  );
  file.run(`UPDATE parcel_registry SET fips = '33019' WHERE property_id BETWEEN 1000 AND 3000 AND property_id % 5 = 0`);
  const across = `SELECT count(*) FROM comps c JOIN parcels p USING (property_id) WHERE p.fips <> c.fips`;
  expect(file.column<number>(across)[0]).toBeGreaterThan(10);
}

afterAll(async () => {
  removeHome(home);
  removeHome(remote);
  for (const one of kept) removeHome(one);
  for (const one of [land, ...keptLands]) await one.close();
  await postgis.stop();
});

type Outcome = { readonly data: unknown; readonly tokens: number; readonly notices: readonly string[] };

/** The index of a home alone tells which values no parcel has, beside what is found, and which columns few have (docs/contract.md). */
const absentByIndex = 'whatever the other filters.';
const thinByIndex = ' is known for ';

/** What a caller sees: the answer without its request, or the error. */
async function outcomeOf(engine: Engine, name: string, input: unknown): Promise<Outcome | object> {
  try {
    const { data, tokens, notices } = await engine.callUnchecked(name, input, { mode: 'script' });
    const isFound = ((data as { count?: number } | undefined)?.count ?? 0) > 0;
    return {
      data,
      tokens,
      notices: notices.filter((words) => !words.includes(thinByIndex) && !(isFound && words.endsWith(absentByIndex))),
    };
  } catch (error) {
    const { code, message, details } = error as { code?: string; message: string; details?: unknown };
    return { code, message, details };
  }
}

async function agree(name: string, input: unknown): Promise<Outcome> {
  const expected = await outcomeOf(home, name, input);
  const asked = `${name} ${JSON.stringify(input)}`;
  expect(await outcomeOf(remote, name, input), asked).toEqual(expected);
  if (name === 'filter_properties')
    for (const one of kept) expect(await outcomeOf(one, name, input), `${asked}, asked again`).toEqual(expected);
  return expected as Outcome;
}

const countOf = ({ data }: Outcome): number => (data as { count?: number } | undefined)?.count ?? 0;

test('every example of every operation', { timeout }, async () => {
  // Usage differs by what was called; a server has no worked-out owners, and says so.
  const free = operations.filter(({ name }) => !['get_usage', 'get_usage_breakdown', 'get_owner'].includes(name));
  for (const { name, examples } of free) for (const { input } of examples) await agree(name, input);
});

test(`${randomFilters} random filters, each in a random order and on a random page`, { timeout }, async () => {
  const parcels = plainParcels(home);
  const asked = fc.record({
    body: filterBodies(parcels),
    column: fc.option(fc.constantFrom(...orderingColumns), { nil: null }),
    descending: fc.boolean(),
    page: fc.constantFrom(1, 1, 2, 3, 9),
    fields: fc.subarray([...parcelColumns.map(({ name }) => name), 'shape_wkt', 'all'], { maxLength: 3 }),
  });
  let matched = 0;
  for (const { body, column, descending, page, fields } of fc.sample(asked, {
    numRuns: randomFilters,
    seed: 20261125,
  })) {
    const ordering = column === null ? {} : { ordering: `${descending ? '-' : ''}${column}` };
    const columns = fields.length > 0 ? { fields } : {};
    const input: FilterBody = { ...scopeOf(parcels), ...body, ...ordering, ...columns, page, page_size: 7 };
    if (countOf(await agree('filter_properties', input)) > 0) matched++;
  }
  expect(matched).toBeGreaterThan(randomFilters / 10);
});

test(`${randomSearches} searches by parts of names and APNs`, { timeout }, async () => {
  const parcels = plainParcels(home).filter(({ owner_name: owner }) => owner !== null);
  const asked = fc.tuple(
    fc.constantFrom(...parcels),
    fc.nat(30),
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom('owner', 'apn', 'both'),
  );
  let matched = 0;
  for (const [parcel, from, length, by] of fc.sample(asked, { numRuns: randomSearches, seed: 7 })) {
    const owner = foldCase(parcel.owner_name as string).slice(from, from + length);
    const input = {
      fips: parcel.fips,
      ...(by === 'owner' ? {} : { apn: parcel.apn }),
      ...(by === 'apn' || owner.trim() === '' ? {} : { owner_name: owner }),
    };
    if (countOf(await agree('search_properties', input)) > 0) matched++;
  }
  expect(matched).toBeGreaterThan(randomSearches / 3);
});

describe('one by one', () => {
  test('parcels, with every column and their shapes', { timeout }, async () => {
    const ids = plainParcels(home).map(({ property_id: id }) => id as number);
    for (const id of [0, ...fc.sample(fc.constantFrom(...ids), { numRuns: 100, seed: 3 }), 1e9]) {
      await agree('get_property', { id });
    }
    // ten a minute are allowed, and the examples take some
    for (const id of [3, 4, 1e9]) await agree('skip_trace_property_owner', { id });
  });

  test('comp values, also where there is none', { timeout }, async () => {
    const ids = plainParcels(home).map(({ property_id: id }) => id as number);
    expect(home.land.file.column('SELECT count(*) FROM market_models WHERE row_count > 0')).toEqual([1]);
    let valued = 0;
    for (const id of [...fc.sample(fc.constantFrom(...ids), { numRuns: randomValues, seed: 5 }), 1e9])
      if ((await agree('get_property_ai_comp_value', { id })).data !== undefined) valued++;
    expect(valued).toBeGreaterThan(randomValues / 3);
  });

  test('the parcels around one, listed and as a filter', { timeout }, async () => {
    const ids = plainParcels(home).map(({ property_id: id }) => id as number);
    let found = 0;
    for (const id of [...fc.sample(fc.constantFrom(...ids), { numRuns: runs(8, 24), seed: 13 }), 1e9]) {
      for (const around of [{}, { within_feet: 0 }, { within_feet: 250 }]) {
        await agree('list_neighbours', { id, ...around, page_size: 500 });
        const asked = { neighbour_of: id, ...around, acres_min: 2, ordering: '-acres', page_size: 20 };
        found += countOf(await agree('filter_properties', asked));
      }
    }
    expect(found).toBeGreaterThan(20);
  });

  test('areas of every form', { timeout }, async () => {
    const parcels = plainParcels(home).filter(({ point_lon: x }) => x !== null);
    const at = fc.constantFrom(...parcels);
    const asked = fc.tuple(at, at, at, fc.constantFrom('POINT', 'LINE', 'POLYGON', 'COLLECTION'));
    let matched = 0;
    for (const [a, b, c, form] of fc.sample(asked, { numRuns: runs(60, 300), seed: 11 })) {
      const pair = (p: typeof a) => `${p.point_lon} ${p.point_lat}`;
      const line = `LINESTRING (${pair(a)}, ${pair(b)})`;
      const triangle = `POLYGON ((${[a, b, c, a].map(pair).join(', ')}))`;
      const wkt = {
        POINT: `POINT (${pair(a)})`,
        LINE: line,
        POLYGON: triangle,
        COLLECTION: `GEOMETRYCOLLECTION (${line}, POINT (${pair(c)}), ${triangle})`,
      }[form];
      if (countOf(await agree('filter_properties', { geom_intersects: wkt, page_size: 20 })) > 0) matched++;
    }
    expect(matched).toBeGreaterThan(10);
  });

  test('comps by county and circle, markets, values of columns', { timeout }, async () => {
    const comps = home.land.file.all<{ longitude: number; latitude: number }>(
      'SELECT longitude, latitude FROM comps ORDER BY comp_id LIMIT 40',
    );
    for (const [i, { longitude, latitude }] of comps.entries()) {
      const circle = { point: [longitude, latitude], dist: 500 * (i + 1), page_size: 7, page: (i % 3) + 1 };
      await agree('list_comps', circle);
      await agree('list_comps', { ...circle, status: ['SOLD'], acres_min: i, age: 900 });
    }
    for (const page of [1, 2, 5, 999]) await agree('list_comps', { fips: '99001', page, page_size: 30 });
    for (const column of ['zoning', 'land_use_code', 'situs_zip', 'subdivision', 'owner_name'])
      await agree('list_values', { fips: '99001', column });
    for (const fips of ['99001', '33019', '00000']) await agree('get_market_stats', { fips });
    for (const search of ['0014', 'ald', 'nowhere']) await agree('list_regions', { search });
  });

  test('errors of callers cost nothing and are worded alike', { timeout }, async () => {
    for (const body of [
      { county: '99001', owner_parcel_id: 1e9 },
      { county: '99001', page: 9999 },
      { county: '33019' },
      { county: '99001', acres_min: 1e9, zoning_codes: ['nothing'] },
      { county: '99001', zips_include: ['00142'], property_id: Number.MAX_SAFE_INTEGER },
    ])
      await agree('filter_properties', body);
  });

  test('whole lists, from one snapshot and for one charge', { timeout }, async () => {
    const ask = (engine: Engine) => engine.whole('filter_properties', { county: '99001', acres_min: 1 });
    const [here, there] = [await ask(home), await ask(remote)];
    expect(there.data.results.length).toBeGreaterThan(500);
    expect(there.data).toEqual(here.data);
    expect(there.tokens).toBe(here.tokens);
  });
});

test('hints where nothing is found are those of the home', async () => {
  const hintsOf = async (engine: Engine, name: string, input: object) => {
    const hints: string[] = [];
    await engine.callUnchecked(name, input, { mode: 'mcp', hint: (...sentences) => hints.push(...sentences) });
    return hints;
  };
  const calls: readonly (readonly [string, object])[] = [
    ['filter_properties', { county: '99001', zoning_codes: ['RA5'], acres_min: 2 }],
    ['filter_properties', { county: '99001', acres_min: 300, year_built_min: 2000, market_total_value_max: 100_000 }],
    ['filter_properties', { county: '01001', acres_min: 2 }],
    ['search_properties', { fips: '01001', apn: '1' }],
    ['list_comps', { fips: '99001', status: ['ACTIVE'], age: 0 }],
  ];
  for (const [name, input] of calls) {
    const hints = await hintsOf(home, name, input);
    expect(hints).not.toEqual([]);
    for (const engine of [remote, ...kept]) expect([input, await hintsOf(engine, name, input)]).toEqual([input, hints]);
  }
});
