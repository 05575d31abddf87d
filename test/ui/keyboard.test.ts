/** Keys: a letter belongs to the menu or dialog that is open, and the keyboard comes back to where a dialog took it from. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import {
  countOf,
  eventually,
  frames,
  hasBrowser,
  type OpenWindow,
  openWindow,
  remembered,
  searchButton,
  type WindowOptions,
} from './window.ts';

const available = hasBrowser();

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

const grid = (page: Page) => page.getByRole('grid', { name: 'Parcels found' });
const screenOf = (page: Page): string => new URL(page.url()).hash;
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName);

/** The sample searched once; by keys alone the table has the keyboard, and its second row is selected. */
async function openAtRow(options?: WindowOptions): Promise<OpenWindow & { readonly selected: number }> {
  const opened = await openWindow(options);
  const { page } = opened;
  await countOf(page);
  await searchButton(page).click();
  await page.locator('.grid-body .apn').first().waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await press(page, 't', 'ArrowDown', 'ArrowDown');
  await page.locator('.grid-body .grid-row[aria-rowindex="3"][aria-selected=true]').waitFor();
  await page.locator('[data-focus=detail]').waitFor();
  const { selected } = await remembered(page);
  return { ...opened, selected: selected ?? 0 };
}

const stars = ({ engine }: OpenWindow): number[] => engine.account.file.column('SELECT property_id FROM stars');
const changes = ({ engine }: OpenWindow): number | undefined =>
  engine.account.file.get<{ n: number }>('SELECT count(*) AS n FROM journal')?.n;

describe.runIf(available)('letters and numbers', () => {
  test('find a line in an open menu, and do nothing else', async () => {
    const window = await openAtRow();
    const { page } = window;
    await page.getByRole('button', { name: 'Columns' }).click();
    const columns = page.getByRole('menu', { name: 'Columns' });
    await columns.waitFor();
    await press(page, 's', 'i');
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^si/i);
    await press(page, '8', 'c', '?');
    expect(await columns.isVisible()).toBe(true);
    await press(page, 'Escape');
    await columns.waitFor({ state: 'detached' });
    await eventually(() => focused(page)).toBe('Columns');

    await press(page, 'Control+e');
    const exporting = page.getByRole('menu', { name: 'Export' });
    await exporting.waitFor();
    await press(page, 'c');
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^CSV/);
    expect(screenOf(page)).not.toContain('comps');
    await press(page, 'Escape');
    await exporting.waitFor({ state: 'detached' });

    // The next action is the very first.
    await grid(page).focus();
    await press(page, 's');
    await eventually(() => stars(window)).toEqual([window.selected]);
    expect(changes(window)).toBe(1);
    expect(await page.getByRole('tab', { name: 'Parcel', exact: true }).getAttribute('aria-selected')).toBe('true');
  });

  test('do nothing behind a dialog; Escape, the palette and undo work in it', async () => {
    const window = await openAtRow();
    const { page } = window;
    await press(page, 's');
    await eventually(() => stars(window)).toEqual([window.selected]);
    await page.locator('.toast').filter({ hasText: /star/i }).waitFor();
    await press(page, '?');
    const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
    await shortcuts.waitFor();
    await press(page, 's', 'g', '8', 'n', ']', 'Control+e', 'Control+i');
    expect(screenOf(page)).not.toMatch(/settings|import/);
    expect(await shortcuts.isVisible()).toBe(true);
    await press(page, 'Control+z');
    await eventually(() => stars(window)).toEqual([]);
    expect(changes(window)).toBe(1);
    await press(page, 'Control+k');
    await page.getByPlaceholder('What do you want to do?').waitFor();
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await remembered(page)).selected).toBe(window.selected);

    // The address of a feed is shown only once: no key may remove the screen behind it.
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Live feed' }).click();
    const feed = page.getByRole('dialog', { name: /^Feed/ });
    await feed.locator('.feed-url code').first().waitFor();
    const before = screenOf(page);
    await press(page, '8', 'c', 's', 'Control+i');
    expect(screenOf(page)).toBe(before);
    expect(await feed.isVisible()).toBe(true);
    await press(page, 'Escape');
    await feed.waitFor({ state: 'detached' });
    await grid(page).focus();
    await press(page, 's');
    await eventually(() => stars(window)).toEqual([window.selected]);
  });

  test('do it once however long the key is held; the walk through the parcels goes on', async () => {
    const window = await openAtRow();
    const { page } = window;
    for (let i = 0; i < 4; i += 1) await page.keyboard.down('s');
    await page.keyboard.up('s');
    await eventually(() => stars(window)).toEqual([window.selected]);
    await page.locator('.toast').filter({ hasText: /star/i }).waitFor();
    await press(page, 'Control+z');
    await eventually(() => stars(window)).toEqual([]);
    expect(changes(window)).toBe(1);
    await page.keyboard.down(']');
    await eventually(() => page.locator('.grid-row[aria-selected=true]').getAttribute('aria-rowindex')).toBe('4');
    await page.keyboard.down(']');
    await eventually(() => page.locator('.grid-row[aria-selected=true]').getAttribute('aria-rowindex')).toBe('5');
    await page.keyboard.up(']');
  });
});

