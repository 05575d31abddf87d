/** Feeds: one result under a secret address, for programs that can send no header. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import { openTableFile } from '../../engine/importing/formats/table-file.ts';
import type { FeedMade } from '../../engine/operations/feed-fields.ts';
import { runChange } from '../../engine/work/index.ts';
import { fixtureCount, fixtureFips, putPlainParcels } from '../support/fixture-home.ts';
import { gdalOrSkip } from '../support/gdal.ts';
import { emptyHome } from '../support/homes.ts';
import { type Response, type Serving, serving } from './client.ts';

const search = { name: 'Big lots', kind: 'search', input: { county: fixtureFips, acres_min: 20 } };

const feedOf = async ({ engine }: Serving, input: unknown = search): Promise<FeedMade> =>
  (await runChange(engine, 'make_feed', input)).data as FeedMade;

/** As spreadsheets ask: no key, no Origin. */
const get = (server: Serving, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  server.send({ path, method, key: null, headers });

/** The address as a workbook, read by the import. */
async function workbookOf({ server }: Serving, path: string) {
  const answer = await fetch(`${server.baseUrl}${path}`);
  const file = `${emptyHome()}/feed.xlsx`;
  fs.writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  return openTableFile(file);
}

const rowsOf = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true });

// Acres are half the number of the parcel, and every tenth has none: 40, 50 are unknown, so 41 to 49 have 20.5 to 24.5,
// and of the unknown ones the mapped acres (9) are too few.
const bigLots = [41, 42, 43, 44, 45, 46, 47, 48, 49];

