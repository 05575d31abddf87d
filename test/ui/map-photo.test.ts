/** Photos of the air in a window: chosen, drawn below the lines, remembered, named with their source. */
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { gdalOrSkip } from '../support/gdal.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { writePhoto, writePhotoBase } from '../support/photo-base.ts';
import { findings } from './findings.ts';
import { drawn, mapPixels, mapSettled, openMapWindow, token } from './map-window.ts';
import { hasBrowser } from './window.ts';

const available = hasBrowser() && gdalOrSkip('tiles of a photo');
const at = { longitude: -71.82, latitude: 44.1, zoom: 15 };
const [x, y] = [0.03, 0.022];

describe.runIf(available)('a photo of the air', { timeout: 300_000 }, () => {
  test('lies under white lines with dark edges, is chosen by Y, weakened, and remembered', async () => {
    const home = copyOfHome(sampleHome());
    const { longitude, latitude } = at;
    writePhotoBase(home, 'alder snow', [longitude - x, latitude - y, longitude + x, latitude + y], 'snow', 1024);
    const { page } = await openMapWindow({ pixels: true, home, at });
    const lot = await token(page, '--map-lot');
    await page.keyboard.press('y');
    const panel = page.getByRole('dialog', { name: 'Layers' });
    await panel.getByRole('radio', { name: 'Photo', exact: true }).click();
    await panel.getByText('alder snow.mbtiles').waitFor();
    await panel.getByText('hidden over a photo').waitFor();
    await panel.locator('.map-thumb img').waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('y');
    await panel.waitFor({ state: 'detached' });
    await mapSettled(page);
    const { data } = await mapPixels(page);
    const seen = new Map<string, number>();
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      const color = `#${data.subarray(pixel, pixel + 3).toString('hex')}`;
      seen.set(color, (seen.get(color) ?? 0) + 1);
    }
    // White is nothing but lines and letters: the photo's own white is darkened.
    expect(seen.get('#ffffff')).toBeGreaterThan(1000);
    expect(seen.get(lot) ?? 0).toBe(0);
    expect((await drawn(page, 'lot-line')).length).toBeGreaterThan(10);
    await page.getByText('Photo: alder snow.mbtiles').waitFor();
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByRole('button', { name: /Parcel lines/ }).click();
    await legend.getByText('found parcels').waitFor();

    await page.reload();
    await mapSettled(page);
    await page.keyboard.press('y');
    await panel.getByLabel('Opacity').fill('50');
    await panel.getByRole('checkbox', { name: 'Parcel lines' }).click();
    await mapSettled(page);
    const paint = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLElement & { platbookMap?: { getStyle(): { layers: object[] } } }>(
        '.map-canvas',
      );
      return canvas?.platbookMap?.getStyle().layers.map((layer) => layer as { id: string; paint?: object }) ?? [];
    });
    expect(paint.find(({ id }) => id === 'base-alder-snow')?.paint).toMatchObject({ 'raster-opacity': 0.5 });
    expect(paint.some(({ id }) => id === 'lot-line')).toBe(false);
    await panel.getByRole('radio', { name: 'Map', exact: true }).click();
    await panel.getByText('Fill of the lots').waitFor();
  });

  test('is added by its path, drawn under the map at once and named in the status bar', async () => {
    const home = copyOfHome(sampleHome());
    const { longitude, latitude } = at;
    const file = path.join(emptyHome(), 'alder 2025.tif');
    writePhoto(file, [longitude - x, latitude - y, longitude + x, latitude + y], 'summer', 700);
    const { page } = await openMapWindow({ home, at });
    await page.keyboard.press('Control+i');
    const field = page.locator('[data-focus=import-path]');
    await field.fill(file);
    await field.press('Enter');
    await page.getByText(/^Photo: alder 2025/).waitFor();
    await mapSettled(page);
    const sources = await page.evaluate(() => {
      const canvas = document.querySelector<HTMLElement & { platbookMap?: { getStyle(): { sources: object } } }>(
        '.map-canvas',
      );
      return Object.entries(canvas?.platbookMap?.getStyle().sources ?? {});
    });
    expect(sources.find(([name]) => name.startsWith('photo-'))?.[1]).toMatchObject({ type: 'raster', tileSize: 512 });
  });

  test('that says no coordinate system asks for it, and says what is wrong with a wrong one', async () => {
    const { longitude, latitude } = at;
    const file = path.join(emptyHome(), 'scan.png');
    const cell = (2 * x) / 300;
    await sharp({ create: { width: 300, height: 220, channels: 3, background: '#556b2f' } }).toFile(file);
    const world = [cell, 0, 0, -cell, longitude - x + cell / 2, latitude + y - cell / 2];
    fs.writeFileSync(file.replace('.png', '.pgw'), world.join('\n'));
    const { page } = await openMapWindow({ home: copyOfHome(sampleHome()), at });
    await page.keyboard.press('Control+i');
    const field = page.locator('[data-focus=import-path]');
    await field.fill(file);
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Where does the photo lie?' });
    await dialog.getByText('it does not say its coordinate system').waitFor();
    expect(await findings(page)).toEqual([]);
    await dialog.getByLabel('Coordinate system').fill('EPSG:1');
    await dialog.getByRole('button', { name: 'Add the photo' }).click();
    await dialog.getByText('EPSG:1').waitFor();
    await dialog.getByLabel('Coordinate system').fill('4326');
    await dialog.getByRole('button', { name: 'Add the photo' }).click();
    await page.getByText(/^Photo: scan/).waitFor();
  });
});
