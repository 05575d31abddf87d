/** Which part of a request holds what, and how precisely a mistake is named. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureCount, fixtureFips } from '../support/fixture-home.ts';
import { type RequestOptions, type Serving, startServing } from './client.ts';

let it: Serving;
beforeAll(async () => {
  it = await startServing();
});
afterAll(() => it.stop());

const county = { county: fixtureFips };
const filter = (body: unknown, query = '', headers: RequestOptions['headers'] = {}): RequestOptions => ({
  method: 'POST',
  path: `properties/filter/${query}`,
  body,
  headers,
});

/** The details of a 400. */
async function detailsOf(request: RequestOptions): Promise<Record<string, string[]>> {
  const response = await it.send(request);
  expect(response.status, response.text).toBe(400);
  expect(response.json.error.code).toBe('validation_error');
  expect(response.headers['x-tokens-used']).toBe('0');
  return response.json.error.details;
}

describe('bodies', () => {
  test.each([['application/json'], ['application/json; charset=utf-8'], ['Application/JSON;charset="UTF-8"'], [null]])(
    'of type %s are read',
    async (type) => {
      const response = await it.send(filter(county, '', { 'Content-Type': type }));
      expect(response.status, response.text).toBe(200);
    },
  );

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    '',
  ])('of type %j are refused with what was found', async (type) => {
    const details = await detailsOf(filter(county, '', { 'Content-Type': type }));
    expect(details).toEqual({
      'Content-Type': [`expected application/json (in UTF-8), found ${JSON.stringify(type)}`],
    });
  });

  test.each([
    ['nothing', '', 'expected a JSON object as the body, found an empty body'],
    ['white space', ' \n', /^expected a JSON object as the body: /],
    ['half an object', '{"county":', /^expected a JSON object as the body: /],
    ['a list', '[]', 'expected a JSON object as the body, found []'],
    ['a text', '"county"', 'expected a JSON object as the body, found "county"'],
    ['null', 'null', 'expected a JSON object as the body, found null'],
    ['a number', '5', 'expected a JSON object as the body, found 5'],
    ['two objects', '{}{}', /^expected a JSON object as the body: /],
    ['a comment', '{/* */}', /^expected a JSON object as the body: /],
    ['NaN', '{"acres_min":NaN}', /^expected a JSON object as the body: /],
    ['other bytes', Buffer.from('{"county":"\xff"}', 'latin1'), 'expected a body in UTF-8, found other bytes'],
    ['UTF-16', Buffer.from('\ufeff{"county":"99001"}', 'utf16le'), 'expected a body in UTF-8, found other bytes'],
    [
      'too many levels',
      `{"county":${'['.repeat(50)}${']'.repeat(50)}}`,
      'expected JSON of at most 16 levels, found more',
    ],
    ['far too many levels', `{"county":${'['.repeat(400_000)}`, 'expected JSON of at most 16 levels, found more'],
  ])('%s: non_field_errors', async (_name, body, message) => {
    const details = await detailsOf(filter(body));
    expect(Object.keys(details)).toEqual(['non_field_errors']);
    expect(details.non_field_errors?.[0]).toMatch(message);
  });

  test('a mark at the begin (as PowerShell writes it) is skipped', async () => {
    expect((await it.send(filter(`\ufeff${JSON.stringify(county)}`))).status).toBe(200);
  });

  test('up to 1 MB is read, and one byte more is refused', async () => {
    const padded = (size: number) => JSON.stringify(county).padEnd(size, ' ');
    expect((await it.send(filter(padded(1024 * 1024)))).status).toBe(200);
    const details = await detailsOf(filter(padded(1024 * 1024 + 1)));
    expect(details).toEqual({ non_field_errors: ['expected a body of at most 1048576 bytes'] });
    await detailsOf(filter(padded(4 * 1024 * 1024)));
  });

  test('compressed ones are refused', async () => {
    const details = await detailsOf(filter(gzipSync(JSON.stringify(county)), '', { 'Content-Encoding': 'gzip' }));
    expect(Object.keys(details)).toEqual(['Content-Encoding']);
  });

  test('chunked ones are read', async () => {
    const response = await it.send(filter(county, '', { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }));
    expect(response.status).toBe(200);
  });

  test('a field given twice is refused, however it is written', async () => {
    for (const body of ['{"county":"99001","county":"33019"}', '{"county":"99001","count\\u0079":"99001"}'])
      expect(await detailsOf(filter(body))).toEqual({ county: ['given twice'] });
    // The same name in a value, or in a text, is no field.
    expect(await detailsOf(filter('{"county":"99001","apn":{"county":1}}'))).toHaveProperty('apn');
    expect((await it.send(filter('{"county":"99001","owner_1_full_name":"\\"county\\":\\\\"}'))).json.count).toBe(0);
  });

  test('__proto__, constructor and the like are unknown fields and change nothing', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const details = await detailsOf(filter(`{"county":"99001","${name}":{"acres_min":5}}`));
      expect(Object.keys(details)).toEqual([name]);
    }
    expect(({} as Record<string, unknown>).acres_min).toBeUndefined();
    expect((await it.send(filter(county))).json.count).toBe(fixtureCount);
  });

  test('unknown fields are named with what was probably meant; all of them at once', async () => {
    expect(await detailsOf(filter({ ...county, acres_mn: 1, vacant: true, zzzzzz: 1 }))).toEqual({
      acres_mn: ['unknown field; did you mean acres_min?'],
      vacant: ['unknown field; did you mean vacant_only?'],
      zzzzzz: ['unknown field'],
    });
  });

  test('very many or very long unknown fields are refused without looking for near names', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`acres_${n}`, 1]));
    expect(await detailsOf(filter(many))).toEqual({ non_field_errors: ['expected at most 500 fields, found 20000'] });
    const details = await detailsOf(filter({ ['acres'.repeat(50_000)]: 1 }));
    expect(details.non_field_errors?.[0]?.length).toBeLessThan(100);
  });

  test('a GET ignores its body', async () => {
    const response = await it.send({ path: 'properties/3/', body: '{not json', headers: { 'Content-Type': 'x/y' } });
    expect(response.json.property_id).toBe(3);
  });
});

