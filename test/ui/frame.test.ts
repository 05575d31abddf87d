/** The frame: search box, palette, keys, panes. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { emptyHome } from '../support/homes.ts';
import { countOf, eventually, goTo, hasBrowser, openWindow, parcelTitle, remembered, typeAndEnter } from './window.ts';

const available = hasBrowser();

const firstOffer = (engine: Engine, text: string) =>
  (runRead(engine, 'suggest', { text, county: '99001' }) as ReadOutputOf<'suggest'>).parcels[0]?.apn ?? '';

/** An APN that is offered first, and not yet while its last digit is missing. */
const lastDigitMatters = (engine: Engine): string =>
  engine.land.file
    .column<string>("SELECT apn FROM parcels WHERE status = 'current' ORDER BY property_id LIMIT 500")
    .find((apn) => firstOffer(engine, apn) === apn && !['', apn].includes(firstOffer(engine, apn.slice(0, -1)))) ?? '';

/** Names of what is pressed in heads, bars and the feet of panes, and does not lie wholly in the window. */
const beyondTheWindow = (page: Page): Promise<(string | null)[]> =>
  page
    .locator(
      ':is(.top, .banner, .rail, .sentence, .page-head, .pane-head, .detail-head, .detail-foot, .first-run) :is(a, button, input):visible',
    )
    .evaluateAll((all) =>
      all
        .filter((one) => one.getBoundingClientRect().right > innerWidth || one.getBoundingClientRect().left < 0)
        .map((one) => one.getAttribute('aria-label') ?? one.textContent),
    );

