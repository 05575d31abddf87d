/** Lots filled by the user's own tags, by their pixels: in every theme, while tags are put on, taken off and undone. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { parcelsAt } from '../../engine/query/parcels-at.ts';
import { runChange } from '../../engine/work/index.ts';
import { findings } from './findings.ts';
import {
  colorAt,
  drawn,
  eventually,
  lookAt,
  mapPixels,
  mapSettled,
  matchedLots,
  middleOf,
  openMapWindow,
  outlined,
  type Place,
  rampColors,
  screenPlace,
  somePlaces,
  token,
} from './map-window.ts';
import { hasBrowser } from './window.ts';

const available = hasBrowser();

async function colorOf(page: Page, { point_lon: longitude, point_lat: latitude }: Place): Promise<string> {
  const pixels = await mapPixels(page);
  const box = (await page.locator('.map-canvas canvas').boundingBox()) as { x: number; y: number };
  const { x, y } = await screenPlace(page, longitude, latitude);
  return (await rampColors(page))(colorAt(pixels, x - box.x, y - box.y));
}

/** Some lots around the middle of the county, each alone at its point, and wide enough that no line crosses it. */
function lotsInMiddle(engine: Engine, count: number): Place[] {
  const { longitude, latitude } = middleOf(engine, '99001');
  const near = engine.land.file.all<Place>(
    `SELECT property_id, apn, point_lon, point_lat FROM parcels JOIN idx_parcels_geom ON pkid = property_id
     WHERE status = 'current' AND coalesce(acres, calculated_acres) BETWEEN 2 AND 60
     AND abs(point_lon - ?) < 0.006 AND abs(point_lat - ?) < 0.0045 ORDER BY property_id`,
    longitude,
    latitude,
  );
  const alone = near.filter(({ point_lon: x, point_lat: y }) => parcelsAt(engine.land, x, y).length === 1);
  expect(alone.length).toBeGreaterThanOrEqual(count);
  return alone.slice(0, count);
}

async function fillBy(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Change the fill and the labels' }).click();
  await page.getByRole('group', { name: 'Lots are filled by' }).getByLabel(choice, { exact: true }).click();
  await page.keyboard.press('Escape');
  await mapSettled(page);
}

const taggedLots = async (page: Page): Promise<number[]> => {
  const lots = await drawn(page, 'lot-fill');
  return [...new Set(lots.filter(({ state }) => (state.tag ?? -1) >= 0).map(({ id }) => id))].sort((a, b) => a - b);
};

const legendLines = (page: Page) =>
  page.getByRole('region', { name: 'Legend' }).locator('li:not(.of-layer):not(.of-note)').allInnerTexts();

const oneLine = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** The labels of the lots cover their points: none are written. */
const withoutLabels = () => ({ map: { label: 'none' } });

