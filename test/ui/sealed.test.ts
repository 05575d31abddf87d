/**
 * The whole app where there is no network at all: server and browser within one network namespace in which only the loopback
 * is up. What would leave the machine fails there, and the first run works all the same; outside, a proxy that refuses
 * everything sees no request.
 */
import { execFile, spawnSync } from 'node:child_process';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { requireOrSkip } from '../support/require.ts';
import { builtRenderer } from './build-renderer.ts';
import { isBrowserThere, launchDrawingBrowser } from './launch-browser.ts';
import { allScreens, countOf, goTo, hasBrowser, openWindow, settled } from './window.ts';

const canSeal = requireOrSkip(
  'a network namespace',
  spawnSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up']).status === 0 && isBrowserThere(),
  'this machine lets nobody make one (unshare -rn, ip)',
);

test.runIf(canSeal)(
  'without any network the first run leads to the sample, a search and a parcel',
  { timeout: 240_000 },
  async () => {
    const child = path.join(import.meta.dirname, 'sealed-child.ts');
    const { stdout } = await promisify(execFile)(
      'unshare',
      ['-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$1" "$2"', process.execPath, child, await builtRenderer()],
      { timeout: 220_000 },
    );
    const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect(told).toMatchObject({ interfaces: ['lo'], outside: 'refused', faults: [] });
    expect(told.count).toBeGreaterThan(5000);
    expect(told.parcel).toMatch(/\d/);
    expect(told.tile).toBe(200);
  },
);

/** Chromium's own requests to its maker, on any page; Electron has none of these services. */
const ofBrowser = /^\S+ (?:http:\/\/)?(?:update\.googleapis|content-autofill\.googleapis|accounts\.google)\.com\b/;

test.runIf(hasBrowser())('a proxy that refuses everything is asked for nothing', { timeout: 120_000 }, async () => {
  const asked: string[] = [];
  const proxy = net.createServer((socket) => {
    socket.once('data', (bytes) => {
      asked.push(bytes.toString('latin1').split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as net.AddressInfo;
  const browser = await launchDrawingBrowser([
    `--proxy-server=http://127.0.0.1:${port}`,
    '--proxy-bypass-list=127.0.0.1',
  ]);
  onTestFinished(async () => {
    await browser.close();
    proxy.close();
  });
  const { page } = await openWindow({ browser });
  await countOf(page);
  for (const screen of await allScreens(page)) {
    await goTo(page, screen);
    await settled(page);
  }
  expect(asked.filter((line) => !ofBrowser.test(line))).toEqual([]);
  // The proxy does see requests meant for it.
  const other = await browser.newPage();
  await other.goto('http://example.invalid/').catch(() => {});
  expect(asked.join('\n')).toMatch(/example\.invalid/);
});
