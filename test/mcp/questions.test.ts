/** Sixty questions with known answers, asked by a client that knows what the tools say and nothing else. */
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../engine/account/api-keys.ts';
import { startServer } from '../../engine/http/server.ts';
import { copyOfHome, engineOn, openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { type Answer, type Call, type Input, type Question, questions } from './questions.ts';
import { repaired } from './repair.ts';

const root = path.resolve(import.meta.dirname, '../..');
const mostRepairs = 4;

async function overPipes(): Promise<Client> {
  const client = new Client({ name: 'asks', version: '1' });
  const args = [path.join(root, 'engine/bin/platbook.mjs'), '--home', copyOfHome(sampleHome()), 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  onTestFinished(() => client.close());
  return client;
}

async function overHttp(): Promise<Client> {
  const engine = engineOn(sampleHome());
  const { key } = createKey(engine.account, 'asks', ['read'], new Date());
  const server = await startServer(engine, { port: 0 });
  onTestFinished(() => server.close());
  const client = new Client({ name: 'asks', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/mcp`), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

interface Asked {
  readonly rows: unknown;
  /** Calls that were repaired; null: one could not be. */
  readonly repairs: number | null;
}

/** Calls, and calls again while the answer says what is better. @returns null for one that no repair helps */
async function answerOf(client: Client, first: Call): Promise<{ answer: Answer; repairs: number } | null> {
  let call = first;
  for (let repairs = 0; repairs <= mostRepairs; repairs++) {
    const result = await client.callTool({ name: call.tool, arguments: { ...call.input } });
    const answer = JSON.parse((result.content as { text: string }[])[0]?.text ?? '{}') as Answer;
    const better = repaired(call, answer);
    if (better === null) return 'error' in answer ? null : { answer, repairs };
    call = better;
  }
  return null;
}

/** Asks one question: what a call answers is all that decides on the next one. */
async function ask(client: Client, { calls, read }: Question): Promise<Asked> {
  let repairs = 0;
  let last: Answer = {};
  const all: Record<string, unknown>[] = [];
  for (const call of calls) {
    const next: Call | null = typeof call === 'function' ? call(last) : call;
    if (next === null) break;
    const found = await answerOf(client, next);
    if (found === null) return { rows: null, repairs: null };
    repairs += found.repairs;
    last = found.answer;
    all.push(...((last.results ?? []) as Record<string, unknown>[]));
  }
  return { rows: read(last, all), repairs };
}

let known: unknown[] = [];
beforeAll(() => {
  const engine = openHomeCopy(sampleHome());
  known = questions.map(({ sql }) => engine.sql(sql).map((row) => Object.values(row)));
  removeHome(engine);
});

test('there are sixty, each once, and at least half begin wrongly', () => {
  expect(questions).toHaveLength(60);
  expect(new Set(questions.map(({ ask: words }) => words)).size).toBe(60);
  expect(questions.filter(({ wrong }) => wrong).length).toBeGreaterThanOrEqual(30);
  // An answer of nothing would be right by chance.
  expect(known.filter((rows) => JSON.stringify(rows) === '[[0]]' || (rows as []).length === 0)).toEqual([]);
});

describe.each([
  ['over pipes', overPipes],
  ['over HTTP', overHttp],
])('%s', (_where, connect) => {
  test('at least 57 are answered rightly, and every wrong call is repaired by what it is told', async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    const fields = new Map(tools.map((one) => [one.name, Object.keys(one.inputSchema.properties ?? {})]));
    const wrongAnswers: unknown[] = [];
    const unrepaired: unknown[] = [];
    const needless: unknown[] = [];
    for (const [i, question] of questions.entries()) {
      const [first] = question.calls;
      const isListed = isOf(fields, first.tool, first.input);
      const { rows, repairs } = await ask(client, question);
      if (JSON.stringify(rows) !== JSON.stringify(known[i])) wrongAnswers.push([question.ask, rows, known[i]]);
      if (question.wrong && !repairs) unrepaired.push([question.ask, question.wrong, rows]);
      // What the list says is enough for a call that is not wrong.
      if (!question.wrong && (repairs !== 0 || !isListed)) needless.push(question.ask);
    }
    expect(unrepaired).toEqual([]);
    expect(needless).toEqual([]);
    expect(wrongAnswers.slice(3), JSON.stringify(wrongAnswers)).toEqual([]);
  });
});

const isOf = (fields: ReadonlyMap<string, readonly string[]>, tool: string, input: Input): boolean =>
  Object.keys(input).every((name) => fields.get(tool)?.includes(name));
