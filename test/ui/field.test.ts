/** Field mode: the card, what is kept, by keys alone and by touch alone; nothing lies on the card at any size. */
import fs from 'node:fs';
import { booleanPointInPolygon, pointToPolygonDistance } from '@turf/turf';
import type { MultiPolygon } from 'geojson';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { runRead } from '../../engine/reads/index.ts';
import { runChange } from '../../engine/work/index.ts';
import { markedSource } from '../../renderer/field/field-layers.ts';
import { aimSource } from '../../renderer/map/kept-sources.ts';
import { pickedSource } from '../../renderer/map/picked-layers.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { shownMilliseconds } from '../../renderer/state/toasts.ts';
import { drawnPng, makeHeic, makeJpeg } from '../support/make-photo.ts';
import { playedWalk, recordWalk, type Step, stepTo, takeOverLocation } from './field-walk.ts';
import { findings } from './findings.ts';
import {
  countOf,
  eventually,
  hasBrowser,
  numberIn,
  type OpenWindow,
  openWindow,
  type WindowOptions,
} from './window.ts';

interface Lot {
  readonly id: number;
  readonly apn: string;
  readonly owner: string;
  readonly longitude: number;
  readonly latitude: number;
  readonly shape: MultiPolygon;
}

/** A lot of some acres, and a place in it. */
async function lotOf(engine: Engine): Promise<Lot> {
  const [lot] = engine.land.file.all<Omit<Lot, 'shape'>>(
    `SELECT property_id AS id, apn, owner_name AS owner, point_lon AS longitude, point_lat AS latitude FROM parcels
     WHERE geom IS NOT NULL AND status = 'current' AND owner_name IS NOT NULL AND acres BETWEEN 20 AND 40
     ORDER BY property_id LIMIT 1`,
  );
  if (!lot) throw new Error('the sample has no such parcel');
  const { shapes } = await runRead(engine, 'parcel_shapes', { ids: [lot.id] });
  return { ...lot, shape: shapes[0]?.shape as unknown as MultiPolygon };
}

const standing = { accuracy: 4, heading: null, speed: null };

/**
 * Where the location is on, and given by `stepTo`.
 * @param keep what stands in the home before the window reads it
 */
async function openWalk(
  options: WindowOptions = {},
  keep: (engine: Engine, lot: Lot) => Promise<void> = async () => {},
): Promise<OpenWindow & { readonly lot: Lot }> {
  const opened = await openWindow({
    map: true,
    ...options,
    prepare: async (engine) => {
      const lot = await lotOf(engine);
      await keep(engine, lot);
      return {
        location: { on: true, source: 'system', place: '' },
        // Near enough to draw little: Field mode looks nearer still.
        map: { center: [lot.longitude, lot.latitude], zoom: 16 },
      };
    },
  });
  const { page, engine } = opened;
  await countOf(page);
  await takeOverLocation(page);
  return { ...opened, lot: await lotOf(engine) };
}

const card = (page: Page) => page.getByTestId('field-card');
const action = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name });
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);
const hasFocus = (target: Locator) => target.evaluate((one) => one === document.activeElement);

async function enterAt(page: Page, step: Step): Promise<void> {
  await page.keyboard.press('Shift+F');
  await card(page).waitFor();
  await stepTo(page, step);
  await page.getByTestId('field-side').waitFor();
}

const placeOf = ({ longitude, latitude }: Lot) => ({ longitude, latitude });

/** Against the parcel that the engine means, measured by turf. */
async function byTurf(engine: Engine, { longitude, latitude, accuracy }: Step) {
  const { position } = await runRead(engine, 'position_in_parcel', { longitude, latitude, accuracy_meters: accuracy });
  const { shapes } = await runRead(engine, 'parcel_shapes', { ids: [position?.property_id ?? 0] });
  const polygon = shapes[0]?.shape as unknown as MultiPolygon;
  const meters = Math.abs(pointToPolygonDistance([longitude, latitude], polygon, { units: 'meters' }));
  return { meters, isInside: booleanPointInPolygon([longitude, latitude], polygon) };
}

const marksOf = (engine: Engine) => runRead(engine, 'field_marks', {});

