/** The Desk: a day of it by keyboard alone and by mouse, on a desk and on a phone; that a key has one meaning on a screen. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { commands, commandsHere } from '../../renderer/commands.ts';
import { dayWords, parseDay } from '../../renderer/desk/next-date.ts';
import { listView } from '../../renderer/lists/list-state.ts';
import { navigation } from '../../renderer/state/navigation.ts';
import { findings } from './findings.ts';
import { eventually, goTo, hasBrowser, type OpenWindow, openWindow, settled } from './window.ts';

const available = hasBrowser();

test.each([
  ['fri', '2026-12-04'],
  ['Saturday', '2026-12-05'],
  ['+7', '2026-12-05'],
  ['+2w', '2026-12-12'],
  ['today', '2026-11-28'],
  ['tomorrow', '2026-11-29'],
  ['12/1', '2026-12-01'],
  ['11/27', '2027-11-27'],
  ['12/1/27', '2027-12-01'],
  ['1 dec', '2026-12-01'],
  ['3 March 2027', '2027-03-03'],
  ['2026-12-31', '2026-12-31'],
  ['', undefined],
  ['2/30', null],
  ['1926-03-01', null],
  ['someday', null],
  ['+', null],
])('on Saturday 28 November 2026, “%s” is %s', (text, day) => {
  expect(parseDay(text, '2026-11-28')).toBe(day);
});

test('a day is said with its weekday, and with its year where it is another', () => {
  expect(dayWords('2026-12-01', '2026-11-28')).toBe('Tue 1 Dec');
  expect(dayWords('2027-03-15', '2026-11-28')).toBe('Mon 15 Mar 2027');
});

test('no key means two things on one screen', () => {
  for (const screen of ['explore', 'desk', 'lists', 'settings']) {
    navigation.set({ screen });
    const keys = commandsHere().flatMap(({ keys: own }) => (own === null ? [] : [own]));
    expect(new Set(keys).size, screen).toBe(keys.length);
  }
  listView.set({ shown: { kind: 'mailing', id: 1, list: 1 } });
  navigation.set({ screen: 'lists' });
  const onMailing = commandsHere().filter(({ of, keys }) => of === 'mailing' || ['k', 'o'].includes(keys ?? ''));
  expect(onMailing.map(({ id }) => id)).toEqual(['mailing-keep', 'mailing-leave-out']);
  listView.set({ shown: null });
  navigation.set({ screen: 'explore' });
  expect(commands.filter(({ of }) => of === 'desk')).toHaveLength(9);
});

const today = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
const dayFrom = (days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Five deals: one overdue, two today, one next month, one without a day. @returns their ids in the order of the table */
async function openDesk(more: Parameters<typeof openWindow>[0] = {}): Promise<OpenWindow & { ids: readonly number[] }> {
  let ids: readonly number[] = [];
  const window = await openWindow({
    ...more,
    prepare: async (engine) => {
      ids = engine.land.file.column<number>(
        "SELECT property_id FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL ORDER BY property_id LIMIT 5",
      );
      const put = (place: number, update: object) => engine.call('update_deal', { ids: [ids[place] ?? 0], ...update });
      await put(0, { stage: 'replied', next_on: dayFrom(-2), next_what: 'Call back' });
      await put(1, { stage: 'mailed', next_on: today, next_what: 'Second letter' });
      await put(2, { next_on: today });
      await put(3, { stage: 'offer_made', offer: 50_000, next_on: dayFrom(40), next_what: 'Offer ends' });
      await put(4, { stage: 'to_mail' });
      return {};
    },
  });
  await goTo(window.page, 'desk');
  await window.page.locator('.desk-grid .apn').first().waitFor();
  return { ...window, ids };
}

type Deal = ReadOutputOf<'deals'>['results'][number];

const dealOf = ({ engine }: OpenWindow, id: number | undefined): Deal => {
  const [found] = runRead(engine, 'deals', { ids: [id ?? 0], timeline: true }).results;
  if (!found) throw new Error(`there is no deal ${id}`);
  return found;
};

const rowsOf = (page: Page) => page.locator('.desk-grid .grid-body .grid-row').allInnerTexts();

