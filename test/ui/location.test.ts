/**
 * The user's position, in a browser with a simulated location: the switch, the mark on the map, the sentence, Where am
 * I.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { findings } from './findings.ts';
import { mapSettled } from './map-view.ts';
import { eventually, goTo, hasBrowser, openWindow, parcelTitle, remembered } from './window.ts';

const available = hasBrowser();

interface Lot {
  readonly id: number;
  readonly apn: string;
  readonly place: { readonly longitude: number; readonly latitude: number };
}

/** In the middle of a lot whose line is far from there. */
function lotOf({ land }: Engine): Lot {
  const lot = land.file.get<{ id: number; apn: string; longitude: number; latitude: number }>(
    "SELECT property_id AS id, apn, point_lon AS longitude, point_lat AS latitude FROM parcels WHERE geom IS NOT NULL AND status = 'current' AND acres BETWEEN 5 AND 20 LIMIT 1",
  );
  if (!lot) throw new Error('the sample has no such parcel');
  const { id, apn, ...place } = lot;
  return { id, apn, place };
}

/** The switch as a user finds it. */
async function switchOn(page: Page): Promise<void> {
  await goTo(page, 'settings');
  const part = page.getByRole('region', { name: 'Location', exact: true });
  await part.getByRole('radio', { name: 'on', exact: true }).click();
  await goTo(page, 'explore');
}

const sentence = (page: Page) => page.getByTestId('here-sentence');

/** Counts the page's location requests, and its remaining listeners. */
const countWatches = `{
  const { geolocation } = navigator;
  const watched = new Set();
  const [watch, clear] = [geolocation.watchPosition.bind(geolocation), geolocation.clearWatch.bind(geolocation)];
  window.watches = () => watched.size;
  geolocation.watchPosition = (...args) => { const id = watch(...args); watched.add(id); return id; };
  geolocation.clearWatch = (id) => { watched.delete(id); clear(id); };
}`;

const watches = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { watches(): number }).watches());

