/** Field mode on the sizes of a laptop, a tablet and a phone, and the print dialog. Field mode brings its own theme. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../../engine/engine.ts';
import { runChange } from '../../../engine/work/index.ts';
import type { MapElement } from '../../../renderer/map/use-open-map.ts';
import { drawnPng, makeJpeg } from '../../support/make-photo.ts';
import { type Step, takeOverLocation } from '../field-walk.ts';
import { lookAt, mapSettled } from '../map-view.ts';
import { counted, type Shot } from './shot.ts';

const sizes = {
  '': { width: 1440, height: 900 },
  '-1024x680': { width: 1024, height: 680 },
  '-390x844': { width: 390, height: 844 },
  '-844x390': { width: 844, height: 390 },
  '-768x1024': { width: 768, height: 1024 },
} as const;

/** In a lot of 36 acres, walking northeast. */
const standing = { longitude: -71.8838, latitude: 44.0581, accuracy: 4, heading: 48, speed: 1.2 };

interface Found {
  readonly at?: Step;
  /** The battery's charge, 0 to 1. */
  readonly level?: number;
}

/** Marks of the picture before would stand on this one. */
function forgetMarks({ account: { file } }: Engine): void {
  for (const table of ['waypoints', 'photos', 'tracks', 'track_logs', 'track_points']) file.run(`DELETE FROM ${table}`);
}

async function enter(page: Page, on = true): Promise<void> {
  await counted(page);
  await page.evaluate((isOn) => {
    localStorage.setItem('platbook.location', JSON.stringify({ on: isOn, source: 'serial', place: '' }));
  }, on);
  await page.reload();
  await counted(page);
  await takeOverLocation(page);
}

/** A receiver's satellites, which a browser does not tell. */
const receive = (page: Page, { longitude, latitude, accuracy, heading, speed }: Step): Promise<void> =>
  page.evaluate(
    (position) => {
      const news = { position: { ...position, at: new Date().toISOString(), satellites: 11 }, problem: null };
      const onPosition = (tell: (told: unknown) => void) => {
        tell(news);
        return () => {};
      };
      Object.assign(globalThis, {
        platbook: { onPosition, watchPosition: async () => {}, unwatchPosition: async () => {} },
      });
    },
    { longitude, latitude, accuracyMeters: accuracy, course: heading, speed },
  );

async function stand(page: Page, { at = standing, level = 0.64 }: Found = {}): Promise<void> {
  await page.evaluate((told) => {
    const battery = Object.assign(new EventTarget(), { level: told, charging: false });
    Object.defineProperty(navigator, 'getBattery', { value: async () => battery, configurable: true });
  }, level);
  await receive(page, at);
  await page.keyboard.press('Shift+F');
  await page.getByTestId('field-card').waitFor();
}

async function standingThere(page: Page, engine: Engine, found: Found = {}): Promise<void> {
  forgetMarks(engine);
  await enter(page);
  await stand(page, found);
  await page.getByTestId('field-side').waitFor();
}

async function goingTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('g');
  await page
    .getByRole('region', { name: 'Go to', exact: true })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  await page.getByTestId('field-go').waitFor();
}

/** A walk as in the design: a track of some hundred yards, a photo on it, and the way to a waypoint. */
async function walking(page: Page, engine: Engine): Promise<void> {
  forgetMarks(engine);
  const begun = Date.now() - 47 * 60_000;
  const { data } = await runChange(engine, 'start_track', {});
  const { track_id } = data as { track_id: number };
  engine.account.file.run('UPDATE tracks SET started_at = ?', new Date(begun).toISOString());
  const steps = 60;
  const points = Array.from({ length: steps + 1 }, (_, i) => ({
    longitude: standing.longitude + 0.0016 * (1 - i / steps) ** 2,
    latitude: standing.latitude - 0.0042 * (1 - i / steps),
    at: new Date(begun + 45_000 * i).toISOString(),
  }));
  await runChange(engine, 'add_track_points', { track_id, points });
  const { longitude, latitude } = points[40] as (typeof points)[number];
  await runChange(engine, 'add_photo', {
    ...{ name: 'Old well', bytes: drawnPng().toString('base64'), longitude, latitude },
  });
  await runChange(engine, 'add_waypoint', {
    ...{ longitude: standing.longitude + 0.0013, latitude: standing.latitude + 0.0021, name: 'Corner pin NE' },
  });
  await enter(page);
  await stand(page, { at: { ...standing, heading: 318 } });
  await page.getByRole('button', { name: 'Go on' }).click();
  await goingTo(page, 'Corner pin NE');
}