describe('a feed of a search', () => {
  test('answers the whole result at once as CSV for spreadsheets', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    expect(paths).toHaveLength(4);
    expect(paths[0]).toMatch(/^\/feeds\/[0-9a-f]{32}\/big-lots\.csv$/);
    const answer = await get(server, paths[0] ?? '');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'x-tokens-used': '30',
      'x-total-count': '9',
    });
    // A byte order mark would stand in the first cell of WEBSERVICE.
    expect(answer.text.startsWith('property_id,')).toBe(true);
    expect(rowsOf(answer.text).map((row) => Number(row.property_id))).toEqual(bigLots);
    // Owner 5 of the fixture begins with an equals sign.
    expect(rowsOf(answer.text).find((row) => row.property_id === '45')?.owner_name).toBe(
      '\'=SUM(A1), "THE" TRUST\nOF ÄLDER',
    );
  });

  test('quotes texts and no numbers, so that programs keep the zeros of APNs and ZIP codes', async () => {
    const server = await serving();
    const { paths } = await feedOf(server, { ...search, columns: ['property_id', 'apn', 'situs_zip', 'acres'] });
    const [head, first] = (await get(server, paths[0] ?? '')).text.split('\r\n');
    expect([head, first]).toEqual(['property_id,apn,situs_zip,acres', '41,"140-41","00141",20.5']);
  });

  test('answers the same as a workbook, whose texts are texts', async () => {
    const server = await serving();
    const { paths } = await feedOf(server, { ...search, columns: ['property_id', 'situs_zip', 'acres'] });
    const answer = await get(server, paths[2] ?? '');
    expect(paths[2]).toMatch(/\.xlsx$/);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'x-tokens-used': '30',
      'x-total-count': '9',
    });
    const head = await get(server, paths[2] ?? '', {}, 'HEAD');
    expect(head.headers['content-length']).toBe(answer.headers['content-length']);
    const table = await workbookOf(server, paths[2] ?? '');
    expect(table.columns).toEqual(['property_id', 'situs_zip', 'acres']);
    const rows = [...table.rows([0, 1, 2])].map(({ values }) => values);
    expect(rows.map(([id]) => Number(id))).toEqual(bigLots);
    expect(rows[0]?.slice(1).map(String)).toEqual(['00141', '20.5']);
    expect(server.charged()).toBe(30);
  });

  test('answers the same as GeoJSON', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const answer = await get(server, paths[1] ?? '');
    expect(answer.headers['content-type']).toBe('application/geo+json');
    expect(answer.json.features.map((feature: { id: number }) => feature.id)).toEqual(bigLots);
  });

  test('is charged once a day for each state of the data, in mode feed, whatever its ending', async () => {
    let now = new Date('2026-11-20T10:00:00Z');
    const server = await serving({ now: () => now });
    const { paths } = await feedOf(server);
    const ask = async (path = paths[0] ?? '') => Number((await get(server, path)).headers['x-tokens-used']);
    expect([await ask(), await ask(), await ask(paths[1])]).toEqual([30, 0, 0]);
    // At once, as Power Query does.
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([0, 0, 0]);
    now = new Date('2026-11-21T09:00:00Z');
    expect([await ask(), await ask()]).toEqual([30, 0]);
    server.engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER' WHERE property_id = 41");
    expect([await ask(), await ask()]).toEqual([30, 0]);
    const ledger = server.engine.account.file.all('SELECT endpoint, mode, tokens FROM ledger');
    expect(ledger).toEqual([1, 2, 3].map(() => ({ endpoint: 'public_parcel_filter', mode: 'feed', tokens: 30 })));
  });

  test('costs nothing where nothing matches', async () => {
    const server = await serving();
    const { paths } = await feedOf(server, { ...search, input: { county: fixtureFips, acres_min: 1000 } });
    const answer = await get(server, paths[0] ?? '');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers['x-tokens-used']).toBe('0');
    expect(rowsOf(answer.text)).toEqual([]);
  });

  test('says 304 to who has it already, free, until the data changes', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const first = await get(server, paths[0] ?? '');
    const tag = first.headers.etag ?? '';
    const again = await get(server, paths[0] ?? '', { 'If-None-Match': `"other", W/${tag}` });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect(again.headers.etag).toBe(tag);
    server.engine.land.file.run('UPDATE parcels SET acres = 30 WHERE property_id = 1');
    const changed = await get(server, paths[0] ?? '', { 'If-None-Match': tag });
    expect(changed.status).toBe(200);
    expect(rowsOf(changed.text).map((row) => row.property_id)).toContain('1');
  });

  test('leaves out Do not mail where it was asked to, as it stands when it is read, and is charged no more for it', async () => {
    const server = await serving();
    const { engine } = server;
    const { paths } = await feedOf(server, { ...search, leave_out_do_not_mail: true });
    const path = paths[0] ?? '';
    const { paths: all } = await feedOf(server);
    const first = await get(server, path);
    expect(rowsOf(first.text).map((row) => Number(row.property_id))).toEqual(bigLots);
    const { data } = await runChange(engine, 'do_not_mail_add', { owner_name: 'alder  ridge llc' });
    const etag = first.headers.etag ?? '';
    const second = await get(server, path, { 'If-None-Match': etag });
    // Among the parcels 3 modulo 5, 43 and 48 are large.
    const left = bigLots.filter((id) => id !== 43 && id !== 48);
    expect(second.status).toBe(200);
    expect(rowsOf(second.text).map((row) => Number(row.property_id))).toEqual(left);
    expect(second.headers).toMatchObject({ 'x-tokens-used': '0', 'x-total-count': String(left.length) });
    const map = await get(server, paths[1] ?? '');
    expect(map.json.features.map((feature: { id: number }) => feature.id)).toEqual(left);
    expect(rowsOf((await get(server, all[0] ?? '')).text)).toHaveLength(bigLots.length);
    const { do_not_mail_id: entry } = data as { do_not_mail_id: number };
    await runChange(engine, 'do_not_mail_remove', { do_not_mail_id: entry });
    const third = await get(server, path, { 'If-None-Match': second.headers.etag ?? '' });
    expect(rowsOf(third.text).map((row) => Number(row.property_id))).toEqual(bigLots);
  });

  test('answers OPTIONS and HEAD for free, and never with 401', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const options = await get(server, paths[0] ?? '', {}, 'OPTIONS');
    expect(options).toMatchObject({ status: 204, text: '' });
    expect(options.headers.allow).toBe('GET, HEAD, OPTIONS');
    const head = await get(server, paths[0] ?? '', {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['accept-ranges']).toBe('bytes');
    const length = Number(head.headers['content-length']);
    expect(head.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect((await get(server, '/feeds/unknown/x.csv', {}, 'OPTIONS')).status).toBe(204);
    expect((await get(server, '/feeds/unknown/x.csv', {}, 'HEAD')).status).toBe(404);
    expect(server.charged()).toBe(0);
    expect(Buffer.byteLength((await get(server, paths[0] ?? '')).text)).toBe(length);
  });

  test('serves the requested range, the whole file if it has changed, with one charge for all', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const [csv = ''] = paths;
    const whole = await get(server, csv);
    const bytes = Buffer.from(whole.text);
    const part = (range: string, more = {}) => get(server, csv, { Range: range, ...more });
    const first = await part('bytes=0-99');
    expect([first.status, first.headers['content-range']]).toEqual([206, `bytes 0-99/${bytes.length}`]);
    expect(first.headers['content-length']).toBe('100');
    expect(first.text).toBe(bytes.subarray(0, 100).toString());
    expect((await part('bytes=-20')).text).toBe(bytes.subarray(-20).toString());
    expect((await part(`bytes=${bytes.length - 5}-999999`)).text).toBe(bytes.subarray(-5).toString());
    const beyond = await part(`bytes=${bytes.length}-`);
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes.length}`]);
    for (const range of ['bytes=0-1,5-6', 'rows=0-1', 'bytes=-', 'bytes=9-3']) {
      expect([range, (await part(range)).status]).toEqual([range, 200]);
    }
    expect((await part('bytes=0-9', { 'If-Range': '"older"' })).status).toBe(200);
    expect((await part('bytes=0-9', { 'If-Range': whole.headers.etag ?? '' })).status).toBe(206);
    expect(server.charged()).toBe(30);
  });

  test('refuses parameters, which its answers would ignore', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const answer = await get(server, `${paths[1]}?county=33019&acres_min=5`);
    expect(answer.status).toBe(400);
    expect(answer.json.error.details).toEqual({
      county: ['unknown parameter; this feed takes bbox=west,south,east,north'],
      acres_min: ['unknown parameter; this feed takes bbox=west,south,east,north'],
    });
    expect(server.charged()).toBe(0);
  });

  test.runIf(gdalOrSkip('GDAL opens a feed'))('opens in GDAL over HTTP, piece by piece', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const { stdout } = await promisify(execFile)('ogrinfo', [
      ...['-ro', '-al', '-so'],
      `/vsicurl/http://127.0.0.1:${server.server.port}${paths[1]}`,
    ]);
    expect(stdout).toContain(`Feature Count: ${bigLots.length}`);
    expect(server.charged()).toBe(30);
  });

  test('keeps what it asks when the saved search it came from is changed', async () => {
    const server = await serving();
    const saved = (await runChange(server.engine, 'save_search', { name: 'Big', filter: search.input })).data as {
      search_id: number;
    };
    const { paths } = await feedOf(server);
    await runChange(server.engine, 'delete_search', saved);
    expect((await get(server, paths[0] ?? '')).status).toBe(200);
  });
});

