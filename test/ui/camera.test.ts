/** Where the map looks: it fits what a search found, follows the chosen row, and zooms by Enter, double click and key. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { drawn, lookAt, mapSettled, openMapWindow, searched, viewOf } from './map-window.ts';
import { countOf, eventually, frames, hasBrowser, parcelTitle, remembered, searchButton } from './window.ts';

type Box = [west: number, south: number, east: number, north: number];

const shown = (page: Page): Promise<Box> =>
  page.evaluate(() => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    if (!map) throw new Error('There is no map.');
    return map.getBounds().toArray().flat() as Box;
  });

const boxOf = (engine: Engine, id: number): Box => {
  const row = engine.land.file.get(
    'SELECT xmin AS w, ymin AS s, xmax AS e, ymax AS n FROM idx_parcels_geom WHERE pkid = ?',
    id,
  ) as Record<'w' | 's' | 'e' | 'n', number>;
  return [row.w, row.s, row.e, row.n];
};

const isWithin = ([w, s, e, n]: Box, view: Box): boolean =>
  w >= view[0] && s >= view[1] && e <= view[2] && n <= view[3];

/** How much of the view's width the box takes. */
const widthShare = ([w, , e]: Box, view: Box): number => (e - w) / (view[2] - view[0]);

const rows = (page: Page) => page.locator('.grid-body .grid-row');
const idOf = async (page: Page, index: number) =>
  Number((await rows(page).nth(index).getAttribute('id'))?.slice('row-'.length));

describe.runIf(hasBrowser())('the camera', { timeout: 240_000 }, () => {
  test('a search fits what it found, unless more than half of it is in view', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    await lookAt(page, { longitude: -70, latitude: 40, zoom: 14 });
    await page.getByLabel('Acres from', { exact: true }).fill('100');
    await countOf(page);
    await searchButton(page).click();
    await page.locator('.table-title b').waitFor();
    const found = engine.land.file.column<number>(
      "SELECT property_id FROM parcels WHERE status = 'current' AND coalesce(acres, calculated_acres) >= 100 AND point_lon IS NOT NULL",
    );
    await eventually(async () => {
      const view = await shown(page);
      return found.every((id) => isWithin(boxOf(engine, id), view));
    }).toBe(true);
    await mapSettled(page);
    const before = await viewOf(page);
    await page.getByLabel('Acres from', { exact: true }).fill('90');
    await countOf(page);
    await searchButton(page).click();
    await eventually(() => page.locator('.table-title b').innerText()).not.toBe(`${found.length} parcels`);
    await mapSettled(page);
    expect(await viewOf(page)).toEqual(before);
  });

  test('a chosen row comes wholly into view by panning; Enter and a double click zoom to it', async () => {
    const { page, engine } = await openMapWindow();
    await searched(page);
    const first = await idOf(page, 0);
    const [w, s] = boxOf(engine, first);
    // A corner of it is in view.
    await lookAt(page, { longitude: w, latitude: s, zoom: 12.3 });
    await rows(page).nth(0).click();
    await parcelTitle(page).waitFor();
    await eventually(async () => isWithin(boxOf(engine, first), await shown(page))).toBe(true);
    await mapSettled(page);
    expect((await viewOf(page)).zoom).toBeCloseTo(12.3, 3);
    await page.keyboard.press('t');
    await page.keyboard.press('ArrowDown');
    const second = await idOf(page, 1);
    await eventually(async () => isWithin(boxOf(engine, second), await shown(page))).toBe(true);
    await mapSettled(page);
    expect((await viewOf(page)).zoom).toBeCloseTo(12.3, 3);
    await page.keyboard.press('Enter');
    await eventually(async () => widthShare(boxOf(engine, second), await shown(page))).toBeGreaterThan(0.2);
    await mapSettled(page);
    const third = await idOf(page, 2);
    await rows(page).nth(2).dblclick();
    expect(await page.evaluate(() => String(getSelection()))).toBe('');
    await eventually(async () => {
      const view = await shown(page);
      return isWithin(boxOf(engine, third), view) && widthShare(boxOf(engine, third), view) > 0.2;
    }).toBe(true);
  });

  test('the palette and keys zoom to the parcel, the results and the county', async () => {
    const { page, engine } = await openMapWindow();
    await searched(page);
    const id = await idOf(page, 0);
    await rows(page).nth(0).click();
    await parcelTitle(page).waitFor();
    await lookAt(page, { longitude: -70, latitude: 40, zoom: 9 });
    await page.keyboard.press('z');
    await eventually(async () => widthShare(boxOf(engine, id), await shown(page))).toBeGreaterThan(0.2);
    await mapSettled(page);
    const county = engine.land.file.column<number>(
      'SELECT property_id FROM parcels JOIN idx_parcels_geom ON pkid = property_id',
    );
    const all = async () => {
      const view = await shown(page);
      return county.every((one) => isWithin(boxOf(engine, one), view));
    };
    expect(await all()).toBe(false);
    await page.keyboard.press('Shift+Z');
    await eventually(all).toBe(true);
    for (const title of ['Zoom to the parcel', 'Zoom to the county', 'Zoom to the parcel', 'Zoom to the results']) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(title);
      await page.keyboard.press('Enter');
      await eventually(all, title).toBe(!title.endsWith('parcel'));
      await mapSettled(page);
    }
  });
});