/** A track that a stopped program left. */
async function unended(page: Page, engine: Engine): Promise<void> {
  forgetMarks(engine);
  await runChange(engine, 'start_track', {});
  await enter(page);
  await stand(page);
  await page.getByRole('button', { name: 'Go on' }).waitFor();
}

/** The sheet of a key. */
const asking =
  (key: string, name: string): NonNullable<Shot['act']> =>
  async (page, engine) => {
    await standingThere(page, engine);
    await page.keyboard.press(key);
    await page.getByRole('region', { name, exact: true }).waitFor();
  };

/** A photo that does not say where it was taken. */
async function placeless(page: Page, engine: Engine): Promise<void> {
  await asking('c', 'Photo')(page, engine);
  const file = { name: 'stone wall.jpg', mimeType: 'image/jpeg', buffer: makeJpeg() };
  await page.locator('.field-choose input').setInputFiles(file);
  await page.getByRole('button', { name: /^On / }).first().waitFor();
}

const said =
  (words: string, found: Found): NonNullable<Shot['act']> =>
  async (page, engine) => {
    forgetMarks(engine);
    await enter(page);
    await stand(page, found);
    await page.getByTestId('field-card').getByText(words).first().waitFor();
  };

/** A kept photo, opened by a press on its plate. */
async function photo(page: Page, engine: Engine): Promise<void> {
  forgetMarks(engine);
  const { longitude, latitude } = { longitude: standing.longitude, latitude: standing.latitude + 0.0006 };
  await runChange(engine, 'add_photo', {
    ...{ name: 'Old well.png', bytes: drawnPng().toString('base64'), longitude, latitude },
  });
  await enter(page);
  await stand(page);
  await page.getByTestId('field-side').waitFor();
  await mapSettled(page);
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

const field = ['outdoor'];

const everySize = (name: string, act: NonNullable<Shot['act']>, themes?: readonly string[]): Shot[] =>
  Object.entries(sizes).map(([end, size]) => ({ name: `${name}${end}`, size, act, ...(themes && { themes }) }));

const large = (name: string, act: NonNullable<Shot['act']>): Shot[] =>
  (['1024x680', '390x844'] as const).map((size) => ({
    ...{ name: `${name}-text-200-${size}`, size: sizes[`-${size}`], isLargeText: true, themes: field, act },
  }));

const printing: NonNullable<Shot['act']> = async (page) => {
  await counted(page);
  await mapSettled(page);
  await lookAt(page, { longitude: -71.884, latitude: 44.058, zoom: 15.11 });
  await page.getByRole('button', { name: 'Print this view' }).click();
  await page.getByRole('dialog', { name: 'Print this view' }).waitFor();
};

const states: Readonly<Record<string, NonNullable<Shot['act']>>> = {
  field: standingThere,
  'field-walk': walking,
  'field-photo': photo,
  'field-whose': asking('w', 'Whose land'),
  'field-waypoint': asking('p', 'Waypoint'),
  'field-goto': asking('g', 'Go to'),
  'field-placeless': placeless,
  'field-unended': unended,
  'field-unsure': said('Cannot tell', { at: { ...standing, accuracy: 120, heading: null, speed: null } }),
  'field-saving': said('Inside', { level: 0.15 }),
  'field-nowhere': said('No parcel', { at: { ...standing, longitude: -72.9 } }),
  'field-off': async (page, engine) => {
    forgetMarks(engine);
    await enter(page, false);
    await page.keyboard.press('Shift+F');
    await page.getByText('Location is off.').waitFor();
  },
  'field-waiting': async (page, engine) => {
    forgetMarks(engine);
    await enter(page);
    await page.keyboard.press('Shift+F');
    await page.getByText('Waiting for a position.').waitFor();
  },
};

export const fieldShots: readonly Shot[] = [
  ...Object.entries(states).flatMap(([name, act]) => everySize(name, act, field)),
  ...['field', 'field-walk', 'field-unsure', 'field-whose'].flatMap((name) =>
    large(name, states[name] as NonNullable<Shot['act']>),
  ),
  ...everySize('print-view', printing),
];
