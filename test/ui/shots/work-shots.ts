/** The other screens: usage, settings, markets, lists; empty first, then with work in them. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';
import { runRead } from '../../../engine/reads/index.ts';
import { runChange } from '../../../engine/work/index.ts';
import { foundByKeys, goTo, results, type Shot } from './shot.ts';

/** Lists of every kind, and parcels with a word of everything; once. */
async function fillLists(engine: Engine): Promise<void> {
  if (runRead(engine, 'lists', {}).lists.length > 0) return;
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL AND acres > 5 ORDER BY property_id LIMIT 40",
  );
  const [first = 1, second = 2, third = 3] = ids;
  await runChange(engine, 'make_list', { name: 'Riverfront, spring letters', of: { ids } });
  await runChange(engine, 'make_list', { name: 'Called in October', of: { ids: ids.slice(5, 12) } });
  await runChange(engine, 'save_search', {
    name: 'Out of state, 5 to 80 ac',
    filter: { county: '99001', acres_min: 5, acres_max: 80, out_of_state_owner: true },
  });
  await runChange(engine, 'star', { ids: [first, second, third] });
  await runChange(engine, 'set_mailed_on', { list_id: 1, ids: ids.slice(0, 9), mailed_on: '2026-10-14' });
  await runChange(engine, 'do_not_mail_add', { property_id: third, by: ['owner'] });
}

/** Counties and ZIP codes in two columns of the board; once. */
async function fillMarkets(engine: Engine): Promise<void> {
  if ((await engine.call('list_saved_markets', {})).data.length > 0) return;
  const first = (search: string) => runRead(engine, 'regions', { search }).regions[0]?.id ?? '';
  for (const [search, status] of [
    ['alder', 'Backlog'],
    ['00141', 'Watching'],
    ['00142', 'Watching'],
    ['sullivan nh', 'Backlog'],
  ] as const)
    await runChange(engine, 'save_market', { region_id: first(search), status });
}

const dayFrom = (days: number): string =>
  new Date(Date.now() - new Date().getTimezoneOffset() * 60_000 + days * 86_400_000).toISOString().slice(0, 10);

/** Deals in every stage and of every day; once. */
async function fillDesk(engine: Engine): Promise<void> {
  if (runRead(engine, 'deals', {}).desk.open > 0) return;
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL AND acres > 8 ORDER BY property_id LIMIT 160",
  );
  const stages = ['watching', 'to_mail', 'mailed', 'replied', 'offer_made', 'under_contract'] as const;
  const steps = [
    'Call about offer',
    'Second letter',
    'Ask title company for the report',
    'Drive by',
    'Look up back taxes',
  ];
  const some = (rest: number, of: number) => ids.filter((_, i) => i % of === rest);
  const put = (chosen: readonly number[], more: object) => runChange(engine, 'update_deal', { ids: chosen, ...more });
  for (const [i, stage] of stages.entries()) await put(some(i, 6), { stage });
  for (const [i, next_what] of steps.entries()) await put(some(i, 5), { next_what });
  for (let day = 1; day < 20; day++) await put(some(day, 21), { next_on: dayFrom(day) });
  await put(ids.slice(0, 2), { next_on: dayFrom(-1) });
  await put(ids.slice(2, 6), { next_on: dayFrom(0) });
  for (const [i, id] of some(1, 4).entries()) await put([id], { offer: 8000 + 1500 * i });
  await put(ids.slice(140), { stage: 'dropped' });
  await put(ids.slice(150), { stage: 'closed' });
  await put(ids.slice(2, 3), {
    ...{ log: { what: 'call', detail: 'Wants 62,000. (603) 555-0142' }, note: 'Gate is locked on Sundays' },
    stage: 'offer_made',
  });
}

const filledDesk =
  (after?: (page: Page) => Promise<unknown>): NonNullable<Shot['act']> =>
  async (page, engine) => {
    await fillDesk(engine);
    await goTo('desk')(page);
    await page.reload();
    await page.locator('.desk-grid .apn').first().waitFor();
    await after?.(page);
  };

const onDesk = filledDesk(async (page) => {
  await page.locator('.desk-grid .apn').nth(2).click();
  await page.locator('[data-focus=table]').focus();
  await page.keyboard.press('e');
  await page.locator('.cell-edit').waitFor();
});
const board = filledDesk(async (page) => {
  await page.locator('[data-focus=table]').focus();
  await page.keyboard.press('b');
  await page.locator('.deal').nth(3).waitFor();
  await page.locator('.deal').nth(3).click();
});
const smallDesk = { width: 1024, height: 680 };
const phoneDesk = { width: 390, height: 844 };

