/** Only a button that shows its price charges: every other control of every screen is pressed, and the ledger is read. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { emptyHome } from '../support/homes.ts';
import {
  allScreens,
  countOf,
  eventually,
  hasBrowser,
  type OpenWindow,
  openWindow,
  searchButton,
  settled,
} from './window.ts';

const available = hasBrowser();

/**
 * In the page: presses every control without a price, then those that appear, until there is nothing new; chooses every
 * option of a `<select>`. @returns what was pressed, in words
 */
async function pressEverything(): Promise<string[]> {
  const pressed = new Set<string>();
  const screen = location.hash;
  const roles = ['menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'radio', 'checkbox', 'switch', 'option'];
  const kinds = ['button', 'summary', 'select', 'a[href]', 'input[type=checkbox]', 'input[type=radio]'];
  // Folders and files of this computer vary; the sample's banner and the first run lead to another home.
  const isLeftOut = (one: Element) =>
    one.closest('[data-priced], [data-command=search], .folder-entry, .banner, .first-run .choice') !== null;
  const nameOf = (one: HTMLElement) =>
    `${one.tagName} ${one.getAttribute('aria-label') ?? ''} ${one.closest('label')?.textContent ?? one.textContent}`;
  const find = () =>
    [...document.querySelectorAll<HTMLElement>([...kinds, ...roles.map((role) => `[role=${role}]`)].join())].find(
      (one) => one.checkVisibility() && !isLeftOut(one) && !pressed.has(nameOf(one)),
    );
  const rest = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const press = async (one: HTMLElement) => {
    if (one instanceof HTMLSelectElement) {
      for (const { value } of one.options) {
        one.value = value;
        one.dispatchEvent(new Event('change', { bubbles: true }));
        await rest(5);
      }
      return;
    }
    one.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
    one.click();
    await rest(15);
  };
  for (let next = find(); next && pressed.size < 400; next = find()) {
    pressed.add(nameOf(next));
    await press(next);
    if (location.hash === screen) continue;
    location.hash = screen;
    await rest(100);
  }
  return [...pressed];
}

/** Each screen freshly opened, with stored state. @param tabs of the parcel that Explore opens with */
async function pressAllScreens(page: Page, tabs: readonly string[] = ['parcel']): Promise<Set<string>> {
  const pressed = new Set<string>();
  // Import last: it has buttons that take data away.
  const screens = (await allScreens(page)).sort((a, b) => Number(a === 'import') - Number(b === 'import'));
  const stops = screens.flatMap((screen) => (screen === 'explore' ? tabs : ['']).map((tab) => ({ screen, tab })));
  const remembered = await page.evaluate(() => localStorage.getItem('platbook.explore'));
  for (const { screen, tab } of stops) {
    await page.evaluate(
      ([state, detailTab, to]) => {
        localStorage.setItem('platbook.explore', JSON.stringify({ ...JSON.parse(state ?? '{}'), detailTab }));
        location.hash = `/${to}`;
      },
      [remembered, tab, screen],
    );
    await page.reload();
    await page.locator('.rail').waitFor();
    await settled(page);
    const here = await page.evaluate(pressEverything);
    for (const label of here) pressed.add(`${screen} ${label}`);
    console.log(`${screen} ${tab}: ${here.length} controls`);
  }
  return pressed;
}

/** A home with something on every screen: a search, a value, comps, a list, a market, a star. */
async function worked({ page, engine }: OpenWindow): Promise<void> {
  await countOf(page);
  await searchButton(page).click();
  await page.getByText('Nothing has changed since').waitFor();
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND acres BETWEEN 20 AND 42 AND geom IS NOT NULL ORDER BY property_id LIMIT 4",
  );
  await runChange(engine, 'make_list', { name: 'Riverfront', of: { ids } });
  await runChange(engine, 'star', { ids: ids.slice(0, 2) });
  await runChange(engine, 'tag', { name: 'Lake', ids });
  const { data } = await engine.call('list_regions', { search: 'alder' });
  await runChange(engine, 'save_market', { region_id: data.results[0]?.id ?? '' });
  await runChange(engine, 'save_search', { name: 'Large', filter: { county: '99001', acres_min: 40 } });
  await page.evaluate((selected) => {
    const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
    localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: 'value' }));
  }, ids[0]);
  await page.reload();
}

/** The price shown on a button. */
const priceOn = async (page: Page, selector: string): Promise<number> =>
  Number(/uses ([\d,]+)/.exec(await page.locator(selector).first().innerText())?.[1]?.replaceAll(',', ''));

describe.runIf(available)('what charges', { timeout: 900_000 }, () => {
  test('buttons with a price charge it exactly, and nothing else on any screen charges', async () => {
    const window = await openWindow({ map: true, expected: /status of 4\d\d/ });
    const { page, ledger } = window;
    const spent = () => ledger().reduce((sum, { tokens }) => sum + tokens, 0);
    const pressPriced = async (selector: string) => {
      const before = spent();
      await page.locator(selector).first().waitFor();
      const price = await priceOn(page, selector);
      expect(price).toBeGreaterThan(0);
      await page.locator(selector).first().click();
      await eventually(() => spent() - before, selector).toBe(price);
    };
    await worked(window);
    expect(spent()).toBe(30);
    await pressPriced('[data-focus=value-first]');
    await page.getByTestId('range').waitFor();
    await pressPriced('[data-priced]:has-text("Refresh")');
    await page.getByRole('link', { name: 'Comps' }).click();
    await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
    await pressPriced('[data-focus=comps-button]');
    await page.getByTestId('comps-summary').waitFor();

    const before = ledger();
    const pressed = await pressAllScreens(page, ['parcel', 'value', 'comps']);
    expect(pressed.size).toBeGreaterThan(150);
    // All requests so far have been answered.
    await settled(page);
    expect(ledger()).toEqual(before);
  });

  test('in an empty home nothing charges at all', async () => {
    const { page, ledger } = await openWindow({ home: emptyHome(), expected: /status of 4\d\d/ });
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    const pressed = await pressAllScreens(page);
    expect(pressed.size).toBeGreaterThan(40);
    expect(ledger()).toEqual([]);
  });
});
