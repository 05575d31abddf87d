/** R9 of docs/reliability.md, "What must hold": slow clients lose their connection and get the reason. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { emptyHome } from '../support/homes.ts';
import { measured, runs } from '../support/runs.ts';
import { serving, splitAnswers } from './client.ts';

interface CutOff {
  readonly text: string;
  readonly seconds: number;
}

/**
 * Sends `head` at once, then a byte every 300 ms, and never closes by itself: only a server that gives the socket up
 * ends it. Gives what came back by then, and when.
 */
function drip(port: number, head: string): Promise<CutOff> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    const timer = setInterval(() => socket.write('a'), 300);
    socket.write(head);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, seconds: (performance.now() - began) / 1000 });
    });
  });
}

const longest = (cut: readonly CutOff[]): number => Math.max(...cut.map(({ seconds }) => seconds));

test('headers and bodies that drip are cut off with an answer, silent sockets too; others are served meanwhile', {
  timeout: 120_000,
}, async () => {
  const it = await serving();
  const { port } = it.server;
  const head = `POST /api/public/v1/properties/filter/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${it.key}\r\n`;
  const [each, began] = [runs(5, 5, 200), performance.now()];
  const many = (start: string) => Promise.all(Array.from({ length: each }, () => drip(port, start)));
  const slow = [many(`${head}X-Slow: `), many(`${head}Content-Length: 1000\r\n\r\n{`)];
  const isServed = async () => (await it.send({ path: 'usage/' }).catch(() => null))?.status === 200;
  // Beyond the places that there are, one has to come free first.
  await expect.poll(isServed, { timeout: 60_000 }).toBe(true);
  const served = (performance.now() - began) / 1000;
  const [headers = [], bodies = []] = await Promise.all(slow);
  const answered = [...headers, ...bodies, await drip(port, '')].filter(({ text }) => text !== '');
  expect(answered.length).toBeGreaterThanOrEqual(Math.min(2 * each + 1, 200));
  for (const { text } of answered) {
    const [answer] = splitAnswers(text);
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.body ?? '').error).toMatchObject({
      code: 'validation_error',
      details: { non_field_errors: [expect.any(String)] },
    });
  }
  expect(await isServed()).toBe(true);
  expect(it.charged()).toBe(0);
  expect(it.faults).toEqual([]);
  for (const [what, seconds, most] of [
    [`${each} slow headers closed`, longest(headers), 6],
    [`${each} slow bodies closed`, longest(bodies), 11],
    ['a good request beside them served', served, 7],
  ] as const)
    measured(`${what} after ${seconds.toFixed(2)} s`, [`≤ ${most} s`, seconds <= most]);
});

test('an answer that takes long to make is waited for; a client that does not take it is not', async () => {
  const silence = 300;
  const it = await serving({ silence });
  const { engine } = it;
  const call = engine.callUnchecked.bind(engine);
  engine.callUnchecked = async (...given) => {
    await sleep(3 * silence);
    return call(...given);
  };
  expect(await it.send({ path: 'usage/' })).toMatchObject({ status: 200, json: { tokens_used: 0 } });
  const idle = net.connect(it.server.port, '127.0.0.1');
  await new Promise((resolve) => idle.once('close', resolve));
});

test('more connections than there are places are turned away, and places come back', async () => {
  const it = await serving();
  const sockets = Array.from({ length: 300 }, () => net.connect(it.server.port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  await expect
    .poll(() => sockets.filter((socket) => socket.destroyed || socket.readableEnded).length)
    .toBeGreaterThanOrEqual(44);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await it.send({ path: 'usage/' }).catch(() => null))?.status).toBe(200);
});

test('250 connections with 600 requests each for 2 MB, none read, leave the listener below 1 GB', async () => {
  const folder = emptyHome();
  fs.mkdirSync(path.join(folder, 'assets'));
  fs.writeFileSync(path.join(folder, 'assets', 'index-4f1c.js'), Buffer.alloc(2 * 1024 * 1024, 0x20));
  const child = fork(path.join(import.meta.dirname, '..', 'support', 'serving-child.ts'), [folder]);
  onTestFinished(async () => {
    child.disconnect();
    await once(child, 'exit');
  });
  const [port] = (await once(child, 'message')) as [number];
  const text = `GET /assets/index-4f1c.js HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(600);
  const sockets = Array.from({ length: 250 }, () => {
    const socket = net.connect(port, '127.0.0.1').on('error', () => {});
    socket.pause().write(text);
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await sleep(3000);
  expect((await fetch(`http://127.0.0.1:${port}/api/public/v1/openapi.json`)).status).toBe(200);
  child.send('how much?');
  const [megabytes] = (await once(child, 'message')) as [number];
  // Answers made for all of them would be 300 GB. What was refused is garbage: 240 to 690 MB until it is collected.
  expect(megabytes).toBeLessThan(1024);
  measured(`150,000 unread requests: ${Math.round(megabytes)} MB`);
}, 60_000);
