/** The market board in the window: by mouse, by keys, and its costs. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { bucketWords } from '../../renderer/markets/market-view.ts';
import { moveTo, placed, stepped } from '../../renderer/markets/placing.ts';
import { findings } from './findings.ts';
import { eventually, goTo, hasBrowser, openWindow, typeAndEnter } from './window.ts';

const available = hasBrowser();

const read = <Name extends ReadName>(engine: Engine, name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;

/** `[name, status]` in the order of GET markets/. */
async function listed(engine: Engine): Promise<string[][]> {
  const { data } = await engine.call('list_saved_markets', {});
  return data.map(({ region, status }) => [region.name, status]);
}

/** Alder County, Sullivan County and two ZIP codes of the sample, in this order. */
async function saveFour(engine: Engine): Promise<void> {
  const first = (search: string) => read(engine, 'regions', { search }).regions[0]?.id ?? '';
  const save = (id: string, status: string) => runChange(engine, 'save_market', { region_id: id, status });
  await save(first('alder'), 'Backlog');
  await save(first('sullivan nh'), 'Backlog');
  await save(first('00141'), 'Watching');
  await save(first('00142'), 'Watching');
}

async function showBoard(page: Page): Promise<void> {
  await goTo(page, 'markets');
  await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
}

const card = (page: Page, title: string) =>
  page.locator('.market').filter({ has: page.getByText(title, { exact: true }) });
const column = (page: Page, status: string) => page.locator(`[data-column="${status}"]`);
const titles = (page: Page, status: string) => column(page, status).locator('.market b').allInnerTexts();
const said = (page: Page) => page.locator('.markets [role=status]').last().innerText();

const cards = [
  { id: 1, status: 'a' },
  { id: 2, status: 'b' },
  { id: 3, status: 'a' },
  { id: 4, status: 'a' },
];

describe('a place in a column', () => {
  test('becomes the place in the API’s order that leaves the others in theirs', () => {
    // 4 before 3: the third place of 1 2 4 3.
    expect(moveTo(cards, 4, { status: 'a', index: 1 })).toEqual({ id: 4, position: 3 });
    // 1 behind 4, the last of its column: 2 3 4 1.
    expect(moveTo(cards, 1, { status: 'a', index: 2 })).toEqual({ id: 1, position: 4 });
    // 3 before 2 in the other column: 1 3 2 4.
    expect(moveTo(cards, 3, { status: 'b', index: 0 })).toEqual({ id: 3, status: 'b', position: 2 });
    // Into a column without cards: its place in the order stays.
    expect(moveTo(cards, 3, { status: 'c', index: 0 })).toEqual({ id: 3, status: 'c' });
    expect(moveTo(cards, 3, { status: 'a', index: 1 })).toBeNull();
    expect(placed(cards, 1, { status: 'b', index: 1 }).map(({ id }) => id)).toEqual([2, 1, 3, 4]);
  });

  test('ends at the edges of the board', () => {
    const at = { id: 3, status: 'a', index: 1 };
    expect(stepped(cards, ['a', 'b'], at, 'ArrowUp')).toEqual({ status: 'a', index: 0 });
    expect(stepped(cards, ['a', 'b'], { ...at, index: 2 }, 'ArrowDown')).toEqual({ status: 'a', index: 2 });
    expect(stepped(cards, ['a', 'b'], at, 'ArrowLeft')).toEqual({ status: 'a', index: 1 });
    // Two other cards in `a`, one in `b`: the second place is there the last one.
    expect(stepped(cards, ['a', 'b'], { ...at, index: 2 }, 'ArrowRight')).toEqual({ status: 'b', index: 1 });
  });
});

test.each([
  ['20 acre-40 acre', '20 to 40 acres'],
  ['0-9.5k sqft', '0 to 9,500 sq ft'],
  ['9.5k sqft-1 acre', '9,500 sq ft to 1 acre'],
  ['0-0.25 acre', '0 to 0.25 acre'],
  ['5 acre-10000 acre', '5 to 10,000 acres'],
])('the range %s reads %s', (bucket, words) => {
  expect(bucketWords(bucket)).toBe(words);
});

