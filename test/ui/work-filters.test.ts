/** Explore with filters over the user's own work: its messages without matches, and its updates after changes. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { formatNumber } from '../../renderer/parts/format.ts';
import { countOf, eventually, hasBrowser, openWindow, remembered, searchButton } from './window.ts';

const available = hasBrowser();

const county = '99001';

/** Explore with this filter, as it is after the window was closed and opened again. */
async function showFilter(page: Page, filter: Readonly<Record<string, unknown>>): Promise<void> {
  await countOf(page);
  await page.evaluate((chosen) => {
    const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
    localStorage.setItem('platbook.explore', JSON.stringify({ ...before, filter: chosen }));
  }, filter);
  await page.reload();
}

const pane = (page: Page) => page.locator('.table-pane');
const nothing = (page: Page) => pane(page).getByRole('heading', { name: 'Nothing found' });
const relaxed = (page: Page) => pane(page).locator('.relax li .grow').allInnerTexts();

describe.runIf(available)('a filter over the own work that matches nothing', () => {
  test('is named in its own words and taken away with one click', async () => {
    const { page, engine, ledger } = await openWindow();
    const all = await countOf(page);
    await page.getByRole('button', { name: 'Your stars, tags and lists' }).click();
    await page.getByRole('radiogroup', { name: 'Starred' }).getByRole('radio', { name: 'yes' }).click();
    await nothing(page).waitFor();
    expect(await relaxed(page)).toEqual(['Starred']);
    await pane(page).getByText('No parcel in Alder County meets this filter. Taking it away leaves:').waitFor();
    await pane(page)
      .getByText(`+${formatNumber(all)}`)
      .waitFor();
    await page.reload();
    await nothing(page).waitFor();
    await pane(page).getByRole('button', { name: 'Remove' }).click();
    await eventually(async () => (await remembered(page)).filter).toEqual({ county });
    expect(await countOf(page)).toBe(all);
    expect(engine.land.parcelCount).toBe(all);
    expect(ledger()).toEqual([]);
  });

  test('tags, lists and letters are named alike, beside the filters of the parcels', async () => {
    const { page, engine } = await openWindow();
    const ids = engine.land.file.column<number>(
      "SELECT property_id FROM parcels WHERE status = 'current' AND acres < 5 ORDER BY property_id LIMIT 3",
    );
    await runChange(engine, 'make_list', { name: 'Spring', of: { ids } });
    await runChange(engine, 'tag', { name: 'Lake', ids });
    await showFilter(page, { county, acres_min: 5, tags: [1] });
    await nothing(page).waitFor();
    expect((await relaxed(page)).toSorted()).toEqual(['At least 5 acres', 'Tagged Lake']);
    await pane(page).getByText('meets both filters').waitFor();
    await showFilter(page, { county, in_list: [1], mailed_before: '2026-01-01' });
    await eventually(() => relaxed(page)).toEqual(['Last mailed before 1 Jan 2026']);
  });

  test('of a paid saved search does not stop the window', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    await runChange(engine, 'star', { ids: [1] });
    const filter = { county, starred: true };
    await runChange(engine, 'save_search', { name: 'My stars', filter });
    await runChange(engine, 'note_search_run', { search_id: 1 });
    await runChange(engine, 'unstar', { ids: [1] });
    await page.reload();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('menuitem', { name: /My stars/ }).click();
    await nothing(page).waitFor();
    // They are counted once the empty result is shown.
    await eventually(() => relaxed(page)).toEqual(['Starred']);
  });

  test('where the place itself holds no parcel, there is no filter to relax', async () => {
    const { page } = await openWindow();
    const geom_intersects = 'POLYGON ((10 10, 10.1 10, 10.1 10.1, 10 10))';
    await showFilter(page, { county, geom_intersects });
    await nothing(page).waitFor();
    await pane(page).getByText('No parcel lies in this place. Choose another place').waitFor();
    await showFilter(page, { county, geom_intersects, acres_min: 5 });
    await pane(page).getByText('No parcel lies in this place, with this filter or without it').waitFor();
  });
});

describe.runIf(available)('a search over the own work follows it', () => {
  const title = (page: Page) => page.locator('.table-title b').innerText();
  const waiting = (page: Page) => page.locator('.grid-body .waiting').count();

  test('its count, its rows and what Export says, and back again with Undo', async () => {
    const { page, ledger } = await openWindow();
    await showFilter(page, { county, acres_min: 60, starred: false });
    const before = await countOf(page);
    expect(before).toBeGreaterThan(10);
    await searchButton(page).click();
    await eventually(() => title(page)).toBe(`${before} parcels`);
    const rows = page.locator('.grid-body .grid-row');
    await rows.nth(0).click();
    await rows.nth(4).click({ modifiers: ['Shift'] });
    await page.getByRole('toolbar', { name: 'Selected parcels' }).getByRole('button', { name: 'Star' }).click();
    await page.getByRole('toolbar', { name: 'Selected parcels' }).getByRole('button', { name: 'Clear' }).click();
    await eventually(() => title(page)).toBe(`${before - 5} parcels`);
    expect(await page.locator('.grid').getAttribute('aria-rowcount')).toBe(`${before - 5 + 1}`);
    await page.locator('.grid').focus();
    await page.keyboard.press('End');
    await eventually(() => page.locator('.grid-row[aria-selected=true]').getAttribute('aria-rowindex')).toBe(
      `${before - 5 + 1}`,
    );
    expect(await waiting(page)).toBe(0);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByText(`${before - 5} parcels, free`).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await eventually(() => title(page)).toBe(`${before} parcels`);
    await eventually(() => waiting(page)).toBe(0);
    expect(ledger()).toHaveLength(1);
  });

  test('down to nothing, and up again', async () => {
    const { page, engine } = await openWindow();
    await runChange(engine, 'star', { ids: [1] });
    await showFilter(page, { county, starred: true });
    await eventually(() => countOf(page)).toBe(1);
    await searchButton(page).click();
    await eventually(() => title(page)).toBe('1 parcel');
    await page.locator('.grid-body .grid-row').first().click();
    await page.locator('.grid').focus();
    await page.keyboard.press('s');
    await nothing(page).waitFor();
    await page.keyboard.press('Control+z');
    await eventually(() => title(page)).toBe('1 parcel');
    await page.locator('.grid-body .grid-row .apn').waitFor();
  });
});
