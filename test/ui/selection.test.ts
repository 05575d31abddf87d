/** Several parcels at once: in the table by mouse and by keyboard, on the map, and what can be done with them. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { findings } from './findings.ts';
import { lookAt, middleOf, openMapWindow, searched, selectedId, selectedMany } from './map-window.ts';
import { eventually, hasBrowser, type OpenWindow } from './window.ts';

const available = hasBrowser();

const grid = (page: Page) => page.getByRole('grid', { name: 'Parcels found' });
const row = (page: Page, index: number) => page.locator(`.grid-body .grid-row[aria-rowindex="${index + 2}"]`);
const shownSelected = (page: Page): Promise<number[]> =>
  page
    .locator('.grid-body .grid-row[aria-selected=true]')
    .evaluateAll((rows) => rows.map(({ id }) => Number(id.slice(4))));

/** Ids in the order of the table, by the engine. */
const order = ({ engine }: OpenWindow, limit: number): number[] => {
  const input = { filter: { county: '99001' }, columns: ['apn'], ordering: '-acres', limit };
  const { rows } = runRead(engine, 'result_page', input) as ReadOutputOf<'result_page'>;
  return rows.map(({ property_id: id }) => id as number);
};

const sorted = (ids: readonly number[]): number[] => ids.toSorted((a, b) => a - b);

describe.runIf(available)('several parcels', { timeout: 240_000 }, () => {
  test('are chosen in the table by Shift, Ctrl and keys, all of them with rows that were never shown', async () => {
    const window = await openMapWindow();
    const { page } = window;
    await searched(page);
    const ids = order(window, 1000);
    expect(await grid(page).getAttribute('aria-multiselectable')).toBe('true');
    const chosen = async (expected: readonly number[]) =>
      eventually(async () => sorted(await selectedMany(page))).toEqual(sorted(expected));

    await row(page, 1).click();
    await row(page, 4).click({ modifiers: ['Shift'] });
    await chosen(ids.slice(1, 5));
    await eventually(async () => sorted(await shownSelected(page))).toEqual(sorted(ids.slice(1, 5)));
    await page.getByRole('toolbar', { name: 'Selected parcels' }).getByText('4 selected').waitFor();
    await row(page, 0).click({ modifiers: ['Shift'] });
    await chosen(ids.slice(0, 2));
    await row(page, 5).click({ modifiers: ['Control'] });
    await chosen([ids[0], ids[1], ids[5]] as number[]);
    await row(page, 1).click({ modifiers: ['Control'] });
    await chosen([ids[0], ids[5]] as number[]);

    await row(page, 2).click();
    await chosen([]);
    await grid(page).focus();
    for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp'])
      await page.keyboard.press(key);
    await chosen(ids.slice(2, 5));
    expect(await selectedId(page)).toBe(ids[4]);
    await page.keyboard.press('ArrowDown');
    await chosen([]);
    await eventually(() => selectedId(page)).toBe(ids[5]);

    // Far below the loaded rows: all rows between are selected, not only the loaded ones.
    await page.keyboard.press('Shift+End');
    await eventually(async () => (await selectedMany(page)).length, 'to the end').toBe(6045 - 5);
    await page.keyboard.press('Control+a');
    await eventually(async () => (await selectedMany(page)).length, 'all').toBe(6045);
    expect(new Set(await selectedMany(page)).size).toBe(6045);
    await page.keyboard.press('Escape');
    await chosen([]);
    expect(await selectedId(page)).not.toBeNull();
  });

  test('in a box on the map are the selected rows, and are starred, excluded from letters and exported together', async () => {
    const window = await openMapWindow();
    const { page, engine, ledger } = window;
    await searched(page);
    await lookAt(page, { ...middleOf(engine, '99001'), zoom: 14.5 });
    const box = await page.locator('.map-canvas canvas').boundingBox();
    if (!box) throw new Error('the map has no place');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.keyboard.down('Shift');
    await page.mouse.move(x - 60, y - 50);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 50, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await eventually(async () => (await selectedMany(page)).length).toBeGreaterThan(3);
    const ids = await selectedMany(page);
    const bar = page.getByRole('toolbar', { name: 'Selected parcels' });
    await bar.getByText(`${ids.length} selected`).waitFor();
    // The row of the one that the detail shows comes into view, and with it those of its neighbours in the order.
    await eventually(() => shownSelected(page)).toContain(await selectedId(page));
    for (const id of await shownSelected(page)) expect(ids).toContain(id);

    const count = (sql: string) => engine.account.file.get<{ n: number }>(sql)?.n;
    await bar.getByRole('button', { name: 'Star' }).click();
    await eventually(() => count('SELECT count(*) AS n FROM stars')).toBe(ids.length);
    await bar.getByRole('button', { name: 'Do not mail' }).click();
    await page.getByText(/^Added [\d,]+ owners? to Do not mail/).waitFor();
    const owners = engine.land.file.get<{ n: number }>(
      `SELECT count(DISTINCT coalesce('a' || mailing_key, 'o' || owner_name)) AS n FROM parcels WHERE property_id IN (${ids.join()})`,
    )?.n;
    expect(count('SELECT count(*) AS n FROM do_not_mail')).toBe(owners);
    await page.keyboard.press('Control+z');
    await eventually(() => count('SELECT count(*) AS n FROM do_not_mail')).toBe(0);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menu', { name: 'Export' }).getByText(`${ids.length} parcels, free`).waitFor();
    await page.keyboard.press('Escape');
    expect(await findings(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    await eventually(() => selectedMany(page)).toEqual([]);
    expect(ledger()).toHaveLength(1);
  });
});