describe.runIf(available)('lots filled by tag', { timeout: 300_000 }, () => {
  test('have the colour of their first tag in the legend, at once after every change, in every theme', async () => {
    const { page, engine } = await openMapWindow({ pixels: true, at: 14.5, prepare: withoutLabels });
    const [one, two, both, untagged] = lotsInMiddle(engine, 4) as [Place, Place, Place, Place];
    await fillBy(page, 'Tag');
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByText('no tags yet: press G on a parcel').waitFor();
    const ground = () => token(page, '--map-lot');
    expect(await colorOf(page, one)).toBe(await ground());

    // “often” on two lots, “seldom” on one more; `both` has the two of them.
    await runChange(engine, 'tag', { name: 'seldom', ids: [two.property_id] });
    await runChange(engine, 'tag', { name: 'often', ids: [one.property_id, both.property_id] });
    await page.reload();
    await mapSettled(page);
    await eventually(async () => oneLine(await legendLines(page))).toEqual(['often 2', 'seldom 1']);
    await legend.getByText('A parcel with several tags has the color of the first of them here.').waitFor();
    await mapSettled(page);
    // Two classes of five colours: the second and the fourth, the most used tag darker.
    const seen = async () => [
      await colorOf(page, one),
      await colorOf(page, two),
      await colorOf(page, both),
      await colorOf(page, untagged),
    ];
    const colors = async (...steps: number[]) => Promise.all(steps.map((step) => token(page, `--ramp-${step}`)));
    const asTagged = async () => [...(await colors(4, 2, 4)), await ground()];
    await eventually(seen).toEqual(await asTagged());
    expect(await findings(page)).toEqual([]);

    // By key: the untagged lot is selected on the map and gets the tag that is named.
    const { x, y } = await screenPlace(page, untagged.point_lon, untagged.point_lat);
    await page.mouse.click(x, y);
    await page.locator('[data-focus=detail]').waitFor();
    await page.locator('.map-canvas canvas').focus();
    await page.keyboard.press('g');
    await page.getByPlaceholder('Find a tag, or name a new one').fill('seldom');
    await page.keyboard.press('Enter');
    await eventually(() =>
      engine.account.file.column('SELECT property_id FROM parcel_tags WHERE tag_id = 1'),
    ).toContain(untagged.property_id);
    await page.keyboard.press('Escape');
    await eventually(async () => oneLine(await legendLines(page))).toEqual(['often 2', 'seldom 2']);
    await mapSettled(page);
    await eventually(() => outlined(page, 'select')).toEqual([untagged.property_id]);
    await page.mouse.move(5, 5);
    await eventually(() => colorOf(page, untagged)).toBe((await colors(2))[0]);

    await page.keyboard.press('Control+z');
    await eventually(async () => oneLine(await legendLines(page))).toEqual(['often 2', 'seldom 1']);
    await eventually(() => colorOf(page, untagged)).toBe(await ground());
    expect((await matchedLots(page)).length).toBeGreaterThan(20);

    for (const theme of ['dark', 'outdoor', 'light']) {
      await page.getByRole('button', { name: /^Theme/ }).click();
      await eventually(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      await mapSettled(page);
      await lookAt(page, { ...middleOf(engine, '99001'), zoom: 14.5 });
      await eventually(seen, theme).toEqual(await asTagged());
    }

    // Below the lots nothing is drawn without a search; lots outside the filter are unfilled, tagged or not.
    await lookAt(page, { ...middleOf(engine, '99001'), zoom: 11 });
    await legend.getByText('Search to see where they are.').waitFor();
    await lookAt(page, { ...middleOf(engine, '99001'), zoom: 14.5 });
    await eventually(seen).toEqual(await asTagged());
    await page.getByLabel('Acres from', { exact: true }).fill('5000');
    await eventually(seen).toEqual(Array(4).fill(await ground()));
    await eventually(async () => oneLine(await legendLines(page))).toEqual(['often 2', 'seldom 1']);

    // Another fill leaves no tag behind.
    expect(await taggedLots(page)).toEqual([one, two, both].map((lot) => lot.property_id).sort((a, b) => a - b));
    await fillBy(page, 'Acres');
    expect(await taggedLots(page)).toEqual([]);
  });

  test('by more tags than colours: four and the others', async () => {
    const prepare = async (engine: Engine) => {
      const lots = lotsInMiddle(engine, 6);
      const near = new Set(lots.map((lot) => lot.property_id));
      const elsewhere = somePlaces(engine, '99001', 40).filter(({ property_id: id }) => !near.has(id));
      // Tag i on 6 - i parcels, no parcel with two of them; the first of its parcels lies in the middle.
      for (const [i, lot] of lots.entries()) {
        const rest = elsewhere.splice(0, 5 - i).map(({ property_id: id }) => id);
        await runChange(engine, 'tag', { name: `tag ${i}`, ids: [lot.property_id, ...rest] });
      }
      return withoutLabels();
    };
    const { page, engine } = await openMapWindow({ pixels: true, at: 14.5, prepare });
    const lots = lotsInMiddle(engine, 6);
    await fillBy(page, 'Tag');
    // 2 parcels have “tag 4” and 1 has “tag 5”.
    await eventually(async () => oneLine(await legendLines(page))).toEqual([
      'tag 0 6',
      'tag 1 5',
      'tag 2 4',
      'tag 3 3',
      'other tags 3',
    ]);
    for (const [i, step] of [5, 4, 3, 2, 1, 1].entries()) {
      const color = await token(page, `--ramp-${step}`);
      await eventually(() => colorOf(page, lots[i] as Place), `tag ${i}`).toBe(color);
    }
  });
});
