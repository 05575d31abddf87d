/** Explore from the first run to a parcel, by mouse and keyboard: its requests, its charges, its stored state. */
import fs from 'node:fs';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import type { Engine, InputOf } from '../../engine/index.ts';
import { filters } from '../../engine/spec/filters.ts';
import { type FilterBody, publicBody } from '../../renderer/explore/filter-body.ts';
import { filterArbitraries } from '../support/filter-bodies.ts';
import { emptyHome, plainParcels } from '../support/homes.ts';
import {
  countOf,
  eventually,
  hasBrowser,
  numberIn,
  openAllSections,
  openWindow,
  parcelTitle,
  remembered,
  searchButton,
} from './window.ts';

const available = hasBrowser();

const county = '99001';

async function apiCount(engine: Engine, body: FilterBody): Promise<number> {
  const input = { ...body, page_size: 1 } as InputOf<'filter_properties'>;
  return (await engine.call('filter_properties', input)).data.count;
}

const selectedRow = (page: Page) => page.locator('.grid-body [aria-selected=true]');

describe.runIf(available)('Explore', () => {
  test('begins with three ways in, says where the data lie, and opens the sample county in a window of its own', async () => {
    const home = emptyHome();
    onTestFinished(() => fs.rmSync(`${home}-sample`, { recursive: true, force: true }));
    const { page, engine, app } = await openWindow({ home, context: {} });
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    await page.getByText(`stay on this computer, in the folder ${home}.`).waitFor();
    expect(await page.locator('.first-run .choice b').allInnerTexts()).toEqual([
      'Open the sample county',
      'Import my county',
      'Open a backup',
    ]);
    expect(await page.locator('body').innerText()).not.toMatch(/token/i);
    // The click ends with the other window: the sample is made first.
    await page.getByRole('button', { name: /Open the sample county/ }).click({ timeout: 120_000 });
    await page.getByText('The people, parcels and prices are invented.').waitFor({ timeout: 60_000 });
    expect(new URL(page.url()).port).not.toBe(String(app.server.port));
    expect(await countOf(page)).toBeGreaterThan(5000);
    expect(engine.land.kind).toBeNull();
  }, 180_000);

  test('filter, count, search, sort, select and read a parcel with the mouse; one search is charged', async () => {
    const { page, engine, ledger } = await openWindow();
    expect(await countOf(page)).toBe(engine.land.parcelCount);
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await page.getByLabel('Acres to', { exact: true }).fill('80');
    await page.getByRole('radiogroup', { name: 'Out of state' }).getByRole('radio', { name: 'yes' }).click();
    await page.getByLabel('Exclude company owners').click();
    const body = { county, acres_min: 5, acres_max: 80, out_of_state_owner: true, exclude_corp_owner: true };
    await eventually(async () => (await remembered(page)).filter).toEqual(body);
    const count = await countOf(page);
    expect(ledger()).toEqual([]);
    expect(await page.locator('.sentence p').innerText()).toBe(
      'Parcels in Alder County of 5 to 80 acres, owner out of state, not a company',
    );

    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    expect(ledger()).toEqual([{ endpoint: 'public_parcel_filter', mode: 'app', tokens: 30 }]);
    await eventually(() => page.getByTestId('tokens').innerText()).toBe('30 of 30,000 used');
    await page.getByTestId('tokens').click();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await page.goBack();
    expect(numberIn(await page.locator('.table-title b').innerText())).toBe(count);

    // By acres, the largest first: 80 and less; then by owner from A.
    const acres = () => page.locator('.grid-body .grid-row').first().getByRole('gridcell').nth(2).innerText();
    expect(Number(await acres())).toBeLessThanOrEqual(80);
    await page.getByRole('columnheader', { name: 'Acres' }).getByRole('button').click();
    await eventually(acres).toMatch(/^5\.\d\d$/);
    await page.getByRole('columnheader', { name: 'Owner', exact: true }).getByRole('button').click();
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Owner', exact: true }).getAttribute('aria-sort'))
      .toBe('ascending');

    await page.locator('.grid-body .grid-row').nth(2).click();
    const apn = (await selectedRow(page).locator('.apn').innerText()).trim();
    await eventually(() => parcelTitle(page).innerText()).toBe(apn);
    // No fact appears under two headings.
    const facts = await page.locator('.detail .facts dt').allInnerTexts();
    expect(facts).toEqual(
      expect.arrayContaining(['Property ID', 'Latitude, longitude', 'Kind', 'Flood zone', 'Price']),
    );
    expect(facts.filter((label, i) => facts.indexOf(label) !== i)).toEqual([]);
    await page.getByRole('tab', { name: 'Owner' }).click();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('Synthetic sample (no real people or places)').waitFor();
    await page.getByRole('button', { name: 'Next parcel' }).click();
    await eventually(() => parcelTitle(page).innerText()).not.toBe(apn);
    await page.getByRole('button', { name: 'Close the parcel' }).click();
    await eventually(() => page.locator('.detail').count()).toBe(0);
    expect(ledger()).toHaveLength(1);
  });

  test('the same path with the keyboard alone', async () => {
    const { page, ledger } = await openWindow();
    await countOf(page);
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return `${element?.tagName} ${element?.getAttribute('aria-label') ?? ''} ${element?.textContent ?? ''}`;
      });
    const tabTo = async (label: string) => {
      const trail = [await focused()];
      while (trail.length <= 60 && !trail.at(-1)?.includes(label)) {
        await press('Tab');
        trail.push(await focused());
      }
      const foot = await page.locator('.filter-panel .pane-foot').innerText();
      expect(trail.at(-1), `the keyboard reaches ${label}: ${trail.join(' > ')}; ${foot}`).toContain(label);
    };
    await press('f');
    await eventually(focused, 'not at the button that takes the county away').toContain('Add a county or ZIP');
    await tabTo('Acres from');
    // The knobs of the histogram have the name, too: the field comes after them.
    await page.getByLabel('Acres from', { exact: true }).focus();
    await page.keyboard.type('40');
    await tabTo('Search');
    await eventually(async () => (await remembered(page)).filter).toEqual({ county, acres_min: 40 });
    await press('Escape', 'Enter');
    await page.getByText('Nothing has changed since').waitFor();
    await press('t', 'ArrowDown', 'ArrowDown');
    await eventually(() => selectedRow(page).getAttribute('aria-rowindex')).toBe('3');
    const apn = (await selectedRow(page).locator('.apn').innerText()).trim();
    await eventually(() => parcelTitle(page).innerText()).toBe(apn);
    await press('End');
    const last = numberIn(await page.locator('.table-title b').innerText());
    await eventually(() => selectedRow(page).getAttribute('aria-rowindex')).toBe(String(last + 1));
    await press('Home');
    await eventually(() => selectedRow(page).getAttribute('aria-rowindex')).toBe('2');
    await press(']');
    await eventually(() => selectedRow(page).getAttribute('aria-rowindex')).toBe('3');
    await press('Enter');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('detail');
    await press('Escape');
    await eventually(() => page.locator('.detail').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('table');
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
  });

  test('the panel has one control for each filter of the table, and none besides', async () => {
    const { page } = await openWindow();
    await countOf(page);
    await openAllSections(page);
    const shown = await page
      .locator('[data-filter]')
      .evaluateAll((all) => all.flatMap((one) => one.getAttribute('data-filter')?.split(' ') ?? []));
    expect(shown.toSorted()).toEqual(filters.map(({ name }) => name).toSorted());
  });

  test('each kind of control asks what the API would be asked', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    await openAllSections(page);
    const control = (name: string) => page.locator(`[data-filter~="${name}"]`);
    const steps: [string, () => Promise<unknown>, FilterBody][] = [
      [
        'a ZIP in the place field',
        async () => {
          await page.getByLabel('Add a county or ZIP').fill('0014');
          await page.getByRole('option').first().waitFor();
          await page.keyboard.press('Enter');
        },
        { county, zips_include: expect.any(Array) },
      ],
      [
        'a knob of the histogram',
        async () => {
          await page.getByLabel('Acres from, on the histogram').focus();
          for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
        },
        { county, acres_min: expect.any(Number) },
      ],
      [
        'no',
        () => control('out_of_county_owner').getByRole('radio', { name: 'no' }).click(),
        { county, out_of_county_owner: false },
      ],
      [
        'a choice of Y and N',
        () => control('owner_occupied').getByRole('radio', { name: 'yes' }).click(),
        { county, owner_occupied: 'Y' },
      ],
      ['a tick', () => control('vacant_only').getByRole('checkbox').click(), { county, vacant_only: true }],
      [
        'words',
        async () => {
          await page.getByLabel('Owner name has none of these words').fill('estate');
          await page.keyboard.press('Enter');
        },
        { county, owner_name_exclude_words: ['ESTATE'] },
      ],
      [
        'a value of a list',
        () => control('land_use_codes').getByRole('checkbox').first().click(),
        { county, land_use_codes: [expect.any(String)] },
      ],
      [
        'a maximum',
        () => page.getByLabel('Flood zone at most', { exact: true }).fill('10'),
        { county, flood_zone_percent_max: 10 },
      ],
      [
        'the slope sentence',
        () => page.getByLabel('Percent of the area that may be steeper').fill('20'),
        { county, slope_area_index: 5, slope_area_percent: 20 },
      ],
      [
        'a date',
        () => page.getByLabel('Last sale date from').fill('2015-06-30'),
        { county, last_sale_date_min: '20150630' },
      ],
      [
        'a frontage with its types',
        async () => {
          await page.getByLabel('Road frontage from', { exact: true }).fill('300');
          await control('frontage_local_road').getByRole('checkbox').click();
        },
        { county, road_frontage_min: 300, frontage_local_road: true },
      ],
      [
        'an area',
        async () => {
          await page.getByRole('button', { name: 'Paste a shape' }).click();
          await page
            .getByLabel('Area as WKT, longitude latitude')
            .fill('POLYGON ((-71.9 44, -71.7 44, -71.7 44.1, -71.9 44))');
          await page.getByRole('button', { name: 'Use this area' }).click();
        },
        { county, geom_intersects: expect.stringContaining('POLYGON') },
      ],
    ];
    for (const [name, work, body] of steps) {
      await work();
      await eventually(async () => (await remembered(page)).filter, name).toEqual(body);
      const { filter } = await remembered(page);
      await eventually(() => countOf(page), name).toBe(await apiCount(engine, filter));
      await page.getByRole('button', { name: 'Reset' }).click();
      await eventually(async () => (await remembered(page)).filter).toEqual({ county });
    }
  });

  test('text that is not a number is reported below the field and sends no request', async () => {
    const { page } = await openWindow();
    await countOf(page);
    const from = page.getByLabel('Acres from', { exact: true });
    const acres = async () => (await remembered(page)).filter.acres_min;
    const said = page.locator('[data-filter~=acres] .field-problem');
    await from.fill('50');
    await eventually(acres).toBe(50);
    await from.fill('50x');
    await eventually(acres).toBeUndefined();
    expect([await from.inputValue(), await said.innerText()]).toEqual(['50x', 'A number is expected.']);
    // Thousands while it is typed; left alone it is ten and a half.
    await from.fill('10,5');
    expect(await said.count()).toBe(0);
    await page.keyboard.press('Tab');
    await eventually(acres).toBeUndefined();
    expect(await said.innerText()).toBe('Commas separate thousands; a point, the decimals.');
    expect(await from.getAttribute('aria-describedby')).toBe(await said.getAttribute('id'));
    await from.fill('1,200');
    await page.keyboard.press('Tab');
    await eventually(acres).toBe(1200);
    // A pair the wrong way round is said in the panel's words, not the API's, and the map is no fault of it.
    await page.getByLabel('Acres to', { exact: true }).fill('5');
    await page.locator('.pane-foot').getByText('Acres: the first is above the second.').waitFor();
    expect(await searchButton(page).isDisabled()).toBe(true);
    expect(await page.getByText(/could not be read|acres_min/).count()).toBe(0);
    await page.getByRole('button', { name: 'Reset' }).click();
    await eventually(() => from.inputValue()).toBe('');
  });

  test('nothing is charged while a number is refused, and Reset takes what is typed away', async () => {
    const { page, ledger } = await openWindow();
    const all = await countOf(page);
    const from = page.getByLabel('Acres from', { exact: true });
    await from.click();
    await page.keyboard.type('10,5');
    // The press itself takes the keyboard from the field.
    await searchButton(page).click({ force: true });
    await page.locator('.pane-foot').getByText('“Acres from” is not valid as typed.').waitFor();
    expect(await searchButton(page).isDisabled()).toBe(true);
    expect(await countOf(page)).toBe(all);
    await page.getByRole('button', { name: 'Reset' }).click();
    await eventually(() => from.inputValue()).toBe('');
    expect(await searchButton(page).isDisabled()).toBe(false);
    expect(ledger()).toEqual([]);
    await from.fill('5x');
    await page.getByRole('button', { name: 'Reset' }).click();
    await eventually(() => from.inputValue()).toBe('');
    expect(await page.locator('.field-problem').count()).toBe(0);
  });

  test('a slider of whole numbers gives whole numbers', async () => {
    const { page } = await openWindow();
    await countOf(page);
    await openAllSections(page);
    for (const name of ['Structures', 'Owned for']) {
      const thumb = page.getByLabel(`${name} from, on the histogram`);
      // A histogram is loaded when first visible.
      await page.getByLabel(`${name} from`, { exact: true }).scrollIntoViewIfNeeded();
      await thumb.focus();
      await page.keyboard.press('ArrowRight');
      await eventually(async () =>
        Number(await page.getByLabel(`${name} from`, { exact: true }).inputValue()),
      ).toSatisfy((value: number) => value > 0 && Number.isInteger(value));
      expect(await page.locator('.field-problem').count()).toBe(0);
    }
    await page.getByRole('button', { name: 'Reset' }).click();
    await eventually(() => page.getByLabel('Structures from', { exact: true }).inputValue()).toBe('');
  });

  test('leave out, include and only these say what happens to the unknown', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    await page.getByLabel('Flood zone at most', { exact: true }).fill('10');
    const choice = page.getByRole('radiogroup', { name: /flood zone at most is unknown/ });
    await choice.waitFor();
    const filter = { county, flood_zone_percent_max: 10 };
    const dropped = await apiCount(engine, filter);
    const kept = await apiCount(engine, { ...filter, include_unknown: ['flood_zone_percent'] });
    expect(kept).toBeGreaterThan(dropped);
    expect(await countOf(page)).toBe(dropped);
    expect(await page.getByText(/have no flood zone:/).innerText()).toBe(`${kept - dropped} have no flood zone:`);
    await choice.getByRole('radio', { name: 'include' }).click();
    await eventually(() => countOf(page)).toBe(kept);
    await choice.getByRole('radio', { name: 'only these' }).click();
    await eventually(() => countOf(page)).toBe(kept - dropped);
    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    expect(numberIn(await page.locator('.table-title b').innerText())).toBe(kept - dropped);
  });

  test('a filter that excludes says how many unknown parcels it keeps, and shows these alone', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    await page.getByLabel('Exclude landlocked', { exact: true }).check();
    const choice = page.getByRole('radiogroup', { name: 'Parcels unknown to “Exclude landlocked”' });
    await choice.waitFor();
    const unknown = engine.land.file.get<{ n: number }>(
      "SELECT count(*) AS n FROM parcels WHERE status = 'current' AND landlocked IS NULL",
    )?.n;
    expect(await countOf(page)).toBe(await apiCount(engine, { county, exclude_landlocked: true }));
    expect(await page.getByText(/have nothing about it:$/).innerText()).toBe(`${unknown} have nothing about it:`);
    expect(await choice.getByRole('radio').allInnerTexts()).toEqual(['include', 'only these']);
    await choice.getByRole('radio', { name: 'only these' }).click();
    await eventually(() => countOf(page)).toBe(unknown);
    await choice.getByRole('radio', { name: 'include' }).click();
    await eventually(() => countOf(page)).toBe(await apiCount(engine, { county, exclude_landlocked: true }));
  });

  test('for 50 random filters the panel counts what the API counts', async () => {
    const { page, engine } = await openWindow();
    await countOf(page);
    const { state: _state, ...each } = filterArbitraries(plainParcels(engine));
    const bodies = fc
      .subarray(Object.values(each), { minLength: 1, maxLength: 4 })
      .chain((some) => fc.tuple(...some))
      .map((parts): FilterBody => Object.assign({ county }, ...parts));
    const steps = fc.sample(bodies, { numRuns: 50, seed: 66 });
    // As if each had been chosen after the other: Ctrl+Z then steps through all of them without reloading the page.
    await page.evaluate((past) => {
      const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...before, past }));
    }, steps);
    await page.reload();
    await countOf(page);
    for (const filter of steps.toReversed()) {
      await page.keyboard.press('Control+z');
      await eventually(async () => (await remembered(page)).filter).toEqual(filter);
      expect(await countOf(page), JSON.stringify(filter)).toBe(await apiCount(engine, publicBody(filter)));
    }
  });
});