const fromPalette = async (page: Page, title: string) => {
  await press(page, 'Control+k');
  await page.getByPlaceholder('What do you want to do?').fill(title);
  await page.getByRole('option', { name: title, selected: true }).waitFor();
  await press(page, 'Enter');
};

/** Every dialog, by keys alone. */
const dialogs: { title: string | RegExp; open: (page: Page) => Promise<void> }[] = [
  { title: 'Find a command', open: (page) => press(page, 'Control+k') },
  { title: 'Shortcuts', open: (page) => press(page, '?') },
  { title: 'Tags of 1 parcel', open: (page) => press(page, 'g') },
  { title: 'Add 1 parcel to a list', open: (page) => fromPalette(page, 'Add the parcel to a list') },
  { title: 'Skip trace a name and address', open: (page) => fromPalette(page, 'Skip trace a name and address') },
  {
    title: /^Feed/,
    open: async (page) => {
      await press(page, 'Control+e');
      await page.getByRole('menuitem', { name: 'Live feed' }).focus();
      await press(page, 'Enter');
    },
  },
];

describe.runIf(available)('the keyboard', () => {
  test('shows a ring on the table over its rows', async () => {
    const { page } = await openAtRow();
    const { x = 0, y = 0, width = 0, height = 0 } = (await grid(page).boundingBox()) ?? {};
    // A strip at the lower edge, below the row that is selected.
    const strip = () => page.screenshot({ clip: { x: x + width / 2, y: y + height - 6, width: 60, height: 6 } });
    const ringed = await strip();
    await grid(page).evaluate((one) => one.blur());
    await frames(page);
    expect(ringed.equals(await strip())).toBe(false);
  });

  test('is at the row again after every dialog', async () => {
    const { page } = await openAtRow();
    let row = 3;
    for (const { title, open } of dialogs) {
      await open(page);
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await eventually(() => dialog.evaluate((one) => one.contains(document.activeElement)), `in ${title}`).toBe(true);
      await press(page, 'Escape');
      await dialog.waitFor({ state: 'detached' });
      await eventually(() => focused(page), `after ${title}`).toBe('Parcels found');
      row += 1;
      await press(page, 'ArrowDown');
      await page.locator(`.grid-body .grid-row[aria-rowindex="${row}"][aria-selected=true]`).waitFor();
    }
    await press(page, 'Control+e');
    await page.getByRole('menu', { name: 'Export' }).waitFor();
    await press(page, 'Escape');
    await eventually(() => focused(page), 'after the export menu').toBe('Parcels found');
  });

  test('is at the button again that asked for a name, and where a command of the palette has put it', async () => {
    const { page } = await openAtRow();
    const save = page.getByRole('button', { name: 'Save this search' });
    await save.focus();
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'Save this search' }).waitFor();
    await press(page, 'Escape');
    await eventually(() => focused(page)).toBe('Save this search');
    await fromPalette(page, 'Find an address, APN, owner or place');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(() => focused(page)).toBe('Search');
    await frames(page);
    expect(await focused(page)).toBe('Search');
  });

  test('is at the row again after a field with a list, which takes two Escapes of its own', async () => {
    const { page, selected } = await openAtRow();
    for (const { key, name, text } of [
      { key: '/', name: 'Search', text: 'quill' },
      { key: 'f', name: 'Add a county or ZIP', text: '' },
    ]) {
      await press(page, key);
      const field = page.getByRole('combobox', { name, exact: true });
      await eventually(() => field.evaluate((one) => one === document.activeElement), name).toBe(true);
      await page.keyboard.type(text);
      await eventually(() => field.getAttribute('aria-expanded'), name).toBe('true');
      await press(page, 'Escape');
      await eventually(() => field.getAttribute('aria-expanded'), name).toBe('false');
      await press(page, 'Escape');
      await eventually(() => focused(page), `after ${name}`).toBe('Parcels found');
      expect((await remembered(page)).selected).toBe(selected);
    }
    // The next one closes the parcel: nothing unseen takes it.
    await press(page, 'Escape');
    await page.locator('[data-focus=detail]').waitFor({ state: 'detached' });
  });

  test('is at the table again after Field mode', async () => {
    const { page, selected } = await openAtRow();
    await press(page, 'Shift+F');
    await page.locator('.field-mode').waitFor();
    await press(page, 'Escape');
    await page.locator('.field-mode').waitFor({ state: 'detached' });
    await eventually(() => focused(page)).toBe('Parcels found');
    expect((await remembered(page)).selected).toBe(selected);
  });

  test('stays in the parcel on the walk to the next one', async () => {
    const { page } = await openAtRow();
    await press(page, 'Enter');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('detail');
    const title = page.locator('[data-focus=detail]');
    const first = await title.innerText();
    await press(page, ']');
    await eventually(() => title.innerText()).not.toBe(first);
    await eventually(() => title.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Previous parcel' }).focus();
    await press(page, 'Enter');
    await eventually(() => title.innerText()).toBe(first);
    await eventually(() => title.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('is at the table, else at the screen, where what had it is gone', async () => {
    const { page } = await openAtRow();
    await page.getByRole('button', { name: 'Next parcel' }).focus();
    await press(page, '?');
    const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' });
    await shortcuts.waitFor();
    await page.evaluate(() => document.querySelector('aside.detail .apn-line')?.remove());
    await press(page, 'Escape');
    await shortcuts.waitFor({ state: 'detached' });
    await eventually(() => focused(page)).toBe('Parcels found');
    await press(page, '8');
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await press(page, '?');
    await shortcuts.waitFor();
    await press(page, 'Escape');
    await eventually(() => focused(page)).toBe('MAIN');
  });
});

/** What opens over Explore and is no dialog: opened by its button, left by Escape with the focus inside. */
const panels = [
  { name: /^Filters/, shown: '.filter-panel', map: false },
  { name: 'Draw an area', shown: '.map-bar[aria-label="Draw an area"]', map: true },
  { name: 'Measure', shown: '.map-bar[aria-label="Measure"]', map: true },
];

async function makeSmall(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1024, height: 680 });
  await page.locator('.filter-panel').waitFor({ state: 'detached' });
}

