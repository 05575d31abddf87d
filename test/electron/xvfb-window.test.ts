/**
 * A window as a user has it: Chromium's app window on a display of its own, a real mouse and a real keyboard. From the first
 * run into the sample county, and a search in it.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { openEngine } from '../../engine/engine.ts';
import { sampleHomeFolder } from '../../engine/home-folder.ts';
import { emptyHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { builtRenderer } from '../ui/build-renderer.ts';

const tools = ['Xvfb', 'xdotool', 'import', 'chromium'];
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
const hasDisplay = requireOrSkip(
  'a display, a mouse and keys',
  missing.length === 0,
  `${missing.join(', ')} missing (apt-get install xvfb xdotool imagemagick chromium)`,
);

const patience = { timeout: 120_000, interval: 100 };

/** @returns the display's name, as DISPLAY has it */
async function openDisplay(): Promise<string> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void server.kill());
  const pipe = server.stdio[3] as NodeJS.ReadableStream;
  return new Promise((resolve) => pipe.once('data', (name) => resolve(`:${String(name).trim()}`)));
}

interface Shown {
  readonly page: Page;
  readonly click: (element: ReturnType<Page['locator']>) => Promise<void>;
  readonly type: (...args: string[]) => void;
  /** If PLATBOOK_SHOTS names a folder: saves the display there, for review. */
  readonly shoot: (name: string) => Promise<void>;
}

const mostAttempts = 3;

/**
 * The test's own eyes on the window. A Chromium that has just begun on a busy machine may let a connection hang: it is asked
 * whether it shows a page first, and then connected to again. Nothing of Platbook is in this: its page stays as it is, is
 * loaded once, and whatever is wrong with it is seen by every later line.
 */
async function connectTo(address: string): Promise<Browser> {
  const kinds = async (): Promise<string[]> => {
    const answer = await fetch(`${address}/json/list`, { signal: AbortSignal.timeout(20_000) }).catch(() => null);
    return answer ? ((await answer.json()) as { type: string }[]).map(({ type }) => type) : [];
  };
  await expect.poll(kinds, patience).toContain('page');
  for (let attempt = 1; ; attempt++) {
    try {
      return await chromium.connectOverCDP(address, { timeout: patience.timeout });
    } catch (error) {
      if (attempt === mostAttempts) throw error;
      console.log(`connecting to Chromium, attempt ${attempt}: ${String(error).split('\n')[0]}`);
    }
  }
}

/** The window that a link opens, and hands that know nothing of its page but where to point. */
async function showWindow(display: string, link: string): Promise<Shown> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-chromium-'));
  const env = { ...process.env, DISPLAY: display };
  const window: ChildProcess = spawn(
    'chromium',
    [
      `--app=${link}`,
      `--user-data-dir=${profile}`,
      '--remote-debugging-port=0',
      '--window-position=0,0',
      '--window-size=1440,900',
      '--no-sandbox',
      '--no-first-run',
      // No bar about the flag above.
      '--test-type',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
    { env, stdio: 'ignore' },
  );
  onTestFinished(async () => {
    const end = new Promise((resolve) => window.once('exit', resolve));
    window.kill();
    await end;
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const portFile = path.join(profile, 'DevToolsActivePort');
  await expect
    .poll(() => fs.existsSync(portFile) && fs.readFileSync(portFile, 'utf8').includes('\n'), patience)
    .toBe(true);
  const browser = await connectTo(`http://127.0.0.1:${fs.readFileSync(portFile, 'utf8').split('\n')[0]}`);
  const pages = () => browser.contexts().flatMap((context) => context.pages());
  await expect.poll(() => pages().length, patience).toBeGreaterThan(0);
  const page = pages()[0] as Page;
  const hand = (...args: string[]) => execFileSync('xdotool', args, { env });
  return {
    page,
    click: async (element) => {
      await element.waitFor({ timeout: patience.timeout });
      const box = await element.boundingBox();
      const corner = (await page.evaluate(
        '[screenX + (outerWidth - innerWidth), screenY + (outerHeight - innerHeight)]',
      )) as number[];
      const [x, y] = [box ? box.x + box.width / 2 : 0, box ? box.y + box.height / 2 : 0];
      hand(
        'mousemove',
        '--sync',
        String(Math.round(x + (corner[0] ?? 0))),
        String(Math.round(y + (corner[1] ?? 0))),
        'click',
        '1',
      );
    },
    type: hand,
    shoot: async (name) => {
      const folder = process.env.PLATBOOK_SHOTS;
      if (!folder) return;
      // Software drawing on a busy machine: the display lags behind the page.
      await page.waitForTimeout(4000);
      execFileSync('import', ['-window', 'root', path.join(folder, `${name}.png`)], { env });
    },
  };
}

test.skipIf(!hasDisplay)(
  'with mouse and keys: first run, the sample county, a search, a parcel, another screen',
  async () => {
    const home = path.join(emptyHome(), 'home');
    const engine = openEngine({ home, create: true });
    const quiet = { print: () => {}, note: () => {}, progress: () => {} };
    const app = await openAppWindow(engine, { port: 0 }, quiet, await builtRenderer());
    onTestFinished(async () => {
      await app.close();
      engine.close();
      fs.rmSync(sampleHomeFolder(home), { recursive: true, force: true });
    });
    const { page, click, type, shoot } = await showWindow(await openDisplay(), app.link());

    await page.getByRole('heading', { name: 'Platbook' }).waitFor({ timeout: patience.timeout });
    await shoot('first-run');
    await click(page.getByRole('button', { name: /Open the sample county/ }));
    await page.locator('[data-testid=count][data-current=true]').first().waitFor({ timeout: patience.timeout });
    const before = await page.locator('[data-testid=count]').first().innerText();

    await click(page.getByLabel('Acres from', { exact: true }));
    type('type', '40');
    await expect
      .poll(() => page.locator('[data-testid=count][data-current=true]').first().innerText(), patience)
      .not.toBe(before);
    await click(page.locator('[data-command=search]:visible'));
    await page.locator('.grid-body .grid-row').first().waitFor({ timeout: patience.timeout });
    await click(page.locator('.grid-body .grid-row').nth(1));
    await page.locator('[data-focus=detail]').waitFor({ timeout: patience.timeout });
    await shoot('searched');
    const ledger = openEngine({ home: sampleHomeFolder(home), keepsIndexes: false });
    onTestFinished(() => ledger.close());
    expect(ledger.account.file.all('SELECT endpoint, tokens FROM ledger')).toEqual([
      { endpoint: 'public_parcel_filter', tokens: 30 },
    ]);

    type('key', 'ctrl+k');
    await page.getByRole('dialog').waitFor({ timeout: patience.timeout });
    type('key', 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden', timeout: patience.timeout });
    await click(page.locator('[data-focus=detail]'));
    type('key', '8');
    await expect.poll(() => page.url(), patience).toContain('#/settings');
    await shoot('settings');
  },
  600_000,
);
