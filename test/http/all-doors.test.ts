/**
 * 200 random filters through every door: the same parcels in the same order, and the ledger to the token. A door stays open
 * for all of its filters. A new one is a row of `doors`.
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createKey, keyScopes } from '../../engine/account/api-keys.ts';
import { checkHome } from '../../engine/check.ts';
import { openExportSource } from '../../engine/exporting/export-source.ts';
import { type RunningServer, startServer } from '../../engine/http/server.ts';
import type { Engine, InputOf } from '../../engine/index.ts';
import { filterBodies, scopeOf } from '../support/filter-bodies.ts';
import { type FilterBody, type TwinParcel, twinFilter } from '../support/filter-twin.ts';
import { emptyHome, openHomeCopy, plainParcels, removeHome, sampleHome } from '../support/homes.ts';
import { launcher, platbook, platbookProcess } from '../support/platbook.ts';
import { openPython, pythonOrSkip } from '../support/python-door.ts';

const pageSize = 500;
/** Tokens of a search that finds something. */
const price = 30;

interface Asked {
  readonly body: FilterBody;
  /** Null: the order of a filter that names none. */
  readonly ordering: string | null;
}

/** @property tokens as the door tells them; null where it tells none */
interface Found {
  readonly ids: readonly number[];
  readonly tokens: number | null;
}

type Ask = (asked: Asked) => Promise<Found>;

interface Door {
  readonly open: () => Promise<Ask> | Ask;
  /** A request a page, each at the price of a search; otherwise the whole is one. */
  readonly isPaged?: true;
  readonly isThere?: boolean;
  /** GeoParquet is ordered by place, whatever was asked for, so that readers pass over what lies elsewhere. */
  readonly isByPlace?: true;
  /** Asks only so many of the filters. */
  readonly upTo?: number;
}

let engine: Engine;
let server: RunningServer;
let key: string;
let asked: (Asked & { readonly expected: readonly number[] })[];
/** Every parcel's rank in the order by place. */
let ranks: ReadonlyMap<number, number>;
/** What the doors before have cost. */
let total = 0;

const ledger = (): number =>
  engine.account.file.get<{ tokens: number }>('SELECT coalesce(sum(tokens), 0) AS tokens FROM ledger')?.tokens ?? -1;

async function ranksByPlace(ids: readonly number[]): Promise<Map<number, number>> {
  const source = openExportSource(engine.home, { title: '', ids, now: engine.now(), columns: ['property_id'] });
  const found = new Map<number, number>();
  for await (const rows of source.batches({ byPlace: true })) for (const { id } of rows) found.set(id, found.size);
  source.close();
  return found;
}

const rankOf = (id: number): number => ranks.get(id) ?? -1;

const expectedOf = ({ isByPlace }: Door, ids: readonly number[]): readonly number[] =>
  isByPlace ? ids.toSorted((a, b) => rankOf(a) - rankOf(b)) : ids;

const priceOf = ({ isPaged }: Door, count: number): number =>
  isPaged ? price * Math.ceil(count / pageSize) : count === 0 ? 0 : price;

interface Row {
  readonly property_id: number | string;
}
const idsOf = (rows: readonly Row[]): number[] => rows.map((row) => Number(row.property_id));
const inputOf = ({ body, ordering }: Asked) =>
  ({ ...body, ...(ordering && { ordering }) }) as InputOf<'filter_properties'>;

/** Asks for page after page until there is none. */
async function paged(ask: (page: number) => Promise<Found & { readonly hasNext: boolean }>): Promise<Found> {
  const ids: number[] = [];
  let tokens = 0;
  for (let page = 1; ; page++) {
    const answer = await ask(page);
    ids.push(...answer.ids);
    tokens += answer.tokens ?? 0;
    if (!answer.hasNext) return { ids, tokens };
  }
}