describe.runIf(available)('the Desk', () => {
  test('a day by keyboard alone: move on, next date, offer, call, note, several at once, each one undo', async () => {
    const window = await openDesk();
    const { page, ids } = window;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const groups = (await rowsOf(page)).filter((text) => /^(Overdue|Today|This week|Later|No next step) /.test(text));
    expect(groups.map((text) => text.replace(/ ·.*/, ''))).toEqual([
      'Overdue 1',
      'Today 2',
      'Later 1',
      'No next step 1',
    ]);
    await page.locator('[data-focus=table]').focus();
    // The first deal: M, then the first letter of a stage.
    await press('j', 'm');
    await page.getByRole('menu').waitFor();
    await press('o');
    await eventually(() => dealOf(window, ids[0]).stage).toBe('offer_made');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('table');
    // D writes the day; Tab goes on to the words, and Enter keeps them.
    await press('d');
    await page.getByLabel('Day of the next step').first().waitFor();
    await page.keyboard.type('+7');
    await press('Tab');
    await page.locator('.cell-edit').getByLabel('Next step', { exact: true }).waitFor();
    await page.keyboard.type('Send deed');
    await press('Enter');
    await eventually(() => dealOf(window, ids[0])).toMatchObject({ next_on: dayFrom(7), next_what: 'Send deed' });
    // Escape leaves a cell as it was.
    await press('e');
    await page.locator('.cell-edit').waitFor();
    await page.keyboard.type('no');
    await press('Escape');
    await page.locator('.cell-edit').waitFor({ state: 'detached' });
    expect(dealOf(window, ids[0]).next_what).toBe('Send deed');
    await press('l');
    await page.getByPlaceholder(/^What was said/).waitFor();
    await page.keyboard.type('Wants 62,000');
    await press('Enter');
    await page.locator('.timeline').getByText('Wants 62,000').waitFor();
    expect(dealOf(window, ids[0]).timeline?.[0]).toMatchObject({ what: 'call', detail: 'Wants 62,000' });
    await press('n');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('deal-note');
    await page.keyboard.type('Gate is locked');
    await press('Enter');
    await eventually(() => dealOf(window, ids[0]).note).toBe('Gate is locked');
    // Two at once: one change, one undo.
    await page.locator('[data-focus=table]').focus();
    await press('Home', 'Shift+ArrowDown', 'm');
    await page.getByRole('menu').waitFor();
    await press('d');
    const stages = () => ids.map((id) => dealOf(window, id).stage);
    await eventually(() => stages().filter((stage) => stage === 'dropped').length).toBe(2);
    await page.locator('.toast').filter({ hasText: 'Moved 2 parcels to Dropped' }).waitFor();
    await press('Control+z');
    await eventually(() => stages()).toEqual(['offer_made', 'mailed', 'watching', 'offer_made', 'to_mail']);
    expect(window.ledger()).toEqual([]);
  });

  test('counts in the head and stages filter; a cell is edited by a press; the board moves a card by M', async () => {
    const window = await openDesk();
    const { page, ids } = window;
    await page.getByRole('button', { name: '1 overdue' }).click();
    await eventually(() => page.locator('.desk-grid .apn').count()).toBe(1);
    await page.getByRole('button', { name: '5 open' }).click();
    await eventually(() => page.locator('.desk-grid .apn').count()).toBe(5);
    await page
      .getByRole('navigation', { name: 'Stages' })
      .getByRole('button', { name: /Offer made/ })
      .click();
    await eventually(() => page.locator('.desk-grid .apn').count()).toBe(1);
    await page.locator('.desk-grid .apn').first().click();
    await page.locator('.desk-grid [title="Edit the offer"]').click();
    await page.locator('.cell-edit').getByLabel('Offer, $').fill('47,500');
    await page.keyboard.press('Enter');
    await eventually(() => dealOf(window, ids[3]).offer).toBe(47_500);
    await page.getByRole('radio', { name: 'Board' }).click();
    const card = page.getByRole('list', { name: 'Deals under To mail' }).getByRole('listitem');
    await page.getByRole('button', { name: 'All open' }).click();
    await page.getByRole('radio', { name: 'Board' }).click();
    await card.click();
    await page.keyboard.press('m');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('m');
    await eventually(() => dealOf(window, ids[4]).stage).toBe('mailed');
    await page.getByRole('list', { name: 'Deals under Mailed' }).getByRole('listitem').nth(1).waitFor();
    // J and K walk through the cards of a column, as the arrows do.
    await page.getByRole('list', { name: 'Deals under Mailed' }).getByRole('listitem').first().click();
    await page.keyboard.press('j');
    const focused = () =>
      page.evaluate(() =>
        [...(document.activeElement?.parentElement?.children ?? [])].indexOf(document.activeElement as Element),
      );
    await eventually(focused).toBe(1);
    await page.keyboard.press('k');
    await eventually(focused).toBe(0);
  });

  test('an empty desk says how a deal gets there; the parcel’s panel puts one there', async () => {
    const { page, engine } = await openWindow();
    await goTo(page, 'desk');
    await page.getByRole('heading', { name: 'Nothing on the desk yet' }).waitFor();
    await page.getByRole('button', { name: 'Add a deal' }).click();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('search');
    await page.keyboard.type('12-1');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.detail-foot').getByRole('button', { name: 'Move on' }).click();
    await page.getByRole('menuitem', { name: /Watching/ }).click();
    await eventually(() => runRead(engine, 'deals', {}).desk.open).toBe(1);
  });

  test.each([
    ['1440 × 900', 1440, 900],
    ['1024 × 680', 1024, 680],
    ['390 × 844', 390, 844],
  ])('is readable by everybody at %s, table, board and card', async (_size, width, height) => {
    const { page } = await openDesk();
    await page.setViewportSize({ width, height });
    await settled(page);
    expect(await findings(page)).toEqual([]);
    await page.locator('.desk-grid .apn').first().click();
    if (width === 390) {
      const low = await page
        .locator('.deal-card .detail-foot .button')
        .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).length);
      expect(low).toBe(0);
      await page.locator('.deal-card .timeline').waitFor();
    } else {
      await page.locator('[data-focus=table]').focus();
      await page.keyboard.press('Enter');
      await page.locator('.deal-card .timeline').waitFor();
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('b');
      await page.locator('.deal').first().waitFor();
    }
    await settled(page);
    expect(await findings(page)).toEqual([]);
  });

  test('on a phone a row has 64 pixels and opens its deal over the whole screen', async () => {
    const { page } = await openDesk();
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.locator('.desk-grid.phone .grid-row[id]').first();
    await row.waitFor();
    expect((await row.boundingBox())?.height).toBeGreaterThanOrEqual(64);
    await row.click();
    await page.locator('.deal-card .timeline').waitFor();
    expect(await page.locator('.desk-grid').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Close the deal' }).click();
    await row.waitFor();
  });
});
