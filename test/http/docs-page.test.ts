/** The page /docs, the index and the description beside it: who may open them, and that every example on the page runs. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey, keyScopes } from '../../engine/account/api-keys.ts';
import { shownExamples } from '../../engine/docs/call-examples.ts';
import { docsColors } from '../../engine/docs/docs-style.ts';
import { startServer } from '../../engine/http/server.ts';
import { mcpServer } from '../../engine/mcp/server.ts';
import { operations } from '../../engine/operations/index.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { platbook } from '../support/platbook.ts';
import { python, pythonClientFolder, pythonOrSkip } from '../support/python-door.ts';
import { serving } from './client.ts';

const run = promisify(execFile);

const read = (escaped: string): string =>
  escaped.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));

interface Shown {
  readonly operation: string;
  readonly language: string;
  readonly code: string;
}

/** The examples as the page shows them, in its order. */
const shownOn = (page: string): Shown[] =>
  page
    .split('<section class="operation" id="')
    .slice(1)
    .flatMap((section) =>
      [...section.matchAll(/data-language="([^"]+)">.*?<code>(.*?)<\/code>/gs)].map(([, language = '', code = '']) => ({
        operation: section.slice(0, section.indexOf('"')),
        language,
        code: read(code),
      })),
    );

async function sample() {
  const engine = engineOn(sampleHome());
  const server = await startServer(engine, { port: 0 });
  onTestFinished(() => server.close());
  const page = await (await fetch(`${server.baseUrl}/docs`)).text();
  const { key } = createKey(engine.account, 'docs', keyScopes, engine.now());
  return { engine, server, page, key };
}

/** What an answer says of itself, whatever changes with each call of a feed or a deal. */
function gist(answer: unknown): unknown {
  const {
    count,
    results,
    property_id: id,
    mean_adjusted_price: price,
    changed,
  } = (answer ?? {}) as Record<string, unknown>;
  const ids = Array.isArray(results) ? results.map((one) => one.property_id ?? one.id ?? one.fips ?? null) : undefined;
  return { count, ids, id, price, changed: typeof changed };
}

