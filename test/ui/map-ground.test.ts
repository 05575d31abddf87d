/** Relief and contours of the sample's ground on the map. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openSampleHeights } from '../../engine/terrain/sample-heights.ts';
import { keepHeights } from '../../engine/terrain/store-heights.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { findings } from './findings.ts';
import { colorAt, drawn, eventually, lookAt, mapPixels, mapSettled, openMapWindow, placesOnMap } from './map-window.ts';
import { hasBrowser } from './window.ts';

const middle = { longitude: -71.82, latitude: 44.1 };

/** A copy of the sample county with the heights of its ground. */
async function homeWithGround(): Promise<string> {
  const home = copyOfHome(sampleHome());
  const box = { minX: -71.9, minY: 44.05, maxX: -71.75, maxY: 44.15 };
  await keepHeights(home, openSampleHeights(), {
    fips: '99001',
    box,
    content: 'sample',
    attribution: '',
    onTile: () => {},
  });
  return home;
}

describe.runIf(hasBrowser())('the ground', { timeout: 300_000 }, () => {
  test('is drawn under the lots’ lines with its contours, told in the legend, and switched off in the menu', async () => {
    const { page } = await openMapWindow({ pixels: true, home: await homeWithGround() });
    await lookAt(page, { ...middle, zoom: 13.4 });
    // The share of places in the five most frequent colors: without relief those of the five classes.
    const plain = async (): Promise<number> => {
      const pixels = await mapPixels(page);
      const counts = new Map<string, number>();
      const places = await placesOnMap(page, 7);
      for (const { x, y } of places) {
        const color = colorAt(pixels, x, y);
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
      const most = [...counts.values()].toSorted((a, b) => b - a).slice(0, 5);
      return most.reduce((sum, count) => sum + count, 0) / places.length;
    };
    if (process.env.PLATBOOK_SHOTS) await shoot(page, process.env.PLATBOOK_SHOTS);
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByText(/^Contours every (5|10|20|40|50) ft$/).waitFor();
    expect((await drawn(page, 'contours')).length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByLabel('Contours', { exact: true }).click();
    await legend.getByText(/^Contours/).waitFor({ state: 'detached' });
    await mapSettled(page);
    const shaded = await plain();
    await page.getByLabel('Relief', { exact: true }).click();
    await mapSettled(page);
    expect(await plain()).toBeGreaterThan(2 * shaded);
    expect(await findings(page)).toEqual([]);
  });

  test('goes by itself where panning is slow, relief first; it comes back when asked, and stays', async () => {
    const { page } = await openMapWindow({ pixels: true, home: await homeWithGround() });
    await lookAt(page, { ...middle, zoom: 13.4 });
    const badge = page.locator('.map-badge').filter({ hasText: 'this computer draws the map slowly' });
    await drawSlowly(page);
    await pan(page);
    await eventually(() => badge.allInnerTexts()).toEqual([expect.stringContaining('Relief is off')]);
    await eventually(() => groundOf(page)).toEqual(['contours']);
    await pan(page);
    await eventually(() => badge.allInnerTexts()).toEqual([expect.stringContaining('Relief and contours are off')]);
    await eventually(() => groundOf(page)).toEqual([]);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show them anyway' }).click();
    await eventually(() => groundOf(page)).toEqual(['relief', 'contours']);
    for (let again = 0; again < 2; again++) await pan(page);
    await mapSettled(page);
    expect(await groundOf(page)).toEqual(['relief', 'contours']);
    expect(await badge.count()).toBe(0);
  });

  test('is not offered without elevation', async () => {
    const { page } = await openMapWindow({ pixels: true });
    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByLabel('Opacity of Fill of the lots, percent').waitFor();
    expect(await page.getByLabel('Relief', { exact: true }).count()).toBe(0);
  });
});

/** From now on each frame of the map takes at least a quarter of a second, as on a computer without a graphics card. */
const drawSlowly = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.querySelector<MapElement>('.map-canvas')?.platbookMap?.on('render', () => {
      const began = performance.now();
      while (performance.now() - began < 250);
    });
  });

/** A pan of ten frames, however long they take: a busy machine draws one in a second. */
const pan = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    if (!map) throw new Error('There is no map.');
    const ended = map.once('moveend');
    map.panBy([60, 0], { duration: 600_000, essential: true });
    for (let frame = 0; frame < 10; frame++) await map.once('render');
    map.stop();
    await ended;
  });

/** The ground on the map. */
const groundOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    return ['relief', 'contours'].filter((id) => map?.getLayer(id));
  });

/** For a person to look at: three themes, three zooms. */
async function shoot(page: Page, folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  for (const theme of ['light', 'dark', 'outdoor']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    for (const zoom of [11.6, 13.4, 15.2]) {
      await lookAt(page, { ...middle, zoom });
      await mapSettled(page);
      await page.screenshot({ path: path.join(folder, `${theme}-${zoom}.png`) });
    }
  }
}
