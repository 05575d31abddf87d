/** The operations as an assistant meets them: a real client over memory, and `platbook mcp` over its pipes. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../engine/mcp/server.ts';
import { operations } from '../../engine/operations/index.ts';
import { formatNumber } from '../../engine/spec/number-words.ts';
import { copyOfHome, engineOn, sampleHome } from '../support/homes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const answerOf = (result: unknown): unknown =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? 'null');

/** Acres as the window words them. */
const shown = (acres: number | null) => (acres === null ? null : Number(formatNumber(acres, 2).replaceAll(',', '')));

async function connected(home: string, allTools = false) {
  const engine = engineOn(home);
  const client = new Client({ name: 'test', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([mcpServer(engine, { allTools }).connect(ours), client.connect(theirs)]);
  return { engine, client };
}

describe('the tools', () => {
  test('are the operations, with their inputs and prices', async () => {
    const { client } = await connected(sampleHome(), true);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    for (const [i, tool] of tools.entries()) {
      const { properties = {}, required = [] } = operations[i]?.input ?? {};
      // Where the operation has no `fields`, those of the tool take columns out of a light answer's way.
      const own = ['get_property', 'list_comps', 'list_datasets'].includes(tool.name) ? ['fields'] : [];
      expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual([...Object.keys(properties), ...own]);
      expect(tool.inputSchema.required ?? []).toEqual(required);
      expect(tool.description).toContain(`Price: ${operations[i]?.priceDocs.split(';')[0]}.`);
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      // A refusal is an object under the same schema, and clients check it.
      expect(tool.outputSchema).not.toHaveProperty('required');
    }
    await client.close();
  });

  test('cost an assistant at most 15 KB a turn, without those of feeds, markets and usage', async () => {
    const { client } = await connected(sampleHome());
    const list = await client.listTools();
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(15 * 1024);
    expect(list.tools.map(({ name }) => name)).toEqual([
      'filter_properties',
      'search_properties',
      'get_property',
      'get_owner',
      'list_neighbours',
      'list_comps',
      'get_property_ai_comp_value',
      'skip_trace_owner',
      'skip_trace_property_owner',
      'list_datasets',
      'list_values',
    ]);
    expect(list.tools[0]?.inputSchema.properties).toMatchObject({
      county: { type: 'string', description: 'One county by its FIPS code.' },
      acres_min: { type: 'number', description: 'ac' },
      acres_max: { type: 'number' },
      zoning_codes: { type: 'array', items: { type: 'string' } },
      owner_occupied: { enum: ['Y', 'N'] },
      ordering: { type: 'string' },
      page_size: { type: 'integer', description: '20 unless given, at most 500' },
    });
    await client.close();
  });

  test('say which of them only read', async () => {
    const { client } = await connected(sampleHome(), true);
    const { tools } = await client.listTools();
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name);
    expect(writing).toEqual([
      'judge_owners',
      'update_deal',
      'save_market',
      'update_saved_market',
      'unsave_market',
      'make_feed',
      'renew_feed',
      'revoke_feed',
    ]);
    await client.close();
  });

  test('answer as the library does, as text and as an object, and are metered with mode mcp', async () => {
    const { engine, client } = await connected(sampleHome());
    const input = { county: '99001', acres_min: 40, page_size: 5 };
    const result = await client.callTool({ name: 'filter_properties', arguments: input });
    const { data } = await engine.call('filter_properties', { ...input, fields: ['market_total_value'] });
    const results = data.results.map((row) => ({
      ...{ property_id: row.property_id, apn: row.apn, fips: row.fips, owner_name: row.owner_name },
      ...{ acres: shown(row.acres), calculated_acres: shown(row.calculated_acres) },
      ...{ situs_address: row.situs_address, situs_city: row.situs_city, market_total_value: row.market_total_value },
    }));
    expect(answerOf(result)).toEqual({ count: data.count, results, next_page: 2, tokens: 30 });
    expect(result.structuredContent).toEqual(answerOf(result));
    expect(engine.account.file.all('SELECT mode, tokens FROM ledger ORDER BY ledger_id')).toEqual([
      { mode: 'mcp', tokens: 30 },
      { mode: 'script', tokens: 30 },
    ]);
    await client.close();
  });

  test('give twenty rows where no number is asked for, and no next page after the last one', async () => {
    const { engine, client } = await connected(sampleHome());
    const filter = { county: '99001', acres_min: 100 };
    const rows: unknown[] = [];
    const sizes: number[] = [];
    for (let page: number | undefined = 1; page !== undefined; ) {
      const answer = answerOf(await client.callTool({ name: 'filter_properties', arguments: { ...filter, page } })) as {
        results: unknown[];
        next_page?: number;
      };
      rows.push(...answer.results);
      sizes.push(answer.results.length);
      page = answer.next_page;
    }
    const { data } = await engine.call('filter_properties', { ...filter, page_size: 500 });
    expect(data.count).toBeGreaterThan(20);
    expect(rows.map((row) => (row as { property_id: number }).property_id)).toEqual(
      data.results.map((row) => row.property_id),
    );
    expect(sizes.slice(0, -1).every((size) => size === 20)).toBe(true);
    await client.close();
  });

  test('answer a list and nothing as an object, with what is said beside them', async () => {
    const { client } = await connected(sampleHome());
    const call = async (name: string, input: object) =>
      answerOf(await client.callTool({ name, arguments: { ...input } }));
    expect(await call('list_saved_markets', {})).toEqual({ results: [], tokens: 0 });
    expect(await call('filter_properties', { county: '01001' })).toMatchObject({
      count: 0,
      tokens: 0,
      notices: [expect.stringContaining('01001')],
    });
    await client.close();
  });

  test('say a refusal in words, without a charge', async () => {
    const { engine, client } = await connected(sampleHome());
    const refused = await client.callTool({ name: 'filter_properties', arguments: { county: '99001', acre_min: 4 } });
    expect(refused.isError).toBe(true);
    expect(answerOf(refused)).toMatchObject({ error: { code: 'validation_error' } });
    const unknown = await client.callTool({ name: 'drop_table', arguments: {} });
    expect(answerOf(unknown)).toMatchObject({ error: { code: 'not_found' } });
    expect(engine.account.file.get('SELECT count(*) AS n FROM ledger')).toEqual({ n: 0 });
    await client.close();
  });
});

test('platbook mcp speaks over its pipes and ends with them', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [path.join(root, 'engine/bin/platbook.mjs'), '--home', copyOfHome(sampleHome()), 'mcp'],
    stderr: 'pipe',
  });
  await client.connect(transport);
  expect(client.getInstructions()).toContain('FIPS');
  const result = await client.callTool({ name: 'get_usage', arguments: {} });
  expect(answerOf(result)).toMatchObject({ tokens_used: 0 });
  await client.close();
  expect(transport.pid).toBeNull();
});