describe('a feed over the API', () => {
  const feeds = (server: Serving, more: Partial<Parameters<Serving['send']>[0]> = {}) =>
    server.send({ path: 'feeds/', ...more });

  test('is made, listed, renewed and revoked with a key that may, free', async () => {
    const server = await serving();
    const made = await feeds(server, { method: 'POST', body: search });
    expect([made.status, made.headers['x-tokens-used']]).toEqual([201, '0']);
    const { feed_id: id, paths } = made.json as FeedMade;
    expect(rowsOf((await get(server, paths[0] ?? '')).text).map((row) => Number(row.property_id))).toEqual(bigLots);
    const listed = await feeds(server);
    expect(listed.json).toMatchObject([
      { feed_id: id, name: 'Big lots', formats: ['csv', 'geojson', 'xlsx', 'parquet'] },
    ]);
    expect(listed.text).not.toContain((made.json as FeedMade).secret);
    const renewed = await feeds(server, { method: 'POST', path: `feeds/${id}/renew/` });
    expect(renewed.status).toBe(200);
    const [path = ''] = (renewed.json as FeedMade).paths;
    expect([(await get(server, paths[0] ?? '')).status, (await get(server, path)).status]).toEqual([404, 200]);
    expect((await feeds(server, { method: 'DELETE', path: `feeds/${id}/` })).status).toBe(204);
    expect([(await get(server, path)).status, (await feeds(server)).json]).toEqual([404, []]);
    expect((await feeds(server, { method: 'DELETE', path: `feeds/${id}/` })).status).toBe(404);
  });

  test('is refused to keys of other scopes: its address opens without a key and outlives it', async () => {
    const server = await serving();
    const key = server.makeKey(['read', 'write', 'trace']);
    for (const more of [{ method: 'POST', body: search }, {}])
      expect((await feeds(server, { ...more, key })).status).toBe(403);
    const wrong = await feeds(server, { method: 'POST', body: { ...search, input: { acres_min: 3 } } });
    expect(wrong.status).toBe(400);
    const column = await feeds(server, { method: 'POST', body: { ...search, columns: ['apnn'] } });
    expect([column.status, Object.keys(column.json.error.details)]).toEqual([400, ['columns']]);
    expect(server.engine.account.file.all('SELECT * FROM feeds')).toEqual([]);
  });
});

