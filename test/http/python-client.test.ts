/** The Python client that Platbook writes: its types, and its calls against the sample county on Debian's Python. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey, keyScopes } from '../../engine/account/api-keys.ts';
import type { Engine } from '../../engine/engine.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../engine/http/server.ts';
import { operations } from '../../engine/operations/index.ts';
import { filterBodies, scopeOf } from '../support/filter-bodies.ts';
import { engineOn, plainParcels, sampleHome } from '../support/homes.ts';
import { openPython, pythonClientFolder, pythonOrSkip } from '../support/python-door.ts';
import { requireOrSkip } from '../support/require.ts';

const hasMypy = requireOrSkip(
  'types of the Python client',
  spawnSync('mypy', ['--version']).status === 0,
  'mypy is not installed (apt-get install mypy)',
);

const program = `
from platbook_api import Comp, Parcel, Platbook, PlatbookError

platbook = Platbook("http://127.0.0.1:4780", "plat_x")
found = platbook.each_filter_properties(county="99001", acres_min=5, ordering="-acres")
acres: list[float | None] = [parcel["acres"] for parcel in found]
parcel: Parcel = platbook.get_property(id=2)
owner: str | None = parcel["owner_name"]
comps: list[Comp] = platbook.list_comps(fips="99001", status=["SOLD"])["results"]
platbook.update_deal(ids=[2], stage=None, log={"what": "call"})
try:
    platbook.list_datasets()
except PlatbookError as error:
    code: str = error.code
`;

/** A misspelt filter, a text for a number, a column that none can sort by, a field that a parcel does not have. */
const wrongProgram = `
from platbook_api import Platbook

platbook = Platbook("http://127.0.0.1:4780", "plat_x")
platbook.filter_properties(county="99001", acers_min=5)
platbook.filter_properties(county="99001", acres_min="five")
platbook.filter_properties(county="99001", ordering="acers")
print(platbook.get_property(2)["owner"])
`;

describe.runIf(hasMypy)('mypy --strict', () => {
  const check = async (text: string): Promise<string> => {
    const folder = await pythonClientFolder();
    fs.writeFileSync(path.join(folder, 'program.py'), text);
    const files = ['platbook_api.py', 'program.py'];
    return spawnSync('mypy', ['--strict', ...files], { cwd: folder, encoding: 'utf8' }).stdout;
  };

  test('takes the client and a program', async () => {
    expect(await check(program)).toBe('Success: no issues found in 2 source files\n');
  });

  test('refuses each mistake of another program', async () => {
    const lines = (await check(wrongProgram)).matchAll(/^program\.py:(\d+): error: /gm);
    expect([...lines].map(([, line]) => line)).toEqual(['5', '6', '7', '8']);
  });
});

interface Sample {
  readonly engine: Engine;
  readonly server: RunningServer;
  readonly key: string;
}

async function sampleServer(options: Partial<ServerOptions> = {}): Promise<Sample> {
  const engine = engineOn(sampleHome());
  const server = await startServer(engine, { port: 0, ...options });
  onTestFinished(() => server.close());
  return { engine, server, key: createKey(engine.account, 'python', keyScopes, engine.now()).key };
}

const ledger = ({ engine }: Sample): { readonly rows: number; readonly tokens: number } =>
  engine.account.file.get('SELECT count(*) AS rows, coalesce(sum(tokens), 0) AS tokens FROM ledger') ?? {
    rows: -1,
    tokens: -1,
  };

interface Seen {
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** A way to the listener that loses the answers of the first `losing` requests, after Platbook has given them. */
async function lossyWay({ server }: Sample, losing: number): Promise<{ address: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const way = http.createServer((request, response) => {
    const { method = '', url: target, headers } = request;
    seen.push({ method, headers });
    const isLost = seen.length <= losing;
    const forwarded = http.request(
      { port: server.port, method, path: target, headers: { ...headers, host: `127.0.0.1:${server.port}` } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          if (isLost) return response.socket?.destroy();
          const body = Buffer.concat(chunks).toString().replaceAll(`:${server.port}/`, `:${port}/`);
          const { 'content-length': _length, ...others } = answer.headers;
          response.writeHead(answer.statusCode ?? 0, others).end(body);
        });
      },
    );
    request.pipe(forwarded);
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    way.close();
  });
  const { port } = way.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, seen };
}

const asked = operations.flatMap(({ name, pages, examples }) =>
  examples.map(({ input }) => ({ name, input: input as Record<string, unknown>, isPaged: pages !== undefined })),
);

