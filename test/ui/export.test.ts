/** The export menu, feeds and backups in the window: saves exactly what is listed, and charges nothing. */
import fs from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Download, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import { findings } from './findings.ts';
import { countOf, frames, hasBrowser, type OpenWindow, openWindow, searchButton } from './window.ts';

const available = hasBrowser();

async function searched(): Promise<OpenWindow & { count: number }> {
  const window = await openWindow();
  const count = await countOf(window.page);
  await searchButton(window.page).click();
  await window.page.getByRole('button', { name: 'Export', exact: true }).waitFor();
  return { ...window, count };
}

async function saved(page: Page, press: () => Promise<void>): Promise<{ download: Download; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { download, bytes: fs.readFileSync(await download.path()) };
}

describe.runIf(available)('the export menu', () => {
  test('saves what the search listed, by keyboard alone, and charges nothing more', async () => {
    const { page, ledger, count } = await searched();
    await page.keyboard.press('Control+e');
    await page.getByRole('menu', { name: 'Export' }).waitFor();
    const { download, bytes } = await saved(page, async () => {
      await page.locator('[role=menuitem][data-highlighted]', { hasText: 'XLSX' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.locator('[role=menuitem][data-highlighted]', { hasText: 'CSV' }).waitFor();
      await page.keyboard.press('Enter');
    });
    expect(download.suggestedFilename()).toBe('parcels.csv');
    const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ property_id: id }) => id)).size).toBe(count);
    await page.getByText(`parcels.csv: ${count.toLocaleString('en-US')} parcels.`).waitFor();
    expect(ledger()).toEqual([{ endpoint: 'public_parcel_filter', mode: 'app', tokens: 30 }]);
  });

  test('shows every format with a line, and the letters', async () => {
    const { page } = await searched();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const lines = await page.getByRole('menuitem').allInnerTexts();
    expect(lines.map((line) => line.split('\n')[0])).toEqual([
      ...['XLSX', 'CSV', 'GeoJSON', 'KML', 'GPX', 'GeoPackage', 'GeoParquet', 'Shapefile', 'DXF'],
      ...['Mail merge', 'Page to send', 'Copy as TSV', 'Live feed'],
    ]);
    await page.getByRole('menuitem', { name: /^Mail merge/ }).click();
    await page.getByRole('menu', { name: 'Mail merge' }).waitFor();
    const letters = await page.getByRole('menuitem').allInnerTexts();
    expect(letters.map((line) => line.split('\n')[0])).toEqual([
      ...['Letters, XLSX', 'Letters, CSV', 'Labels 5160', 'Labels 5163', 'Labels L7160'],
    ]);
    const { bytes } = await saved(page, () => page.getByRole('menuitem', { name: 'Labels L7160' }).click());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await page.getByText(/letters for .* parcels\. Left out: /).waitFor();
  });

  test('takes the columns of the table along, with what the table makes of them, or all', async () => {
    const { page, engine } = await searched();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitemradio', { name: /Columns of the table/ }).click();
    const { bytes } = await saved(page, () => page.getByRole('menuitem', { name: /^CSV/ }).click());
    const rows = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(Object.keys(rows[0] ?? {})).toEqual([
      ...['apn', 'owner_name', 'effective_acres', 'market_total_value', 'market_value_per_acre', 'situs_address'],
      ...['mailing_city', 'mailing_state'],
    ]);
    const lots = engine.land.file.all<{ apn: string | null; acres: number | null; mapped: number | null }>(
      "SELECT apn, acres, calculated_acres AS mapped FROM parcels WHERE status = 'current'",
    );
    expect(lots.some(({ acres, mapped }) => acres === null && mapped !== null)).toBe(true);
    // Two lots may have one APN.
    const sizes = lots.map(({ apn, acres, mapped }) => `${apn ?? ''} ${acres ?? mapped ?? ''}`);
    expect(rows.map(({ apn, effective_acres: size }) => `${apn} ${size}`).sort()).toEqual(sizes.sort());
    const priced = rows.filter(({ market_value_per_acre: price }) => price !== '');
    expect(priced.length).toBeGreaterThan(1000);
    // To the cent, as a file has it.
    const wrong = priced.filter(
      ({ market_value_per_acre: price, market_total_value: value, effective_acres: size }) =>
        Math.abs(Number(price) - Number(value) / Number(size)) > 0.005001,
    );
    expect(wrong).toEqual([]);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'All columns' }).click();
    const all = await saved(page, () => page.getByRole('menuitem', { name: /^CSV/ }).click());
    expect(Object.keys((parse(all.bytes, { bom: true, columns: true }) as object[])[0] ?? {}).length).toBeGreaterThan(
      80,
    );
  });

  test('letters have a button of their own, on a search and on a list; a list takes its own columns', async () => {
    const { page, engine, count } = await searched();
    await page.getByRole('button', { name: 'Mail merge' }).click();
    await page.getByText(`${count.toLocaleString('en-US')} parcels, free; Do not mail is left out`).waitFor();
    const letters = await saved(page, () => page.getByRole('menuitem', { name: /^Letters, CSV/ }).click());
    expect(letters.download.suggestedFilename()).toBe('parcels letters.csv');
    const ids = engine.land.file.column<number>(
      "SELECT property_id FROM parcels WHERE owner_name = 'ADLER ELIF' OR property_id < 4 ORDER BY property_id LIMIT 3",
    );
    await runChange(engine, 'make_list', { name: 'Spring', of: { ids } });
    await page.reload();
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('button', { name: /^Spring/ }).click();
    await page.getByRole('button', { name: 'Mail merge' }).click();
    const labels = await saved(page, () => page.getByRole('menuitem', { name: /^Labels 5160/ }).click());
    expect(labels.download.suggestedFilename()).toBe('Spring labels-5160.pdf');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitemradio', { name: /Columns of the table/ }).click();
    const { bytes } = await saved(page, () => page.getByRole('menuitem', { name: /^CSV/ }).click());
    // No parcel is starred, kept from letters or mailed, so these columns would be empty.
    expect(
      bytes
        .toString('utf8')
        .split('\r\n')[0]
        ?.replace(/^\uFEFF/, ''),
    ).toBe('apn,owner_name,effective_acres');
  });

  test('comps and a value have feeds of their own, charged when they are read, once', async () => {
    const { page, engine, ledger } = await openWindow();
    await countOf(page);
    await page.getByRole('link', { name: 'Comps' }).click();
    await page.getByRole('radio', { name: 'County' }).click();
    await page.locator('[data-testid=comps-count][data-current=true]').waitFor();
    await page.locator('[data-focus=comps-button]').click();
    await page.getByTestId('comps-summary').waitFor();
    const paid = ledger().length;
    const feedOf = async () => {
      const url = await page.locator('.feed-url code').first().innerText();
      await page.getByRole('button', { name: 'Done' }).click();
      return url;
    };
    await page.getByRole('button', { name: /Copy the comps/ }).click();
    await page.getByRole('menuitem', { name: /Live feed uses at most [\d,]+ a day/ }).click();
    const comps = await feedOf();
    expect(ledger()).toHaveLength(paid);
    const rows = Number((await fetch(comps)).headers.get('x-total-count'));
    expect(rows).toBeGreaterThan(10);
    const read = ledger().slice(paid);
    expect(read.every(({ endpoint, mode }) => endpoint === 'public_comps' && mode === 'feed')).toBe(true);
    expect(read.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(rows);

    const id = engine.land.file.get<{ id: number }>(
      "SELECT property_id AS id FROM parcels WHERE status = 'current' AND acres BETWEEN 20 AND 42 AND geom IS NOT NULL ORDER BY property_id LIMIT 1",
    )?.id;
    await page.evaluate((selected) => {
      const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: 'value' }));
      location.hash = '/explore';
    }, id);
    await page.reload();
    await page.locator('[data-focus=value-first]').click();
    await page.getByTestId('range').waitFor();
    await page.getByRole('button', { name: 'Live feed of a number' }).click();
    await page.getByRole('menuitem', { name: /^Adjusted price/ }).click();
    const cell = await feedOf();
    const shown = engine.account.file.get<{ explained: string }>('SELECT explained FROM stored_values')?.explained;
    const price = (JSON.parse(shown ?? '{}') as { numbers: { mean_adjusted_price: number } }).numbers
      .mean_adjusted_price;
    const before = ledger().length;
    for (let i = 0; i < 2; i++) expect(Number(await (await fetch(cell)).text())).toBeCloseTo(price, 0);
    expect(ledger().slice(before)).toEqual([{ endpoint: 'public_ai_comp_value', mode: 'feed', tokens: 10 }]);
  });

  test('makes a feed that answers what was listed, and Settings revoke it', async () => {
    const { page, app, count } = await searched();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Live feed' }).click();
    const url = await page.locator('.feed-url code').first().innerText();
    expect(url.startsWith(`${app.server.baseUrl}/feeds/`)).toBe(true);
    const answer = await fetch(url);
    expect(answer.headers.get('x-total-count')).toBe(String(count));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('8');
    await page.getByText(/last used/).waitFor();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText(/is revoked/).waitFor();
    expect((await fetch(url)).status).toBe(404);
  });

  test('a feed leaves out Do not mail as long as that is ticked, and says so', async () => {
    const { page, engine, count } = await searched();
    const owner = engine.land.file.get<{ owner_name: string; n: number }>(
      "SELECT owner_name, count(*) AS n FROM parcels WHERE status = 'current' AND owner_name IS NOT NULL AND owner_name_2 IS NULL GROUP BY owner_name ORDER BY n DESC LIMIT 1",
    );
    await runChange(engine, 'do_not_mail_add', { owner_name: owner?.owner_name ?? '' });
    const namesOf = async (url: string) =>
      (parse(await (await fetch(url)).text(), { bom: true, columns: true }) as Record<string, string>[]).map(
        ({ owner_name: name }) => name,
      );
    const feed = async (line: RegExp) => {
      await page.getByRole('menuitem', { name: line }).click();
      const url = await page.locator('.feed-url code').first().innerText();
      const words = await page.getByRole('dialog').innerText();
      await page.getByRole('button', { name: 'Done' }).click();
      return { words, names: await namesOf(url) };
    };
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const without = await feed(/^Live feed.*; Do not mail is left out$/);
    expect(without.words).toContain('Do not mail is left out each time it is read.');
    expect(without.names).not.toContain(owner?.owner_name);
    expect(without.names.length).toBeLessThan(count);
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Leave out Do not mail' }).click();
    const all = await feed(/^Live feed.*uses at most [\d,]+ a day$/);
    expect(all.words).not.toContain('Do not mail');
    expect(all.names).toContain(owner?.owner_name);
    expect(all.names).toHaveLength(count);
    await page.keyboard.press('8');
    await page.getByText(/search, \.csv \.geojson \.xlsx \.parquet, Do not mail left out, made/).waitFor();
  });

  test('stays open when it is opened as soon as it was closed', async () => {
    const { page } = await searched();
    const menu = page.getByRole('menu', { name: 'Export' });
    await page.reload();
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
    await page.keyboard.press('Control+e');
    await menu.waitFor();
    // Keys come before timers where a window has much to do.
    await page.evaluate(async () => {
      const press = (init: KeyboardEventInit) =>
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }));
      press({ key: 'Escape' });
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      press({ key: 'e', ctrlKey: true });
    });
    await menu.waitFor();
    await frames(page);
    expect(await menu.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  });

  test('has no serious finding of axe, open, as a feed and in Settings, in any theme', async () => {
    const { page } = await searched();
    await page.keyboard.press('Control+e');
    await page.getByRole('menu', { name: 'Export' }).waitFor();
    expect(await findings(page), 'menu').toEqual([]);
    await page.keyboard.press('Escape');
    // It gives the focus back once it is gone, which closes a menu that was opened meanwhile.
    await page.getByRole('menu', { name: 'Export' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+e');
    await page.getByRole('menuitem', { name: 'Live feed' }).click();
    await page.getByRole('button', { name: 'Done' }).waitFor();
    expect(await findings(page), 'feed').toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('8');
    await page.getByRole('heading', { name: 'Backup' }).waitFor();
    expect(await findings(page), 'settings').toEqual([]);
  });
});

describe.runIf(available)('backups in Settings', () => {
  test('a backup is saved, and comes back at the next start only', async () => {
    const { page, engine } = await openWindow({ expected: /status of 400/ });
    await countOf(page);
    await page.keyboard.press('8');
    const { download, bytes } = await saved(page, () => page.getByRole('button', { name: 'Back up now' }).click());
    expect(download.suggestedFilename()).toMatch(/^platbook backup \d{8}-\d{6}\.zip$/);
    expect(bytes.subarray(0, 2).toString()).toBe('PK');
    const file = `${engine.home}/kept.zip`;
    fs.writeFileSync(file, bytes);
    const choose = async (path: string) => {
      await page.getByLabel('Path of a folder or file').fill(path);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Restore kept.zip at the next start' }).click();
    };
    await page.getByRole('button', { name: 'Choose a backup' }).click();
    await choose(file);
    await page.getByText(/is ready: close Platbook and start it again/).waitFor();
    await page.getByRole('button', { name: 'Cancel the restore' }).click();
    await choose('/nowhere/kept.zip');
    await page.getByText(/cannot be restored: it cannot be read \(ENOENT\)/).waitFor();
  });
});
