/** Exports of a list and of the starred parcels: some of them, and in the order that a table shows. */
import fs from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import type { MadeFile } from '../../engine/reads/export-parcels.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { fixtureEngine } from './export-home.ts';

async function exported(engine: Engine, what: object): Promise<Record<string, string>[]> {
  const data = await runRead(engine, 'make_export', { what, format: 'csv' } as never);
  const file = findShelved(engine.home, (data as MadeFile).id)?.path ?? '';
  return parse(fs.readFileSync(file), { bom: true, columns: true });
}

const idsOf = async (engine: Engine, what: object): Promise<number[]> =>
  (await exported(engine, what)).map(({ property_id: id }) => Number(id));

test('a list by a column of the county, by the days of its letters and by value; unknown ones last', async () => {
  const engine = fixtureEngine();
  // Acres are half the number, and of each tenth none are recorded: the mapped ones count then.
  await runChange(engine, 'make_list', { name: 'Five', of: { ids: [7, 3, 9, 5, 1] } });
  expect(await idsOf(engine, { list_id: 1 })).toEqual([7, 3, 9, 5, 1]);
  expect(await idsOf(engine, { list_id: 1, ordering: null })).toEqual([7, 3, 9, 5, 1]);
  expect(await idsOf(engine, { list_id: 1, ordering: '-acres' })).toEqual([9, 7, 5, 3, 1]);
  await runChange(engine, 'set_mailed_on', { list_id: 1, ids: [5], mailed_on: '2026-10-01' });
  await runChange(engine, 'set_mailed_on', { list_id: 1, ids: [9], mailed_on: '2026-11-01' });
  expect(await idsOf(engine, { list_id: 1, ordering: '-mailed_on' })).toEqual([9, 5, 7, 3, 1]);
  const put = (id: number, price: number) =>
    engine.account.file.run(
      'INSERT INTO stored_values (property_id, valued_at, explained) VALUES (?, ?, ?)',
      id,
      '2026-11-01T00:00:00.000Z',
      JSON.stringify({ numbers: { mean_adjusted_price: price }, range: { low: price - 1, high: price + 1 } }),
    );
  put(3, 30_000);
  put(1, 40_000);
  expect(await idsOf(engine, { list_id: 1, ordering: 'value' })).toEqual([3, 1, 7, 9, 5]);
});

test('some of a list, with what the list knows of them; what is not in it is left out', async () => {
  const engine = fixtureEngine();
  await runChange(engine, 'make_list', { name: 'Five', of: { ids: [7, 3, 9, 5, 1] } });
  await runChange(engine, 'set_mailed_on', { list_id: 1, ids: [5], mailed_on: '2026-10-01' });
  const rows = await exported(engine, { list_id: 1, ids: [5, 3, 2], ordering: 'acres' });
  expect(rows.map(({ property_id: id, mailed_on: day }) => [id, day])).toEqual([
    ['3', ''],
    ['5', '2026-10-01'],
  ]);
});

test('some of the starred parcels, in an order', async () => {
  const engine = fixtureEngine();
  await runChange(engine, 'star', { ids: [4, 2, 8] });
  expect(await idsOf(engine, { starred: true, ordering: '-acres' })).toEqual([8, 4, 2]);
  expect(await idsOf(engine, { starred: true, ids: [2, 8, 5] })).toEqual([2, 8]);
});

test.each([
  ['a column that nothing is sorted by', { list_id: 1, ordering: 'geom' }],
  ['no parcel at all', { list_id: 1, ids: [] }],
  ['a value to sort a filter by', { filter: { county: '99001' }, ordering: 'mailed_on' }],
])('%s is refused', async (_case, what) => {
  const engine = fixtureEngine();
  await runChange(engine, 'make_list', { name: 'One', of: { ids: [7] } });
  await expect(exported(engine, what)).rejects.toMatchObject({ code: 'validation_error' });
});
