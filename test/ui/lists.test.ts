/** The user's own work in the window: stars, notes, tags, lists, saved searches, undo; that it is stored, and free. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ReadInputOf, type ReadName, type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { type ChangeInputOf, type ChangeName, runChange } from '../../engine/work/index.ts';
import { findings } from './findings.ts';
import {
  countOf,
  eventually,
  goTo,
  hasBrowser,
  openWindow,
  parcelTitle,
  remembered,
  searchButton,
  settled,
} from './window.ts';

const available = hasBrowser();

const read = <Name extends ReadName>(engine: Engine, name: Name, input: ReadInputOf<Name>) =>
  runRead(engine, name, input) as ReadOutputOf<Name>;
const change = <Name extends ChangeName>(engine: Engine, name: Name, input: ChangeInputOf<Name>) =>
  runChange(engine, name, input);

/** The sample searched once, with its first row selected. @returns the parcel's id */
async function withParcel(page: Page): Promise<number> {
  await countOf(page);
  await searchButton(page).click();
  await page.getByText('Nothing has changed since').waitFor();
  await page.locator('.grid-body .grid-row').first().click();
  await page.locator('[data-focus=detail]').waitFor();
  return (await remembered(page)).selected ?? 0;
}

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** What another hand made, as `fill` here, is not in the lists that a window has read. */
async function readAgain(page: Page): Promise<void> {
  await page.reload();
  await countOf(page);
}

/** Lists of every kind, and parcels with a word of everything. */
async function fill(engine: Engine): Promise<void> {
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL AND acres > 5 ORDER BY property_id LIMIT 30",
  );
  const [first = 1, second = 2, third = 3] = ids;
  await change(engine, 'make_list', { name: 'Riverfront, spring letters', of: { ids } });
  await change(engine, 'make_list', { name: 'Called in October', of: { ids: ids.slice(5, 12) } });
  await change(engine, 'save_search', {
    name: 'Out of state, 5 to 80 ac',
    filter: { county: '99001', acres_min: 5, acres_max: 80, out_of_state_owner: true },
  });
  await change(engine, 'star', { ids: [first, second, third] });
  await change(engine, 'set_mailed_on', { list_id: 1, ids: ids.slice(0, 9), mailed_on: '2026-10-14' });
  await change(engine, 'tag', { name: 'Riverfront', ids: [first, second] });
  await change(engine, 'do_not_mail_add', { property_id: third, by: ['owner'] });
  engine.land.file.run("UPDATE parcels SET owner_name = 'NEW OWNER LLC' WHERE property_id = ?", second);
  engine.land.file.run("UPDATE parcels SET status = 'retired' WHERE property_id = ?", ids[6]);
}

