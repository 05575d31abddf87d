/**
 * The graphics driver takes the context of a map away (sleep, a reset, a phone that needs memory) and gives it back: every
 * map of the app looks as before, pixel by pixel.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { runChange } from '../../engine/work/index.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { stepTo, takeOverLocation } from './field-walk.ts';
import {
  drawn,
  lookAt,
  mapPixels,
  mapSettled,
  matchedLots,
  middleOf,
  openMapWindow,
  outlined,
  type Place,
  screenPlace,
  searched,
  somePlaces,
} from './map-window.ts';
import { countOf, eventually, frames, goTo, hasBrowser, openWindow, parcelTitle, remembered } from './window.ts';

const county = '99001';
/** What the browser itself says about it. */
const expected = /CONTEXT_LOST_WEBGL/;

/** @param meanwhile done while the context is away; @param within the map's place, where there are several */
async function loseContext(page: Page, meanwhile: () => Promise<void> = async () => {}, within = ''): Promise<void> {
  const canvas = page.locator(`${within} .map-canvas canvas`);
  await canvas.evaluate((element) => {
    const extension = (element as HTMLCanvasElement).getContext('webgl2')?.getExtension('WEBGL_lose_context');
    if (!extension) throw new Error('The context cannot be lost.');
    const gone = new Promise((resolve) => element.addEventListener('webglcontextlost', resolve, { once: true }));
    Object.assign(globalThis, { restoreContext: () => extension.restoreContext() });
    extension.loseContext();
    return gone;
  });
  await meanwhile();
  await canvas.evaluate((element) => {
    const back = new Promise((resolve) => element.addEventListener('webglcontextrestored', resolve, { once: true }));
    (globalThis as unknown as { restoreContext: () => void }).restoreContext();
    return back;
  });
  if (within === '') await mapSettled(page);
}

/** Loses the context, and expects the picture and the lots of before. */
async function expectSame(page: Page, meanwhile?: () => Promise<void>): Promise<void> {
  await mapSettled(page);
  const [pixels, lots, selected] = [await mapPixels(page), await matchedLots(page), await outlined(page, 'select')];
  await loseContext(page, meanwhile);
  await eventually(() => matchedLots(page), 'matches').toEqual(lots);
  await eventually(() => outlined(page, 'select'), 'outlined').toEqual(selected);
  await eventually(async () => different(pixels.data, (await mapPixels(page)).data), 'pixels that differ').toBe(0);
}

/** Pixels of which a color differs by more than antialiasing does. */
function different(before: Buffer, after: Buffer): number {
  let count = 0;
  for (let at = 0; at < before.length; at += 4)
    if ([0, 1, 2].some((i) => Math.abs((before[at + i] ?? 0) - (after[at + i] ?? 0)) > 8)) count += 1;
  return count;
}

/** Corners of a rectangle around the middle of the map, clicked one by one. */
async function clickCorners(page: Page, { x, y }: { x: number; y: number }, count: number): Promise<void> {
  const corners = [
    [x - 100, y - 80],
    [x + 100, y - 80],
    [x + 100, y + 80],
    [x - 100, y + 80],
  ] as const;
  for (const [cornerX, cornerY] of corners.slice(0, count)) {
    await page.mouse.move(cornerX, cornerY, { steps: 3 });
    await page.mouse.click(cornerX, cornerY);
    await frames(page);
  }
}

