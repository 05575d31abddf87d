/** Two windows on one home at once: neither shows for long what the other has changed or paid for. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { writeGeneratedCounty } from '../bench/generated-county.ts';
import { emptyHome } from '../support/homes.ts';
import { countOf, eventually, hasBrowser, openWindow, searchButton, settled } from './window.ts';

const available = hasBrowser();

const tokens = (page: Page) => page.getByTestId('tokens').innerText();

describe.runIf(available)('two windows on one home', { timeout: 240_000 }, () => {
  test('see stars, notes, lists and tokens of one another, and take back what the other did', async () => {
    const { page } = await openWindow({ context: {} });
    await countOf(page);
    await searchButton(page).click();
    await page.locator('.grid-body .grid-row').first().click();
    await page.getByRole('tab', { name: 'Notes' }).click();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other
      .getByText('No notes yet')
      .or(other.getByPlaceholder(/No notes yet/))
      .first()
      .waitFor();

    await page.getByLabel('New note').fill('Gate is locked');
    await page.getByRole('button', { name: 'Add note' }).click();
    await other.getByText('Gate is locked').waitFor();
    await page.locator('[data-focus=detail]').focus();
    await page.keyboard.press('s');
    await other.locator('.grid-body .row-star').first().waitFor();
    await other.locator('[data-focus=detail]').focus();
    // The star first: undo of this window knows none of its own.
    await other.keyboard.press('Control+z');
    await other.keyboard.press('Control+z');
    await eventually(() => page.getByText('Gate is locked').count()).toBe(0);

    await page.getByRole('tab', { name: 'Value', exact: true }).click();
    await page.locator('[data-focus=value-first]').click();
    await page.getByTestId('range').waitFor();
    await eventually(() => tokens(other)).toBe(await tokens(page));
    expect(await tokens(page)).not.toMatch(/^30 of/);
  });

  test('comps that one has paid for are listed in the other for nothing, and neither forgets a list of the other', async () => {
    const { page, ledger } = await openWindow({ context: {} });
    await countOf(page);
    await page.keyboard.press('4');
    await page.getByRole('radio', { name: 'around a point' }).click();
    await page.getByLabel('Center: latitude, longitude').fill('44.1, -71.8');
    const ask = async (window: Page, miles: number) => {
      await window.getByLabel('Radius', { exact: true }).fill(String(miles));
      await window.getByText('Not listed yet').first().waitFor();
      await window.locator('[data-testid=comps-count][data-current=true]').waitFor();
      await window.locator('[data-focus=comps-button]').click();
      await window.getByTestId('comps-summary').waitFor();
    };
    const isThere = async (window: Page, miles: number) => {
      await window.getByLabel('Radius', { exact: true }).fill(String(miles));
      await window.getByTestId('comps-summary').waitFor();
      await window
        .getByText(/that list stays free/)
        .first()
        .waitFor();
    };
    await page.getByLabel('Radius', { exact: true }).fill('2');
    await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('Not listed yet').waitFor();
    await ask(page, 2);
    await isThere(other, 2);
    expect(ledger()).toHaveLength(1);
    await ask(page, 3);
    await ask(other, 4);
    await isThere(page, 4);
    await isThere(other, 3);
    for (const window of [page, other]) await window.reload();
    for (const miles of [2, 3, 4]) await isThere(page, miles);
    expect(ledger()).toHaveLength(3);
  });

  test('tokens of a script are in the line at the bottom with Usage, and when the window is looked at again', async () => {
    const { page, engine } = await openWindow({ context: {} });
    await countOf(page);
    await engine.call('filter_properties', { county: '99001' });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await eventually(() => tokens(page)).toMatch(/^30 of/);
    await engine.call('filter_properties', { county: '99001' });
    await page.getByTestId('tokens').click();
    await page.getByRole('heading', { name: /^60 of [\d,]+ tokens used/ }).waitFor();
    await eventually(() => tokens(page)).toMatch(/^60 of/);
  });

  test('counts and shows what the command line imported when the window gets the focus again', async () => {
    const home = emptyHome();
    const file = path.join(home, 'county.ndjson');
    const { page, engine } = await openWindow({ context: {}, home });
    const imported = async (parcels: number) => {
      writeGeneratedCounty(file, parcels, 1);
      const { job_id: id } = engine.jobs.start('import_parcels', { files: [file], county: '20155', replace: true });
      expect((await engine.jobs.finished(id)).error).toBeNull();
    };
    const there = () => engine.sql<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE status = 'current'")[0]?.n;
    await imported(3000);
    await page.reload();
    await eventually(() => countOf(page)).toBe(there());
    const reads: string[] = [];
    page.on('request', (request) => {
      const [, name] = /\/app\/read\/(\w+)/.exec(request.url()) ?? [];
      if (name) reads.push(name);
    });
    await imported(5000);
    expect(await countOf(page)).not.toBe(there());
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await eventually(() => countOf(page)).toBe(there());
    await eventually(() => reads).toEqual(expect.arrayContaining(['map_sources', 'histogram']));
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await settled(page);
    reads.length = 0;
    // Nothing has changed since: only the cost is requested.
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await settled(page);
    expect(reads).toEqual(['home']);
  });
});
