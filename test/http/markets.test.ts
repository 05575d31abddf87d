/** regions/ and markets/ over HTTP: statuses, scopes, what is free. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Serving, serving } from './client.ts';

let it: Serving;
beforeEach(async () => {
  it = await serving();
});

async function regionNamed(search: string): Promise<{ id: string; name: string }> {
  const response = await it.send({ path: `regions/?search=${encodeURIComponent(search)}` });
  expect(response.status, response.text).toBe(200);
  return response.json.results[0];
}

const save = (body: unknown, key = it.key) => it.send({ method: 'POST', path: 'markets/', body, key });
const list = () => it.send({ path: 'markets/' });

describe('regions', () => {
  test('come in pages, and cost nothing', async () => {
    const response = await it.send({ path: 'regions/?type=county&page_size=2' });
    expect(response.status).toBe(200);
    expect(response.headers['x-tokens-used']).toBe('0');
    expect(response.json.results[0]).toMatchObject({
      type: 'county',
      name: 'Alder County',
      state: 'ZZ',
      fips: '99001',
    });
    expect(Object.keys(response.json.results[0])).toEqual(['id', 'type', 'name', 'state', 'county_name', 'fips']);
    expect(response.json.next).toMatch(/\/regions\/\?type=county&page_size=2&page=2$/);
    expect((await it.send({ path: 'regions/?type=zip' })).json.count).toBe(2);
    expect(it.charged()).toBe(0);
  });

  test.each(['type=town', 'search=', 'serch=x', 'page_size=0', 'search=a&search=b'])('%s is 400', async (query) => {
    expect((await it.send({ path: `regions/?${query}` })).status).toBe(400);
  });
});

describe('saved markets', () => {
  test('201 when new, 200 when there, in a plain array', async () => {
    const { id } = await regionNamed('sullivan nh');
    const made = await save({ region_id: id });
    expect(made.status, made.text).toBe(201);
    expect(made.json).toMatchObject({ id: 1, region: { id, name: 'Sullivan County' }, status: 'Backlog' });
    expect(Object.keys(made.json)).toEqual(['id', 'region', 'status', 'created_at', 'updated_at']);
    expect(new Date(made.json.created_at).toISOString()).toBe(made.json.created_at);
    const again = await save({ region_id: id, status: 'Watching' });
    expect([again.status, again.json.id, again.json.status]).toEqual([200, 1, 'Watching']);
    const listed = await list();
    expect(listed.json).toEqual([again.json]);
    expect(it.charged()).toBe(0);
  });

  test('move, change and go', async () => {
    for (const name of ['sullivan nh', 'gallatin mt']) await save({ region_id: (await regionNamed(name)).id });
    const moved = await it.send({ method: 'PATCH', path: 'markets/2/', body: { position: 1, status: 'Active' } });
    expect([moved.status, moved.json.status], moved.text).toEqual([200, 'Active']);
    expect((await list()).json.map((market: { id: number }) => market.id)).toEqual([2, 1]);
    const gone = await it.send({ method: 'DELETE', path: 'markets/2/' });
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await list()).json.map((market: { id: number }) => market.id)).toEqual([1]);
    for (const method of ['PATCH', 'DELETE']) {
      const missing = await it.send({
        method,
        path: 'markets/2/',
        ...(method === 'PATCH' ? { body: { status: 'x' } } : {}),
      });
      expect(missing.status, missing.text).toBe(404);
    }
  });

  test.each<[string, unknown]>([
    ['an unknown region', { region_id: '00000000-0000-5000-8000-000000000000' }],
    ['no UUID', { region_id: 'sullivan' }],
    ['no region', { status: 'Active' }],
    ['an empty status', { region_id: '00000000-0000-5000-8000-000000000000', status: '' }],
    ['an unknown field', { region_id: '00000000-0000-5000-8000-000000000000', stats: 1 }],
  ])('%s: 400', async (_name, body) => {
    const response = await save(body);
    expect([response.status, response.json.error.code]).toEqual([400, 'validation_error']);
  });

  test('a change of nothing is 400', async () => {
    await save({ region_id: (await regionNamed('sullivan nh')).id });
    expect((await it.send({ method: 'PATCH', path: 'markets/1/', body: {} })).status).toBe(400);
    expect((await it.send({ method: 'PATCH', path: 'markets/1/', body: { id: 2, status: 'x' } })).status).toBe(400);
    expect((await it.send({ method: 'PATCH', path: 'markets/x/', body: { status: 'x' } })).status).toBe(400);
  });

  test('reading needs the scope read, changing the scope write', async () => {
    const { id } = await regionNamed('sullivan nh');
    const [reader, writer] = [it.makeKey(['read']), it.makeKey(['write'])];
    expect((await save({ region_id: id }, reader)).status).toBe(403);
    expect((await save({ region_id: id }, writer)).status).toBe(201);
    expect((await it.send({ path: 'markets/', key: writer })).status).toBe(403);
    expect((await it.send({ path: 'markets/', key: reader })).status).toBe(200);
    for (const method of ['PATCH', 'DELETE']) {
      expect((await it.send({ method, path: 'markets/1/', key: reader })).status).toBe(403);
    }
  });

  test('other methods are 405', async () => {
    const response = await it.send({ method: 'PUT', path: 'markets/' });
    expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    expect((await it.send({ path: 'markets/1/' })).headers.allow).toBe('DELETE, OPTIONS, PATCH');
  });
});
