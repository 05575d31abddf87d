/** The map: its fills, tools and menus. */
import type { Page } from 'playwright-core';
import { runChange } from '../../../engine/work/index.ts';
import { lookAt, mapSettled, middleOf } from '../map-view.ts';
import { counted, foundByKeys, type Shot } from './shot.ts';

const county = '99001';

/** The middle of the county, close enough for lots and labels. */
const close: NonNullable<Shot['act']> = async (page, engine) => {
  await counted(page);
  await mapSettled(page);
  await lookAt(page, { ...middleOf(engine, county), zoom: 15 });
};

const filledBy =
  (choice: string): NonNullable<Shot['act']> =>
  async (page, engine) => {
    await close(page, engine);
    await page.getByRole('button', { name: 'Change the fill and the labels' }).click();
    await page.getByLabel(choice, { exact: true }).first().check();
    await page.keyboard.press('Escape');
    await mapSettled(page);
  };

const open =
  (name: string): NonNullable<Shot['act']> =>
  async (page, engine) => {
    await close(page, engine);
    await page.getByRole('button', { name, exact: true }).click();
    await page.waitForTimeout(300);
  };

async function rectangle(page: Page): Promise<void> {
  const box = await page.locator('.map-canvas canvas').boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  for (const [dx, dy] of [
    [-100, -60],
    [100, -60],
    [100, 60],
    [-100, 60],
  ] as const) {
    await page.mouse.move(x + dx, y + dy, { steps: 3 });
    await page.mouse.click(x + dx, y + dy);
    await page.waitForTimeout(120);
  }
}

export const mapShots: readonly Shot[] = [
  { name: 'map-close', act: close },
  { name: 'map-menu', act: open('Change the fill and the labels') },
  { name: 'map-acres', act: filledBy('Acres') },
  { name: 'map-owner', act: filledBy('Kind of owner') },
  { name: 'map-slope', act: filledBy('Mean slope') },
  { name: 'map-flood', act: filledBy('Share in a flood zone') },
  {
    name: 'map-tag',
    act: async (page, engine) => {
      const words = ['called', 'letter sent', 'no answer', 'offer', 'visit', 'wait', 'neighbour'];
      for (const [i, name] of words.entries()) {
        const ids = Array.from({ length: 900 - 110 * i }, (_, k) => 1 + ((k * (2 * i + 3) + 7 * i) % 5000));
        await runChange(engine, 'tag', { name, ids: [...new Set(ids)] });
      }
      await filledBy('Tag')(page, engine);
      await page.waitForTimeout(500);
    },
  },
  { name: 'map-layers', act: open('Layers') },
  { name: 'map-place', act: open('Go to coordinates') },
  {
    name: 'map-draw',
    act: async (page, engine) => {
      await close(page, engine);
      await page.keyboard.press('d');
      await rectangle(page);
    },
  },
  {
    name: 'map-measure',
    act: async (page, engine) => {
      await close(page, engine);
      await page.keyboard.press('l');
      await rectangle(page);
    },
  },
  {
    name: 'map-box',
    act: async (page, engine) => {
      await close(page, engine);
      await page.getByRole('button', { name: 'Select by box' }).click();
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map-canvas canvas').boundingBox()) ?? {};
      await page.mouse.move(x + width * 0.4, y + height * 0.4);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.8, y + height * 0.8, { steps: 4 });
    },
  },
  {
    name: 'map-measure-parcel-1024x680',
    size: { width: 1024, height: 680 },
    act: async (page) => {
      await foundByKeys(page);
      await page.keyboard.press('z');
      await mapSettled(page);
      await page.keyboard.press('l');
      await page.getByRole('radio', { name: 'Parcel' }).click();
      await page.getByText(/sides, around it/).waitFor();
    },
  },
  {
    name: 'map-qr',
    act: async (page) => {
      await foundByKeys(page);
      await page.getByRole('button', { name: 'QR code for the phone' }).click();
      await page.locator('svg[role=img]').last().waitFor();
    },
  },
];