describe.runIf(available)('the market board', () => {
  test('a region is found and added by keys, gets its numbers for one price, and keeps them over a reload', async () => {
    const { page, engine, ledger } = await openWindow();
    await showBoard(page);
    await page.getByRole('button', { name: 'Add a county or ZIP' }).click();
    await page.keyboard.type('ald');
    await page.getByRole('option', { name: /Alder County/ }).waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => listed(engine)).toEqual([['Alder County', 'Backlog']]);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('add-region');
    expect(ledger()).toEqual([]);
    await card(page, 'Alder County').getByRole('button', { name: 'Market numbers' }).click();
    await page.getByText('Median sold').waitFor();
    expect(ledger()).toEqual([{ endpoint: 'public_market_stats', mode: 'app', tokens: 10 }]);

    const { data } = await engine.call('get_market_stats', { fips: '99001' });
    const numbers = data.stats.find(({ type }) => type === '20 acre-40 acre')?.data;
    const value = (label: string) =>
      card(page, 'Alder County').locator('dl > div').filter({ hasText: label }).locator('.value').innerText();
    expect(await value('Sold, 12 months')).toBe(String(numbers?.sold_count));
    expect(await value('Median sold')).toBe(Math.round(numbers?.median_sold_ppa ?? 0).toLocaleString('en-US'));
    await page.getByLabel('Lot size').selectOption('5 acre-10000 acre');
    const wide = data.stats.find(({ type }) => type === '5 acre-10000 acre')?.data;
    await eventually(() => value('Active now')).toBe(String(wide?.active_count));
    expect(wide?.active_count).not.toBe(numbers?.active_count);
    await page.reload();
    await eventually(() => value('Active now')).toBe(String(wide?.active_count));
    expect(ledger().filter(({ mode }) => mode === 'app')).toHaveLength(1);
  });

  test('Space picks a card up, arrows move it and say where, Escape puts it back, Space puts it down', async () => {
    const { page, engine } = await openWindow();
    await saveFour(engine);
    const before = await listed(engine);
    await showBoard(page);
    await card(page, 'Sullivan County').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await eventually(() => titles(page, 'Watching')).toEqual(['ZIP 00141', 'Sullivan County', 'ZIP 00142']);
    await eventually(() => said(page)).toBe('Sullivan County: Watching, place 2 of 3.');
    await page.keyboard.press('Escape');
    await eventually(() => titles(page, 'Backlog')).toEqual(['Alder County', 'Sullivan County']);
    await eventually(() => listed(engine)).toEqual(before);

    for (const key of ['Space', 'ArrowRight', 'ArrowUp', 'Space']) await page.keyboard.press(key);
    const moved = [
      ['Alder County', 'Backlog'],
      ['Sullivan County', 'Watching'],
      ['00141', 'Watching'],
      ['00142', 'Watching'],
    ];
    await eventually(() => listed(engine)).toEqual(moved);
    expect(await said(page)).toBe('Put down. Sullivan County: Watching, place 1 of 3.');
    await eventually(() => page.evaluate(() => document.activeElement?.querySelector('b')?.textContent)).toBe(
      'Sullivan County',
    );
    // Not picked up, arrows go from card to card.
    await page.keyboard.press('ArrowDown');
    await eventually(() => page.evaluate(() => document.activeElement?.querySelector('b')?.textContent)).toBe(
      'ZIP 00141',
    );
    await page.keyboard.press('Control+z');
    await eventually(() => listed(engine)).toEqual(before);
    await page.keyboard.press('Shift+Control+z');
    await eventually(() => listed(engine)).toEqual(moved);
    await page.reload();
    await eventually(() => titles(page, 'Watching')).toEqual(['Sullivan County', 'ZIP 00141', 'ZIP 00142']);
  });

  test('a card is dragged into another column and within its own; Escape lets it go', async () => {
    const { page, engine, ledger } = await openWindow();
    await saveFour(engine);
    await showBoard(page);
    // Each place is measured while the board is still and the card is held.
    const drag = async (title: string, target: Locator, down: number) => {
      await eventually(() => page.locator('.market[data-held=true]').count()).toBe(0);
      await card(page, title).locator('.grip').hover();
      const box = await card(page, title).locator('.grip').boundingBox();
      await page.mouse.down();
      await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
      const to = await target.boundingBox();
      await page.mouse.move((to?.x ?? 0) + 60, (to?.y ?? 0) + down, { steps: 6 });
    };
    await drag('Alder County', column(page, 'Active'), 120);
    await eventually(() => titles(page, 'Active')).toEqual(['Alder County']);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await eventually(() => titles(page, 'Active')).toEqual([]);
    await drag('Alder County', column(page, 'Active'), 120);
    await page.mouse.up();
    await eventually(async () => (await listed(engine))[0]).toEqual(['Alder County', 'Active']);

    // The engine has it before the board is redrawn.
    await eventually(() => titles(page, 'Active')).toEqual(['Alder County']);
    await eventually(() => titles(page, 'Watching')).toEqual(['ZIP 00141', 'ZIP 00142']);
    await drag('ZIP 00142', card(page, 'ZIP 00141'), 4);
    await eventually(() => titles(page, 'Watching')).toEqual(['ZIP 00142', 'ZIP 00141']);
    await page.mouse.up();
    await eventually(async () => (await listed(engine)).map(([name]) => name)).toEqual([
      'Alder County',
      'Sullivan County',
      '00142',
      '00141',
    ]);
    // The toast of the move before may be the last one still.
    await page.locator('.toast').filter({ hasText: '00142' }).getByRole('button', { name: 'Undo' }).click();
    await eventually(() => titles(page, 'Watching')).toEqual(['ZIP 00141', 'ZIP 00142']);
    expect(ledger()).toEqual([]);
  });

  test('the menu does all that dragging does; own columns come, are renamed and go; a removed market comes back', async () => {
    const { page, engine, ledger } = await openWindow();
    await saveFour(engine);
    await showBoard(page);
    await page.getByRole('button', { name: 'New column' }).click();
    await page.getByLabel('Name of the column').fill('Mailed');
    await page.keyboard.press('Enter');
    await column(page, 'Mailed').waitFor();
    const menu = async (title: string, item: string) => {
      await page.getByRole('button', { name: `Status and more of ${title}` }).click();
      await page.getByRole('menu').getByText(item, { exact: true }).click();
    };
    await menu('ZIP 00141', 'Mailed');
    await eventually(async () => (await listed(engine))[2]).toEqual(['00141', 'Mailed']);
    await menu('Sullivan County', 'Move up');
    await eventually(() => titles(page, 'Backlog')).toEqual(['Sullivan County', 'Alder County']);
    await page.getByRole('button', { name: 'Column Mailed' }).click();
    await page.getByRole('menuitem', { name: 'Rename the column' }).click();
    await page.getByLabel('Name of the column').fill('Letters sent');
    await page.keyboard.press('Enter');
    await eventually(async () => (await listed(engine)).map(([, status]) => status)).toContain('Letters sent');
    await eventually(() => column(page, 'Mailed').count()).toBe(0);
    await menu('ZIP 00141', 'Remove from the board');
    await eventually(async () => (await listed(engine)).length).toBe(3);
    await page.keyboard.press('Control+z');
    await eventually(async () => (await listed(engine)).length).toBe(4);
    await page.reload();
    await eventually(() => titles(page, 'Letters sent')).toEqual(['ZIP 00141']);
    await menu('ZIP 00141', 'Watching');
    await eventually(() => titles(page, 'Letters sent')).toEqual([]);
    await page.getByRole('button', { name: 'Column Letters sent' }).click();
    await page.getByRole('menuitem', { name: 'Remove the column' }).click();
    await eventually(() => column(page, 'Letters sent').count()).toBe(0);
    expect(ledger()).toEqual([]);
  });

  test('a county without sales offers no numbers for tokens; a ZIP says that its numbers are the county’s', async () => {
    const { page, engine } = await openWindow();
    await saveFour(engine);
    await showBoard(page);
    await card(page, 'Sullivan County').getByText('No sales or listings of Sullivan County').waitFor();
    expect(await card(page, 'Sullivan County').locator('[data-priced]').count()).toBe(0);
    await card(page, 'ZIP 00141').getByRole('button', { name: 'Market numbers' }).click();
    await card(page, 'ZIP 00141').getByText('Numbers of all Alder County').waitFor();
    await card(page, 'Alder County').getByText('Median sold').waitFor();
  });

  test('axe finds nothing serious or critical on the board, in any theme', async () => {
    const { page, engine } = await openWindow({ mode: 'development' });
    await showBoard(page);
    await page.getByRole('heading', { name: 'No markets yet' }).waitFor();
    expect(await findings(page), 'empty').toEqual([]);
    await saveFour(engine);
    await page.reload();
    await card(page, 'Alder County').getByRole('button', { name: 'Market numbers' }).click();
    await page.getByText('Median sold').first().waitFor();
    await card(page, 'Alder County').focus();
    await page.keyboard.press('Space');
    expect(await findings(page), 'a card in the hand').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Add a region').fill('00');
    await page.getByRole('listbox', { name: 'Regions' }).getByRole('option').first().waitFor();
    expect(await findings(page), 'regions').toEqual([]);
  });

  test('Enter right behind a keystroke adds nothing that was offered for the text before', async () => {
    const { page, engine } = await openWindow();
    await showBoard(page);
    const offers = page.getByRole('listbox', { name: 'Regions' }).getByRole('option');
    await page.getByLabel('Add a region').fill('alder');
    await offers.first().waitFor();
    await typeAndEnter(page.getByLabel('Add a region'), 'sullivan nh');
    await eventually(() => offers.allInnerTexts().then(([first = '']) => first)).toMatch(/^Sullivan County/);
    await page.keyboard.press('Enter');
    await eventually(() => listed(engine)).toEqual([['Sullivan County', 'Backlog']]);
    // The next one is typed at once.
    await card(page, 'Sullivan County').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Add a region',
    );
    await page.keyboard.type('alder');
    await offers.first().waitFor();
  });

  test('in forced colors a line marks the held card, and nothing is cut off at 1024 × 680', async () => {
    const { page, engine } = await openWindow({
      context: { viewport: { width: 1024, height: 680 }, forcedColors: 'active' },
    });
    await saveFour(engine);
    await showBoard(page);
    await card(page, 'Alder County').focus();
    await page.keyboard.press('Space');
    expect(await page.locator('.market[data-held=true]').evaluate((one) => getComputedStyle(one).outlineStyle)).toBe(
      'dashed',
    );
    expect(await findings(page)).toEqual([]);
    const cut = await page
      .locator('.page-head, .market-head, .market-foot')
      .evaluateAll((parts) =>
        parts.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent),
      );
    expect(cut).toEqual([]);
  });
});
