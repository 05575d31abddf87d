/** The map by its pixels and by a user's actions, on the sample county and on real ones. */
import path from 'node:path';
import type { Map as MapLibreMap } from 'maplibre-gl';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { parcelsAt } from '../../engine/query/parcels-at.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { writeGeneratedCounty } from '../bench/generated-county.ts';
import { copyOfHome, emptyHome, realHome, sampleHome } from '../support/homes.ts';
import {
  colorAt,
  drawn,
  eventually,
  lookAt,
  mapPixels,
  mapSettled,
  matchedLots,
  middleOf,
  openMapWindow,
  outlined,
  type Place,
  placesOnMap,
  rampColors,
  screenPlace,
  searched,
  selectedId,
  somePlaces,
  token,
} from './map-window.ts';
import { countOf, goTo, hasBrowser, openWindow, parcelTitle, remembered } from './window.ts';

const available = hasBrowser();

/** Pixels within parcels that show the bare ground: a hole without an error. */
async function holes(page: Page, engine: Engine): Promise<{ inside: number; bare: number }> {
  const pixels = await mapPixels(page);
  const land = await token(page, '--map-land');
  const inside = (await placesOnMap(page, 8)).filter(({ place }) => parcelsAt(engine.land, ...place).length > 0);
  return { inside: inside.length, bare: inside.filter(({ x, y }) => colorAt(pixels, x, y) === land).length };
}

/** Each time elsewhere on the screen: two clicks at one place are a double click. */
async function bringUnder(page: Page, longitude: number, latitude: number, turn: number): Promise<void> {
  await page.evaluate(
    ([lng = 0, lat = 0, right = 0, down = 0]) => {
      const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
      map?.jumpTo({ center: [lng, lat], zoom: 16 });
      map?.panBy([right, down], { animate: false });
    },
    [longitude, latitude, turn % 2 === 0 ? 70 : -70, 20 * (turn % 3) - 20],
  );
}

/** Positions on the screen with a color of the fill. */
async function filledPlaces(page: Page): Promise<number> {
  const ramp = await Promise.all([1, 2, 3, 4, 5].map((step) => token(page, `--ramp-${step}`)));
  const pixels = await mapPixels(page);
  const plain = await rampColors(page);
  return (await placesOnMap(page, 11)).filter(({ x, y }) => ramp.includes(plain(colorAt(pixels, x, y)))).length;
}

/** The first selection opens the detail, and the map becomes narrower: the next place is looked up when it has. */
async function detailOpened(page: Page): Promise<void> {
  await parcelTitle(page).waitFor();
  await mapSettled(page);
}

