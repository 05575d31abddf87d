/** Layers beside the lots: the user's own layers and base maps, the legend, the fills, the phone's code. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';
import { findings } from './findings.ts';
import {
  colorAt,
  drawn,
  eventually,
  lookAt,
  mapPixels,
  mapSettled,
  matchedLots,
  openMapWindow,
  placesOnMap,
  screenPlace,
  searched,
  token,
} from './map-window.ts';
import { hasBrowser } from './window.ts';

const available = hasBrowser();

/** Near the middle of the sample county. */
const middle = { longitude: -71.82, latitude: 44.1 };

/** A copy of the sample county with a road through its middle and a flood zone around it. */
async function homeWithLayers(): Promise<string> {
  const home = copyOfHome(sampleHome());
  const files = emptyHome();
  const write = (name: string, geometry: object, properties: object) => {
    const file = path.join(files, name);
    fs.writeFileSync(
      file,
      JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry, properties }] }),
    );
    return file;
  };
  const { longitude: x, latitude: y } = middle;
  const road = write(
    'roads.geojson',
    {
      type: 'LineString',
      coordinates: [
        [x - 0.1, y],
        [x + 0.1, y],
      ],
    },
    { highway: 'primary' },
  );
  const ring = [
    [x - 0.01, y - 0.01],
    [x + 0.01, y - 0.01],
    [x + 0.01, y + 0.01],
    [x - 0.01, y + 0.01],
    [x - 0.01, y - 0.01],
  ];
  const flood = write('flood.geojson', { type: 'Polygon', coordinates: [ring] }, { FLD_ZONE: 'AE', SFHA_TF: 'T' });
  const engine = openEngine({ home });
  const shared = { fips: '99001', now: engine.now, date: '2026-01-01', coverage: 'county' } as const;
  await enrich(engine.land, { ...shared, kind: 'roads', file: road });
  await enrich(engine.land, { ...shared, kind: 'flood', file: flood });
  engine.close();
  return home;
}

async function colorOf(page: Page, longitude: number, latitude: number): Promise<string> {
  const pixels = await mapPixels(page);
  const box = (await page.locator('.map-canvas canvas').boundingBox()) as { x: number; y: number };
  const { x, y } = await screenPlace(page, longitude, latitude);
  return colorAt(pixels, x - box.x, y - box.y);
}

describe.runIf(available)('layers and base maps', { timeout: 300_000 }, () => {
  test('the user’s layers are drawn, listed in the legend, switched off and made weaker', async () => {
    const { page } = await openMapWindow({ pixels: true, home: await homeWithLayers() });
    await lookAt(page, { ...middle, zoom: 15 });
    const road = await token(page, '--map-road-main');
    expect(await colorOf(page, middle.longitude, middle.latitude)).toBe(road);
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByText('Roads').waitFor();
    expect(await legend.getByText('Flood zones').count()).toBe(0);

    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByLabel('Roads', { exact: true }).click();
    await page.getByLabel('Flood zones', { exact: true }).click();
    await mapSettled(page);
    await legend.getByText('Flood zones').waitFor();
    expect(await legend.getByText('Roads').count()).toBe(0);
    const flooded = await colorOf(page, middle.longitude, middle.latitude);
    expect(flooded).not.toBe(road);
    await page.getByLabel('Opacity of Flood zones, percent').fill('10');
    await mapSettled(page);
    expect(await colorOf(page, middle.longitude, middle.latitude)).not.toBe(flooded);
    expect(await findings(page)).toEqual([]);
    // Remembered by the next window of this browser.
    await page.reload();
    await mapSettled(page);
    await legend.getByText('Flood zones').waitFor();
  });

  test.runIf(realDataOrSkip('base maps'))(
    'a base map of the user’s own shows under the lots, and a broken one says why not',
    async () => {
      const home = copyOfHome(sampleHome());
      const folder = path.join(home, 'basemaps');
      fs.mkdirSync(folder, { recursive: true });
      fs.copyFileSync(
        path.join(sharedData() ?? '', 'tiles', 'world_z0-3_raster.pmtiles'),
        path.join(folder, 'world.pmtiles'),
      );
      fs.writeFileSync(path.join(folder, 'broken.mbtiles'), 'no tiles');
      const { page } = await openMapWindow({ pixels: true, home });
      await lookAt(page, { ...middle, zoom: 3 });
      const land = await token(page, '--map-land');
      const bare = async () => {
        const pixels = await mapPixels(page);
        const places = await placesOnMap(page, 9);
        return places.filter(({ x, y }) => colorAt(pixels, x, y) === land).length / places.length;
      };
      expect(await bare()).toBeGreaterThan(0.5);
      await page.getByRole('button', { name: 'Layers' }).click();
      await page.getByText(/^broken\.mbtiles: /).waitFor();
      await page.getByRole('radio', { name: 'Photo', exact: true }).click();
      await page.getByText('world.pmtiles', { exact: true }).waitFor();
      await mapSettled(page);
      expect(await bare()).toBeLessThan(0.1);
    },
  );

  test('fills by what is chosen, with a legend that counts all that match and have a shape', async () => {
    const { page, engine } = await openMapWindow({ pixels: true });
    await lookAt(page, { ...middle, zoom: 14 });
    const shaped = engine.land.file.get<{ n: number }>(
      "SELECT count(*) AS n FROM parcels WHERE status = 'current' AND geom IS NOT NULL",
    )?.n as number;
    const legend = page.getByRole('region', { name: 'Legend' });
    for (const [choice, title] of [
      ['Acres', 'Acres'],
      ['Kind of owner', 'Owner'],
      ['Mean slope', 'Mean slope'],
      ['Share in a flood zone', 'In a flood zone'],
      ['Value per acre: market, else assessed', 'Value, $/ac'],
    ] as const) {
      await page.getByRole('button', { name: 'Change the fill and the labels' }).click();
      await page.getByRole('group', { name: 'Lots are filled by' }).getByLabel(choice, { exact: true }).click();
      await page.keyboard.press('Escape');
      await legend.getByText(title, { exact: true }).waitFor();
      await eventually(async () => {
        const counts = await legend.locator('li .num').allInnerTexts();
        return counts.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0);
      }, choice).toBe(shaped);
      await mapSettled(page);
      expect((await matchedLots(page)).length).toBeGreaterThan(10);
    }
  });

  test('labels say the APN or nothing, as chosen, and the QR code holds the parcel’s place', async () => {
    const { page } = await openMapWindow({ pixels: true });
    await searched(page);
    await page.locator('.grid-body .grid-row').first().click();
    await page.getByRole('button', { name: 'QR code for the phone' }).click();
    await page.getByRole('img', { name: /^QR code of geo:44\.\d{5},-71\.\d{5}$/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await lookAt(page, { ...middle, zoom: 16 });
    const acres = (await drawn(page, 'lot-label')).length;
    expect(acres).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Change the fill and the labels' }).click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole('group', { name: 'Their labels show' }).getByLabel('nothing').click();
    await mapSettled(page);
    expect(await page.evaluate(() => document.querySelectorAll('.map-canvas canvas').length)).toBe(1);
    await page.getByRole('group', { name: 'Their labels show' }).getByLabel('APN').click();
    await mapSettled(page);
    expect((await drawn(page, 'lot-label')).length).toBeGreaterThan(0);
  });
});