describe('each example of the page runs against the sample', () => {
  const every = operations.flatMap((operation) => shownExamples(operation).map(() => operation.name));
  /** What `curl` printed, by the place of the example. */
  const answersOf = async (language: string, call: (code: string) => Promise<unknown>, page: string) => {
    const shown = shownOn(page).filter((one) => one.language === language);
    expect(shown.map(({ operation }) => operation)).toEqual(every);
    const answers: [string, unknown][] = [];
    for (const { operation, code } of shown) answers.push([operation, await call(code)]);
    return answers;
  };
  const asLibrary = async ({ engine }: Awaited<ReturnType<typeof sample>>) => {
    const answers: [string, unknown][] = [];
    for (const operation of operations)
      for (const { input } of shownExamples(operation)) {
        const { name } = operation;
        const { data } = await engine
          .callUnchecked(name, input, { mode: 'script', isFree: true })
          .catch((error: { code: string }) => ({ data: { error: error.code } }));
        answers.push([name, gist(data)]);
      }
    return answers;
  };

  test('in curl', { timeout: 120_000 }, async () => {
    const home = await sample();
    const answers = await answersOf(
      'curl',
      async (code) => {
        const { stdout } = await run('sh', ['-c', code], { env: { ...process.env, PLATBOOK_KEY: home.key } });
        return gist(stdout === '' ? null : JSON.parse(stdout));
      },
      home.page,
    );
    expect(answers).toEqual(await asLibrary(await sample()));
  });

  test('in JavaScript, in Node', { timeout: 120_000 }, async () => {
    const home = await sample();
    const file = path.join(emptyHome(), 'example.mjs');
    const answers = await answersOf(
      'JavaScript',
      async (code) => {
        fs.writeFileSync(file, code);
        const given = { env: { ...process.env, PLATBOOK_KEY: home.key } };
        const { stdout } = await run(process.execPath, [file], given).catch((error) => {
          // A trace of the sample's home finds nobody, and says so.
          expect(String(error.stderr)).toContain('throw new Error(answer.error.message)');
          return { stdout: 'null' };
        });
        return gist(JSON.parse(stdout));
      },
      home.page,
    );
    expect(answers).toEqual(await asLibrary(await sample()));
  });

  test.runIf(pythonOrSkip('the examples in Python'))('in Python', { timeout: 120_000 }, async () => {
    const home = await sample();
    const folder = await pythonClientFolder();
    const answers = await answersOf(
      'Python',
      async (code) => {
        fs.writeFileSync(path.join(folder, 'example.py'), code);
        const given = { cwd: folder, env: { PLATBOOK_KEY: home.key } };
        const { stdout } = await run(python, ['example.py'], given).catch((error) => {
          expect(String(error.stderr)).toContain('PlatbookError: not_found');
          return { stdout: 'null' };
        });
        return gist(JSON.parse(stdout));
      },
      home.page,
    );
    expect(answers).toEqual(await asLibrary(await sample()));
  });

  test('as a tool call of an assistant', { timeout: 120_000 }, async () => {
    const home = await sample();
    const client = new Client({ name: 'test', version: '1' });
    const [here, there] = InMemoryTransport.createLinkedPair();
    await Promise.all([mcpServer(home.engine, { allTools: true }).connect(there), client.connect(here)]);
    onTestFinished(() => client.close());
    const codes: unknown[] = [];
    await answersOf(
      'MCP',
      async (code) => {
        const call = JSON.parse(code);
        const { isError, content } = await client.callTool(call);
        const answer = JSON.parse((content as { text: string }[])[0]?.text ?? '');
        codes.push(isError ? [call.name, answer.error.code] : [call.name, 'fine']);
      },
      home.page,
    );
    const library = await asLibrary(await sample());
    expect(library.length).toBe(codes.length);
    expect(codes.filter((one) => (one as string[])[1] === 'validation_error')).toEqual([]);
  });

  test('in a spreadsheet: the address of a feed without a key, or CSV with one', { timeout: 120_000 }, async () => {
    const { engine, server, page, key } = await sample();
    const shown = shownOn(page).filter(({ language }) => language === 'Spreadsheet');
    const asked = new Set(shown.map(({ operation }) => operation));
    const tables = operations.filter(({ table, http }) => table && http.method === 'GET').map(({ name }) => name);
    expect([...tables, 'filter_properties', 'get_property_ai_comp_value'].filter((name) => !asked.has(name))).toEqual(
      [],
    );
    for (const { operation, code } of shown) {
      const address = /Web\.Contents\("([^"]+)"/.exec(code)?.[1];
      if (address !== undefined) {
        const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
        expect([operation, response.status]).toEqual([operation, 200]);
        expect(response.headers.get('content-type')).toContain('text/csv');
        continue;
      }
      const [, input = ''] = /^platbook call make_feed '(.*)'$/m.exec(code) ?? [];
      const { out } = await platbook(engine.home, 'call', 'make_feed', input);
      const { paths } = JSON.parse(out) as { paths: string[] };
      const parameters = /ADDRESS(\?[^"\s]*)?/.exec(code)?.[1] ?? '';
      const response = await fetch(`${server.baseUrl}${paths[0]}${parameters}`);
      expect([operation, response.status]).toEqual([operation, 200]);
      expect(await response.text()).toMatch(parameters === '' ? /\r\n.*\r\n/ : /^\d+(\.\d+)?\s*$/);
    }
  });
});

describe('the page', () => {
  test('has each operation with each of its inputs, its price, and every error', async () => {
    const it = await serving();
    const { text, status, headers } = await it.send({ path: '/docs', key: null });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['x-tokens-used']).toBe('0');
    for (const section of text.split('<section class="operation" id="').slice(1)) {
      const operation = operations.find(({ name }) => section.startsWith(`${name}"`));
      expect(read(section)).toContain(`Price: ${operation?.priceDocs}.`);
      for (const field of Object.keys(operation?.input.properties ?? {}))
        expect(section).toContain(`<code>${field}</code>`);
    }
    expect(text.match(/<section class="operation"/g)).toHaveLength(operations.length);
    expect(text).not.toContain(it.engine.home);
  });

  test('holds no inline script or style, and names no other address', async () => {
    const it = await serving();
    const bodies = ['/docs', '/docs/page.css', '/docs/page.js'].map((path) => it.send({ path, key: null }));
    for (const { text, headers } of await Promise.all(bodies)) {
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script(?! src="\/docs\/page\.js")|<style|\sstyle=|\son\w+=/);
      const own = new RegExp(`^http://127\\.0\\.0\\.1:${it.server.port}(/|$)`);
      const others = (text.match(/https?:\/\/[^\s"'`<)]+/g) ?? []).filter((url) => !own.test(read(url)));
      expect(others.filter((url) => !/^https?:\/\/(127\.0\.0\.1|json-schema)/.test(url))).toEqual([]);
    }
  });

  test('has the colours of the app', () => {
    const tokens = fs.readFileSync(path.resolve(import.meta.dirname, '../../renderer/styles/tokens.css'), 'utf8');
    const [light = '', dark = ''] = tokens.split(/\[data-theme="dark"\] \{/);
    for (const [part, colors] of [
      [light, docsColors.light],
      [dark, docsColors.dark],
    ] as const)
      for (const [name, color] of Object.entries(colors)) expect(part).toContain(`--${name}: ${color};`);
  });

  test.each([
    ['typed by the user', { 'Sec-Fetch-Site': 'none' }, 200],
    ['a link of the app', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['a program', {}, 200],
    ['a link of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a page of another origin', { Origin: 'http://evil.example' }, 403],
    ['another host', { Host: 'evil.example' }, 403],
  ])('opened by %s: %i', async (_name, headers, status) => {
    const it = await serving();
    expect((await it.send({ path: '/docs', key: null, headers })).status).toBe(status);
  });
});

describe('Try it', () => {
  const own = (port: number) => ({ Origin: `http://127.0.0.1:${port}`, 'Sec-Fetch-Site': 'same-origin' });
  const path = '/docs/try/properties/filter/?page_size=1';

  test('answers its own page with a key, at the price, with the links of the API', async () => {
    const it = await serving();
    const headers = own(it.server.port);
    const body = { state: 'NH', county: '33019' };
    const there = await it.send({ method: 'POST', path: 'properties/filter/?page_size=1', body });
    const here = await it.send({ method: 'POST', path, body, headers });
    expect(here.status).toBe(200);
    expect(here.json).toEqual(there.json);
    expect(here.headers['x-tokens-used']).toBe(there.headers['x-tokens-used']);
  });

  test.each([
    ['without a key', null, {}, 401],
    ['of a page of another site', undefined, { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['of a program', undefined, { Origin: null, 'Sec-Fetch-Site': null }, 403],
    ['typed', undefined, { Origin: null, 'Sec-Fetch-Site': 'none' }, 403],
  ])('a call %s is refused', async (_name, key, headers, status) => {
    const it = await serving();
    const given = { ...own(it.server.port), ...headers };
    const response = await it.send({
      method: 'POST',
      path,
      body: { county: '33019' },
      headers: given,
      ...(key === null ? { key } : {}),
    });
    expect(response.status).toBe(status);
    expect(it.charged()).toBe(0);
  });
});

describe('the index', () => {
  test('names version, docs, description and each operation with its price, without a key', async () => {
    const it = await serving();
    const { json, status, headers } = await it.send({ path: '', key: null });
    expect([status, headers['x-tokens-used']]).toEqual([200, '0']);
    expect(
      json.operations.map(({ name, method, path, price }: Record<string, string>) => [name, method, path, price]),
    ).toEqual(
      operations.map(({ name, http, priceDocs }) => [name, http.method, `/api/public/v1/${http.path}`, priceDocs]),
    );
    expect((await it.send({ path: json.docs, key: null })).text).toContain(`version ${json.version}`);
    const described = await it.send({ path: json.openapi, key: null });
    expect(described.json.openapi).toBe('3.1.0');
    expect((await it.send({ path: '/openapi.json', key: null })).text).toBe(described.text);
    expect((await it.send({ path: '', key: null, headers: { Origin: 'null' } })).status).toBe(403);
  });
});
