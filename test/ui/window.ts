/**
 * A window on a home of its own: the real pages in Debian's Chromium, through the real listener. Whatever leaves this
 * machine, breaks the page's policy or raises an error fails the test.
 *
 * The windows of one test file share a browser, a page and a port, so that scripts are compiled once; storage, cookies
 * and permissions are cleared between them, and home, engine and listener are new for each.
 */
import net from 'node:net';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import { afterAll, expect, onTestFinished } from 'vitest';
import { type AppWindow, openAppWindow } from '../../engine/cli/app-window.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import type { FilterBody } from '../../renderer/explore/filter-body.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { type BuildMode, builtRenderer } from './build-renderer.ts';
import { isBrowserThere, launchDrawingBrowser, launchPlainBrowser } from './launch-browser.ts';

export const hasBrowser = (): boolean =>
  requireOrSkip('Chromium', isBrowserThere(), 'the window is tested in it (apt-get install chromium)');

export interface OpenWindow {
  readonly engine: Engine;
  readonly app: AppWindow;
  readonly page: Page;
  /** What went wrong in the page so far. */
  readonly faults: string[];
  readonly ledger: () => { endpoint: string; mode: string; tokens: number }[];
}

export interface WindowOptions {
  /** Chromium itself, which draws the map and shows PDFs; else a shell without them, as where there is no WebGL. */
  readonly map?: boolean;
  /** The map at the screen's density, for tests that read its colors; else at half of it, a quarter of what is drawn. */
  readonly pixels?: boolean;
  /** Absent: a copy of the sample county's. */
  readonly home?: string;
  /**
   * A context of the window's own, with these options: also `{}`, for tests that change what clearing does not undo
   * (init scripts, clock, place), open further pages, or listen to the context.
   */
  readonly context?: BrowserContextOptions;
  readonly mode?: BuildMode;
  /** Faults that the test brings about itself. */
  readonly expected?: RegExp;
  /** A browser of the test's own. */
  readonly browser?: Browser;
  /** Done in the home before the page opens. @returns what the browser remembers, which saves opening the page twice */
  readonly prepare?: (engine: Engine) => Stored | Promise<Stored>;
}

/** By name, without `platbook.`; of `explore` and `map`, which belong to a home, what is not as in a new window. */
export type Stored = Readonly<Record<string, object>>;

const quiet = { print: () => {}, note: () => {}, progress: () => {} };
const viewport = { width: 1440, height: 900 };
/** As a window that is in front has it; the headless shell gives it to none by itself. */
const permissions = ['clipboard-write'];

/** Shared by the windows of this file. */
interface Shared {
  readonly context: BrowserContext;
  readonly port: number;
  page: Page;
  isTaken: boolean;
  note: (fault: string) => void;
}

/** The browsers of this file; each starts with its first window. */
const browsers = new Map<() => Promise<Browser>, Promise<Browser>>();
const sharedOf = new WeakMap<Browser, Map<number, Shared>>();

afterAll(async () => {
  for (const browser of browsers.values()) await (await browser).close();
});

function browserOf({ browser, map }: WindowOptions): Browser | Promise<Browser> {
  if (browser) return browser;
  const launch = map ? launchDrawingBrowser : launchPlainBrowser;
  const launched = browsers.get(launch) ?? launch();
  browsers.set(launch, launched);
  return launched;
}

/** Requests on their way, by page. A tab that a page opens has its own: a PDF in it may never count as loaded. */
const underWay = new WeakMap<Page, Set<Request>>();

function requestsBeside(request: Request): Set<Request> {
  let page: Page;
  try {
    page = request.frame().page();
  } catch {
    // The first request of a new tab.
    return new Set();
  }
  const open = underWay.get(page) ?? new Set();
  underWay.set(page, open);
  return open;
}

