/**
 * Servers that fail under `--land`: a named error, nothing charged, and a process that goes on; and no password in
 * anything that is printed, stored or listed.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../engine/account/api-keys.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { ServerConnection } from '../../engine/postgis/connect.ts';
import { PostgisLand } from '../../engine/postgis/postgis-land.ts';
import { pushLand } from '../../engine/postgis/push.ts';
import { parseServerAddress } from '../../engine/postgis/server-address.ts';
import { copyOfHome, openHomeCopy, removeHome, sampleHome } from '../support/homes.ts';
import { ended, platbook, platbookUntil } from '../support/platbook.ts';
import { connected, type ServerProcess, startServer, type TestServer } from '../support/postgis.ts';

const filter = { county: '99001', acres_min: 5 };

const started = await startServer('servers that fail under --land');
const postgis = started as TestServer & ServerProcess;

describe.skipIf(started === null)('a server that fails', () => {
  let url: string;
  let pushed: Engine;

  beforeAll(async () => {
    ({ url } = await postgis.newDatabase());
    pushed = openHomeCopy(sampleHome());
    const server = new ServerConnection(parseServerAddress(url), { password: postgis.password });
    await server.open();
    await pushLand(server, pushed.home, { platbook: '0.0.0' });
    await server.close();
  }, 240_000);

  afterAll(async () => {
    removeHome(pushed);
    await postgis.stop();
  });

  const administrator = () => connected(url, { password: postgis.password });

  /** An engine over the server, with an account of its own. It keeps no county in memory: the server has to answer. */
  function engineOver(address = url, password = postgis.password, keptBytes = 0): Engine {
    const land = new PostgisLand(parseServerAddress(address), { password }, keptBytes);
    const engine = openEngine({ home: copyOfHome(sampleHome()), keepsIndexes: false, land });
    onTestFinished(async () => {
      engine.close();
      await land.close();
    });
    return engine;
  }

  const usedTokens = async (engine: Engine) => (await engine.call('get_usage')).data.tokens_used;

  /** The error of a filter, which must cost nothing. */
  async function refusalOf(engine: Engine, input: object = filter) {
    const before = await usedTokens(engine);
    const error = await engine.call('filter_properties', input).then(
      () => null,
      (refused: unknown) => refused as { code: string; message: string },
    );
    expect(await usedTokens(engine)).toBe(before);
    return error;
  }

  /** A role that may log in, with rights of its own. */
  async function newRole(name: string, ...statements: string[]) {
    const server = await administrator();
    await server.run([`CREATE ROLE ${name} LOGIN PASSWORD 'of ${name}'`, ...statements].join(';'));
    return { address: url.replace('//bench@', `//${name}@`), password: `of ${name}` };
  }

  test('gone: the address has no listener', async () => {
    const listener = net.createServer();
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
    const { port } = listener.address() as AddressInfo;
    await new Promise((resolve) => listener.close(resolve));
    const engine = engineOver(`postgres://someone@127.0.0.1:${port}/land`);
    expect(await refusalOf(engine)).toMatchObject({ code: 'postgis_unreachable' });
  });

  test('gone between two calls and within one: the next opens another connection', async () => {
    const engine = engineOver();
    const server = await administrator();
    const others = 'FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()';
    const { count } = (await engine.call('filter_properties', filter)).data;
    await server.run(`SELECT pg_terminate_backend(pid) ${others}`);
    await expect.poll(async () => (await server.rows(`SELECT 1 ${others}`)).length).toBe(0);
    const answers = await Promise.all([1, 2].map(() => engine.call('filter_properties', filter)));
    expect(answers.map(({ data }) => data.count)).toEqual([count, count]);
    await server.run('BEGIN; LOCK TABLE parcels');
    const refused = refusalOf(engine);
    const waiting = `SELECT pid ${others} AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await server.rows(waiting)).length).toBe(1);
    await server.run(`SELECT pg_terminate_backend(pid) ${others}`);
    expect(await refused).toMatchObject({ code: 'postgis_unreachable' });
    await server.run('ROLLBACK');
    expect((await engine.call('filter_properties', filter)).data.count).toBe(count);
  });

  test('slow: the question is stopped at its time limit, as at home', async () => {
    const engine = engineOver();
    const server = await administrator();
    await server.run('BEGIN; LOCK TABLE parcels');
    expect(await refusalOf(engine)).toMatchObject({
      code: 'validation_error',
      message: expect.stringMatching(/too broad/),
    });
    await server.run('ROLLBACK');
    expect((await engine.call('filter_properties', filter)).data.count).toBeGreaterThan(0);
  });

  test('full: no connection is left', async () => {
    const { address, password } = await newRole('crowded', 'ALTER ROLE crowded CONNECTION LIMIT 0');
    expect(await refusalOf(engineOver(address, password))).toMatchObject({ code: 'postgis_full' });
  });

  test('without rights, and with those of a reader alone', async () => {
    const stranger = await newRole('stranger');
    expect(await refusalOf(engineOver(stranger.address, stranger.password))).toMatchObject({ code: 'postgis_rights' });
    const reader = await newRole('reading', 'GRANT platbook_reader TO reading');
    const { data, tokens } = await engineOver(reader.address, reader.password).call('filter_properties', filter);
    expect([data.count > 0, tokens]).toEqual([true, 30]);
  });

  test('newer, and of another collation', async () => {
    const server = await administrator();
    const [standing] = await server.rows<{ version: number; platbook: string }>(
      'SELECT version, platbook FROM schema_version',
    );
    await server.run("UPDATE schema_version SET version = 99, platbook = '9.9.9'");
    expect(await refusalOf(engineOver())).toMatchObject({ code: 'postgis_schema' });
    await server.rows('UPDATE schema_version SET version = $1, platbook = $2', [standing?.version, standing?.platbook]);
    await server.run('ALTER TABLE parcels ALTER COLUMN zoning TYPE text COLLATE "und-x-icu"');
    expect(await refusalOf(engineOver())).toMatchObject({
      code: 'postgis_schema',
      message: expect.stringMatching(/collation/),
    });
    await server.run('ALTER TABLE parcels ALTER COLUMN zoning TYPE text COLLATE "C"');
  });

  test('serve --land answers the API alone, and tells the app’s page to pull', { timeout: 60_000 }, async () => {
    const keeper = openHomeCopy(sampleHome());
    const { key } = createKey(keeper.account, 'here', ['read'], keeper.now());
    keeper.close();
    onTestFinished(() => fs.rmSync(keeper.home, { recursive: true }));
    withPassword(postgis.password);
    const { child, output } = await platbookUntil(
      keeper.home,
      /listening on \S+/,
      'serve',
      '--port',
      '0',
      '--land',
      url,
    );
    const base = /listening on (\S+)/.exec(output())?.[1];
    expect(await (await fetch(`${base}/`)).text()).toMatch(/platbook pull/);
    const headers = { authorization: `Bearer ${key}` };
    const parcel = await fetch(`${base}/api/public/v1/properties/1/`, { headers });
    expect([parcel.status, parcel.headers.get('x-tokens-used')]).toEqual([200, '10']);
    expect((await fetch(`${base}/api/public/v1/properties/999999999/`, { headers })).status).toBe(404);
    child.kill('SIGINT');
    expect(await ended(child)).toBe(0);
  });

  test('mcp --land answers an assistant from the server, and charges the account of the home', async () => {
    const keeper = openHomeCopy(sampleHome());
    onTestFinished(() => removeHome(keeper));
    const { data } = await keeper.call('filter_properties', filter);
    keeper.land.file.exec('DELETE FROM parcels; DELETE FROM datasets');
    const client = new Client({ name: 'test', version: '1' });
    const launcher = path.resolve(import.meta.dirname, '../../engine/bin/platbook.mjs');
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [launcher, '--home', keeper.home, 'mcp', '--land', url],
      env: { PGPASSWORD: postgis.password },
      stderr: 'pipe',
    });
    await client.connect(transport);
    const ask = async (name: string, input: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      return { isError, answer: JSON.parse((content as { text: string }[])[0]?.text ?? 'null') as unknown };
    };
    const { count } = data;
    const results = data.results.map(({ property_id, apn, owner_name }) => ({ property_id, apn, owner_name }));
    const whole = { ...filter, page_size: 100 };
    expect(await ask('filter_properties', whole)).toMatchObject({ answer: { count, results, tokens: 30 } });
    expect(await ask('get_property', { id: 999_999_999 })).toMatchObject({
      isError: true,
      answer: { error: { code: 'not_found' } },
    });
    expect(keeper.account.file.all('SELECT mode, tokens FROM ledger ORDER BY ledger_id')).toEqual([
      { mode: 'script', tokens: 30 },
      { mode: 'mcp', tokens: 30 },
    ]);
    const server = await administrator();
    await server.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bench' AND pid <> pg_backend_pid() AND datname = current_database(); BEGIN; LOCK TABLE parcels",
    );
    expect(await ask('filter_properties', filter)).toMatchObject({
      isError: true,
      answer: { error: { code: 'validation_error', message: expect.stringMatching(/too broad/) } },
    });
    // Counted at the push: no parcel is read.
    expect((await ask('list_datasets', { fields: ['all'] })).answer).toMatchObject(
      (await pushed.call('list_datasets')).data,
    );
    const zips = { search: '0014', page_size: 20 };
    const regions = (await pushed.call('list_regions', zips)).data;
    expect((await ask('list_regions', zips)).answer).toMatchObject({ count: regions.count, results: regions.results });
    await server.run('ROLLBACK');
    await client.close();
    expect(transport.pid).toBeNull();
    expect(keeper.account.file.column('SELECT count(*) FROM ledger')).toEqual([2]);
  });

  test('a wrong password twenty times: it stands nowhere', { timeout: 120_000 }, async () => {
    const secret = 'a-password-that-no-one-has';
    withPassword(secret);
    const home = copyOfHome(sampleHome());
    const said: string[] = [];
    for (let attempt = 0; attempt < 20; attempt++) {
      const { code, out, err } = await platbook(home, 'call', 'list_datasets', '--land', url);
      expect([code, out]).toEqual([1, '']);
      said.push(err);
    }
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toMatch(/refuses this user or password/);
    const withIt = url.replace('//bench@', `//bench:${secret}@`);
    const refused = await platbook(home, 'call', 'list_datasets', '--land', withIt);
    expect(refused.err).toMatch(/without a password/);
    const written = fs
      .readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
    for (const text of [...said, refused.err, refused.out, ...written]) expect(text).not.toContain(secret);
    withPassword(postgis.password);
    const { child } = await platbookUntil(home, /listening on/, 'serve', '--port', '0', '--land', url);
    const listed = execFileSync('ps', ['-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' });
    expect(listed).toContain('--land');
    expect(listed).not.toContain(postgis.password);
  });

  /** As a user's shell has it. */
  function withPassword(password: string): void {
    const before = process.env.PGPASSWORD;
    process.env.PGPASSWORD = password;
    onTestFinished(() => {
      if (before === undefined) delete process.env.PGPASSWORD;
      else process.env.PGPASSWORD = before;
    });
  }
});