const throughHttp =
  (format: string, read: (text: string, page: number) => { ids: number[]; hasNext: boolean }): Door['open'] =>
  () =>
  (one) =>
    paged(async (page) => {
      const query = new URLSearchParams({ format, page: String(page), page_size: String(pageSize) });
      const answer = await fetch(`${server.baseUrl}/api/public/v1/properties/filter/?${query}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(inputOf(one)),
      });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      return { ...read(text, page), tokens: Number(answer.headers.get('X-Tokens-Used')) };
    });

const throughMcp = (transport: () => Transport) => async (): Promise<Ask> => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport());
  onTestFinished(() => client.close());
  return (one) =>
    paged(async (page) => {
      const input = { ...inputOf(one), page, page_size: pageSize };
      const { isError, structuredContent } = await client.callTool({ name: 'filter_properties', arguments: input });
      expect(isError, JSON.stringify(structuredContent)).toBeFalsy();
      const answer = structuredContent as { results: Row[]; tokens: number; next_page?: number };
      return { ids: idsOf(answer.results), tokens: answer.tokens, hasNext: answer.next_page !== undefined };
    });
};

/** A file as the doors that answer with one leave it. */
type ReadFile = (file: string) => Promise<number[]> | number[];

/** The first column of the first sheet: the numbers of parcels below a heading. */
const readXlsx: ReadFile = (file) => {
  const bytes = fs.readFileSync(file);
  const name = bytes.indexOf('xl/worksheets/sheet1.xml');
  const begin = name + bytes.readUInt16LE(name - 4) + bytes.readUInt16LE(name - 2);
  const sheet = zlib.inflateRawSync(bytes.subarray(begin)).toString();
  return [...sheet.matchAll(/<c r="A\d+"><v>(\d+)<\/v>/g)].map(([, id]) => Number(id));
};
const readCsv: ReadFile = (file) => idsOf(parse(fs.readFileSync(file), { bom: true, columns: true }));
const readParquet: ReadFile = async (file) => {
  const bytes = fs.readFileSync(file);
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    columns: ['property_id'],
    compressors: { ZSTD: (data) => new Uint8Array(zlib.zstdDecompressSync(data)) },
  });
  return idsOf(rows as unknown as Row[]);
};

const feed =
  (ending: string, read: ReadFile): Door['open'] =>
  () => {
    const file = path.join(emptyHome(), `feed.${ending}`);
    return async ({ body, ordering }) => {
      const { data } = await engine.call('make_feed', {
        ...{ name: 'lots', kind: 'search', input: body, columns: ['property_id', 'apn'] },
        ...(ordering && { ordering }),
      } as InputOf<'make_feed'>);
      const address = data.paths.find((one) => one.endsWith(`.${ending}`)) ?? '';
      const answer = await fetch(`${server.baseUrl}${address}`);
      expect([answer.status, address]).toEqual([200, expect.stringMatching(/^\/feeds\//)]);
      fs.writeFileSync(file, await answer.bytes());
      await engine.call('revoke_feed', { feed_id: data.feed_id });
      return { ids: await read(file), tokens: Number(answer.headers.get('X-Tokens-Used')) };
    };
  };

const exported =
  (ending: string, read: ReadFile): Door['open'] =>
  () => {
    const folder = emptyHome();
    let number = 0;
    return async ({ body, ordering }) => {
      const file = path.join(folder, `${++number}.${ending}`);
      const order = ordering ? ['--ordering', ordering] : [];
      const args = [
        'export',
        file,
        '--filter',
        JSON.stringify(body),
        '--columns',
        'property_id,apn',
        ...order,
        '--json',
      ];
      const { code, out, err } = await platbook(engine.home, ...args);
      expect(code, err).toBe(0);
      return { ids: await read(file), tokens: (JSON.parse(out) as { tokens: number }).tokens };
    };
  };

const lines = (out: string): Row[] => out.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Row] : []));
const callArgs = (one: Asked) => ['call', 'filter_properties', JSON.stringify(inputOf(one)), '--all', '--jsonl'];

const doors: Readonly<Record<string, Door>> = {
  'the library, row by row': {
    open: () => async (one) => {
      const ids: number[] = [];
      for await (const row of engine.each('filter_properties', inputOf(one))) ids.push(row.property_id);
      return { ids, tokens: null };
    },
  },
  'the library, the whole': {
    open: () => async (one) => {
      const { data, tokens } = await engine.whole('filter_properties', inputOf(one));
      return { ids: idsOf(data.results), tokens };
    },
  },
  HTTP: {
    isPaged: true,
    open: throughHttp('json', (text) => {
      const { results, next } = JSON.parse(text) as { results: Row[]; next: string | null };
      return { ids: idsOf(results), hasNext: next !== null };
    }),
  },
  'HTTP as CSV': {
    isPaged: true,
    open: throughHttp('csv', (text) => {
      const ids = idsOf(parse(text, { columns: true }));
      return { ids, hasNext: ids.length === pageSize };
    }),
  },
  'the command line': {
    open: () => async (one) => {
      const { code, out, err } = await platbook(engine.home, ...callArgs(one));
      expect(code, err).toBe(0);
      return { ids: idsOf(lines(out)), tokens: null };
    },
  },
  'MCP over pipes': {
    isPaged: true,
    open: throughMcp(
      () =>
        new StdioClientTransport({
          command: process.execPath,
          args: [launcher, '--home', engine.home, 'mcp'],
          stderr: 'inherit',
        }),
    ),
  },
  'MCP over HTTP': {
    isPaged: true,
    open: throughMcp(
      () =>
        new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/mcp`), {
          requestInit: { headers: { Authorization: `Bearer ${key}` } },
        }),
    ),
  },
  Python: {
    isPaged: true,
    isThere: pythonOrSkip('random filters through the Python client'),
    open: async () => {
      const call = await openPython(server.baseUrl, key);
      return async (one) => {
        const { data, tokens, error } = await call('each_filter_properties', inputOf(one));
        expect(error).toBeUndefined();
        return { ids: idsOf(data), tokens };
      };
    },
  },
  'a feed in CSV': { open: feed('csv', readCsv) },
  'a feed in XLSX': { open: feed('xlsx', readXlsx) },
  'a feed in GeoParquet': { isByPlace: true, open: feed('parquet', readParquet) },
  // Each opens the home, which takes longer than the file.
  'an export in GeoParquet': { isByPlace: true, upTo: 20, open: exported('parquet', readParquet) },
};

