/** Calls that are charged over HTTP, and calls that are not. */
import { describe, expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import { fixtureFips, fixtureSquare } from '../support/fixture-home.ts';
import { type RequestOptions, serving } from './client.ts';

const filter = (body: unknown = { county: fixtureFips }, headers: RequestOptions['headers'] = {}): RequestOptions => ({
  method: 'POST',
  path: 'properties/filter/',
  body,
  headers,
});
const repeat = (key: string, body?: unknown) => filter(body, { 'Idempotency-Key': key });

describe('nothing is charged for', () => {
  const free: [string, RequestOptions, number][] = [
    ['an empty filter', filter({ county: '01001' }), 200],
    ['an empty area', filter({ geom_intersects: 'POINT (0 0)' }), 200],
    ['an empty search', { path: 'properties/search/?fips=99001&apn=nothing' }, 200],
    ['usage', { path: 'usage/' }, 200],
    ['the breakdown', { path: 'usage/breakdown/' }, 200],
    ['a broken area', filter({ geom_intersects: 'POLYGON ((0 0' }), 400],
    ['bounds the wrong way round', filter({ county: fixtureFips, acres_min: 2, acres_max: 1 }), 400],
    ['an unknown owner parcel', filter({ owner_parcel_id: 999 }), 400],
    ['a parcel that does not exist', { path: 'properties/999/' }, 404],
    ['a page past the end', { ...filter(), path: 'properties/filter/?page=2' }, 404],
    ['no key', { ...filter(), key: null }, 401],
    ['another host', filter(undefined, { Host: 'evil.example' }), 403],
    ['HEAD', { method: 'HEAD', path: 'properties/3/' }, 200],
    ['OPTIONS', { method: 'OPTIONS', path: 'properties/filter/' }, 204],
  ];
  test.each(free)('%s', async (_name, request, status) => {
    const it = await serving();
    const response = await it.send(request);
    expect([response.status, response.headers['x-tokens-used']]).toEqual([status, '0']);
    expect(it.engine.account.file.get('SELECT count(*) AS n FROM ledger')).toEqual({ n: 0 });
  });
});

test('an answer that cannot be made costs nothing', async () => {
  const it = await serving();
  const prepare = () => {
    throw new RangeError('Invalid string length');
  };
  const call = it.engine.callUnchecked('get_property', { id: 3 }, { mode: 'direct', prepare });
  await expect(call).rejects.toMatchObject({ code: 'internal_error' });
  expect(it.charged()).toBe(0);
  expect((await it.send({ path: 'properties/3/' })).headers['x-tokens-used']).toBe('10');
});

test('an area finds what it touches, and costs a search', async () => {
  const it = await serving();
  const response = await it.send(filter({ geom_intersects: fixtureSquare(11) }));
  expect(response.json.results.map((row: { property_id: number }) => row.property_id)).toEqual([11]);
  expect(it.charged()).toBe(30);
});

test('usage is the sum of the answers’ charges, and the breakdown shows what for', async () => {
  const it = await serving({ now: () => new Date('2026-03-05T12:00:00Z') });
  const requests = [filter(), filter(), { path: 'properties/3/' }, { path: 'properties/search/?fips=99001&apn=100-1' }];
  const answers = await Promise.all(requests.map((request) => it.send(request)));
  expect(answers.map(({ headers }) => headers['x-tokens-used'])).toEqual(['30', '30', '10', '10']);
  expect((await it.send({ path: 'usage/' })).json).toMatchObject({
    tokens_used: 80,
    period_start: '2026-03-01T00:00:00.000Z',
    period_end: '2026-04-01T00:00:00.000Z',
  });
  expect((await it.send({ path: 'usage/breakdown/' })).json.records).toEqual([
    { date: '2026-03-05', endpoint: 'public_parcel_filter', mode: 'direct', tokens_used: 60 },
    { date: '2026-03-05', endpoint: 'public_property_detail', mode: 'direct', tokens_used: 10 },
    { date: '2026-03-05', endpoint: 'public_property_search', mode: 'direct', tokens_used: 10 },
  ]);
});

describe('an Idempotency-Key', () => {
  test('is charged once, under twenty parallel calls, and every call is answered', async () => {
    const it = await serving();
    const answers = await Promise.all(Array.from({ length: 20 }, () => it.send(repeat('one'))));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ headers }) => Number(headers['x-tokens-used'])).sort((a, b) => a - b)).toEqual([
      ...Array(19).fill(0),
      30,
    ]);
    expect(it.charged()).toBe(30);
  });

  test('runs again uncharged with the same input, in any order of fields', async () => {
    const it = await serving();
    const body = { county: fixtureFips, acres_min: 1 };
    expect((await it.send(repeat('k', body))).headers['x-tokens-used']).toBe('30');
    const again = await it.send(repeat('k', { acres_min: 1, county: fixtureFips }));
    expect([again.status, again.headers['x-tokens-used'], again.json.count]).toEqual([200, '0', 48]);
    expect(it.charged()).toBe(30);
  });

  test('with another input or operation is 400, and neither runs nor charges', async () => {
    const it = await serving();
    await it.send(repeat('k'));
    for (const request of [
      repeat('k', { county: '01001' }),
      { ...repeat('k'), path: 'properties/filter/?page_size=5' },
      { path: 'properties/3/', headers: { 'Idempotency-Key': 'k' } },
    ]) {
      const response = await it.send(request);
      expect(response.status).toBe(400);
      expect(Object.keys(response.json.error.details)).toEqual(['Idempotency-Key']);
    }
    expect(it.charged()).toBe(30);
  });

  test('of two inputs at once serves one', async () => {
    const it = await serving();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => it.send(repeat('k', { county: fixtureFips }))),
      ...Array.from({ length: 5 }, () => it.send(repeat('k', { county: fixtureFips, acres_min: 1 }))),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(it.charged()).toBe(30);
  });

  test('lasts 24 hours', async () => {
    let now = new Date('2026-03-05T12:00:00.000Z');
    const it = await serving({ now: () => now });
    const tokens = async (at: string) => {
      now = new Date(at);
      return (await it.send(repeat('k'))).headers['x-tokens-used'];
    };
    expect(await tokens('2026-03-05T12:00:00.000Z')).toBe('30');
    expect(await tokens('2026-03-06T12:00:00.000Z')).toBe('0');
    expect(await tokens('2026-03-06T12:00:00.001Z')).toBe('30');
    expect(await tokens('2026-03-07T12:00:00.000Z')).toBe('0');
  });

  test('of a failed call is not kept', async () => {
    const it = await serving();
    expect((await it.send(repeat('k', { county: 'x' }))).status).toBe(400);
    expect((await it.send(repeat('k'))).headers['x-tokens-used']).toBe('30');
  });

  test('is refused once the cap is reached, but a repeat of a paid request is answered', async () => {
    const it = await serving();
    changePlan(it.engine.account, { cap_tokens: 30 });
    expect((await it.send(repeat('k'))).status).toBe(200);
    expect((await it.send(repeat('other'))).json.error.code).toBe('usage_limit_exceeded');
    expect((await it.send(repeat('k'))).status).toBe(200);
    expect(it.charged()).toBe(30);
  });

  test('is kept without any answer or input', async () => {
    const it = await serving();
    await it.send(repeat('k', { county: fixtureFips, owner_1_full_name: 'MARSH ELLEN' }));
    const rows = it.engine.account.file.all('SELECT * FROM idempotency');
    expect(rows).toEqual([
      {
        key: 'k',
        operation: 'filter_properties',
        input_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        ledger_id: 1,
        created_at: expect.any(String),
      },
    ]);
  });
});

test('a charge that cannot be written gives no data', async () => {
  const it = await serving();
  it.engine.account.file.exec("CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT RAISE(ABORT, 'full'); END");
  const response = await it.send(filter());
  expect([response.status, response.json.error.code, response.headers['x-tokens-used']]).toEqual([
    500,
    'internal_error',
    '0',
  ]);
  expect(response.text).not.toContain('results');
  // Free calls continue.
  expect((await it.send({ path: 'usage/' })).status).toBe(200);
});
