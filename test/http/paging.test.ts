/** Pages and links of both lists, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureCount, fixtureFips, fixtureParcels } from '../support/fixture-home.ts';
import { type RequestOptions, type Response, type Serving, startServing } from './client.ts';

let it: Serving;
beforeAll(async () => {
  it = await startServing();
});
afterAll(() => it.stop());

const lists: [string, (query: string) => RequestOptions, { standard: number; maximum: number; all: number }][] = [
  [
    'filter',
    (query) => ({ method: 'POST', path: `properties/filter/?${query}`, body: { county: fixtureFips } }),
    { standard: 100, maximum: 500, all: fixtureCount },
  ],
  [
    'search',
    (query) => ({ path: `properties/search/?fips=${fixtureFips}&owner_name=e&${query}` }),
    // Every owner of the fixture has an E.
    { standard: 25, maximum: 100, all: fixtureCount },
  ],
];

const ids = (response: Response): number[] =>
  response.json.results.map((row: { property_id: number }) => row.property_id);

describe.each(lists)('%s', (_name, request, sizes) => {
  test('gives the standard page size, from the first, by property_id', async () => {
    const response = await it.send(request(''));
    expect(response.json.count).toBe(sizes.all);
    expect(ids(response)).toEqual(
      fixtureParcels.slice(0, Math.min(sizes.standard, sizes.all)).map((p) => p.property_id),
    );
    expect(response.json.previous).toBeNull();
  });

  test('a size above the maximum is clamped', async () => {
    for (const size of [sizes.maximum, sizes.maximum + 1, 1_000_000, '99999999999999999999']) {
      const response = await it.send(request(`page_size=${size}`));
      expect(response.status).toBe(200);
      expect(ids(response)).toHaveLength(Math.min(sizes.all, sizes.maximum));
    }
  });

  test.each(['0', '-1', '1.5', '1.0', '1e0', 'x', '', '%201', '1_0', '0x10', 'NaN', 'Infinity', '1e400'])(
    'page=%s and page_size=%s are 400',
    async (text) => {
      for (const field of ['page', 'page_size']) {
        const response = await it.send(request(`${field}=${text}`));
        expect(response.status, response.text).toBe(400);
        expect(Object.keys(response.json.error.details)).toEqual([field]);
        expect(response.headers['x-tokens-used']).toBe('0');
      }
    },
  );

  test('a page past the end is 404 and free, however far', async () => {
    const before = it.charged();
    for (const query of ['page=6&page_size=10', 'page=1000000000', 'page=2&page_size=100']) {
      const response = await it.send(request(query));
      expect([response.status, response.json.error.code, response.headers['x-tokens-used']]).toEqual([
        404,
        'not_found',
        '0',
      ]);
    }
    expect(it.charged()).toBe(before);
  });

  test('following next gives every match once, in order, and previous leads back', async () => {
    const seen: number[] = [];
    const first = request('page_size=7');
    let path: string | null = first.path;
    let last: Response | null = null;
    for (let n = 0; path !== null; n++) {
      expect(n).toBeLessThan(20);
      last = await it.send({ ...first, path });
      expect(last.status, last.text).toBe(200);
      seen.push(...ids(last));
      path = last.json.next === null ? null : relative(last.json.next);
    }
    expect(seen).toEqual(Array.from({ length: sizes.all }, (_, n) => n + 1));
    const back = await it.send({ ...first, path: relative(last?.json.previous) });
    expect(ids(back)).toEqual(seen.slice(42, 49));
  });
});

/** The path and query of a link, which must be on our own address. */
function relative(link: string): string {
  const prefix = `${it.server.baseUrl}/`;
  expect(link.startsWith(prefix)).toBe(true);
  return link.slice(prefix.length - 1);
}

test('page 1 of nothing is 200, count 0, and free', async () => {
  for (const request of [
    { method: 'POST', path: 'properties/filter/', body: { county: '01001' } },
    { path: 'properties/search/?fips=01001&apn=1' },
    { path: 'properties/search/?fips=01001&apn=1&page=1' },
  ]) {
    const response = await it.send(request);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(response.headers['x-tokens-used']).toBe('0');
  }
});

test('links keep every parameter in its order, on the host that was asked, with a slash at the end', async () => {
  const { port } = it.server;
  const response = await it.send({
    path: 'properties/search?page_size=5&owner_name=r+%26+a&page=1&fips=99001&ordering=-acres&format=json',
    headers: { Host: `localhost:${port}` },
  });
  expect(response.status, response.text).toBe(200);
  expect(response.json.next).toBe(
    `http://localhost:${port}/api/public/v1/properties/search/?page_size=5&owner_name=r+%26+a&page=2&fips=99001&ordering=-acres&format=json`,
  );
});

test('every page that has matches is charged', async () => {
  const before = it.charged();
  for (const page of [1, 2, 3])
    await it.send({ method: 'POST', path: `properties/filter/?page_size=20&page=${page}`, body: { county: 99001 } });
  expect(it.charged() - before).toBe(90);
});