describe.runIf(available)('the keyboard in a small window', () => {
  test.each(panels)('is at the button again that opened $shown', async ({ name, shown, map }) => {
    const { page, selected } = await openAtRow({ map });
    await makeSmall(page);
    const button = page.getByRole('button', { name }).first();
    const over = page.locator(shown);
    for (const leave of ['Escape', 'Enter']) {
      await button.focus();
      await press(page, 'Enter');
      await over.waitFor();
      const within = over.getByRole('button', { name: /^(Close|Cancel|Done)$/ });
      await within.focus();
      await press(page, leave);
      await over.waitFor({ state: 'detached' });
      await eventually(() => button.evaluate((one) => one === document.activeElement), leave).toBe(true);
      expect((await remembered(page)).selected).toBe(selected);
    }
  });

  test('is in the filters once they are opened', async () => {
    const { page } = await openAtRow();
    await makeSmall(page);
    const button = page.getByRole('button', { name: /^Filters/ });
    await button.focus();
    await press(page, 'Enter');
    const isInside = () => page.locator('.filter-panel').evaluate((one) => one.contains(document.activeElement));
    await eventually(isInside).toBe(true);
    expect(await button.getAttribute('aria-expanded')).toBe('true');
  });
});

const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

describe.runIf(available)('shortcuts', () => {
  test.each([
    { key: 'f', shown: '.filter-panel', hasKeyboard: true, map: false },
    { key: 'm', shown: '.map-slot', hasKeyboard: true, map: false },
    { key: 't', shown: '.table-pane', hasKeyboard: true, map: false },
    { key: 'd', shown: '.map-bar[aria-label="Draw an area"]', hasKeyboard: false, map: true },
    { key: 'l', shown: '.map-bar[aria-label="Measure"]', hasKeyboard: false, map: true },
    { key: 'Control+e', shown: '.export-menu', hasKeyboard: true, map: false },
  ])(
    '$key shows what it goes to, also from a tab that has taken its place',
    async ({ key, shown, hasKeyboard, map }) => {
      const { page, selected } = await openAtRow({ map });
      await press(page, 'v');
      await page.locator('.detail.wide').waitFor();
      await eventually(() => page.locator('.table-pane').isVisible()).toBe(false);
      await page.locator('[data-focus=detail]').focus();
      await press(page, key);
      await page.locator(shown).waitFor();
      if (hasKeyboard) {
        const isInside = () => page.locator(shown).evaluate((one) => one.contains(document.activeElement));
        await eventually(isInside, 'the keyboard is there').toBe(true);
      }
      await eventually(() => page.locator('.table-pane').isVisible()).toBe(true);
      expect((await remembered(page)).selected).toBe(selected);
    },
  );

  test('of other screens do nothing to a parcel that they do not show', async () => {
    const window = await openAtRow();
    const { page, selected } = window;
    await press(page, '4');
    await page.getByRole('heading', { name: 'Comps', exact: true }).waitFor();
    await press(page, 's');
    await toast(page, 'Select a parcel to star it').waitFor();
    await press(page, 'g');
    await toast(page, 'Select a parcel to tag it').waitFor();
    await press(page, 'Control+p');
    await toast(page, 'Select a parcel to print its sheet').waitFor();
    await press(page, 'Escape');
    expect((await remembered(page)).selected).toBe(selected);
    expect(stars(window)).toEqual([]);
    // The walk through the parcels goes to where they are seen.
    await press(page, ']');
    await page.locator('.grid-body .grid-row[aria-rowindex="4"][aria-selected=true]').waitFor();
    expect(screenOf(page)).toBe('#/explore');
  });

  test('of Lists are about the row that is chosen there', async () => {
    const window = await openAtRow();
    const { page, engine } = window;
    const ids = engine.land.file.column<number>(
      "SELECT property_id FROM parcels WHERE status = 'current' AND acres < 1 ORDER BY property_id LIMIT 5",
    );
    await runChange(engine, 'make_list', { name: 'Called', of: { ids } });
    await page.reload();
    await page.locator('.grid-body .grid-row[aria-rowindex="3"][aria-selected=true]').waitFor();
    await press(page, 't', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await eventually(() => page.locator('.grid-row[aria-selected=true]').count()).toBe(3);
    const inList = async () => {
      await press(page, '3');
      await page.locator('.list-grid .grid-row[aria-rowindex="2"] .apn').waitFor();
      await page.locator('.list-grid').focus();
    };
    await inList();
    await press(page, 'ArrowDown', ']', ']', '[');
    const row = page.locator('.list-grid .grid-row[aria-selected=true]');
    await eventually(() => row.getAttribute('aria-rowindex')).toBe('3');
    const apn = (await row.locator('.apn').innerText()).trim();
    const id = ids[1] ?? 0;

    await press(page, 'v');
    await page.getByRole('tab', { name: 'Value', selected: true }).waitFor();
    await eventually(() => page.locator('[data-focus=detail]').innerText(), 'value').toBe(apn);
    await inList();
    await press(page, 'c');
    await page.getByRole('tab', { name: 'Comps', selected: true }).waitFor();
    await eventually(() => page.locator('[data-focus=detail]').innerText(), 'comps').toBe(apn);
    await inList();
    await press(page, 'n');
    await page.getByRole('tab', { name: 'Notes', selected: true }).waitFor();
    await eventually(() => page.locator('[data-focus=detail]').innerText(), 'notes').toBe(apn);
    // It takes the keyboard once it is there, and with it every letter.
    await eventually(() => page.locator('[data-focus=note]').evaluate((one) => one === document.activeElement)).toBe(
      true,
    );
    // Parcels selected together in Explore before are no longer the target.
    await page.locator('[data-focus=detail]').focus();
    await press(page, 's');
    await eventually(() => stars(window)).toEqual([id]);
  });

  test('are not meant by a letter with a key of the system', async () => {
    const window = await openAtRow();
    const { page } = window;
    await press(page, 'Meta+s', 'Meta+7', 'Meta+]');
    expect(screenOf(page)).not.toContain('settings');
    await press(page, 's');
    await eventually(() => stars(window)).toEqual([window.selected]);
    expect(changes(window)).toBe(1);
  });
});
