/** An export of a list contains what its table shows: in its order, and only the selected rows if there are any. */
import fs from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ReadInputOf, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { countOf, goTo, hasBrowser, type OpenWindow, openWindow } from './window.ts';

const available = hasBrowser();

async function savedRows(page: Page, format: RegExp): Promise<Record<string, string>[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: format }).click(),
  ]);
  return parse(fs.readFileSync(await download.path()), { bom: true, columns: true });
}

const idsOf = (rows: readonly Record<string, string>[]): number[] => rows.map(({ property_id: id }) => Number(id));

const shownIds = ({ engine }: OpenWindow, input: Omit<ReadInputOf<'list_page'>, 'columns'>): number[] =>
  (runRead(engine, 'list_page', { ...input, columns: [] }) as ReadOutputOf<'list_page'>).rows.map(
    ({ property_id: id }) => id,
  );

async function withLists(): Promise<OpenWindow> {
  const window = await openWindow();
  const { page, engine } = window;
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL AND mailing_key IS NOT NULL AND acres > 5 ORDER BY property_id LIMIT 12",
  );
  await runChange(engine, 'make_list', { name: 'Spring', of: { ids } });
  for (const id of ids.slice(0, 5)) await runChange(engine, 'star', { ids: [id] });
  // The page may have read its lists before.
  await page.reload();
  await countOf(page);
  await goTo(page, 'lists');
  await page.getByRole('heading', { name: 'Spring' }).waitFor();
  return window;
}

const sortByAcres = (page: Page) => page.getByRole('columnheader', { name: 'Acres' }).getByRole('button').click();

const openExport = (page: Page) => page.getByRole('button', { name: 'Export', exact: true }).click();
const caption = (page: Page, menu: string) => page.getByRole('menu', { name: menu }).locator('.menu-caption').first();

describe.runIf(available)('what is taken along of a list', () => {
  test('is in the order of its table, and holds only the selection until Escape', async () => {
    const window = await withLists();
    const { page } = window;
    await sortByAcres(page);
    const ids = shownIds(window, { of: { list_id: 1 }, ordering: '-acres' });
    await openExport(page);
    expect(await caption(page, 'Export').innerText()).toBe('12 parcels, free');
    expect(idsOf(await savedRows(page, /^CSV/))).toEqual(ids);

    await page.getByRole('grid', { name: 'Spring' }).focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.getByText('3 of 12 selected').waitFor();
    await openExport(page);
    expect(await caption(page, 'Export').innerText()).toBe('3 selected of 12 parcels, free');
    const rows = await savedRows(page, /^CSV/);
    expect(idsOf(rows)).toEqual(ids.slice(1, 4));
    await page.getByText('Spring selected.csv: 3 parcels.').waitFor();
    await openExport(page);
    await page.getByRole('menuitem', { name: /^Copy as TSV/ }).click();
    await page.getByText('Copied 3 rows').waitFor();
    await page.getByRole('button', { name: 'Mail merge' }).click();
    expect(await caption(page, 'Mail merge').innerText()).toBe(
      '3 selected of 12 parcels, free; Do not mail is left out',
    );
    const letters = await savedRows(page, /^Letters, CSV/);
    expect(letters.reduce((sum, { parcels }) => sum + Number(parcels), 0)).toBe(3);

    await page.getByRole('grid', { name: 'Spring' }).focus();
    await page.keyboard.press('Escape');
    await page.getByText('0 of 12 selected').waitFor();
    await openExport(page);
    expect(await caption(page, 'Export').innerText()).toBe('12 parcels, free');
  });

  test('keeps the list’s mailing days where only some are selected', async () => {
    const { page, engine } = await withLists();
    const [first] = shownIds({ engine } as OpenWindow, { of: { list_id: 1 } });
    await runChange(engine, 'set_mailed_on', { list_id: 1, ids: [first ?? 0], mailed_on: '2026-11-02' });
    await page.reload();
    await page.locator('.list-grid .apn').first().click();
    await page.getByText('1 of 12 selected').waitFor();
    await openExport(page);
    const rows = await savedRows(page, /^CSV/);
    expect(rows.map(({ mailed_on: day }) => day)).toEqual(['2026-11-02']);
  });

  test('of the starred parcels, too', async () => {
    const window = await withLists();
    const { page } = window;
    await page.getByRole('button', { name: /^Starred/ }).click();
    await page.getByRole('heading', { name: 'Starred' }).waitFor();
    await openExport(page);
    expect(idsOf(await savedRows(page, /^CSV/))).toEqual(shownIds(window, { of: { starred: true } }));
    await sortByAcres(page);
    const ids = shownIds(window, { of: { starred: true }, ordering: '-acres' });
    await page.getByRole('grid', { name: 'Starred parcels' }).focus();
    for (const key of ['ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.getByText('2 of 5 selected').waitFor();
    await openExport(page);
    expect(idsOf(await savedRows(page, /^CSV/))).toEqual(ids.slice(0, 2));
  });
});
