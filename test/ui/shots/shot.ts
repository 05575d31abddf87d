/** One picture of the window, and the ways to the states that several of them begin with. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';

export interface Shot {
  readonly name: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** Absent: one with the sample county. */
  readonly home?: 'empty' | 'troubled';
  readonly isLargeText?: true;
  readonly themes?: readonly string[];
  /** What it returns is done after the picture, if it is a function. */
  readonly act?: (page: Page, engine: Engine) => Promise<unknown>;
}

export const counted = (page: Page) => page.locator('[data-testid=count][data-current=true]').first().waitFor();
export const search = async (page: Page) => {
  await page.locator('[data-command=search]:visible').first().click();
  await page.locator('.grid-body .apn, .relax').first().waitFor();
};

/** The filter panel, which a small window keeps behind a button. */
export async function openFilters(page: Page): Promise<void> {
  await counted(page);
  const button = page.getByRole('button', { name: /^Filters/ });
  if (await button.isVisible()) await button.click();
}

/** What the panel of a small window lies over. */
export async function closeFilters(page: Page): Promise<void> {
  const button = page.locator('.filter-panel').getByRole('button', { name: 'Close', exact: true });
  if (await button.isVisible()) await button.click();
}

/** The filters of the mock. */
export async function mockFilters(page: Page): Promise<void> {
  await openFilters(page);
  await page.getByLabel('Acres from', { exact: true }).fill('5');
  await page.getByLabel('Acres to', { exact: true }).fill('80');
  await page.getByRole('radiogroup', { name: 'Out of state' }).getByRole('radio', { name: 'yes' }).click();
  await page.getByRole('checkbox', { name: 'Exclude company owners' }).click();
  await page.getByLabel('Owner name has none of these words').fill('ESTATE, LAND TRUST,');
  await page.getByRole('checkbox', { name: 'Only vacant parcels' }).click();
  await page.getByLabel('Flood zone at most', { exact: true }).fill('10');
  await counted(page);
}

export async function found(page: Page): Promise<void> {
  await mockFilters(page);
  await search(page);
  await page.locator('.grid-body .grid-row').nth(1).click();
  await page.locator('[data-focus=detail]').waitFor();
  const panel = page.locator('.filter-panel .scroll');
  if (await panel.isVisible()) await panel.evaluate((one) => one.scrollTo(0, 0));
}

/** The results, without a parcel: on a phone that would lie over them. */
export const results = (page: Page): Promise<void> => counted(page).then(() => search(page));

export async function foundByKeys(page: Page): Promise<void> {
  await results(page);
  await page.locator('.grid-body .grid-row').nth(1).click();
  await page.locator('[data-focus=detail]').waitFor();
}

/** The first parcels of the sample by size are large farms: one of forty acres, as the mock's. */
export async function parcelOf(page: Page, tab: string): Promise<void> {
  await counted(page);
  const acres = page.getByLabel('Acres to', { exact: true });
  if (await acres.isVisible()) await acres.fill('42');
  await counted(page);
  await foundByKeys(page);
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

export async function valued(page: Page): Promise<void> {
  await parcelOf(page, 'Value');
  await page.getByTestId('range').or(page.locator('[data-focus=value-first]')).waitFor();
  if (await page.locator('[data-focus=value-first]').isVisible())
    await page.locator('[data-focus=value-first]').click();
  await page.getByTestId('range').waitFor();
}

export async function listed(page: Page): Promise<void> {
  await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
  await page.locator('[data-focus=comps-button]').click();
  await page.getByTestId('comps-summary').waitFor();
}

export const goTo = (screen: string) => (page: Page) =>
  page.evaluate((to) => {
    location.hash = `/${to}`;
  }, screen);