describe.runIf(available)('the map of the sample county', { timeout: 300_000 }, () => {
  const county = '99001';

  test.each([10, 12, 14])('leaves no hole within the parcels at zoom %i', async (zoom) => {
    const { page, engine } = await openMapWindow({ pixels: true, at: zoom });
    // So far away that lots are squares, which a search alone shows.
    if (zoom === 10) await searched(page);
    await mapSettled(page);
    const { inside, bare } = await holes(page, engine);
    expect(inside).toBeGreaterThan(500);
    expect(bare / inside).toBeLessThan(0.001);
  });

  test('fills what matches and leaves the rest unfilled, as the database says', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 13 });
    await page.getByLabel('Acres from', { exact: true }).fill('20');
    await countOf(page);
    await mapSettled(page);
    const lots = new Set((await drawn(page, 'lot-fill')).map(({ id }) => id));
    const large = engine.land.file.column<number>(
      'SELECT property_id FROM parcels WHERE coalesce(acres, calculated_acres) >= 20',
    );
    const expected = large.filter((id) => lots.has(id)).sort((a, b) => a - b);
    expect(expected.length).toBeGreaterThan(20);
    expect(expected.length).toBeLessThan(lots.size / 2);
    expect(await matchedLots(page)).toEqual(expected);
    const pixels = await mapPixels(page);
    const ground = await token(page, '--map-lot');
    const plain = await rampColors(page);
    const ramp = await Promise.all([1, 2, 3, 4, 5].map((step) => token(page, `--ramp-${step}`)));
    const { x: left, y: top } = (await page.locator('.map-canvas canvas').boundingBox()) as { x: number; y: number };
    const colors = { matching: new Set<string>(), other: new Set<string>() };
    const isLarge = new Set(large);
    const known = engine.land.file.all<Place>(
      `SELECT property_id, point_lon, point_lat FROM parcels WHERE market_total_value IS NOT NULL AND geom IS NOT NULL
       AND coalesce(acres, calculated_acres) > 8`,
    );
    for (const lot of known.filter(({ property_id: id }) => lots.has(id))) {
      const { x, y } = await screenPlace(page, lot.point_lon, lot.point_lat);
      if (x < left + 2 || y < top + 2 || x > left + pixels.width - 2 || y > top + pixels.height - 2) continue;
      colors[isLarge.has(lot.property_id) ? 'matching' : 'other'].add(plain(colorAt(pixels, x - left, y - top)));
    }
    expect([...colors.other]).toEqual([ground]);
    for (const color of colors.matching) expect(ramp).toContain(color);
    expect(colors.matching.size).toBeGreaterThan(1);
  });

  test('keeps a lot filled from one filter to the next that it meets as well', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 13 });
    await page.getByLabel('Acres from', { exact: true }).fill('10');
    await countOf(page);
    await mapSettled(page);
    const large = new Set(
      engine.land.file.column<number>('SELECT property_id FROM parcels WHERE coalesce(acres, calculated_acres) >= 20'),
    );
    const both = (await matchedLots(page)).filter((id) => large.has(id));
    expect(both.length).toBeGreaterThan(10);
    // Watched in every frame, from before the change until after it.
    await page.evaluate((ids) => {
      const map = (document.querySelector('.map-canvas') as never as { platbookMap: MapLibreMap }).platbookMap;
      const seen = { frames: 0, lost: 0 };
      (window as never as { seen: typeof seen }).seen = seen;
      const look = () => {
        seen.frames += 1;
        for (const id of ids) {
          const { match } = map.getFeatureState({ source: 'parcels', sourceLayer: 'parcels', id });
          if (match !== true) seen.lost += 1;
        }
        requestAnimationFrame(look);
      };
      look();
    }, both);
    await page.getByLabel('Acres from', { exact: true }).fill('20');
    await countOf(page);
    await mapSettled(page);
    const seen = await page.evaluate(() => (window as never as { seen: { frames: number; lost: number } }).seen);
    expect(seen.lost).toBe(0);
    expect(seen.frames).toBeGreaterThan(5);
    expect(await matchedLots(page)).toEqual(both);
  });

  test('writes no label twice, and none that is wider than its lot', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 15 });
    for (const zoom of [15, 16, 17.5]) {
      await lookAt(page, { ...middleOf(engine, county), zoom });
      const labels = (await drawn(page, 'lot-label')).map(({ id }) => id);
      expect(labels.length, `labels at ${zoom}`).toBeGreaterThan(0);
      expect(labels.length, `labels at ${zoom}`).toBe(new Set(labels).size);
    }
    await lookAt(page, { ...middleOf(engine, county), zoom: 13.5 });
    expect(await drawn(page, 'lot-label')).toEqual([]);
  });

  test('a click at the point of each of 20 parcels selects that parcel', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 16 });
    const places = somePlaces(engine, county, 21);
    const missed: string[] = [];
    for (const [i, { property_id: id, apn, point_lon: longitude, point_lat: latitude }] of places.entries()) {
      await bringUnder(page, longitude, latitude, i);
      const { x, y } = await screenPlace(page, longitude, latitude);
      await page.mouse.click(x, y);
      // Where parcels overlap the smallest is selected.
      const [expected] = parcelsAt(engine.land, longitude, latitude);
      await eventually(() => selectedId(page), apn).toBe(expected);
      if (i === 0) await detailOpened(page);
      if (expected !== id) missed.push(apn);
    }
    expect(missed).toEqual([]);
  });

  test('follows the theme at once, and keeps what is filled and selected', async () => {
    const { page } = await openMapWindow({ pixels: true, at: 16 });
    const before = await matchedLots(page);
    for (const theme of ['dark', 'outdoor', 'light']) {
      await page.getByRole('button', { name: /^Theme/ }).click();
      await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      await mapSettled(page);
      expect(await filledPlaces(page), theme).toBeGreaterThan(200);
    }
    expect(await matchedLots(page)).toEqual(before);
  });

  test('keeps what is filled and outlined when the data changes under it', async () => {
    const home = emptyHome();
    const [first, second] = ['first', 'second'].map((name) => path.join(home, `${name}.ndjson`)) as [string, string];
    writeGeneratedCounty(first, 5000, 1);
    writeGeneratedCounty(second, 60_000, 2, { fips: '20187', number: 1, west: -102, south: 37 });
    const { page, engine } = await openWindow({ home, map: true });
    await engine.jobs.finished(
      engine.jobs.start('import_parcels', { files: [first], county: '20155', anywhere: true }).job_id,
    );
    const [place] = somePlaces(engine, '20155', 1) as [Place];
    await page.reload();
    await mapSettled(page);
    await searched(page);
    await page.evaluate((selected) => {
      const kept = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...kept, selected }));
    }, place.property_id);
    const { job_id: job } = engine.jobs.start('import_parcels', { files: [second], county: '20187', anywhere: true });
    // The window hears of a job that is under way when it opens, and when that has ended.
    await page.reload();
    await page.locator('.job-strip').waitFor();
    await lookAt(page, { longitude: place.point_lon, latitude: place.point_lat, zoom: 13 });
    const before = await matchedLots(page);
    expect(before.length).toBeGreaterThan(20);
    const filled = await filledPlaces(page);
    expect(filled).toBeGreaterThan(100);
    const address = () =>
      page.evaluate(() => {
        const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
        return JSON.stringify((map?.getSource('parcels') as { tiles?: string[] } | undefined)?.tiles);
      });
    const known = await address();
    await engine.jobs.finished(job);
    await eventually(address).not.toBe(known);
    await mapSettled(page);
    expect(await matchedLots(page)).toEqual(before);
    expect(await filledPlaces(page)).toBeGreaterThan(filled * 0.95);
    await eventually(() => outlined(page, 'select')).toContain(place.property_id);
    expect((await remembered(page)).filter).toEqual({ county: '20155' });
    await page.locator('.grid-body .apn').first().waitFor();
    // The same county reloaded: the earlier search is outdated, and says so; the rest stays.
    writeGeneratedCounty(first, 20_000, 1);
    const again = engine.jobs.start('import_parcels', {
      files: [first],
      county: '20155',
      replace: true,
      anywhere: true,
    });
    await page.reload();
    await page.locator('.job-strip').waitFor();
    expect((await engine.jobs.finished(again.job_id)).error).toBeNull();
    await page.getByText('Not searched with this data yet').waitFor();
    expect(await remembered(page)).toMatchObject({ filter: { county: '20155' }, selected: place.property_id });
  });

  test('one map moves from screen to screen, with nothing of the screen before', async () => {
    const { page } = await openMapWindow({ pixels: true, at: 16 });
    const before = await mapPixels(page);
    await page.locator('.map-canvas canvas').evaluate((canvas) => canvas.classList.add('first'));
    await page.keyboard.press('4');
    const comps = page.locator('.comps-map canvas.first');
    await comps.waitFor();
    expect(await comps.getAttribute('aria-label')).toContain('Map of the comps');
    expect(await comps.getAttribute('data-focus')).toBeNull();
    await page.keyboard.press('1');
    await page.locator('.map-slot canvas.first').waitFor();
    await mapSettled(page);
    await eventually(async () => Buffer.compare(before.data, (await mapPixels(page)).data), 'looks as it did').toBe(0);
    // Its keys and its pointer are those of Explore again.
    await page.locator('[data-focus=map]').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-focus=detail]').waitFor();
  });

  test('fifty visits leave one map behind and no memory', async () => {
    const { page } = await openMapWindow({ pixels: true, at: 16 });
    const session = await page.context().newCDPSession(page);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number };
      return usedSize / 2 ** 20;
    };
    const visit = async () => {
      await goTo(page, 'usage');
      await page.locator('.map-canvas').waitFor({ state: 'detached' });
      await goTo(page, 'explore');
      await page.locator('.map-canvas canvas').waitFor();
    };
    for (let i = 0; i < 5; i++) await visit();
    await mapSettled(page);
    const before = await heap();
    for (let i = 0; i < 50; i++) await visit();
    await mapSettled(page);
    const after = await heap();
    console.log(`heap ${before.toFixed(1)} → ${after.toFixed(1)} MiB over 50 visits`);
    expect(await page.locator('canvas.maplibregl-canvas').count()).toBe(1);
    expect(after - before).toBeLessThan(15);
  });
});

