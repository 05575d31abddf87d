/** The tab Neighbours: three groups in one order, numbered as on the map, by mouse and by keyboard; free. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { encodeMultiPolygon } from '../../engine/geo/spatialite-blob.ts';
import { type ReadOutputOf, runRead } from '../../engine/reads/index.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { findings } from './findings.ts';
import { eventually, mapSettled, openMapWindow, outlined, screenPlace, selectedId } from './map-window.ts';
import { countOf, hasBrowser, openWindow, parcelTitle, remembered } from './window.ts';

type Neighbours = ReadOutputOf<'neighbours'>;

const around = (engine: Engine, id: number, feet = 300): Neighbours =>
  runRead(engine, 'neighbours', { id, within_feet: feet }) as Neighbours;

/** The first parcel with lots in all three groups, and no shared ground. */
function subjectOf(engine: Engine): { readonly id: number; readonly found: Neighbours } {
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE geom IS NOT NULL AND status = 'current' ORDER BY property_id LIMIT 400",
  );
  for (const id of ids) {
    const found = around(engine, id);
    const kinds = new Set(found.neighbours.map(({ relation }) => relation));
    const isFree = found.neighbours.every(({ direction, stacked_on: on }) => direction !== null && on === null);
    if (kinds.size === 3 && isFree) return { id, found };
  }
  throw new Error('The sample has no such parcel.');
}

/** As it is after the window was closed with it open, and opened again. */
async function openParcel(page: Page, id: number): Promise<void> {
  await countOf(page);
  await page.evaluate((selected) => {
    const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
    localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected }));
  }, id);
  await page.reload();
  await parcelTitle(page).waitFor();
}

const rows = (page: Page) => page.locator('.neighbour');

/** Each row: its number and its APN. */
const listed = (page: Page): Promise<string[]> =>
  rows(page).evaluateAll((all) =>
    all.map((row) => {
      const [number, apn] = ['.neighbour-number', '.small-text'].map((part) => row.querySelector(part)?.textContent);
      return `${number} ${apn?.split(' · ')[0]}`;
    }),
  );

const inOrder = ({ neighbours }: Neighbours): string[] =>
  neighbours.map(({ apn }, at) => `${at + 1} ${apn || 'no APN'}`);

/** Each number that the map shows, with the property_id of its lot. */
const numbers = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    const drawn = map?.queryRenderedFeatures({ layers: ['neighbour-number'] }) ?? [];
    return [...new Set(drawn.map(({ id, properties }) => `${properties.mark} ${id}`))].sort();
  });

/** Of the band of feet around the parcel, as the map draws it. */
const bandParts = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    return map?.queryRenderedFeatures({ layers: ['band-fill'] }).length ?? 0;
  });

/** All but the far ones, which may lie outside of the view. */
const isOnMap = async (page: Page, { neighbours }: Neighbours): Promise<boolean> => {
  const shown = await numbers(page);
  const all = neighbours.map(({ property_id: id }, at) => `${at + 1} ${id}`);
  const near = all.filter((_, at) => neighbours[at]?.relation !== 'within');
  return shown.length > 0 && near.every((one) => shown.includes(one)) && shown.every((one) => all.includes(one));
};

/** The first neighbour whose place on the map no panel covers: its row, and where it is in the window. */
async function uncovered(page: Page, { neighbours }: Neighbours): Promise<{ at: number; x: number; y: number }> {
  for (const [at, { place: there }] of neighbours.entries()) {
    const place = await screenPlace(page, ...(there as [number, number]));
    const isFree = ({ x, y }: typeof place) => document.elementFromPoint(x, y)?.tagName === 'CANVAS';
    if (await page.evaluate(isFree, place)) return { at, ...place };
  }
  throw new Error('Panels cover all neighbours.');
}