/** By these every door can order. */
const orderings = ['acres', '-acres', 'apn', '-owner_name', 'situs_city', '-last_sale_date', null];

beforeAll(async () => {
  engine = openHomeCopy(sampleHome());
  engine.account.file.run('UPDATE plan SET cap_tokens = NULL');
  server = await startServer(engine, { port: 0, rate: { burst: 1e9, perSecond: 1e9 } });
  key = createKey(engine.account, 'test', keyScopes, engine.now()).key;
  const parcels: readonly TwinParcel[] = plainParcels(engine);
  const random = fc.tuple(filterBodies(parcels), fc.constantFrom(...orderings));
  ranks = await ranksByPlace(parcels.map(({ property_id: id }) => id));
  asked = [];
  for (const [filter, ordering] of fc.sample(random, { numRuns: 200, seed: 38 })) {
    const one = { body: { ...scopeOf(parcels), ...filter }, ordering };
    const { data } = await engine.whole('filter_properties', inputOf(one), { mode: 'script', isFree: true });
    const expected = idsOf(data.results);
    // Which they are says the twin, which reads no table of filters.
    expect(expected.toSorted((a, b) => a - b)).toEqual(twinFilter(one.body, parcels));
    asked.push({ ...one, expected });
  }
});

afterAll(async () => {
  await server.close();
  removeHome(engine);
});

test('the filters find all, some, and nothing, and go over several pages', () => {
  const counts = asked.map(({ expected }) => expected.length);
  expect(counts).toHaveLength(200);
  expect(counts.filter((count) => count === 0).length).toBeGreaterThan(10);
  expect(counts.filter((count) => count > 0 && count <= pageSize).length).toBeGreaterThan(50);
  expect(counts.filter((count) => count > 2 * pageSize).length).toBeGreaterThan(10);
  expect(ledger()).toBe(0);
});

for (const [name, door] of Object.entries(doors)) {
  test.runIf(door.isThere ?? true)(
    `${name}: the same ids in the same order, and the ledger exact`,
    { timeout: 600_000 },
    async () => {
      const before = ledger();
      const ask = await door.open();
      let cost = 0;
      for (const { expected: inOrder, ...one } of asked.slice(0, door.upTo)) {
        const expected = expectedOf(door, inOrder);
        const due = priceOf(door, expected.length);
        const { ids, tokens } = await ask(one);
        const differsAt = ids.findIndex((id, at) => id !== expected[at]);
        expect({ found: ids.length, differsAt, tokens: tokens ?? due }, JSON.stringify(one)).toEqual({
          found: expected.length,
          differsAt: -1,
          tokens: due,
        });
        cost += due;
      }
      expect(ledger() - before).toBe(cost);
      total += cost;
    },
  );
}

test('a process of the command line, as a shell starts it, gives the same for the same', async () => {
  for (const { expected, ...one } of asked.filter(({ expected }) => expected.length > pageSize).slice(0, 3)) {
    const before = ledger();
    const { code, out, err } = await platbookProcess(engine.home, ...callArgs(one));
    expect(code, err).toBe(0);
    expect(idsOf(lines(out))).toEqual(expected);
    expect(ledger() - before).toBe(price);
    total += price;
  }
});

test('the ledger is the sum of the doors, as usage tells it, and the home is whole', async () => {
  expect(total).toBeGreaterThan(0);
  expect(ledger()).toBe(total);
  expect((await engine.call('get_usage', {})).data.tokens_used).toBe(total);
  expect(checkHome(engine).filter(({ ok }) => !ok)).toEqual([]);
});
