/** POST values/: the comp values of many parcels in one call, priced per value, refused row by row. */
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { createKey, keyScopes } from '../../engine/account/api-keys.ts';
import { changePlan } from '../../engine/account/plan.ts';
import { startServer } from '../../engine/http/server.ts';
import { EngineError } from '../../engine/index.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';
import { base } from './client.ts';

async function serving() {
  const engine = engineOn(copyOfHome(sampleHome()));
  const server = await startServer(engine, { port: 0 });
  onTestFinished(() => server.close());
  const { key } = createKey(engine.account, 'values', keyScopes, engine.now());
  const ask = async (body: unknown, headers: Record<string, string> = {}, query = '') => {
    const response = await fetch(`${server.baseUrl}${base}values/${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const json = text.startsWith('{') ? JSON.parse(text) : undefined;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json,
      tokens: Number(response.headers.get('x-tokens-used')),
    };
  };
  const charged = () => engine.account.file.all('SELECT endpoint, tokens FROM ledger ORDER BY ledger_id');
  return { engine, server, ask, charged };
}

/** What the call of one parcel says: its numbers, or its error. */
async function alone({ engine }: Awaited<ReturnType<typeof serving>>, id: number) {
  const caller = { mode: 'script', isFree: true } as const;
  try {
    const { data, notices } = await engine.call('get_property_ai_comp_value', { id }, caller);
    return { property_id: id, ...data, warnings: notices, error: null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { property_id: id, error: { code: error.code, message: error.message } };
  }
}

test('each row is what the call of its parcel says; values are charged, together and once, and refusals are not', async () => {
  const it = await serving();
  // Every thirtieth parcel of the sample, and ids that no parcel has.
  const ids = [...Array.from({ length: 200 }, (_, i) => 1 + 30 * i), 999_999, 0];
  const { status, json, tokens } = await it.ask({ property_ids: ids });
  expect(status).toBe(200);
  expect(json.results.map((row: { property_id: number }) => row.property_id)).toEqual(ids);
  for (const row of json.results) expect(row).toMatchObject(await alone(it, row.property_id));
  const valued = json.results.filter((row: { error: unknown }) => row.error === null).length;
  const refused = json.results.filter((row: { error: unknown }) => row.error !== null);
  expect(valued).toBeGreaterThan(20);
  expect(refused.length).toBeGreaterThan(1);
  for (const row of refused)
    expect([row.mean_price, row.gini_index, row.error.code]).toEqual([null, null, 'not_found']);
  expect([json.valued, tokens]).toEqual([valued, 10 * valued]);
  expect(it.charged()).toEqual([{ endpoint: 'public_ai_comp_value', tokens: 10 * valued }]);
});

test('a parcel named twice has two rows and one price; refusals alone cost nothing', async () => {
  const it = await serving();
  const twice = await it.ask({ property_ids: [6, 2, 6] });
  expect(twice.json.results[0]).toEqual(twice.json.results[2]);
  expect([twice.json.valued, twice.tokens]).toEqual([2, 20]);
  const none = await it.ask({ property_ids: [999_999] });
  expect([none.status, none.json.valued, none.tokens]).toEqual([200, 0, 0]);
  const early = await it.ask({ property_ids: [6, 2], as_of: '19500101' });
  expect([early.json.valued, early.tokens]).toEqual([0, 0]);
  expect(early.json.results[0].error.message).not.toBe(none.json.results[0].error.message);
  expect(it.charged()).toHaveLength(1);
});

test('a repeat under one Idempotency-Key is free; over the cap nothing is charged and nothing returned', async () => {
  const it = await serving();
  const headers = { 'Idempotency-Key': 'thousand' };
  const body = { property_ids: [6, 2] };
  expect((await it.ask(body, headers)).tokens).toBe(20);
  const again = await it.ask(body, headers);
  expect([again.status, again.tokens, again.json.valued]).toEqual([200, 0, 2]);
  expect((await it.ask({ property_ids: [2, 6] }, headers)).status).toBe(400);
  changePlan(it.engine.account, { cap_tokens: 39 });
  const over = await it.ask(body);
  expect([over.status, over.json.error.code, over.json.results]).toEqual([402, 'usage_limit_exceeded', undefined]);
  expect(it.charged()).toHaveLength(1);
});

test('a list that is none, empty, too long or of other things is refused with what was found', async () => {
  const it = await serving();
  const details = async (body: unknown) => (await it.ask(body)).json.error.details.property_ids[0];
  expect(await details({})).toBe('required: expected a list of 1 to 1,000 property_ids');
  expect(await details({ property_ids: [] })).toMatch(/expected a list of 1 to 1,000 property_ids, found \[\]/);
  expect(await details({ property_ids: Array(1001).fill(2) })).toBe('expected at most 1,000 items, found 1,001');
  expect(await details({ property_ids: [2, '6'] })).toMatch(/^item 2: expected .*, found "6"/);
  expect((await it.ask({ property_ids: [2], as_of: '20990101' })).json.error.details.as_of).toHaveLength(1);
  expect(it.charged()).toEqual([]);
});

test('CSV has a row for each, with the error in words', async () => {
  const it = await serving();
  const { text, headers } = await it.ask({ property_ids: [6, 999_999] }, {}, '?format=csv');
  expect(headers.get('x-total-count')).toBe('2');
  const rows = parse(text, { columns: true }) as Record<string, string>[];
  expect(rows.map(({ property_id: id, error }) => [id, error])).toEqual([
    ['6', ''],
    ['999999', 'not_found'],
  ]);
  expect(Number(rows[0]?.mean_price)).toBeGreaterThan(0);
  expect(rows[1]?.message).toContain('999999');
});

test('a thousand values let other calls in between, and end as closed with the engine, uncharged', async () => {
  const it = await serving();
  const property_ids = Array.from({ length: 1000 }, (_, i) => i + 1);
  const order: string[] = [];
  const caller = { mode: 'script' } as const;
  const many = it.engine.call('get_ai_comp_values', { property_ids }, caller).then(({ tokens, data }) => {
    order.push('many');
    return [tokens, data.valued * 10];
  });
  await it.engine.call('list_datasets', {}).then(() => order.push('other'));
  const [tokens, price] = await many;
  expect(order).toEqual(['other', 'many']);
  expect(tokens).toBe(price);
  expect(it.engine.quote('get_ai_comp_values', { property_ids })).toBe(10_000);
  const cut = it.engine.call('get_ai_comp_values', { property_ids }, caller);
  it.engine.close();
  await expect(cut).rejects.toMatchObject({ code: 'closed' });
});