describe('who may not read a feed', () => {
  test('a revoked or renewed address answers 404, as one row', async () => {
    const server = await serving();
    const made = await feedOf(server);
    const renewed = (await runChange(server.engine, 'renew_feed', { feed_id: made.feed_id })).data as FeedMade;
    const old = await get(server, made.paths[0] ?? '');
    expect(old.status).toBe(404);
    expect(old.text).toBe(
      'error,code,message\r\n404,not_found,There is no feed at this address: it may have been revoked.\r\n',
    );
    expect((await get(server, renewed.paths[0] ?? '')).status).toBe(200);
    await runChange(server.engine, 'revoke_feed', { feed_id: made.feed_id });
    expect((await get(server, renewed.paths[0] ?? '')).status).toBe(404);
    await expect(runChange(server.engine, 'revoke_feed', { feed_id: made.feed_id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('web pages, other hosts, other methods and other endings', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    const path = paths[0] ?? '';
    expect((await get(server, path, { Origin: `http://127.0.0.1:${server.server.port}` })).status).toBe(403);
    expect((await get(server, path, { Host: 'evil.example' })).status).toBe(403);
    expect((await get(server, path, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    const posted = await get(server, path, {}, 'POST');
    expect(posted).toMatchObject({ status: 405 });
    expect(posted.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await get(server, path.replace('.csv', '.kml'))).status).toBe(404);
    expect((await get(server, path.replace('.csv', '.txt'))).text).toBe(
      'This feed has the endings .csv, .geojson, .xlsx, .parquet.',
    );
    expect(server.charged()).toBe(0);
  });

  test('the secret is no key of the API, and a key opens no feed', async () => {
    const server = await serving();
    const { secret } = await feedOf(server);
    expect((await server.send({ path: 'usage/', key: `plat_${secret}` })).status).toBe(401);
    expect((await get(server, `/feeds/${server.key}/x.csv`)).status).toBe(404);
  });

  test('keeps only a hash of the secret', async () => {
    const server = await serving();
    const { secret } = await feedOf(server);
    expect(JSON.stringify(server.engine.account.file.all('SELECT * FROM feeds'))).not.toContain(secret);
  });
});

describe('errors of a feed', () => {
  test('come as one row with the status: over the cap nothing is charged and nothing is shown', async () => {
    const server = await serving();
    const { paths } = await feedOf(server);
    changePlan(server.engine.account, { cap_tokens: 10 });
    const refused = await get(server, paths[0] ?? '');
    expect(refused.status).toBe(402);
    expect(rowsOf(refused.text)).toMatchObject([{ error: '402', code: 'usage_limit_exceeded' }]);
    expect(server.charged()).toBe(0);
  });

  test('are free: of more parcels than a feed answers, at each refresh', async () => {
    const server = await serving();
    const { paths } = await feedOf(server, { ...search, input: { county: fixtureFips } });
    putPlainParcels(server.engine, 250_000);
    for (const path of [...paths, ...paths]) {
      const refused = await get(server, path);
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('This feed has 250,050 parcels; the limit of a feed is 250,000');
      expect(refused.headers['x-tokens-used']).toBe('0');
    }
    expect(server.engine.account.file.all('SELECT * FROM ledger')).toEqual([]);
  });

  test('are said before a feed is made, where they can be', async () => {
    const server = await serving();
    const make = (input: unknown) => runChange(server.engine, 'make_feed', input);
    await expect(make({ ...search, input: { acres_min: 3 } })).rejects.toThrow(/scope/);
    await expect(make({ ...search, input: { county: fixtureFips, acrs: 1 } })).rejects.toThrow(/acrs: unknown field/);
    await expect(make({ ...search, input: { ...search.input, page: 2 } })).rejects.toThrow(/whole result/);
    await expect(make({ ...search, columns: ['apnn'] })).rejects.toThrow(/did you mean apn/);
    await expect(make({ name: 'v', kind: 'value', input: { id: 1, field: 'x' } })).rejects.toThrow(
      /mean_adjusted_price/,
    );
  });
});

describe('other feeds', () => {
  test('a value is one line of text, 404 with the reason where there is none', async () => {
    const server = await serving();
    const { paths } = await feedOf(server, {
      name: 'Lot 1',
      kind: 'value',
      input: { id: 1, field: 'mean_adjusted_price' },
    });
    expect(paths).toEqual([expect.stringMatching(/\/lot-1\.txt$/)]);
    const answer = await get(server, paths[0] ?? '');
    expect(answer.status).toBe(404);
    expect(answer.text).toMatch(/No relevant comps/);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  test('a value without a parcel of its own takes one in its address; each parcel is charged once a day', async () => {
    const server = await serving();
    putComps(server, 3);
    const { paths } = await feedOf(server, { name: 'Any', kind: 'value', input: { field: 'mean_adjusted_price' } });
    const value = (query: string) => get(server, `${paths[0]}${query}`);
    const { engine } = server;
    const expected = async (id: number) =>
      (await engine.call('get_property_ai_comp_value', { id })).data.mean_adjusted_price as number;
    for (const id of [5, 6]) {
      const answer = await value(`?id=${id}`);
      expect([answer.status, Number(answer.text)]).toEqual([200, Math.round((await expected(id)) * 10) / 10]);
      expect(Number(answer.headers['x-tokens-used'])).toBeGreaterThan(0);
      expect((await value(`?id=${id}`)).headers['x-tokens-used']).toBe('0');
    }
    for (const query of ['', '?id=x', '?id=5&id=6', '?id=5&field=gini_index']) {
      expect([query, (await value(query)).status]).toEqual([query, 400]);
    }
    expect((await value('?id=5&id=6')).text).toContain('expected once, found 2 times');
    expect((await value('?id=99999')).status).toBe(404);
    // A feed of one parcel answers no other.
    const one = await feedOf(server, { name: 'One', kind: 'value', input: { id: 5, field: 'mean_ppa' } });
    expect((await get(server, `${one.paths[0]}?id=7`)).status).toBe(400);
  });

  test('comps are charged by the row, once a day', async () => {
    const server = await serving();
    putComps(server, 3);
    const { paths } = await feedOf(server, { name: 'Comps', kind: 'comps', input: { fips: fixtureFips } });
    const first = await get(server, paths[0] ?? '');
    expect(first.headers).toMatchObject({ 'x-tokens-used': '3', 'x-total-count': '3' });
    expect(rowsOf(first.text)).toHaveLength(3);
    expect(first.text).toContain(',43.11,-72.19,5,50000,"2026-05-01');
    const table = await workbookOf(server, paths[2] ?? '');
    expect(table.columns).toEqual(Object.keys(rowsOf(first.text)[0] ?? {}));
    expect([...table.rows([0])]).toHaveLength(3);
    const points = await get(server, paths[1] ?? '');
    expect(points.headers['x-tokens-used']).toBe('0');
    expect(points.json.features[0].geometry.coordinates).toEqual([-72.19, 43.11]);
    expect(server.charged()).toBe(3);
  });

  test('comps that a cap allows in part are not charged; beyond a page they are one charge', async () => {
    const server = await serving();
    putComps(server, 620);
    const { paths } = await feedOf(server, { name: 'Comps', kind: 'comps', input: { fips: fixtureFips } });
    changePlan(server.engine.account, { cap_tokens: 550 });
    const refused = await get(server, paths[0] ?? '');
    expect(refused).toMatchObject({ status: 402, headers: { 'x-tokens-used': '0' } });
    expect(refused.text).toMatch(/This call costs 620 tokens; 0 of the cap of 550 are used. Nothing was charged/);
    expect(server.charged()).toBe(0);
    changePlan(server.engine.account, { cap_tokens: 700 });
    const answered = await get(server, paths[0] ?? '');
    expect(answered.headers).toMatchObject({ 'x-tokens-used': '620', 'x-total-count': '620' });
    expect(new Set(rowsOf(answered.text).map((row) => row.id)).size).toBe(620);
    expect((await get(server, paths[0] ?? '')).headers['x-tokens-used']).toBe('0');
    expect(server.charged()).toBe(620);
  });
});

function putComps({ engine }: Serving, count: number): void {
  for (let i = 0; i < count; i++) {
    engine.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, sold_date)
       VALUES (?, 'test', ?, ?, 'SOLD', 43.11, -72.19, 5, 50000, '2026-05-01')`,
      `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      String(i),
      fixtureFips,
    );
  }
}

test('the public API does not know feeds, and its answers keep their length and rules', async () => {
  const server = await serving();
  const answer = await server.send({ path: 'properties/filter/', method: 'POST', body: { county: fixtureFips } });
  expect(answer.json.count).toBe(fixtureCount);
  expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
  expect(http.STATUS_CODES[200]).toBe('OK');
});
