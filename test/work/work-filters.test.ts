/** Filters over the user's own work: the count, the table, facets and SQL agree, and the public API knows none of them. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexStaleCounties } from '../../engine/columns/update-index.ts';
import type { Engine } from '../../engine/engine.ts';
import { byColumns, countByColumns, orderedIds } from '../../engine/query/live-by-columns.ts';
import { type LiveFilter, parseLiveRequest } from '../../engine/query/live-request.ts';
import { liveCount } from '../../engine/query/live-rows.ts';
import { countBySql, orderedIdsBySql } from '../../engine/query/sql-filters/live-by-sql.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { runChange } from '../../engine/work/index.ts';
import { openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { runs } from '../support/runs.ts';

let engine: Engine;

const read = <Name extends ReadName>(name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;

beforeAll(async () => {
  engine = openHomeCopy(sampleHome());
  indexStaleCounties(engine.land.file);
  const chosen = (n: number, of: number) => Array.from({ length: 400 }, (_, i) => 1 + ((i * of + n) % 5000));
  await runChange(engine, 'star', { ids: [...new Set(chosen(1, 7))] });
  await runChange(engine, 'tag', { name: 'a', ids: [...new Set(chosen(2, 11))] });
  await runChange(engine, 'tag', { name: 'b', ids: [...new Set(chosen(5, 3))] });
  await runChange(engine, 'make_list', { name: 'x', of: { ids: [...new Set(chosen(3, 5))] } });
  await runChange(engine, 'make_list', { name: 'y', of: { filter: { county: '99001', acres_min: 20 } } });
  // Large enough that its rows are kept.
  await runChange(engine, 'make_list', { name: 'z', of: { filter: { county: '99001', acres_max: 20 } } });
  await runChange(engine, 'update_deal', { ids: [...new Set(chosen(2, 3))], stage: 'mailed', next_on: '2026-02-01' });
  await runChange(engine, 'update_deal', { ids: [...new Set(chosen(2, 6))], stage: 'replied', offer: 20_000 });
  await runChange(engine, 'set_mailed_on', { list_id: 1, mailed_on: '2026-03-01' });
  await runChange(engine, 'set_mailed_on', { list_id: 2, ids: [...new Set(chosen(3, 5))], mailed_on: '2026-09-01' });
});
afterAll(() => removeHome(engine));

const ids = fc.subarray([1, 2], { minLength: 1 });
const listIds = fc.subarray([1, 2, 3], { minLength: 1 });
const other = fc.record(
  {
    starred: fc.boolean(),
    tags: ids,
    in_list: listIds,
    not_in_list: listIds,
    mailed_before: fc.constantFrom('2026-02-01', '2026-06-01', '2027-01-01'),
    acres_min: fc.constantFrom(1, 5, 40),
    owner_name_include_words: fc.constant(['LLC']),
  },
  { requiredKeys: [] },
);

const deals = fc.record(
  {
    stage: fc.subarray(['mailed', 'replied', 'closed'] as const, { minLength: 1 }),
    next_before: fc.constantFrom('2026-02-02', '2027-01-01'),
    next_after: fc.constantFrom('2026-02-01', '2026-03-01'),
    offer_min: fc.constantFrom(0, 20_000),
    offer_max: fc.constantFrom(20_000, 90_000),
    touched_since: fc.constantFrom('2020-01-01', '2099-01-01'),
    acres_min: fc.constantFrom(1, 5),
  },
  { requiredKeys: [] },
);
const work = fc.oneof(other, deals);

test('count, effects, table and facet agree between the index and SQL', () => {
  let seen = 0;
  fc.assert(
    fc.property(work, (fields) => {
      const filter = { county: '99001', ...fields } as LiveFilter;
      const request = parseLiveRequest(filter, engine.account);
      expect(byColumns(engine.land, request, countByColumns), 'the index answers').not.toBeNull();
      const count = liveCount(engine.land, request);
      expect(count).toEqual(countBySql(engine.land, request));
      const ordering = { column: 'effective_acres', descending: true };
      const found = byColumns(engine.land, request, (land, steps) => orderedIds(land, steps, ordering));
      expect([...(found ?? [])]).toEqual([...orderedIdsBySql(engine.land, request, ordering)]);
      expect(read('result_page', { filter, columns: ['apn'], limit: 1 }).count).toBe(count.count);
      const facet = read('facet', { filter, name: 'land_use_codes', limit: 1000 });
      const inFacet = facet.values.reduce((sum, value) => sum + value.count, 0) + facet.unknown;
      expect(inFacet).toBe(count.count);
      if (count.count > 0) seen++;
    }),
    { numRuns: runs(60, 60), seed: 20261120 },
  );
  expect(seen).toBeGreaterThan(10);
});

test('each filter keeps what its name says', () => {
  const all = (sql: string) => new Set(engine.account.file.column<number>(sql));
  const matching = (fields: LiveFilter) => {
    const filter = { county: '99001', ...fields };
    const { count } = read('count_properties', { filter });
    const { rows } = read('result_page', { filter, columns: ['apn'], limit: 1000 });
    expect(rows.length).toBe(Math.min(1000, count));
    return rows.map((row) => row.property_id as number);
  };
  const stars = all('SELECT property_id FROM stars');
  const listX = all('SELECT property_id FROM list_members WHERE list_id = 1');
  expect(new Set(matching({ starred: true }))).toEqual(stars);
  expect(matching({ starred: false }).filter((id) => stars.has(id))).toEqual([]);
  expect(new Set(matching({ in_list: [1] }))).toEqual(listX);
  expect(matching({ not_in_list: [1] }).filter((id) => listX.has(id))).toEqual([]);
  // Mailed in March from list 1; those of list 2 again in September, so their last letter is not before June.
  const later = all("SELECT property_id FROM list_members WHERE mailed_on = '2026-09-01'");
  expect(new Set(matching({ mailed_before: '2026-06-01' }))).toEqual(
    new Set([...listX].filter((id) => !later.has(id))),
  );
  expect(later.size).toBeGreaterThan(0);
});

test('a star is in the count at once, though a result is kept', async () => {
  const filter = { county: '99001', starred: true };
  const before = read('result_page', { filter, columns: ['apn'] }).count;
  const [other] = read('result_page', { filter: { county: '99001', starred: false }, columns: ['apn'] }).rows;
  await runChange(engine, 'star', { ids: [other?.property_id] });
  expect(read('result_page', { filter, columns: ['apn'] }).count).toBe(before + 1);
  expect(read('count_properties', { filter }).count).toBe(before + 1);
  await runChange(engine, 'undo', {});
  expect(read('result_page', { filter, columns: ['apn'] }).count).toBe(before);
});

test('a large list is counted again when it or the county changes: here, by another program, and on undo', async () => {
  const filter = { county: '99001', in_list: [3] };
  const count = () => {
    const request = parseLiveRequest(filter, engine.account);
    const found = liveCount(engine.land, request).count;
    expect(found).toBe(countBySql(engine.land, request).count);
    return found;
  };
  const before = count();
  expect(before).toBeGreaterThan(1000);
  const members = engine.account.file.column<number>('SELECT property_id FROM list_members WHERE list_id = 3 LIMIT 3');
  const [first, second, third] = members as [number, number, number];
  await runChange(engine, 'remove_members', { list_id: 3, ids: [first] });
  expect(count()).toBe(before - 1);
  await runChange(engine, 'undo', {});
  expect(count()).toBe(before);
  const other = openAccountStore(engine.home);
  other.file.run('DELETE FROM list_members WHERE list_id = 3 AND property_id = ?', second);
  other.close();
  expect(count()).toBe(before - 1);
  expect(() =>
    engine.account.file.transaction(() => {
      engine.account.file.run('DELETE FROM list_members WHERE list_id = 3');
      expect(count()).toBe(0);
      throw new Error('taken back');
    }),
  ).toThrow('taken back');
  expect(count()).toBe(before - 1);
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id = ?", third);
  indexStaleCounties(engine.land.file);
  expect(count()).toBe(before - 2);
});

test('a list that is not there is said so, and the public operation refuses every one of these fields', async () => {
  const refused = async (work: () => unknown): Promise<EngineError> => {
    try {
      await work();
    } catch (error) {
      if (error instanceof EngineError) return error;
      throw error;
    }
    throw new Error('it was not refused');
  };
  const unknown = await refused(() => read('count_properties', { filter: { county: '99001', in_list: [77] } }));
  expect(unknown.details).toEqual({ in_list: ['there is no list 77'] });
  for (const fields of [
    { starred: true },
    { tags: [1] },
    { in_list: [1] },
    { not_in_list: [1] },
    { mailed_before: '2026-01-01' },
  ]) {
    const input = { county: '99001', ...fields } as never;
    expect((await refused(() => engine.call('filter_properties', input))).code).toBe('validation_error');
  }
});
