/** CSV of lists and of errors, read back with another library. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvText } from '../../engine/http/csv.ts';
import { summaryFields } from '../../engine/spec/parcel-summary.ts';
import { fixtureFips, owners } from '../support/fixture-home.ts';
import { type RequestOptions, type Response, type Serving, startServing } from './client.ts';

let it: Serving;
beforeAll(async () => {
  it = await startServing();
});
afterAll(() => it.stop());

const filter = (query: string, body: unknown = { county: fixtureFips }): RequestOptions => ({
  method: 'POST',
  path: `properties/filter/?${query}`,
  body,
});

function rowsOf(response: Response): Record<string, string>[] {
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.text.startsWith('\ufeff')).toBe(false);
  expect(response.text.endsWith('\r\n')).toBe(true);
  return parse(response.text, { columns: true, record_delimiter: '\r\n' });
}

describe('lists', () => {
  test('have the columns of the summary, the point as longitude and latitude', async () => {
    const response = await it.send(filter('format=csv'));
    const columns = summaryFields.flatMap(({ name }) => (name === 'point' ? ['longitude', 'latitude'] : [name]));
    expect(response.text.split('\r\n')[0]).toBe(columns.join(','));
  });

  test('say the same as JSON, and cost the same', async () => {
    const csv = await it.send(filter('format=csv'));
    const { json } = await it.send(filter(''));
    expect(csv.headers['x-tokens-used']).toBe('30');
    expect(csv.headers['x-total-count']).toBe('50');
    const asTexts = json.results.map(({ point, ...rest }: Record<string, unknown> & { point: number[] | null }) =>
      Object.fromEntries(
        Object.entries({ ...rest, longitude: point?.[0], latitude: point?.[1] }).map(([name, value]) => [
          name,
          String(value ?? ''),
        ]),
      ),
    );
    expect(rowsOf(csv).map((row) => ({ ...row }))).toEqual(asTexts);
  });

  test('keep leading zeros, leave unknown empty, and quote what needs it; formulas stay as they are', async () => {
    const rows = rowsOf(await it.send(filter('format=csv')));
    expect(rows[0]).toMatchObject({ situs_zip: '00141', fips: '99001', acres: '0.5' });
    expect(rows[49]).toMatchObject({ longitude: '', latitude: '', calculated_acres: '', acres: '' });
    expect(rows[4]?.owner_name).toBe(owners[4]);
    expect(owners[4]).toMatch(/^=.*,.*".*\n/s);
  });

  test('link to the other pages', async () => {
    const response = await it.send(filter('format=csv&page_size=20&page=2'));
    const url = (page: number) =>
      `<${it.server.baseUrl}/api/public/v1/properties/filter/?format=csv&page_size=20&page=${page}>`;
    expect(response.headers.link).toBe(`${url(3)}; rel="next", ${url(1)}; rel="prev"`);
    expect(rowsOf(response)[0]?.property_id).toBe('21');
    expect((await it.send(filter('format=csv&page_size=50'))).headers.link).toBeUndefined();
    expect((await it.send(filter('format=csv&page_size=49'))).headers.link).toMatch(/^<[^>]+page=2>; rel="next"$/);
  });

  test('of an empty result are a header row, and free', async () => {
    const response = await it.send(filter('format=csv', { county: '01001' }));
    expect(rowsOf(response)).toEqual([]);
    expect(response.headers).toMatchObject({ 'x-total-count': '0', 'x-tokens-used': '0' });
    expect(response.text).toMatch(/^property_id,.*\r\n$/);
  });

  test('usage and its breakdown come as CSV as well', async () => {
    const usage = rowsOf(await it.send({ path: 'usage/?format=csv' }));
    expect(usage).toHaveLength(1);
    expect(usage[0]).toMatchObject({ tier: 'starter', tokens_included: '30000' });
    const breakdown = rowsOf(await it.send({ path: 'usage/breakdown/?format=csv' }));
    expect(breakdown[0]).toMatchObject({ endpoint: 'public_parcel_filter', mode: 'direct' });
  });
});

describe('who gets CSV', () => {
  const accepts: [string, string, boolean][] = [
    ['', 'text/csv', true],
    ['', 'TEXT/CSV; charset=utf-8', true],
    ['', 'text/csv, */*;q=0.1', true],
    ['', 'application/json;q=0.5, text/csv', true],
    ['', 'application/json, text/csv;q=0.5', false],
    ['', 'text/csv;q=0', false],
    ['', '*/*', false],
    ['', 'text/*', false],
    ['', 'text/html,application/xhtml+xml', false],
    ['format=json', 'text/csv', false],
    ['format=csv', 'application/json', true],
  ];
  test.each(accepts)('?%s with Accept: %s', async (query, accept, isCsv) => {
    const response = await it.send({ path: `usage/?${query}`, headers: { Accept: accept } });
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe(
      isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    );
  });

  test('a parcel is no table', async () => {
    const byQuery = await it.send({ path: 'properties/3/?format=csv' });
    expect(byQuery.status).toBe(400);
    expect(rowsOf(byQuery)[0]?.message).toBe('format: get_property answers JSON only: its answer is not a table');
    const byHeader = await it.send({ path: 'properties/3/', headers: { Accept: 'text/csv' } });
    expect(byHeader.status).toBe(200);
    expect(byHeader.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('errors', () => {
  const errors: [string, RequestOptions, number, string][] = [
    ['a misspelt filter', filter('format=csv', { countyy: 1 }), 400, 'validation_error'],
    ['no key', { ...filter('format=csv'), key: null }, 401, 'unauthorized'],
    ['past the end', filter('format=csv&page=9'), 404, 'not_found'],
    ['no such path', { path: 'nothing/?format=csv' }, 404, 'not_found'],
    ['a wrong method', { method: 'PUT', path: 'usage/?format=csv' }, 405, 'method_not_allowed'],
  ];
  test.each(errors)('%s: one row with the right status', async (_name, request, status, code) => {
    const response = await it.send(request);
    expect(response.status).toBe(status);
    expect(response.text.split('\r\n')[0]).toBe('error,code,message');
    expect(rowsOf(response)).toEqual([{ error: String(status), code, message: expect.stringMatching(/./) }]);
    expect(response.headers['x-tokens-used']).toBe('0');
  });

  test('the guard speaks JSON to everyone', async () => {
    const response = await it.send({ path: 'usage/?format=csv', headers: { Origin: 'null' } });
    expect(response.json.error.code).toBe('forbidden');
  });

  test('a format that is not known is answered in JSON', async () => {
    expect((await it.send({ path: 'usage/?format=xml' })).json.error.code).toBe('validation_error');
    expect((await it.send({ path: 'usage/?format=csv&format=csv' })).json.error.code).toBe('validation_error');
  });
});

test('values are written plainly', () => {
  const row = {
    a: 1e-7,
    b: 1e21,
    c: true,
    d: false,
    e: null,
    f: undefined,
    g: [1, 'x'],
    h: -0.5,
    i: '',
    j: 'a\rb',
    k: 'é"',
  };
  expect(csvText(Object.keys(row), [row]).split('\r\n')[1]).toBe(
    '0.0000001,1000000000000000000000,true,false,,,"[1,""x""]",-0.5,,"a\rb","é"""',
  );
});
