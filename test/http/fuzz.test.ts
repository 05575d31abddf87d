/**
 * R7 of docs/reliability.md, "What must hold", seeded requests, half built from the schemas and half mutated byte by byte. No answer
 * is a 5xx, every body fits its schema, and the ledger holds exactly what the answers said.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { buildOpenApi } from '../../engine/http/openapi.ts';
import type { FeedMade } from '../../engine/operations/feed-fields.ts';
import { type AnyOperation, operations, operationsByName } from '../../engine/operations/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { fixtureFips, fixtureSquare } from '../support/fixture-home.ts';
import { fullSize, measured, runs } from '../support/runs.ts';
import { base, type RequestOptions, type Serving, serving, splitAnswers } from './client.ts';

const requestCount = runs(250, 5000, 25_000);
const timeout = fullSize(120_000, 1_800_000);
const atOnce = 32;

type JsonSchema = Parameters<typeof Compile>[0];
const document = buildOpenApi('0.0.0') as { components: { schemas: { Error: JsonSchema } } };
const errorSchema = Compile(document.components.schemas.Error);
const outputSchemas = new Map(operations.map(({ name, output }) => [name, Compile(output as unknown as JsonSchema)]));

/** Values that mean something for the fixture, by field. */
const meaningful: Record<string, readonly unknown[]> = {
  county: [fixtureFips, 99001, '01001'],
  counties: [[fixtureFips], [fixtureFips, 1001]],
  fips: [fixtureFips, '01001'],
  apn: ['100-1', '1001', '149-50'],
  owner_name: ['marsh', 'a', 'the trust'],
  zips_include: [['00141'], ['00142', 141]],
  geom_intersects: [fixtureSquare(4), fixtureSquare(40), 'POINT(-72.199 43.101)', 'POLYGON EMPTY', 'POLYGON((0 0,1'],
  owner_parcel_id: [1, 2, 6, 999],
  property_id: [1, 50, 51],
  id: [1, 50, 51, 52],
  page: [1, 1, 2, 3],
  page_size: [1, 10, 50, 1000],
  include_unknown: [['acres'], ['year_built', 'slope_area'], ['nothing']],
  property_ids: [[1, 2, 3], [50, 50, 999], [7], Array.from({ length: 1000 }, (_, i) => i)],
  fields: ['all', ['zoning', 'shape'], ['shape_wkt', 'apn'], ['nothing']],
};

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', ' ', '\0', '\ud800', '💧', "' OR 1=1 --", '%', '*', '1e999', '-0', '__proto__'),
  fc.constantFrom(0, -1, 1e308, -1e308, 2 ** 53, 0.1, 1e-320),
);

/** Values that fit a schema, as far as it is worth the trouble. */
function fitting(schema: TSchema): fc.Arbitrary<unknown> {
  const { type, items, anyOf, pattern, minimum, maximum } = schema as {
    type?: string;
    items?: TSchema;
    anyOf?: TSchema[];
    pattern?: string;
    minimum?: number;
    maximum?: number;
  };
  if ('const' in schema) return fc.constant(schema.const);
  if (anyOf) return fc.oneof(...anyOf.map(fitting));
  if (type === 'array' && items) return fc.array(fitting(items), { minLength: 1, maxLength: 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum ?? -5, max: Math.min(maximum ?? 3000, 3000) });
  if (type === 'number') return fc.double({ min: minimum ?? -10, max: maximum ?? 1e6, noNaN: true });
  if (pattern?.startsWith('^')) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
}

function valueFor(name: string, schema: TSchema): fc.Arbitrary<unknown> {
  const known = meaningful[name];
  return fc.oneof(
    { weight: 14, arbitrary: known ? fc.constantFrom(...known) : fitting(schema) },
    { weight: 1, arbitrary: known ? fitting(schema) : junk },
    { weight: 1, arbitrary: junk },
  );
}

/** Some fields of an operation; now and then one that does not exist. */
function fieldsOf(operation: AnyOperation, names: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const properties = operation.input.properties as Record<string, TSchema>;
  const chosen = fc
    .subarray([...names], { maxLength: Math.min(3, names.length) })
    .chain((some) =>
      fc.tuple(
        ...some.map((name) => valueFor(name, properties[name] as TSchema).map((value) => [name, value] as const)),
      ),
    );
  const stranger = fc.tuple(fc.constantFrom('acres_mn', '__proto__', 'x', 'page'), junk);
  return fc
    .tuple(chosen, fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: stranger }))
    .map(([pairs, extra]) => Object.fromEntries(extra ? [...pairs, extra] : pairs));
}

