/**
 * Results paid by a list run appear wherever the parcel is, and those paid by a tab in every list; nothing is paid
 * twice.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { countOf, eventually, goTo, hasBrowser, type OpenWindow, openWindow, type WindowOptions } from './window.ts';

const available = hasBrowser();

const spent = ({ ledger }: OpenWindow): number => ledger().reduce((sum, { tokens }) => sum + tokens, 0);

const tokensShown = (page: Page) => page.getByTestId('tokens').innerText();

/** Owners who can be looked for. */
const traceable = "owner_type = 'individual' AND mailing_zip IS NOT NULL AND acres BETWEEN 1 AND 60";

const hasRuns = (engine: Engine): boolean => (runRead(engine, 'list_runs', { list_id: 1 }) as unknown[]).length > 0;

/** A list of some parcels that can be valued, the first of them open in Explore at this tab. */
async function withList(
  detailTab: string,
  where = 'acres BETWEEN 20 AND 42',
  { most = 6, ...options }: WindowOptions & { most?: number } = {},
): Promise<OpenWindow> {
  const window = await openWindow(options);
  const { page, engine } = window;
  const ids = engine.land.file.column<number>(
    `SELECT property_id FROM parcels WHERE status = 'current' AND geom IS NOT NULL AND ${where} ORDER BY property_id LIMIT ${most}`,
  );
  await runChange(engine, 'make_list', { name: 'Riverfront', of: { ids } });
  await countOf(page);
  await page.evaluate(
    ([selected, tab]) => {
      const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: tab }));
    },
    [ids[0] ?? null, detailTab] as const,
  );
  await page.reload();
  return window;
}

async function startRun(page: Page, button: RegExp): Promise<void> {
  await goTo(page, 'lists');
  await page.getByRole('heading', { name: 'Riverfront' }).waitFor();
  await page.getByRole('button', { name: 'Add columns' }).click();
  await page.getByRole('button', { name: button }).click();
  await page.locator('.popover').waitFor({ state: 'detached' });
}

describe.runIf(available)('what was paid', () => {
  test('by a list run is on the parcel, even after leaving Lists, and the tokens are shown', async () => {
    const window = await withList('value');
    const { page, engine } = window;
    await page.locator('[data-focus=value-first]').waitFor();
    await startRun(page, /^6 values.*uses 60 at most$/);
    await goTo(page, 'explore');
    await page.getByTestId('range').waitFor();
    expect(await page.locator('[data-focus=value-first]').count()).toBe(0);
    await eventually(() => hasRuns(engine)).toBe(false);
    expect(spent(window)).toBeGreaterThan(10);
    await eventually(() => tokensShown(page)).toBe(`${spent(window)} of 30,000 used`);
  });

  test('by a run of phones is on the owner’s tab', async () => {
    const { page, engine } = await withList('owner', traceable);
    await page.getByRole('button', { name: /^Skip trace/ }).waitFor();
    await startRun(page, /skip trace.*uses [\d,]+ at most/);
    await eventually(() => hasRuns(engine)).toBe(false);
    await goTo(page, 'explore');
    await page.locator('.trace-outcome').waitFor();
    await page.getByRole('button', { name: /^Refresh/ }).waitFor();
  });

  test('for one parcel is in its list', async () => {
    const { page } = await withList('value');
    await goTo(page, 'lists');
    await page.getByRole('grid', { name: 'Riverfront' }).locator('.apn').first().waitFor();
    expect(await page.getByRole('columnheader', { name: 'Value, $' }).count()).toBe(0);
    await goTo(page, 'explore');
    await page.locator('[data-focus=value-first]').click();
    await page.getByTestId('range').waitFor();
    await goTo(page, 'lists');
    await page.getByRole('columnheader', { name: 'Value, $' }).waitFor();
    await eventually(() => page.locator('.list-grid [role=row] .n').filter({ hasText: ' to ' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Add columns' }).click();
    await page.getByRole('button', { name: /^5 values.*uses 50 at most$/ }).waitFor();
  });

  test('while a run goes on, the status bar shows it and leads to its list', async () => {
    // Longer than the test looks.
    const { page } = await withList('parcel', 'acres BETWEEN 1 AND 60', { map: true, most: 5000 });
    await startRun(page, /values.*uses [\d,]+ at most/);
    // Explore has the longest line; lists may have names of 120 letters.
    await goTo(page, 'explore');
    await page.locator('.job-strip-title').waitFor();
    await page.locator('.status > .at-wide').first().waitFor();
    const middles = await page.evaluate(() => {
      const title = document.querySelector('.job-strip-title');
      if (title) title.textContent = `Values for ${'a long name of a list, '.repeat(5)}`;
      return [...document.querySelectorAll('.status > :not(.space)')]
        .filter((one) => one.checkVisibility())
        .map((one) => one.getBoundingClientRect())
        .map(({ top, height }) => Math.round(top + height / 2));
    });
    expect(new Set(middles).size).toBe(1);
    await goTo(page, 'settings');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    // Explore's selection is not shown on another screen.
    expect(await page.locator('.status').innerText()).not.toMatch(/selected|no search yet/);
    // Its name is what it shows, here the long title.
    await page.getByRole('button', { name: /^Values for .*Show it$/ }).click();
    await page.getByRole('heading', { name: 'Riverfront' }).waitFor();
    await page.getByRole('button', { name: 'Pause Values' }).click();
    await page.getByText(/paused; /).waitFor();
    await page.locator('.job-strip').waitFor({ state: 'detached' });
    // The user who paused it needs no message.
    expect(await page.getByText('Values for Riverfront: cancelled').count()).toBe(0);
    await page.getByRole('button', { name: 'Cancel Values' }).click();
    await page.getByText(/paused; /).waitFor({ state: 'detached' });
  });
});
