/** A mailing in the window: from a list to letters by mouse and by keyboard, what came back, on a phone, for everybody. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { findings } from './findings.ts';
import { valueAll } from './shots/mailing-shots.ts';
import { eventually, goTo, hasBrowser, type OpenWindow, openWindow, settled } from './window.ts';

const rule = {
  tiers: [
    { acres_from: 0, acres_to: 20, of: 'low', amount: 45 },
    { acres_from: 20, acres_to: null, of: 'low', amount: 50 },
  ],
  round_to: 500,
  not_under: null,
  not_over: null,
};

/** What a test enters that is refused. */
const refused = /status of 400/;

/** A list of 30 valued parcels. @param isBegun with a draft of letters */
async function openList(isBegun: boolean, expected?: RegExp): Promise<OpenWindow> {
  const window = await openWindow({
    ...(expected && { expected }),
    prepare: async (engine) => {
      const ids = engine.land.file.column<number>(
        "SELECT property_id FROM parcels WHERE status = 'current' AND owner_type = 'individual' AND acres > 5 ORDER BY property_id LIMIT 30",
      );
      valueAll(engine, ids);
      await runChange(engine, 'make_list', { name: 'Harrow Hill', of: { ids } });
      if (isBegun) await runChange(engine, 'make_mailing', { name: 'Letters to Harrow Hill', list_id: 1, rule });
      return {};
    },
  });
  await goTo(window.page, 'lists');
  if (!isBegun) return window;
  await window.page.getByRole('button', { name: 'Letters to Harrow Hill' }).click();
  await window.page.locator('.letter-grid .grid-row[id]').first().waitFor();
  return window;
}

const mailingOf = ({ engine }: OpenWindow): ReadOutputOf<'mailing'> =>
  runRead(engine, 'mailing', { mailing_id: 1 }) as ReadOutputOf<'mailing'>;
const choicesOf = (window: OpenWindow) => mailingOf(window).look_at.map(({ choice }) => choice);
const lookRows = (page: Page) => page.locator('.look-rows .grid-row[id]');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-focus'));

