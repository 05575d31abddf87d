/** Many requests on one connection at once: in order for a client that reads, and of one that does not, few are worked on. */
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppSessions } from '../../engine/http/app-sessions.ts';
import { fixtureFips } from '../support/fixture-home.ts';
import { emptyHome } from '../support/homes.ts';
import { base, type Serving, serving, splitAnswers } from './client.ts';

const assetBytes = 8 * 1024 * 1024;

/** With an asset that no buffer of the system takes whole. */
function servingAsset(options: Parameters<typeof serving>[0] = {}): Promise<Serving> {
  const rendererFolder = emptyHome();
  fs.mkdirSync(path.join(rendererFolder, 'assets'));
  fs.writeFileSync(path.join(rendererFolder, 'assets', 'index-4f1c.js'), Buffer.alloc(assetBytes, 0x20));
  return serving({ ...options, app: { sessions: new AppSessions(() => 0), rendererFolder } });
}

const assetPath = '/assets/index-4f1c.js';

const get = ({ server, key }: Serving, target: string, id = 'x'): string =>
  `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`;

/** A client that reads nothing until it is resumed. */
function silentClient({ server }: Serving, text: string): net.Socket {
  const socket = net.connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => {}).pause();
  socket.write(text);
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

const isAsset = ({ operation }: { operation: string | null }): boolean => operation === 'file';

test('six hundred requests at once are all answered, in their order', async () => {
  const it = await serving();
  const ids = Array.from({ length: 600 }, (_, index) => `request-${index}`);
  const text = ids.map((id, index) => get(it, index % 3 === 0 ? '/nothing' : `${base}usage/`, id)).join('');
  const answers = splitAnswers(await it.sendRaw(text));
  expect(answers.map(({ head }) => /^x-request-id: (.*)$/im.exec(head)?.[1])).toEqual(ids);
  expect(answers.map(({ status }) => status)).toEqual(ids.map((_, index) => (index % 3 === 0 ? 404 : 200)));
});

test('an answer that is not read holds up the work of its own connection alone; once read, the rest follows', async () => {
  const it = await servingAsset();
  const socket = silentClient(it, get(it, assetPath).repeat(40));
  await expect.poll(() => it.lines.filter(isAsset).length).toBe(1);
  for (let n = 0; n < 5; n++) expect((await it.send({ path: 'usage/' })).status).toBe(200);
  expect(it.lines.filter(isAsset)).toHaveLength(1);
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  socket.resume();
  await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(40 * assetBytes);
  expect(it.lines.filter(isAsset)).toHaveLength(40);
});

test('searches that wait behind an unread answer are not charged once their client has gone', async () => {
  const it = await servingAsset();
  const body = JSON.stringify({ county: fixtureFips });
  const search = `POST ${base}properties/filter/ HTTP/1.1\r\nHost: 127.0.0.1:${it.server.port}\r\nAuthorization: Bearer ${it.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = silentClient(it, get(it, assetPath) + search.repeat(20));
  await expect.poll(() => it.lines.length).toBe(1);
  socket.destroy();
  expect((await it.send({ path: 'usage/' })).status).toBe(200);
  expect([it.charged(), it.lines.length]).toEqual([0, 2]);
});

test('beyond the bytes that may wait, the connection whose answer waits longest is closed', async () => {
  const it = await servingAsset({ waiting: { requests: 100, bytes: 2.5 * assetBytes } });
  const sockets: net.Socket[] = [];
  for (let n = 1; n <= 3; n++) {
    sockets.push(silentClient(it, get(it, assetPath)));
    await expect.poll(() => it.lines.length).toBe(n);
  }
  let read = 0;
  for (const socket of sockets) {
    socket.on('data', (chunk) => {
      read += chunk.length;
    });
    socket.resume();
  }
  await expect.poll(() => read, { timeout: 20_000 }).toBeGreaterThan(2 * assetBytes);
  // The end of the first may be heard a moment later.
  await expect
    .poll(() => sockets.map(({ destroyed, readableEnded }) => destroyed || readableEnded))
    .toEqual([true, false, false]);
});

test('beyond the requests that may wait, the connection that sends one more is closed, and places come back', async () => {
  const it = await servingAsset({ waiting: { requests: 10, bytes: 100 * assetBytes } });
  const patient = silentClient(it, get(it, assetPath).repeat(9));
  await expect.poll(() => it.lines.length).toBe(1);
  expect(await it.sendRaw(get(it, `${base}usage/`).repeat(10))).toBe('');
  expect(splitAnswers(await it.sendRaw(get(it, `${base}usage/`).repeat(3))).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ]);
  patient.destroy();
  await expect.poll(async () => splitAnswers(await it.sendRaw(get(it, `${base}usage/`).repeat(11))).length).toBe(11);
});

test('refuses bytes that are not HTTP after answering the requests before them', async () => {
  const it = await serving();
  const statuses = async (last: string) =>
    splitAnswers(await it.sendRaw(get(it, `${base}usage/`).repeat(5) + last)).map(({ status }) => status);
  const expected = [200, 200, 200, 200, 200, 400];
  expect(await statuses('GARBAGE\r\n\r\n')).toEqual(expected);
  expect(await statuses('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n')).toEqual(expected);
  expect(await statuses('GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')).toEqual(expected);
});

test('another client waits for no more than a few requests of each connection of a greedy one', async () => {
  const it = await serving({ rate: { perSecond: 100_000, burst: 100_000 } });
  const text = get(it, `${base}usage/`).repeat(100);
  const greedy = Array.from({ length: 60 }, () => silentClient(it, text).resume());
  await expect.poll(() => it.lines.length).toBeGreaterThan(60);
  const before = it.lines.length;
  expect((await it.send({ path: 'usage/' })).status).toBe(200);
  // It is connected, sent, accepted and answered meanwhile, in a few turns of the loop with a request of each.
  expect(it.lines.length - before).toBeLessThan(greedy.length * 12);
});

test('idle connections close the door to no one: beyond 256 the one that waits longest goes', async () => {
  const it = await serving();
  const idle: net.Socket[] = [];
  for (let n = 0; n < 300; n++) {
    const socket = silentClient(it, '');
    socket.resume();
    idle.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  expect((await it.send({ path: 'usage/' })).status).toBe(200);
  await expect.poll(() => idle.filter((socket) => socket.destroyed).length).toBe(45);
  expect(idle.slice(0, 45).every((socket) => socket.destroyed)).toBe(true);
  // One in the middle of its request is not idle, whenever it came.
  expect(idle[299]?.destroyed).toBe(false);
});
