/** The listener as the app sees and switches it, and the keys that open it. */
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import type { Engine } from '../../engine/engine.ts';
import { switchedListener } from '../../engine/http/switched-listener.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { attachListener } from '../../engine/work/listener-control.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

function switched(): { engine: Engine; wanted: unknown[] } {
  const engine = engineOn(sampleHome());
  const wanted: unknown[] = [];
  const listener = switchedListener(engine, {}, (next) => wanted.push(next));
  attachListener(engine, listener);
  onTestFinished(() => listener.close());
  return { engine, wanted };
}

const state = (engine: Engine) => runRead(engine, 'listener', {});
const set = async (engine: Engine, input: unknown) =>
  (await runChange(engine, 'set_listener', input)).data as {
    on: boolean;
    port: number;
    url: string | null;
    problem: string | null;
  };

test('it is off at first, answers while it is on, and is gone when it is off again', async () => {
  const { engine, wanted } = switched();
  expect(state(engine)).toEqual({ on: false, port: 0, url: null, problem: null, switchable: true });
  const { port, url } = await set(engine, { on: true, port: 0 });
  expect(state(engine)).toEqual({ on: true, port, url: `http://127.0.0.1:${port}`, problem: null, switchable: true });
  expect((await fetch(`${url}/api/public/v1/openapi.json`)).status).toBe(200);
  await set(engine, { on: false, port });
  await expect(fetch(`${url}/api/public/v1/openapi.json`)).rejects.toThrow();
  expect(wanted).toEqual([
    { on: true, port },
    { on: false, port },
  ]);
});

test('reports a taken port and takes the next one', async () => {
  const { engine } = switched();
  const other = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const refused = await set(engine, { on: true, port });
  expect(refused).toMatchObject({ on: false, port, url: null });
  expect(refused.problem).toMatch(`Port ${port} is in use by another program.`);
  expect(await set(engine, { on: true, port: 0 })).toMatchObject({ on: true, problem: null });
});

test('quick presses are taken one after another: one listener is left, and the state is its own', async () => {
  const { engine } = switched();
  const presses = [true, false, true, true, false, true].map((on) => set(engine, { on, port: 0 }));
  const reached = await Promise.all(presses);
  const last = reached.at(-1);
  expect(state(engine)).toEqual(last);
  for (const { url } of reached.slice(0, -1)) if (url) await expect(fetch(`${url}/`)).rejects.toThrow();
  expect((await fetch(`${last?.url}/api/public/v1/openapi.json`)).status).toBe(200);
});

test('where the page itself comes over it, it is on and cannot be switched', async () => {
  const engine = engineOn(sampleHome());
  const quiet = { print: () => {}, note: () => {}, progress: () => {} };
  const app = await openAppWindow(engine, { port: 0 }, quiet, '/nowhere');
  onTestFinished(() => app.close());
  const { port, baseUrl } = app.server;
  expect(state(engine)).toEqual({ on: true, port, url: baseUrl, problem: null, switchable: false });
  await expect(set(engine, { on: false, port })).rejects.toMatchObject({ code: 'validation_error' });
});

test('an engine of a script has none', async () => {
  const engine = engineOn(sampleHome());
  expect(state(engine)).toMatchObject({ on: false, switchable: false });
  await expect(set(engine, { on: true, port: 0 })).rejects.toMatchObject({ code: 'validation_error' });
});

test('a key is shown once, listed without itself, and kept nowhere in clear', async () => {
  const engine = engineOn(sampleHome());
  const { data, undo } = await runChange(engine, 'create_key', { name: 'sheet', scopes: ['read', 'trace'] });
  const { key, key_id: id } = data as { key: string; key_id: number };
  expect(key).toMatch(/^plat_[\w-]{43}$/);
  expect(undo).toBeNull();
  expect(runRead(engine, 'api_keys', {})).toMatchObject({
    keys: [{ key_id: id, name: 'sheet', scopes: ['read', 'trace'], last_used_at: null, revoked_at: null }],
  });
  const tables = engine.account.file.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  for (const { name } of tables)
    expect(JSON.stringify(engine.account.file.all(`SELECT * FROM "${name}"`)), name).not.toContain(key);
  await runChange(engine, 'revoke_key', { key_id: id });
  await expect(runChange(engine, 'revoke_key', { key_id: id })).rejects.toMatchObject({ code: 'not_found' });
  await expect(runChange(engine, 'create_key', { name: 'x', scopes: [] })).rejects.toMatchObject({
    code: 'validation_error',
  });
  await expect(runChange(engine, 'create_key', { name: 'x', scopes: ['all'] })).rejects.toMatchObject({
    code: 'validation_error',
  });
});
