/** Another search starts with nothing selected: a selection in one does not carry over to the other. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { selectedMany } from './map-window.ts';
import { countOf, eventually, goTo, hasBrowser, type OpenWindow, openWindow, searchButton } from './window.ts';

const available = hasBrowser();

const rows = (page: Page) => page.locator('.grid-body .grid-row');

/** The first rows of the table. */
async function pick(page: Page, count: number): Promise<void> {
  await rows(page).first().click();
  await rows(page)
    .nth(count - 1)
    .click({ modifiers: ['Shift'] });
  await eventually(async () => (await selectedMany(page)).length).toBe(count);
}

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected parcels' });

/** All parcels searched, and Large saved beside it, paid. @returns how many are large */
async function twoSearches(): Promise<OpenWindow & { large: number }> {
  const window = await openWindow();
  const { page, engine } = window;
  await countOf(page);
  await page.getByLabel('Acres from', { exact: true }).fill('60');
  const large = await countOf(page);
  await searchButton(page).click();
  await page.getByText('Nothing has changed since').waitFor();
  const filter = { county: '99001', acres_min: 60 };
  await runChange(engine, 'save_search', { name: 'Large', filter, last_run_at: new Date().toISOString() });
  // The window does not know what was stored elsewhere.
  await page.reload();
  await page.getByRole('button', { name: 'Reset' }).click();
  await eventually(() => countOf(page)).toBe(engine.land.parcelCount);
  await searchButton(page).click();
  await page.getByText('Nothing has changed since').waitFor();
  return { ...window, large };
}

const openSaved = async (page: Page) => {
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Large/ }).click();
};

describe.runIf(available)('parcels that are picked in one search', () => {
  test('are no longer picked when another is opened in Explore', async () => {
    const { page, large } = await twoSearches();
    await pick(page, 4);
    await bar(page).getByText('4 selected').waitFor();
    await openSaved(page);
    await eventually(() => page.locator('.table-title b').innerText()).toBe(`${large} parcels`);
    expect(await selectedMany(page)).toEqual([]);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menu', { name: 'Export' }).getByText(`${large} parcels, free`).waitFor();
  });

  test('are not what another in Lists takes along, also where it was shown before; nor the other way round', async () => {
    const { page, large } = await twoSearches();
    await goTo(page, 'lists');
    await page.getByRole('heading', { name: 'Large' }).waitFor();
    await goTo(page, 'explore');
    await rows(page).first().waitFor();
    await pick(page, 4);
    await goTo(page, 'lists');
    await page.getByRole('heading', { name: 'Large' }).waitFor();
    await page.getByRole('button', { name: 'Mail merge' }).click();
    await page.getByRole('menu', { name: 'Mail merge' }).getByText(`${large} parcels, free`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu', { name: 'Mail merge' }).waitFor({ state: 'detached' });

    await rows(page).first().waitFor();
    await pick(page, 3);
    await page.getByRole('button', { name: 'Mail merge' }).click();
    await page.getByRole('menu', { name: 'Mail merge' }).getByText('3 parcels, free').waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, 'explore');
    await page.locator('.table-title').waitFor();
    await eventually(() => selectedMany(page)).toEqual([]);
    expect(await bar(page).count()).toBe(0);
  });

  test('stay picked where Lists shows the same search as Explore', async () => {
    const { page } = await twoSearches();
    await openSaved(page);
    await page.getByText('Nothing has changed since').waitFor();
    await pick(page, 4);
    await goTo(page, 'lists');
    await page.getByRole('button', { name: 'Mail merge' }).click();
    await page.getByRole('menu', { name: 'Mail merge' }).getByText('4 parcels, free').waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, 'explore');
    await bar(page).getByText('4 selected').waitFor();
  });
});