/** In one turn of the page, so that the map cannot move in between. Pixels beside the place. */
const pressMap = (page: Page, { longitude, latitude }: Lot, beside: [number, number]): Promise<void> =>
  page.evaluate(
    ([lng, lat, x, y]) => {
      const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
      const canvas = map?.getCanvas();
      if (!map || !canvas) throw new Error('There is no map.');
      const [at, place] = [map.project([lng as number, lat as number]), canvas.getBoundingClientRect()];
      const init = {
        ...{ bubbles: true, clientX: place.left + at.x + (x as number), clientY: place.top + at.y + (y as number) },
      };
      for (const type of ['mousedown', 'mouseup', 'click']) canvas.dispatchEvent(new MouseEvent(type, init));
    },
    [longitude, latitude, ...beside],
  );

/** How far a place is from the middle of the map's free part, which has come to rest. */
const strayPixels = (page: Page, { longitude, latitude }: Pick<Lot, 'longitude' | 'latitude'>): Promise<number> =>
  page.evaluate(
    ([lng, lat]) => {
      const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
      if (!map || map.isMoving()) return Infinity;
      const [at, middle] = [map.project([lng as number, lat as number]), map.project(map.getCenter())];
      return Math.hypot(at.x - middle.x, at.y - middle.y);
    },
    [longitude, latitude],
  );

/** Marks that the map has, drawn or about to be. */
const marksOnMap = (page: Page): Promise<number> =>
  page.evaluate(
    (source) => document.querySelector<MapElement>('.map-canvas')?.platbookMap?.querySourceFeatures(source).length ?? 0,
    markedSource,
  );

/** Lengths and names beside the lines from the position. */
const wordsOnMap = (page: Page): Promise<string[]> =>
  page.evaluate((source) => {
    const found = document.querySelector<MapElement>('.map-canvas')?.platbookMap?.querySourceFeatures(source) ?? [];
    return found.flatMap(({ properties }) => (properties.words ? [String(properties.words)] : []));
  }, aimSource);

const outlinedOnMap = (page: Page): Promise<number[]> =>
  page.evaluate((source) => {
    const found = document.querySelector<MapElement>('.map-canvas')?.platbookMap?.querySourceFeatures(source) ?? [];
    return [...new Set(found.map(({ id }) => Number(id)))].sort((a, b) => a - b);
  }, pickedSource);

/** Notes stay until they are dismissed, however long the machine takes. */
const keepNotes = (page: Page): Promise<void> =>
  page.evaluate((shown) => {
    const { setTimeout: later } = globalThis;
    globalThis.setTimeout = ((work: () => void, milliseconds?: number) =>
      milliseconds === shown ? 0 : later(work, milliseconds)) as typeof setTimeout;
  }, shownMilliseconds);

async function choosePhoto(page: Page, name: string, buffer: Buffer, key = 'c'): Promise<void> {
  await page.keyboard.press(key);
  await page.locator('.field-choose input').setInputFiles({ name, mimeType: 'image/jpeg', buffer });
}

