/** Print: what a book shows and how, its pages on the map, one page, the whole book, and its end. */
import fs from 'node:fs';
import path from 'node:path';
import type { Polygon } from 'geojson';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { bookFields } from '../../engine/book/book-fields.ts';
import { findShelved } from '../../engine/exporting/export-shelf.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { longestTitle } from '../../engine/spec/sheet-paper.ts';
import { runChange } from '../../engine/work/index.ts';
import { madeBook } from '../../renderer/book/book-state.ts';
import { ofExplore } from '../../renderer/book/use-book-sources.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { findings } from './findings.ts';
import { mapSettled } from './map-view.ts';
import { screenPlace } from './map-window.ts';
import { eventually, goTo, hasBrowser, openWindow } from './window.ts';

const available = hasBrowser();

async function showPrint(page: Page): Promise<void> {
  await page.locator('.app').waitFor();
  await goTo(page, 'print');
  await planned(page);
}

/** The estimate belongs to the choices of now. */
const planned = (page: Page) => page.locator('.book-plan[data-current=true]').waitFor();
const planText = (page: Page) => page.locator('.book-plan').innerText();
const land = (page: Page) => page.locator('[data-focus=book]');
const make = (page: Page) => page.getByRole('button', { name: 'Make the book' });

test('the folder of the file on the shelf is its id', () => {
  const id = '0123456789abcdef0123456789abcdef';
  expect(madeBook(`/home/me/.platbook/exports/${id}/Alder County.pdf`)).toEqual({ id, name: 'Alder County.pdf' });
  expect(madeBook(`C:\\home\\exports\\${id}\\Plat book.pdf`)).toEqual({ id, name: 'Plat book.pdf' });
  expect(madeBook('/home/me/books/county.pdf')).toBeNull();
});

test('Explore offers its filter, unless it is a county alone, and the selection', () => {
  const labels = (more: object, selectedMany: readonly number[] = []) =>
    ofExplore({ filter: { county: '99001', ...more }, selectedMany }, { countyName: () => 'Alder County' }).map(
      ({ label }) => label,
    );
  expect(labels({})).toEqual([]);
  expect(labels({ acres_min: 10, vacant_only: true }, [7, 8])).toEqual([
    'The filter: in Alder County of at least 10 acres, vacant',
    'The 2 selected parcels',
  ]);
  expect(bookFields.title).toMatchObject({ maxLength: longestTitle });
});

describe.runIf(available)('Print', { timeout: 180_000 }, () => {
  test('asks whether owners are named before anything is made, and plans again as choices change', async () => {
    const { page, engine, ledger } = await openWindow({ expected: /status of 400 .*book_plan/ });
    const plan = async (more: object) =>
      (await runRead(engine, 'book_plan', {
        of: { filter: { county: '99001' } },
        ...more,
      })) as ReadOutputOf<'book_plan'>;
    await showPrint(page);
    expect(await planText(page)).toContain(`${(await plan({})).map_pages} map pages at 1:24,000`);
    expect(await make(page).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Look at page' }).isDisabled()).toBe(true);
    await page.getByRole('radio', { name: 'Without names' }).click();
    expect(await make(page).isEnabled()).toBe(true);
    await page.getByLabel('Scale').selectOption('63360');
    const small = (await plan({ scale: 63_360 })).map_pages;
    await eventually(() => planText(page)).toContain(`${small} map pages at 1:63,360`);
    await page.getByRole('radio', { name: 'Tabloid' }).click();
    const large = (await plan({ scale: 63_360, paper: 'tabloid' })).map_pages;
    expect(large).toBeLessThan(small);
    await eventually(() => planText(page)).toContain(`${large} map pages at 1:63,360`);
    await page.getByLabel('Details of crowded parts').selectOption('none');
    await eventually(() => planText(page)).not.toContain('details');
    await page.getByLabel('Scale').selectOption('600');
    await page
      .getByRole('alert')
      .getByText(/a book has at most 3,000; 1:[\d,]+ fits\.$/)
      .waitFor();
    expect(await make(page).isDisabled()).toBe(true);
    expect(ledger()).toEqual([]);
    expect(await findings(page)).toEqual([]);
  });

  test('prints a list: one page, then the book, to be opened and saved', async () => {
    const { page, engine } = await openWindow();
    const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id LIMIT 400');
    await runChange(engine, 'make_list', { name: 'North lots', of: { ids } });
    // The page may have read its lists before.
    await page.reload();
    await page.locator('.app').waitFor();
    await goTo(page, 'lists');
    await page
      .getByRole('button', { name: /^North lots/ })
      .first()
      .click();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /command/i }).fill('plat book');
    await page.keyboard.press('Enter');
    await planned(page);
    await eventually(() => land(page).evaluate((field) => (field as HTMLSelectElement).selectedOptions[0]?.label)).toBe(
      'North lots, 400 parcels',
    );
    await page.getByRole('radio', { name: 'With owners’ names' }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Look at page' }).click(),
    ]);
    await page.getByRole('button', { name: 'Look at page' }).waitFor();
    const looked = engine.jobs.list().find(({ kind }) => kind === 'plat_page');
    expect(looked?.state).toBe('done');
    await tab.close();

    await make(page).click();
    await page.getByRole('region', { name: 'The book made last' }).waitFor({ timeout: 120_000 });
    const job = engine.jobs.list().find(({ kind }) => kind === 'plat_book');
    const report = job?.report as { readonly file: string; readonly pages: number; readonly title: string };
    expect(report.title).toBe('North lots');
    const made = madeBook(report.file);
    const shelved = findShelved(engine.home, made?.id ?? '');
    expect((await PDFDocument.load(fs.readFileSync(shelved?.path ?? ''))).getPageCount()).toBe(report.pages);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save …' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('North lots.pdf');
    expect(await findings(page)).toEqual([]);
  });

  test('a book can be cancelled; nothing of it stays', async () => {
    const { page, engine } = await openWindow();
    await showPrint(page);
    await page.getByRole('radio', { name: 'With owners’ names' }).click();
    await make(page).click();
    await page.getByRole('progressbar', { name: 'Print Plat book.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Everything is as it was.').waitFor();
    await eventually(() => fs.readdirSync(path.join(engine.home, 'exports'))).toEqual([]);
    expect(await make(page).isEnabled()).toBe(true);
  });

  test('the pages stand on the map, and a click on one chooses it', async () => {
    const { page } = await openWindow({ map: true });
    await showPrint(page);
    await mapSettled(page);
    const names = () =>
      page.evaluate(() => {
        const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
        const found = map?.queryRenderedFeatures({ layers: ['page-line'] }) ?? [];
        return [...new Set(found.map(({ properties }) => String(properties.name)))].length;
      });
    await eventually(names).toBe(35);
    const option = page.getByLabel('Page to look at', { exact: true });
    expect(await option.inputValue()).toBe('A1');
    const frame = await page.evaluate(() => {
      const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
      const [feature] = map?.querySourceFeatures('pages', { filter: ['==', ['get', 'name'], 'C3'] }) ?? [];
      const [ring = []] = (feature?.geometry as Polygon | undefined)?.coordinates ?? [];
      const middle = (at: 0 | 1) => ring.slice(0, 4).reduce((sum, corner) => sum + (corner[at] ?? 0), 0) / 4;
      return [middle(0), middle(1)] as const;
    });
    const { x, y } = await screenPlace(page, frame[0], frame[1]);
    await page.mouse.click(x, y);
    await eventually(() => option.inputValue()).toBe('C3');
  });
});