describe.runIf(available)('the user’s own work', () => {
  test('star, note, tag and list by keyboard alone, undone and redone in the order they were done, kept over a reload', async () => {
    const { page, engine, ledger } = await openWindow();
    const id = await withParcel(page);
    const work = () => read(engine, 'parcel_work', { id });
    await press(page, 's');
    await eventually(() => work().starred_at !== null).toBe(true);
    await press(page, 'n');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('note');
    await page.keyboard.type('Gate is locked <b>on Sundays</b>');
    await press(page, 'Control+Enter');
    await eventually(() => work().notes.length).toBe(1);
    expect(await page.locator('.note-text').innerText()).toBe('Gate is locked <b>on Sundays</b>');
    await page.locator('[data-focus=detail]').focus();
    await press(page, 'g');
    const field = page.getByPlaceholder('Find a tag, or name a new one');
    await eventually(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('Riverfront');
    await page.getByRole('option', { name: 'Make the tag “Riverfront”', selected: true }).waitFor();
    await press(page, 'Enter');
    await eventually(() => work().tags.map(({ name }) => name)).toEqual(['Riverfront']);
    // The engine has it before the window knows of it, and undo reverses the window's order.
    await page.locator('.toast').filter({ hasText: 'Riverfront' }).waitFor();
    await press(page, 'Escape');
    await field.waitFor({ state: 'detached' });
    // A change of the filter among them has its own place in the order.
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await eventually(async () => (await remembered(page)).filter).toEqual({ county: '99001', acres_min: 5 });
    await page.locator('[data-focus=detail]').focus();
    await press(page, 's');
    await eventually(() => work().starred_at).toBeNull();
    await page.locator('.toast').filter({ hasText: /star/i }).first().waitFor();

    await press(page, 'Control+z');
    await eventually(() => work().starred_at !== null).toBe(true);
    await press(page, 'Control+z');
    await eventually(async () => (await remembered(page)).filter).toEqual({ county: '99001' });
    await press(page, 'Control+z', 'Control+z', 'Control+z');
    await eventually(() => [work().tags.length, work().notes.length, work().starred_at]).toEqual([0, 0, null]);
    await press(page, 'Shift+Control+z', 'Shift+Control+z');
    await eventually(() => [work().notes.length, work().starred_at !== null]).toEqual([1, true]);
    // The engine has it first: reloaded before the window knows of it, the window would do it again.
    await page.locator('.toast').filter({ hasText: 'Done again: Added a note' }).waitFor();
    await page.reload();
    await page.locator('.note-text').waitFor();
    await press(page, 'Shift+Control+z');
    await eventually(() => work().tags.length).toBe(1);
    await press(page, 'Control+z', 'Control+z');
    await eventually(() => work().notes.length).toBe(0);
    expect(ledger()).toHaveLength(1);
  });

  test('a toast takes back what it says, and offers to make it again', async () => {
    const { page, engine } = await openWindow();
    const id = await withParcel(page);
    await page.getByRole('button', { name: 'Star the parcel' }).click();
    const toast = page.locator('.toast').last();
    await toast.getByRole('button', { name: 'Undo' }).click();
    await eventually(() => read(engine, 'parcel_work', { id }).starred_at).toBeNull();
    await page.getByText(/^Undone: Starred /).waitFor();
    await page.locator('.toast').last().getByRole('button', { name: 'Redo' }).click();
    await eventually(() => read(engine, 'parcel_work', { id }).starred_at !== null).toBe(true);
  });

  test('notes are changed and deleted; Do not mail is set and taken off where the owner is seen', async () => {
    const { page, engine } = await openWindow();
    const id = await withParcel(page);
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').fill('First');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('button', { name: 'Edit the note' }).click();
    await page.getByLabel(/^Note of /).fill('Second\nline');
    await page.getByRole('button', { name: 'Keep' }).click();
    await eventually(() => page.locator('.note-text').innerText()).toBe('Second\nline');
    await page.getByRole('button', { name: 'Never mail this name' }).click();
    await page.getByText('this name, at any address').waitFor();
    expect(read(engine, 'parcel_work', { id }).do_not_mail).toHaveLength(1);
    await page.getByRole('button', { name: 'Take off' }).click();
    await page.getByRole('button', { name: 'Delete the note' }).click();
    await eventually(() => page.locator('.note-text').count()).toBe(0);
  });

  test('a search is saved, opened, renamed and frozen as a list of every match; only Search is charged', async () => {
    const { page, engine, ledger } = await openWindow();
    await countOf(page);
    await page.getByLabel('Acres from', { exact: true }).fill('60');
    const count = await countOf(page);
    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByLabel('Name of the search').fill('Large');
    await page.keyboard.press('Enter');
    await eventually(() => read(engine, 'saved_searches', {}).map(({ name, is_paid: paid }) => [name, paid])).toEqual([
      ['Large', true],
    ]);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('button', { name: 'Saved', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Large/ }).click();
    await eventually(async () => (await remembered(page)).filter).toEqual({ county: '99001', acres_min: 60 });
    await page.getByText('Nothing has changed since').waitFor();

    await goTo(page, 'lists');
    await page.getByRole('heading', { name: 'Large' }).waitFor();
    await page.getByRole('button', { name: 'Freeze as a list' }).click();
    await page.getByLabel('Name of the list').fill('Large today');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Large today' }).waitFor();
    expect(read(engine, 'lists', {}).lists).toMatchObject([{ name: 'Large today', parcels: count }]);
    await page.getByRole('button', { name: 'More to do with the list' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name of the list').fill('Larger');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Larger' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Larger' }).waitFor();
    await page.getByRole('button', { name: 'More to do with the list' }).click();
    await page.getByRole('menuitem', { name: 'Delete the list' }).click();
    await eventually(() => page.getByRole('heading', { name: 'Larger' }).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await eventually(() => read(engine, 'lists', {}).lists.map(({ name, parcels }) => [name, parcels])).toEqual([
      ['Larger', count],
    ]);
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
  });

  test('a list is sorted, chosen from and mailed; a parcel opens in Explore; what left the file says so', async () => {
    const { page, engine } = await openWindow();
    await fill(engine);
    await readAgain(page);
    await goTo(page, 'lists');
    await page.getByRole('button', { name: /Called in October/ }).click();
    await page.getByRole('heading', { name: 'Called in October' }).waitFor();
    await page.getByText('no longer in the county’s file').waitFor();
    await page.getByRole('button', { name: /Riverfront/ }).click();
    await page.getByText('Do not mail', { exact: true }).last().waitFor();
    await page.getByRole('columnheader', { name: 'Acres' }).getByRole('button').click();
    await eventually(() => page.getByRole('columnheader', { name: 'Acres' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.locator('[data-focus=table]').focus();
    await press(page, 'ArrowDown', 'ArrowDown', 'Shift+ArrowDown');
    await page.getByText('2 of 30 selected').waitFor();
    await page.locator('.list-head').getByRole('button', { name: 'Mailed on' }).click();
    await page.getByLabel('Day').fill('2026-11-02');
    await page.getByRole('button', { name: 'Mark' }).click();
    await page.getByText('Marked 2 parcels as mailed on 2026-11-02').waitFor();
    // The popover gives the focus back when it is gone.
    await eventually(() => page.locator('.popover').count()).toBe(0);
    await page.locator('[data-focus=table]').focus();
    await press(page, 'Home');
    await page.getByText('1 of 30 selected').waitFor();
    const apn = await page.locator('.list-grid [aria-selected=true] .apn').innerText();
    await press(page, 'Enter');
    await eventually(() => parcelTitle(page).innerText()).toBe(apn);
  });

  test.each([
    ['light', 1024, 1],
    ['outdoor', 1440, 1],
    ['light', 390, 0],
  ])('in %s at %d pixels the day of mailing is there where names are whole beside it', async (theme, width, days) => {
    const { page, engine } = await openWindow({ context: { viewport: { width, height: 680 } } });
    await fill(engine);
    await page.evaluate(
      (chosen) => localStorage.setItem('platbook.settings', JSON.stringify({ theme: chosen })),
      theme,
    );
    await readAgain(page);
    await goTo(page, 'lists');
    await page.getByRole('button', { name: /Riverfront/ }).click();
    await page.locator('.list-grid .apn').first().waitFor();
    await eventually(() => page.getByRole('columnheader', { name: 'Mailed on' }).count()).toBe(days);
  });

  test('at 200 % text the other lists can be seen and opened', async () => {
    const { page, engine } = await openWindow();
    await fill(engine);
    await readAgain(page);
    await goTo(page, 'lists');
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      dispatchEvent(new Event('resize'));
    });
    await page.locator('[data-width=tiny]').waitFor();
    const side = page.getByRole('navigation', { name: 'Lists', exact: true });
    expect((await side.locator('.scroll').boundingBox())?.height).toBeGreaterThan(100);
    await side.getByRole('button', { name: /Do not mail/ }).click();
    await page.getByRole('heading', { name: /Do not mail/, level: 1 }).waitFor();
  });

  test('on a phone the owners never mailed stand below each other, and keep the heads of their columns for a screen reader', async () => {
    const { page, engine } = await openWindow({ context: { viewport: { width: 390, height: 844 } } });
    await fill(engine);
    await readAgain(page);
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('button', { name: /Do not mail/ }).click();
    await page.getByRole('button', { name: 'Take off' }).waitFor();
    // The browser's own tree: roles by the elements alone would miss what the style takes away.
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length;
    expect([count('table'), count('columnheader'), count('cell')]).toEqual([1, 5, 5]);
  });

  test('a new owner of a starred parcel is announced until seen', async () => {
    const { page, engine } = await openWindow();
    await fill(engine);
    await readAgain(page);
    await goTo(page, 'lists');
    await page.getByText(/^1 starred parcel changed owner/).waitFor();
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByRole('cell', { name: 'NEW OWNER LLC' }).waitFor();
    await page.getByRole('button', { name: 'Seen', exact: true }).click();
    await page.getByRole('heading', { name: 'No starred parcel changed owner' }).waitFor();
    await eventually(() => page.getByText(/changed owner with/).count()).toBe(0);
  });

  test('values and phones are added at the price on the button, once, and offers for nothing', async () => {
    const { page, engine, ledger } = await openWindow();
    await fill(engine);
    await readAgain(page);
    await goTo(page, 'lists');
    await page.getByRole('button', { name: /Called in October/ }).click();
    await page.getByRole('button', { name: 'Add columns' }).click();
    // Seven, one of which is no longer in the county's file.
    await page.getByRole('button', { name: /^6 values.*uses 60 at most$/ }).click();
    await eventually(() => ledger().length).toBeGreaterThan(0);
    await eventually(() => read(engine, 'list_runs', { list_id: 2 }).length).toBe(0);
    const found = read(engine, 'list_page', { of: { list_id: 2 }, columns: [] }).rows.filter(
      ({ value }) => value,
    ).length;
    await eventually(() => page.locator('.list-grid [role=row] .n').filter({ hasText: ' to ' }).count()).toBe(found);
    expect(ledger()).toHaveLength(found);
    await page.getByRole('button', { name: 'Add columns' }).click();
    await page.getByLabel('Percent of the value').fill('40');
    await page.getByRole('region', { name: 'Offers' }).getByRole('button', { name: 'Add' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Offer at 40 %, $' }).waitFor();
    expect(ledger()).toHaveLength(found);
    await page.getByRole('button', { name: 'Add columns' }).click();
    await page.getByRole('button', { name: /skip trace.*uses [\d,]+ at most/ }).click();
    await eventually(() => read(engine, 'list_runs', { list_id: 2 }).length).toBe(0);
    await page.getByRole('columnheader', { name: 'DNC' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Offer at 40 %, $' }).waitFor();
  });

  test('a filter over stars, tags and lists narrows count and table alike, and reads in the sentence', async () => {
    const { page, engine, ledger } = await openWindow();
    await fill(engine);
    await readAgain(page);
    await page.getByRole('button', { name: 'Your stars, tags and lists' }).click();
    await page.getByRole('radiogroup', { name: 'Starred' }).getByRole('radio', { name: 'yes' }).click();
    await eventually(() => countOf(page)).toBe(3);
    await page.getByLabel('Add a tag to the filter').selectOption({ label: 'Riverfront' });
    await eventually(() => countOf(page)).toBe(2);
    expect(await page.locator('.sentence p').innerText()).toBe('Parcels in Alder County, starred, tagged Riverfront');
    await searchButton(page).click();
    await eventually(() => page.locator('.table-title b').innerText()).toBe('2 parcels');
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
    await page.locator('.sentence').getByRole('button', { name: 'starred' }).click();
    await page.getByRole('button', { name: 'Remove the tag Riverfront' }).click();
    await page.getByLabel('Not in the list').selectOption({ label: 'Riverfront, spring letters' });
    // 30 are in the list, one of which the county's file no longer holds.
    await eventually(() => countOf(page)).toBe(engine.land.parcelCount - 29);
  });

  test('axe finds nothing serious or critical on the lists, in any theme', async () => {
    const { page, engine } = await openWindow({ mode: 'development' });
    await goTo(page, 'lists');
    await page.getByRole('heading', { name: 'No lists yet' }).waitFor();
    expect(await findings(page), 'no lists').toEqual([]);
    await fill(engine);
    await change(engine, 'set_offer_percent', { list_id: 1, percent: 45 });
    await page.reload();
    await page.locator('.list-grid .apn').first().waitFor();
    await page.locator('.list-grid .grid-row').nth(2).click();
    expect(await findings(page), 'a list').toEqual([]);
    await page.getByRole('button', { name: 'Add columns' }).click();
    await page.getByRole('region', { name: 'Values' }).getByRole('button').waitFor();
    expect(await findings(page), 'add columns').toEqual([]);
    await page.keyboard.press('Escape');
    await press(page, 'g');
    await page.getByRole('option').first().waitFor();
    expect(await findings(page), 'tags').toEqual([]);
    await page.keyboard.press('Escape');
    for (const item of ['Out of state', 'Starred', 'Do not mail']) {
      await page
        .getByRole('navigation', { name: 'Lists' })
        .getByRole('button', { name: new RegExp(`^${item}`) })
        .click();
      await page.locator('.page h1').waitFor();
      await settled(page);
      expect(await findings(page), item).toEqual([]);
    }
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByRole('cell', { name: 'NEW OWNER LLC' }).waitFor();
    expect(await findings(page), 'changed owners').toEqual([]);
    await page.getByRole('button', { name: /Riverfront/ }).click();
    await page.locator('.list-grid .grid-row').nth(1).dblclick();
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').waitFor();
    await settled(page);
    expect(await findings(page), 'notes').toEqual([]);
  });
});
