/** The card of an owner, by keyboard alone: opened by one key, judged by one key each, undone, parted; free. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { workOutOwners } from '../support/known-owners.ts';
import { findings } from './findings.ts';
import { countOf, eventually, hasBrowser, openWindow, parcelTitle } from './window.ts';

/** Owners at one address of the first parcels, and the first of them open. */
async function prepare(engine: Engine): Promise<number> {
  const { file } = engine.land;
  const ids = file.column<number>(
    "SELECT property_id FROM parcels WHERE geom IS NOT NULL AND status = 'current' AND property_id % 700 = 11 ORDER BY 1 LIMIT 5",
  );
  const names = ['QUILLFERN FARMS INC', 'QUILLFERN FARMS INC', 'QUILLFERN FARMS INCORPORATED'];
  for (const [at, name] of [...names, 'QUILLFERN INVESTMENTS LP', 'QUILLFERN HOLDINGS LP'].entries())
    file.run(
      "UPDATE parcels SET owner_name = ?, owner_type = NULL, mailing_key = 'PO BOX 88||00141' WHERE property_id = ?",
      ...[name, ids[at] as number],
    );
  workOutOwners(engine);
  return ids[0] as number;
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');

/** Presses Tab until the focus is on something of this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let turn = 0; turn < 60 && !name.test(await focused(page)); turn++) await page.keyboard.press('Tab');
  expect(await focused(page)).toMatch(name);
}

const sums = (page: Page): Promise<string> => page.locator('.owner-sums').innerText();

describe.runIf(hasBrowser())('the card of an owner', { timeout: 240_000 }, () => {
  test('opens by key, joins and parts by one key each, and is undone', async () => {
    const { page, engine, ledger } = await openWindow({
      prepare: async (home) => ({ explore: { selected: await prepare(home) } }),
    });
    await countOf(page);
    await parcelTitle(page).waitFor();
    await page.keyboard.press('o');
    await eventually(() => focused(page)).toBe('QUILLFERN FARMS INC');
    expect(await sums(page)).toMatch(/parcels\s+3/);
    expect(await page.locator('.owner-spellings li').allInnerTexts()).toHaveLength(2);
    expect(await page.locator('.proposal').count()).toBe(2);
    expect(await findings(page)).toEqual([]);

    const first = (await page.locator('.proposal-name b').first().innerText()) as string;
    await tabTo(page, new RegExp(`^${first}: perhaps the same`));
    await page.keyboard.press('=');
    // The next one has the focus, so that a second key decides it.
    await eventually(() => focused(page)).toMatch(new RegExp(`^(?!${first}).*LP: perhaps the same`));
    await page.keyboard.press('x');
    await eventually(() => engine.account.file.column<string>('SELECT verdict FROM owner_verdicts ORDER BY 1')).toEqual(
      ['different', 'same'],
    );
    workOutOwners(engine);
    await eventually(() => sums(page)).toMatch(/parcels\s+4/);
    await eventually(() => page.locator('.proposal').count()).toBe(0);
    await page.keyboard.press('Control+z');
    await eventually(() => engine.account.file.column<string>('SELECT verdict FROM owner_verdicts')).toEqual(['same']);

    await tabTo(page, new RegExp(`^Part ${first}`));
    await page.keyboard.press('Enter');
    await eventually(() => engine.account.file.column<string>('SELECT verdict FROM owner_verdicts')).toContain(
      'different',
    );
    workOutOwners(engine);
    await eventually(() => sums(page)).toMatch(/parcels\s+3/);

    await tabTo(page, /^Make a list/);
    await page.keyboard.press('Enter');
    await eventually(() => page.getByRole('dialog').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await parcelTitle(page).waitFor();
    expect(await page.locator('.owner-card').count()).toBe(0);
    expect(ledger()).toEqual([]);
  });

  test('fits a phone, has no fault of access there, and is reached from the parcel', async () => {
    const { page } = await openWindow({
      prepare: async (home) => ({ explore: { selected: await prepare(home) } }),
      context: { viewport: { width: 390, height: 844 } },
    });
    await parcelTitle(page).waitFor();
    await page.locator('.detail-head .owner button').click();
    await eventually(() => sums(page)).toMatch(/parcels\s+3/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back to Explore' }).click();
    await parcelTitle(page).waitFor();
  });
});