describe.runIf(available)('the frame', () => {
  test('the search box suggests for nothing and opens the parcel', async () => {
    const { page, engine, ledger } = await openWindow();
    await countOf(page);
    const row = engine.land.file.get<{ apn: string; owner_name: string }>(
      "SELECT apn, owner_name FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL ORDER BY property_id LIMIT 1 OFFSET 77",
    );
    await page.keyboard.press('/');
    await page.keyboard.type(row?.apn ?? '');
    await page
      .getByRole('option', { name: new RegExp(`^${row?.apn} `) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => parcelTitle(page).innerText()).toBe(row?.apn);
    expect(ledger()).toEqual([]);
  });

  test('offers what the filter’s county lacks from other counties, and names them', async () => {
    const { page, engine } = await openWindow();
    const { file } = engine.land;
    file.run("INSERT INTO counties (fips, state, name) VALUES ('99002', 'ZZ', 'Birch County')");
    file.run(
      "UPDATE parcels SET fips = '99002', apn = 'BIRCH-' || property_id, apn_key = 'BIRCH' || property_id WHERE situs_zip = '00146'",
    );
    await page.reload();
    await countOf(page);
    await page.keyboard.press('/');
    await page.keyboard.type('birch-5');
    await page
      .getByRole('option', { name: /^BIRCH-\d+ .*Birch County$/ })
      .first()
      .waitFor();
    await page.getByText('Not in Alder County, but elsewhere').waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => parcelTitle(page).innerText()).toMatch(/^BIRCH-/);
  });

  test('offers the place that was meant where the longitude came first or lacks its minus, and reads a link', async () => {
    const { page } = await openWindow();
    await countOf(page);
    const search = page.getByLabel('Search', { exact: true });
    const offers = () => page.getByRole('option').filter({ hasText: '43.1397' }).allInnerTexts();
    for (const typed of ['-72.0491, 43.1397', '43.1397, 72.0491']) {
      await search.fill(typed);
      await page.getByText('The latitude comes first, and longitudes in the United States are negative.').waitFor();
      await eventually(async () => (await offers())[0]).toMatch(/^Did you mean 43\.1397, [−-]72\.0491\?/);
    }
    await search.fill('https://www.google.com/maps/@43.1397,-72.0491,15z');
    await eventually(async () => (await offers())[0]).toMatch(/^Show 43\.1397, [−-]72\.0491 on the map/);
    await page.getByText('There is no parcel at this place.').waitFor();
  });

  test('Enter right after a keystroke waits for the suggestions for the current text', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    const apn = lastDigitMatters(engine);
    await page.keyboard.press('/');
    await page.keyboard.type(apn.slice(0, -1));
    await page.getByRole('option').first().waitFor();
    await typeAndEnter(page.getByRole('combobox', { name: 'Search', exact: true }), apn);
    await eventually(() =>
      page
        .locator('[role=option] .apn')
        .allInnerTexts()
        .then(([first]) => first),
    ).toBe(apn);
    expect((await remembered(page)).selected ?? null).toBeNull();
    await page.keyboard.press('Enter');
    await eventually(() => parcelTitle(page).innerText()).toBe(apn);
  });

  test('palette, shortcut list and screens are reached by key; single letters can be switched off', async () => {
    const { page } = await openWindow();
    await countOf(page);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').fill('theme');
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('8');
    await page
      .getByRole('radiogroup', { name: 'Single letters are shortcuts' })
      .getByRole('radio', { name: 'off' })
      .click();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('1');
    expect(new URL(page.url()).hash).toBe('#/settings');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').waitFor();
  });

  test.each(['light', 'outdoor'])(
    'on a phone no button of the frame or of a screen’s head leaves the window, in %s',
    async (theme) => {
      const { page } = await openWindow({ context: { viewport: { width: 390, height: 844 } } });
      await page.evaluate(
        (chosen) => localStorage.setItem('platbook.settings', JSON.stringify({ theme: chosen })),
        theme,
      );
      await page.reload();
      await countOf(page);
      for (const screen of ['explore', 'comps', 'markets', 'lists', 'import', 'print', 'usage', 'settings']) {
        await page.evaluate((to) => {
          location.hash = `/${to}`;
        }, screen);
        await page.locator(`.rail [aria-current=page][href$="/${screen === 'usage' ? 'settings' : screen}"]`).waitFor();
        expect(await beyondTheWindow(page), screen).toEqual([]);
      }
      await goTo(page, 'comps');
      await page.locator('[data-focus=comps-button]').click();
      await page.locator('.comps-list .grid-row').first().waitFor();
      const list = await page.locator('.comps-list').evaluate((one) => ({
        fieldsEnd: one.querySelector('.narrow-price')?.getBoundingClientRect().bottom ?? Infinity,
        wordsBegin: one.querySelector('.comps-summary')?.getBoundingClientRect().top ?? 0,
        rows: one.querySelector('.grid')?.clientHeight ?? 0,
      }));
      expect(list.fieldsEnd).toBeLessThanOrEqual(list.wordsBegin);
      expect(list.rows).toBeGreaterThan(100);
      await goTo(page, 'explore');
      await page.locator('[data-command=search]:visible').click();
      await page.locator('.grid-body .grid-row').first().click();
      await parcelTitle(page).waitFor();
      expect(await beyondTheWindow(page), 'parcel').toEqual([]);
      await page.getByRole('tab', { name: 'Value', exact: true }).click();
      await page.locator('.detail.wide').waitFor();
      expect(await beyondTheWindow(page), 'value').toEqual([]);
    },
  );

  test('an empty home shows both ways to begin outdoors on a phone, and all screens in a low window', async () => {
    const { page } = await openWindow({ home: emptyHome() });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => localStorage.setItem('platbook.settings', JSON.stringify({ theme: 'outdoor' })));
    await page.reload();
    await page.locator('.first-run .choice').first().waitFor();
    expect(await beyondTheWindow(page)).toEqual([]);
    // As much room as four banners leave of 680 pixels.
    await page.setViewportSize({ width: 1024, height: 500 });
    const hidden = () => page.locator('.rail').evaluate((one) => one.scrollHeight - one.clientHeight);
    await eventually(hidden).toBe(0);
  });

  test('panes are resized by key and by drag, and remembered', async () => {
    const { page } = await openWindow();
    await countOf(page);
    const width = () => page.locator('.filter-panel').evaluate((one) => one.getBoundingClientRect().width);
    expect(await width()).toBe(296);
    const line = page.getByRole('separator', { name: 'Width of the filters' });
    await line.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => width()).toBe(312);
    const box = await line.boundingBox();
    if (!box) throw new Error('the line has no place');
    await page.mouse.move(box.x, 400);
    await page.mouse.down();
    await page.mouse.move(box.x + 40, 400, { steps: 4 });
    await page.mouse.up();
    expect(await width()).toBe(352);
    await page.reload();
    await countOf(page);
    expect(await width()).toBe(352);
    await page.getByRole('separator', { name: 'Width of the filters' }).dblclick();
    expect(await width()).toBe(296);
  });
});
