/** `GET properties/filter/?q=`: the filter's body as JSON in one field of the query. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureFips } from '../support/fixture-home.ts';
import { base, type RequestOptions, type Response, type Serving, startServing } from './client.ts';

let it: Serving;
beforeAll(async () => {
  it = await startServing();
});
afterAll(() => it.stop());

const body = { county: fixtureFips, acres_min: 1.5, zips_include: ['00141', '00142'] };
const pathOf = (q: unknown, more = ''): string =>
  `properties/filter/?q=${encodeURIComponent(typeof q === 'string' ? q : JSON.stringify(q))}${more}`;
const get = (q: unknown, more = '', rest: Partial<RequestOptions> = {}): Promise<Response> =>
  it.send({ ...rest, path: pathOf(q, more) });
const post = (given: object, query = ''): Promise<Response> =>
  it.send({ method: 'POST', path: `properties/filter/?${query}`, body: given });

describe('a filter in q', () => {
  test('answers as the POST with that body, at its price, charged as the same operation', async () => {
    const before = it.charged();
    const asked = await get(body);
    const posted = await post(body);
    expect(asked.json.count).toBeGreaterThan(3);
    expect(asked.json.results).toEqual(posted.json.results);
    expect(asked.headers['x-tokens-used']).toBe('30');
    expect(it.charged()).toBe(before + 60);
    const charged = it.engine.account.file.column('SELECT endpoint FROM ledger ORDER BY ledger_id DESC LIMIT 2');
    expect(charged).toEqual(['public_parcel_filter', 'public_parcel_filter']);
    expect((await get({ county: '01001' })).headers['x-tokens-used']).toBe('0');
  });

  test('is the same call as the POST to an idempotency key, and one address in its pages', async () => {
    const headers = { 'Idempotency-Key': 'bookmark' };
    const first = await get(body, '&page_size=2&fields=zoning&ordering=-acres', { headers });
    expect(first.headers['x-tokens-used']).toBe('30');
    const again = await it.send({
      method: 'POST',
      path: 'properties/filter/?page_size=2&fields=zoning&ordering=-acres',
      body,
      headers,
    });
    expect([again.status, again.headers['x-tokens-used']]).toEqual([200, '0']);
    expect(first.json.results).toEqual(again.json.results);
    expect(Object.keys(first.json.results[0])).toContain('zoning');
    const next = new URL(first.json.next);
    expect(JSON.parse(next.searchParams.get('q') ?? '')).toEqual(body);
    const second = await it.send({ path: next.pathname + next.search });
    const posted = await post(body, 'page=2&page_size=2&fields=zoning&ordering=-acres');
    expect(second.json.results).toEqual(posted.json.results);
  });

  test('gives CSV, and HEAD its headers free', async () => {
    const csv = await get(body, '&format=csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.text.split('\r\n').length - 2).toBe(Number(csv.headers['x-total-count']));
    const head = await get(body, '', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['x-tokens-used']]).toEqual([200, '', '0']);
  });

  test.each([
    ['', /^expected the JSON .*, found nothing$/],
    ['acres', /^expected the JSON .*: .*not valid JSON/],
    ['["99001"]', /^expected the JSON .*, found/],
    ['7', /found 7$/],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, /at most 16 levels/],
  ])('refuses what is no filter, %j, naming q, what was found and what was expected', async (q, message) => {
    const { status, json, headers } = await get(q);
    expect([status, headers['x-tokens-used']]).toEqual([400, '0']);
    expect(json.error.details.q[0]).toMatch(message);
  });

  test('refuses what is wrong inside q as the POST does, and fields outside of it by their place', async () => {
    expect((await get({ county: fixtureFips, acers_min: 1 })).json.error.details.acers_min[0]).toMatch(/acres_min/);
    expect((await get('{"county":"99001","county":"99001"}')).json.error.details.county).toEqual(['given twice']);
    expect((await get({ county: fixtureFips, page: 2 })).json.error.details.page[0]).toBe(
      'belongs in the query string, not in q',
    );
    expect((await get({ county: fixtureFips, fields: 'zoning' }, '&fields=apn')).json.error.details.fields[0]).toMatch(
      / in q$/,
    );
    const outside = await it.send({ path: `properties/filter/?county=${fixtureFips}` });
    expect(outside.json.error.details.county[0]).toBe('belongs in q, not in the query string');
    const twice = await it.send({ path: `${pathOf(body)}&q=1` });
    expect(twice.json.error.details.q).toEqual(['expected once, found 2 times']);
    const posted = await it.send({ method: 'POST', path: pathOf(body), body });
    expect(posted.json.error.details.q[0]).toMatch(/unknown query parameter/);
    const scope = await it.send({ path: pathOf(body), key: it.makeKey(['write']) });
    expect(scope.status).toBe(403);
    expect((await it.send({ path: `${base}openapi.json` })).json.paths['/properties/filter/'].get.operationId).toBe(
      'filter_properties_by_q',
    );
  });
});