describe.runIf(available && realHome() !== null)('the map of a real county', { timeout: 600_000 }, () => {
  test.each([
    ['Washington, New Hampshire', '33019'],
    ['Three Forks, Montana', '30031'],
  ])('of %s leaves no hole, writes no label twice, and answers clicks', async (_name, fips) => {
    const { page, engine } = await openMapWindow({ pixels: true, home: copyOfHome(realHome() ?? sampleHome()) });
    // Farther away a few matches are dots, which fill no ground.
    for (const zoom of [12, 14]) {
      await lookAt(page, { ...middleOf(engine, fips), zoom });
      const { inside, bare } = await holes(page, engine);
      expect(inside, `inside at ${zoom}`).toBeGreaterThan(50);
      expect(bare / inside, `bare at ${zoom}`).toBeLessThan(0.001);
    }
    for (const zoom of [15, 16]) {
      await lookAt(page, { ...middleOf(engine, fips), zoom });
      const labels = (await drawn(page, 'lot-label')).map(({ id }) => id);
      expect(labels.length).toBe(new Set(labels).size);
    }
    for (const [i, { point_lon: longitude, point_lat: latitude }] of somePlaces(engine, fips, 20).entries()) {
      await bringUnder(page, longitude, latitude, i);
      const { x, y } = await screenPlace(page, longitude, latitude);
      await page.mouse.click(x, y);
      await eventually(() => selectedId(page)).toBe(parcelsAt(engine.land, longitude, latitude)[0]);
      if (i === 0) await detailOpened(page);
    }
  });
});
