/**
 * Texts that are longer in a real county than in the sample: APNs of seventeen digits, millions, tags and names of many
 * words.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { columnsThatFit, tableColumns } from '../../renderer/explore/table-columns.tsx';
import {
  countOf,
  eventually,
  goTo,
  hasBrowser,
  type OpenWindow,
  openWindow,
  parcelTitle,
  remembered,
  searchButton,
} from './window.ts';

const available = hasBrowser();

/** Texts of the cells that do not fit into them, or not into their row. */
const cutCells = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll((cells) =>
      cells
        .filter(
          (cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > (cell.parentElement?.clientHeight ?? 0),
        )
        .map((cell) => cell.textContent ?? ''),
    );

async function longApns({ engine, page }: OpenWindow, moreAcres: number): Promise<void> {
  const apns = "UPDATE parcels SET apn = printf('0610073310%07d', property_id), acres = acres + ?";
  engine.land.file.run(apns, moreAcres);
  await page.reload();
  await searchButton(page).click();
  await page.locator('.grid-body .apn').first().waitFor();
}

test('the road, then where the owner lives, give way to names; where nothing fits, all stay', () => {
  const first = tableColumns.slice(0, 7);
  const hidden = (tableRem: number) => {
    const shown = columnsThatFit(first, 5, tableRem);
    return first.map(({ id }) => id).filter((name) => !shown.some(({ id }) => id === name));
  };
  expect([67, 44, 34, 20].map(hidden)).toEqual([[], ['road'], ['road', 'owner_lives_in'], []]);
  const ownerRem = (tableRem: number) => columnsThatFit(first, 5, tableRem).find(({ id }) => id === 'owner')?.width[0];
  expect(ownerRem(20)).toBeGreaterThan(ownerRem(34) ?? 0);
});

describe.runIf(available)('APNs of seventeen digits', { timeout: 240_000 }, () => {
  test('are whole in the table, beside acres of five figures, and leave the buttons of the parcel in one line', async () => {
    const window = await openWindow();
    const { page } = window;
    await longApns(window, 12_000);
    await eventually(() => cutCells(page, '.grid-body [role=gridcell]:has(.apn), .grid-body .n')).toEqual([]);
    const cell = page.locator('.grid-body [role=gridcell]:has(.apn)').first();
    expect(await cell.getAttribute('title')).toMatch(/^\d{17}$/);
    await cell.click();
    await parcelTitle(page).waitFor();
    const tops = await page
      .locator('.apn-line > *')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2));
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
    await page.getByRole('tab', { name: 'Value', exact: true }).click();
    await page.locator('.result-item').first().waitFor();
    expect(await cutCells(page, '.result-item .apn')).toEqual([]);
  });

  test('are whole in a list, and a value of millions stands in one line, as on its own tab', async () => {
    const window = await openWindow();
    const { page, engine } = window;
    await longApns(window, 0);
    const [largest] = engine.sql<{ property_id: number }>(
      'SELECT property_id FROM parcels ORDER BY acres DESC LIMIT 1',
    );
    await runChange(engine, 'make_list', { name: 'Large', of: { ids: [Number(largest?.property_id)] } });
    await page.reload();
    await goTo(page, 'lists');
    await page.getByRole('button', { name: /^Large/ }).click();
    await page.getByRole('button', { name: 'Add columns' }).click();
    await page.getByRole('button', { name: /1 value/ }).click();
    const value = page.locator('.list-grid .grid-body .n').filter({ hasText: /\d to \d/ });
    await value.waitFor();
    expect(await value.innerText()).toMatch(/^[\d,]+ to \d,\d{3},\d{3}$/);
    expect(await cutCells(page, '.list-grid .grid-body [role=gridcell]:has(.apn), .list-grid .grid-body .n')).toEqual(
      [],
    );
    const listed = await value.innerText();
    await page.keyboard.press('Escape');
    await page.locator('.list-grid .grid-body .grid-row').first().dblclick();
    await page
      .getByText(listed.replace(/(^| to )/g, '$1$'))
      .first()
      .waitFor();
  });
});

test.runIf(available)(
  'a tag and a word of many letters leave the notes in their pane',
  { timeout: 120_000 },
  async () => {
    const { page, engine } = await openWindow();
    await searchButton(page).click();
    await page.locator('.grid-body .grid-row').first().click();
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').waitFor();
    const id = Number((await remembered(page)).selected);
    await runChange(engine, 'tag', { name: 'w'.repeat(60), ids: [id] });
    await runChange(engine, 'add_note', { property_id: id, text: 'https://example.com/'.padEnd(400, 'x') });
    await page.reload();
    await page.locator('.tag-chip').waitFor();
    const { pane, all } = await page.locator('.detail').evaluate((one) => ({
      pane: one.getBoundingClientRect().right,
      all: [...one.querySelectorAll('.notes *')].map((part) => part.getBoundingClientRect().right),
    }));
    expect(Math.max(...all)).toBeLessThanOrEqual(pane);
  },
);