describe.runIf(hasBrowser())('the neighbours of a parcel', { timeout: 240_000 }, () => {
  test('stand in the list and on the map under one number, and are pointed at and opened from both', async () => {
    const { page, engine, ledger } = await openMapWindow();
    const { id, found } = subjectOf(engine);
    await openParcel(page, id);
    await page.keyboard.press('a');
    await eventually(() => listed(page)).toEqual(inOrder(found));
    for (const [relation, title] of [
      ['abutting', 'Abutting'],
      ['across', 'Across the road'],
      ['within', 'Also within 300 ft'],
    ] as const) {
      const group = page.getByRole('region', { name: title, exact: true });
      const expected = found.neighbours.filter((one) => one.relation === relation).length;
      expect(await group.locator('.neighbour').count(), title).toBe(expected);
      expect(await group.locator('h3 b').innerText(), title).toBe(String(expected));
    }
    await mapSettled(page);
    // The county is what a new window shows: its map comes near enough for the numbers by itself.
    await eventually(() => isOnMap(page, found)).toBe(true);
    expect(await page.getByRole('list', { name: 'Lots shown' }).innerText()).toMatch(/abutting\s.*within 300 ft$/s);
    await eventually(() => bandParts(page)).toBeGreaterThan(0);

    // By key, the first row has the focus, and its lot is pointed at.
    const [first, second] = found.neighbours as [Neighbours['neighbours'][number], Neighbours['neighbours'][number]];
    await eventually(() => outlined(page, 'hover')).toEqual([first.property_id]);
    await rows(page).nth(1).hover();
    await eventually(() => outlined(page, 'hover')).toEqual([second.property_id]);
    const { at, x, y } = await uncovered(page, found);
    await page.mouse.move(x, y);
    await eventually(() => rows(page).nth(at).getAttribute('data-hovered')).toBe('true');
    await page.mouse.click(x, y);
    const pressed = found.neighbours[at]?.property_id as number;
    await eventually(() => selectedId(page)).toBe(pressed);
    const next = around(engine, pressed);
    await eventually(() => listed(page)).toEqual(inOrder(next));
    await eventually(async () => (await numbers(page)).some((one) => one.endsWith(` ${id}`))).toBe(true);

    // While an answer is on its way, nothing of the parcel before is shown: no row, no number.
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/neighbours$/, async (route) => {
      await held;
      await route.continue();
    });
    const to = next.neighbours.findIndex(({ property_id: one }) => one !== id);
    const third = next.neighbours[to]?.property_id as number;
    await rows(page).nth(to).click();
    await page.getByLabel('Looking around the parcel').waitFor();
    expect(await rows(page).count()).toBe(0);
    await eventually(() => numbers(page)).toEqual([]);
    release();
    await eventually(() => listed(page)).toEqual(inOrder(around(engine, third)));
    expect(await selectedId(page)).toBe(third);
    // The list of the parcel that was opened has the focus.
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe(`neighbours-${third}`);
    expect(ledger()).toEqual([]);
  });

  test('are reached by the palette, within any distance, with stacked accounts; they cost nothing here', async () => {
    const { page, engine, ledger } = await openWindow();
    const { file } = engine.land;
    const { id, found } = subjectOf(engine);
    const lot = found.neighbours.find(({ apn }) => apn)?.property_id as number;
    const near = new Set(around(engine, id, 5280).neighbours.map(({ property_id: one }) => one));
    const [alone, shapeless, ...units] = file
      .column<number>('SELECT property_id FROM parcels WHERE geom IS NOT NULL ORDER BY property_id DESC LIMIT 3000')
      .filter((one) => !near.has(one) && one !== id)
      .slice(0, 5) as [number, number, ...number[]];
    // Three accounts without ground of their own on the first neighbour's lot.
    for (const [at, unit] of units.entries())
      file.run(
        `UPDATE parcels SET (point_lon, point_lat, dataset_id, stacked_on) =
           (SELECT point_lon, point_lat, dataset_id, apn FROM parcels WHERE property_id = ?),
           geom = NULL, owner_name = ? WHERE property_id = ?`,
        ...[lot, `UNIT OWNER ${at + 1}`, unit],
      );
    const [w, s] = [-60, 30];
    const far = encodeMultiPolygon([[Float64Array.of(w, s, w + 0.001, s, w + 0.001, s + 0.001, w, s + 0.001, w, s)]]);
    file.run('UPDATE parcels SET geom = ?, point_lon = ?, point_lat = ? WHERE property_id = ?', far, w, s, alone);
    file.run('UPDATE parcels SET geom = NULL WHERE property_id = ?', shapeless);

    await openParcel(page, id);
    expect(ledger()).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Neighbours of the parcel');
    await page.keyboard.press('Enter');
    const lots = found.neighbours.length;
    await page.getByText(`${lots} lots, ${lots + 3} accounts`).waitFor();
    // One row for the ground, with all who have a part of it.
    expect((await listed(page)).length).toBe(lots);
    await rows(page).getByText('4 accounts').waitFor();
    for (const name of ['UNIT OWNER 1', 'UNIT OWNER 2', 'UNIT OWNER 3'])
      expect(await page.locator('.neighbour-stack').innerText()).toContain(name);

    const feet = page.getByLabel('Feet around the parcel');
    await feet.fill('1000');
    const wide = around(engine, id, 1000).neighbours.filter(({ stacked_on: on }) => on === null);
    expect(wide.length).toBeGreaterThan(lots);
    await eventually(async () => (await listed(page)).length).toBe(wide.length);
    await page.getByRole('region', { name: 'Also within 1,000 ft' }).waitFor();
    await feet.fill('6000');
    await feet.blur();
    await page.getByText('At most 5,280 is expected.').waitFor();
    expect((await listed(page)).length).toBe(wide.length);
    await feet.fill('300');
    await eventually(async () => (await listed(page)).length).toBe(lots);

    await page.setViewportSize({ width: 390, height: 844 });
    await rows(page).last().scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    for (const part of await page.locator('.neighbours, .neighbours-sum > *, .neighbour > *, .tabs button').all()) {
      const box = await part.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), await part.innerText()).toBeLessThanOrEqual(390);
    }
    expect(await findings(page)).toEqual([]);

    await page.getByRole('button', { name: `Add these ${lots + 3} to a list` }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    // The parcel itself stays open.
    await page.locator(`#neighbours-${id}`).waitFor();

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Show them in the table' }).click();
    await eventually(() => countOf(page)).toBe(lots + 3);
    expect((await remembered(page)).filter).toEqual({ neighbour_of: id, within_feet: 300 });
    await page.getByText(`neighbours of parcel ${id}, within 300 ft`).first().waitFor();
    await openParcel(page, alone);
    await page.getByText('No other parcel is this near.').waitFor();
    await openParcel(page, shapeless);
    await page.getByText('Neighbours need shapes').waitFor();
    expect(await listed(page)).toEqual([]);
    expect(ledger()).toEqual([]);
    // The operation has its price, unless there is none.
    expect((await engine.call('list_neighbours', { id })).tokens).toBe(10);
    expect((await engine.call('list_neighbours', { id: alone, within_feet: 300 })).tokens).toBe(0);
  });
});
