/** A parcel and what is asked about it: comps, value, owner and contact, notes. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';
import { runRead } from '../../../engine/reads/index.ts';
import { runChange } from '../../../engine/work/index.ts';
import { workOutOwners } from '../../support/known-owners.ts';
import { goTo, listed, parcelOf, type Shot, valued } from './shot.ts';

/** Down the results by keys: in a small window their list is not beside the parcel. */
async function further(page: Page, steps: number): Promise<void> {
  const title = page.locator('[data-focus=detail]');
  for (let step = 0; step < steps; step++) {
    const before = await title.innerText();
    await page.keyboard.press(']');
    await title.filter({ hasNotText: before }).waitFor();
  }
}

/** Land around the parcel in the hand of one owner in two spellings, and of two that are perhaps the same. */
async function ownerOf(page: Page, engine: Engine): Promise<void> {
  await parcelOf(page, 'Owner');
  const stored = await page.evaluate(() => localStorage.getItem('platbook.explore') ?? '{}');
  const { selected } = JSON.parse(stored) as { selected: number };
  const { file } = engine.land;
  const near = file.column<number>(
    `SELECT p.property_id FROM parcels p, (SELECT point_lon AS x, point_lat AS y FROM parcels WHERE property_id = ?) s
     WHERE p.geom IS NOT NULL AND p.status = 'current' ORDER BY abs(p.point_lon - x) + abs(p.point_lat - y) LIMIT 150`,
    selected,
  );
  const names = ['FARMS INC', 'FARMS INC', 'FARMS INC', 'FARMS INCORPORATED', 'INVESTMENTS LP', 'HOLDINGS LP'];
  for (const [at, name] of names.entries())
    file.run(
      "UPDATE parcels SET owner_name = ?, owner_type = NULL, mailing_key = 'PO BOX 88||00141' WHERE property_id = ?",
      ...[`KILNSIDE ${name}`, near[at < 2 ? at : at * 23] as number],
    );
  workOutOwners(engine);
  await page.keyboard.press('o');
  await page.locator('.owner-sums').waitFor();
}

export const parcelShots: readonly Shot[] = [
  { name: 'comps', act: (page) => goTo('comps')(page).then(() => listed(page)) },
  {
    name: 'comps-1280x800',
    size: { width: 1280, height: 800 },
    act: (page) => goTo('comps')(page).then(() => listed(page)),
  },
  {
    name: 'suspect-sales',
    act: async (page, engine) => {
      // two lots of one deed, and a price far beyond its neighbours
      engine.land.file.run(
        `UPDATE comps SET price = 88000, sold_date = '2026-05-04', seller = 'ALDER LAND COMPANY'
         WHERE comp_id IN (SELECT comp_id FROM comps WHERE status = 'SOLD' ORDER BY comp_id LIMIT 3)`,
      );
      engine.land.file.run(
        `UPDATE comps SET price = price * 20 WHERE comp_id IN
           (SELECT comp_id FROM comps WHERE status = 'SOLD' ORDER BY comp_id DESC LIMIT 4)`,
      );
      await goTo('comps')(page);
      await page.getByRole('radio', { name: 'Suspect sales' }).click();
      await page.locator('[data-sale]').first().waitFor();
    },
  },
  { name: 'owner-card', act: ownerOf },
  { name: 'parcel-comps', act: (page) => parcelOf(page, 'Comps').then(() => listed(page)) },
  {
    name: 'value-not-yet',
    act: async (page) => {
      await parcelOf(page, 'Value');
      await further(page, 7);
      await page.locator('[data-focus=value-first]').waitFor();
    },
  },
  { name: 'value', act: valued },
  { name: 'value-whole', size: { width: 1440, height: 1180 }, act: valued },
  { name: 'value-1280x800', size: { width: 1280, height: 800 }, act: valued },
  { name: 'value-1024x680', size: { width: 1024, height: 680 }, act: valued },
  {
    name: 'value-1024x680-table',
    size: { width: 1024, height: 680 },
    act: async (page) => {
      await valued(page);
      await page.locator('.value-table').first().scrollIntoViewIfNeeded();
      await page
        .locator('.value-table')
        .first()
        .evaluate((one) => one.scrollIntoView());
    },
  },
  {
    name: 'value-tested',
    size: { width: 1440, height: 1180 },
    act: async (page) => {
      await valued(page);
      await page.getByRole('button', { name: 'How it was tested' }).click();
      await page.locator('.test-table').first().waitFor();
    },
  },
  { name: 'value-summary', act: (page) => valued(page).then(() => page.keyboard.press('Escape')) },
  {
    name: 'value-none',
    act: async (page, engine) => {
      engine.land.file.run('UPDATE comps SET latitude = latitude + 2');
      await parcelOf(page, 'Value');
      await further(page, 6);
      await page.locator('[data-focus=value-first]').click();
      await page.getByRole('heading', { name: 'No value' }).waitFor();
      engine.land.file.run('UPDATE comps SET latitude = latitude - 2');
    },
  },
  {
    name: 'trace',
    act: async (page) => {
      await parcelOf(page, 'Owner');
      // Companies and trusts cannot be traced.
      for (let i = 0; i < 20 && !(await page.locator('[data-focus=trace-button]').isEnabled()); i++) {
        await page.keyboard.press(']');
        await page.waitForTimeout(300);
      }
      await page.locator('[data-focus=trace-button]').click();
      await page.locator('.trace-outcome').waitFor();
    },
  },
  {
    name: 'trace-delete',
    act: async (page) => {
      await parcelOf(page, 'Owner');
      const opener = page.locator('[data-focus=delete-person]');
      for (let i = 0; i < 40 && !(await opener.isVisible()); i++) {
        await page.keyboard.press(']');
        await page.waitForTimeout(300);
        const trace = page.locator('[data-focus=trace-button]');
        if (await trace.isEnabled()) await trace.click();
        await page.waitForTimeout(300);
      }
      await opener.click();
      await page.getByRole('button', { name: 'Delete for good' }).waitFor();
    },
  },
  {
    name: 'trace-company',
    act: async (page) => {
      await parcelOf(page, 'Owner');
      for (let i = 0; i < 20 && (await page.locator('[data-focus=trace-button]').isEnabled()); i++) {
        await page.keyboard.press(']');
        await page.waitForTimeout(300);
      }
    },
  },
  {
    name: 'neighbours',
    act: async (page) => {
      await parcelOf(page, 'Neighbours');
      await page.locator('.neighbour').first().waitFor();
    },
  },
  {
    name: 'notes',
    act: async (page, engine) => {
      await parcelOf(page, 'Notes');
      const { selected } = await page.evaluate(() => JSON.parse(localStorage.getItem('platbook.explore') ?? '{}'));
      const id = Number(selected);
      if (runRead(engine, 'parcel_work', { id }).notes.length === 0) {
        await runChange(engine, 'add_note', {
          property_id: id,
          text: 'Gate is locked on Sundays.\nAsk at the farm opposite.',
        });
        await runChange(engine, 'tag', { name: 'Riverfront', ids: [id] });
        await runChange(engine, 'do_not_mail_add', { property_id: id, by: ['owner'] });
      }
      await page.reload();
      await page.locator('.note-text').waitFor();
    },
  },
  {
    name: 'value-feed',
    act: async (page) => {
      await valued(page);
      await page.getByRole('button', { name: 'Live feed of a number' }).click();
    },
  },
];
