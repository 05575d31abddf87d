/** Market statistics, regions and saved markets, straight through their operations. */

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { countyRegion, type Region } from '../../engine/comps/regions.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { atOnce } from '../../engine/land/answered.ts';
import { getMarketStats } from '../../engine/operations/get-market-stats.ts';
import type { InputOf } from '../../engine/operations/index.ts';
import { listRegions } from '../../engine/operations/list-regions.ts';
import { listSavedMarkets } from '../../engine/operations/list-saved-markets.ts';
import { statusOf } from '../../engine/operations/operation.ts';
import { saveMarket } from '../../engine/operations/save-market.ts';
import { unsaveMarket } from '../../engine/operations/unsave-market.ts';
import { updateSavedMarket } from '../../engine/operations/update-saved-market.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { findProblems } from '../../engine/spec/validate.ts';
import { type CompFields, insertComps } from '../comps/comp-rows.ts';
import { contextOf } from '../comps/operation-context.ts';
import { importLots, lot } from '../importing/fixtures.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';

let time = Date.parse('2026-11-20T12:00:00Z');
const now = () => new Date(time);
beforeEach(() => {
  time = Date.parse('2026-11-20T12:00:00Z');
});

function emptyEngine(): Engine {
  const engine = openEngine({ home: emptyHome(), now });
  onTestFinished(() => engine.close());
  return engine;
}

const sampleEngine = () => engineOn(sampleHome(), { now });

function refusal(work: () => unknown): EngineError {
  try {
    work();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('expected a refusal, found none');
}

describe('market statistics', () => {
  const statsOf = (engine: Engine, fips: string | number = '33019') =>
    atOnce(getMarketStats.run({ fips }, contextOf(engine)));

  test('count the last twelve months: sales by their day, listings by when they were last seen', () => {
    const engine = emptyEngine();
    const acres = { lot_size: 7 };
    const comps: CompFields[] = [
      { ...acres, sold_date: '2026-11-20', price: 70_000 },
      { ...acres, sold_date: '2025-11-21', price: 35_000, days_on_market: 20 },
      // Out: twelve months ago, tomorrow, never, another county, no size.
      { ...acres, sold_date: '2025-11-20' },
      { ...acres, sold_date: '2026-11-21' },
      { ...acres, sold_date: null },
      { ...acres, sold_date: '2026-11-01', fips: '30031' },
      { sold_date: '2026-11-01', lot_size: null },
      // In: seen this year though listed long ago, listed this year, of unknown date.
      { ...acres, status: 'ACTIVE', list_date: '2023-01-01', as_of_date: '2026-11-01' },
      { ...acres, status: 'ACTIVE', list_date: '2026-01-01' },
      { ...acres, status: 'PENDING' },
      // Out: last seen long ago.
      { ...acres, status: 'ACTIVE', list_date: '2023-01-01', as_of_date: '2024-11-01' },
      { ...acres, status: 'ACTIVE', list_date: '2025-11-20' },
    ];
    // Each at a place of its own; at one place they would be one listing, told again.
    insertComps(
      engine.land,
      comps.map((comp, at) => ({ ...comp, longitude: -72 + at / 100 })),
    );
    const { stats, ...region } = statsOf(engine);
    expect(region).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'county',
      name: 'Sullivan County',
      state: 'NH',
      county_name: 'Sullivan County',
      fips: '33019',
    });
    expect(stats).toHaveLength(22);
    expect(stats.find(({ type }) => type === '5 acre-10 acre')?.data).toEqual({
      sold_count: 2,
      active_count: 2,
      pending_count: 1,
      median_sold_price: 52_500,
      median_list_price: 10_000,
      median_sold_ppa: 7500,
      median_list_ppa: 1428.57,
      median_days_on_market: 20,
      sell_through_rate: 1,
      absorption_rate: 0.0833,
      months_of_supply: 12,
    });
  });

  test('answer for a county without a single comp, and 404 for none', () => {
    const engine = emptyEngine();
    expect(
      statsOf(engine, 1001).stats.every(({ data }) => data.sold_count === 0 && data.median_sold_price === null),
    ).toBe(true);
    const unknown = refusal(() => statsOf(engine, '99999'));
    expect([unknown.code, unknown.message]).toEqual(['not_found', 'No county has the FIPS code 99999.']);
  });

  test('a superseded county names its successors, unless its data are loaded', () => {
    const engine = emptyEngine();
    expect(refusal(() => statsOf(engine, '02261')).message).toBe(
      'Valdez-Cordova Census Area (02261) is superseded: ask for 02063, 02066.',
    );
    insertComps(engine.land, [{ fips: '02261', sold_date: '2026-11-01' }]);
    expect(statsOf(engine, '02261').name).toBe('Valdez-Cordova Census Area');
  });

  test('of the sample fit the schema and the table', () => {
    const answer = statsOf(sampleEngine(), '99001');
    const counts = answer.stats.map(({ data }) => data.sold_count);
    expect(Math.max(...counts)).toBeGreaterThan(50);
    expect(getMarketStats.table?.rows(answer)[0]).toMatchObject({ type: '0-9.5k sqft', sold_count: counts[0] });
    expect(getMarketStats.price(answer)).toBe(10);
  });
});

