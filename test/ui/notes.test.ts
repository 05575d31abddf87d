/** Text typed into a note is not lost before it is saved, and a saved note is stored once. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { searched, selectedId } from './map-window.ts';
import { countOf, eventually, hasBrowser, type OpenWindow, openWindow, searchButton } from './window.ts';

const available = hasBrowser();

const field = (page: Page) => page.getByLabel('New note');
const rows = (page: Page) => page.locator('.grid-body .grid-row');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-focus'));
const notes = ({ engine }: OpenWindow) => engine.account.file.column<string>('SELECT text FROM notes ORDER BY note_id');

/** The notes of the first parcel of the table, with this in the new one. */
async function writing(text: string): Promise<OpenWindow> {
  const window = await openWindow();
  const { page } = window;
  await countOf(page);
  await searched(page);
  await rows(page).first().click();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await field(page).fill(text);
  return window;
}

describe.runIf(available)('a note that is being written', () => {
  test('stays on Escape, which leaves the field and then closes the parcel', async () => {
    const { page } = await writing('Gate is locked');
    await field(page).press('Escape');
    await eventually(() => focused(page)).toBe('detail');
    expect(await field(page).inputValue()).toBe('Gate is locked');
    await page.keyboard.press('Escape');
    await eventually(() => selectedId(page)).toBeNull();
    await rows(page).first().click();
    await eventually(() => field(page).inputValue()).toBe('Gate is locked');
  });

  test('is there again after another row, another tab, another screen and the answer of a search', async () => {
    const { page } = await writing('Gate is locked');
    await rows(page).nth(1).click();
    await eventually(() => field(page).inputValue()).toBe('');
    await field(page).fill('Well in the south');
    await rows(page).first().click();
    await eventually(() => field(page).inputValue()).toBe('Gate is locked');
    await page.getByRole('tab', { name: 'Owner' }).click();
    await page.getByRole('tab', { name: 'Notes' }).click();
    expect(await field(page).inputValue()).toBe('Gate is locked');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Explore' }).click();
    await eventually(() => field(page).inputValue()).toBe('Gate is locked');
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await countOf(page);
    await searchButton(page).click();
    await eventually(() => selectedId(page)).toBeNull();
    await rows(page).first().click();
    await eventually(() => field(page).inputValue()).toBe('Gate is locked');
    await rows(page).nth(1).click();
    await eventually(() => field(page).inputValue()).toBe('Well in the south');
  });

  test('becomes one note, however often it is sent, and what is typed meanwhile stays', async () => {
    const window = await writing('Gate is locked');
    const { page } = window;
    await field(page).focus();
    // All at once, as keys that follow each other faster than the engine answers.
    await field(page).evaluate((area: HTMLTextAreaElement) => {
      const send = () =>
        area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }));
      send();
      send();
      const setter = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set;
      setter?.call(area, `${area.value}\nAsk at the farm`);
      area.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await page.locator('.note-text').waitFor();
    await eventually(() => field(page).inputValue()).toBe('Ask at the farm');
    expect(notes(window)).toEqual(['Gate is locked']);
    await field(page).press('Control+Enter');
    await eventually(() => notes(window)).toEqual(['Gate is locked', 'Ask at the farm']);
    await eventually(() => field(page).inputValue()).toBe('');
    await rows(page).nth(1).click();
    await rows(page).first().click();
    await eventually(() => page.locator('.note-text').count()).toBe(2);
    expect(await field(page).inputValue()).toBe('');
  });

  test('is kept while an old one is changed, too, until it is cancelled', async () => {
    const window = await writing('Gate is locked');
    const { page } = window;
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('button', { name: 'Edit the note' }).click();
    await page.getByLabel(/^Note of /).fill('Gate is open');
    await rows(page).nth(1).click();
    await eventually(() => page.getByLabel(/^Note of /).count()).toBe(0);
    await rows(page).first().click();
    await eventually(() => page.getByLabel(/^Note of /).inputValue()).toBe('Gate is open');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.note-text').innerText()).toBe('Gate is locked');
    expect(notes(window)).toEqual(['Gate is locked']);
  });
});