describe.runIf(hasBrowser())('a mailing', () => {
  test('from the list to letters, sent, a reply and figures by mouse; the letters are taken back by the toast', async () => {
    const window = await openList(false, refused);
    const { page, engine } = window;
    await page.getByRole('button', { name: 'Write letters', exact: true }).click();
    await page.getByRole('heading', { name: 'Letters to Harrow Hill' }).waitFor();
    const letters = mailingOf(window).letters.length;
    expect(letters).toBeGreaterThan(10);
    // The rule, tier by tier; what it says is counted at once.
    await page.getByRole('button', { name: 'Edit the offer of any acres' }).click();
    await page.getByLabel('Percent', { exact: true }).fill('40');
    await page.getByLabel('Acres from').fill('10');
    await eventually(() => mailingOf(window).rule?.tiers[0]).toMatchObject({ acres_from: 10, amount: 40 });
    await page.getByRole('button', { name: /^Acres that no tier of the rule has/ }).click();
    const small = mailingOf(window).left_out.find(({ reason }) => reason === 'no_tier')?.parcels.length;
    await page
      .getByRole('region', { name: /^Acres that no tier/ })
      .getByText(String(small), { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Back to all letters' }).click();
    // Leaving one out, and putting it back.
    await lookRows(page)
      .first()
      .getByRole('button', { name: /^Leave out/ })
      .click();
    await page.getByRole('button', { name: /^Left out by you 1/ }).click();
    await page.getByRole('button', { name: 'Put it back' }).click();
    await eventually(() => choicesOf(window).every((choice) => choice === null)).toBe(true);
    // What is typed last counts, however soon the letters are written.
    await page.getByLabel('Not under', { exact: true }).fill('6000');
    await page.getByRole('button', { name: /^Write \d+ letters/ }).click();
    await eventually(() => mailingOf(window).written_on).not.toBeNull();
    await page.locator('.toast').filter({ hasText: 'Wrote' }).getByRole('button', { name: 'Undo' }).click();
    await eventually(() => mailingOf(window).written_on).toBeNull();
    await page.getByRole('button', { name: /^Write \d+ letters/ }).click();
    await eventually(() => mailingOf(window).written_on).not.toBeNull();
    const written = mailingOf(window);
    expect(written.rule).toMatchObject({ not_under: 6000 });
    expect(Math.min(...written.letters.flatMap(({ offer }) => offer ?? []))).toBeGreaterThanOrEqual(6000);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    expect((await saved).suggestedFilename()).toBe('Letters to Harrow Hill.csv');
    await page.getByRole('button', { name: 'Mark as sent' }).click();
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await page.getByRole('region', { name: 'Log a reply' }).waitFor();
    await page.getByLabel('Dollars paid').fill('91.40');
    await page.getByRole('button', { name: 'Add the cost' }).click();
    await page.getByText('$91.40').waitFor();
    const [first] = written.letters;
    await page.getByLabel('Code, APN or owner').fill(first?.apn ?? '');
    await page
      .getByRole('option')
      .filter({ hasText: first?.code ?? '' })
      .click();
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page
      .getByRole('status')
      .filter({ hasText: 'Move the deal?' })
      .getByRole('button', { name: 'Replied' })
      .click();
    const deal = () => runRead(engine, 'deals', { ids: [first?.property_id ?? 0] }).results[0];
    await eventually(() => deal()?.stage).toBe('replied');
    const leads = page.getByRole('list', { name: 'What came back' }).getByRole('listitem').filter({ hasText: 'Leads' });
    await eventually(() => leads.innerText()).toMatch(/Leads\s+1\s/);
    await page.getByText('A lead').waitFor();
    await page.getByRole('row', { name: new RegExp(`${first?.code}.*Lead`) }).waitFor();
    // A wrong sign is no code.
    await page
      .getByLabel('Code, APN or owner')
      .fill(`${first?.code?.slice(0, -1)}${first?.code?.endsWith('A') ? 'B' : 'A'}`);
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page
      .locator('.toast')
      .filter({ hasText: /expected the code of a letter/ })
      .waitFor();
    expect(mailingOf(window).replies).toHaveLength(1);
    expect(window.ledger()).toEqual([]);
  });

  test('the 20 by keyboard alone: arrows, K, O, several at once, undo, Enter and Escape', async () => {
    const window = await openList(true);
    const { page } = window;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.locator('[data-focus=table]').focus();
    await press('ArrowDown', 'k', 'o');
    await eventually(() => choicesOf(window).slice(0, 3)).toEqual(['keep', 'leave_out', null]);
    // The rows stay where they are, and the third is chosen.
    await eventually(() => lookRows(page).nth(2).getAttribute('aria-selected')).toBe('true');
    expect(await lookRows(page).nth(1).getByRole('button', { pressed: true }).innerText()).toBe('Leave out');
    await press('Shift+ArrowDown', 'o');
    await eventually(() => choicesOf(window).filter((choice) => choice === 'leave_out')).toHaveLength(3);
    await press('Control+z');
    await eventually(() => choicesOf(window).slice(0, 4)).toEqual(['keep', 'leave_out', null, null]);
    // Escape lets go of the letters, then of the mailing.
    await press('Escape');
    await eventually(() => page.locator('.letter-grid [aria-selected=true]').count()).toBe(0);
    await press('Home', 'Enter');
    await page.locator('.explore').waitFor();
    await goTo(page, 'lists');
    await page.locator('.mailing').waitFor();
    await press('Escape', 'Escape');
    await page.getByRole('navigation', { name: 'Lists' }).waitFor();
    await page.getByRole('heading', { name: 'Harrow Hill', exact: true }).waitFor();
  });

  test('tiers that overlap are refused in words, and stay to be corrected', async () => {
    const window = await openList(true, refused);
    const { page } = window;
    await page.getByRole('button', { name: 'Edit the offer of 20 and more acres' }).click();
    await page.getByLabel('Acres from').fill('15');
    await page
      .getByRole('alert')
      .filter({ hasText: /expected tiers apart/ })
      .waitFor();
    expect(mailingOf(window).rule?.tiers[1]?.acres_from).toBe(20);
    await page.getByLabel('Acres from').fill('25');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await eventually(() => mailingOf(window).rule?.tiers[1]?.acres_from).toBe(25);
    // Escape leaves the tier, not the mailing.
    await page.keyboard.press('Escape');
    await page.getByLabel('Acres from').waitFor({ state: 'detached' });
    expect(await page.locator('.mailing').isVisible()).toBe(true);
  });

  test.each([
    ['1440 × 900', 1440, 900, []],
    ['1200 × 800', 1200, 800, ['Letters', 'After mailing']],
    ['1024 × 680', 1024, 680, ['Letters', 'Rule', 'After mailing']],
    ['390 × 844', 390, 844, ['Letters', 'Rule', 'After mailing']],
  ])('is readable by everybody at %s, with the parts that have no room as tabs', async (_size, width, height, tabs) => {
    const window = await openList(true);
    const { page, engine } = window;
    await page.setViewportSize({ width, height });
    await settled(page);
    expect(await findings(page)).toEqual([]);
    await eventually(() =>
      page.getByRole('radiogroup', { name: 'Part of the mailing' }).getByRole('radio').allInnerTexts(),
    ).toEqual(tabs);
    await runChange(engine, 'write_letters', { mailing_id: 1 });
    await runChange(engine, 'mark_sent', { mailing_id: 1 });
    await page.reload();
    await page.locator('.letter-grid .grid-row[id]').first().waitFor();
    for (const tab of tabs.length > 0 ? tabs : ['']) {
      if (tab !== '') await page.getByRole('radio', { name: tab, exact: true }).click();
      await settled(page);
      expect(await findings(page), tab).toEqual([]);
    }
  });

  test('on a phone there is one list, with buttons for thumbs', async () => {
    const window = await openList(true);
    const { page } = window;
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.locator('.letter-grid.phone .grid-row[id]').first();
    await row.waitFor();
    expect(await page.getByRole('grid').count()).toBe(1);
    const keep = row.getByRole('button', { name: /^Keep/ });
    expect((await keep.boundingBox())?.height).toBeGreaterThanOrEqual(43);
    await keep.click();
    await eventually(() => choicesOf(window)[0]).toBe('keep');
    await page.getByRole('button', { name: /^All letters/ }).click();
    await eventually(async () => (await row.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(64);
    await row.click();
    await page.locator('.explore').waitFor();
    expect(await focused(page)).not.toBe('reply');
  });
});