const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? '')));

/** `encodeURIComponent` throws on lone surrogates, which no URL can hold. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const queryText = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => asTexts(value).map((text) => `${encoded(name)}=${encoded(text)}`))
    .join('&');

const headersOf: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    // Few enough that some meet again, with another input or the same.
    'Idempotency-Key': fc.integer({ min: 0, max: 4000 }).map((n) => (n < 40 ? 'd e' : `k${n}`)),
    'X-Request-Id': fc.string({ minLength: 1, maxLength: 10, unit: fc.constantFrom('a', ' ', '~', '9') }),
    Accept: fc.constantFrom('text/csv', '*/*', 'application/json'),
  },
  { requiredKeys: [] },
);

const built: fc.Arbitrary<{ request: RequestOptions; operation: AnyOperation }> = fc
  .constantFrom(...operations, ...operations.slice(0, 3), ...operations.slice(0, 2))
  .chain((operation) => {
    const all = Object.keys(operation.input.properties);
    const inPath = all.filter((name) => operation.http.path.includes(`{${name}}`));
    const isPost = operation.http.method === 'POST';
    const inQuery = isPost ? [...(operation.http.queryFields ?? [])] : all.filter((name) => !inPath.includes(name));
    const inBody = isPost ? all.filter((name) => !inQuery.includes(name)) : [];
    const scope = operation.name === 'search_properties' ? { fips: fixtureFips, owner_name: 'a' } : {};
    const path = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 55 }).map(String) },
      { weight: 1, arbitrary: junk.map((value) => encoded(asTexts(value)[0] ?? '')) },
    );
    return fc
      .tuple(fieldsOf(operation, inQuery), fieldsOf(operation, inBody), path, headersOf, fc.integer({ min: 0, max: 9 }))
      .map(([query, body, id, headers, chance]) => {
        const where = operation.http.path.replace(/\{\w+\}/g, id);
        const format = chance === 0 ? '&format=csv' : chance === 1 ? '&format=xml' : '';
        const request: RequestOptions = {
          method: operation.http.method,
          path: `${where}?${queryText({ ...(chance > 2 ? scope : {}), ...query })}${format}`,
          headers,
          ...(isPost ? { body: { ...(chance > 1 ? { county: fixtureFips } : {}), ...body } } : {}),
        };
        return { request, operation };
      });
  });

/** Runs the work over all items, some at once. */
async function overAll<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function expectFit(status: number, type: string, text: string, outputs: readonly string[], what: string): void {
  expect(status, what).toBeLessThan(500);
  if (type.startsWith('text/csv')) {
    expect(text, what).toMatch(/^\w+(,\w+)*\r\n/);
    return;
  }
  const json: unknown = JSON.parse(text);
  const fits = status < 300 ? outputs.some((name) => outputSchemas.get(name)?.Check(json)) : errorSchema.Check(json);
  expect(fits, `${what}\n→ ${status} ${text.slice(0, 500)}`).toBe(true);
}

const openServer = (): Promise<Serving> => serving({ rate: { burst: 1e6, perSecond: 1e6 } });

test('requests from the schemas', { timeout }, async () => {
  const it = await openServer();
  let tokens = 0;
  const statuses = new Map<number, number>();
  await overAll(fc.sample(built, { numRuns: requestCount, seed: 1 }), async ({ request, operation }) => {
    const response = await it.send(request);
    const { status, headers, text } = response;
    const what = JSON.stringify(request);
    expectFit(status, headers['content-type'] ?? '', text, [operation.name], what);
    const used = Number(headers['x-tokens-used']);
    if (status !== 200) expect(used, what).toBe(0);
    tokens += used;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  });
  expect(it.charged()).toBe(tokens);
  expect(it.faults).toEqual([]);
  // A fuzz that only meets refusals proves nothing.
  expect(statuses.get(200)).toBeGreaterThan(requestCount / 5);
  expect(statuses.get(400)).toBeGreaterThan(requestCount / 5);
  expect(statuses.get(404)).toBeGreaterThan(10);
  measured(
    `${requestCount} requests from the schemas, ${statuses.get(200)} answered, no 5xx, ${tokens} tokens = the ledger`,
  );
});

