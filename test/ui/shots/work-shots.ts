/** The other screens: usage, settings, markets, lists; empty first, then with work in them. */
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
