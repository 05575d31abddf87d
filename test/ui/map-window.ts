/** Looks at the map from outside: positions on the screen, and their colors. */
import type { Page } from 'playwright-core';
import type { Engine } from '../../engine/engine.ts';
import type { MapElement } from '../../renderer/map/use-open-map.ts';
import { mapSettled, middleOf, type View } from './map-view.ts';
import {
  countOf,
  eventually,
  type OpenWindow,
  openWindow,
  type Stored,
  searchButton,
  type WindowOptions,
} from './window.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel. */
  readonly data: Buffer;
}

export interface MapWindowOptions extends WindowOptions {
  /** Where the map looks at first, or how near at the middle of the sample county; absent: at the county's lots. */
  readonly at?: number | View;
}

/** A window whose map is drawn. */
export async function openMapWindow({ at, ...options }: MapWindowOptions = {}): Promise<OpenWindow> {
  const prepare = async (engine: Engine): Promise<Stored> => {
    const stored = (await options.prepare?.(engine)) ?? {};
    const { longitude, latitude, zoom } = typeof at === 'object' ? at : { ...middleOf(engine, '99001'), zoom: at ?? 0 };
    return at === undefined ? stored : { ...stored, map: { ...stored.map, center: [longitude, latitude], zoom } };
  };
  const isPrepared = at !== undefined || options.prepare !== undefined;
  const opened = await openWindow({ ...options, ...(isPrepared ? { prepare } : {}), map: true });
  await countOf(opened.page);
  await mapSettled(opened.page);
  return opened;
}

/** Where a place is in the window, on a map that has come to rest. */
export async function screenPlace(page: Page, longitude: number, latitude: number): Promise<{ x: number; y: number }> {
  await mapSettled(page);
  return page.evaluate(
    ([lng, lat]) => {
      const element = document.querySelector<MapElement>('.map-canvas');
      const point = element?.platbookMap?.project([lng as number, lat as number]);
      const { left, top } = element?.getBoundingClientRect() ?? { left: 0, top: 0 };
      return { x: left + (point?.x ?? 0), y: top + (point?.y ?? 0) };
    },
    [longitude, latitude],
  );
}

/** Positions of the window's pixels, row by row, at a fixed step. */
export const placesOnMap = (page: Page, step: number): Promise<{ x: number; y: number; place: [number, number] }[]> =>
  page.evaluate((every) => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    const { clientWidth, clientHeight } = map?.getCanvas() ?? { clientWidth: 0, clientHeight: 0 };
    const places: { x: number; y: number; place: [number, number] }[] = [];
    for (let y = 1; y < clientHeight; y += every) {
      for (let x = 1; x < clientWidth; x += every) {
        // The middle of the pixel.
        const at = map?.unproject([x + 0.5, y + 0.5]);
        if (at) places.push({ x, y, place: [at.lng, at.lat] });
      }
    }
    return places;
  }, step);

/** The map alone, without what floats over it. */
export async function mapPixels(page: Page): Promise<Pixels> {
  const canvas = page.locator('.map-canvas canvas');
  const box = await canvas.boundingBox();
  if (!box) throw new Error('There is no map.');
  const hidden = '.map-float, .map-notes, .map-scale, .map-attribution, .splitter { visibility: hidden !important; }';
  // As a sheet made by a script: the page's policy allows no inline one.
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, hidden);
  const picture = await page.screenshot({ clip: box });
  const decoded = await page.evaluate(async (base64) => {
    document.adoptedStyleSheets = [];
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const bytes = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
    let text = '';
    for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return { width, height, data: btoa(text) };
  }, picture.toString('base64'));
  return { ...decoded, data: Buffer.from(decoded.data, 'base64') };
}

export const colorAt = ({ width, data }: Pixels, x: number, y: number): string => {
  const at = (Math.floor(y) * width + Math.floor(x)) * 4;
  return `#${data.subarray(at, at + 3).toString('hex')}`;
};

/** A color role in the document, as #rrggbb: the build may have shortened it. */
export const token = (page: Page, name: string): Promise<string> =>
  page.evaluate((role) => {
    const ink = new OffscreenCanvas(1, 1).getContext('2d');
    if (!ink) throw new Error('There is no canvas.');
    ink.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(role).trim();
    return String(ink.fillStyle);
  }, name);

/** A color of the ramp through which the ground shows, as the ramp has it; any other unchanged. */
export async function rampColors(page: Page): Promise<(color: string) => string> {
  const [ground = '', ...ramp] = await Promise.all(
    ['--map-lot', ...[1, 2, 3, 4, 5].map((step) => `--ramp-${step}`)].map((role) => token(page, role)),
  );
  const share = await page.evaluate(() =>
    Number(getComputedStyle(document.documentElement).getPropertyValue('--map-lot-opacity')),
  );
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (color) =>
    ramp.find((one) =>
      parts(color).every((part, i) => {
        const mixed = (parts(one)[i] ?? 0) * share + (parts(ground)[i] ?? 0) * (1 - share);
        return Math.abs(part - mixed) <= 2;
      }),
    ) ?? color;
}

export interface DrawnLot {
  readonly id: number;
  readonly state: {
    readonly match?: boolean;
    readonly tag?: number;
  };
}

/** Features as they are drawn, one for each time. */
export const drawn = (page: Page, layer: string): Promise<DrawnLot[]> =>
  page.evaluate((id) => {
    const map = document.querySelector<MapElement>('.map-canvas')?.platbookMap;
    const found = map?.queryRenderedFeatures({ layers: [id] }) ?? [];
    return found.map((feature) => ({ id: Number(feature.id), state: { ...feature.state } }));
  }, layer);

const idsOf = (lots: readonly DrawnLot[]): number[] => [...new Set(lots.map(({ id }) => id))].sort((a, b) => a - b);

/** Lots in view that match the filter, without repeats. */
export const matchedLots = async (page: Page): Promise<number[]> =>
  idsOf((await drawn(page, 'lot-fill')).filter(({ state }) => state.match === true));

/** Lots in view with an outline of their own. */
export const outlined = async (page: Page, as: 'hover' | 'select'): Promise<number[]> =>
  idsOf(await drawn(page, `lot-${as}`));

export async function searched(page: Page): Promise<void> {
  await searchButton(page).first().click();
  await page.locator('.grid-body .apn').first().waitFor();
}

/** A finger goes from one point of the window to another. */
export async function dragByFinger(page: Page, from: readonly [number, number], to: readonly [number, number]) {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: (readonly [number, number])[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch('touchStart', from);
  await touch('touchMove', [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
  await touch('touchMove', to);
  await touch('touchEnd');
  await session.detach();
}

export const selectedId = (page: Page): Promise<number | null> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('platbook.explore') ?? '{}').selected ?? null);

export const selectedMany = (page: Page): Promise<number[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('platbook.explore') ?? '{}').selectedMany ?? []);

export { lookAt, mapSettled, middleOf, type Place, somePlaces, type View, viewOf } from './map-view.ts';
export { eventually };