describe.runIf(available)('the states of Explore', () => {
  test('without a place Search is off and says why in the API’s own words', async () => {
    const { page } = await openWindow();
    await countOf(page);
    await page.getByRole('button', { name: 'Remove Alder County 99001' }).click();
    await page.getByText('No place yet').first().waitFor();
    expect(await searchButton(page).isDisabled()).toBe(true);
    expect(await searchButton(page).innerText()).toMatch(/Search\s*uses 30/);
    await page
      .getByText('Choose where first: a county, ZIP codes, a drawn area, or the parcels of an owner.')
      .waitFor();
    await page.getByRole('button', { name: 'choose a county or ZIP code' }).click();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Add a county or ZIP',
    );
  });

  test('nothing found costs nothing, names the filter that removes most, and relaxes it with one click', async () => {
    const { page, engine, ledger } = await openWindow();
    await countOf(page);
    await page.getByLabel('Acres from', { exact: true }).fill('50000');
    await page.getByLabel('Only vacant parcels').click();
    await eventually(() => searchButton(page).innerText()).toBe('Search');
    await searchButton(page).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(ledger()).toEqual([]);
    const vacant = await apiCount(engine, { county, vacant_only: true });
    engine.account.file.get('SELECT 1');
    await page.getByText(`+${vacant.toLocaleString('en-US')}`).waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click();
    await eventually(() => countOf(page)).toBe(vacant);
  });

  test('an error says what happened, with its request id, and the same press is tried again', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /402 \(Payment Required\)/ });
    await countOf(page);
    changePlan(engine.account, { invoice_paid: false });
    await searchButton(page).click();
    await page.getByRole('heading', { name: 'The search did not finish' }).waitFor();
    expect(await page.locator('.pane-foot .state').innerText()).toMatch(
      /The plan of this computer does not cover this[\s\S]*Request [0-9a-f-]{36}, code payment_required/,
    );
    changePlan(engine.account, { invoice_paid: true });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing has changed since').waitFor();
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
  });

  test('in a narrow window an error is seen without the panel', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /402 \(Payment Required\)/ });
    await page.setViewportSize({ width: 800, height: 700 });
    await countOf(page);
    expect(await page.locator('.filter-panel').count()).toBe(0);
    changePlan(engine.account, { invoice_paid: false });
    await searchButton(page).click();
    const trouble = page.getByRole('alert').filter({ hasText: 'The plan of this computer does not cover this' });
    await trouble.waitFor();
    // In two lines, its buttons beside them: map and results are still visible below.
    await page.setViewportSize({ width: 1024, height: 680 });
    await eventually(async () => (await trouble.boundingBox())?.height ?? 999).toBeLessThan(90);
    await page.getByRole('button', { name: /^Filters/ }).click();
    await page.locator('.filter-panel').getByRole('alert').waitFor();
    expect(await trouble.count(), 'said once').toBe(1);
    await page.locator('.filter-panel').getByRole('button', { name: 'Close' }).click();
    changePlan(engine.account, { invoice_paid: true });
    await trouble.getByRole('button', { name: /Try again/ }).click();
    await page.locator('.table-pane .grid-row').first().waitFor();
    await eventually(() => page.getByRole('alert').count()).toBe(0);
    expect(ledger().map(({ tokens }) => tokens)).toEqual([30]);
  });

  test('filter changes are undone and done again, and reload keeps filter, search and selection', async () => {
    const { page, ledger } = await openWindow();
    await countOf(page);
    await page.getByLabel('Acres from', { exact: true }).fill('20');
    await page.getByLabel('Exclude company owners').click();
    await searchButton(page).click();
    await page.getByText('Nothing has changed since').waitFor();
    await page.locator('.grid-body .grid-row').first().click();
    const before = await remembered(page);
    await page.locator('.grid').focus();
    await page.keyboard.press('Control+z');
    await eventually(async () => (await remembered(page)).filter).toEqual({ county, acres_min: 20 });
    await page.keyboard.press('Control+z');
    await eventually(async () => (await remembered(page)).filter).toEqual({ county });
    const undone = page.locator('.toast', { hasText: 'Filter change undone' });
    await undone.getByRole('button', { name: 'Redo' }).waitFor();
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+Shift+z');
    await eventually(async () => (await remembered(page)).filter).toEqual(before.filter);
    // The note goes with the step that it offered to redo.
    expect(await undone.count()).toBe(0);
    await page.reload();
    await page.getByText('Nothing has changed since').waitFor();
    expect(await remembered(page)).toEqual(before);
    await eventually(() => selectedRow(page).count()).toBe(1);
    expect(ledger()).toHaveLength(1);
  });

  test('filters that the county’s file has no data for are grey and say so', async () => {
    const { page, engine } = await openWindow();
    engine.land.file.run(
      'UPDATE parcels SET mortgage_amount = NULL, mortgage_date = NULL, mortgage_financing_type = NULL, mortgage_loan_type = NULL, mortgage_interest_rate = NULL, school_district = NULL',
    );
    await page.reload();
    await countOf(page);
    const head = page.locator('.section-head', { hasText: 'First mortgage' });
    await eventually(() => head.innerText()).toMatch(/not in this county’s file/);
    await openAllSections(page);
    expect(await page.locator('[data-filter=school_district]').innerText()).toMatch(
      /School district\s*needs a layer of school districts · Add/,
    );
    expect(await page.locator('[data-filter=mortgage_amount]').innerText()).toMatch(/not in this county’s file/);
    expect(await page.locator('[data-filter=school_district] input').count()).toBe(0);
    await page.locator('[data-filter=school_district]').getByRole('button', { name: 'Add' }).click();
    await page.locator('[data-focus=import-path]').waitFor();
    expect(await page.getByRole('radio', { name: 'A layer' }).getAttribute('aria-checked')).toBe('true');
  });
});