describe.runIf(hasBrowser())('a map whose graphics context is lost', { timeout: 400_000 }, () => {
  test('of Explore shows its matches, labels, selection and drawn area again', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 16, expected });
    const view = middleOf(engine, county);
    await page.keyboard.press('d');
    await clickCorners(page, await screenPlace(page, view.longitude, view.latitude), 4);
    await page.keyboard.press('Enter');
    await eventually(async () => typeof (await remembered(page)).filter.geom_intersects).toBe('string');
    await mapSettled(page);
    // While it is edited: its corners can be dragged afterwards.
    await loseContext(page);
    await eventually(async () => (await drawn(page, 'td-polygon')).length).toBeGreaterThan(0);
    const { x, y } = await screenPlace(page, view.longitude, view.latitude);
    const before = (await remembered(page)).filter.geom_intersects;
    await page.mouse.move(x + 100, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + 150, y + 120, { steps: 6 });
    await page.mouse.up();
    await eventually(async () => (await remembered(page)).filter.geom_intersects).not.toBe(before);
    // And as a part of the style, with a parcel selected.
    await page.keyboard.press('Escape');
    await page.locator('.map-bar').waitFor({ state: 'detached' });
    await page.reload();
    await lookAt(page, { ...view, zoom: 16 });
    await eventually(async () => (await matchedLots(page)).length).toBeGreaterThan(3);
    const lots = await matchedLots(page);
    const [place] = engine.land.file.all<Place>(
      `SELECT * FROM parcels WHERE property_id IN (SELECT value FROM json_each(?))
       ORDER BY abs(point_lon - ?) + abs(point_lat - ?) LIMIT 1`,
      JSON.stringify(lots),
      view.longitude,
      view.latitude,
    ) as [Place];
    const at = await screenPlace(page, place.point_lon, place.point_lat);
    await page.mouse.click(at.x, at.y);
    await parcelTitle(page).waitFor();
    await page.mouse.move(0, 0);
    await eventually(() => outlined(page, 'select')).toEqual([place.property_id]);
    await expectSame(page);
    // Twice, and with a user who goes on meanwhile.
    await expectSame(page, async () => {
      await page.mouse.move(at.x, at.y);
      await page.mouse.move(at.x + 60, at.y + 40, { steps: 4 });
      await page.mouse.move(0, 0);
    });
  });

  test('of Explore shows the counts of its grid again, and the tags', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 16, expected });
    const [one, two] = somePlaces(engine, county, 2) as [Place, Place];
    await runChange(engine, 'tag', { name: 'often', ids: [one.property_id, two.property_id] });
    await searched(page);
    await lookAt(page, { ...middleOf(engine, county), zoom: 10 });
    await expectSame(page);
    await page.getByRole('button', { name: 'Change the fill and the labels' }).click();
    await page.getByRole('group', { name: 'Lots are filled by' }).getByLabel('Tag', { exact: true }).click();
    await page.keyboard.press('Escape');
    await lookAt(page, { longitude: one.point_lon, latitude: one.point_lat, zoom: 16 });
    const tagged = async () => (await drawn(page, 'lot-fill')).filter(({ state }) => (state.tag ?? -1) >= 0).length;
    await eventually(tagged).toBeGreaterThan(0);
    await expectSame(page);
    expect(await tagged()).toBeGreaterThan(0);
  });

  test('of Explore keeps what is measured, and answers a filter and a theme that changed meanwhile', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 16, expected });
    const view = middleOf(engine, county);
    await page.keyboard.press('l');
    await clickCorners(page, await screenPlace(page, view.longitude, view.latitude), 2);
    await page.keyboard.press('Enter');
    await page.mouse.move(0, 0);
    const output = page.locator('.map-bar output');
    await eventually(() => output.innerText()).toMatch(/ ft$/);
    const words = await output.innerText();
    await loseContext(page);
    await eventually(() => output.innerText()).toBe(words);
    const lines = async () => new Set((await drawn(page, 'td-linestring')).map(({ id }) => id)).size;
    await eventually(lines).toBe(1);
    await page.keyboard.press('Escape');
    await page.locator('.map-bar').waitFor({ state: 'detached' });

    const all = await matchedLots(page);
    await loseContext(page, async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('change the theme');
      await page.keyboard.press('Enter');
      await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      await page.getByLabel('Acres from', { exact: true }).fill('20');
      await countOf(page);
    });
    await page.keyboard.press('Tab');
    await eventually(async () => (await matchedLots(page)).length).toBeLessThan(all.length);
    const inDark = await mapPixels(page);
    await page.reload();
    await lookAt(page, { ...view, zoom: 16 });
    await eventually(async () => different(inDark.data, (await mapPixels(page)).data)).toBe(0);
  });

  test('of the comps shows them and their circle again', async () => {
    const comps = { scope: 'circle', center: { longitude: -71.8, latitude: 44.1, name: '' }, miles: 5 };
    const { page } = await openMapWindow({ pixels: true, at: 16, expected, prepare: () => ({ comps }) });
    await goTo(page, 'comps');
    await page
      .getByRole('button', { name: /^(Comps|List).*uses/ })
      .first()
      .click();
    await page.locator('.comps-list [role=row]').nth(1).waitFor();
    await eventually(async () => (await drawn(page, 'comp-dot')).length).toBeGreaterThan(3);
    await page.mouse.move(0, 0);
    await expectSame(page);
  });

  test('of a value shows the parcel and the comps again', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 16, expected });
    const [{ id }] = engine.land.file.all<{ id: number }>(
      "SELECT property_id AS id FROM parcels WHERE status = 'current' AND acres BETWEEN 5 AND 20 ORDER BY 1 LIMIT 1",
    ) as [{ id: number }];
    await page.evaluate((selected) => {
      const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: 'value' }));
    }, id);
    await page.reload();
    await page.locator('.detail [data-priced]').first().click();
    const map = page.locator('.value-map .map-canvas');
    await map.scrollIntoViewIfNeeded();
    const shown = () =>
      map.evaluate((element) => {
        const { platbookMap } = element as MapElement;
        const idsOf = (layer: string) =>
          platbookMap?.getLayer(layer)
            ? platbookMap.queryRenderedFeatures({ layers: [layer] }).map((one) => one.id ?? one.properties.id)
            : [];
        return { outlined: [...new Set(idsOf('lot-select'))], comps: [...new Set(idsOf('comp-dot'))].sort() };
      });
    await eventually(async () => (await shown()).outlined).toEqual([id]);
    await eventually(async () => (await shown()).comps.length).toBeGreaterThan(2);
    const before = await shown();
    await loseContext(page, undefined, '.value-map');
    await eventually(shown).toEqual(before);
  });

  test('of the book shows its pages again', async () => {
    const { page } = await openWindow({ map: true, expected });
    await page.locator('.app').waitFor();
    await goTo(page, 'print');
    await page.locator('.book-plan[data-current=true]').waitFor();
    await eventually(async () => (await drawn(page, 'page-line')).length).toBeGreaterThan(1);
    await expectSame(page);
  });

  test('of Field mode shows the position’s lines, the parcel and the track again', async () => {
    const location = { on: true, source: 'system', place: '' };
    const { page, engine } = await openMapWindow({ pixels: true, at: 16, expected, prepare: () => ({ location }) });
    const [place] = somePlaces(engine, county, 1) as [Place];
    await takeOverLocation(page);
    await page.keyboard.press('Shift+F');
    const step = { longitude: place.point_lon, latitude: place.point_lat, accuracy: 4, heading: 90, speed: 1.3 };
    await page.getByTestId('field-card').waitFor();
    await stepTo(page, step);
    await page.getByTestId('field-side').waitFor();
    await page.keyboard.press('t');
    for (const east of [1, 2, 3]) {
      await stepTo(page, { ...step, longitude: step.longitude + east * 0.0001 }, Date.now() + east * 10_000);
      await frames(page);
    }
    const line = (source: string) =>
      page.evaluate(
        (name) => document.querySelector<MapElement>('.map-canvas')?.platbookMap?.querySourceFeatures(name).length ?? 0,
        source,
      );
    await eventually(() => line('running-track')).toBeGreaterThan(0);
    // Each tile that the track crosses has its part, and they come one by one.
    await mapSettled(page);
    const before = { track: await line('running-track'), aim: await line('aim-lines') };
    expect(before.aim).toBeGreaterThan(0);
    const selected = await outlined(page, 'select');
    expect(selected.length).toBe(1);
    // No pixels: the card grows by the age of the position, and moves the map.
    await loseContext(page);
    const after = async () => ({ track: await line('running-track'), aim: await line('aim-lines') });
    await eventually(after).toEqual(before);
    await eventually(() => outlined(page, 'select')).toEqual(selected);
  });
});