const bodyText = JSON.stringify({ county: fixtureFips, acres_min: 1.5, zips_include: ['00141'], vacant_only: false });

/** Requests that would be answered, for mutation; `KEY` and `HOST` are put in. */
const seeds: readonly string[] = [
  `POST ${base}properties/filter/?page=1&page_size=3 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\nContent-Length: ${bodyText.length}\r\n\r\n${bodyText}`,
  `POST ${base}properties/filter HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\n${bodyText.length.toString(16)}\r\n${bodyText}\r\n0\r\n\r\n`,
  `GET ${base}properties/search/?fips=99001&owner_name=marsh+e&page_size=2 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer KEY\r\nAccept: text/csv\r\n\r\n`,
  `GET ${base}properties/12/ HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer KEY\r\nIdempotency-Key: abc\r\nX-Request-Id: r-1\r\n\r\n`,
  `GET ${base}usage/ HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer KEY\r\n\r\n`,
];

interface Mutation {
  /** Where, as a share of the length. */
  readonly at: number;
  readonly kind: 'set' | 'insert' | 'delete' | 'double' | 'swap';
  readonly bytes: readonly number[];
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  kind: fc.constantFrom('set', 'set', 'insert', 'delete', 'double', 'swap'),
  bytes: fc.oneof(
    fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 4 }),
    fc
      .constantFrom('\r\n', ':', '%', '"', '}', '{', '0', '9', ' ', '&', '?', '\0', '/')
      .map((text) => [...Buffer.from(text)]),
  ),
});

function mutated(bytes: Buffer, { at, kind, bytes: given }: Mutation): Buffer {
  const start = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, start);
  const end = Math.min(bytes.length, start + given.length);
  const part = bytes.subarray(start, end);
  const put = {
    set: Buffer.from(given),
    insert: Buffer.concat([Buffer.from(given), part]),
    delete: Buffer.alloc(0),
    double: Buffer.concat([part, part]),
    swap: Buffer.from([...part].reverse()),
  }[kind];
  return Buffer.concat([before, put, bytes.subarray(end)]);
}

test('requests mutated byte by byte', { timeout }, async () => {
  const it = await openServer();
  const raw = fc.tuple(fc.constantFrom(...seeds), fc.array(mutation, { minLength: 1, maxLength: 2 }));
  const names = operations.map(({ name }) => name);
  let tokens = 0;
  let answered = 0;
  await overAll(fc.sample(raw, { numRuns: requestCount, seed: 2 }), async ([seed, mutations]) => {
    const whole = Buffer.from(seed.replace('HOST', `127.0.0.1:${it.server.port}`).replace('KEY', it.key), 'latin1');
    const bytes = mutations.reduce(mutated, whole);
    const text = await it.sendRaw(bytes);
    const what = JSON.stringify(bytes.toString('latin1'));
    for (const { status, head, body } of splitAnswers(text)) {
      const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
      expectFit(status, type, Buffer.from(body, 'latin1').toString('utf8'), names, what);
      const used = Number(/^x-tokens-used: (\d+)$/im.exec(head)?.[1]);
      if (status !== 200) expect(used, what).toBe(0);
      tokens += used;
      if (status === 200) answered++;
    }
  });
  expect(it.charged()).toBe(tokens);
  expect(it.faults).toEqual([]);
  expect(answered).toBeGreaterThan(requestCount / 20);
  measured(`${requestCount} mutated byte by byte, ${answered} answered, no 5xx, ${tokens} tokens = the ledger`);
});

/** A byte here and there of a text replaced. */
const damaged = (text: string): fc.Arbitrary<string> =>
  fc.array(mutation, { minLength: 1, maxLength: 2 }).map((all) => all.reduce(mutated, Buffer.from(text)).toString());

