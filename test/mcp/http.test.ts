/** POST /mcp of a listener, by the official clients of both lines of the protocol, and by hand. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, onTestFinished, test } from 'vitest';
import { type Serving, serving } from '../http/client.ts';
import { fixtureFips } from '../support/fixture-home.ts';

const address = ({ server }: Serving) => new URL(`${server.baseUrl}/mcp`);
const init = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } });

/** The client of the present line, which speaks 2026-07-28. */
async function newClient(on: Serving, key = on.key, url = address(on)): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(url, init(key)));
  onTestFinished(() => client.close());
  return client;
}

/** The client of the line before, which ends at 2025-11-25. */
async function oldClient(on: Serving, key = on.key): Promise<OldClient> {
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(new OldTransport(address(on), init(key)) as Transport);
  onTestFinished(() => client.close());
  return client;
}

const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, ...(params ? { params } : {}) });
const toolCall = (name: string, input: object) => message('tools/call', { name, arguments: input });

test('clients of both lines get equal tools and answers, and each call is charged once to its key', async () => {
  const on = await serving();
  const clients = [await newClient(on), await oldClient(on)];
  const lists = await Promise.all(clients.map(async (client) => (await client.listTools()).tools));
  expect(lists[0]).toEqual(lists[1]);
  const call = { name: 'filter_properties', arguments: { county: fixtureFips, acres_min: 1 } };
  const answers = await Promise.all(clients.map(async (client) => (await client.callTool(call)).structuredContent));
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject({ tokens: 30 });
  expect(on.engine.account.file.all('SELECT mode, tokens, key_id FROM ledger')).toEqual([
    { mode: 'mcp', tokens: 30, key_id: 1 },
    { mode: 'mcp', tokens: 30, key_id: 1 },
  ]);
});

test.each<[string, object]>([
  ['filter_properties', { county: fixtureFips, acres_min: 1, fields: ['all'] }],
  ['filter_properties', { county: fixtureFips, acres_min: 1e6 }],
  ['filter_properties', { acre_min: 1 }],
  ['search_properties', { fips: fixtureFips, owner_name: 'a' }],
  ['get_property', { id: 1 }],
  ['get_property', { id: 999_999 }],
  ['get_owner', { id: 1 }],
  ['list_neighbours', { id: 1 }],
  ['list_comps', { fips: fixtureFips }],
  ['get_property_ai_comp_value', { id: 1 }],
  ['skip_trace_owner', { first_name: 'A', last_name: 'B', zip: '00142' }],
  ['skip_trace_property_owner', { id: 1 }],
  ['list_datasets', {}],
  ['list_values', { fips: fixtureFips, column: 'zoning' }],
  ['drop_table', {}],
])('clients of both lines, which check it against its schema, read the same from %s %j', async (name, input) => {
  const on = await serving();
  const [present, before] = [await newClient(on), await oldClient(on)];
  // A client checks answers of tools that it listed.
  await Promise.all([present.listTools(), before.listTools()]);
  const call = { name, arguments: { ...input } };
  const [one, other] = [await present.callTool(call), await before.callTool(call)];
  expect(other.structuredContent).toEqual(one.structuredContent);
  expect(other.content).toEqual(one.content);
  expect(other.isError).toBe(one.isError);
  const [text] = one.content as { readonly text: string }[];
  expect(JSON.parse(text?.text ?? '')).toEqual(one.structuredContent);
});

test('a key lists and calls what its scopes allow', async () => {
  const on = await serving();
  const key = on.makeKey(['read']);
  const client = await newClient(on, key);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('filter_properties');
  expect(names).not.toContain('skip_trace_owner');
  const refused = await client.callTool({ name: 'skip_trace_owner', arguments: { owner_name: 'A' } });
  expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'forbidden' } } });
  expect(on.charged()).toBe(0);
});

test('?tools=all lists the others too', async () => {
  const on = await serving();
  const all = await newClient(on, on.key, new URL('?tools=all', address(on)));
  expect((await all.listTools()).tools.map(({ name }) => name)).toContain('make_feed');
});

test('says its cost in the header of every answer', async () => {
  const on = await serving();
  const { status, headers, json } = await on.send({
    method: 'POST',
    path: '/mcp',
    body: toolCall('filter_properties', { county: fixtureFips }),
  });
  expect([status, headers['x-tokens-used'], json.result.structuredContent.tokens]).toEqual([200, '30', 30]);
  expect(on.lines.at(-1)).toMatchObject({ operation: 'mcp', tokens: 30 });
});

test.each([
  ['a web page', { headers: { Origin: 'http://evil.example' } }, 403],
  ['another host', { headers: { Host: 'evil.example' } }, 403],
  ['no key', { key: null }, 401],
  ['a GET', { method: 'GET', body: undefined }, 405],
  ['a DELETE', { method: 'DELETE', body: undefined }, 405],
  ['text', { headers: { 'Content-Type': 'text/plain' } }, 400],
  ['several messages', { body: [message('tools/list')] }, 400],
  ['no JSON', { body: '{"jsonrpc"' }, 400],
  ['a body of a megabyte', { body: `{"a":"${'x'.repeat(1 << 20)}"}` }, 400],
  ['a thousand brackets', { body: '['.repeat(1000) }, 400],
  ['no message', { body: { a: 1 } }, 400],
])('refuses %s', async (_what, options, status) => {
  const on = await serving();
  const answer = await on.send({ method: 'POST', path: '/mcp', body: message('tools/list'), ...options });
  expect(answer.status).toBe(status);
  expect(answer.json.error).toBeDefined();
});

test('holds no stream open: what one could listen to is no method', async () => {
  const on = await serving();
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await on.send({
    method: 'POST',
    path: '/mcp',
    body: message('subscriptions/listen', { _meta: meta, notifications: { toolsListChanged: true } }),
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'MCP-Method': 'subscriptions/listen' },
  });
  expect(answer.json.error.code).toBe(-32601);
});

test('takes from the same rate as the API', async () => {
  const on = await serving({ rate: { burst: 2, perSecond: 0.001 } });
  const list = { method: 'POST', path: '/mcp', body: message('tools/list') };
  await on.send(list);
  await on.send({ path: 'usage/' });
  const refused = await on.send(list);
  expect([refused.status, refused.json.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});
