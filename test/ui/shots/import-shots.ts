/**
 * The import, step by step, of an invented town's Shapefile. Each theme repeats it; the second finds nothing changed.
 */
import type { Page } from 'playwright-core';
import type { Shot } from './shot.ts';

const next = (page: Page) => page.locator('[data-focus=import-next]');
const atStep = (page: Page, name: string) =>
  page.locator('.import-steps [aria-current=step]').filter({ hasText: name }).waitFor({ timeout: 60_000 });

async function look(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('button', { name: /^lempster_2026/ }).click();
  await page.getByRole('button', { name: /^Look at/ }).click();
  await atStep(page, 'Look');
}

async function map(page: Page): Promise<void> {
  await look(page);
  await next(page).click();
  await atStep(page, 'Map');
  await page.getByTestId('first-row').waitFor();
}

async function dryRun(page: Page): Promise<void> {
  await map(page);
  await next(page).click();
  await page.getByTestId('delta').waitFor({ timeout: 60_000 });
}

async function view(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('radio', { name }).click();
}

export const importShots: readonly Shot[] = [
  { name: 'import-choose', home: 'empty', act: (page) => page.getByRole('link', { name: 'Import' }).click() },
  { name: 'import-look', home: 'empty', act: look },
  { name: 'import-map', home: 'empty', act: map },
  { name: 'import-map-1024x680', home: 'empty', size: { width: 1024, height: 680 }, act: map },
  { name: 'import-dry-run', home: 'empty', act: dryRun },
  {
    name: 'import-report',
    home: 'empty',
    act: async (page) => {
      await dryRun(page);
      await next(page).click();
      await page.getByTestId('import-report').waitFor({ timeout: 60_000 });
    },
  },
  { name: 'import-loaded', home: 'empty', act: (page) => view(page, 'Loaded') },
  { name: 'import-where', home: 'empty', act: (page) => view(page, 'Where to get data') },
  { name: 'explore-first-county', home: 'empty', act: (page) => page.waitForTimeout(1500) },
];
