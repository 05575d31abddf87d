/**
 * The pages as in the desktop app, in Chromium: every file comes from the real scheme handler with its real policy, the
 * bridge is the real bundle, the engine answers over a port. Only Electron itself is missing.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildPreload } from '../../electron/build.mjs';
import { schemeHandler } from '../../electron/scheme-handler.ts';
import { openEngine } from '../../engine/engine.ts';
import { listStaticFiles } from '../../engine/http/static-files.ts';
import { switchedListener } from '../../engine/http/switched-listener.ts';
import type { MessagePortLike } from '../../engine/rpc/messages.ts';
import { servePort } from '../../engine/rpc/serve-port.ts';
import { attachListener } from '../../engine/work/listener-control.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { builtRenderer } from '../ui/build-renderer.ts';
import { isBrowserThere, launchDrawingBrowser } from '../ui/launch-browser.ts';

let browser: Browser;
let preload = '';
let bundleFolder = '';
let answer: (request: Request) => Response;

const hasBrowser = requireOrSkip('Chromium', isBrowserThere(), 'the pages are tested in it (apt-get install chromium)');

beforeAll(async () => {
  if (!hasBrowser) return;
  bundleFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-preload-'));
  await buildPreload(bundleFolder);
  preload = fs.readFileSync(path.join(bundleFolder, 'electron', 'preload.cjs'), 'utf8');
  answer = schemeHandler(listStaticFiles(await builtRenderer()));
  browser = await launchDrawingBrowser();
});

afterAll(async () => {
  await browser?.close();
  fs.rmSync(bundleFolder, { recursive: true, force: true });
});

/** The stand-in for the app's own origins: Chromium alone has no scheme of ours. */
const origins = { home: 'https://home.platbook.test', sample: 'https://sample.platbook.test' };

/**
 * What a sandboxed preload can require, and main's side of it: in the page, because a port does not leave it. What crosses
 * the bridge is cloned, as Electron does; functions are called from the other side with clones.
 */
const electronInPage = (bundle: string): string => `(() => {
  const listeners = new Map();
  const clone = (value) => typeof value === 'function' ? (...args) => clone(value(...args.map(clone)))
    : value instanceof Promise ? value.then(clone)
    : Array.isArray(value) ? value.map(clone) : structuredClone(value);
  const ipcRenderer = {
    invoke: async (channel, input) => {
      if (channel === 'platbook:connect') setTimeout(givePort);
      return window.platbookMain(channel, structuredClone(input));
    },
    on: (channel, hear) => void (listeners.get(channel) ?? listeners.set(channel, new Set()).get(channel)).add(hear),
    off: (channel, hear) => void listeners.get(channel)?.delete(hear),
  };
  window.platbookNews = (channel, value, ports = []) => {
    for (const hear of listeners.get(channel) ?? []) hear({ sender: ipcRenderer, ports }, structuredClone(value));
  };
  let engineSide;
  const givePort = () => {
    const { port1, port2 } = new MessageChannel();
    engineSide = port1;
    port1.onmessage = ({ data }) => void window.platbookAsk(data);
    window.platbookNews('platbook:port', null, [port2]);
  };
  window.platbookAnswer = (message) => engineSide.postMessage(message);
  const electron = {
    ipcRenderer,
    webUtils: { getPathForFile: (file) => '/dropped/' + file.name },
    contextBridge: {
      exposeInMainWorld: (name, api) => {
        window[name] = Object.freeze(Object.fromEntries(Object.entries(api).map(([key, value]) => [key, clone(value)])));
      },
    },
  };
  const require = (name) => {
    if (name !== 'electron/renderer') throw new Error('a sandboxed preload cannot require ' + name);
    return electron;
  };
  ${bundle}
})();`;

const patience = { timeout: 20_000 };

interface Desktop {
  readonly page: Page;
  readonly faults: string[];
  /** The page's calls to main. */
  readonly asked: { channel: string; input: unknown }[];
}

async function openDesktop(home: string, answers: Readonly<Record<string, unknown>> = {}): Promise<Desktop> {
  const engine = openEngine({ home });
  const listener = switchedListener(engine, {});
  attachListener(engine, listener);
  const { port1, port2 } = new MessageChannel();
  servePort(engine, port1 as unknown as MessagePortLike);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const faults: string[] = [];
  const asked: Desktop['asked'] = [];
  await context.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    const home = Object.entries(origins).find(([, origin]) => origin === url.origin)?.[0];
    if (!home) {
      faults.push(`left the app: ${url}`);
      return route.abort();
    }
    const response = answer(new Request(`platbook-app://${home}${url.pathname}`, { method: route.request().method() }));
    return route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.exposeFunction('platbookMain', (channel: string, input: unknown) => {
    asked.push({ channel, input });
    const name = channel.replace('platbook:', '');
    return { ok: true, value: name === 'open_sample' ? origins.sample : (answers[name] ?? null) };
  });
  await page.exposeFunction('platbookAsk', (message: unknown) => port2.postMessage(message));
  port2.on('message', (message) => {
    // This stand-in does not carry bytes; they have a test of their own.
    if (!(message.data instanceof Uint8Array))
      void page
        .evaluate(
          (sent) => (globalThis as unknown as { platbookAnswer(m: unknown): void }).platbookAnswer(sent),
          message,
        )
        .catch(() => {});
  });
  await page.addInitScript(electronInPage(preload));
  onTestFinished(async () => {
    await context.close();
    port2.close();
    await listener.close();
    engine.close();
  });
  await page.goto(origins.home);
  return { page, faults, asked };
}

