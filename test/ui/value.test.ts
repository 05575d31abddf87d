/** The Value tab: what it charges, that its rows recompute to the number shown, and each of its states. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { changePlan } from '../../engine/account/plan.ts';
import type { Engine } from '../../engine/index.ts';
import { trainMarket } from '../../engine/query/train-market.ts';
import { explainedValue } from '../../engine/value-explained.ts';
import { type ShownValue, shownValue } from '../../engine/work/shown-value.ts';
import { findValue } from '../../engine/work/stored-values.ts';
import {
  axisAround,
  basisWords,
  confidenceOf,
  leftOutWords,
  rangeWords,
  rounded,
} from '../../renderer/value/value-words.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { findings } from './findings.ts';
import { countOf, eventually, hasBrowser, openWindow, parcelTitle, remembered, searchButton } from './window.ts';

const available = hasBrowser();

const shownValueOf = (engine: Engine, id: number): ShownValue =>
  shownValue(engine, id, explainedValue(engine.land, id, engine.now()));

const product = (numbers: readonly number[]): number => numbers.reduce((all, each) => all * each, 1);

test('of 60 parcels every row recomputes to its adjusted price, and the rows to the value', () => {
  const engine = engineOn(sampleHome());
  const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id % 97 LIMIT 60');
  for (const id of ids) {
    const { used, numbers, acres } = shownValueOf(engine, id);
    let logarithm = 0;
    for (const comp of used) {
      const adjusted = (comp.price / comp.acres) * product(Object.values(comp.factors));
      expect(adjusted / comp.adjusted_price_per_acre).toBeCloseTo(1, 9);
      logarithm += comp.weight * Math.log(adjusted);
    }
    expect(used.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(Math.exp(logarithm) / numbers.mean_adjusted_ppa).toBeCloseTo(1, 9);
    expect((Math.exp(logarithm) * acres) / numbers.mean_adjusted_price).toBeCloseTo(1, 9);
  }
});

test('comps used and left out are all those that were seen', () => {
  const engine = engineOn(sampleHome());
  // All 900 comps of the sample are within the last ring of its largest parcel, or beyond it.
  const all = engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM comps')?.n;
  for (const id of [1, 6, 400, 3000]) {
    const { seen, used, left_out: out } = shownValueOf(engine, id);
    expect(seen + out.counts.beyond_ring).toBe(all);
    const { beyond_ring: _beyond, ...within } = out.counts;
    expect(used.length + Object.values(within).reduce((sum, count) => sum + count, 0)).toBe(seen);
  }
});

describe('a value in words', () => {
  test('a range has the figures that its width leaves', () => {
    // a factor of 1.3 either way leaves two; of 1.05, three; of 1.01, four
    expect(rangeWords({ low: 116_432, high: 195_508 })).toBe('$120,000 to $200,000');
    expect(rangeWords({ low: 116_432, high: 128_508 })).toBe('$116,000 to $129,000');
    expect(rangeWords({ low: 116_432, high: 118_508 })).toBe('$116,400 to $118,500');
    expect([rounded(4268.6, 3), rounded(0, 3), rounded(987_654_321, 3)]).toEqual([4270, 0, 988_000_000]);
  });

  test('confidence is low below 50 and of a single comp, good from 70', () => {
    const value = (score: number, isLow = false) =>
      ({ numbers: { confidence_score: score }, is_low_confidence: isLow }) as unknown as ShownValue;
    expect([49.9, 50, 69.9, 70].map((score) => confidenceOf(value(score)))).toEqual(['low', 'fair', 'fair', 'good']);
    expect(confidenceOf(value(82, true))).toBe('low');
  });

  test('one comp says that it is one, several how close they lie', () => {
    const value = (gini: number, ...distances: number[]) =>
      ({
        used: distances.map((distance_km) => ({ distance_km })),
        numbers: { gini_index: gini },
      }) as unknown as ShownValue;
    expect(basisWords(value(0, 1.609344))).toBe('1 comp used, 1.0 mi away. One comp alone is always low confidence.');
    expect(basisWords(value(7.4, 8, 1.609344))).toBe(
      '2 comps used, the nearest 1.0 mi away. After adjusting they lie close together.',
    );
  });

  test('a scale has round steps and holds what it is for', () => {
    // From 85,000 to 245,000 a sixth is 26,667, so steps of 30,000: from 60 to 270 thousand.
    expect(axisAround(85_000, 245_000)).toEqual({
      from: 60_000,
      to: 270_000,
      ticks: [60_000, 90_000, 120_000, 150_000, 180_000, 210_000, 240_000, 270_000],
    });
    for (const [low, high] of [
      [0, 1],
      [3, 3.001],
      [999, 1_000_000],
    ] as const) {
      const { from, to } = axisAround(low, high);
      expect(from).toBeLessThanOrEqual(low);
      expect(to).toBeGreaterThanOrEqual(high);
    }
  });

  test('every reason for leaving a comp out has words, and says how many more there are', () => {
    const engine = engineOn(sampleHome());
    const value = shownValueOf(engine, 6);
    for (const comp of value.left_out.comps) expect(leftOutWords(comp, value)).toMatch(/\w/);
    const many = value.left_out.comps.find(({ reason }) => reason === 'not_among_most_similar');
    const count = value.left_out.counts.not_among_most_similar;
    expect(many && leftOutWords(many, value)).toBe(`less alike than the ${value.used.length} used; ${count - 1} more`);
  });
});

/** The window on one parcel, opened by its APN. */
async function openParcel(page: Page, engine: Engine, id: number): Promise<void> {
  // Counted, but not to be seen while a parcel has the whole screen.
  await page.locator('[data-testid=count][data-current=true]').first().waitFor({ state: 'attached' });
  const apn = engine.land.file.get<{ apn: string }>('SELECT apn FROM parcels WHERE property_id = ?', id)?.apn ?? '';
  await page.evaluate((selected) => {
    const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
    localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: 'parcel' }));
  }, id);
  await page.reload();
  await eventually(() => parcelTitle(page).innerText()).toBe(apn);
}

