/**
 * `npm run screens [folder]`: every screen and state in three themes as pictures, to be looked at beside the mock's.
 * The sample county alone; nothing real is ever drawn.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { changePlan } from '../../engine/account/plan.ts';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { loadSampleCounty } from '../../engine/sample-county.ts';
import { builtRenderer } from './build-renderer.ts';
import { launchBrowser } from './launch-browser.ts';

interface Shot {
  readonly name: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly isEmptyHome?: true;
  readonly isLargeText?: true;
  readonly themes?: readonly string[];
  readonly act?: (page: Page, engine: Engine) => Promise<unknown>;
}

const counted = (page: Page) => page.locator('[data-testid=count][data-current=true]').first().waitFor();
const search = async (page: Page) => {
  await page.locator('[data-command=search]:visible').click();
  await page.locator('.grid-body .apn, .relax').first().waitFor();
};

/** The filters of the mock. */
async function mockFilters(page: Page): Promise<void> {
  await counted(page);
  await page.getByLabel('Acres from', { exact: true }).fill('5');
  await page.getByLabel('Acres to', { exact: true }).fill('80');
  await page.getByRole('radiogroup', { name: 'Out of state' }).getByRole('radio', { name: 'yes' }).click();
  await page.getByLabel('Exclude company owners').click();
  await page.getByLabel('Owner name has none of these words').fill('ESTATE, LAND TRUST,');
  await page.getByLabel('Only vacant parcels').click();
  await page.getByLabel('Flood zone at most', { exact: true }).fill('10');
  await counted(page);
}

async function found(page: Page): Promise<void> {
  await mockFilters(page);
  await search(page);
  await page.locator('.grid-body .grid-row').nth(1).click();
  await page.locator('[data-focus=detail]').waitFor();
  await page.locator('.filter-panel .scroll').evaluate((one) => one.scrollTo(0, 0));
}

async function foundByKeys(page: Page): Promise<void> {
  await counted(page);
  await search(page);
  await page.locator('.grid-body .grid-row').nth(1).click();
  await page.locator('[data-focus=detail]').waitFor();
}

const goTo = (screen: string) => (page: Page) =>
  page.evaluate((to) => {
    location.hash = `/${to}`;
  }, screen);

const shots: readonly Shot[] = [
  { name: 'first-run', isEmptyHome: true },
  { name: 'explore-begin', act: counted },
  { name: 'explore', act: found },
  {
    name: 'explore-changed',
    act: async (page) => {
      await found(page);
      await page.getByLabel('Acres from', { exact: true }).fill('20');
      await page
        .getByRole('radiogroup', { name: /flood zone/ })
        .getByRole('radio', { name: 'keep' })
        .click();
      await counted(page);
    },
  },
  { name: 'explore-1024x680', size: { width: 1024, height: 680 }, act: foundByKeys },
  {
    name: 'explore-1024x680-filters',
    size: { width: 1024, height: 680 },
    act: async (page) => {
      await counted(page);
      await page.getByRole('button', { name: 'Filters' }).click();
    },
  },
  { name: 'explore-1280x800', size: { width: 1280, height: 800 }, act: foundByKeys },
  { name: 'explore-text-200', isLargeText: true, act: counted },
  { name: 'explore-text-200-parcel', isLargeText: true, act: foundByKeys },
  { name: 'explore-no-place', act: (page) => page.getByRole('button', { name: 'Remove Alder County 99001' }).click() },
  {
    name: 'explore-nothing-found',
    act: async (page) => {
      await counted(page);
      await page.getByLabel('Acres from', { exact: true }).fill('50000');
      await page.getByLabel('Only vacant parcels').click();
      await page.getByRole('heading', { name: 'Nothing found 0 tokens' }).waitFor();
    },
  },
  {
    name: 'explore-error',
    act: async (page, engine) => {
      await counted(page);
      changePlan(engine.account, { invoice_paid: false });
      await page.locator('[data-command=search]:visible').click();
      await page.getByRole('heading', { name: 'The search did not finish' }).waitFor();
      changePlan(engine.account, { invoice_paid: true });
    },
  },
  {
    name: 'explore-sections',
    size: { width: 1440, height: 3200 },
    themes: ['light'],
    act: async (page) => {
      await counted(page);
      const closed = page.locator('.section-head[aria-expanded=false]');
      while ((await closed.count()) > 0) await closed.first().click();
      await page.waitForTimeout(1500);
    },
  },
  {
    name: 'suggestions',
    act: async (page) => {
      await counted(page);
      await page.getByLabel('Search', { exact: true }).fill('12-2');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'columns',
    act: async (page) => {
      await foundByKeys(page);
      await page.getByRole('button', { name: 'Columns' }).click();
    },
  },
  { name: 'palette', act: (page) => counted(page).then(() => page.keyboard.press('Control+k')) },
  { name: 'shortcuts', act: (page) => counted(page).then(() => page.keyboard.press('?')) },
  { name: 'usage', act: goTo('usage') },
  { name: 'settings', act: goTo('settings') },
  { name: 'comps', act: goTo('comps') },
];

async function shoot(browser: Browser, engine: Engine, link: string, shot: Shot, theme: string, file: string) {
  const context = await browser.newContext({ viewport: shot.size ?? { width: 1440, height: 900 } });
  await context.addInitScript((chosen) => {
    localStorage.setItem('platbook.settings', JSON.stringify({ theme: chosen }));
  }, theme);
  const page = await context.newPage();
  await page.goto(link);
  await page.locator('.rail').waitFor();
  if (shot.isLargeText) {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      dispatchEvent(new Event('resize'));
    });
  }
  await shot.act?.(page, engine);
  await page.waitForTimeout(400);
  await page.screenshot({ path: file });
  await context.close();
}

async function main(folder: string, only: string | undefined): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const homes = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-screens-'));
  const quiet = { print: () => {}, note: () => {}, progress: () => {} };
  const pages = await builtRenderer();
  const sample = openEngine({ home: path.join(homes, 'sample') });
  await loadSampleCounty(sample);
  const empty = openEngine({ home: path.join(homes, 'empty') });
  const windows = [
    await openAppWindow(sample, { port: 0 }, quiet, pages),
    await openAppWindow(empty, { port: 0 }, quiet, pages),
  ];
  const browser = await launchBrowser();
  for (const shot of shots.filter(({ name }) => only === undefined || name.startsWith(only))) {
    const [engine, window] = shot.isEmptyHome ? [empty, windows[1]] : [sample, windows[0]];
    for (const theme of shot.themes ?? ['light', 'dark', 'outdoor']) {
      const file = path.join(folder, `${shot.name}-${theme}.png`);
      await shoot(browser, engine, window?.link() ?? '', shot, theme, file);
      console.log(file);
    }
  }
  await browser.close();
  for (const window of windows) await window.close();
  for (const engine of [sample, empty]) engine.close();
  fs.rmSync(homes, { recursive: true, force: true });
}

await main(process.argv[2] ?? path.join(os.tmpdir(), 'platbook-screens'), process.argv[3]);