/** Sales, so that parcels have values. */
const putComps = ({ engine }: Serving): void => {
  for (const [place, price] of [40_000, 50_000, 65_000].entries())
    engine.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, sold_date)
       VALUES (?, 'test', ?, ?, 'SOLD', 43.11, -72.19, 5, ?, '2026-05-01')`,
      ...[`00000000-0000-4000-8000-00000000000${place}`, String(place), fixtureFips, price],
    );
};

/** Feeds of the fixture: of a search, and of a value without a parcel of its own. */
async function feedPaths({ engine }: Serving): Promise<{ search: string; value: string }> {
  const make = async (feed: object) => ((await runChange(engine, 'make_feed', feed)).data as FeedMade).paths[0] ?? '';
  return {
    search: await make({ name: 'lots', kind: 'search', input: { county: fixtureFips, acres_min: 2 } }),
    value: await make({ name: 'value', kind: 'value', input: { field: 'mean_price' } }),
  };
}

const filterOperation = operationsByName.get('filter_properties') as AnyOperation;
const filterFields = Object.keys(filterOperation.input.properties);

/** A filter, most of them with a scope. */
const aFilter = fc
  .tuple(fieldsOf(filterOperation, filterFields), fc.integer({ min: 0, max: 5 }))
  .map(([fields, chance]) => (chance === 0 ? fields : { county: fixtureFips, ...fields }));

const byQ: fc.Arbitrary<RequestOptions> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: aFilter.map((filter) => JSON.stringify(filter)) },
      { weight: 2, arbitrary: aFilter.chain((filter) => damaged(JSON.stringify(filter))) },
      { weight: 1, arbitrary: junk.map((value) => asTexts(value)[0] ?? '') },
    ),
    fieldsOf(filterOperation, ['page', 'page_size', 'ordering', 'fields']),
    fc.constantFrom('GET', 'GET', 'GET', 'HEAD'),
  )
  .map(([q, query, method]) => ({ method, path: `properties/filter/?q=${encoded(q)}&${queryText(query)}` }));

const withFields: fc.Arbitrary<RequestOptions> = fc
  .tuple(aFilter, valueFor('fields', filterOperation.input.properties.fields as TSchema))
  .map(([filter, fields]) => ({ method: 'POST', path: 'properties/filter/', body: { ...filter, fields } }));

const manyValues: fc.Arbitrary<RequestOptions> = fc
  .oneof(
    { weight: 6, arbitrary: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom(...(meaningful.property_ids ?? [])) },
    { weight: 2, arbitrary: fc.array(junk, { maxLength: 4 }) },
    { weight: 1, arbitrary: junk },
  )
  .map((ids) => ({ method: 'POST', path: 'values/', body: { property_ids: ids } }));

const degrees = fc.oneof(
  fc.double({ min: -73, max: 44, noNaN: true }).map((number) => number.toFixed(4)),
  fc.constantFrom('-72.2', '43.1', '-72.19', '43.11', '-180', '180', '91', '1e3', '', 'NaN', '0x1'),
);
const aBox = fc.oneof(
  fc.constantFrom('-72.2,43.1,-72.19,43.11', '-72.3,43,-72,43.2', '-180,-90,180,90'),
  fc.array(degrees, { minLength: 3, maxLength: 5 }).map((sides) => sides.join(',')),
  junk.map((value) => asTexts(value)[0] ?? ''),
);

const ofFeeds = ({ search, value }: { search: string; value: string }): fc.Arbitrary<RequestOptions> => {
  const headers = fc.record(
    {
      'Accept-Encoding': fc.constantFrom('gzip', 'zstd', 'gzip;q=0.1, *', 'x;q=', 'identity'),
      Range: fc.constantFrom('bytes=0-9', 'bytes=-1', 'bytes=99999999-', 'bytes=5-1', 'rows=1-2'),
      'If-None-Match': fc.constantFrom('*', '"x"'),
    },
    { requiredKeys: [] },
  );
  const boxed = fc
    .tuple(aBox, fc.constantFrom('csv', 'csv', 'geojson', 'xlsx', 'parquet'), fc.constantFrom('GET', 'GET', 'HEAD'))
    .map(([box, ending, method]) => ({ path: `${search.replace(/csv$/, ending)}?bbox=${encoded(box)}`, method }));
  const named = fc.record(
    {
      fips: fc.constantFrom<unknown>(fixtureFips, '9901', 'x', ''),
      apn: fc.oneof(fc.constantFrom<unknown>('100-1', '1001', '104-5'), junk),
      id: fc.oneof(fc.constantFrom<unknown>(1, 50, 999), junk),
    },
    { requiredKeys: [] },
  );
  const valued = named.map((query) => ({ path: `${value}?${queryText(query)}` }));
  return fc.tuple(fc.oneof({ weight: 2, arbitrary: boxed }, valued), headers).map(([request, given]) => ({
    ...request,
    key: null,
    headers: given,
  }));
};

const toMcp: fc.Arbitrary<RequestOptions> = fc
  .constantFrom(...operations)
  .chain((operation) =>
    fc.oneof(
      {
        weight: 6,
        arbitrary: fieldsOf(operation, Object.keys(operation.input.properties)).map((input) => ({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: operation.name, arguments: input } },
        })),
      },
      { weight: 1, arbitrary: fc.constant({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) },
      {
        weight: 1,
        arbitrary: fc.record({ jsonrpc: junk, id: junk, method: junk, params: junk }, { requiredKeys: [] }),
      },
      { weight: 1, arbitrary: junk },
    ),
  )
  .chain((message) => {
    const text = JSON.stringify(message) ?? '';
    return fc.tuple(
      fc.oneof({ weight: 5, arbitrary: fc.constant(text) }, { weight: 1, arbitrary: damaged(text) }),
      fc.constantFrom('POST', 'POST', 'POST', 'POST', 'POST', 'GET', 'DELETE'),
      fc.record(
        { 'MCP-Protocol-Version': fc.constantFrom('2026-07-28', '2025-11-25', '2024-01-01', 'x') },
        { requiredKeys: [] },
      ),
    );
  })
  .map(([body, method, headers]) => ({ path: '/mcp', method, body, headers }));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const megabyte = 1024 * 1024;
/** Megabytes of objects; bytes of kept feeds have their own limit and are not among them. */
function heap(): number {
  collect();
  return process.memoryUsage().heapUsed / megabyte;
}

const newCount = runs(300, 10_000, 20_000);

/*
 * One call after the other, so that the processor time of this process, which holds client and listener, is that of the
 * call, whatever else the machine does. Only the long run has a limit, a second, which no call comes near.
 */
test('calls of fields, q, values, feeds by box and APN, and of /mcp', { timeout }, async () => {
  const it = await openServer();
  putComps(it);
  const requests = fc.oneof(byQ, withFields, manyValues, ofFeeds(await feedPaths(it)), toMcp);
  const sample = fc.sample(requests, { numRuns: newCount, seed: 3 });
  let tokens = 0;
  let slowest = { seconds: 0, what: '' };
  let before = 0;
  const statuses = new Map<number, number>();
  for (const [place, request] of sample.entries()) {
    // What is made once (schemas, prepared statements, indexes) is there by now.
    if (place === Math.floor(newCount / 2)) before = heap();
    const start = process.cpuUsage();
    const { status, headers, text, json } = await it.send(request);
    const { user, system } = process.cpuUsage(start);
    const what = JSON.stringify(request);
    if ((user + system) / 1e6 > slowest.seconds) slowest = { seconds: (user + system) / 1e6, what };
    expect(status, what).toBeLessThan(500);
    if (headers['content-type'] === 'application/json; charset=utf-8' && text !== '') expect(json, what).toBeDefined();
    if (status >= 400 && json?.error && request.path !== '/mcp') expect(errorSchema.Check(json), what).toBe(true);
    const used = Number(headers['x-tokens-used']);
    if (status >= 300) expect(used, what).toBe(0);
    tokens += used;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const grown = heap() - before;
  expect(it.charged()).toBe(tokens);
  expect(it.faults).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(newCount / 4);
  expect(statuses.get(400)).toBeGreaterThan(newCount / 10);
  if (newCount >= 10_000) {
    expect(slowest.seconds, slowest.what).toBeLessThan(1);
    // A kilobyte kept for each call would be 5.
    expect(grown).toBeLessThan(5);
  }
  measured(
    `${newCount} calls of the newer parameters and /mcp, ${tokens} tokens = the ledger, ${grown.toFixed(1)} MB grown in the second half, slowest ${slowest.seconds.toFixed(2)} s of processor`,
    ['none over 1 s', slowest.seconds < 1],
  );
});