describe.runIf(hasBrowser())('squares', { timeout: 240_000 }, () => {
  test('count more than 5,000 matches of a search; before one they are not there, and nothing is counted', async () => {
    const { page } = await openMapWindow();
    let counted = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/matching_density')) counted++;
    });
    await lookAt(page, { longitude: -71.8, latitude: 44.1, zoom: 10.5 });
    await page.getByText('Search to see where they are.').waitFor();
    const layers = () =>
      page.evaluate(() => {
        const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
        return ['density', 'match-dots'].filter((id) => map?.getLayer(id));
      });
    expect([await layers(), counted]).toEqual([[], 0]);
    // No empty sheet: the lots themselves, by their number in each cell.
    await eventually(async () => (await drawn(page, 'lot-density')).length).toBeGreaterThan(20);
    await searched(page);
    await eventually(layers).toEqual(['density']);
    expect(
      await page.evaluate(
        () => document.querySelector<MapElement>('.map-canvas')?.platbookMap?.getLayer('lot-density') === undefined,
      ),
    ).toBe(true);
    await mapSettled(page);
    expect(counted).toBeGreaterThan(0);
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await eventually(layers).toEqual(['match-dots']);
    await page.getByText('a dot for each').waitFor();
    await page.getByLabel('Acres from', { exact: true }).fill('50000');
    await page.getByText('None to show.').waitFor();
  });
});

describe.runIf(hasBrowser())('the view', { timeout: 240_000 }, () => {
  test('goes back and forward by keys and the palette, also over other screens', async () => {
    const first = { longitude: -71.9, latitude: 44.1, zoom: 16 };
    const second = { longitude: -71.89, latitude: 44.105, zoom: 17 };
    const { page } = await openMapWindow({ at: first });
    const seen = (view: typeof first) =>
      eventually(async () => {
        const { longitude, latitude, zoom } = await viewOf(page);
        return [longitude.toFixed(4), latitude.toFixed(4), zoom.toFixed(2)].join(' ');
      }).toBe([view.longitude.toFixed(4), view.latitude.toFixed(4), view.zoom.toFixed(2)].join(' '));
    await lookAt(page, second);
    await page.keyboard.press('b');
    await seen(first);
    await mapSettled(page);
    await page.keyboard.press('Shift+B');
    await seen(second);
    await mapSettled(page);
    await page.keyboard.press('Shift+B');
    await page.getByText('This is the last view of the map.').waitFor();
    await page.keyboard.press('5');
    await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Back to the view');
    await page.keyboard.press('Enter');
    await seen(first);
  });

  test('is tilted only on request, and straight down again after it', async () => {
    const { page } = await openMapWindow({ at: 16 });
    const pitch = () =>
      page.evaluate(() => document.querySelector<MapElement>('.map-canvas')?.platbookMap?.getPitch() ?? -1);
    const tilt = async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Tilt the map');
      await page.keyboard.press('Enter');
    };
    await page.keyboard.press('m');
    await page.keyboard.press('Shift+ArrowUp');
    expect(await pitch()).toBe(0);
    await tilt();
    await eventually(pitch).toBe(50);
    await tilt();
    await eventually(pitch).toBe(0);
    await tilt();
    await eventually(pitch).toBe(50);
    await page.keyboard.press('5');
    await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
    await page.keyboard.press('1');
    await eventually(pitch).toBe(50);
  });
});

describe.runIf(hasBrowser())('Back and Forward', () => {
  test('walk parcels, tabs and screens, and never leave the app', async () => {
    const { page } = await openMapWindow({ at: 16, context: {} });
    await searched(page);
    const chosen = async () => (await remembered(page)).selected;
    const noted = (id: number | null) =>
      eventually(() => page.evaluate(() => (history.state as { selected?: number } | null)?.selected)).toBe(id);
    const [first, second] = [await idOf(page, 0), await idOf(page, 1)];
    await rows(page).nth(0).click();
    await noted(first);
    await rows(page).nth(1).click();
    await noted(second);
    await page.keyboard.press('v');
    await page.locator('.explore[data-wide=true]').waitFor();
    await eventually(() => page.evaluate(() => history.state.detailTab)).toBe('value');
    await page.keyboard.press('5');
    await page.getByRole('heading', { name: 'Markets', level: 1 }).waitFor();
    await page.goBack();
    await page.locator('.explore[data-wide=true]').waitFor();
    await page.goBack();
    await page.locator('.explore[data-wide=false]').waitFor();
    expect(await chosen()).toBe(second);
    await page.goBack();
    await eventually(chosen).toBe(first);
    await page.goForward();
    await eventually(chosen).toBe(second);
    for (let i = 0; i < 6; i++) {
      await page.evaluate(() => history.back());
      await frames(page);
      await page.waitForTimeout(50);
    }
    await eventually(chosen).toBeNull();
    expect(await page.locator('.explore').count()).toBe(1);
    await page.goForward();
    await eventually(chosen).toBe(first);
  });
});