describe('regions', () => {
  const list = (engine: Engine, input: InputOf<'list_regions'> = {}) =>
    atOnce(listRegions.run(input, contextOf(engine)));
  const names = (regions: readonly Region[]) => regions.map(({ name, state }) => `${name} ${state}`);

  test('are all counties that stand, those with parcels first, and the ZIPs of parcels', () => {
    const engine = sampleEngine();
    const { count, next, previous, results } = list(engine, { page_size: 500 });
    expect([next, previous, results.length]).toEqual(['?page=2', null, 100]);
    expect(results[0]).toMatchObject({ type: 'county', name: 'Alder County', state: 'ZZ', fips: '99001' });
    const zips = results.filter(({ type }) => type === 'zip');
    expect(zips.length).toBeGreaterThan(1);
    expect(results.slice(1, 1 + zips.length)).toEqual(zips);
    expect(zips.every((zip) => zip.county_name === 'Alder County' && zip.fips === '99001')).toBe(true);
    // 3,144 in the states, 78 in Puerto Rico, 13 on the other islands; and the synthetic one.
    expect(count - zips.length).toBe(3144 + 78 + 13 + 1);
    expect(list(engine).results).toHaveLength(25);
    expect(list(engine, { type: 'county' }).count).toBe(count - zips.length);
  });

  test('are searched by words, codes and type', () => {
    const engine = sampleEngine();
    expect(names(list(engine, { search: 'sullivan' }).results)).toEqual([
      'Sullivan County IN',
      'Sullivan County MO',
      'Sullivan County NH',
      'Sullivan County NY',
      'Sullivan County PA',
      'Sullivan County TN',
    ]);
    expect(names(list(engine, { search: 'sulliv nh' }).results)).toEqual(['Sullivan County NH']);
    expect(names(list(engine, { search: '33019' }).results)).toEqual(['Sullivan County NH']);
    expect(list(engine, { search: '00141', type: 'county' }).count).toBe(0);
    expect(list(engine, { search: '00141' }).results).toMatchObject([{ type: 'zip', name: '00141' }]);
    expect(list(engine, { search: 'capitol' }).results).toMatchObject([
      { name: 'Capitol Planning Region', state: 'CT' },
    ]);
    // No more: Connecticut's counties.
    expect(names(list(engine, { search: 'tolland' }).results)).toEqual([]);
    expect(list(engine, { search: 'zzz' })).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(refusal(() => list(engine, { search: 'zzz', page: 2 })).code).toBe('not_found');
  });

  test('follow what is loaded: a new ZIP, a ZIP across counties, a superseded county', async () => {
    const engine = emptyEngine();
    const { land } = engine;
    expect(list(engine, { type: 'zip' }).count).toBe(0);
    await importLots(land, [lot('1', 0, { situs_zip: '03280' }), lot('2', 1, { situs_zip: '03456' })]);
    expect(list(engine, { type: 'zip' }).results).toMatchObject([{ name: '03280', fips: '33019' }, { name: '03456' }]);
    await importLots(land, [lot('1', 2, { situs_zip: '03280' }), lot('2', 3, { situs_zip: '03280' })], {
      fips: '33011',
    });
    expect(list(engine, { search: '03280' }).results).toMatchObject([{ name: '03280', fips: '33011' }]);
    await importLots(land, [lot('1', 4)], { fips: '09013' });
    expect(list(engine, { type: 'county', page_size: 4 }).results.map(({ fips }) => fips)).toEqual([
      '09013',
      '33011',
      '33019',
      '02013',
    ]);
    // Edited by another program.
    land.file.run("UPDATE parcels SET situs_zip = '03999' WHERE fips = '33011'");
    expect(list(engine, { type: 'zip' }).results.map(({ name }) => name)).toEqual(['03280', '03456', '03999']);
  });
});