const valueTab = (page: Page) => page.getByRole('tab', { name: 'Value' });
const pricedButton = (page: Page) => page.locator('.detail [data-priced]');
const callPath = '**/app/call/get_property_ai_comp_value';

interface ShownRow {
  readonly price: number;
  readonly acres: number;
  readonly pricePerAcre: number;
  readonly factors: readonly number[];
  readonly adjusted: number;
  readonly weight: number;
}

/** The table on the screen, read by its headings. */
const rowsOnScreen = (page: Page): Promise<ShownRow[]> =>
  page.evaluate(() => {
    const heads = [...document.querySelectorAll('.value-table thead th')].map((th) => th.textContent?.trim() ?? '');
    const number = (text: string | null | undefined) => Number((text ?? '').replaceAll(',', ''));
    return [...document.querySelectorAll('.value-table tr[data-comp]')].map((row) => {
      const cells = [...row.querySelectorAll('td')].map((cell) => cell.textContent);
      const at = (head: string) => number(cells[heads.indexOf(head)]);
      return {
        price: at('Price, $'),
        acres: at('Acres'),
        pricePerAcre: at('$/ac'),
        factors: heads.filter((head) => head.startsWith('×')).map(at),
        adjusted: at('Adjusted $/ac'),
        weight: at('Weight, %'),
      };
    });
  });

const dollars = (text: string): number => Number(text.replace(/[$,]|\/ac/g, ''));