test('platbook mcp answers what is no message, no method and no call in words, and goes on', async () => {
  const child = spawn(
    process.execPath,
    [path.join(root, 'engine/bin/platbook.mjs'), '--home', copyOfHome(sampleHome()), 'mcp'],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let faults = '';
  child.stderr.on('data', (text: Buffer) => {
    faults += text.toString();
  });
  const call = (id: number, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const zips = Array.from({ length: 5001 }, () => '00142');
  const lines = [
    'MARTIN SAMPLE is not JSON',
    '["MARTIN SAMPLE"]',
    '{"jsonrpc":"2.0","id":1,"method":"resources/list"}',
    call(2, {}),
    call(3, { name: 'get_usage', arguments: ['MARTIN SAMPLE'] }),
    call(4, { name: 'filter_properties', arguments: { zips_include: zips } }),
    call(5, { name: 'get_usage' }),
  ];
  child.stdin.end(`${lines.join('\n')}\n`);
  const answers: { id: number | null; error?: { code: number; message: string }; result?: unknown }[] = [];
  for await (const line of createInterface({ input: child.stdout })) answers.push(JSON.parse(line));
  const errorOf = (id: number) => answers.find((answer) => answer.id === id)?.error;
  expect(answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([-32700, -32600]);
  expect(errorOf(1)).toEqual({ code: -32601, message: 'There is no method "resources/list".' });
  const noCall = { code: -32602, message: 'Expected the name of a tool, and its arguments as an object.' };
  expect([errorOf(2), errorOf(3)]).toEqual([noCall, noCall]);
  expect(answerOf(answers.find(({ id }) => id === 4)?.result)).toMatchObject({
    error: { message: 'zips_include: expected at most 5,000 items, found 5,001' },
  });
  expect(answerOf(answers.find(({ id }) => id === 5)?.result)).toMatchObject({ tokens_used: 0 });
  expect(faults).toContain('Expected one JSON message a line');
  expect(faults).not.toContain('MARTIN');
});
