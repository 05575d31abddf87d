/** The column index against its SQL twin: same counts, same rows, same order, after any change of the file. */
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directoryFormat } from '../../engine/columns/county-directory.ts';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/index.ts';
import { orderingColumns, parseOrdering } from '../../engine/operations/parcel-list.ts';
import { parseFilterRequest } from '../../engine/query/filter-request.ts';
import {
  countiesFor,
  filterQuestion,
  findParcels,
  type ParcelQuestion,
  searchQuestion,
} from '../../engine/query/find-parcels.ts';
import { lookUp } from '../../engine/query/looked-up.ts';
import type { Ordering, ParcelPage } from '../../engine/query/parcel-query.ts';
import { foldCase } from '../../engine/spec/text-fold.ts';
import { beginBuild, isStillBuilding } from '../../engine/store/column-store.ts';
import { filterBodies, scopeOf } from '../support/filter-bodies.ts';
import type { FilterBody } from '../support/filter-twin.ts';
import { engineOn, plainParcels, realHome, sampleHome } from '../support/homes.ts';
import { queryParcels } from '../support/query-parcels.ts';
import { runs } from '../support/runs.ts';
import { realDataOrSkip } from '../support/shared-data.ts';

/** The 20,000 of a thorough run take minutes: `PLATBOOK_RUNS=20000`. */
const randomFilters = runs(500, 1500);
const timeout = 120_000 + randomFilters * 30;

const firstPage = { number: 1, size: 100, offset: 0 };

interface Asked {
  readonly page?: typeof firstPage;
  readonly ordering?: Ordering | null;
}

/** Which values no parcel has and which columns few have, the index alone tells: SQL names none. */
const pageOf = (
  land: Engine['land'],
  question: ParcelQuestion,
  page = firstPage,
  ordering: Ordering | null = null,
): ParcelPage => ({ ...findParcels(land, () => question, page, ordering), absent: [], thin: [] });

/** Asks both; the index must have answered for itself. @returns the count */
function agree(
  engine: Engine,
  question: ParcelQuestion,
  what: unknown,
  { page = firstPage, ordering = null }: Asked = {},
) {
  const { land } = engine;
  const expected = queryParcels(land, question, page, ordering);
  expect(
    land.file.snapshot(() => countiesFor(land, question)),
    'the index answers',
  ).not.toBeNull();
  const found = pageOf(land, question, page, ordering);
  expect(found, JSON.stringify(what)).toEqual(expected);
  return expected.count;
}

function questionOf(engine: Engine, body: FilterBody): ParcelQuestion | null {
  const request = parseFilterRequest(body);
  try {
    return filterQuestion(engine.land, request, lookUp(engine.land, request));
  } catch {
    return null;
  }
}

interface AskedAtRandom {
  readonly body: FilterBody;
  readonly column: string | null;
  readonly descending: boolean;
  readonly page: number;
}

/** By id, then one small page in another order. @returns the count */
function agreesOn(engine: Engine, { body, column, descending, page }: AskedAtRandom): number {
  const question = questionOf(engine, body);
  if (!question) return 0;
  const count = agree(engine, question, body);
  const ordering = parseOrdering(column === null ? undefined : `${descending ? '-' : ''}${column}`);
  const number = Math.min(page, Math.max(0, Math.ceil(count / 7) - 1)) + 1;
  agree(engine, question, [body, ordering, number], { ordering, page: { number, size: 7, offset: (number - 1) * 7 } });
  return count;
}

const homes: [string, () => string | null][] = [
  ['the sample county', sampleHome],
  ['two real counties', realHome],
];

