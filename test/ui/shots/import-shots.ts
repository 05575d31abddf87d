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

/** Looks at a file as something other than parcels. */
const lookAs = (what: string, file: string) => async (page: Page) => {
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('radio', { name: what }).click();
  await page.getByRole('button', { name: new RegExp(`^${file}`) }).click();
  await page.getByRole('button', { name: 'Look at it' }).click();
  await atStep(page, 'Look');
};

const mapAs = (what: string, file: string) => async (page: Page) => {
  await lookAs(what, file)(page);
  await next(page).click();
  await atStep(page, 'Map');
  await page.getByTestId('first-rows').waitFor();
};

const runAs = (what: string, file: string) => async (page: Page) => {
  await mapAs(what, file)(page);
  await next(page).click();
  await page.getByText(/^Done/).waitFor({ timeout: 60_000 });
};

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
  {
    name: 'import-rows',
    home: 'empty',
    act: async (page) => {
      await dryRun(page);
      await page
        .getByRole('button', { name: /^Show / })
        .first()
        .click();
      await page.locator('.problem-table tbody tr').first().waitFor();
    },
  },
  {
    name: 'import-rule',
    home: 'empty',
    act: async (page) => {
      await map(page);
      await page.getByRole('button', { name: /^How DEED_AC is read/ }).click();
    },
  },
  { name: 'import-layer', home: 'empty', act: lookAs('A layer', 'flood_zones') },
  {
    name: 'import-layer-settings',
    home: 'empty',
    act: async (page) => {
      await lookAs('A layer', 'flood_zones')(page);
      await page.getByLabel('Kind of layer').selectOption('roads');
      await page.locator('summary', { hasText: 'Settings' }).click();
    },
  },
  { name: 'import-layer-drawn', home: 'empty', act: lookAs('A layer', 'brooks') },
  {
    name: 'import-layer-done',
    home: 'empty',
    act: async (page) => {
      await lookAs('A layer', 'flood_zones')(page);
      await page.getByText('Inside Sullivan County').waitFor();
      await next(page).click();
      await page.getByText(/known for \d+ of \d+ parcels|for the map, from/).waitFor({ timeout: 60_000 });
    },
  },
  { name: 'import-comps', home: 'empty', act: mapAs('Comps', 'sales') },
  { name: 'import-comps-done', home: 'empty', act: runAs('Comps', 'sales') },
  { name: 'import-contacts', home: 'empty', act: mapAs('Contacts', 'contacts') },
  { name: 'import-contacts-done', home: 'empty', act: runAs('Contacts', 'contacts') },
  {
    name: 'import-refused',
    home: 'empty',
    act: async (page) => {
      await page.getByRole('link', { name: 'Import' }).click();
      await page.getByRole('button', { name: /^broken/ }).click();
      await page.getByRole('button', { name: /^Look at/ }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'import-changes',
    home: 'empty',
    act: async (page) => {
      await view(page, 'Loaded');
      await page.getByRole('button', { name: 'Changes' }).first().click();
      await page.locator('.changes-table').waitFor();
    },
  },
  { name: 'import-loaded', home: 'empty', act: (page) => view(page, 'Loaded') },
  { name: 'import-where', home: 'empty', act: (page) => view(page, 'Where to get data') },
  { name: 'explore-first-county', home: 'empty', act: (page) => page.waitForTimeout(1500) },
];