describe.runIf(hasBrowser())('Field mode', { timeout: 240_000 }, () => {
  test('fills the window in the outdoor theme, and gives the theme back by Escape, Done and Back', async () => {
    const { page, lot } = await openWalk();
    expect(await theme(page)).toBe('light');
    await page.getByRole('button', { name: 'Field mode' }).click();
    await card(page).waitFor();
    expect(await theme(page)).toBe('outdoor');
    for (const gone of ['.rail', '.top', '.banner', '.filter-panel', '.status'])
      expect(await page.locator(gone).count(), gone).toBe(0);
    expect(await page.locator('.map-canvas').boundingBox()).toEqual({ x: 0, y: 0, width: 1440, height: 900 });
    expect(await page.evaluate(() => localStorage.getItem('platbook.settings') ?? '')).not.toContain('outdoor');
    await page.keyboard.press('Escape');
    await countOf(page);
    expect(await theme(page)).toBe('light');
    await enterAt(page, { ...lot, ...standing });
    // Escape closes what is open first.
    await page.keyboard.press('w');
    await page.getByRole('region', { name: 'Whose land', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await eventually(() => page.getByRole('region', { name: 'Whose land', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Done' }).click();
    await countOf(page);
    await page.keyboard.press('Shift+F');
    await card(page).waitFor();
    await page.goBack();
    await countOf(page);
    expect(await theme(page)).toBe('light');
  });

  test('has keys of its own: G goes to a place and tags nothing, and F is not the filters', async () => {
    const { page, lot } = await openWalk();
    await enterAt(page, { ...lot, ...standing });
    await page.keyboard.press('f');
    await page.keyboard.press('3');
    expect(await card(page).isVisible()).toBe(true);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').waitFor();
    await page.keyboard.type('tag the parcel');
    await page.getByText('No command matches.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.getByRole('region', { name: 'Go to', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Keep a waypoint').waitFor();
    expect(await page.getByRole('dialog').getByText('Go to the filters').count()).toBe(0);
  });

  test('a recorded walk: the side is right at each position farther from the line than the accuracy, else no side is said', async () => {
    const { page, engine, lot } = await openWalk();
    const { position } = await runRead(engine, 'position_in_parcel', { ...placeOf(lot), accuracy_meters: 4 });
    const { line_point: line, feet_to_line: feet } = position as NonNullable<typeof position>;
    // Straight through the line: meters from it, inside first.
    const places = [-24, -12, -7, -2, 0, 2, 7, 12, 24].map((meters): [number, number] => {
      const share = 1 + meters / (feet * 0.3048);
      return [
        lot.longitude + (line.longitude - lot.longitude) * share,
        lot.latitude + (line.latitude - lot.latitude) * share,
      ];
    });
    const walk = playedWalk(recordWalk(places, 90));
    await enterAt(page, (walk[0] as (typeof walk)[number]).step);
    const said = new Set<string>();
    for (const { step, at } of walk) {
      await stepTo(page, step, at);
      const { isInside, meters } = await byTurf(engine, step);
      // The reader of the file and turf's sphere differ by less than 1 m here.
      if (Math.abs(meters - step.accuracy) < 1) continue;
      const expected =
        meters < step.accuracy
          ? /^Cannot tell: the line is \d+ ft away, GPS ±14 ft$/
          : isInside
            ? /^Inside$/
            : /^Outside$/;
      await eventually(() => page.getByTestId('field-side').innerText()).toMatch(expected);
      await eventually(
        async () => Math.abs(numberIn(await page.locator('.field-feet').innerText()) * 0.3048 - meters) < 1,
      ).toBe(true);
      const feet = await page.locator('.field-feet').innerText();
      // However short the line is, its length stands at it.
      await eventually(() => wordsOnMap(page)).toContain(feet.replace(/\s+/, ' '));
      if (meters < step.accuracy) {
        expect(await card(page).innerText()).not.toMatch(/inside|outside/i);
        const { position: at } = await runRead(engine, 'position_in_parcel', {
          longitude: step.longitude,
          latitude: step.latitude,
          accuracy_meters: step.accuracy,
        });
        const lots = [at, at?.beyond].filter((one) => one !== null && one !== undefined);
        expect(await card(page).locator('.field-apn').allInnerTexts()).toEqual(lots.map(({ apn }) => apn));
        expect(await card(page).locator('.field-owner').count()).toBe(lots.length);
        await eventually(() => outlinedOnMap(page)).toEqual(
          lots.map(({ property_id: id }) => id).sort((a, b) => a - b),
        );
      }
      said.add((await page.getByTestId('field-side').innerText()).split(':')[0] as string);
    }
    expect([...said]).toContain('Inside');
    expect([...said]).toContain('Cannot tell');
    // 2.6 knots are faster than 0.7 m/s: the course counts as the way he walks.
    expect(await page.locator('.field-compass').getAttribute('aria-label')).toBe('Walking 90° E, true');
    await stepTo(page, { ...(walk[3] as (typeof walk)[number]).step, heading: 12, speed: 0.2 });
    await eventually(() => page.locator('.field-compass').getAttribute('aria-label')).toBe('Last walked 90° E, true');
  });

  test('by keys alone: whose land, a waypoint, the way to it, a track, and undo of each', async () => {
    const { page, engine, lot } = await openWalk();
    await enterAt(page, { ...lot, ...standing });
    await page.keyboard.press('w');
    const whose = page.getByRole('region', { name: 'Whose land', exact: true });
    await whose.getByText(lot.owner).waitFor();
    // Who has the land around it, each in its direction, as list_neighbours has them.
    const { neighbours } = runRead(engine, 'neighbours', { id: lot.id });
    const around = neighbours.filter(({ direction, stacked_on: on }) => direction !== null && on === null);
    await eventually(() => whose.locator('.field-around b').allInnerTexts()).toEqual(
      around.slice(0, 8).map(({ direction }) => direction),
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('p');
    await eventually(() => focused(page)).toBe('INPUT');
    await page.keyboard.type('Corner pin');
    await page.keyboard.press('Enter');
    await eventually(async () => (await marksOf(engine)).waypoints).toMatchObject([
      { name: 'Corner pin', property_id: lot.id, accuracy_meters: 4 },
    ]);
    await eventually(() => page.getByRole('region', { name: 'Waypoint', exact: true }).count()).toBe(0);
    // 0.001° of latitude north are 364.6 ft: the pin is due south.
    await stepTo(page, { ...lot, latitude: lot.latitude + 0.001, accuracy: 4, heading: 90, speed: 1.3 });
    await page.keyboard.press('g');
    const go = page.getByRole('region', { name: 'Go to', exact: true });
    await go.getByRole('button', { name: /^Corner pin/ }).waitFor();
    // A button had the focus before, too.
    await eventually(() => go.evaluate((sheet) => sheet.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Enter');
    const way = page.getByTestId('field-go');
    await eventually(() => way.innerText()).toMatch(/^36\d ft · 180° S\s+Corner pin: turn right 90°$/);
    await page.keyboard.press('t');
    await eventually(async () => (await marksOf(engine)).tracks.length).toBe(1);
    await eventually(() => action(page, 'Track').getAttribute('aria-pressed')).toBe('true');
    // Not at the place where the track began: who stands there for seconds has one point more.
    for (const i of [1, 2, 3, 4]) {
      await stepTo(page, {
        ...lot,
        latitude: lot.latitude + 0.001 - i * 0.0001,
        accuracy: 4,
        heading: 180,
        speed: 1.3,
      });
      // A receiver gives one a second: the next comes once this one is shown.
      await eventually(() => way.innerText()).toMatch(new RegExp(`^${[365, 328, 292, 255, 219][i]} ft`));
    }
    await page.keyboard.press('t');
    await page.getByText(/^Ended “Track 1”/).waitFor();
    await eventually(async () => (await marksOf(engine)).tracks[0]).toMatchObject({
      points: 5,
      ended_at: expect.any(String),
    });
    // 4 steps of 0.0001° of latitude are 44.4 m, 146 ft.
    expect((await marksOf(engine)).tracks[0]?.feet).toBeGreaterThan(140);
    await page.keyboard.press('Control+z');
    await eventually(async () => (await marksOf(engine)).tracks.length).toBe(0);
    await page.keyboard.press('Control+z');
    await eventually(async () => (await marksOf(engine)).waypoints.length).toBe(0);
    await page.keyboard.press('Escape');
    await countOf(page);
  });

  test('by touch alone: whose land at a touched place, a waypoint, the way to coordinates, a track', async () => {
    const { page, engine, lot } = await openWalk({
      context: { hasTouch: true, viewport: { width: 390, height: 844 } },
    });
    await page.getByRole('button', { name: 'Field mode' }).tap();
    await card(page).waitFor();
    await stepTo(page, { ...lot, ...standing });
    await page.getByTestId('field-side').waitFor();
    await action(page, 'Whose land').tap();
    const whose = page.getByRole('region', { name: 'Whose land', exact: true });
    await whose.getByText(lot.owner).waitFor();
    await whose.getByRole('button', { name: 'Close: Whose land' }).tap();
    await action(page, 'Waypoint').tap();
    const waypoint = page.getByRole('region', { name: 'Waypoint', exact: true });
    await waypoint.getByRole('button', { name: 'Keep it' }).tap();
    await page.getByText(/^Set “Waypoint 1”/).waitFor();
    expect((await marksOf(engine)).waypoints).toMatchObject([{ name: 'Waypoint 1', property_id: lot.id }]);
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).tap();
    await eventually(async () => (await marksOf(engine)).waypoints.length).toBe(0);
    await action(page, 'Go to').tap();
    await page.getByLabel('Latitude, longitude').fill(`${lot.latitude - 0.001}, ${lot.longitude}`);
    await page.getByRole('button', { name: 'Go there' }).tap();
    await eventually(() => page.getByTestId('field-go').innerText()).toContain('36');
    await action(page, 'Track').tap();
    await eventually(() => action(page, 'Track').getAttribute('aria-pressed')).toBe('true');
    await stepTo(page, { ...lot, latitude: lot.latitude - 0.0002, ...standing });
    // Leaving writes and ends it.
    await page.getByRole('button', { name: 'Done' }).tap();
    await eventually(async () => (await marksOf(engine)).tracks).toMatchObject([
      { points: 2, ended_at: expect.any(String) },
    ]);
  });

  test('a track whose window was closed is asked about, and goes on', async () => {
    const { page, engine, lot } = await openWalk();
    await enterAt(page, { ...lot, ...standing });
    await page.keyboard.press('t');
    await eventually(() => action(page, 'Track').getAttribute('aria-pressed')).toBe('true');
    await page.reload();
    await page.getByText('“Track 1” was not ended').waitFor();
    expect(await theme(page)).toBe('outdoor');
    await page.getByRole('button', { name: 'Go on' }).click();
    await eventually(() => action(page, 'Track').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('t');
    await eventually(async () => (await marksOf(engine)).tracks).toMatchObject([{ ended_at: expect.any(String) }]);
  });

  test('a sheet closes once its work is written, before the marks are read anew; one opened meanwhile stays', async () => {
    const { page, engine, lot } = await openWalk();
    await enterAt(page, { ...lot, ...standing });
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const held = async (path: string): Promise<() => void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route(`**/app/${path}`, (route) => promise.then(() => route.continue()));
      return resolve;
    };
    const goOnReading = await held('read/field_marks');
    await page.keyboard.press('p');
    await region('Waypoint').waitFor();
    await page.keyboard.press('Enter');
    await region('Waypoint').waitFor({ state: 'detached' });
    goOnReading();
    const goOnWriting = await held('change/add_waypoint');
    await page.keyboard.press('p');
    await region('Waypoint').waitFor();
    await page.keyboard.press('Enter');
    await action(page, 'Whose land').click();
    await region('Whose land').waitFor();
    goOnWriting();
    await eventually(async () => (await marksOf(engine)).waypoints.length).toBe(2);
    await page.getByText('Set “Waypoint 2”').waitFor();
    await expect(region('Whose land').count()).resolves.toBe(1);
  });

  test('a photo is kept by its own place; without one it asks on which parcel to put it', async () => {
    const { page, engine, lot } = await openWalk({ expected: /add_photo/ });
    await enterAt(page, { ...lot, ...standing });
    await choosePhoto(page, 'well.jpg', makeJpeg({ place: [lot.longitude, lot.latitude] }));
    await eventually(async () => (await marksOf(engine)).photos).toMatchObject([
      { name: 'well.jpg', property_id: lot.id, place_from: 'photo' },
    ]);
    await eventually(() => page.getByRole('region', { name: 'Photo', exact: true }).count()).toBe(0);
    await action(page, 'Photo').focus();
    await choosePhoto(page, 'pin.jpg', makeJpeg(), 'Enter');
    await page.getByText(`pin.jpg does not say where it was taken. Put it on ${lot.apn}?`).waitFor();
    await eventually(() => hasFocus(page.getByRole('button', { name: `On ${lot.apn}`, exact: true }))).toBe(true);
    await page.keyboard.press('Enter');
    await eventually(async () => (await marksOf(engine)).photos.length).toBe(2);
    expect((await marksOf(engine)).photos[1]).toMatchObject({ name: 'pin.jpg', property_id: lot.id, longitude: null });
    await eventually(() => page.getByRole('region', { name: 'Photo', exact: true }).count()).toBe(0);
    await eventually(() => hasFocus(action(page, 'Photo'))).toBe(true);
    await page.keyboard.press('Control+z');
    await eventually(async () => (await marksOf(engine)).photos.length).toBe(1);
  });

  test('a press on a plate opens the photo while the map follows the walk; beside the plate it asks whose land', async () => {
    const { page, lot } = await openWalk();
    await enterAt(page, { ...lot, ...standing });
    const sheet = page.locator('.field-sheet');
    await choosePhoto(page, 'the long name of a photo.jpg', makeJpeg({ place: [lot.longitude, lot.latitude] }));
    await eventually(() => marksOnMap(page)).toBeGreaterThan(0);
    for (let step = 0; step < 6; step++) {
      // 0.002° of latitude are 222 m, some 260 pixels: the map follows.
      const latitude = lot.latitude + (step % 2 === 0 ? 0.002 : 0);
      await stepTo(page, { ...lot, latitude, ...standing });
      await eventually(() => strayPixels(page, { ...lot, latitude })).toBeLessThan(150);
      for (const [beside, title] of [
        [-80, 'Kept here'],
        [0, 'Kept here'],
        [80, 'Kept here'],
        [150, 'Whose land'],
      ] as const) {
        await pressMap(page, lot, [beside, -20]);
        await page.getByRole('region', { name: title, exact: true }).waitFor();
        await page.keyboard.press('Escape');
        await eventually(() => sheet.count()).toBe(0);
      }
    }
  });

  test('marks at one place share a plate: a press on a name opens its mark', async () => {
    const { page, lot } = await openWalk({}, async (engine, { longitude, latitude }) => {
      await runChange(engine, 'add_waypoint', { longitude, latitude, name: 'Well' });
      const bytes = drawnPng().toString('base64');
      await runChange(engine, 'add_photo', { name: 'well.png', bytes, longitude, latitude });
      // 22 m farther: a plate of its own.
      await runChange(engine, 'add_waypoint', { longitude, latitude: latitude + 0.0002, name: 'Pump' });
    });
    await enterAt(page, { ...lot, ...standing });
    await eventually(() => marksOnMap(page)).toBe(2);
    const kept = page.getByRole('region', { name: 'Kept here', exact: true });
    // Lines of 17 pixels above the tip of 18.
    await pressMap(page, lot, [0, -30]);
    await eventually(() => kept.getByLabel('Name').inputValue()).toBe('Well');
    await page.keyboard.press('Escape');
    await eventually(() => kept.count()).toBe(0);
    await pressMap(page, lot, [0, -48]);
    await kept.getByRole('img', { name: 'well.png' }).waitFor();
  });

  test('marks stand on the map of Explore too, and again after they were switched off', async () => {
    const { page, lot } = await openWalk({}, async (engine, { longitude, latitude }) => {
      await runChange(engine, 'add_waypoint', { longitude, latitude, name: 'Well' });
    });
    await enterAt(page, { ...lot, ...standing });
    await page.keyboard.press('Escape');
    await eventually(() => marksOnMap(page)).toBe(1);
    await page.getByRole('button', { name: 'Layers' }).click();
    const line = page.getByLabel('Waypoints, photos and tracks', { exact: true });
    await line.uncheck();
    await eventually(() => marksOnMap(page)).toBe(0);
    await line.check();
    await eventually(() => marksOnMap(page)).toBe(1);
  });

  test('a track that has ended offers what is kept as a file', async () => {
    const { page, lot } = await openWalk();
    await enterAt(page, { ...lot, ...standing });
    await keepNotes(page);
    for (const format of ['GPX', 'KML']) {
      await page.keyboard.press('t');
      await eventually(() => action(page, 'Track').getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.press('t');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save ${format}` }).waitFor();
      // What is kept is read again only now.
      expect(await page.getByText('was not ended').count()).toBe(0);
      await page.getByRole('button', { name: `Save ${format}` }).click();
      expect(fs.readFileSync(await (await saved).path(), 'utf8')).toContain('Track 1');
    }
    // And in a place that stays.
    await page.getByRole('button', { name: 'Layers' }).click();
    const later = page.waitForEvent('download');
    await page
      .getByRole('region', { name: 'Layers, bearings, files' })
      .getByRole('button', { name: 'Save GPX' })
      .click();
    expect(fs.readFileSync(await (await later).path(), 'utf8')).toContain('Track 1');
  });

  test('a photo is shown in Field mode and with its parcel’s notes; a HEIC that cannot be drawn is named, and deleted', async () => {
    const { page, engine, lot } = await openWalk({ expected: /add_photo/ });
    await enterAt(page, { ...lot, ...standing });
    const sheet = page.locator('.field-sheet');
    await choosePhoto(page, 'ford.heic', makeHeic({ place: [lot.longitude, lot.latitude] }));
    await eventually(() => marksOnMap(page)).toBeGreaterThan(0);
    await pressMap(page, lot, [0, -20]);
    await sheet.getByText('This browser cannot draw HEIC photos').waitFor();
    expect(await sheet.getByRole('link', { name: 'Save the original' }).getAttribute('download')).toBe('ford.heic');
    await sheet.getByRole('button', { name: 'Delete' }).click();
    await eventually(() => sheet.count()).toBe(0);
    expect((await marksOf(engine)).photos).toEqual([]);
    await choosePhoto(page, 'well.png', drawnPng());
    await page.getByRole('button', { name: `On ${lot.apn}`, exact: true }).click();
    await eventually(() => sheet.count()).toBe(0);
    await page.keyboard.press('w');
    await page.getByRole('button', { name: `Open ${lot.apn}, leaving Field mode` }).click();
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByRole('button', { name: 'well.png' }).click();
    const shown = page.getByRole('img', { name: 'well.png' });
    await eventually(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(64);
  });

  test('an old position is dimmed and said', async () => {
    const { page, lot } = await openWalk({ context: {} });
    await enterAt(page, { ...lot, ...standing });
    expect(await card(page).getAttribute('data-old')).toBe('false');
    await page.clock.install();
    await stepTo(page, { ...lot, ...standing, accuracy: 5 });
    await page.clock.fastForward(40_000);
    await eventually(() => card(page).innerText()).toMatch(/Old: 4\d s ago\./);
    expect(await card(page).getAttribute('data-old')).toBe('true');
  });

  test('below a fifth of the battery it says once that it saves, and draws no relief', async () => {
    const { page, lot } = await openWalk({ context: {} });
    await page.evaluate(() => {
      const battery = Object.assign(new EventTarget(), { level: 0.15, charging: false });
      Object.defineProperty(navigator, 'getBattery', { value: async () => battery, configurable: true });
    });
    await enterAt(page, { ...lot, ...standing });
    await page.getByText('The battery is below 20 %: a position each 10 s, and no relief.').waitFor();
    await eventually(() => page.getByRole('list', { name: 'State' }).innerText()).toContain('15\u00a0%, saving');
    const hasRelief = await page.evaluate(
      () =>
        (
          document.querySelector('.map-canvas') as HTMLElement & { platbookMap: { getLayer(id: string): unknown } }
        ).platbookMap.getLayer('relief') !== undefined,
    );
    expect(hasRelief).toBe(false);
    // Sooner than 10 s after the one before it, a position is left out.
    const before = await page.locator('.field-feet').innerText();
    await stepTo(page, { ...lot, longitude: lot.longitude + 0.0005, ...standing });
    await page.waitForFunction(() => document.querySelectorAll('.toast').length === 0);
    expect(await page.locator('.field-feet').innerText()).toBe(before);
  });
});

interface Part {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const partsOf = (page: Page): Promise<Part[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.field-plate, .field-scale, .field-told > .toasts > .toast')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { name: one.className, left, top, right, bottom };
      }),
  );

const isOn = (a: Part, b: Part): boolean =>
  a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;

/** Names of parts that overlap each other, or leave the window. */
async function overlaps(page: Page): Promise<string[]> {
  const parts = await partsOf(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  // With text twice as large on a phone, or on a small one held sideways, what is below is reached by scrolling, never covered.
  const isScrolled = await page.evaluate(() => {
    const over = document.querySelector('.field-over');
    return document.documentElement.dataset.height !== 'high' && over !== null && over.scrollHeight > over.clientHeight;
  });
  const isOutside = ({ left, top, right, bottom }: Part) =>
    left < 0 || right > width || top < 0 || (bottom > height && !isScrolled);
  return [
    ...parts.filter(isOutside).map(({ name }) => `${name} leaves the window`),
    ...parts.flatMap((one, i) =>
      parts
        .slice(i + 1)
        .filter((other) => isOn(one, other))
        .map((other) => `${one.name} on ${other.name}`),
    ),
  ];
}

const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.field-mode button')]
      .filter((one) => one.checkVisibility())
      .filter((one) => one.getBoundingClientRect().width < 64 || one.getBoundingClientRect().height < 64)
      .map((one) => one.outerHTML.slice(0, 80)),
  );

describe.runIf(hasBrowser())('Field mode at any size', { timeout: 240_000 }, () => {
  const sizes: [number, number, string][] = [
    [1440, 900, '112.5%'],
    [1024, 680, '112.5%'],
    [390, 844, '112.5%'],
    [844, 390, '112.5%'],
    [740, 360, '112.5%'],
    [1024, 680, '200%'],
    [390, 844, '200%'],
  ];

  test.each(sizes)(
    'nothing lies on anything at %i × %i with text of %s, all letters are 7:1',
    async (width, height, text) => {
      const { page, lot } = await openWalk({ context: { viewport: { width, height } }, mode: 'development' });
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
        dispatchEvent(new Event('resize'));
      }, text);
      let step: Step = { ...lot, accuracy: 4, heading: 318, speed: 1.2 };
      await enterAt(page, step);
      const look = async (state: string) => {
        // Given again: on a busy machine it is old, and dimmed, by now.
        await stepTo(page, step);
        expect(await overlaps(page), state).toEqual([]);
        expect(await smallTargets(page), state).toEqual([]);
        expect(await findings(page, { isEnhanced: true }), state).toEqual([]);
      };
      await look('inside');
      await page.keyboard.press('g');
      await page.getByLabel('Latitude, longitude').fill(`${lot.latitude + 0.004}, ${lot.longitude}`);
      await look('go to');
      await page.keyboard.press('Enter');
      await page.getByTestId('field-go').waitFor();
      await look('going');
      await page.keyboard.press('w');
      await page.getByRole('button', { name: `Open ${lot.apn}, leaving Field mode` }).waitFor();
      await look('whose land');
      await page.keyboard.press('Escape');
      step = { ...lot, accuracy: 400, heading: null, speed: null };
      await stepTo(page, step);
      await eventually(() => card(page).innerText()).toContain('Cannot tell');
      await look('cannot tell');
    },
  );

  test.each([
    [1024, 680],
    [1024, 600],
    [390, 844],
    [844, 390],
  ])('two notes at once push nothing out of the window at %i × %i, with a sheet open, too', async (width, height) => {
    const options: WindowOptions = { context: { viewport: { width, height } }, mode: 'development' };
    const { page, lot } = await openWalk(options, async (engine, { longitude, latitude }) => {
      for (const name of ['Gate', 'Spring', 'Old mill', 'Corner pin'])
        await runChange(engine, 'add_waypoint', { longitude, latitude: latitude + 0.001, name });
    });
    await enterAt(page, { ...lot, accuracy: 4, heading: 318, speed: 1.2 });
    await keepNotes(page);
    const look = async (state: string) => {
      expect(await page.locator('.toast:visible').count(), state).toBe(1);
      const tops = await page
        .locator('.toast:visible .button')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop));
      expect(new Set(tops).size, `rows of buttons, ${state}`).toBe(1);
      expect(await overlaps(page), state).toEqual([]);
      expect(await smallTargets(page), state).toEqual([]);
      // Nothing is reached by scrolling alone.
      expect(await page.locator('.field-over').evaluate((one) => one.scrollHeight - one.clientHeight), state).toBe(0);
    };
    await page.keyboard.press('p');
    await eventually(() => focused(page)).toBe('INPUT');
    await page.keyboard.press('Enter');
    await page.getByText(/^Set “Waypoint /).waitFor();
    await eventually(() => page.locator('.field-sheet').count()).toBe(0);
    await choosePhoto(page, 'pin.jpg', makeJpeg({ place: [lot.longitude, lot.latitude] }));
    await page.getByText(/^Added the photo pin\.jpg/).waitFor();
    await eventually(() => page.locator('.field-sheet').count()).toBe(0);
    await look('two notes');
    await page.keyboard.press('g');
    const places = page.getByRole('region', { name: 'Go to', exact: true }).getByRole('list', { name: 'Places' });
    await eventually(() => places.getByRole('listitem').count()).toBe(5);
    await look('notes and a high sheet');
    await places.getByRole('button', { name: /^Spring/ }).click();
    await page.getByTestId('field-go').waitFor();
    await look('notes, and going');
    await page.keyboard.press('t');
    await page.getByText('Started “Track 1”').waitFor();
    await eventually(() => action(page, 'Track').getAttribute('aria-pressed')).toBe('true');
    await look('a short note');
    await page.keyboard.press('t');
    await page.getByRole('button', { name: 'Save KML' }).waitFor();
    await look('a note with two buttons');
    await stepTo(page, { ...lot, accuracy: 4, heading: 318, speed: 1.2 });
    expect(await findings(page, { isEnhanced: true })).toEqual([]);
  });
});
