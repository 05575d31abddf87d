/** What a map shows and whether it has come to rest; for tests, and for programs that take pictures and times. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../engine/engine.ts';
import type { Box } from '../../renderer/map/map-sources.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';

export interface View {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
}

/** Nothing is on its way any more: tiles are drawn, matches answered. */
export async function mapSettled(page: Page): Promise<void> {
  await page.locator('.map-canvas canvas').waitFor();
  await page.waitForFunction(
    () => {
      const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
      // The map of the comps has no matches to wait for.
      const isSettled = document.querySelector('.map-slot')?.getAttribute('data-settled') !== 'false';
      // The map follows its place's size a moment later: until then every place on it is a few pixels off.
      const [canvas, place] = [map?.getCanvas(), map?.getContainer()];
      // At half density a canvas of an odd width is a pixel narrower.
      const isNear = (one = 0, other = 0) => Math.abs(one - other) <= 1;
      const isFitted =
        isNear(canvas?.clientWidth, place?.clientWidth) && isNear(canvas?.clientHeight, place?.clientHeight);
      return isSettled && isFitted && map?.loaded() === true && map.areTilesLoaded() && !map.isMoving();
    },
    undefined,
    { timeout: 60_000 },
  );
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
}

export async function lookAt(page: Page, { longitude, latitude, zoom }: View): Promise<void> {
  await page.evaluate(
    (view) => {
      const { platbookMap: map } = document.querySelector<MapElement>('.map-canvas') ?? {};
      // Nothing is answered: the map itself would be, over seconds.
      map?.jumpTo({ center: [view.longitude, view.latitude], zoom: view.zoom });
    },
    { longitude, latitude, zoom },
  );
  await mapSettled(page);
}

/** Milliseconds from an action until the map has moved to a box. */
export async function arrival(page: Page, box: Box, act: () => Promise<void>): Promise<number> {
  const arrived = await page.evaluateHandle(([west, south, east, north]) => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    const look = (resolve: () => void) => {
      const view = map?.getBounds();
      if (view?.contains([west, south]) && view.contains([east, north])) resolve();
      else void map?.once('moveend', () => look(resolve));
    };
    // In an object: a promise itself would be waited for here.
    return { promise: new Promise<void>((resolve) => void map?.once('moveend', () => look(resolve))) };
  }, box);
  const began = performance.now();
  await act();
  await arrived.evaluate(({ promise }) => promise);
  return performance.now() - began;
}

/** Of relief and contours what is drawn. */
export const groundOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    return ['relief', 'contours'].filter((layer) => map?.getLayer(layer));
  });

/** Pans for three seconds. @returns milliseconds between the frames */
export const panFrames = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    if (!map) throw new Error('There is no map.');
    const frames: number[] = [];
    let last = performance.now();
    const count = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
    };
    map.on('render', count);
    const ended = map.once('moveend');
    map.panBy([600, 0], { duration: 3000, easing: (share) => share, essential: true });
    await ended;
    map.off('render', count);
    return frames;
  });

export const viewOf = (page: Page): Promise<View> =>
  page.evaluate(() => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    if (!map) throw new Error('There is no map.');
    const { lng, lat } = map.getCenter();
    return { longitude: lng, latitude: lat, zoom: map.getZoom() };
  });

export interface Place {
  readonly property_id: number;
  readonly apn: string;
  readonly point_lon: number;
  readonly point_lat: number;
}

/** Some parcels with a shape, spread over the county by a fixed rule. */
export function somePlaces(engine: Engine, fips: string, count: number): Place[] {
  const all = engine.land.file.all<Place>(
    `SELECT property_id, apn, point_lon, point_lat FROM parcels
     WHERE fips = ? AND status = 'current' AND geom IS NOT NULL ORDER BY property_id`,
    fips,
  );
  // 7,919 is a prime: the steps visit the list without a pattern of their own.
  return Array.from({ length: count }, (_, i) => all[(i * 7919 + 13) % all.length] as Place);
}

export const middleOf = (engine: Engine, fips: string) => {
  const places = somePlaces(engine, fips, 101);
  const median = (values: number[]) => values.sort((a, b) => a - b)[50] as number;
  return {
    longitude: median(places.map((place) => place.point_lon)),
    latitude: median(places.map((place) => place.point_lat)),
  };
};