describe.runIf(pythonOrSkip('the Python client against the sample'))('the Python client', () => {
  test('has a method for each operation, and an iterator where there are pages; each example runs', async () => {
    const sample = await sampleServer();
    const call = await openPython(sample.server.baseUrl, sample.key);
    for (const { name, input, isPaged } of asked) {
      const { data, error, last } = await call(name, input);
      // A trace finds nobody in a home without contacts.
      expect([name, error?.code ?? last?.status]).toEqual([name, expect.toBeOneOf([200, 201, 204, 'not_found'])]);
      if (!isPaged) continue;
      const { page_size: _size, ...whole } = input;
      expect((await call(`each_${name}`, whole)).data).toHaveLength(data.count);
    }
  });

  test('50 random filters: the ids and the order of the library; the ledger is what the client counted', async () => {
    const sample = await sampleServer();
    const call = await openPython(sample.server.baseUrl, sample.key);
    const parcels = plainParcels(sample.engine);
    const bodies = fc
      .sample(filterBodies(parcels), { numRuns: 50, seed: 38 })
      .map((body) => ({ ...scopeOf(parcels), ...body }));
    let counted = 0;
    let found = 0;
    for (const body of bodies) {
      const { data, tokens, error } = await call('each_filter_properties', body);
      counted += tokens;
      const { data: expected } = await sample.engine.whole('filter_properties', body as never, {
        mode: 'script',
        isFree: true,
      });
      expect(error).toBeUndefined();
      expect(data.map((one: { property_id: number }) => one.property_id)).toEqual(
        expected.results.map((one) => one.property_id),
      );
      // 500 a page, each page a request at 30 tokens.
      expect(tokens).toBe(30 * Math.ceil(expected.count / 500));
      found += expected.count;
    }
    expect(found).toBeGreaterThan(1000);
    expect(ledger(sample).tokens).toBe(counted);
  });

  test('waits as Retry-After says and asks again', async () => {
    const sample = await sampleServer({ rate: { burst: 1, perSecond: 1 } });
    const call = await openPython(sample.server.baseUrl, sample.key);
    const statuses: number[] = [];
    const began = performance.now();
    for (let i = 0; i < 3; i++) statuses.push((await call('get_property', { id: i + 1 })).last?.status ?? 0);
    expect(statuses).toEqual([200, 200, 200]);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(ledger(sample)).toEqual({ rows: 3, tokens: 30 });
  });

  test('repeats a request whose answer was lost with its one Idempotency-Key, and is charged once', async () => {
    const sample = await sampleServer();
    const { address, seen } = await lossyWay(sample, 2);
    const call = await openPython(address, sample.key);
    const { data, error } = await call('each_filter_properties', { county: '99001', acres_min: 20 });
    expect(error).toBeUndefined();
    expect(data.length).toBeGreaterThan(500);
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    const pages = Math.ceil(data.length / 500);
    expect(new Set(keys).size).toBe(pages);
    expect(ledger(sample)).toEqual({ rows: pages, tokens: 30 * pages });
  });

  test('does not repeat a change that may have been made', async () => {
    const sample = await sampleServer();
    const { address, seen } = await lossyWay(sample, 1);
    const call = await openPython(address, sample.key);
    const { error } = await call('update_deal', { ids: [2], log: { what: 'call' } });
    expect(error?.code).toBe('unreachable');
    expect(error?.message).toContain('may have been carried out');
    expect(seen).toHaveLength(1);
    expect((await call('list_deals', {})).data.count).toBe(1);
  });

  test('raises an error with its code, details and request id', async () => {
    const sample = await sampleServer();
    const call = await openPython(sample.server.baseUrl, sample.key);
    const { error } = await call('filter_properties', { acres_min: 5, acres_max: 4, county: '99001' });
    expect(error).toMatchObject({ code: 'validation_error', status: 400 });
    expect(Object.keys(error?.details ?? {}).length).toBeGreaterThan(0);
    expect(error?.request_id).toMatch(/^[\da-f-]{36}$/);
    expect((await call('get_property', { id: 999_999_999 })).error).toMatchObject({ code: 'not_found', status: 404 });
    expect(ledger(sample).tokens).toBe(0);
    const strange = await openPython(sample.server.baseUrl, 'plat_strange');
    expect((await strange('list_datasets', {})).error).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  test('leaves a deal field as it is, or takes it away with None', async () => {
    const sample = await sampleServer();
    const call = await openPython(sample.server.baseUrl, sample.key);
    await call('update_deal', { ids: [2], next_on: '2027-03-15', note: 'by the brook' });
    await call('update_deal', { ids: [2], next_on: null });
    const [deal] = (await call('list_deals', {})).data.results;
    expect([deal.next_on, deal.note]).toEqual([null, 'by the brook']);
  });

  test('gives its key to no other address, by a next page or a redirect', async () => {
    const others: string[] = [];
    const other = http.createServer((request, response) => {
      others.push(request.url ?? '');
      response.end('{}');
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const liar = http.createServer((request, response) => {
      if (request.url?.includes('datasets')) return response.writeHead(302, { Location: elsewhere }).end();
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ count: 2, next: elsewhere, previous: null, results: [] }));
    });
    await once(liar.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      other.close();
      liar.close();
    });
    const call = await openPython(`http://127.0.0.1:${(liar.address() as AddressInfo).port}`, 'plat_secret');
    expect((await call('each_list_comps', { fips: '99001' })).error?.code).toBe('foreign_address');
    expect((await call('list_datasets', {})).error).toMatchObject({ code: 'unexpected', status: 302 });
    expect(others).toEqual([]);
  });

  test('holds neither a key nor a path of this computer', async () => {
    const folder = await pythonClientFolder();
    const text = fs.readFileSync(path.join(folder, 'platbook_api.py'), 'utf8');
    expect(text).not.toMatch(/plat_[A-Za-z0-9_-]{20,}/);
    expect(text).not.toContain(sampleHome());
    expect(text).not.toContain(process.cwd());
  });
});