describe.each(homes)('on %s', (name, home) => {
  const folder = home();
  const available = folder !== null || realDataOrSkip(`the column index on ${name}`);

  test.runIf(available)(
    `${randomFilters} random filters agree, each in a random order and on a random page`,
    { timeout },
    () => {
      const engine = engineOn(folder ?? '');
      const parcels = plainParcels(engine);
      const asked = fc.record({
        body: filterBodies(parcels),
        column: fc.option(fc.constantFrom(...orderingColumns), { nil: null }),
        descending: fc.boolean(),
        page: fc.nat(4),
      });
      const scope = scopeOf(parcels);
      const agreed = fc
        .sample(asked, { numRuns: randomFilters, seed: 20261120 })
        .map((one) => agreesOn(engine, { ...one, body: { ...scope, ...one.body } }));
      const matched = agreed.filter((count) => count > 0).length;
      expect(matched).toBeGreaterThan(randomFilters / 10);
    },
  );

  test.runIf(available)('a search by parts of owner names agrees', () => {
    const engine = engineOn(folder ?? '');
    const parcels = plainParcels(engine).filter(({ owner_name: owner }) => owner !== null);
    const part = fc
      .tuple(fc.constantFrom(...parcels), fc.nat(30), fc.integer({ min: 1, max: 8 }))
      .map(([{ owner_name: owner, fips }, from, length]) => ({
        fips: fips as string,
        ownerName: foldCase(owner as string).slice(from, from + length),
      }))
      .filter(({ ownerName }) => ownerName.trim() !== '');
    let matched = 0;
    for (const asked of fc.sample(part, { numRuns: 300, seed: 7 })) {
      if (agree(engine, searchQuestion({ ...asked, ids: null }), asked) > 0) matched++;
    }
    expect(matched).toBeGreaterThan(100);
  });
});

/** Another program: a connection that knows nothing of Platbook, and of SpatiaLite only what its triggers call. */
function foreignConnection(engine: Engine): Database.Database {
  const database = new Database(path.join(engine.home, 'land.sqlite'));
  database.function('GeometryConstraints', (_blob, _type, _srid) => 1);
  for (const name of ['MbrMinX', 'MbrMinY', 'MbrMaxX', 'MbrMaxY']) database.function(name, (_blob) => null);
  return database;
}

const county = '99001';
const ask = (engine: Engine, body: FilterBody) => questionOf(engine, body) as ParcelQuestion;
const isIndexed = (engine: Engine, question: ParcelQuestion): boolean =>
  engine.land.file.snapshot(() => countiesFor(engine.land, question)) !== null;

describe('after edits by another program', () => {
  const edits: [string, string][] = [
    ['an update', "UPDATE parcels SET zoning = 'ZZ-9', acres = 77777 WHERE property_id = 17"],
    ['an insert', "INSERT INTO parcels (fips, apn, zoning, acres) VALUES ('99001', 'NEW-1', 'ZZ-9', 77777)"],
    ['a delete', 'DELETE FROM parcels WHERE property_id BETWEEN 10 AND 500'],
    ['a replacement', "REPLACE INTO parcels (property_id, fips, zoning, acres) VALUES (17, '99001', 'ZZ-9', 77777)"],
    ['a move to another county', "UPDATE parcels SET fips = '99003' WHERE property_id < 100"],
    [
      'a parcel without a county',
      "INSERT INTO parcels (apn, zoning, acres, situs_zip) VALUES ('N', 'ZZ-9', 1, '00142')",
    ],
    ['a retired parcel', "UPDATE parcels SET status = 'retired' WHERE property_id = 3"],
  ];

  test.each(edits)('%s is seen at once, and by the rebuilt index', (_what, statement) => {
    const engine = engineOn(sampleHome());
    const questions = () => [
      ask(engine, { county, zoning_codes: ['ZZ-9'] }),
      ask(engine, { county, acres_min: 5 }),
      ask(engine, { zips_include: ['00142'] }),
    ];
    for (const question of questions()) agree(engine, question, 'before');
    const other = foreignConnection(engine);
    other.exec(statement);
    other.close();
    for (const question of questions()) {
      const expected = queryParcels(engine.land, question, firstPage, null);
      expect(pageOf(engine.land, question)).toEqual(expected);
    }
    expect(isIndexed(engine, questions()[2] as ParcelQuestion)).toBe(false);
    indexStaleCounties(engine.land.file);
    for (const question of questions()) agree(engine, question, 'after');
  });

  test('values that no county publishes leave their column to SQL, and nothing else', () => {
    const engine = engineOn(sampleHome());
    const other = foreignConnection(engine);
    other.exec("UPDATE parcels SET year_built = 'about 1900' WHERE property_id = 5");
    other.exec("UPDATE parcels SET zoning = x'00ff' WHERE property_id = 6");
    other.close();
    indexStaleCounties(engine.land.file);
    expect(isIndexed(engine, ask(engine, { county, year_built_min: 1900 }))).toBe(false);
    expect(isIndexed(engine, ask(engine, { county, zoning_codes: ['AG'] }))).toBe(false);
    agree(engine, ask(engine, { county, acres_min: 5 }), 'another column');
    const question = ask(engine, { county, year_built_min: 1900 });
    expect(pageOf(engine.land, question)).toEqual(queryParcels(engine.land, question, firstPage, null));
  });

  test('a change while our triggers were gone is found at the next opening', () => {
    const engine = engineOn(sampleHome());
    const home = engine.home;
    engine.close();
    const other = new Database(path.join(home, 'land.sqlite'));
    other.exec('DROP TRIGGER parcels_columns_update');
    other.exec("UPDATE parcels SET zoning = 'ZZ-9' WHERE property_id = 17");
    other.close();
    const again = engineOn(home);
    const question = ask(again, { county, zoning_codes: ['ZZ-9'] });
    expect(findParcels(again.land, () => question, firstPage, null).count).toBe(1);
    indexStaleCounties(again.land.file);
    expect(agree(again, question, 'after')).toBe(1);
  });
});

