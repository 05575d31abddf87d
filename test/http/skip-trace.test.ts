/** Skip trace over HTTP: statuses, headers, prices, scope, and the limit that all doors share. */
import { describe, expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import { insertContact } from '../../engine/importing/lists/contact-writer.ts';
import { type Serving, serving } from './client.ts';

const body = { first_name: 'Ellen', last_name: 'Marsh', zip: '00141' };
const byName = (more: unknown = body) => ({ method: 'POST', path: 'skip-trace/', body: more });
const byParcel = (id: number | string) => ({ method: 'POST', path: `properties/${id}/skip-trace/` });

/** Parcel 1 is MARSH ELLEN's, 2 a couple's, 3 a company's, 4 the town's; 6 has no mailing address. */
async function home(options: Parameters<typeof serving>[0] = {}): Promise<Serving> {
  const it = await serving(options);
  it.engine.land.file.run("UPDATE parcels SET mailing_zip = '00141' WHERE property_id <> 6");
  it.engine.land.file.run('UPDATE parcels SET mailing_address = NULL, mailing_city = NULL WHERE property_id = 6');
  insertContact(
    it.engine.people.file,
    'list',
    {
      firstName: 'Ellen',
      middleName: null,
      lastName: 'Marsh',
      suffix: null,
      address: '1 Main St',
      city: 'Wrenfield',
      state: 'ZZ',
      zip: '00141',
      phones: [
        { number: '6035550101', lineType: 'Mobile', dnc: false },
        { number: '6035550102', lineType: null, dnc: null },
      ],
    },
    null,
  );
  return it;
}

const ellen = {
  matched: true,
  first_name: 'Ellen',
  last_name: 'Marsh',
  phones: [
    { number: '6035550101', line_type: 'Mobile', dnc: false },
    { number: '6035550102', line_type: null, dnc: null },
  ],
};
const unmatched = { matched: false, first_name: null, last_name: null, phones: [] };

describe('a match', () => {
  test.each([
    ['by name', byName()],
    ['by city and state', byName({ first_name: 'ellen', last_name: 'MARSH', city: 'Wrenfield', state: 'zz' })],
    ['by parcel', byParcel(1)],
    ['without the slash', { method: 'POST', path: 'properties/1/skip-trace' }],
    ['by parcel, with an empty body', { ...byParcel(1), body: {} }],
  ])('%s is answered 200 and costs 20', async (_name, request) => {
    const it = await home();
    const response = await it.send(request);
    expect(response.status, response.text).toBe(200);
    expect(response.json).toStrictEqual(ellen);
    expect(response.headers['x-tokens-used']).toBe('20');
    expect(it.engine.account.file.all('SELECT endpoint, mode, tokens FROM ledger')).toEqual([
      { endpoint: 'public_skip_trace', mode: 'direct', tokens: 20 },
    ]);
  });
});

describe('no match', () => {
  test.each([
    ['by name', byName({ ...body, first_name: 'Ruth' })],
    ['by parcel', byParcel(2)],
  ])('%s is answered 200 and is free', async (_name, request) => {
    const it = await home();
    const response = await it.send(request);
    expect(response.status, response.text).toBe(200);
    expect(response.json).toStrictEqual(unmatched);
    expect(response.headers['x-tokens-used']).toBe('0');
    expect(it.charged()).toBe(0);
  });
});

describe('what is refused', () => {
  test.each<[string, Parameters<Serving['send']>[0], string[]]>([
    ['no place', byName({ first_name: 'Ellen', last_name: 'Marsh' }), ['non_field_errors']],
    ['a city alone', byName({ first_name: 'Ellen', last_name: 'Marsh', city: 'Wrenfield' }), ['state']],
    ['no names', byName({ zip: '00141' }), ['first_name', 'last_name']],
    ['a bad ZIP', byName({ ...body, zip: '0141' }), ['zip']],
    ['an unknown field', byName({ ...body, adress: '1 Main St' }), ['adress']],
    ['a company', byParcel(3), ['id']],
    ['a town', byParcel(4), ['id']],
    ['no mailing address', byParcel(6), ['id']],
    ['no id', byParcel('abc'), ['id']],
    ['a body for a parcel', { ...byParcel(1), body: { first_name: 'Ellen' } }, ['first_name']],
  ])('%s: 400', async (_name, request, fields) => {
    const it = await home();
    const response = await it.send(request);
    expect(response.status, response.text).toBe(400);
    expect(response.json.error.code).toBe('validation_error');
    expect(Object.keys(response.json.error.details)).toEqual(fields);
    expect(response.headers['x-tokens-used']).toBe('0');
    expect(it.charged()).toBe(0);
  });

  test('an unknown parcel: 404', async () => {
    const response = await (await home()).send(byParcel(999));
    expect(response.json.error.code).toBe('not_found');
  });

  test('another method: 405', async () => {
    const it = await home();
    for (const path of ['skip-trace/', 'properties/1/skip-trace/']) {
      const response = await it.send({ path });
      expect(response.status).toBe(405);
      expect(response.headers.allow).toBe('OPTIONS, POST');
    }
  });

  test('a key without the scope trace: 403; the scope alone is enough', async () => {
    const it = await home();
    for (const request of [byName(), byParcel(1)]) {
      expect((await it.send({ ...request, key: it.makeKey(['read', 'write']) })).json.error.code).toBe('forbidden');
      expect((await it.send({ ...request, key: it.makeKey(['trace']) })).status).toBe(200);
    }
  });

  test('a full cap: 402, and no data', async () => {
    const it = await home();
    changePlan(it.engine.account, { cap_tokens: 19 });
    const response = await it.send(byName());
    expect(response.json.error.code).toBe('usage_limit_exceeded');
    expect(response.text).not.toContain('603555');
    // Free calls stay free.
    expect((await it.send(byParcel(2))).status).toBe(200);
  });
});

describe('the limit', () => {
  test('the 21st in a minute is 429 with Retry-After, from every door, until the minute is over', async () => {
    let now = Date.parse('2026-08-01T12:00:00.000Z');
    const it = await home({ now: () => new Date(now) });
    for (let n = 0; n < 20; n++) {
      // Matched, unmatched and refused ones count alike: requests are counted.
      const request = [byName(), byParcel(2), byParcel(3)][n % 3] ?? byName();
      expect((await it.send(request)).status).not.toBe(429);
      now += 1000;
    }
    for (const request of [byName(), byParcel(1), byName({ nonsense: true }), byParcel(999)]) {
      const response = await it.send({ ...request, key: it.makeKey(['trace']) });
      expect(response.status).toBe(429);
      expect(response.json.error.code).toBe('rate_limited');
      expect(response.headers['retry-after']).toBe('40');
      const { headers } = response;
      const rates = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);
      expect(rates).toEqual(['20', '0', '40']);
      expect(response.headers['x-tokens-used']).toBe('0');
    }
    await expect(it.engine.call('skip_trace_owner' as never, body as never)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 40,
    });
    // Other operations have nothing to do with it.
    expect((await it.send({ path: 'properties/1/' })).status).toBe(200);
    now += 40_000;
    expect((await it.send(byName())).json).toStrictEqual(ellen);
    expect((await it.send(byParcel(1))).status).toBe(429);
  });

  test('of many at once exactly 20 are answered', async () => {
    const it = await home();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => it.send(n % 2 ? byName() : byParcel(1))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(it.charged()).toBe(400);
  });

  test('input that the schema refuses takes nothing of it', async () => {
    const it = await home();
    for (let n = 0; n < 25; n++) expect((await it.send(byName({ zip: 1 }))).status).toBe(400);
    expect((await it.send(byName())).status).toBe(200);
  });
});
