/** The map of the comps: distinguished by shape, one selection with the table, a circle that can be dragged. */
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { dragByFinger, drawn, eventually, mapSettled, screenPlace, searched, selectedId } from './map-window.ts';
import { countOf, goTo, hasBrowser, openWindow, type WindowOptions } from './window.ts';

const available = hasBrowser();

const center = { longitude: -71.8, latitude: 44.1, name: '' };

/** The Comps screen, asking for a circle of five miles. */
async function openComps(options: WindowOptions = {}): Promise<Page> {
  const { page } = await openWindow({ map: true, ...options });
  await countOf(page);
  await goTo(page, 'comps');
  await page.locator('.comps-map').waitFor();
  await page.evaluate((middle) => {
    const before = JSON.parse(localStorage.getItem('platbook.comps') ?? '{}');
    localStorage.setItem('platbook.comps', JSON.stringify({ ...before, scope: 'circle', center: middle, miles: 5 }));
  }, center);
  await page.reload();
  await mapSettled(page);
  return page;
}

const query = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('platbook.comps') ?? '{}'));

/** A place of the map that is 30 pixels from any comp. */
const placeWithoutComps = (page: Page): Promise<{ x: number; y: number }> =>
  page.evaluate(() => {
    const element = document.querySelector<MapElement>('.map-canvas');
    const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    for (let x = 40; x < width - 40; x += 10) {
      for (let y = 40; y < height - 40; y += 10) {
        const box: [[number, number], [number, number]] = [
          [x - 30, y - 30],
          [x + 30, y + 30],
        ];
        const near = element?.platbookMap?.queryRenderedFeatures(box, { layers: ['comp-dot'] }) ?? [];
        if (near.length === 0) return { x: left + x, y: top + y };
      }
    }
    throw new Error('There are comps everywhere.');
  });

describe.runIf(available)('the map of the comps', { timeout: 300_000 }, () => {
  const byMouse = async (page: Page, from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 5 });
    await page.mouse.up();
  };

  test.each([
    ['the mouse', byMouse, {}],
    ['a finger', dragByFinger, { context: { hasTouch: true } }],
  ] as const)(
    '%s drags the edge of the circle for the radius, its middle for the place',
    async (_hand, drag, options) => {
      const page = await openComps(options);
      // 5 miles due east: 8,047 m of 111,320 m · cos(44.1°) to a degree.
      const east = 8046.72 / (111_320 * Math.cos((44.1 * Math.PI) / 180));
      const middle = await screenPlace(page, center.longitude, center.latitude);
      const edge = await screenPlace(page, center.longitude + east, center.latitude);
      await drag(page, [edge.x, edge.y], [(edge.x + middle.x) / 2, edge.y]);
      // Half as far: two and a half miles, to the width of a pixel.
      await eventually(async () => Math.abs(Number((await query(page)).miles) - 2.5)).toBeLessThan(0.15);
      await drag(page, [middle.x, middle.y], [middle.x, middle.y - 40]);
      await eventually(async () => ((await query(page)).center as typeof center).latitude).toBeGreaterThan(44.1);
    },
  );

  test('a click on a comp selects its row, a click beside it none', async () => {
    const page = await openComps();
    await page
      .getByRole('button', { name: /^(Comps|List).*uses/ })
      .first()
      .click();
    await page.locator('.comps-list [role=row]').nth(1).waitFor();
    await mapSettled(page);
    await eventually(async () => (await drawn(page, 'comp-dot')).length).toBeGreaterThan(3);
    const place = await page.evaluate(() => {
      const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
      const found = map?.queryRenderedFeatures({ layers: ['comp-dot'] }) ?? [];
      const points = found.map(({ geometry }) => (geometry.type === 'Point' ? geometry.coordinates : [0, 0]));
      const apart = (a: number[], b: number[]) => Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0));
      const nearest = (point: number[]) =>
        Math.min(...points.filter((one) => one !== point).map((one) => apart(one, point)));
      return points.toSorted((a, b) => nearest(b) - nearest(a))[0] as [number, number];
    });
    const { x, y } = await screenPlace(page, ...place);
    await page.mouse.click(x, y);
    await eventually(() => page.locator('.comps-list [aria-selected=true]').count()).toBe(1);
    const beside = await placeWithoutComps(page);
    await page.mouse.click(beside.x, beside.y);
    await eventually(() => page.locator('.comps-list [aria-selected=true]').count()).toBe(0);
  });

  test('the parcel in the middle is outlined', async () => {
    const { page, engine } = await openWindow({ map: true });
    await countOf(page);
    await searched(page);
    await page.locator('.grid-body .grid-row').first().click();
    await page.getByRole('tab', { name: 'Comps', exact: true }).click();
    await page.locator('.comps-map .map-canvas').waitFor();
    const id = await selectedId(page);
    const [at] = engine.sql<{ longitude: number; latitude: number }>(
      'SELECT point_lon AS longitude, point_lat AS latitude FROM parcels WHERE property_id = ?',
      [Number(id)],
    );
    // Explore's own map lies beside it, hidden.
    const map = page.locator('.comps-map .map-canvas');
    await map.evaluate(
      (element, center) => (element as MapElement).platbookMap?.jumpTo({ center, zoom: 14 }) && undefined,
      [at?.longitude ?? 0, at?.latitude ?? 0] as [number, number],
    );
    const outlined = () =>
      map.evaluate((element) => {
        const found = (element as MapElement).platbookMap?.queryRenderedFeatures({ layers: ['lot-select'] }) ?? [];
        return [...new Set(found.map((lot) => lot.id))];
      });
    await eventually(outlined).toEqual([id]);
  });
});
