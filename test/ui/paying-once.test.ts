/** What one press pays for: a double click and a held key are one press, and a refused search is of its own filter. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import { runChange } from '../../engine/work/index.ts';
import { countOf, eventually, hasBrowser, numberIn, openWindow, remembered, searchButton } from './window.ts';

const available = hasBrowser();

const county = '99001';
const isIdle = (button: Locator) => button.evaluate((one) => one.ariaBusy !== 'true' && !one.hasAttribute('disabled'));

/** One click of the mouse in the middle of the button; of a double click the second one has the number 2. */
async function clickAs(page: Page, button: Locator, clickCount: number): Promise<void> {
  const box = await button.boundingBox();
  if (!box) throw new Error('the button is not on the screen');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}

/** Both clicks of a slow double click, the second one after the answer to the first; then a separate press. */
async function pressThrice(page: Page, button: Locator, answered: () => Promise<unknown>): Promise<void> {
  await clickAs(page, button, 1);
  await answered();
  await eventually(() => isIdle(button)).toBe(true);
  await clickAs(page, button, 2);
  await eventually(() => isIdle(button)).toBe(true);
  await button.click();
  await eventually(() => isIdle(button)).toBe(true);
}

/** A held key keeps pressing, even after the answer to the first press. */
async function holdEnter(page: Page, button: Locator, answered: () => Promise<unknown>): Promise<void> {
  await button.focus();
  await page.keyboard.down('Enter');
  await answered();
  await eventually(() => isIdle(button)).toBe(true);
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await eventually(() => isIdle(button)).toBe(true);
  await page.keyboard.up('Enter');
  await page.keyboard.press('Enter');
  await eventually(() => isIdle(button)).toBe(true);
}

describe.runIf(available)('a press pays once', () => {
  test('Search: a filter that is paid for is free from then on, however it is pressed', async () => {
    const { page, ledger } = await openWindow();
    await countOf(page);
    const found = () => page.getByText('Nothing has changed since').waitFor();
    const price = () => searchButton(page).innerText();
    await pressThrice(page, searchButton(page), found);
    expect(await price()).toBe('Search again');
    const acres = page.getByLabel('Acres from', { exact: true });
    await acres.fill('5');
    await eventually(price).toMatch(/^Search\s*uses 30$/);
    await countOf(page);
    await holdEnter(page, searchButton(page), found);
    await acres.fill('');
    await page.getByText('Paid for before: free.').waitFor();
    await searchButton(page).click();
    await found();
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30, 30]);
  });

  test('an empty search keeps the result that was paid for, in view again with one click', async () => {
    const { page, ledger } = await openWindow();
    const all = await countOf(page);
    await searchButton(page).click();
    const title = page.locator('.table-title b');
    await title.waitFor();
    await page.getByLabel('Acres from', { exact: true }).fill('50000');
    await eventually(() => searchButton(page).innerText()).toBe('Search');
    await searchButton(page).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByRole('button', { name: /^Show the .* parcels of .* again$/ }).click();
    expect(numberIn(await title.innerText())).toBe(all);
    expect(await page.locator('.grid-row').count()).toBeGreaterThan(5);
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
  });

  test('Comps and every other priced button, too', async () => {
    const { page, ledger } = await openWindow();
    await countOf(page);
    await page.keyboard.press('4');
    const button = page.locator('[data-focus=comps-button]');
    await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
    const listed = () => page.getByText(/^Listed at/).waitFor();
    await pressThrice(page, button, listed);
    await eventually(() => ledger()).toHaveLength(2);
    await page.getByLabel('Acres from').fill('5');
    await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
    await holdEnter(page, button, listed);
    await eventually(() => ledger()).toHaveLength(4);
  });
});

describe.runIf(available)('a search that was refused', () => {
  const tryAgain = (page: Page) => page.locator('.pane-foot').getByRole('button', { name: 'Try again' });

  test('is of its own filter: another one has its own Search, and Try again says its price', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /402 \(Payment Required\)/ });
    const all = await countOf(page);
    changePlan(engine.account, { invoice_paid: false });
    await searchButton(page).click();
    await tryAgain(page).waitFor();
    expect(await tryAgain(page).innerText()).toMatch(/^Try again\s*uses 30$/);

    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await eventually(() => searchButton(page).innerText()).toMatch(/^Search\s*uses 30$/);
    const large = await countOf(page);
    expect(large).toBeLessThan(all);
    changePlan(engine.account, { invoice_paid: true });
    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    expect(numberIn(await page.locator('.table-title b').innerText())).toBe(large);
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
  });

  test('whose answer was lost is not paid twice, and its error comes back with its filter', async () => {
    const { page, ledger } = await openWindow({ expected: /Failed to load resource/ });
    const all = await countOf(page);
    let isLost = true;
    await page.route('**/app/call/filter_properties', async (route) => {
      if (!isLost) return route.continue();
      isLost = false;
      // The engine has answered and charged; the answer does not arrive.
      await route.fetch();
      return route.abort();
    });
    await searchButton(page).click();
    await tryAgain(page).waitFor();
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await searchButton(page).waitFor();
    await page.getByLabel('Acres from', { exact: true }).fill('');
    await eventually(async () => (await remembered(page)).filter).toEqual({ county });
    await tryAgain(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    expect(numberIn(await page.locator('.table-title b').innerText())).toBe(all);
    expect(ledger()).toHaveLength(1);
  });

  test('cannot be pressed while its filters cannot be counted: their list is gone', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /status of 400/ });
    const all = await countOf(page);
    await runChange(engine, 'make_list', { name: 'Spring', of: { ids: [1, 2, 3] } });
    await page.reload();
    await page.getByRole('button', { name: 'Your stars, tags and lists' }).click();
    await page.getByLabel(/^In the list/).selectOption({ label: 'Spring' });
    await eventually(() => countOf(page)).toBe(3);
    await runChange(engine, 'delete_list', { list_id: 1 });
    // Pressed before the window has heard of it: refused, and nothing is paid for it.
    await searchButton(page).click();
    await page.getByText('Search waits until these filters can be counted.').waitFor();
    await page.locator('.pane-foot').getByText('there is no list 1').waitFor();
    expect(await searchButton(page).isDisabled()).toBe(true);
    expect(ledger()).toEqual([]);
    await page.reload();
    await page.getByText('Search waits until these filters can be counted.').waitFor();
    await page.locator('.sentence').getByRole('button', { name: 'in a deleted list' }).click();
    await eventually(() => countOf(page)).toBe(all);
    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    expect(ledger()).toHaveLength(1);
  });
});
