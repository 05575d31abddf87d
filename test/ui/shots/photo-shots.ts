/** The map over an invented photo of the air. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';
import { mapSources } from '../../../engine/tiles/map-sources.ts';
import type { Season } from '../../support/air-photo.ts';
import { writePhotoBase } from '../../support/photo-base.ts';
import { lookAt, mapSettled } from '../map-view.ts';
import { counted, type Shot } from './shot.ts';

/** Fields and woods between two towns. */
const [longitude, latitude] = [-71.82, 44.1];

async function overPhoto(page: Page, engine: Engine, season: Season, zoom = 15.4): Promise<void> {
  const name = `alder_${season}`;
  const { home, land } = engine;
  const [west, south, east, north] = mapSources(home, land).parcels.bounds ?? [0, 0, 0, 0];
  // A part of the county, near enough for pixels of some feet.
  const [x, y] = [(east - west) / 8, (north - south) / 8];
  if (!fs.existsSync(path.join(home, 'basemaps', `${name}.mbtiles`)))
    writePhotoBase(home, name, [longitude - x, latitude - y, longitude + x, latitude + y], season);
  await page.evaluate(
    (source) => {
      const before = JSON.parse(localStorage.getItem('platbook.map') ?? '{}');
      localStorage.setItem('platbook.map', JSON.stringify({ ...before, look: 'photo', photo: source }));
    },
    `base-${name.replace('_', '-')}`,
  );
  await page.reload();
  await counted(page);
  await mapSettled(page);
  await lookAt(page, { longitude, latitude, zoom });
  // The parcel under the cross.
  await page.locator('[data-focus=map]').focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-focus=detail]').waitFor();
  await lookAt(page, { longitude, latitude, zoom });
}

async function tilt(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Tilt the map');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(1500);
  await mapSettled(page);
}

export const photoShots: readonly Shot[] = [
  {
    name: 'photo-layers',
    act: async (page, engine) => {
      await overPhoto(page, engine, 'summer');
      await page.keyboard.press('y');
      await page.locator('.map-thumb img').first().waitFor();
    },
  },
  {
    name: 'photo-tilt',
    act: async (page, engine) => {
      await overPhoto(page, engine, 'summer', 14.2);
      await tilt(page);
    },
  },
  {
    name: 'map-tilt',
    act: async (page) => {
      await counted(page);
      await mapSettled(page);
      await lookAt(page, { longitude, latitude, zoom: 14 });
      await tilt(page);
    },
  },
  { name: 'photo-snow', act: (page, engine) => overPhoto(page, engine, 'snow', 16) },
];