describe.runIf(available)('the Value tab', () => {
  test('with the model of its market, the value shows both opinions, that too few sales are held back to correct it, offers, and the whole test by one click', async () => {
    const { page, engine } = await openWindow();
    trainMarket(engine.land, '99001', engine.now());
    await openParcel(page, engine, 6);
    await page.keyboard.press('v');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('value-first');
    await page.keyboard.press('Enter');
    await page.getByTestId('range').waitFor();
    const { opinions, offers, test: tested } = findValue(engine.account, 6)?.explained ?? {};
    expect(opinions).toMatchObject({ share: 0.5, is_tested: false });
    const words = (title: string) => page.locator(`[aria-labelledby=${title}]`).innerText();
    expect(await words('opinions-title')).toContain(`$${Math.round(opinions?.model ?? 0).toLocaleString('en-US')}`);
    expect(await words('opinions-title')).toContain('the value lies halfway between both');
    expect(await words('opinions-title')).toContain('Too few held-back sales here to correct this value');
    expect(await words('offers-title')).toContain('1 of 10 such lots sold for less');
    expect(offers?.map(({ risk }) => risk)).toEqual([10, 20, 30]);
    const subject = page.locator('.subject-row');
    expect(await subject.innerText()).toContain('This parcel');
    const rows = await rowsOnScreen(page);
    expect(rows.length).toBeGreaterThan(12);
    for (const { pricePerAcre, factors, adjusted } of rows)
      expect((pricePerAcre * product(factors)) / adjusted).toBeCloseTo(1, 1);
    await page.getByRole('button', { name: 'How it was tested' }).click();
    const table = page.locator('.test-table');
    await page.getByText('Tested by the comps alone').waitFor();
    expect(await table.first().locator('tbody tr').count()).toBe(5);
    expect(await table.nth(1).locator('tbody tr').count()).toBe(tested?.detail.strata.length);
  });

  test.each([
    [1024, 680, 'light'],
    [1024, 680, 'outdoor'],
    [1280, 800, 'light'],
  ])('the table of the comps is whole at %i × %i, %s, with every adjustment', async (width, height, theme) => {
    const { page, engine } = await openWindow({ context: { viewport: { width, height } } });
    await page.evaluate(
      (chosen) => localStorage.setItem('platbook.settings', JSON.stringify({ theme: chosen })),
      theme,
    );
    trainMarket(engine.land, '99001', engine.now());
    // Its comps are asks and sales of over a million dollars: the widest cells.
    const [id] = engine.land.file.column<number>("SELECT property_id FROM parcels WHERE apn = '18-136'");
    await openParcel(page, engine, id as number);
    await page.keyboard.press('v');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('value-first');
    await page.keyboard.press('Enter');
    const frame = page.getByRole('region', { name: 'Comps used' });
    await frame.waitFor();
    expect((await rowsOnScreen(page))[0]?.factors.length).toBe(8);
    expect(await frame.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    // A sign of multiplication never stands alone above its word.
    const heads = await frame
      .locator('th')
      .filter({ hasText: '×' })
      .evaluateAll((all) =>
        all.map((one) => {
          const text = document.createRange();
          text.selectNodeContents(one);
          return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size;
        }),
      );
    expect(heads).toEqual(Array(8).fill(1));
  });

  test('a value as of a past day uses nothing later, and says so above the range', async () => {
    const { page, engine, ledger } = await openWindow();
    await openParcel(page, engine, 6);
    await page.keyboard.press('v');
    await page.getByRole('heading', { name: 'Not valued yet' }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('value-first');
    await page.keyboard.press('Enter');
    await page.getByTestId('range').waitFor();
    expect(await page.getByRole('region', { name: 'Offers at a chosen risk' }).locator('li').count()).toBe(3);
    const day = '2025-11-20';
    await page.getByLabel('as of').fill(day);
    await pricedButton(page).click();
    const first = page.getByRole('region', { name: 'Know first' });
    await first.getByText('As of 20 Nov 2025').waitFor();
    expect(ledger().length).toBe(2);
    const kept = findValue(engine.account, 6)?.explained;
    expect(kept?.valued_on).toBe(day);
    for (const { date } of kept?.used ?? []) expect((date ?? '9') <= day).toBe(true);
    const above = await page.evaluate(() => {
      const [warnings, range] = ['[aria-label="Know first"]', '[data-testid=range]'].map((one) =>
        document.querySelector(one),
      );
      return (warnings?.getBoundingClientRect().bottom ?? 0) <= (range?.getBoundingClientRect().top ?? 0);
    });
    expect(above).toBe(true);
  });

  test('V and Enter value a parcel: charged once, kept, and free after a reload; what is on the screen multiplies to it', async () => {
    const { page, engine, ledger } = await openWindow();
    await openParcel(page, engine, 6);
    await page.keyboard.press('v');
    await page.getByRole('heading', { name: 'Not valued yet' }).waitFor();
    expect(await pricedButton(page).innerText()).toMatch(/^Value\s*uses 10$/);
    expect(ledger()).toEqual([]);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('value-first');
    await page.keyboard.press('Enter');
    await page.getByTestId('range').waitFor();
    expect(ledger()).toEqual([{ endpoint: 'public_ai_comp_value', mode: 'app', tokens: 10 }]);
    await eventually(() => page.getByTestId('tokens').innerText()).toBe('10 of 30,000 used');

    const { data } = await engine.call('get_property_ai_comp_value', { id: 6 });
    const shown = await page.locator('.four-numbers dd.num').allInnerTexts();
    expect(shown.map(dollars)).toEqual(
      [data.mean_adjusted_price, data.mean_adjusted_ppa, data.mean_price, data.mean_ppa].map(Math.round),
    );
    // In words: names of the API are for programs.
    expect(await page.locator('main').innerText()).not.toMatch(/mean_|_ppa/);

    const rows = await rowsOnScreen(page);
    expect(rows.length).toBe(findValue(engine.account, 6)?.explained.used.length);
    for (const { price, acres, pricePerAcre, factors, adjusted } of rows) {
      // Acres have two decimals and dollars an acre none: half of the last digit of each.
      const half = price / acres ** 2 / 200 + 0.5;
      expect(Math.abs(price / acres - pricePerAcre)).toBeLessThanOrEqual(half);
      // Each factor is off by at most half of a thousandth.
      const slack = factors.reduce((sum, factor) => sum + 0.0005 / factor, 0) + 0.5 / adjusted + half / pricePerAcre;
      expect(Math.abs((pricePerAcre * product(factors)) / adjusted - 1)).toBeLessThanOrEqual(slack);
    }
    const sum = rows.reduce((all, { weight }) => all + weight, 0);
    expect(sum).toBeCloseTo(100, 0);
    const middle = Math.exp(rows.reduce((all, { adjusted, weight }) => all + (weight / sum) * Math.log(adjusted), 0));
    const written = dollars(await page.getByTestId('middle').innerText());
    expect(middle / written).toBeGreaterThan(0.999);
    expect(middle / written).toBeLessThan(1.001);
    const acres = Number(
      /times ([\d.,]+) ac/.exec(await page.locator('[aria-labelledby=why-title] .section-title').innerText())?.[1],
    );
    expect(written * acres).toBeCloseTo(data.mean_adjusted_price ?? 0, -1);

    const before = await page.locator('.value-body').innerText();
    await page.reload();
    await page.getByTestId('range').waitFor();
    expect(await page.locator('.value-body').innerText()).toBe(before);
    expect(await page.locator('.tab-actions').innerText()).toMatch(/^Valued \d+ \w+ \d{4}, stored with the parcel/);
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Value' }).getByText('confidence').waitFor();
    expect(ledger()).toHaveLength(2);
    expect(ledger()[1]?.mode).toBe('script');
  });

  test('a comp of the table opens beside the value; its parcel has a way back to the value', async () => {
    const { page, engine } = await openWindow();
    const id = 400;
    await openParcel(page, engine, id);
    await valueTab(page).click();
    await pricedButton(page).first().click();
    await page.getByTestId('range').waitFor();
    const row = page
      .locator('tr[data-comp]')
      .filter({ has: page.locator('button') })
      .first();
    const name = await row.locator('.apn').innerText();
    const beside = page.getByRole('complementary', { name: `Comp ${name}` });
    await row.locator('.apn').click();
    await beside.getByText('In the value').waitFor();
    expect(await page.getByTestId('range').isVisible()).toBe(true);
    expect((await remembered(page)).selected).toBe(id);
    await page.keyboard.press('Escape');
    await beside.waitFor({ state: 'detached' });
    expect(await row.locator('.apn').evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await beside.getByRole('button', { name: 'Open its parcel' }).click();
    await eventually(() => parcelTitle(page).innerText()).toBe(name);
    await page.getByRole('button', { name: /^Back to the value of/ }).click();
    await page.getByTestId('range').waitFor();
    expect((await remembered(page)).selected).toBe(id);
    await page.getByRole('region', { name: 'Where they lie' }).waitFor();
  });

  test('two presses at once are one charge, a lost answer is not paid twice, and Refresh is a new one', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /Failed to load resource/ });
    await openParcel(page, engine, 41);
    await valueTab(page).click();
    await page.getByText('Not valued yet').waitFor();
    let isLost = true;
    await page.route(callPath, async (route) => {
      if (!isLost) return route.continue();
      isLost = false;
      // The engine has answered and charged; the answer does not arrive.
      await route.fetch();
      return route.abort();
    });
    await pricedButton(page).click();
    await page.getByRole('heading', { name: 'The value was not computed' }).waitFor();
    expect(ledger()).toHaveLength(1);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('range').waitFor();
    expect(ledger()).toHaveLength(1);
    // The value shows while the press that was tried again still reads what else it changed.
    await eventually(() => pricedButton(page).getAttribute('aria-busy')).toBe('false');
    await pricedButton(page).dblclick();
    await eventually(() => ledger().length).toBe(2);
    await eventually(() => pricedButton(page).getAttribute('aria-busy')).toBe('false');
    expect(ledger().map(({ tokens }) => tokens)).toEqual([10, 10]);
  });

  test('without comps near it says how far the nearest is, and costs nothing', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /404 \(Not Found\)/ });
    // Two degrees north: 222 km away, beyond the last ring of 120 km.
    engine.land.file.run('UPDATE comps SET latitude = latitude + 2');
    await openParcel(page, engine, 6);
    await valueTab(page).click();
    await pricedButton(page).click();
    await page.getByRole('heading', { name: 'No value' }).waitFor();
    expect((await page.locator('.no-value p').innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^No relevant comps within 75 mi; the nearest is 1[0-4]\d mi away\.$/,
    );
    expect(ledger()).toEqual([]);
    await page.getByRole('button', { name: 'Comps on the map' }).click();
    await eventually(() => page.getByRole('tab', { name: 'Comps', exact: true }).getAttribute('aria-selected')).toBe(
      'true',
    );
  });

  test('a parcel without a place or without acres cannot be valued, and no button offers it', async () => {
    const { page, engine } = await openWindow();
    engine.land.file.run('UPDATE parcels SET point_lon = NULL, point_lat = NULL, geom = NULL WHERE property_id = 6');
    engine.land.file.run('UPDATE parcels SET acres = NULL, calculated_acres = NULL WHERE property_id = 41');
    await openParcel(page, engine, 6);
    await valueTab(page).click();
    await page.getByText('The parcel has no place on the map, so nothing is near it.').waitFor();
    expect(await pricedButton(page).count()).toBe(0);
    await openParcel(page, engine, 41);
    await valueTab(page).click();
    await page.getByText('neither recorded nor mapped acres').waitFor();
    expect(await pricedButton(page).count()).toBe(0);
  });

  test('the plan’s limits are said, with nothing charged, and the same press is tried again', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /402 \(Payment Required\)/ });
    await openParcel(page, engine, 6);
    changePlan(engine.account, { cap_tokens: 5 });
    await valueTab(page).click();
    await pricedButton(page).click();
    await page.getByRole('heading', { name: 'The value was not computed' }).waitFor();
    expect(await page.locator('.detail .state').innerText()).toMatch(/code usage_limit_exceeded/);
    await page.getByText('The plan of this computer does not cover this; nothing was charged.').waitFor();
    expect(ledger()).toEqual([]);
    changePlan(engine.account, { cap_tokens: null });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('range').waitFor();
    expect(ledger()).toHaveLength(1);
  });

  test('an import since is said', async () => {
    const { page, engine, ledger } = await openWindow();
    await openParcel(page, engine, 6);
    await valueTab(page).click();
    await pricedButton(page).click();
    await page.getByTestId('range').waitFor();
    engine.land.file.run("UPDATE datasets SET imported_at = '2999-01-01T00:00:00.000Z'");
    await page.reload();
    // Other data: the window has restarted.
    await openParcel(page, engine, 6);
    await valueTab(page).click();
    await page.getByText('The county’s file was imported again since this value.').waitFor();
    expect(ledger()).toHaveLength(1);
  });

  test('a value that was paid for and could not be kept is shown all the same', async () => {
    const { page, engine, ledger } = await openWindow();
    await openParcel(page, engine, 6);
    engine.account.file.exec(
      'CREATE TRIGGER keeps_nothing BEFORE INSERT ON stored_values BEGIN SELECT RAISE(IGNORE); END',
    );
    await valueTab(page).click();
    await pricedButton(page).click();
    await page.getByText('The value could not be stored with the parcel').waitFor();
    const shown = await page.locator('.four-numbers dd.num').first().innerText();
    expect(dollars(shown)).toBe(Math.round(shownValueOf(engine, 6).numbers.mean_adjusted_price));
    expect(ledger()).toHaveLength(1);
  });

  test('the results stand beside it as a list, by mouse and by key', async () => {
    const { page, ledger } = await openWindow();
    await countOf(page);
    await searchButton(page).click();
    await page.locator('.grid-body .grid-row').nth(1).click();
    await page.keyboard.press('v');
    const items = page.locator('.result-item');
    await items.nth(3).waitFor();
    const second = (await items.nth(3).locator('.apn').innerText()).trim();
    await items.nth(3).click();
    await eventually(() => parcelTitle(page).innerText()).toBe(second);
    await page.getByRole('listbox', { name: 'Parcels found' }).focus();
    await page.keyboard.press('ArrowDown');
    const third = (await items.nth(4).locator('.apn').innerText()).trim();
    await eventually(() => parcelTitle(page).innerText()).toBe(third);
    // Escape: back to the parcel beside its map, then to the table.
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('.grid').isVisible()).toBe(true);
    expect(await page.locator('.detail').count()).toBe(1);
    await page.keyboard.press('Escape');
    await eventually(() => page.locator('.detail').count()).toBe(0);
    expect(ledger()).toHaveLength(1);
  });

  test('axe finds nothing serious or critical in any of its states, in any theme', async () => {
    const { page, engine } = await openWindow({ mode: 'development', expected: /404 \(Not Found\)/ });
    await openParcel(page, engine, 6);
    await page.keyboard.press('v');
    await page.getByText('Not valued yet').waitFor();
    expect(await findings(page), 'not valued yet').toEqual([]);
    await pricedButton(page).click();
    await page.getByTestId('range').waitFor();
    expect(await findings(page), 'valued').toEqual([]);
    await page.getByRole('button', { name: 'How it was tested' }).click();
    expect(await findings(page), 'how it was tested').toEqual([]);
    await page.keyboard.press('Escape');
    await valueTab(page).focus();
    await page.keyboard.press('Escape');
    await page.locator('.value-summary').waitFor();
    expect(await findings(page), 'summary').toEqual([]);
    engine.land.file.run('DELETE FROM comps');
    await openParcel(page, engine, 41);
    await valueTab(page).click();
    await pricedButton(page).click();
    await page.getByRole('heading', { name: 'No value' }).waitFor();
    expect(await findings(page), 'no value').toEqual([]);
  });
});
