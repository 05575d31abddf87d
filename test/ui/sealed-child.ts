/** Run by sealed.test.ts where only the loopback is up: prints its observations as one line of JSON. */
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { openEngine } from '../../engine/engine.ts';
import { launchDrawingBrowser } from './launch-browser.ts';

const pages = process.argv[2] ?? '';
const quiet = { print: () => {}, note: () => {}, progress: () => {} };

/** A documentation address of RFC 5737: nothing answers there, and here nothing can be sent there. */
const outside = (): Promise<string> =>
  new Promise((resolve) => {
    const socket = net.connect({ host: '192.0.2.1', port: 80, timeout: 3000 });
    socket.on('connect', () => resolve('reached'));
    socket.on('timeout', () => resolve('no answer'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ENETUNREACH' ? 'refused' : String(code)));
  });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-sealed-'));
const engine = openEngine({ home: path.join(folder, 'home'), create: true });
const app = await openAppWindow(engine, { port: 0 }, quiet, pages);
const browser = await launchDrawingBrowser();
const faults: string[] = [];
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(app.link());
  await page.getByRole('button', { name: /Open the sample county/ }).click();
  const count = page.locator('[data-testid=count][data-current=true]').first();
  await count.waitFor({ timeout: 90_000 });
  const found = Number((await count.innerText()).replace(/\D/g, ''));
  await page.locator('[data-command=search]:visible').click();
  await page.locator('.grid-body .grid-row').first().click();
  const parcel = await page.locator('[data-focus=detail]').innerText();
  const tile = await page.evaluate(async () => (await fetch('/app/tile/parcels/10/306/374')).status);
  const interfaces = Object.keys(os.networkInterfaces());
  console.log(JSON.stringify({ interfaces, outside: await outside(), count: found, parcel, tile, faults }));
} finally {
  await browser.close();
  await app.close();
  engine.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
