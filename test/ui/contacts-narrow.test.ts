/** Contacts on a phone's window, by click: brought in, traced, deleted, kept out of the next list, and allowed again. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from './findings.ts';
import { importFolder } from './import-files.ts';
import { hasBrowser, openWindow } from './window.ts';

/** `PLATBOOK_PICTURES=DIR` keeps a picture of each step. */
const pictures = process.env.PLATBOOK_PICTURES;

async function look(page: Page, name: string): Promise<void> {
  expect(await findings(page), name).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name}: as wide as the window`).toBe(390);
  if (pictures) await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

const next = (page: Page) => page.locator('[data-focus=import-next]');

async function bring(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Import' }).click();
  const again = page.getByRole('button', { name: 'Import another file' });
  if (await again.isVisible()) await again.click();
  await page.getByRole('radio', { name: 'Contacts' }).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await look(page, `${name}-choose`);
  await page.getByRole('button', { name: 'Look at it' }).click();
  await next(page).waitFor();
  await look(page, `${name}-look`);
  await next(page).click();
  await page.getByTestId('first-rows').waitFor();
  // A name of words stands in few lines, and a choice shows the column that is chosen.
  const cell = page.getByRole('cell', { name: 'Mailing address', exact: true });
  expect((await cell.boundingBox())?.height).toBeLessThan(60);
  expect((await page.getByLabel('Mailing address is read from').boundingBox())?.width).toBeGreaterThan(120);
  await look(page, `${name}-map`);
  await next(page).click();
  await page.getByText(/^Done/).waitFor({ timeout: 60_000 });
  await look(page, `${name}-report`);
}

async function askFor(page: Page, first: string, last: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('What do you want to do?').fill('skip trace');
  await page.keyboard.press('Enter');
  await page.getByLabel('First name').fill(first);
  await page.getByLabel('Last name').fill(last);
  await page.getByRole('textbox', { name: 'ZIP', exact: true }).fill('03605');
}

const traceIt = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^Skip trace/ })
    .click();

describe.runIf(hasBrowser())('contacts in a window of 390 × 844', { timeout: 240_000 }, () => {
  test('come in by click, are found, deleted, left out of the next list with words, and allowed again', async () => {
    const { folder, home } = importFolder();
    const head = 'FIRST,LAST,ADDRESS,CITY,STATE,ZIP,PHONE';
    const orla = 'Orla,Quillfeather,12 Larkspur Ct,Wrenfield,NH,03605,603-224-0123';
    const other = 'Bram,Thistledown,7 Mill Rd,Wrenfield,NH,03605,603-224-0199';
    fs.writeFileSync(path.join(folder, 'people.csv'), `${head}\n${orla}\n${other}\n`);
    fs.writeFileSync(path.join(folder, 'later.csv'), `${head}\n${orla}\n${other.replace('0199', '0123')}\n`);
    const { page, engine } = await openWindow({ home, context: { viewport: { width: 390, height: 844 } } });
    const contacts = () => engine.people.file.column<string>('SELECT last_name FROM contacts ORDER BY 1');
    await bring(page, 'people');
    expect(contacts()).toHaveLength(2);
    await askFor(page, 'Orla', 'Quillfeather');
    await look(page, 'trace-asked');
    await traceIt(page);
    await page.locator('.phones li').first().waitFor();
    await look(page, 'trace-found');
    await page.getByRole('button', { name: 'Delete this person from my contacts' }).click();
    await page.getByRole('region', { name: 'Delete this person' }).waitFor();
    await look(page, 'trace-question');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText(/^ORLA QUILLFEATHER is deleted: 1 record and 1 kept trace\./).waitFor();
    await look(page, 'trace-deleted');
    await page.keyboard.press('Escape');
    expect(contacts()).toEqual(['Thistledown']);

    // The next list has the person again, and the number as another's.
    await bring(page, 'later');
    await page.getByText('1 person is left out: on the opt-out list').waitFor();
    await page.getByText('1 number of another person is left out: it is on the opt-out list').waitFor();
    // The other person has a record in each of the two lists.
    expect(contacts()).toEqual(['Thistledown', 'Thistledown']);
    await askFor(page, 'Orla', 'Quillfeather');
    await page.getByText(/is on the opt-out list of this home: a trace finds no one/).waitFor();
    await look(page, 'trace-opted-out');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Settings' }).click();
    const list = page.getByRole('region', { name: 'Opt-out list' });
    await list.scrollIntoViewIfNeeded();
    await look(page, 'settings-list');
    await list.getByLabel('First name').fill('Orla');
    await list.getByLabel('Last name').fill('Quillfeather');
    await list.getByLabel('ZIP').fill('03605');
    await list.getByRole('button', { name: 'Take off the list' }).click();
    await list.getByText(/off the list\.$/).waitFor();
    await look(page, 'settings-allowed');
  });
});