test('as many words as a request may name are answered alike, with the index and without', () => {
  const engine = engineOn(sampleHome());
  const words = [...Array.from({ length: 4998 }, (_, i) => `NOBODY${i}`), 'MARTIN', 'FAMILY TRUST'];
  for (const name of ['owner_name_include_words', 'owner_name_exclude_words', 'last_sale_seller_words'])
    agree(engine, ask(engine, { county, [name]: words }), name);
  engine.land.file.run("UPDATE parcels SET zoning = 'ZZ-9' WHERE property_id = 17");
  const question = ask(engine, { county, owner_name_include_words: words });
  expect(isIndexed(engine, question)).toBe(false);
  expect(findParcels(engine.land, () => question, firstPage, null).count).toBeGreaterThan(0);
});

test('a stale index is rebuilt in the background, while SQL answers', async () => {
  const engine = engineOn(sampleHome(), { keepsIndexes: true });
  engine.land.file.run("UPDATE parcels SET zoning = 'ZZ-9' WHERE property_id = 17");
  const body = { county, zoning_codes: ['ZZ-9'] };
  expect((await engine.call('filter_properties', body)).data.count).toBe(1);
  await expect.poll(() => isIndexed(engine, ask(engine, body)), { timeout: 20_000, interval: 100 }).toBe(true);
  expect((await engine.call('filter_properties', body)).data.count).toBe(1);
});

test('an index of another format does not answer, and is rebuilt', () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  file.run("UPDATE column_indexes SET format = 5, directory = json_set(directory, '$.format', 5)");
  const question = ask(engine, { county, acres_min: 5 });
  expect(isIndexed(engine, question)).toBe(false);
  expect(indexStaleCounties(file)).toEqual([county]);
  agree(engine, question, 'rebuilt');
});

test('what was made of parcels that changed meanwhile is thrown away', () => {
  const engine = engineOn(sampleHome());
  const { file } = engine.land;
  const begin = () => beginBuild(file, county, directoryFormat) ?? 0;
  file.run("UPDATE parcels SET zoning = 'ZZ-9' WHERE property_id = 17");
  const build = begin();
  expect(isStillBuilding(file, build)).toBe(true);
  file.run("UPDATE parcels SET zoning = 'ZZ-8' WHERE property_id = 17");
  expect(isStillBuilding(file, build)).toBe(false);
  // Another builder begins after the change: what was made before it is still thrown away.
  const later = begin();
  expect(isStillBuilding(file, build)).toBe(false);
  expect(isStillBuilding(file, later)).toBe(true);
  // Two of the same parcels share a number, and the second leaves alone what the first made.
  expect(begin()).toBe(later);
  expect(indexStaleCounties(file)).toEqual([county]);
  expect(isStillBuilding(file, later)).toBe(false);
  expect(beginBuild(file, county, directoryFormat)).toBeNull();
  expect(agree(engine, ask(engine, { county, zoning_codes: ['ZZ-8'] }), 'after')).toBe(1);
});