/** The map draws tiles, which this stand-in does not carry; nothing else may fail. */
const otherThanTiles = (faults: readonly string[]) => faults.filter((text) => !/tile|WebGL|GL Driver|GPU/i.test(text));

describe.skipIf(!hasBrowser)('the pages of the desktop app', () => {
  test('are drawn under their own policy and ask the engine over the port', async () => {
    const { page, faults, asked } = await openDesktop(copyOfHome(sampleHome()));
    await page.locator('[data-testid=count][data-current=true]').first().waitFor();
    await page.locator('[data-command=search]:visible').click();
    await page.locator('.grid-body .grid-row').first().waitFor();
    expect(otherThanTiles(faults)).toEqual([]);
    expect(asked.map(({ channel }) => channel)).toContain('platbook:connect');
    // All calls of the page used the port.
    const policy = (await page.evaluate(async () => (await fetch('/')).headers.get('content-security-policy'))) ?? '';
    expect(policy).toContain("default-src 'none'");
  });

  test('cannot run what is not theirs: no inline script, no eval, no other origin', async () => {
    const { page } = await openDesktop(copyOfHome(sampleHome()));
    await page.locator('.rail').waitFor();
    const refused = await page.evaluate(`(async () => {
      const found = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => found.push(effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
      const frame = document.createElement('iframe');
      frame.src = 'https://example.org/';
      document.body.append(frame);
      await fetch('https://example.org/').catch(() => {});
      setTimeout('window.wasRun = true');
      for (let turn = 0; turn < 100 && new Set(found).size < 4; turn++) await new Promise((resolve) => setTimeout(resolve, 100));
      return { found: [...new Set(found)].sort(), wasRun: 'wasRun' in window };
    })()`);
    expect(refused).toEqual({ found: ['connect-src', 'frame-src', 'script-src', 'script-src-elem'], wasRun: false });
  });

  test('find named functions in the bridge and nothing of Electron', async () => {
    const { page, asked } = await openDesktop(copyOfHome(sampleHome()));
    await page.locator('.rail').waitFor();
    const bridge = await page.evaluate(() => {
      const { platbook } = globalThis as unknown as { platbook: Record<string, unknown> };
      return Object.entries(platbook).map(([name, value]) => `${name}: ${typeof value}`);
    });
    expect(bridge.sort()).toEqual(
      [
        'chooseFiles',
        'chooseFolder',
        'connect',
        'onCommand',
        'onOpened',
        'onPosition',
        'openHome',
        'openPdf',
        'openSample',
        'pathOf',
        'readLocation',
        'saveFile',
        'setLocation',
        'showFile',
        'unwatchPosition',
        'watchPosition',
      ].map((name) => `${name}: function`),
    );
    await page.evaluate(() =>
      (globalThis as never as { platbook: { setLocation(choice: object): Promise<void> } }).platbook.setLocation({
        on: true,
        source: 'gpsd',
        place: 'localhost',
        more: 'stays here',
      }),
    );
    expect(asked.at(-1)).toEqual({
      channel: 'platbook:set_location',
      input: { on: true, source: 'gpsd', place: 'localhost' },
    });
    // A listener gets the value alone: an event would bring ipcRenderer with it.
    const heard = await page.evaluate(async () => {
      const { platbook, platbookNews } = globalThis as never as {
        platbook: { onCommand(hear: (...args: unknown[]) => void): () => void };
        platbookNews(channel: string, value: unknown): void;
      };
      const args: unknown[][] = [];
      const stop = platbook.onCommand((...all) => args.push(all));
      platbookNews('platbook:command', 'nothing-known');
      stop();
      platbookNews('platbook:command', 'not heard');
      return args;
    });
    expect(heard).toEqual([['nothing-known']]);
  });

  test('obey the menu, and open what is handed over: a parcel, and dropped files', async () => {
    const { page } = await openDesktop(copyOfHome(sampleHome()));
    await page.locator('[data-testid=count][data-current=true]').first().waitFor();
    const news = (channel: string, value: unknown) =>
      page.evaluate(
        ([to, what]) => (globalThis as never as { platbookNews(c: unknown, v: unknown): void }).platbookNews(to, what),
        [channel, value],
      );
    await news('platbook:command', 'screen-usage');
    await expect.poll(() => page.url(), patience).toContain('#/usage');
    await news('platbook:opened', { parcel: 7, files: [] });
    await page.locator('[data-focus=detail]').waitFor();
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'county.gpkg'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    await expect.poll(() => page.url(), patience).toContain('#/import');
  });

  test('take up what is opened, and what is dropped on the import screen itself', async () => {
    const { page } = await openDesktop(emptyHome());
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    const file = path.join(emptyHome(), 'Alder County 2026.csv');
    fs.writeFileSync(file, 'apn,wkt\n1,"POLYGON((-72 44,-72 44.1,-71.9 44.1,-72 44))"\n');
    await page.evaluate(
      (what) =>
        (globalThis as never as { platbookNews(c: string, v: unknown): void }).platbookNews('platbook:opened', what),
      { parcel: null, files: [file] },
    );
    await expect.poll(() => page.url(), patience).toContain('#/import');
    await expect.poll(() => page.locator('.import-about').getAttribute('title'), patience).toBe(file);
    await expect
      .poll(() => page.locator('.import-about').innerText(), patience)
      .toMatch(/^Alder County 2026\.csv, .*, 1 row, /);

    // On the list of files a browser's own words would be said; the app knows where the file lies.
    await page.reload();
    await page.locator('.folder').waitFor();
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'county.gpkg'));
      document.querySelector('.folder').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    await expect.poll(() => page.locator('.import-about').getAttribute('title'), patience).toBe('/dropped/county.gpkg');
    expect(await page.getByText('A browser does not reveal').count()).toBe(0);
  });

  test('save the parcel sheet by main, open it to be printed, and show it in its folder', async () => {
    const { page, asked } = await openDesktop(copyOfHome(sampleHome()), { save_file: '/home/me/parcel.pdf' });
    const named = (name: string) =>
      asked.filter(({ channel }) => channel === `platbook:${name}`).map(({ input }) => input);
    await page.locator('[data-command=search]:visible').click();
    await page.locator('.grid-body .grid-row').first().click();
    await page.getByRole('button', { name: 'Parcel sheet (PDF), free' }).click();
    await page.getByText('Saved as /home/me/parcel.pdf').waitFor();
    expect(named('save_file')).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    await page.getByRole('button', { name: 'Show in folder' }).click();
    await expect.poll(() => named('show_file'), patience).toEqual([{ path: '/home/me/parcel.pdf' }]);
    await page.keyboard.press('Control+p');
    await expect.poll(() => named('open_pdf'), patience).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(page.context().pages()).toHaveLength(1);
  });

  test('watch a receiver through main, only while the map is there', async () => {
    const gps = { on: true, source: 'gpsd', place: 'localhost:2947' };
    const { page, asked } = await openDesktop(copyOfHome(sampleHome()), { read_location: gps });
    const watching = () =>
      asked
        .map(({ channel }) => channel)
        .filter((channel) => /watch_position/.test(channel))
        .at(-1) ?? 'never asked';
    await expect.poll(watching, patience).toBe('platbook:watch_position');
    const say = (value: unknown) =>
      page.evaluate(
        (what) =>
          (globalThis as never as { platbookNews(c: string, v: unknown): void }).platbookNews(
            'platbook:position',
            what,
          ),
        value,
      );
    await say({ position: null, problem: 'The GPS cannot be read: connect ECONNREFUSED 127.0.0.1:2947.' });
    await page.getByTestId('here').getByText('ECONNREFUSED').waitFor();
    await say({ position: { longitude: -40, latitude: 30, accuracyMeters: 4, at: null }, problem: null });
    await expect.poll(() => page.getByTestId('here').innerText(), patience).toBe('No parcel of this book is near.');
    await page.evaluate("location.hash = '/settings'");
    await expect.poll(watching, patience).toBe('platbook:unwatch_position');
    const part = page.getByRole('region', { name: 'Location', exact: true });
    expect(await part.getByLabel('Address').inputValue()).toBe('localhost:2947');
    await part.getByLabel('Address').fill('192.168.1.20');
    await part.getByRole('button', { name: 'Use it' }).click();
    await expect
      .poll(() => asked.at(-1), patience)
      .toEqual({ channel: 'platbook:set_location', input: { ...gps, place: '192.168.1.20' } });
  });

  test('a feed says that the HTTP API is off, and switches it on with one press', async () => {
    const { page } = await openDesktop(copyOfHome(sampleHome()));
    await page.locator('[data-command=search]:visible').click();
    await page.locator('.grid-body .grid-row').first().waitFor();
    await page.keyboard.press('Control+e');
    await page
      .getByText(/Live feed/)
      .first()
      .click();
    await page.getByText('The HTTP API is off').waitFor();
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await page.getByText('The HTTP API is off').waitFor({ state: 'hidden' });
    const address = await page.locator('.feed-url code').first().innerText();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/feeds\/.+\.csv$/);
    const answer = await fetch(address);
    expect([answer.status, (await answer.text()).split('\r\n').length > 100]).toEqual([200, true]);
  });

  test('an empty home leads to the sample county in an origin of its own', async () => {
    const { page } = await openDesktop(emptyHome());
    await page.getByRole('button', { name: /Open the sample county/ }).click();
    await page.waitForURL(`${origins.sample}/**`);
  });
});
