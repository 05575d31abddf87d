/** GET comps/ and markets-stats/ over HTTP: parameters, pages, prices, CSV. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idOf, insertComps } from '../comps/comp-rows.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { type Serving, startServing } from './client.ts';

const now = () => new Date('2026-11-20T12:00:00Z');
let it: Serving;
beforeAll(async () => {
  it = await startServing({ now });
  insertComps(
    it.engine.land,
    Array.from({ length: 12 }, (_, i) => ({
      fips: fixtureFips,
      latitude: 43.1 + i * 0.001,
      longitude: -72.2,
      lot_size: i === 0 ? null : i,
      status: (['SOLD', 'ACTIVE', 'PENDING'] as const)[i % 3] ?? 'SOLD',
      sold_date: i % 3 === 0 ? `2026-10-${10 + i}` : null,
      address: `${i}, "MILL" RD`,
      photos: i === 0 ? ['https://listings.invalid/a.jpg', 'https://listings.invalid/b.jpg'] : [],
    })),
  );
});
afterAll(() => it.stop());

const get = (query: string) => it.send({ path: `comps/?${query}` });
const numbers = (response: { json: { results: { id: string }[] } }) =>
  response.json.results.map(({ id }) => Number(id.slice(-12)));
const near = 'point=-72.2&point=43.1';

describe('comps', () => {
  test('around a point, nearest first, one token each', async () => {
    const response = await get(`${near}&dist=350`);
    expect(response.status, response.text).toBe(200);
    expect(numbers(response)).toEqual([0, 1, 2, 3]);
    expect(response.json).toMatchObject({ count: 4, next: null, previous: null });
    expect(response.headers['x-tokens-used']).toBe('4');
    expect(response.json.results[0]).toMatchObject({
      latitude: '43.1',
      longitude: '-72.2',
      sold_date: '2026-10-10T00:00:00Z',
    });
  });

  test('of a county, newest sale first; nothing found costs nothing', async () => {
    expect(numbers(await get(`fips=${fixtureFips}`))).toEqual([9, 6, 3, 0, 1, 2, 4, 5, 7, 8, 10, 11]);
    expect(numbers(await get(`fips=${fixtureFips}&status=SOLD&status=PENDING&acres_min=3&acres_max=8`))).toEqual([
      6, 3, 5, 8,
    ]);
    expect(numbers(await get(`fips=${fixtureFips}&age=35`))).toEqual([9, 6]);
    const none = await get('fips=01001');
    expect([none.status, none.json.count, none.headers['x-tokens-used']]).toEqual([200, 0, '0']);
  });

  test('page by page: links keep both points and every status', async () => {
    const before = it.charged();
    const seen: number[] = [];
    let path: string | null = `/api/public/v1/comps/?${near}&dist=2000&status=SOLD&status=ACTIVE&page_size=3`;
    while (path !== null) {
      const response = await it.send({ path });
      expect(response.status, response.text).toBe(200);
      seen.push(...numbers(response));
      const next: string | null = response.json.next;
      if (next) expect(new URL(next).searchParams.getAll('point')).toEqual(['-72.2', '43.1']);
      path = next && new URL(next).pathname + new URL(next).search;
    }
    expect(seen).toEqual([0, 1, 3, 4, 6, 7, 9, 10]);
    expect(it.charged() - before).toBe(8);
    const past = await get(`${near}&page=2`);
    expect([past.status, past.headers['x-tokens-used']]).toEqual([404, '0']);
  });

  test('as CSV: the columns of the record, photos in one cell', async () => {
    const response = await get(`${near}&dist=1&format=csv`);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['x-total-count']).toBe('1');
    expect(response.text).toBe(
      'id,source,status,address,city,state,zip,county,apn,latitude,longitude,lot_size,price,sold_date,days_on_market,sale_type,url,photos\r\n' +
        `${idOf(0)},test,SOLD,"0, ""MILL"" RD",,,,,,43.1,-72.2,,10000,2026-10-10T00:00:00Z,,,,https://listings.invalid/a.jpg https://listings.invalid/b.jpg\r\n`,
    );
  });

  test.each([
    ['', 'non_field_errors'],
    ['dist=50', 'non_field_errors'],
    ['point=-72.2', 'point'],
    ['point=-72.2,43.1', 'point'],
    ['point=-72.2&point=43.1&point=0', 'point'],
    ['point=43.1&point=-172.2', 'point'],
    [`${near}&dist=0`, 'dist'],
    [`${near}&dist=5&dist=6`, 'dist'],
    [`fips=${fixtureFips}&status=sold`, 'status'],
    [`fips=${fixtureFips}&age=x`, 'age'],
    [`fips=${fixtureFips}&acre_min=1`, 'acre_min'],
  ])('%s is 400 at %s', async (query, field) => {
    const response = await get(query);
    expect(response.status, response.text).toBe(400);
    expect(Object.keys(response.json.error.details)).toEqual([field]);
    expect(response.headers['x-tokens-used']).toBe('0');
  });
});

describe('market statistics', () => {
  test('cost ten tokens, and name the region for save_market', async () => {
    const response = await it.send({ path: `markets-stats/${fixtureFips}/stats/` });
    expect(response.status, response.text).toBe(200);
    expect(response.headers['x-tokens-used']).toBe('10');
    expect(response.json).toMatchObject({ type: 'county', name: 'Alder County', state: 'ZZ', fips: fixtureFips });
    expect(response.json.stats).toHaveLength(22);
    const saved = await it.send({ method: 'POST', path: 'markets/', body: { region_id: response.json.id } });
    expect(saved.status, saved.text).toBe(201);
  });

  test('of an unknown county are 404 and free, of an invalid code 400', async () => {
    const unknown = await it.send({ path: 'markets-stats/99999/stats/' });
    expect([unknown.status, unknown.headers['x-tokens-used']]).toEqual([404, '0']);
    expect((await it.send({ path: 'markets-stats/abc/stats/' })).status).toBe(400);
    expect((await it.send({ path: 'markets-stats/8023/stats/' })).json.fips).toBe('08023');
  });

  test('as CSV: a row for each bucket', async () => {
    const response = await it.send({ path: `markets-stats/${fixtureFips}/stats/?format=csv` });
    const lines = response.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(23);
    expect(lines[0]).toMatch(/^type,sold_count,active_count,pending_count,median_sold_price,/);
    expect(lines[1]).toMatch(/^0-9\.5k sqft,0,0,0,,/);
  });
});