test.runIf(available)('APNs of seventeen digits are whole among comps', { timeout: 120_000 }, async () => {
  const { page, engine } = await openWindow();
  engine.land.file.run("UPDATE comps SET apn = printf('0610073310%07d', rowid)");
  await goTo(page, 'comps');
  await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
  await page.locator('[data-focus=comps-button]').click();
  await page.locator('.comps-result .grid-body .apn').first().waitFor();
  const cells = '.comps-result .grid-body [role=gridcell]:has(.apn), .comps-result .grid-body .n';
  await eventually(() => cutCells(page, cells)).toEqual([]);
  expect(await page.locator('.comps-result .grid-body .apn').first().innerText()).toMatch(/^\d{17}$/);
});

test.runIf(available)(
  'with every column chosen no heading lies over another, and the APN stays',
  { timeout: 120_000 },
  async () => {
    const { page } = await openWindow();
    await page.evaluate(
      (columns) => {
        const settings = JSON.parse(localStorage.getItem('platbook.settings') ?? '{}');
        localStorage.setItem('platbook.settings', JSON.stringify({ ...settings, columns }));
      },
      tableColumns.map(({ id }) => id),
    );
    await page.reload();
    await searchButton(page).click();
    const cell = page.locator('.grid-body [role=gridcell]:has(.apn)').first();
    await cell.waitFor();
    const heads = page.locator('.grid-head [role=columnheader]');
    expect(await heads.count()).toBe(tableColumns.length);
    const over = await heads.evaluateAll((all) =>
      all
        .filter((head) => (head.querySelector('button')?.offsetWidth ?? 0) > (head as HTMLElement).offsetWidth)
        .map((head) => head.textContent),
    );
    expect(over).toEqual([]);
    const before = await cell.boundingBox();
    await page.locator('.grid').evaluate((grid) => grid.scrollTo(3000, 0));
    expect((await cell.boundingBox())?.x).toBe(before?.x);
    await cell.click();
    expect((await remembered(page)).selected).not.toBeNull();
  },
);

test.runIf(available)(
  'the badge of a parcel without a shape stands whole beside its APN',
  { timeout: 120_000 },
  async () => {
    const { page, engine } = await openWindow();
    await searchButton(page).click();
    await page.locator('.grid-body .apn').first().waitFor();
    const [shapeless] = engine.sql<{ id: number }>(
      "SELECT property_id AS id FROM parcels WHERE geom IS NULL AND status = 'current' AND fips = '99001' ORDER BY apn",
    );
    // The table goes to the row of the parcel that is selected.
    await page.evaluate((selected) => {
      const kept = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...kept, selected }));
    }, Number(shapeless?.id));
    await page.reload();
    const badge = page.locator('.table-pane .no-shape').first();
    await badge.waitFor();
    await eventually(() => cutCells(page, '.grid-body [role=gridcell]:has(.no-shape)')).toEqual([]);
  },
);

describe.runIf(available)('a number that is refused, at 1024 × 680', { timeout: 120_000 }, () => {
  /** How the words lie to their field, whose width they must not take. */
  const laidOut = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((input) => {
      const field = input.closest('.field') as HTMLElement;
      const words = field.parentElement?.querySelector('.field-problem')?.getBoundingClientRect();
      const { bottom, width } = field.getBoundingClientRect();
      return { width: Math.round(width), isBelow: words === undefined ? null : words.top >= bottom };
    });
  const context = { viewport: { width: 1024, height: 680 } };

  test('says why below its field in Usage', async () => {
    const { page } = await openWindow({ context });
    await countOf(page);
    await page.getByTestId('tokens').click();
    const label = 'Tokens included in a month';
    await page.getByLabel(label).waitFor();
    const { width } = await laidOut(page, label);
    await page.getByLabel(label).fill('10,5');
    await page.keyboard.press('Tab');
    await page.locator('.field-problem').waitFor();
    expect(await laidOut(page, label)).toEqual({ width, isBelow: true });
  });

  test('says why below its field above the comps', async () => {
    const { page } = await openWindow({ context });
    await countOf(page);
    await page.keyboard.press('4');
    await page.getByRole('radio', { name: 'around a point' }).click();
    await page.getByLabel('Center: latitude, longitude').fill('44.1, -71.8');
    await page.getByLabel('Radius', { exact: true }).fill('3');
    await page.getByText('Not listed yet').waitFor();
    await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
    await page.locator('[data-focus=comps-button]').click();
    const label = 'Price from, among those listed';
    await page.getByLabel(label).waitFor();
    const { width } = await laidOut(page, label);
    await page.getByLabel(label).fill('10,5');
    await page.keyboard.press('Tab');
    await page.locator('.narrow-price .field-problem').waitFor();
    expect(await laidOut(page, label)).toEqual({ width, isBelow: true });
  });
});
