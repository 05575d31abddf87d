/** `fields`: columns of the dictionary beside those of the summary, in lists of parcels. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseWkt } from '../../engine/geo/wkt.ts';
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { summaryFields } from '../../engine/spec/parcel-summary.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { type Response, type Serving, startServing } from './client.ts';

let it: Serving;
beforeAll(async () => {
  it = await startServing();
});
afterAll(() => it.stop());

type Row = Record<string, unknown>;

const summary = summaryFields.map(({ name }) => name);
const others = parcelColumns.map(({ name }) => name).filter((name) => !summary.includes(name));

const filter = (more: object, query = ''): Promise<Response> =>
  it.send({ method: 'POST', path: `properties/filter/?${query}`, body: { county: fixtureFips, ...more } });
const rowsOf = (response: Response): Row[] => response.json.results as Row[];
const parcel = async (row: Row): Promise<Row> =>
  (await it.send({ path: `properties/${String(row.property_id)}/` })).json;
const pick = (row: Row, names: readonly string[]): Row => Object.fromEntries(names.map((name) => [name, row[name]]));

describe('a filter with fields', () => {
  test('gives the rows it gives without, with the columns named after their own, at the same price', async () => {
    const plain = await filter({});
    const names = ['zoning', 'market_total_value', 'owner_name', 'county_name', 'source_name'];
    const given = await filter({ fields: names });
    const added = names.filter((name) => name !== 'owner_name');
    expect(Object.keys(rowsOf(given)[0] ?? {})).toEqual([...summary, ...added]);
    expect(rowsOf(given).map((row) => pick(row, summary))).toEqual(rowsOf(plain));
    for (const row of rowsOf(given).slice(0, 10)) expect(pick(row, added)).toEqual(pick(await parcel(row), added));
    expect(given.headers['x-tokens-used']).toBe('30');
    expect((await filter({ fields: ['all'] }, 'page_size=1')).headers['x-tokens-used']).toBe('30');
    expect((await filter({ county: '01001', fields: ['zoning'] })).headers['x-tokens-used']).toBe('0');
  });

  test('has every column but the shape with `all`, as the parcel alone has them', async () => {
    const { json } = await filter({ fields: 'all', ordering: '-acres' });
    expect(json.results).toHaveLength(50);
    for (const row of json.results as Row[]) {
      const detail = await parcel(row);
      const names = others.filter((name) => name !== 'shape');
      expect(Object.keys(row)).toEqual([...summary, ...names]);
      expect(pick(row, names)).toEqual(pick(detail, names));
    }
  });

  test('has the shape as GeoJSON or WKT where it is named, null where there is none', async () => {
    const rows = rowsOf(await filter({ fields: ['shape', 'shape_wkt'] }));
    expect(rows.filter(({ shape }) => shape === null).length).toBeGreaterThan(0);
    for (const row of rows) {
      const { shape } = (await parcel(row)) as { shape: { coordinates: number[][][][] } | null };
      expect(row.shape).toEqual(shape);
      if (shape === null) expect(row.shape_wkt).toBeNull();
      else {
        const read = parseWkt(row.shape_wkt as string);
        const flat = shape.coordinates.map((polygon) => polygon.map((ring) => ring.flat()));
        expect(read.ok && read.geometry.polygons.map((rings) => rings.map((ring) => [...ring]))).toEqual(flat);
      }
    }
  });

  test('shows no shape where another program damaged it, and all else of the parcel', async () => {
    const { file } = it.engine.land;
    const { geom } = file.get<{ geom: Buffer }>('SELECT geom FROM parcels WHERE property_id = 3') as { geom: Buffer };
    // The latitude of the last corner, before the end mark: the ring is open then.
    geom.writeDoubleLE(43, geom.length - 9);
    file.run('UPDATE parcels SET geom = ? WHERE property_id = 3', geom);
    const [row] = rowsOf(await filter({ property_id: 3, fields: ['shape', 'shape_wkt', 'county_name'] }));
    expect(row).toMatchObject({ property_id: 3, shape: null, shape_wkt: null, county_name: 'Alder County' });
  });
});

test('a search takes them from its query, repeated or with commas, and its links keep them', async () => {
  const path = (fields: string) => `properties/search/?fips=${fixtureFips}&owner_name=a&page_size=2&page=2&${fields}`;
  const repeated = await it.send({ path: path('fields=zoning&fields=tax_amount') });
  const commas = await it.send({ path: path('fields=zoning,tax_amount') });
  expect(Object.keys(repeated.json.results[0])).toEqual([...summary, 'zoning', 'tax_amount']);
  expect(commas.json.results).toEqual(repeated.json.results);
  expect(commas.headers['x-tokens-used']).toBe('10');
  for (const link of [commas.json.next, commas.json.previous] as string[]) {
    expect(new URL(link).searchParams.get('fields')).toBe('zoning,tax_amount');
    const there = await it.send({ path: link.slice(link.indexOf('/api')) });
    expect(Object.keys(there.json.results[0])).toEqual([...summary, 'zoning', 'tax_amount']);
  }
  expect(new URL((await filter({}, 'fields=all&page_size=9')).json.next).searchParams.get('fields')).toBe('all');
});

test('neighbours take them too, and keep their own stacked_on', async () => {
  const { json } = await it.send({ path: 'properties/1/neighbours/?within_feet=5000&fields=all,shape_wkt' });
  const names = others.filter((name) => name !== 'shape' && name !== 'stacked_on');
  expect(json.results.length).toBeGreaterThan(1);
  for (const row of (json.results as Row[]).slice(0, 9)) {
    expect(pick(row, names)).toEqual(pick(await parcel(row), names));
    expect([null, 'number']).toContain(row.stacked_on === null ? null : typeof row.stacked_on);
  }
});

test('CSV has the columns of the summary, then these', async () => {
  const { text } = await filter({}, 'format=csv&page_size=4&fields=zoning,shape_wkt,land_use_code');
  const [, first] = parse(text, { record_delimiter: '\r\n' }) as string[][];
  const rows = parse(text, { columns: true, record_delimiter: '\r\n' }) as Row[];
  expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual(['zoning', 'shape_wkt', 'land_use_code']);
  expect(first?.at(-2)).toMatch(/^MULTIPOLYGON \(\(\(-72/);
  const none = await filter({ county: '01001' }, 'format=csv&fields=zoning');
  expect(none.text).toMatch(/,situs_zip,zoning\r\n$/);
});

test('what is no column is refused with the nearest name, and costs nothing', async () => {
  const before = it.charged();
  const messages = async (sent: Promise<Response>) => {
    const { status, json } = await sent;
    expect(status).toBe(400);
    return json.error.details.fields[0] as string;
  };
  expect(await messages(filter({ fields: ['zoning', 'ownr_type'] }))).toMatch(/^item 2: .*did you mean "owner_type"/);
  expect(await messages(filter({ fields: 'zoning' }))).toMatch(/^expected a list of columns, like \["zoning", /);
  expect(await messages(filter({ fields: [] }))).toMatch(/^expected a list of columns/);
  expect(await messages(filter({ fields: ['zoning'] }, 'fields=apn'))).toMatch(/in the query string/);
  expect(await messages(it.send({ path: `properties/search/?fips=${fixtureFips}&apn=1&fields=acers` }))).toContain(
    'did you mean "acres"',
  );
  const feed = { name: 'a', kind: 'search', input: { county: fixtureFips, fields: ['zoning'] } };
  expect(await messages(it.send({ method: 'POST', path: 'feeds/', body: feed }))).toBe('a feed has columns instead');
  expect(it.charged()).toBe(before);
});
