/** Field mode on the sizes of a laptop, a tablet and a phone, and the print dialog. Field mode brings its own theme. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';
import { runChange } from '../../../engine/work/index.ts';
import type { MapElement } from '../../../renderer/map/use-open-map.ts';
import { drawnPng } from '../../support/make-photo.ts';
import { stepTo, takeOverLocation } from '../field-walk.ts';
import { lookAt, mapSettled } from '../map-view.ts';
import { counted, type Shot } from './shot.ts';

const sizes = {
  '': { width: 1440, height: 900 },
  '-1024x680': { width: 1024, height: 680 },
  '-390x844': { width: 390, height: 844 },
} as const;

/** In a lot of 36 acres, walking northeast. */
const standing = { longitude: -71.8838, latitude: 44.0581, accuracy: 4, heading: 48, speed: 1.2 };

async function standingThere(page: Page): Promise<void> {
  await counted(page);
  await page.evaluate(() => {
    localStorage.setItem('platbook.location', JSON.stringify({ on: true, source: 'system', place: '' }));
  });
  await page.reload();
  await counted(page);
  await takeOverLocation(page);
  await page.keyboard.press('Shift+F');
  await page.getByTestId('field-card').waitFor();
  await stepTo(page, standing);
  await page.getByTestId('field-side').waitFor();
}

/** A waypoint, and the way to it. */
async function going(page: Page, engine: Engine): Promise<void> {
  await runChange(engine, 'add_waypoint', {
    ...{ longitude: standing.longitude + 0.002, latitude: standing.latitude + 0.001, name: 'Corner pin NE' },
  });
  await standingThere(page);
  await page.keyboard.press('g');
  await page
    .getByRole('button', { name: /^Corner pin NE/ })
    .first()
    .click();
}

/** A kept photo, opened by a press on its plate. */
async function photo(page: Page, engine: Engine): Promise<void> {
  const { longitude, latitude } = { longitude: standing.longitude, latitude: standing.latitude + 0.0006 };
  await runChange(engine, 'add_photo', {
    ...{ name: 'Old well.png', bytes: drawnPng().toString('base64'), longitude, latitude },
  });
  await standingThere(page);
  const { x, y } = await page.evaluate(
    ([lng, lat]) =>
      document.querySelector<MapElement>('.map-canvas')?.platbookMap?.project([lng as number, lat as number]) ?? {
        x: 0,
        y: 0,
      },
    [longitude, latitude],
  );
  await page.mouse.click(x, y - 20);
  await page.getByRole('img', { name: 'Old well.png' }).waitFor();
}

const everySize = (name: string, act: NonNullable<Shot['act']>, themes?: readonly string[]): Shot[] =>
  Object.entries(sizes).map(([end, size]) => ({ name: `${name}${end}`, size, act, ...(themes && { themes }) }));

const printing: NonNullable<Shot['act']> = async (page) => {
  await counted(page);
  await mapSettled(page);
  await lookAt(page, { longitude: -71.884, latitude: 44.058, zoom: 15.11 });
  await page.getByRole('button', { name: 'Print this view' }).click();
  await page.getByRole('dialog', { name: 'Print this view' }).waitFor();
};

export const fieldShots: readonly Shot[] = [
  ...everySize('field', standingThere, ['outdoor']),
  ...everySize('field-go', going, ['outdoor']),
  {
    ...{ name: 'field-text-200', size: sizes['-390x844'], isLargeText: true, themes: ['outdoor'] },
    act: standingThere,
  },
  ...everySize(
    'field-whose',
    async (page) => {
      await standingThere(page);
      await page.keyboard.press('w');
      await page.getByRole('region', { name: 'Whose land', exact: true }).waitFor();
    },
    ['outdoor'],
  ),
  ...everySize('field-photo', photo, ['outdoor']),
  ...everySize('print-view', printing),
];
