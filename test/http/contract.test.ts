/** docs/contract.md, "Order of checks", "Requests" and "Answers": statuses, headers, the order of checks, plans, keys. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listKeys, revokeKey } from '../../engine/account/api-keys.ts';
import { changePlan, type Plan } from '../../engine/account/plan.ts';
import { startServer } from '../../engine/http/server.ts';
import { operations } from '../../engine/operations/index.ts';
import { wireErrors } from '../../engine/spec/errors.ts';
import { openAccountStore } from '../../engine/store/account-store.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { base, type RequestOptions, type Response, type Serving, serving, startServing } from './client.ts';

const filter = (body: unknown = { county: fixtureFips }, query = ''): RequestOptions => ({
  method: 'POST',
  path: `properties/filter/${query}`,
  body,
});
const search = (query: string): RequestOptions => ({ path: `properties/search/?${query}` });

function expectError(response: Response, code: keyof typeof wireErrors): void {
  expect(response.json?.error?.code, response.text).toBe(code);
  expect(response.status).toBe(wireErrors[code].status);
  const { error, ...rest } = response.json;
  expect(rest).toEqual({});
  expect(Object.keys(error).sort()).toEqual(
    code === 'validation_error' ? ['code', 'details', 'message', 'request_id'] : ['code', 'message', 'request_id'],
  );
  expect(error.request_id).toBe(response.headers['x-request-id']);
  expect(response.headers['x-tokens-used']).toBe('0');
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
}

function expectCommonHeaders({ headers }: Response): void {
  expect(headers['x-request-id']).toMatch(/^[\x21-\x7e]{1,128}$/);
  expect(headers['x-tokens-used']).toMatch(/^\d+$/);
  expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  expect(headers['x-ratelimit-reset']).toMatch(/^\d+$/);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

describe('every answer', () => {
  let it: Serving;
  beforeAll(async () => {
    it = await startServing();
  });
  afterAll(() => it.stop());

  const answers: [string, RequestOptions, number][] = [
    ['a filter', filter(), 200],
    ['a search', search(`fips=${fixtureFips}&owner_name=marsh`), 200],
    ['a parcel', { path: 'properties/3/' }, 200],
    ['usage', { path: 'usage/' }, 200],
    ['the breakdown', { path: 'usage/breakdown/' }, 200],
    ['the description', { path: 'openapi.json', key: null }, 200],
    ['an empty filter', filter({ county: '01001' }), 200],
    ['OPTIONS', { method: 'OPTIONS', path: 'properties/filter/', key: null }, 204],
    ['no scope', filter({ state: 'ZZ' }), 400],
    ['no key', { ...filter(), key: null }, 401],
    ['another host', { ...filter(), headers: { Host: 'example.com' } }, 403],
    ['an unknown path', { path: 'parcels/' }, 404],
    ['an unknown parcel', { path: 'properties/999/' }, 404],
    ['a wrong method', { method: 'DELETE', path: 'properties/3/' }, 405],
    ['HEAD', { method: 'HEAD', path: 'properties/3/' }, 200],
    ['HEAD of an unknown parcel', { method: 'HEAD', path: 'properties/999/' }, 404],
  ];

  test.each(answers)('has the common headers: %s', async (_name, request, status) => {
    const response = await it.send(request);
    expect(response.status).toBe(status);
    expectCommonHeaders(response);
    if (status >= 400) expect(response.headers['x-tokens-used']).toBe('0');
  });

  test('echoes a request id of 1 to 128 visible ASCII characters and issues another for anything else', async () => {
    for (const id of ['x', '!~', 'a'.repeat(128), '7d0c"<>&']) {
      const response = await it.send({ path: 'nothing/', headers: { 'X-Request-Id': id } });
      expect(response.headers['x-request-id']).toBe(id);
      expect(response.json.error.request_id).toBe(id);
    }
    for (const id of ['', 'a b', 'é', 'a'.repeat(129), '\tx y']) {
      const response = await it.send({ path: 'usage/', headers: { 'X-Request-Id': id } });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    }
    const twice = await it.send({ path: 'usage/', headers: { 'X-Request-Id': ['one', 'two'] } });
    expect(twice.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-/);
  });

  test('keeps the connection for five seconds', async () => {
    expect((await it.send({ path: 'usage/' })).headers['keep-alive']).toBe('timeout=5');
  });

  test('says what was charged', async () => {
    expect((await it.send(filter())).headers['x-tokens-used']).toBe('30');
    expect((await it.send(search(`fips=${fixtureFips}&apn=100-1`))).headers['x-tokens-used']).toBe('10');
    expect((await it.send({ path: 'properties/3/' })).headers['x-tokens-used']).toBe('10');
    expect((await it.send({ path: 'usage/' })).headers['x-tokens-used']).toBe('0');
  });
});

describe('paths and methods', () => {
  let it: Serving;
  beforeAll(async () => {
    it = await startServing();
  });
  afterAll(() => it.stop());

  test('a missing slash at the end is served, not redirected', async () => {
    expect((await it.send({ method: 'POST', path: 'properties/filter', body: { county: fixtureFips } })).status).toBe(
      200,
    );
    expect((await it.send({ path: 'properties/3' })).json.property_id).toBe(3);
    expect((await it.send({ path: 'usage' })).status).toBe(200);
  });

  test.each([
    ['properties/filter/', 'GET, HEAD, OPTIONS, POST'],
    ['properties/3/skip-trace/', 'OPTIONS, POST'],
    ['properties/search/', 'GET, HEAD, OPTIONS'],
    ['properties/3/', 'GET, HEAD, OPTIONS'],
    ['usage/', 'GET, HEAD, OPTIONS'],
    ['openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s allows %s and answers every other method 405', async (path, allow) => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY'];
    for (const method of methods.filter((one) => !allow.split(', ').includes(one))) {
      const response = await it.send({ method, path });
      expect(response.status, method).toBe(405);
      expect(response.headers.allow).toBe(allow);
      if (method !== 'HEAD') expectError(response, 'method_not_allowed');
    }
  });

  test.each([
    'properties/3/',
    `properties/search/?fips=${fixtureFips}&owner_name=a&format=csv`,
    'properties/999/',
    'properties/abc/',
    'usage/',
    'openapi.json',
  ])('HEAD %s has the status and the headers of GET, no body, and costs nothing', async (path) => {
    const get = await it.send({ path });
    const charged = it.charged();
    const head = await it.send({ path, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([get.status, '']);
    for (const name of ['content-type', 'content-length', 'x-total-count', 'link'])
      expect(head.headers[name], name).toBe(get.headers[name]);
    expect(head.headers['x-tokens-used']).toBe('0');
    expect(it.charged()).toBe(charged);
  });

  test('OPTIONS needs no key', async () => {
    const response = await it.send({ method: 'OPTIONS', path: 'properties/filter/', key: null });
    expect(response).toMatchObject({ status: 204, text: '' });
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
  });

  test.each(['properties/', 'properties//', 'properties/3/x/', 'Properties/filter/', 'usage//', '../v2/usage/', '%'])(
    'there is nothing at %j',
    async (path) => expectError(await it.send({ path: `${base}${path}` }), 'not_found'),
  );

  test('there is nothing outside the base', async () => {
    for (const path of ['/', '/favicon.ico', '/api/', '/api/public/v2/usage/', '//api/public/v1/usage/', '/%zz'])
      expectError(await it.send({ path }), 'not_found');
  });

  test('the id 0 is that of no parcel', async () => expectError(await it.send({ path: 'properties/0/' }), 'not_found'));

  test.each(['abc', '1.5', '1e3', '+1', '-1', ' 1', '%zz', '%2e%2e', '9007199254740992', '1'.repeat(300)])(
    'the id %j is refused as input',
    async (id) => {
      const response = await it.send({ path: `properties/${encodeURI(id).replaceAll('%25', '%')}/` });
      expectError(response, 'validation_error');
      expect(Object.keys(response.json.error.details)).toEqual(['id']);
    },
  );

  test('parcels and pages that do not exist are 404', async () => {
    expectError(await it.send({ path: 'properties/999/' }), 'not_found');
    expectError(await it.send(filter(undefined, '?page=2')), 'not_found');
  });
});

describe('the order of checks', () => {
  let steady = 0;
  let it: Serving;
  let writeKey: string;
  let drained: Serving;
  beforeAll(async () => {
    it = await startServing();
    drained = await startServing({ rate: { burst: 1, perSecond: 1 }, steadyNow: () => steady });
    writeKey = it.makeKey(['write']);
    expect((await drained.send({ path: 'usage/' })).status).toBe(200);
  });
  afterAll(async () => {
    await it.stop();
    await drained.stop();
  });

  // Each request fails two neighbouring checks, and is answered by the first.
  test('guard before path', async () => {
    expectError(await it.send({ path: 'nothing/', headers: { Host: 'evil.example' } }), 'forbidden');
    expectError(await it.send({ path: 'nothing/', headers: { Origin: 'http://evil.example' } }), 'forbidden');
  });
  test('path before key', async () => expectError(await it.send({ path: 'nothing/', key: null }), 'not_found'));
  test('key before method', async () =>
    expectError(await it.send({ method: 'DELETE', path: 'usage/', key: null }), 'unauthorized'));
  test('method before plan', async () => {
    changePlan(it.engine.account, { pro: false });
    expectError(await it.send({ method: 'DELETE', path: 'properties/3/' }), 'method_not_allowed');
    changePlan(it.engine.account, { pro: true });
  });
  test('plan before scope', async () => {
    changePlan(it.engine.account, { pro: false });
    expectError(await it.send({ path: 'properties/3/', key: writeKey }), 'subscription_required');
    changePlan(it.engine.account, { pro: true });
    expectError(await it.send({ path: 'properties/3/', key: writeKey }), 'forbidden');
  });
  test('scope before rate', async () => {
    expectError(await drained.send({ path: 'properties/3/', key: drained.makeKey(['trace']) }), 'forbidden');
  });
  test('rate before input', async () => {
    for (const request of [
      filter('{not json'),
      filter({ countyy: 1 }),
      filter(undefined, '?pge=1'),
      filter(undefined, '?page=%zz'),
      { path: 'properties/abc/' },
      { path: 'properties/3/?format=xml' },
      { path: 'properties/3/', headers: { 'Idempotency-Key': 'a b' } },
      { ...filter(), headers: { 'Content-Type': 'text/plain' } },
      filter(Buffer.alloc(1024 * 1024 + 1, ' ')),
    ]) {
      expectError(await drained.send(request), 'rate_limited');
    }
    steady += 1000;
    expectError(await drained.send(filter('{not json')), 'validation_error');
  });
  test('input before running', async () => {
    expectError(await it.send({ path: 'properties/999/?pge=1' }), 'validation_error');
    expectError(await it.send(filter({ county: fixtureFips, acres_min: 'x' }, '?page=9')), 'validation_error');
  });
});

describe('keys', () => {
  test.each([
    ['none', {}],
    ['another scheme', { Authorization: 'Basic cGxhdF8=' }],
    ['no scheme', { Authorization: 'plat_AAAA' }],
    ['only a scheme', { Authorization: 'Bearer' }],
    ['an unknown key', { Authorization: `Bearer plat_${'A'.repeat(43)}` }],
    ['two keys in one', { Authorization: 'Bearer plat_A, Bearer plat_B' }],
    ['a very long key', { Authorization: `Bearer plat_${'A'.repeat(5000)}` }],
  ])('%s: 401 with the scheme to use', async (_name, headers) => {
    const it = await serving();
    const response = await it.send({ path: 'usage/', key: null, headers });
    expectError(response, 'unauthorized');
    expect(response.headers['www-authenticate']).toBe('Bearer realm="platbook"');
  });

  test('the scheme may be written in any case, the key may not', async () => {
    const it = await serving();
    const with_ = (Authorization: string) => it.send({ path: 'usage/', key: null, headers: { Authorization } });
    expect((await with_(`bEARER ${it.key}`)).status).toBe(200);
    expect((await with_(`Bearer   ${it.key}`)).status).toBe(200);
    expect((await with_(`Bearer ${it.key.toUpperCase()}`)).status).toBe(401);
    expect((await with_(`Bearer ${it.key}x`)).status).toBe(401);
    expect((await with_(`Bearer ${it.key} x`)).status).toBe(401);
  });

  test('a key in the URL is no key', async () => {
    const it = await serving();
    for (const name of ['key', 'api_key', 'access_token', 'token', 'Authorization']) {
      expectError(await it.send({ path: `usage/?${name}=${it.key}`, key: null }), 'unauthorized');
      expectError(await it.send({ path: `usage/?${name}=${it.key}` }), 'validation_error');
    }
  });

  test('a revoked key is refused from then on, and use is noted', async () => {
    const it = await serving();
    expect((await it.send({ path: 'usage/' })).status).toBe(200);
    const [row] = listKeys(it.engine.account);
    expect(row?.last_used_at).not.toBeNull();
    revokeKey(it.engine.account, row?.id ?? 0, it.engine.now());
    expectError(await it.send({ path: 'usage/' }), 'unauthorized');
  });

  test('a key that another program revokes is refused from then on', async () => {
    const it = await serving();
    for (let n = 0; n < 2; n++) expect((await it.send({ path: 'usage/' })).status).toBe(200);
    const other = openAccountStore(it.engine.home);
    const [row] = listKeys(other);
    revokeKey(other, row?.id ?? 0, it.engine.now());
    other.close();
    expectError(await it.send({ path: 'usage/' }), 'unauthorized');
  });

  test('each scope opens its own operations only', async () => {
    const it = await serving();
    for (const scope of ['write', 'trace', 'feeds'] as const) {
      const key = it.makeKey([scope]);
      expectError(await it.send({ ...filter(), key }), 'forbidden');
      // "usage and usage/breakdown need a valid key only"
      expect((await it.send({ path: 'usage/', key })).status).toBe(200);
      expect((await it.send({ path: 'usage/breakdown/', key })).status).toBe(200);
    }
    const key = it.makeKey(['read']);
    expect((await it.send({ ...filter(), key })).status).toBe(200);
    expect((await it.send({ path: 'usage/', key })).status).toBe(200);
  });

  test('the ledger names the key', async () => {
    const it = await serving();
    await it.send(filter());
    expect(it.engine.account.file.get('SELECT endpoint, mode, tokens, key_id FROM ledger')).toEqual({
      endpoint: 'public_parcel_filter',
      mode: 'direct',
      tokens: 30,
      key_id: 1,
    });
  });
});

describe('plans', () => {
  const states: [Partial<Plan>, keyof typeof wireErrors | null][] = [
    [{}, null],
    [{ tier: 'growth' }, null],
    [{ tier: 'scale' }, null],
    [{ pro: false }, 'subscription_required'],
    [{ pro: false, tier: null, invoice_paid: false }, 'subscription_required'],
    [{ tier: null }, 'tier_upgrade_required'],
    [{ tier: 'free' }, 'tier_upgrade_required'],
    [{ tier: 'free', invoice_paid: false }, 'tier_upgrade_required'],
    [{ invoice_paid: false }, 'payment_required'],
    [{ cap_tokens: 29 }, 'usage_limit_exceeded'],
    [{ cap_tokens: 30 }, null],
    [{ cap_tokens: 0 }, 'usage_limit_exceeded'],
  ];

  test.each(states)('with %j a filter answers %s, and usage always works', async (change, code) => {
    const it = await serving();
    changePlan(it.engine.account, change);
    const response = await it.send(filter());
    if (code) expectError(response, code);
    else expect(response.status).toBe(200);
    expect(it.charged()).toBe(code ? 0 : 30);
    expect((await it.send({ path: 'usage/' })).status).toBe(200);
    expect((await it.send({ path: 'usage/breakdown/' })).status).toBe(200);
  });

  test('without a contract usage is null and 0', async () => {
    const it = await serving();
    await it.send(filter());
    changePlan(it.engine.account, { tier: null });
    expect((await it.send({ path: 'usage/' })).json).toEqual({
      tier: null,
      tokens_used: 0,
      tokens_included: 0,
      tokens_overage: 0,
      overage_amount_cents: 0,
      period_start: null,
      period_end: null,
    });
  });

  test('under a cap every request up to it is answered, and none beyond', async () => {
    const it = await serving();
    changePlan(it.engine.account, { cap_tokens: 100 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => it.send(filter())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const refused of answers.filter(({ status }) => status !== 200)) expectError(refused, 'usage_limit_exceeded');
    expect(it.charged()).toBe(90);
    // Free calls stay free: an empty result costs nothing under a full cap.
    expect((await it.send(filter({ county: '01001' }))).status).toBe(200);
  });
});

describe('faults', () => {
  test('are internal_error without a word of the inside, logged under the request id, and not charged', async () => {
    const it = await serving();
    it.engine.land.file.exec('ALTER TABLE parcels RENAME TO secret_name');
    const response = await it.send({ ...filter(), headers: { 'X-Request-Id': 'fault-1' } });
    expectError(response, 'internal_error');
    expect(response.text).not.toContain('secret');
    expect(response.text).not.toContain('parcels');
    expect(it.faults.map(({ requestId, operation }) => [requestId, operation])).toEqual([
      ['fault-1', 'filter_properties'],
    ]);
    expect(it.lines.at(-1)).toMatchObject({ requestId: 'fault-1', status: 500, tokens: 0 });
    expect(it.charged()).toBe(0);
  });

  test('codes of the library are internal_error here', async () => {
    const it = await serving();
    it.engine.account.file.exec('DELETE FROM plan');
    const response = await it.send(filter());
    expectError(response, 'internal_error');
    expect(response.text).not.toContain('account.sqlite');
    expect(it.lines.at(-1)?.error).toMatchObject({ code: 'file_damaged' });
  });

  test('a full disk is said, without a path, a charge or data; with room the next request is answered', async () => {
    const it = await serving();
    const { file } = it.engine.account;
    // SQLite's own limit: the next page is refused as by a full disk.
    const pages = Number(file.pragma('page_count'));
    file.exec('CREATE TABLE filler (n)');
    file.pragma(`max_page_count = ${pages + 1}`);
    const fill = () => {
      for (;;) file.run('INSERT INTO filler VALUES (randomblob(2000))');
    };
    expect(fill).toThrow(expect.objectContaining({ code: 'disk_full' }));
    let response = await it.send(filter());
    for (let at = 0; at < 200 && response.status === 200; at++) response = await it.send(filter());
    const charged = it.charged();
    response = await it.send(filter());
    expectError(response, 'internal_error');
    expect(response.json.error.message).toBe(
      'The disk with the data of Platbook is full: make room on it. Nothing was charged or changed.',
    );
    expect(response.text).not.toContain(it.engine.home);
    expect(it.lines.at(-1)?.error).toMatchObject({ code: 'disk_full' });
    expect(it.charged()).toBe(charged);
    file.pragma('max_page_count = 1000000');
    expect((await it.send(filter())).status).toBe(200);
  });

  test('the log holds no path, query or key', async () => {
    const it = await serving();
    await it.send(search(`fips=${fixtureFips}&owner_name=marsh`));
    expect(Object.keys(it.lines.at(-1) ?? {}).sort()).toEqual(['method', 'operation', 'requestId', 'status', 'tokens']);
    expect(it.lines.at(-1)).toMatchObject({ method: 'GET', operation: 'search_properties', status: 200, tokens: 10 });
  });
});

describe('the listener', () => {
  test('answers on 127.0.0.1 under both names, and gives its address', async () => {
    const it = await serving();
    expect(it.server.baseUrl).toBe(`http://127.0.0.1:${it.server.port}`);
    expect((await it.send({ path: 'usage/', headers: { Host: `localhost:${it.server.port}` } })).status).toBe(200);
  });

  test('a port in use is named, with what to do', async () => {
    const it = await serving();
    await expect(startServer(it.engine, { port: it.server.port })).rejects.toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(new RegExp(`Port ${it.server.port} is in use by another program.*--port`)),
    });
    await expect(startServer(it.engine, { port: 70_000 })).rejects.toMatchObject({ code: 'usage' });
  });

  test('closes before its clients are done, idle keep-alive connections and half-sent requests or not', async () => {
    const it = await startServing();
    const head = `POST ${base}properties/filter/ HTTP/1.1\r\nHost: localhost:${it.server.port}\r\nAuthorization: Bearer ${it.key}\r\nContent-Le`;
    const hanging = [head, `${head}ngth: 99\r\nContent-Type: application/json\r\n\r\n{`].map((sent) =>
      it.sendRaw(sent, { half: false }),
    );
    // Connections are taken in their order: once this one is answered, those two are open. It stays open too, idle.
    await it.send({ path: 'usage/' });
    await it.server.close();
    // Their connections are cut after half a second; a server that waited for them would not have closed.
    expect(await Promise.all(hanging)).toEqual(['', '']);
    await it.stop();
  });
});

test('every operation has a route under its method', async () => {
  const it = await serving();
  for (const { http } of operations) {
    const path = http.path.replace(/\{\w+\}/g, '1');
    const response = await it.send({ method: http.method, path, ...(http.method === 'POST' ? { body: {} } : {}) });
    expect(response.status, http.path).not.toBe(405);
    expect(response.text).not.toContain('There is nothing at this path');
  }
});
