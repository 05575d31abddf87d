/** What an assistant reads: few columns, more by `fields`, and the numbers that the window shows. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mcpServer } from '../../engine/mcp/server.ts';
import { formatNumber } from '../../engine/spec/number-words.ts';
import { parcelColumns } from '../../engine/spec/parcel-columns.ts';
import { roundTo } from '../../engine/spec/shown-digits.ts';
import { formatColumn } from '../../renderer/parts/format.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

type Row = Record<string, unknown>;
interface Answer extends Row {
  readonly results: Row[];
  readonly error?: { readonly message: string };
}

async function caller() {
  const engine = engineOn(sampleHome());
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([mcpServer(engine, {}).connect(ours), client.connect(theirs)]);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Row) =>
    (await client.callTool({ name, arguments: input })).structuredContent as Answer;
  return { engine, call };
}

const bytes = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer));

describe('a usual answer is small', () => {
  test.each<[string, Row, number]>([
    ['filter_properties', { county: '99001' }, 6000],
    ['search_properties', { fips: '99001', owner_name: 'a' }, 6000],
    ['list_comps', { fips: '99001' }, 4000],
    ['list_datasets', {}, 1000],
    ['list_neighbours', { id: 1, within_feet: 2000 }, 8000],
  ])('%s', async (name, input, most) => {
    const { call } = await caller();
    const answer = await call(name, input);
    expect(answer.error).toBeUndefined();
    if (answer.count !== undefined) expect(answer.results).toHaveLength(20);
    expect(bytes(answer)).toBeLessThanOrEqual(most);
  });
});

test('`fields` brings what a usual answer leaves out, at the same price', async () => {
  const { engine, call } = await caller();
  const comps = await call('list_comps', { fips: '99001', page_size: 1, fields: ['id', 'url'] });
  const stored = engine.sql<Row>(
    'SELECT comp_id AS id, url FROM comps ORDER BY sold_date IS NULL, sold_date DESC, comp_id LIMIT 1',
  )[0];
  expect(comps.results[0]).toMatchObject(stored ?? {});
  expect(Object.keys(comps.results[0] ?? {})).not.toContain('photos');
  expect(comps.tokens).toBe(1);
  const parcel = await call('get_property', { id: 1 });
  expect(parcel).not.toHaveProperty('shape');
  expect(await call('get_property', { id: 1, fields: ['shape'] })).toMatchObject({ shape: { type: 'MultiPolygon' } });
  expect((await call('list_datasets', { fields: ['filters'] })).counties).toMatchObject([
    { filters: expect.arrayContaining([{ name: 'zoning_codes', known: expect.any(Number) }]) },
  ]);
  const [row] = (await call('filter_properties', { county: '99001', page_size: 1, fields: ['zoning', 'point'] }))
    .results;
  expect(Object.keys(row ?? {})).toEqual(expect.arrayContaining(['zoning', 'point', 'market_total_value']));
  expect(row).not.toHaveProperty('url');
  const all = await call('filter_properties', { county: '99001', page_size: 1, fields: ['all'] });
  expect(Object.keys(all.results[0] ?? {}).length).toBeGreaterThan(80);
});

test.each<[string, Row, string]>([
  ['list_comps', { fips: '99001', fields: ['urls'] }, 'did you mean "url"?'],
  ['get_property', { id: 1, fields: ['shapes'] }, 'did you mean "shape"?'],
  ['list_datasets', { fields: 'filters' }, 'expected a list of at least one'],
  ['filter_properties', { county: '99001', fields: ['zonin'] }, 'did you mean "zoning"?'],
])('a column that %s has not is refused with the one that was meant', async (name, input, words) => {
  const { engine, call } = await caller();
  expect((await call(name, input)).error?.message).toContain(words);
  expect(engine.account.file.get('SELECT count(*) AS n FROM ledger')).toEqual({ n: 0 });
});

describe('what to try where nothing is found', () => {
  test.each<[string, string, Row, readonly string[]]>([
    [
      'a code that was written otherwise',
      'filter_properties',
      { county: '99001', zoning_codes: ['RA5'] },
      ['did you mean "RA-5"?', 'Without zoning_codes, 6,045 parcels match.'],
    ],
    ['a code like no other', 'filter_properties', { county: '99001', zoning_codes: ['QQQ'] }, ['list_values']],
    ['a county that is not loaded', 'filter_properties', { county: '33019', acres_min: 3 }, ['Loaded: 99001']],
    ['another county', 'search_properties', { fips: '33019', apn: '1' }, ['Loaded: 99001']],
    ['a name', 'search_properties', { fips: '99001', owner_name: 'qqq qqq' }, ['owner_name_include_words']],
    ['two contrary criteria', 'filter_properties', { county: '99001', acres_min: 1e6, year_built_min: 2900 }, ['two']],
    ['comps of a day', 'list_comps', { fips: '99001', status: ['ACTIVE'], age: 0 }, ['Without age, ']],
  ])('%s', async (_what, name, input, words) => {
    const { call } = await caller();
    const answer = await call(name, input);
    expect(answer).toMatchObject({ count: 0, tokens: 0 });
    for (const word of words) expect((answer.hints as string[]).join(' ')).toContain(word);
  });

  test('the counts of a hint are those of the search without its criterion', async () => {
    const { engine, call } = await caller();
    const filter = { county: '99001', acres_min: 300, year_built_min: 2000, market_total_value_max: 100_000 };
    const { hints } = await call('filter_properties', filter);
    expect(engine.account.file.get('SELECT count(*) AS n FROM ledger')).toEqual({ n: 0 });
    // Recorded acres, else those of the map; unknown values meet nothing.
    const [{ n } = { n: 0 }] = engine.sql<{ n: number }>(
      `SELECT count(*) AS n FROM parcels WHERE fips = '99001' AND status = 'current'
         AND year_built >= 2000 AND market_total_value <= 100000`,
    );
    expect(hints).toEqual([`Without acres_min, ${n} parcels match.`]);
  });

  test('scripts are given no hints, which take searches of their own', async () => {
    const { engine } = await caller();
    const answer = await engine.call('filter_properties', { county: '99001', zoning_codes: ['RA5'] });
    expect(answer).not.toHaveProperty('hints');
  });
});

test.each<[string, Row, string]>([
  ['filter_properties', { county: 'Alder County' }, 'did you mean "99001" (Alder County, ZZ)?'],
  ['filter_properties', { counties: ['alder'] }, 'did you mean "99001"'],
  ['list_comps', { fips: 'Nowhere' }, 'loaded: "99001"'],
  ['filter_properties', { acres_min: 3 }, 'loaded: "99001"'],
  ['filter_properties', { fips: '99001' }, 'did you mean county?'],
  ['list_comps', { county: '99001' }, 'did you mean fips?'],
  ['list_comps', { fips: '99001', status: ['sold'] }, 'did you mean "SOLD"?'],
  ['filter_properties', { county: '99001', acres_min: '3' }, 'did you mean 3?'],
  ['filter_properties', { county: '99001', zoning_codes: 'RA-5' }, 'did you mean ["RA-5"]?'],
  ['search_properties', { fips: '99001', query: 'main' }, 'expected fips, apn, owner_name'],
])('a refusal of %s %j says what was meant', async (name, input, words) => {
  const { call } = await caller();
  expect((await call(name, input)).error?.message).toContain(words);
});

test('every number of a parcel is the one that the window shows', async () => {
  const { engine, call } = await caller();
  const numbers = parcelColumns.filter(({ type, unit }) => /^(number|percent|money)$/.test(type) && unit !== 'months');
  let compared = 0;
  for (const { property_id: id } of engine.sql<{ property_id: number }>(
    'SELECT property_id FROM parcels WHERE property_id % 97 = 0 ORDER BY 1',
  )) {
    const light = await call('get_property', { id });
    const { data } = await engine.call('get_property', { id });
    for (const column of numbers) {
      const words = formatColumn(column, (data as unknown as Row)[column.name])?.text ?? null;
      const shown = words === null ? null : Number(words.replaceAll(/[$,]/g, '').replace('−', '-'));
      expect([column.name, light[column.name]]).toEqual([column.name, shown]);
      if (shown !== null) compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});

test('numbers are rounded as their words are, also where bits lie below a half', () => {
  for (const value of [1.005, 2.675, 0.5, -0.004, -1.005, 1e-9, 12_345.678, 0.045, 1.45, 8.575, 51.04999]) {
    for (const digits of [0, 1, 2]) {
      const words = Number(formatNumber(value, digits).replaceAll(',', '').replace('−', '-'));
      expect([value, digits, roundTo(value, digits)]).toEqual([value, digits, words]);
    }
  }
  expect(Object.is(roundTo(-0.001), 0)).toBe(true);
});