describe.runIf(available)('where the user stands', () => {
  test('nothing is asked before the switch is on; then the mark, the sentence, and the parcel by W', async () => {
    const { page, engine, ledger } = await openWindow({ map: true, context: {} });
    const { id, apn, place } = lotOf(engine);
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ ...place, accuracy: 3 });
    await page.addInitScript(countWatches);
    await page.reload();
    await page.locator('canvas.maplibregl-canvas').waitFor();
    expect(await watches(page)).toBe(0);
    await page.keyboard.press('w');
    await page.getByText('Location is off. Switch it on in Settings.').waitFor();
    expect(await page.locator('.map-here').count()).toBe(0);

    await switchOn(page);
    // 3 m are 9.8 ft, said as 10; the line is farther than that from the middle of a lot of 5 acres.
    await eventually(() => sentence(page).innerText()).toMatch(
      new RegExp(`^${apn}: inside, \\d+ ft from the line, GPS ±10 ft$`),
    );
    expect(await watches(page)).toBe(1);
    await mapSettled(page);
    await page.keyboard.press('w');
    await eventually(() => parcelTitle(page).innerText()).toBe(apn);
    expect((await remembered(page)).selected).toBe(id);
    // The map has gone there: the mark is in its middle, and its circle is 3 m by the map's own scale.
    await eventually(() =>
      page.evaluate(() => {
        const canvas = document.querySelector('.map-canvas') as HTMLElement & {
          platbookMap: { getZoom(): number; getCenter(): { lat: number } };
        };
        const [box, point, circle] = ['.map-canvas', '.map-here-point', '.map-here-circle'].map(
          (name) => document.querySelector(name)?.getBoundingClientRect() as DOMRect,
        ) as [DOMRect, DOMRect, DOMRect];
        const map = canvas.platbookMap;
        const meters = (Math.cos((map.getCenter().lat * Math.PI) / 180) * 40_075_016.69) / (512 * 2 ** map.getZoom());
        return {
          fromMiddle: Math.round(
            Math.hypot(
              point.x + point.width / 2 - box.x - box.width / 2,
              point.y + point.height / 2 - box.y - box.height / 2,
            ),
          ),
          radiusMeters: Math.round((circle.width / 2) * meters * 10) / 10,
        };
      }),
    ).toEqual({ fromMiddle: 0, radiusMeters: 3 });
    expect(ledger()).toEqual([]);
    if (process.env.PLATBOOK_SHOTS) await page.screenshot({ path: `${process.env.PLATBOOK_SHOTS}/here.png` });
  });

  test('nearer to the line than the accuracy, the position is not called inside', async () => {
    const { page, engine } = await openWindow({ map: true, context: {} });
    const { apn, place } = lotOf(engine);
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ ...place, accuracy: 3000 });
    await switchOn(page);
    await eventually(() => sentence(page).innerText()).toMatch(
      new RegExp(`^${apn}: Cannot tell: the line is \\d+ ft away, GPS ±9,843 ft$`),
    );
    // In the middle of the ocean there is nothing to be near to.
    await page.context().setGeolocation({ longitude: -40, latitude: 30, accuracy: 5 });
    await eventually(() => sentence(page).innerText()).toBe('No parcel of this book is near.');
    await page.keyboard.press('w');
    await page.getByText('No parcel of this book lies here.').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('a position that comes no more is called old, and the watch ends with the screen and with the switch', async () => {
    const { page, engine } = await openWindow({ map: true, context: {} });
    const { place } = lotOf(engine);
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation({ ...place, accuracy: 3 });
    await page.addInitScript(countWatches);
    await page.reload();
    await page.clock.install();
    await switchOn(page);
    await eventually(() => sentence(page).innerText()).toContain('inside');
    expect(await page.getByTestId('here').getAttribute('data-old')).toBe('false');
    await page.clock.fastForward(40_000);
    await eventually(() => page.getByTestId('here').innerText()).toMatch(/Old: 4\d s ago\./);
    expect(await page.locator('.map-here').getAttribute('data-old')).toBe('true');
    // The next one is new.
    await page.context().setGeolocation({ ...place, latitude: place.latitude + 0.00001, accuracy: 3 });
    await eventually(() => page.getByTestId('here').getAttribute('data-old')).toBe('false');

    expect(await watches(page)).toBe(1);
    await goTo(page, 'usage');
    await eventually(() => watches(page)).toBe(0);
    await goTo(page, 'explore');
    await eventually(() => watches(page)).toBe(1);
    await goTo(page, 'settings');
    await page
      .getByRole('region', { name: 'Location', exact: true })
      .getByRole('radio', { name: 'off', exact: true })
      .click();
    await goTo(page, 'explore');
    await page.locator('canvas.maplibregl-canvas').waitFor();
    expect(await watches(page)).toBe(0);
    expect(await page.locator('.map-here').count()).toBe(0);
  });

  test('Where am I waits for the first position, also when it is asked on another screen', async () => {
    const { page, engine } = await openWindow({ map: true, context: {} });
    const { apn, place } = lotOf(engine);
    await page.context().grantPermissions(['geolocation']);
    await switchOn(page);
    await page.getByTestId('here').getByText('Waiting for a position.').waitFor();
    await goTo(page, 'usage');
    await page.keyboard.press('w');
    await page.locator('canvas.maplibregl-canvas').waitFor();
    expect(await parcelTitle(page).count()).toBe(0);
    await page.context().setGeolocation({ ...place, accuracy: 3 });
    await eventually(() => parcelTitle(page).innerText()).toBe(apn);
  });

  test('a browser that refuses says what to do', async () => {
    const { page } = await openWindow({ map: true, context: {} });
    await page.context().clearPermissions();
    await switchOn(page);
    await eventually(() => page.getByTestId('here').innerText()).toContain(
      'The browser may not use this computer’s location',
    );
  });
});
