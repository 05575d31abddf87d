/** A user's actions on the map: by mouse, by keyboard, with the table beside it. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import {
  dragByFinger,
  drawn,
  eventually,
  lookAt,
  mapSettled,
  middleOf,
  openMapWindow,
  outlined,
  type Place,
  screenPlace,
  searched,
  selectedId,
  selectedMany,
  somePlaces,
  viewOf,
} from './map-window.ts';
import { countOf, frames, hasBrowser, parcelTitle, remembered } from './window.ts';

const available = hasBrowser();

/**
 * Each text after the time that people take for the next digit. In the page, whose clock the window's own patience goes by:
 * a machine that stalls makes no digit late.
 */
const typeWithPause = (field: Locator, texts: readonly string[]): Promise<void> =>
  field.evaluate(async (input, typed) => {
    for (const text of typed) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      if (text !== typed.at(-1)) await new Promise((resolve) => setTimeout(resolve, 400));
    }
  }, texts);

describe.runIf(available)('working with the map', { timeout: 300_000 }, () => {
  const county = '99001';

  test('one selection and one hover with the table, both ways', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    await searched(page);
    const row = page.locator('.grid-body .grid-row').nth(2);
    await row.click();
    await parcelTitle(page).waitFor();
    const id = Number((await row.getAttribute('id'))?.slice(4));
    const { point_lon: longitude, point_lat: latitude } = engine.land.file.get<Place>(
      'SELECT * FROM parcels WHERE property_id = ?',
      id,
    ) as Place;
    await lookAt(page, { longitude, latitude, zoom: 16 });
    await eventually(() => outlined(page, 'select')).toEqual([id]);
    await page.locator('.grid-body .grid-row').nth(2).hover();
    await eventually(() => outlined(page, 'hover')).toEqual([id]);
    const { x, y } = await screenPlace(page, longitude, latitude);
    await page.mouse.move(x, y);
    await eventually(() => page.locator('.grid-row[data-hovered=true]').getAttribute('id')).toBe(`row-${id}`);
    await page.locator('.grid-head, .table-title').first().hover();
    await eventually(() => outlined(page, 'hover')).toEqual([]);
  });

  test('a number that is being typed changes neither the colors nor says an error before it is complete', async () => {
    // Where lots are drawn: before a search nothing is asked from afar.
    const { page } = await openMapWindow({ at: 16 });
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    const asked: unknown[] = [];
    await mapSettled(page);
    page.on('request', (request) => {
      if (/\/matching_(in_tile|density)$/.test(request.url())) asked.push(request.postDataJSON().filter.acres_max);
    });
    await page.evaluate(() => {
      const note = () => document.querySelector('.problem') && document.body.setAttribute('data-said', 'an error');
      new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
    });
    const to = page.getByLabel('Acres to', { exact: true });
    await typeWithPause(to, ['4', '40']);
    await eventually(() => asked.length).toBeGreaterThan(0);
    await mapSettled(page);
    expect(new Set(asked)).toEqual(new Set([40]));
    expect(await page.locator('body').getAttribute('data-said')).toBeNull();
    await to.fill('4');
    await page.locator('.control .problem').getByText('The first is above the second.').waitFor();
  });

  test('a parcel that is selected in the table comes into view', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    await searched(page);
    const [far] = somePlaces(engine, county, 1);
    await lookAt(page, { longitude: (far?.point_lon ?? 0) + 1, latitude: far?.point_lat ?? 0, zoom: 16 });
    await page.locator('.grid-body .grid-row').first().click();
    await parcelTitle(page).waitFor();
    await eventually(() => outlined(page, 'select')).toEqual([await selectedId(page)]);
  });

  test('Shift adds by click and by box, and the status bar counts', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    await searched(page);
    const view = middleOf(engine, county);
    await lookAt(page, { ...view, zoom: 15 });
    const { x, y } = await screenPlace(page, view.longitude, view.latitude);
    await page.keyboard.down('Shift');
    await page.mouse.move(x - 60, y - 40);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.move(x + 60, y + 40, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await eventually(() => selectedMany(page)).not.toEqual([]);
    const boxed = await selectedMany(page);
    expect(boxed.length).toBeGreaterThan(1);
    await eventually(async () => (await outlined(page, 'select')).length).toBe(boxed.length);
    await page.getByText(`${boxed.length} of`).first().waitFor();
    // One more, and the same again away.
    const other = (await drawn(page, 'lot-fill')).map(({ id }) => id).find((id) => !boxed.includes(id)) as number;
    const place = engine.land.file.get<Place>('SELECT * FROM parcels WHERE property_id = ?', other) as Place;
    await lookAt(page, { longitude: place.point_lon, latitude: place.point_lat, zoom: 16 });
    const at = await screenPlace(page, place.point_lon, place.point_lat);
    await page.mouse.move(at.x, at.y);
    await page.keyboard.down('Shift');
    await page.mouse.click(at.x, at.y);
    await eventually(async () => (await selectedMany(page)).includes(other)).toBe(true);
    await page.mouse.click(at.x, at.y);
    await eventually(async () => (await selectedMany(page)).includes(other)).toBe(false);
    await page.keyboard.up('Shift');
    expect((await selectedMany(page)).toSorted()).toEqual(boxed.toSorted());
  });

  test('a finger drags the box of the box tool, on a phone, too', async () => {
    const context = { hasTouch: true, viewport: { width: 390, height: 844 } };
    const { page } = await openMapWindow({ at: 16, context });
    const before = await viewOf(page);
    await page.getByRole('button', { name: 'Select by box' }).tap();
    await page.locator('.map-slot[data-mode=box]').waitFor();
    const { x, y } = await screenPlace(page, before.longitude, before.latitude);
    await dragByFinger(page, [x - 60, y - 60], [x + 60, y + 60]);
    await eventually(async () => (await selectedMany(page)).length).toBeGreaterThan(1);
    await page.locator('.map-slot[data-mode=browse]').waitFor();
    expect(await viewOf(page)).toEqual(before);
  });

  test('outdoors on a phone the bar for measuring takes the place of the tools, within the map', async () => {
    const { page } = await openMapWindow({
      at: 16,
      context: { viewport: { width: 390, height: 844 } },
      prepare: () => ({ settings: { theme: 'outdoor' } }),
    });
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('outdoor');
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    const boxOf = (selector: string) =>
      page.locator(selector).evaluate((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom };
      });
    const [bar, map] = [await boxOf('.map-bar'), await boxOf('.map-slot')];
    expect(bar.left).toBeGreaterThan(map.left);
    expect(bar.right).toBeLessThan(map.right);
    // Room to press points is left below it.
    expect(map.bottom - bar.bottom).toBeGreaterThan(80);
    expect(await page.locator('.map-tools').isVisible()).toBe(false);
    await page.locator('.map-bar').getByRole('button', { name: 'Done' }).click();
    await page.locator('.map-tools').waitFor();
  });

  test('is worked by the keyboard alone: move, zoom, select under the cross, measure, draw', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    const [place] = somePlaces(engine, county, 1) as [Place];
    await lookAt(page, { longitude: place.point_lon, latitude: place.point_lat, zoom: 16 });
    await page.keyboard.press('m');
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('CANVAS');
    await page.keyboard.press('Enter');
    await eventually(() => selectedId(page)).toBe(place.property_id);
    expect(await page.locator('.map-cross').isVisible()).toBe(true);
    const before = await viewOf(page);
    await page.keyboard.press('+');
    await eventually(async () => (await viewOf(page)).zoom).toBe(before.zoom + 1);
    // The pane that opened beside the map may have moved it meanwhile.
    const { longitude } = await viewOf(page);
    await page.keyboard.press('ArrowRight');
    await eventually(async () => (await viewOf(page)).longitude > longitude).toBe(true);
    await page.keyboard.press('l');
    const measure = page.getByRole('toolbar', { name: 'Measure' });
    await measure.getByText('press Space under the cross').waitFor();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await mapSettled(page);
    await page.keyboard.press('Space');
    await eventually(() => measure.locator('output').innerText()).toMatch(/^[\d,.]+ (ft|mi)$/);
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar', { name: 'Measure' }).waitFor({ state: 'detached' });
    await page.keyboard.press('d');
    await page.getByRole('toolbar', { name: 'Draw an area' }).waitFor();
    for (const key of ['Space', 'ArrowRight', 'Space', 'ArrowDown', 'Space']) {
      await page.keyboard.press(key);
      await mapSettled(page);
    }
    await page.keyboard.press('Enter');
    await eventually(async () => (await remembered(page)).filter.geom_intersects).toMatch(/^POLYGON/);
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar', { name: 'Draw an area' }).waitFor({ state: 'detached' });
    // Escape took away one thing at a time: the parcel is still open.
    expect(await selectedId(page)).toBe(place.property_id);
    await page.keyboard.press('u');
    await eventually(() => page.locator('.status').innerText()).toContain('ft, sq ft');
  });

  test('a drawn area becomes the filter, is changed by its corners, and is deleted', async () => {
    const { page, engine } = await openMapWindow({ at: 15 });
    const view = middleOf(engine, county);
    const all = await countOf(page);
    await page.keyboard.press('d');
    const { x, y } = await screenPlace(page, view.longitude, view.latitude);
    const corners = [
      [x - 100, y - 80],
      [x + 100, y - 80],
      [x + 100, y + 80],
      [x - 100, y + 80],
    ] as const;
    for (const [cornerX, cornerY] of corners) {
      await page.mouse.move(cornerX, cornerY, { steps: 3 });
      await page.mouse.click(cornerX, cornerY);
      await frames(page);
    }
    await page.keyboard.press('Enter');
    await eventually(async () => typeof (await remembered(page)).filter.geom_intersects).toBe('string');
    await eventually(() => countOf(page)).toBeLessThan(all / 4);
    const drawnArea = (await remembered(page)).filter.geom_intersects as string;
    expect(drawnArea).toMatch(/^POLYGON \(\(-?\d/);
    const { count } = (
      await engine.call('filter_properties', {
        county,
        geom_intersects: drawnArea,
        page_size: 1,
      } as never)
    ).data as { count: number };
    expect(await countOf(page)).toBe(count);
    expect(count).toBeGreaterThan(3);
    // The corner at the lower right goes further out: more parcels.
    await page.mouse.move(x + 100, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + 220, y + 170, { steps: 6 });
    await page.mouse.up();
    await eventually(async () => (await remembered(page)).filter.geom_intersects).not.toBe(drawnArea);
    await eventually(() => countOf(page)).toBeGreaterThan(count);
    await page.getByRole('button', { name: 'Delete' }).click();
    await eventually(async () => (await remembered(page)).filter.geom_intersects).toBeUndefined();
    await page.keyboard.press('Escape');
    await eventually(() => countOf(page)).toBe(all);
  });

  test('an area whose line crosses itself says so, and shades nothing that is not searched', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    const view = middleOf(engine, county);
    await page.keyboard.press('d');
    const { x, y } = await screenPlace(page, view.longitude, view.latitude);
    const bow = [
      [x - 100, y - 80],
      [x + 100, y + 80],
      [x + 100, y - 80],
      [x - 100, y + 80],
    ] as const;
    for (const [cornerX, cornerY] of bow) {
      await page.mouse.move(cornerX, cornerY, { steps: 3 });
      await page.mouse.click(cornerX, cornerY);
      await frames(page);
    }
    await page.keyboard.press('Enter');
    await page
      .getByRole('toolbar', { name: 'Draw an area' })
      .getByText(/^The line crosses itself/)
      .waitFor();
    const shades = () =>
      page.evaluate(() => {
        interface Drawn {
          querySourceFeatures(source: string): { properties: { polygonFillOpacity: number } }[];
        }
        const map = (document.querySelector('.map-canvas') as unknown as { platbookMap: Drawn }).platbookMap;
        return [
          ...new Set(map.querySourceFeatures('td-polygon').map(({ properties }) => properties.polygonFillOpacity)),
        ];
      });
    await eventually(shades).toEqual([0]);
  });

  test('draws and measures as soon as the map is there, also where another screen asks for it', async () => {
    const { page } = await openMapWindow({ at: 16 });
    for (const [key, bar, source] of [
      ['d', 'Draw an area', 'td-polygon'],
      ['l', 'Measure', 'td-linestring'],
    ] as const) {
      await page.keyboard.press('6');
      await page.locator('.map-canvas').waitFor({ state: 'detached' });
      // As on a computer with much to do: maplibre has its style with the next frame.
      await page.evaluate(() => {
        const { requestAnimationFrame: soon, cancelAnimationFrame: cancel } = window;
        // A frame that is taken back stays so, whether it waits for its delay or for the screen.
        const frameOf = new Map<number, number | null>();
        window.requestAnimationFrame = (work) => {
          const delay = window.setTimeout(() => frameOf.set(delay, soon(work)), 700);
          frameOf.set(delay, null);
          return delay;
        };
        window.cancelAnimationFrame = (handle) => {
          if (frameOf.has(handle)) clearTimeout(handle);
          cancel(frameOf.get(handle) ?? handle);
        };
        setTimeout(() => Object.assign(window, { requestAnimationFrame: soon }), 5000);
      });
      await page.keyboard.press(key);
      await page.getByRole('toolbar', { name: bar }).waitFor();
      await eventually(() =>
        page.evaluate((id) => {
          const { platbookMap } = document.querySelector('.map-canvas') as MapElement;
          return platbookMap?.getSource(id) !== undefined;
        }, source),
      ).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('toolbar', { name: bar }).waitFor({ state: 'detached' });
    }
  });

  test('measures a line and the sides of the selected parcel', async () => {
    const { page, engine } = await openMapWindow({ at: 16 });
    const [place] = somePlaces(engine, county, 1) as [Place];
    await lookAt(page, { longitude: place.point_lon, latitude: place.point_lat, zoom: 16 });
    const { x, y } = await screenPlace(page, place.point_lon, place.point_lat);
    await page.mouse.click(x, y);
    await parcelTitle(page).waitFor();
    await mapSettled(page);
    const at = await screenPlace(page, place.point_lon, place.point_lat);
    await page.keyboard.press('l');
    await page.mouse.move(at.x - 100, at.y);
    await page.mouse.click(at.x - 100, at.y);
    await frames(page);
    await page.mouse.move(at.x + 100, at.y, { steps: 3 });
    await page.mouse.click(at.x + 100, at.y);
    // 200 pixels of zoom 16, at this latitude: 40,075,017 m · cos(latitude) / (512 · 2^16) each.
    const meters = (200 * 40_075_017 * Math.cos((place.point_lat * Math.PI) / 180)) / (512 * 2 ** 16);
    const output = page.locator('.map-bar output');
    await eventually(async () =>
      Number(/^([\d,]+) ft$/.exec(await output.innerText())?.[1]?.replaceAll(',', '')),
    ).toSatisfy((feet: number) => Math.abs(feet * 0.3048 - meters) < meters * 0.02);
    await page.getByRole('radio', { name: 'Parcel' }).click();
    await eventually(() => output.innerText()).toMatch(/ac, \d+ sides, around it/);
    await mapSettled(page);
    expect((await drawn(page, 'sides')).length).toBeGreaterThan(1);
  });

  const hands = (page: Page) =>
    page.evaluate(() => {
      const { platbookMap: map } = document.querySelector('.map-canvas') as MapElement;
      return {
        doubleClickZoom: map?.doubleClickZoom.isEnabled(),
        dragPan: map?.dragPan.isEnabled(),
        cursor: map?.getCanvas().style.cursor,
      };
    });
  const free = { doubleClickZoom: true, dragPan: true, cursor: expect.stringMatching(/^(unset)?$/) };

  const shapesDrawn = (page: Page) =>
    page.evaluate(() => {
      const { platbookMap: map } = document.querySelector('.map-canvas') as MapElement;
      return new Set(map?.querySourceFeatures('td-polygon').map(({ id }) => id)).size;
    });

  async function drawSquare(page: Page, x: number, y: number): Promise<void> {
    await page.keyboard.press('d');
    await page.getByRole('toolbar', { name: 'Draw an area' }).waitFor();
    for (const [right, down] of [
      [-100, -80],
      [100, -80],
      [100, 80],
      [-100, 80],
    ] as const) {
      await page.mouse.move(x + right, y + down, { steps: 3 });
      await page.mouse.click(x + right, y + down);
      await frames(page);
    }
    await page.keyboard.press('Enter');
    await eventually(async () => typeof (await remembered(page)).filter.geom_intersects).toBe('string');
  }

  /** A window in which an area is being drawn, and its corners can be dragged. @returns where its middle is on the screen */
  async function openSquare() {
    const { page, engine } = await openMapWindow({ at: 16 });
    const view = middleOf(engine, county);
    const { x, y } = await screenPlace(page, view.longitude, view.latitude);
    await drawSquare(page, x, y);
    return { page, x, y, bar: page.getByRole('toolbar', { name: 'Draw an area' }) };
  }

  test('is moved and zoomed as before once nothing is measured any more, here and on the next screen', async () => {
    const { page } = await openMapWindow({ at: 16 });
    await page.keyboard.press('l');
    await page.getByRole('toolbar', { name: 'Measure' }).waitFor();
    await eventually(async () => (await hands(page)).doubleClickZoom).toBe(false);
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar', { name: 'Measure' }).waitFor({ state: 'detached' });
    expect(await hands(page)).toEqual(free);
    // Left in the middle of it.
    await page.keyboard.press('l');
    await eventually(async () => (await hands(page)).doubleClickZoom).toBe(false);
    await page.keyboard.press('4');
    await page.locator('.comps-map canvas').waitFor();
    expect(await hands(page)).toEqual(free);
  });

  test('is moved as before where Escape comes while a corner is dragged', async () => {
    const { page, x, y } = await openSquare();
    await mapSettled(page);
    await page.mouse.move(x + 100, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + 130, y + 100, { steps: 6 });
    expect((await hands(page)).dragPan).toBe(false);
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar', { name: 'Draw an area' }).waitFor({ state: 'detached' });
    await page.mouse.up();
    expect(await hands(page)).toEqual(free);
  });

  test('a drawn area stays editable after a theme change, and a deleted one stays deleted', async () => {
    const { page, bar, x, y } = await openSquare();
    const shapes = () => shapesDrawn(page);
    const otherTheme = async () => {
      const before = await page.evaluate(() => document.documentElement.dataset.theme);
      await page.getByRole('button', { name: /theme/i }).click();
      await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).not.toBe(before);
      await mapSettled(page);
    };
    await eventually(shapes).toBe(1);
    await otherTheme();
    await eventually(shapes).toBe(1);
    await bar.getByText('Drag a corner').waitFor();
    // Its corners are there, too.
    const drawnArea = (await remembered(page)).filter.geom_intersects;
    await page.mouse.move(x + 100, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + 150, y + 120, { steps: 6 });
    await page.mouse.up();
    await eventually(async () => (await remembered(page)).filter.geom_intersects).not.toBe(drawnArea);
    await bar.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('d');
    await bar.getByRole('button', { name: 'Delete' }).click();
    await otherTheme();
    await bar.getByText('Click the corners').waitFor();
    await eventually(shapes).toBe(0);
  });

  test('a drawn area goes and comes with undo and redo while it is drawn', async () => {
    const { page, bar } = await openSquare();
    await bar.getByText('Drag a corner').waitFor();
    await eventually(() => shapesDrawn(page)).toBe(1);
    const { geom_intersects: area } = (await remembered(page)).filter;
    await page.keyboard.press('Control+z');
    await bar.getByText('Click the corners').waitFor();
    await eventually(() => shapesDrawn(page)).toBe(0);
    expect((await remembered(page)).filter.geom_intersects).toBeUndefined();
    await page.keyboard.press('Control+Shift+z');
    await bar.getByText('Drag a corner').waitFor();
    await eventually(() => shapesDrawn(page)).toBe(1);
    expect((await remembered(page)).filter.geom_intersects).toBe(area);
  });

  test('goes to coordinates from the search box, and back to the county', async () => {
    const { page, engine } = await openMapWindow();
    const [place] = somePlaces(engine, county, 1) as [Place];
    await page.getByLabel('Search', { exact: true }).fill(`${place.point_lat}, ${place.point_lon}`);
    await page.getByRole('option', { name: /on the map/ }).click();
    await eventually(async () => {
      const view = await viewOf(page);
      return Math.abs(view.longitude - place.point_lon) + Math.abs(view.latitude - place.point_lat);
    }).toBeLessThan(1e-4);
    await eventually(async () => (await viewOf(page)).zoom).toBe(15.5);
    await page.getByRole('button', { name: 'Go to coordinates' }).click();
    await page.getByRole('button', { name: 'Show the county' }).click();
    await eventually(async () => (await viewOf(page)).zoom).toBeLessThan(12);
    await page.getByText('Zoom in to see parcel lines').waitFor();
  });
});
