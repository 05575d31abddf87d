/**
 * A window on a home of its own: the real pages in Debian's Chromium, through the real listener. Whatever leaves this
 * machine, breaks the page's policy or raises an error fails the test.
 */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type AppWindow, openAppWindow } from '../../engine/cli/app-window.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import type { FilterBody } from '../../renderer/explore/filter-body.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { type BuildMode, builtRenderer } from './build-renderer.ts';
import { isBrowserThere } from './launch-browser.ts';

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
  readonly browser: Browser;
  /** Absent: a copy of the sample county's. */
  readonly home?: string;
  readonly context?: BrowserContextOptions;
  readonly mode?: BuildMode;
  /** Faults that the test brings about itself. */
  readonly expected?: RegExp;
}

const quiet = { print: () => {}, note: () => {}, progress: () => {} };

export async function openWindow(options: WindowOptions): Promise<OpenWindow> {
  const engine = openEngine({ home: options.home ?? copyOfHome(sampleHome()) });
  const app = await openAppWindow(engine, { port: 0 }, quiet, await builtRenderer(options.mode));
  const context = await options.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options.context });
  const faults: string[] = [];
  const note = (text: string) => {
    if (!options.expected?.test(text)) faults.push(text);
  };
  await context.route('**/*', (route) => {
    const url = new URL(route.request().url());
    if (url.hostname === '127.0.0.1') return route.continue();
    note(`left this machine: ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') note(message.text());
  });
  page.on('pageerror', (error) => note(error.message));
  onTestFinished(async () => {
    await context.close();
    await app.close();
    engine.close();
    expect(faults, 'faults in the page').toEqual([]);
  });
  await page.goto(app.link());
  return {
    engine,
    app,
    page,
    faults,
    ledger: () => engine.account.file.all('SELECT endpoint, mode, tokens FROM ledger ORDER BY ledger_id'),
  };
}

/** The count of the panel once it belongs to the filter as it stands. */
export async function countOf(page: Page): Promise<number> {
  const count = page.locator('[data-testid=count][data-current=true]').first();
  await count.waitFor();
  return numberIn(await count.innerText());
}

export const numberIn = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));

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

/** The last keystroke and Enter behind it, sooner than any timer of the page: as fast as people type. */
export const typeAndEnter = (field: Locator, text: string): Promise<void> =>
  field.evaluate(async (input, typed) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    set?.call(input, typed);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await Promise.resolve();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  }, text);