describe('saved markets', () => {
  const codes = ['99001', '33019', '30031', '01001', '09110'];
  const idOf = (fips: string) => countyRegion({ fips, state: '', name: '', superseded_by: null }).id;
  const save = (engine: Engine, fips: string, status?: string) =>
    atOnce(saveMarket.run({ region_id: idOf(fips), ...(status === undefined ? {} : { status }) }, contextOf(engine)));
  const list = (engine: Engine) => atOnce(listSavedMarkets.run({}, contextOf(engine)));
  const order = (engine: Engine) => list(engine).map(({ region }) => region.fips);
  const positions = (engine: Engine) =>
    engine.account.file.column<number>('SELECT position FROM saved_markets ORDER BY position');
  const move = (engine: Engine, id: number, position: number) =>
    atOnce(updateSavedMarket.run({ id, position }, contextOf(engine)));

  test('are saved once: 201, then 200 with the new status', () => {
    const engine = sampleEngine();
    const first = save(engine, '99001');
    expect(statusOf(saveMarket, first)).toBe(201);
    expect(first).toEqual({
      id: 1,
      region: {
        id: idOf('99001'),
        type: 'county',
        name: 'Alder County',
        state: 'ZZ',
        county_name: 'Alder County',
        fips: '99001',
      },
      status: 'Backlog',
      created_at: '2026-11-20T12:00:00.000Z',
      updated_at: '2026-11-20T12:00:00.000Z',
    });
    const twin = save(engine, '99001', 'Watching');
    expect(statusOf(saveMarket, twin)).toBe(200);
    expect(twin).toEqual({ ...first, status: 'Watching' });
    time += 5000;
    const again = save(engine, '99001');
    expect(again).toEqual({ ...first, status: 'Watching', updated_at: '2026-11-20T12:00:05.000Z' });
    expect(list(engine)).toEqual([again]);
    expect(atOnce(saveMarket.run({ region_id: idOf('99001').toUpperCase() }, contextOf(engine))).id).toBe(1);
  });

  test('of an unknown region are refused', () => {
    const engine = sampleEngine();
    const error = refusal(() =>
      atOnce(saveMarket.run({ region_id: '00000000-0000-5000-8000-000000000000' }, contextOf(engine))),
    );
    expect([error.code, Object.keys(error.details ?? {})]).toEqual(['validation_error', ['region_id']]);
    for (const input of [
      {},
      { region_id: 'abc' },
      { region_id: 5 },
      { region_id: idOf('99001'), status: '' },
      { region_id: idOf('99001'), status: ' ' },
      { region_id: idOf('99001'), status: 'x'.repeat(201) },
    ]) {
      expect(findProblems(saveMarket.input, input)).not.toBeNull();
    }
    expect(list(engine)).toEqual([]);
  });

  test('keep one order without gaps through moves and removals', () => {
    const engine = sampleEngine();
    const ids = codes.map((fips) => save(engine, fips).id);
    expect(order(engine)).toEqual(codes);
    move(engine, ids[4] ?? 0, 1);
    expect(order(engine)).toEqual(['09110', '99001', '33019', '30031', '01001']);
    move(engine, ids[4] ?? 0, 3);
    expect(order(engine)).toEqual(['99001', '33019', '09110', '30031', '01001']);
    move(engine, ids[0] ?? 0, 99);
    expect(order(engine)).toEqual(['33019', '09110', '30031', '01001', '99001']);
    move(engine, ids[2] ?? 0, 3);
    expect(order(engine)).toEqual(['33019', '09110', '30031', '01001', '99001']);
    expect(atOnce(unsaveMarket.run({ id: ids[4] ?? 0 }, contextOf(engine)))).toBeNull();
    expect(order(engine)).toEqual(['33019', '30031', '01001', '99001']);
    expect(positions(engine)).toEqual([1, 2, 3, 4]);
    // Saved again it is a new one, at the end.
    expect(save(engine, '09110').id).toBe(6);
    expect(positions(engine)).toEqual([1, 2, 3, 4, 5]);
    expect(order(engine).at(-1)).toBe('09110');
  });

  test('change their status, and say when', () => {
    const engine = sampleEngine();
    const { id } = save(engine, '33019');
    time += 60_000;
    expect(atOnce(updateSavedMarket.run({ id, status: 'Active', position: 1 }, contextOf(engine)))).toMatchObject({
      status: 'Active',
      created_at: '2026-11-20T12:00:00.000Z',
      updated_at: '2026-11-20T12:01:00.000Z',
    });
    expect(refusal(() => atOnce(updateSavedMarket.run({ id }, contextOf(engine)))).details).toHaveProperty(
      'non_field_errors',
    );
    for (const work of [
      () => atOnce(updateSavedMarket.run({ id: 99, status: 'x' }, contextOf(engine))),
      () => atOnce(unsaveMarket.run({ id: 99 }, contextOf(engine))),
    ]) {
      expect(refusal(work).code).toBe('not_found');
    }
    for (const position of [0, -1, 1.5, 'first']) {
      expect(findProblems(updateSavedMarket.input, { id, position })).not.toBeNull();
    }
  });

  test('stay when the parcels of their ZIP are gone', async () => {
    const engine = emptyEngine();
    await importLots(engine.land, [lot('1', 0, { situs_zip: '03280' })]);
    const zip = atOnce(listRegions.run({ search: '03280' }, contextOf(engine))).results[0] as Region;
    atOnce(saveMarket.run({ region_id: zip.id }, contextOf(engine)));
    expect(list(engine)).toMatchObject([{ region: zip }]);
    engine.land.file.run('UPDATE parcels SET situs_zip = NULL');
    const gone = { id: zip.id, type: 'zip', name: '03280', state: '', county_name: '', fips: '' };
    expect(list(engine)).toMatchObject([{ region: gone }]);
    expect(refusal(() => atOnce(saveMarket.run({ region_id: zip.id }, contextOf(engine)))).code).toBe(
      'validation_error',
    );
  });

  test('need the scope to write for changes, to read for the list, and nothing to pay', () => {
    expect([saveMarket, updateSavedMarket, unsaveMarket].map(({ scope }) => scope)).toEqual([
      'write',
      'write',
      'write',
    ]);
    expect([listSavedMarkets, listRegions].map(({ scope }) => scope)).toEqual(['read', 'read']);
    for (const operation of [saveMarket, updateSavedMarket, unsaveMarket, listSavedMarkets, listRegions]) {
      expect(operation.meteringKey).toBeNull();
    }
  });
});