describe('query strings', () => {
  test('unknown parameters are named with what was probably meant', async () => {
    expect(await detailsOf({ path: `properties/search/?fips=${fixtureFips}&owner=x&pagesize=1` })).toEqual({
      owner: ['unknown query parameter; did you mean owner_name?'],
      pagesize: ['unknown query parameter; did you mean page_size or page?'],
    });
    expect(await detailsOf({ path: 'usage/?page=1' })).toEqual({ page: ['unknown query parameter'] });
    expect(await detailsOf({ path: 'usage/?formt=json' })).toEqual({
      formt: ['unknown query parameter; did you mean format?'],
    });
    expect(await detailsOf({ path: 'properties/3/?id=4' })).toEqual({ id: ['unknown query parameter'] });
    expect(await detailsOf({ path: 'properties/3/?__proto__=4' })).toEqual(
      JSON.parse('{"__proto__":["unknown query parameter"]}'),
    );
  });

  test('a field that belongs in the body says so, and the other way round', async () => {
    expect(await detailsOf(filter({}, `?county=${fixtureFips}`))).toEqual({
      county: ['belongs in the body, not in the query string'],
    });
    expect(await detailsOf(filter({ ...county, page: 1, page_size: 5 }))).toEqual({
      page: ['belongs in the query string, not in the body'],
      page_size: ['belongs in the query string, not in the body'],
    });
  });

  test('ordering may stand in either; in both it must be the same', async () => {
    const first = async (request: RequestOptions) => (await it.send(request)).json.results[0].property_id;
    // 49 has the most acres: half its number, and 50 is a tenth parcel without.
    expect(await first(filter({ ...county, ordering: '-acres' }))).toBe(49);
    expect(await first(filter(county, '?ordering=-acres'))).toBe(49);
    expect(await first(filter({ ...county, ordering: '-acres' }, '?ordering=-acres'))).toBe(49);
    expect(await detailsOf(filter({ ...county, ordering: '-acres' }, '?ordering=acres'))).toEqual({
      ordering: ['given as "acres" in the query string and as "-acres" in the body'],
    });
  });

  test('a parameter with one value may not be repeated, even with the same', async () => {
    expect(await detailsOf(filter(county, '?page=1&page=1'))).toEqual({ page: ['expected once, found 2 times'] });
    expect(await detailsOf({ path: 'properties/search/?fips=99001&apn=a&apn=b&apn=c' })).toEqual({
      apn: ['expected once, found 3 times'],
    });
  });

  test('refuses what does not decode', async () => {
    for (const query of ['?page=%zz', '?%ff=1', '?page=%', '?owner_name=%C3', '?page=1&%E0%A4%A=1']) {
      const details = await detailsOf(filter(county, query));
      expect(details.non_field_errors?.[0]).toMatch(/^expected a query string in percent-encoded UTF-8, found "/);
    }
  });

  test('plus and percent stand for spaces, other encodings for what they say', async () => {
    for (const name of ['marsh+ellen', 'marsh%20ellen', '%6Darsh%20%65llen'])
      expect((await it.send({ path: `properties/search/?fips=99001&owner_name=${name}` })).json.count).toBe(10);
    // ALDER RIDGE and ÄLDER
    expect((await it.send({ path: 'properties/search?&fips=99001&&owner_name=%C3%A4lder&' })).json.count).toBe(20);
  });

  test('hundreds of parameters are refused', async () => {
    const details = await detailsOf({ path: `usage/?${'a&'.repeat(201)}` });
    expect(details).toEqual({ non_field_errors: ['expected at most 200 query parameters, found 201'] });
  });

  test('numbers stand in query strings as texts, and only there', async () => {
    expect((await it.send({ path: 'properties/search/?fips=99001&apn=100-1&page=1&page_size=5' })).status).toBe(200);
    expect(await detailsOf(filter({ ...county, acres_min: '5' }))).toEqual({
      acres_min: ['expected a number, found "5"; did you mean 5?'],
    });
    expect(await detailsOf(filter({ ...county, vacant_only: 'true' }))).toEqual({
      vacant_only: ['expected true or false, found "true"'],
    });
  });

  test('format is json or csv', async () => {
    expect((await it.send({ path: 'properties/3/?format=json' })).status).toBe(200);
    expect(await detailsOf({ path: 'properties/3/?format=xml' })).toEqual({
      format: ['expected json or csv, found "xml"'],
    });
    expect(await detailsOf({ path: 'usage/?format=csv&format=json' })).toHaveProperty('format');
  });

  test('an Idempotency-Key of another form is refused', async () => {
    for (const key of ['', 'a b', 'x'.repeat(129), 'ä', ['one', 'two']]) {
      const details = await detailsOf(filter(county, '', { 'Idempotency-Key': key }));
      expect(Object.keys(details)).toEqual(['Idempotency-Key']);
    }
    expect((await it.send(filter(county, '', { 'Idempotency-Key': 'x'.repeat(128) }))).status).toBe(200);
  });

  test('every mistake of the query string is named at once', async () => {
    const details = await detailsOf({
      path: 'properties/3/?pge=1&format=xml',
      headers: { 'Idempotency-Key': 'a b' },
    });
    expect(Object.keys(details).sort()).toEqual(['Idempotency-Key', 'format', 'pge']);
  });
});

describe('the scope rule', () => {
  test('a filter without scope is refused', async () => {
    for (const body of [{}, { state: 'ZZ' }, { acres_min: 5 }])
      expect(Object.keys(await detailsOf(filter(body)))).toEqual(['non_field_errors']);
  });

  test('a search needs fips, and apn or owner_name', async () => {
    expect(await detailsOf({ path: 'properties/search/?apn=1' })).toHaveProperty('fips');
    expect(await detailsOf({ path: 'properties/search/?fips=99001' })).toHaveProperty('non_field_errors');
  });
});