const filledLists: Shot['act'] = async (page, engine) => {
  await fillLists(engine);
  await goTo('lists')(page);
  await page.reload();
  await page.getByRole('button', { name: /Riverfront/ }).click();
  await page.locator('.list-grid .apn').first().waitFor();
};

const filledMarkets: Shot['act'] = async (page, engine) => {
  await fillMarkets(engine);
  await goTo('markets')(page);
  await page.reload();
  await page.locator('.market').first().waitFor();
  const priced = page
    .locator('.market')
    .filter({ hasText: 'Alder County' })
    .getByRole('button', { name: 'Market numbers' })
    .first();
  if (await priced.isVisible()) await priced.click();
  await page.getByText('Median sold').first().waitFor();
};

const plannedBook: Shot['act'] = async (page) => {
  await goTo('print')(page);
  await page.locator('.book-plan[data-current=true]').waitFor();
  await page.getByRole('radio', { name: 'Without names' }).click();
};

const madeBook: Shot['act'] = async (page, engine) => {
  await fillLists(engine);
  await goTo('print')(page);
  await page.reload();
  await page.locator('.book-plan[data-current=true]').waitFor();
  await page.locator('[data-focus=book]').selectOption({ label: 'Called in October, 7 parcels' });
  await page.getByRole('radio', { name: 'With owners’ names' }).click();
  await page.getByRole('button', { name: 'Make the book' }).click();
  await page.getByRole('region', { name: 'The book made last' }).waitFor({ timeout: 60_000 });
};

/** What is opened by a key on the parcel that is shown. */
const onParcel =
  (key: string, opened: string): NonNullable<Shot['act']> =>
  async (page) => {
    await foundByKeys(page);
    await page.keyboard.press(key);
    await page.locator(opened).waitFor();
  };

export const workShots: readonly Shot[] = [
  { name: 'toast', act: onParcel('s', '.toast') },
  { name: 'tag', act: onParcel('g', '.dialog') },
  { name: 'book', act: plannedBook },
  { name: 'book-1024x680', size: { width: 1024, height: 680 }, act: plannedBook },
  { name: 'book-made', act: madeBook },
  { name: 'usage', act: goTo('usage') },
  { name: 'settings', act: goTo('settings') },
  { name: 'markets', act: goTo('markets') },
  { name: 'lists', act: goTo('lists') },
  { name: 'import', act: goTo('import') },
  {
    name: 'settings-end',
    act: async (page) => {
      await goTo('settings')(page);
      await page.locator('.page > .scroll').evaluate((one) => one.scrollTo(0, one.scrollHeight));
    },
  },
  { name: 'desk', act: goTo('desk') },
  { name: 'desk-filled', act: onDesk },
  { name: 'desk-board', act: board },
  { name: 'desk-1024x680', size: smallDesk, act: onDesk },
  { name: 'desk-board-1024x680', size: smallDesk, act: board },
  { name: 'desk-390x844', size: phoneDesk, act: filledDesk() },
  {
    name: 'desk-deal-390x844',
    size: phoneDesk,
    act: filledDesk(async (page) => {
      await page.locator('.desk-grid .grid-row[id]').nth(2).click();
      await page.locator('.deal-card .timeline').waitFor();
    }),
  },
  { name: 'lists-filled', act: filledLists },
  { name: 'lists-1024x680', size: { width: 1024, height: 680 }, act: filledLists },
  {
    name: 'lists-add-columns',
    act: async (page, engine) => {
      await filledLists?.(page, engine);
      await page.getByRole('button', { name: 'Add columns' }).click();
      await page.getByRole('region', { name: 'Values' }).getByRole('button').waitFor();
    },
  },
  {
    name: 'lists-search',
    act: async (page, engine) => {
      await filledLists?.(page, engine);
      await page.getByRole('button', { name: /Out of state/ }).click();
      await page.getByRole('heading', { name: /Out of state/ }).waitFor();
    },
  },
  { name: 'markets-filled', act: filledMarkets },
  { name: 'markets-1024x680', size: { width: 1024, height: 680 }, act: filledMarkets },
  {
    name: 'feed',
    act: async (page) => {
      await results(page);
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Live feed' }).click();
      await page.getByRole('button', { name: 'Done' }).waitFor();
    },
  },
  { name: 'usage-filled', act: goTo('usage') },
];
