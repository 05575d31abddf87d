/** What the address of a feed may ask: a box, a parcel by its APN, GeoParquet, packed bytes. */
import fs from 'node:fs';
import http from 'node:http';
import zlib from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import type { FeedMade } from '../../engine/operations/feed-fields.ts';
import { runChange } from '../../engine/work/index.ts';
import { readParcels } from '../importing/readers/reading.ts';
import { fixtureFips, fixtureSquare } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { type Serving, serving } from './client.ts';

const search = { name: 'Lots', kind: 'search', input: { county: fixtureFips, acres_min: 20 } };
// As in feeds.test.ts: acres are half the number of the parcel, and every tenth has none.
const bigLots = [41, 42, 43, 44, 45, 46, 47, 48, 49];

const pathsOf = async ({ engine }: Serving, feed: object = search): Promise<string[]> =>
  ((await runChange(engine, 'make_feed', feed)).data as FeedMade).paths;

interface Bytes {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The bytes as they come over the wire. */
const get = ({ server }: Serving, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Bytes>((resolve, reject) => {
    const request = http.request(`${server.baseUrl}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
    });
    request.on('error', reject).end();
  });

const idsOf = ({ body }: Bytes): number[] =>
  (parse(body, { columns: true }) as Record<string, string>[]).map((row) => Number(row.property_id));
const messages = ({ body }: Bytes) => JSON.parse(body.toString()).error.details as Record<string, string[]>;

/** West, south, east and north of a parcel of the fixture. */
function sidesOf(id: number): [number, number, number, number] {
  const numbers = (fixtureSquare(id).match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
  const [xs, ys] = [0, 1].map((side) => numbers.filter((_, i) => i % 2 === side)) as [number[], number[]];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

describe('bbox', () => {
  test('answers what meets the box, also by touch, and by its point what has no shape', async () => {
    const on = await serving();
    const [csv = ''] = await pathsOf(on);
    const box = async (sides: readonly number[]) => idsOf(await get(on, `${csv}?bbox=${sides.join(',')}`));
    const [west, south] = sidesOf(42);
    const [, , east, north] = sidesOf(43);
    expect(await box([west, south, east, north])).toEqual([42, 43]);
    expect(await box([west, south, sidesOf(44)[0], north])).toEqual([42, 43, 44]);
    // Parcel 49 has a point alone, in the middle of its square.
    const [a, b, c, d] = sidesOf(49);
    expect(await box([a, b, c, d])).toEqual([49]);
    expect(await box([a, b, (a + c) / 2 - 1e-5, d])).toEqual([]);
    expect(await box([-180, -90, 180, 90])).toEqual(bigLots);
  });

  test('narrows an area that the search has itself', async () => {
    const on = await serving();
    const own = { ...search, input: { ...search.input, geom_intersects: fixtureSquare(43) } };
    const [csv = ''] = await pathsOf(on, own);
    const [west, south, east, north] = sidesOf(43);
    expect(idsOf(await get(on, `${csv}?bbox=${west},${south},${east},${north}`))).toEqual([43]);
    expect(idsOf(await get(on, `${csv}?bbox=${sidesOf(42).join(',')}`))).toEqual([]);
  });

  test('is charged as the whole feed, once a day for it and all its boxes; each has its own tag', async () => {
    const on = await serving();
    const [csv = '', geojson = ''] = await pathsOf(on);
    const first = await get(on, `${csv}?bbox=${sidesOf(42).join(',')}`);
    const others = [`${csv}?bbox=${sidesOf(43).join(',')}`, csv, `${geojson}?bbox=${sidesOf(43).join(',')}`];
    const answers = [first];
    for (const path of others) answers.push(await get(on, path));
    expect(answers.map(({ headers }) => headers['x-tokens-used'])).toEqual(['30', '0', '0', '0']);
    expect(on.charged()).toBe(30);
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(4);
    const again = await get(on, others[0] ?? '', { 'If-None-Match': answers[1]?.headers.etag ?? '' });
    expect(again.status).toBe(304);
    const head = await get(on, `${csv}?bbox=${sidesOf(42).join(',')}`, {}, 'HEAD');
    expect(head.headers['content-length']).toBe(first.headers['content-length']);
  });

  test.each([
    '',
    '1,2,3',
    '1,2,3,4,5',
    'a,b,c,d',
    '-71,44,-72,45',
    '-72,45,-71,44',
    '-181,0,0,1',
    '1,,2,3',
    'NaN,0,1,1',
  ])('that is none is refused: %j', async (bbox) => {
    const on = await serving();
    const [, geojson = ''] = await pathsOf(on);
    const answer = await get(on, `${geojson}?bbox=${bbox}`);
    expect(answer.status).toBe(400);
    expect(messages(answer).bbox?.[0]).toMatch(/^expected west,south,east,north in degrees.*, found "/);
    expect(on.charged()).toBe(0);
  });
});

test('.parquet is the GeoParquet of an export, with the rows of the other endings, for one charge', async () => {
  const on = await serving();
  const paths = await pathsOf(on);
  const parquet = paths.find((path) => path.endsWith('.parquet')) ?? '';
  const answer = await get(on, parquet, { 'Accept-Encoding': 'zstd, gzip' });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.apache.parquet',
    'x-total-count': '9',
    'x-tokens-used': '30',
    'accept-ranges': 'bytes',
  });
  expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, undefined]);
  const file = `${emptyHome()}/feed.parquet`;
  fs.writeFileSync(file, answer.body);
  const rows = readParcels(file);
  expect(rows.map(({ properties }) => properties.property_id).sort()).toEqual(bigLots);
  expect(rows.filter(({ polygons }) => polygons).length).toBe(8);
  const tail = await get(on, parquet, { Range: 'bytes=-4' });
  expect([tail.status, tail.body.toString()]).toEqual([206, 'PAR1']);
  expect(on.charged()).toBe(30);
  const ordered = (await pathsOf(on, { ...search, ordering: '-acres' })).find((path) => path.endsWith('.parquet'));
  const told = await get(on, ordered ?? '');
  expect(told.headers['x-platbook-notice']).toContain('the order asked for is not kept');
  expect(answer.headers['x-platbook-notice'] ?? '').not.toContain('order');
});

describe('Accept-Encoding', () => {
  test.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip;q=1, zstd;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=x', undefined],
    ['br, deflate', undefined],
    ['', undefined],
  ])('%j is answered with %s, under a tag of its own, and says what it varies with', async (accepted, expected) => {
    const on = await serving();
    const [csv = ''] = await pathsOf(on);
    const plain = await get(on, csv);
    const answer = await get(on, csv, { 'Accept-Encoding': accepted });
    const unpack = { gzip: zlib.gunzipSync, zstd: zlib.zstdDecompressSync }[expected ?? ''] ?? ((body: Buffer) => body);
    expect(answer.headers['content-encoding']).toBe(expected);
    expect(unpack(answer.body)).toEqual(plain.body);
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
    expect([plain.headers.vary, answer.headers.vary]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(answer.headers.etag === plain.headers.etag).toBe(expected === undefined);
    expect(on.charged()).toBe(30);
  });

  test('304 is by the tag of the packed bytes; HEAD has the headers; errors, values and workbooks are plain', async () => {
    const on = await serving();
    const [csv = '', , xlsx = ''] = await pathsOf(on);
    const headers = { 'Accept-Encoding': 'gzip' };
    const packed = await get(on, csv, headers);
    const etag = packed.headers.etag ?? '';
    const same = await get(on, csv, { ...headers, 'If-None-Match': etag });
    expect([same.status, same.headers.etag, same.headers.vary]).toEqual([304, etag, 'Accept-Encoding']);
    expect(same.headers['content-encoding']).toBeUndefined();
    // Who holds packed bytes alone does not have the plain ones.
    expect((await get(on, csv, { 'If-None-Match': etag })).status).toBe(200);
    const head = await get(on, csv, headers, 'HEAD');
    expect([head.headers['content-encoding'], head.headers.etag]).toEqual(['gzip', etag]);
    expect((await get(on, xlsx, headers)).headers['content-encoding']).toBeUndefined();
    const refused = await get(on, `${csv}?bbox=1`, headers);
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, undefined]);
  });

  test('ranges are of the plain bytes; with the tag of packed ones the whole comes', async () => {
    const on = await serving();
    const [csv = ''] = await pathsOf(on);
    const plain = await get(on, csv);
    const packed = await get(on, csv, { 'Accept-Encoding': 'gzip' });
    const range = { 'Accept-Encoding': 'gzip', Range: 'bytes=10-19' };
    const part = await get(on, csv, range);
    expect([part.status, part.headers.etag, part.headers['content-encoding']]).toEqual([
      206,
      plain.headers.etag,
      undefined,
    ]);
    expect(part.body).toEqual(plain.body.subarray(10, 20));
    const whole = await get(on, csv, { ...range, 'If-Range': packed.headers.etag ?? '' });
    expect([whole.status, whole.body.length]).toEqual([200, plain.body.length]);
    expect(packed.headers['accept-ranges']).toBeUndefined();
  });
});

describe('a value by fips and apn', () => {
  const value = { name: 'Any', kind: 'value', input: { field: 'mean_adjusted_price' } };

  async function valued() {
    const on = await serving();
    on.engine.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, sold_date)
       VALUES ('00000000-0000-4000-8000-000000000001', 'test', '1', ?, 'SOLD', 43.11, -72.19, 5, 50000, '2026-05-01')`,
      fixtureFips,
    );
    const [path = ''] = await pathsOf(on, value);
    const ask = (query: string) => get(on, `${path}?${query}`);
    return { on, ask };
  }

  test('is that of its parcel by id, charged once for both ways', async () => {
    const { on, ask } = await valued();
    const byApn = await ask(`fips=${fixtureFips}&apn=104-5`);
    expect(byApn.status).toBe(200);
    expect(Number(byApn.body.toString())).toBeGreaterThan(0);
    const byId = await ask('id=5');
    expect([byId.body, byId.headers.etag]).toEqual([byApn.body, byApn.headers.etag]);
    // As the search does: letters and digits, where no APN is written so.
    expect((await ask(`fips=${fixtureFips}&apn=1045`)).body).toEqual(byApn.body);
    expect([byApn, byId].map(({ headers }) => headers['x-tokens-used'])).toEqual(['10', '0']);
    expect(on.charged()).toBe(10);
  });

  test('says which other APNs are alike, and refuses one that several parcels have, with their ids', async () => {
    const { on, ask } = await valued();
    const { file } = on.engine.land;
    file.run("UPDATE parcels SET apn = '10-45', apn_key = '1045' WHERE property_id = 7");
    const alike = await ask(`fips=${fixtureFips}&apn=104-5`);
    expect(alike.headers['x-platbook-notice']).toContain('One other APN has the same letters and digits: 10-45.');
    const several = await ask(`fips=${fixtureFips}&apn=1045`);
    expect(several.status).toBe(400);
    expect(several.body.toString()).toContain('expected the APN of one parcel, found 2: give one of them as id (5, 7)');
  });

  test('needs both, one county, and an APN that is there', async () => {
    const { on, ask } = await valued();
    const answers = await Promise.all(
      [
        `fips=${fixtureFips}`,
        'apn=104-5',
        'fips=x&apn=104-5',
        `fips=${fixtureFips}&apn=`,
        `fips=${fixtureFips}&apn=104-5&id=5`,
        `fips=${fixtureFips}&apn=104-5&apn=1`,
        'county=1',
        `fips=${fixtureFips}&apn=9-9-9`,
        'fips=33019&apn=104-5',
      ].map(ask),
    );
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 404, 404]);
    const texts = answers.map(({ body }) => body.toString());
    expect(texts[0]).toMatch(/apn: required/);
    expect(texts[4]).toContain('expected id, or fips and apn, found both');
    expect(texts[6]).toContain('unknown parameter; this feed takes id, the number of a parcel, or fips and apn');
    expect(texts[7]).toContain('No parcel of the county 99001 has the APN "9-9-9".');
    expect(on.charged()).toBe(0);
  });
});
