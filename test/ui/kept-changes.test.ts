/** A change that waits is one, however often it is pressed; different ones are counted, and written in their order. */
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import {
  countOf,
  eventually,
  goTo,
  hasBrowser,
  type OpenWindow,
  openWindow,
  remembered,
  searchButton,
} from './window.ts';

const available = hasBrowser();

async function withParcel(): Promise<OpenWindow & { id: number }> {
  const window = await openWindow({ expected: /status of 503/ });
  const { page } = window;
  await countOf(page);
  await searchButton(page).click();
  await page.locator('.grid-body .grid-row').first().click();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByLabel('New note').waitFor();
  return { ...window, id: (await remembered(page)).selected ?? 0 };
}

/** As another program does it. @returns what lets go of the file */
function holdFile({ engine }: OpenWindow): () => void {
  const other = new Database(path.join(engine.home, 'account.sqlite'));
  onTestFinished(() => {
    other.close();
  });
  other.exec('BEGIN IMMEDIATE');
  return () => other.exec('COMMIT');
}

/** Reads again: the window does not know what the engine got elsewhere. */
async function showLists(page: Page): Promise<void> {
  await goTo(page, 'lists');
  await page.reload();
}

const committedWords = (page: Page, words: string) =>
  page.getByText(`${words} kept in memory and nothing is lost`).waitFor();

const count = ({ engine }: OpenWindow, table: string) =>
  engine.account.file.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;

/** Nothing waits any more, and nothing came after it. */
const writtenAll = (page: Page) => eventually(() => page.getByText('Another program holds your file.').count()).toBe(0);

describe.runIf(available)('while the file cannot be written', () => {
  test('a star that is pressed four times is one star', async () => {
    const window = await withParcel();
    const { page } = window;
    const letGo = holdFile(window);
    await page.locator('[data-focus=detail]').focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press('s');
    await committedWords(page, 'Your last change is');
    for (let i = 0; i < 2; i++) await page.keyboard.press('s');
    letGo();
    await eventually(() => count(window, 'stars')).toBe(1);
    await writtenAll(page);
    await page.getByRole('button', { name: 'Remove the star' }).waitFor();
    // Its turn comes after whatever was pressed before.
    await page.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByPlaceholder('Find a tag, or name a new one').fill('Lake');
    await page.keyboard.press('Enter');
    await eventually(() => count(window, 'tags')).toBe(1);
    expect(count(window, 'stars')).toBe(1);
  });

  test('a note that is sent three times is one note; what else waits is counted, and a change and its undo keep their order', async () => {
    const window = await withParcel();
    const { page } = window;
    const letGo = holdFile(window);
    await page.getByLabel('New note').fill('Gate is locked');
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'Add note' }).click();
    await committedWords(page, 'Your last change is');
    await page.getByRole('button', { name: 'Star the parcel' }).click();
    await committedWords(page, 'Your last 2 changes are');
    await page.getByRole('button', { name: 'Never mail this name' }).click();
    await page.getByRole('button', { name: 'Star the parcel' }).click();
    await committedWords(page, 'Your last 3 changes are');
    letGo();
    await eventually(() => [count(window, 'stars'), count(window, 'do_not_mail')]).toEqual([1, 1]);
    await writtenAll(page);
    expect(count(window, 'notes')).toBe(1);
    await eventually(() => page.getByLabel('New note').inputValue()).toBe('');
  });

  test('of two names for one list keeps the later', async () => {
    const window = await withParcel();
    const { page, engine, id } = window;
    await runChange(engine, 'make_list', { name: 'First', of: { ids: [id] } });
    await showLists(page);
    await page.getByRole('heading', { name: 'First' }).waitFor();
    const letGo = holdFile(window);
    for (const name of ['Second', 'Third', 'Second']) {
      await page.getByRole('button', { name: 'More to do with the list' }).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
      await page.getByLabel('Name of the list').fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Cancel' }).click();
    }
    letGo();
    await writtenAll(page);
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    expect(engine.account.file.column('SELECT name FROM lists')).toEqual(['Second']);
  });
});

describe.runIf(available)('Enter pressed twice', () => {
  test('in the name of a list makes one list', async () => {
    const window = await withParcel();
    const { page, engine, id } = window;
    await runChange(engine, 'star', { ids: [id] });
    await showLists(page);
    await page.getByRole('button', { name: 'New list of the starred parcels' }).click();
    await page.getByLabel('Name of the list').fill('Spring');
    // Until the last is pressed nothing is made: afterwards Enter would press the button again.
    const letGo = holdFile(window);
    for (let i = 0; i < 5; i++) await page.keyboard.press('Enter');
    letGo();
    await page.getByRole('heading', { name: 'Spring' }).waitFor();
    await page.getByLabel('Name of the list').waitFor({ state: 'detached' });
    expect(engine.account.file.column('SELECT name FROM lists')).toEqual(['Spring']);
  });

  test('in “Add to list” makes one list', async () => {
    const { page, engine } = await withParcel();
    await page.getByRole('button', { name: 'Add to list' }).click();
    const field = page.getByPlaceholder('Find a list, or name a new one');
    await field.fill('Spring');
    await page.getByRole('option', { name: 'Make the list “Spring”', selected: true }).waitFor();
    await field.evaluate((input) => {
      for (let i = 0; i < 2; i++) {
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      }
    });
    await field.waitFor({ state: 'detached' });
    expect(engine.account.file.column('SELECT name FROM lists')).toEqual(['Spring']);
  });
});