/** Reports requests that would leave this machine and complaints of a page; counts requests. */
function watch(context: BrowserContext, note: (fault: string) => void): void {
  context.on('request', (request) => requestsBeside(request).add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', (request) => requestsBeside(request).delete(request));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):/.test(url.protocol) && url.hostname !== '127.0.0.1') note(`left this machine: ${url}`);
  });
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // The driver's remark that the page takes the map's picture from it, which it does for each frame here.
    if (message.text().includes('GPU stall due to ReadPixels')) return;
    const { url } = message.location();
    note(url.startsWith('http') ? `${message.text()} ${new URL(url).pathname}` : message.text());
  });
  context.on('weberror', (error) => note(error.error().stack ?? error.error().message));
}

/** Below the range that systems give out by themselves (from 32,768), so that it is still free for the next window. */
async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port++) {
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

async function sharedBy(browser: Browser, deviceScaleFactor: number): Promise<Shared> {
  const known = sharedOf.get(browser) ?? new Map<number, Shared>();
  sharedOf.set(browser, known);
  const shared = known.get(deviceScaleFactor) ?? (await share(browser, deviceScaleFactor));
  known.set(deviceScaleFactor, shared);
  return shared;
}

async function share(browser: Browser, deviceScaleFactor: number): Promise<Shared> {
  const context = await browser.newContext({ viewport, permissions, deviceScaleFactor });
  const page = await context.newPage();
  const shared: Shared = { context, port: await freePort(), page, isTaken: false, note: () => {} };
  watch(context, (fault) => shared.note(fault));
  return shared;
}

/** A page that has the window's storage and nothing of its scripts. */
async function onEmptyPage(page: Page, origin: string): Promise<void> {
  const address = `${origin}/empty`;
  const body = '<link rel="icon" href="data:,">';
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(address);
  await page.unroute(address);
}

async function store(page: Page, origin: string, engine: Engine, stored: Stored): Promise<void> {
  const homeKey = `${engine.land.kind} ${engine.home}`;
  const [fips] = engine.land.file.column<string>(
    'SELECT fips FROM parcels GROUP BY fips ORDER BY count(*) DESC LIMIT 1',
  );
  const ofHome: Stored = { explore: { homeKey, filter: { county: fips } }, map: { homeKey } };
  await onEmptyPage(page, origin);
  await page.evaluate(
    (entries) => {
      for (const [name, value] of entries) localStorage.setItem(`platbook.${name}`, JSON.stringify(value));
    },
    // The window takes a map's place only if Explore knows the home.
    Object.entries({ ...ofHome, ...stored }).map(([name, value]) => [name, { ...ofHome[name], ...value }] as const),
  );
}

/** As if nothing had been there before. */
async function clear(shared: Shared, origin: string): Promise<void> {
  const { context } = shared;
  if (shared.page.isClosed()) shared.page = await context.newPage();
  const { page } = shared;
  await Promise.all(context.pages().map((each) => (each === page ? null : each.close())));
  page.removeAllListeners();
  await page.unrouteAll();
  // By a page of the same process, before the cookie goes: what the window wrote last reaches the browser late, after a
  // clearing from outside.
  await onEmptyPage(page, origin);
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,local_storage,indexeddb' });
  await session.detach();
  await context.clearCookies();
  await context.clearPermissions();
  await context.grantPermissions(permissions);
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
  await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
}

/** What a window remembers is refused at once while another process writes the file, and asked again. */
const askedAgain = /503 .*\/app\/change\/keep_window_memory/;

export async function openWindow(options: WindowOptions = {}): Promise<OpenWindow> {
  const engine = openEngine({ home: options.home ?? copyOfHome(sampleHome()), create: true });
  const stored = await options.prepare?.(engine);
  const browser = await browserOf(options);
  const deviceScaleFactor = options.map && !options.pixels ? 0.5 : 1;
  const kept = options.context || options.browser ? null : await sharedBy(browser, deviceScaleFactor);
  // A second window of the same test is one of its own.
  const shared = kept && !kept.isTaken ? kept : null;
  const app = await openAppWindow(engine, { port: shared?.port ?? 0 }, quiet, await builtRenderer(options.mode));
  const faults: string[] = [];
  const note = (fault: string) => {
    if (!options.expected?.test(fault) && !askedAgain.test(fault)) faults.push(fault);
  };
  const context =
    shared?.context ?? (await browser.newContext({ viewport, permissions, deviceScaleFactor, ...options.context }));
  if (shared) Object.assign(shared, { isTaken: true, note });
  else watch(context, note);
  const page = shared?.page ?? (await context.newPage());
  onTestFinished(async () => {
    if (shared) await clear(shared, app.server.baseUrl);
    else await context.close();
    await app.close();
    engine.close();
    if (shared) shared.isTaken = false;
    expect(faults, 'faults in the page').toEqual([]);
  });
  if (stored) await store(page, app.server.baseUrl, engine, stored);
  await page.goto(app.link());
  return {
    engine,
    app,
    page,
    faults,
    ledger: () => engine.account.file.all('SELECT endpoint, mode, tokens FROM ledger ORDER BY ledger_id'),
  };
}

/** Two frames of the page with the timers that were due: effects have run, a closing menu has given the focus back. */
export const frames = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn++)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  });

