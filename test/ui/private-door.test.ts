/** Who gets through the private door, request by request: the cases of hostile.test.ts for the app's own routes. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppSessions, cookieName } from '../../engine/http/app-sessions.ts';
import { contentSecurityPolicy } from '../../engine/http/static-files.ts';
import { type RequestOptions, type Response, type Serving, startServing } from '../http/client.ts';
import { fixtureFips } from '../support/fixture-home.ts';

let it: Serving;
let rendererFolder: string;
let sessions: AppSessions;
let clock = 0;
let cookie: string;
const samples: string[] = [];

beforeAll(async () => {
  rendererFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-renderer-'));
  fs.mkdirSync(path.join(rendererFolder, 'assets'));
  fs.writeFileSync(path.join(rendererFolder, 'index.html'), '<!doctype html><title>Platbook</title>');
  fs.writeFileSync(path.join(rendererFolder, 'assets', 'index-4f1c.js'), 'export {};');
  fs.writeFileSync(path.join(rendererFolder, 'secret.env'), 'not of a kind that is served');
  sessions = new AppSessions(() => clock);
  it = await startServing({
    app: {
      sessions,
      rendererFolder,
      openSample: async () => {
        samples.push('opened');
        return 'http://127.0.0.1:1/open/x';
      },
    },
  });
  cookie = cookieOf(await open(sessions.issueLink()));
});
afterAll(async () => {
  await it.stop();
  fs.rmSync(rendererFolder, { recursive: true, force: true });
});

const own = () => `http://127.0.0.1:${it.server.port}`;
const ask = (path: string, more: Partial<RequestOptions> = {}) => it.send({ path, key: null, ...more });
const open = (secret: string, more: Partial<RequestOptions> = {}) => ask(`/open/${secret}`, more);
const cookieOf = (response: Response): string => (response.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';

/** A request as the app's own page sends it, with some headers replaced; `null` leaves one out. */
const fromPage = (headers: Record<string, string | string[] | null> = {}) => ({
  Cookie: cookie,
  Origin: own(),
  'Sec-Fetch-Site': 'same-origin',
  ...headers,
});
const read = (headers: Record<string, string | string[] | null> = {}, name = 'count_properties') =>
  ask(`/app/read/${name}`, {
    method: 'POST',
    body: { filter: { county: fixtureFips } },
    headers: fromPage(headers),
  });
const call = (headers: Record<string, string | string[] | null> = {}, operation = 'filter_properties') =>
  ask(`/app/call/${operation}`, {
    method: 'POST',
    body: { county: fixtureFips },
    headers: fromPage({ 'Idempotency-Key': 'press-1', ...headers }),
  });