/** Milliseconds; longer than any answer that is awaited on a busy machine. */
const patience = 120_000;
/** Milliseconds after which the script of a worker that does not run is no longer awaited. */
const workerPatience = 5_000;

/** A page that ends a worker while its script is on its way is never told that the request ended. */
function forgetEndedWorkers(page: Page, open: Set<Request>): void {
  const running = new Set(page.workers().map((worker) => worker.url()));
  for (const request of open)
    if (/worker[^/]*\.js$/.test(new URL(request.url()).pathname) && !running.has(request.url())) open.delete(request);
}

/** All requests of the page are answered and drawn, and it makes no more. */
export async function settled(page: Page): Promise<void> {
  const open = underWay.get(page);
  if (!open) throw new Error('the requests of this page are not counted');
  const began = Date.now();
  for (let rests = 0; rests < 3; ) {
    await frames(page);
    rests = open.size > 0 ? 0 : rests + 1;
    if (Date.now() - began > workerPatience) forgetEndedWorkers(page, open);
    if (Date.now() - began > patience)
      throw new Error(`not answered: ${[...open].map((request) => `${request.method()} ${request.url()}`).join(', ')}`);
  }
}

/** The count of the panel once it belongs to the current filter. */
export async function countOf(page: Page): Promise<number> {
  const count = page.locator('[data-testid=count][data-current=true]').first();
  await count.waitFor();
  return numberIn(await count.innerText());
}

export const numberIn = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));

export const goTo = (page: Page, screen: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = `/${to}`;
  }, screen);

/** Every screen of the rail, so that a new one is looked at wherever all are. */
export async function allScreens(page: Page): Promise<string[]> {
  const links = page.locator('.rail a');
  await links.first().waitFor();
  const inRail = await links.evaluateAll((all) => all.map((one) => (one.getAttribute('href') ?? '').replace('#/', '')));
  return [...inRail, 'usage'];
}

export const searchButton = (page: Page): Locator => page.locator('[data-command=search]:visible');

/** Opens every section of the panel. */
export async function openAllSections(page: Page): Promise<void> {
  const closed = page.locator('.section-head[aria-expanded=false]');
  while ((await closed.count()) > 0) await closed.first().click();
}

/** The filter as the window remembers it. */
export const remembered = (page: Page): Promise<{ filter: FilterBody; selected: number | null }> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('platbook.explore') ?? '{}'));

export const parcelTitle = (page: Page) => page.locator('[data-focus=detail]');

/** The machine may be busy: what must come in the end is waited for, and fails by its value. */
export const eventually = <Value>(read: () => Promise<Value> | Value, message?: string) =>
  expect.poll(read, { timeout: 20_000, interval: 50, ...(message ? { message } : {}) });

/** The last keystroke directly followed by Enter, sooner than any timer of the page: as fast as people type. */
export const typeAndEnter = (field: Locator, text: string): Promise<void> =>
  field.evaluate(async (input, typed) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    set?.call(input, typed);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await Promise.resolve();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  }, text);