describe('the one-time link', () => {
  test('sets a cookie that scripts cannot read and other sites cannot send, and leaves the address bar', async () => {
    const response = await open(sessions.issueLink());
    expect(response.status).toBe(303);
    expect(response.headers.location).toBe('/');
    expect(response.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^platbook_${it.server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
  });

  test('opens once', async () => {
    const secret = sessions.issueLink();
    expect((await open(secret)).status).toBe(303);
    const again = await open(secret);
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.text).toMatch(/has been used, or is too old/);
  });

  test('ends after ten minutes, and when a newer one is printed', async () => {
    const late = sessions.issueLink();
    clock += 10 * 60 * 1000 + 1;
    expect((await open(late)).status).toBe(403);
    const older = sessions.issueLink();
    const newer = sessions.issueLink();
    expect((await open(older)).status).toBe(403);
    expect((await open(newer)).status).toBe(303);
  });

  test('is not guessed, not asked for by another method, and not reached under another host', async () => {
    const secret = sessions.issueLink();
    expect((await open('A'.repeat(43))).status).toBe(403);
    expect((await open(secret, { method: 'HEAD' })).status).toBe(405);
    expect((await open(secret, { method: 'POST' })).status).toBe(405);
    expect((await open(secret, { headers: { Host: `evil.example:${it.server.port}` } })).status).toBe(403);
    expect((await open(secret)).status).toBe(303);
  });
});

describe('calls and reads', () => {
  test('a page with the cookie reads for nothing and calls in mode app, once for a press', async () => {
    const before = it.charged();
    expect((await read()).json.data.count).toBe(50);
    expect(it.charged()).toBe(before);
    const first = await call({ 'Idempotency-Key': 'press-a' });
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({ tokens: 30, data: { count: 50 } });
    expect((await call({ 'Idempotency-Key': 'press-a' })).json.tokens).toBe(0);
    expect(it.charged() - before).toBe(30);
    const row = it.engine.account.file.get('SELECT mode, key_id FROM ledger ORDER BY ledger_id DESC LIMIT 1');
    expect(row).toEqual({ mode: 'app', key_id: null });
  });

  test('an older browser that names only the Origin gets through as well', async () => {
    expect((await read({ 'Sec-Fetch-Site': null })).status).toBe(200);
  });

  const stranger = 'http://evil.example';
  const refused: [string, Record<string, string | string[] | null>, number][] = [
    ['no cookie', { Cookie: null }, 401],
    ['an empty cookie', { Cookie: '' }, 401],
    ['a cookie of another start', { Cookie: 'platbook_{PORT}=AAAA' }, 401],
    ['the cookie of another port', { Cookie: '{OTHER}' }, 401],
    ['two cookies of one name', { Cookie: '{COOKIE}; platbook_{PORT}=AAAA' }, 401],
    ['two cookie headers that disagree', { Cookie: ['{COOKIE}', 'platbook_{PORT}=AAAA'] }, 401],
    ['a foreign origin', { Origin: stranger, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a foreign origin that claims to be same-origin', { Origin: stranger }, 403],
    ['the origin of another port', { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }, 403],
    [
      'the other name of this machine as origin',
      { Origin: 'http://localhost:{PORT}', 'Sec-Fetch-Site': 'same-site' },
      403,
    ],
    ['the origin null of a sandboxed page', { Origin: 'null' }, 403],
    ['https instead of http', { Origin: 'https://127.0.0.1:{PORT}' }, 403],
    ['two origins', { Origin: ['http://127.0.0.1:{PORT}', stranger] }, 403],
    ['neither Origin nor Sec-Fetch-Site: a program', { Origin: null, 'Sec-Fetch-Site': null }, 403],
    ['Sec-Fetch-Site none: typed, not asked by a page', { Origin: null, 'Sec-Fetch-Site': 'none' }, 403],
    ['same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['cross-site', { Origin: null, 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['two Sec-Fetch-Site', { 'Sec-Fetch-Site': ['same-origin', 'none'] }, 403],
    ['another host', { Host: 'evil.example' }, 403],
  ];

  test.each(refused)('%s is refused, for reads, calls and the other home', async (_name, headers, status) => {
    const before = it.charged();
    const fill = (text: string) =>
      text
        .replaceAll('{PORT}', String(it.server.port))
        .replaceAll('{COOKIE}', cookie)
        .replaceAll('{OTHER}', cookie.replace(cookieName(it.server.port), cookieName(it.server.port + 1)));
    const filled = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value === null ? null : typeof value === 'string' ? fill(value) : value.map(fill),
      ]),
    );
    for (const response of [
      await read(filled),
      await call(filled),
      await ask('/app/open-sample', { method: 'POST', headers: fromPage(filled) }),
      await ask('/app/open-home', { method: 'POST', headers: fromPage(filled) }),
    ]) {
      expect(response.status).toBe(status);
      expect(response.json.error.code).toBe(status === 401 ? 'unauthorized' : 'forbidden');
      expect(response.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(it.charged()).toBe(before);
    expect(samples).toEqual([]);
  });

  test('the key of the public API opens nothing here, and the cookie nothing there', async () => {
    expect((await read({ Cookie: null, Authorization: `Bearer ${it.key}` })).status).toBe(401);
    const there = await it.send({ path: 'usage/', key: null, headers: { Cookie: cookie } });
    expect(there.status).toBe(401);
    const fromOwnPage = await it.send({ path: 'usage/', headers: { Cookie: cookie, Origin: own() } });
    expect(fromOwnPage.status).toBe(403);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('%s is not how to ask', async (method) => {
    const response = await ask('/app/read/home', { method, headers: fromPage() });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe('OPTIONS, POST');
  });

  test('a call without its own key, an unknown operation and an unknown read are refused', async () => {
    expect((await call({ 'Idempotency-Key': null })).json.error.details).toEqual({
      'Idempotency-Key': ['expected one, of 1 to 128 visible ASCII characters'],
    });
    expect((await call({ 'Idempotency-Key': 'press-x' }, 'no_such')).status).toBe(404);
    expect((await read({}, 'no_such')).status).toBe(404);
    expect((await read({}, '__proto__')).status).toBe(404);
    expect((await ask('/app/read/home', { method: 'POST', headers: fromPage(), body: '{"a":' })).status).toBe(400);
  });

  test('a file that is not there is not found: no second try would find it', async () => {
    const body = { path: '/nowhere/lots.geojson' };
    const { status, json } = await ask('/app/read/look_file', { method: 'POST', headers: fromPage(), body });
    expect([status, json.error.code]).toEqual([404, 'file_missing']);
  });

  test('the sample is opened by a page that may', async () => {
    const response = await ask('/app/open-sample', { method: 'POST', body: {}, headers: fromPage() });
    expect(response.json.data.link).toBe('http://127.0.0.1:1/open/x');
    expect(samples.splice(0)).toEqual(['opened']);
    // Here nothing says where the user's own home is.
    const home = await ask('/app/open-home', { method: 'POST', body: {}, headers: fromPage() });
    expect(home.status).toBe(404);
    expect(home.json.error.message).toMatch(/start Platbook with --home/);
  });
});

test('a connection that a browser opens ahead of need is closed without an answer to a request it never made', async () => {
  const socket = net.connect({ port: it.server.port, host: '127.0.0.1' });
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString();
  });
  await new Promise((resolve) => socket.on('close', resolve));
  expect(heard).toBe('');
});

describe('pages and files', () => {
  const opened = { 'Sec-Fetch-Site': 'none' };

  test('the page needs the cookie and comes with its policy: no inline script, no eval, nothing from elsewhere', async () => {
    const without = await ask('/', { headers: opened });
    expect(without.status).toBe(401);
    expect(without.text).toMatch(/Press Enter in that window\s+for a new link/);
    expect(without.text).toContain('/api/public/v1/openapi.json');
    const page = await ask('/', { headers: { ...opened, Cookie: cookie } });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['content-security-policy']).toBe(contentSecurityPolicy);
    expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.headers['x-content-type-options']).toBe('nosniff');
  });

  test('files with a digest in their name are kept for good', async () => {
    const file = await ask('/assets/index-4f1c.js', { headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect(file.text).toBe('export {};');
    expect(file.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const foreign = await ask('/assets/index-4f1c.js', { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(foreign.status).toBe(403);
  });

  test.each([
    '/../package.json',
    '/assets/../../secret.env',
    '/assets/..%2f..%2fsecret.env',
    '/assets/%2e%2e/%2e%2e/secret.env',
    '/assets/..%5c..%5csecret.env',
    '/assets//index-4f1c.js/../x',
    '/assets/index-4f1c.js%00.png',
    '/secret.env',
    '/index.html',
    '/assets/',
    '//etc/passwd',
  ])('%s is nothing', async (target) => {
    const response = await it.sendRaw(
      `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${it.server.port}\r\nSec-Fetch-Site: same-origin\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).not.toMatch(/not of a kind/);
  });
});
