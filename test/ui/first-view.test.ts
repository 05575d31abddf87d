/** Where the map looks at first: at lots, where the county nearly fits at their zoom; else at all of it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../engine/account/api-keys.ts';
import { firstKeyName } from '../../engine/account/first-search.ts';
import { openEngine } from '../../engine/engine.ts';
import { sampleSearch } from '../../engine/spec/sample-search.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { drawn, middleOf, openMapWindow, viewOf } from './map-window.ts';
import { hasBrowser } from './window.ts';

const available = hasBrowser();

/** The sample without the lots that are not wholly within 0.07 degrees of its middle, some 11 km across. */
function smallCounty(): string {
  const home = copyOfHome(sampleHome());
  const engine = openEngine({ home, keepsIndexes: false });
  const { longitude, latitude } = middleOf(engine, '99001');
  engine.land.file.run(
    `UPDATE parcels SET status = 'retired' WHERE property_id NOT IN (SELECT pkid FROM idx_parcels_geom
     WHERE xmin > :x - 0.07 AND xmax < :x + 0.07 AND ymin > :y - 0.03 AND ymax < :y + 0.03)`,
    { x: longitude, y: latitude },
  );
  engine.close();
  return home;
}

describe.runIf(available)('the first view of a county', { timeout: 180_000 }, () => {
  test('is the largest town of the sample, with the search that npm start paid for, shown free in this window and the next', async () => {
    const home = copyOfHome(sampleHome());
    const starting = openEngine({ home, keepsIndexes: false });
    const key = createKey(starting.account, firstKeyName, ['read'], starting.now());
    const { data } = await starting.call(
      'filter_properties',
      { ...sampleSearch, page_size: 3 },
      { mode: 'script', keyId: key.id },
    );
    starting.close();
    const { page, app, ledger } = await openMapWindow({ home });
    const { zoom, longitude, latitude } = await viewOf(page);
    expect([zoom, longitude, latitude]).toEqual([12.4, expect.closeTo(-71.838, 3), expect.closeTo(44.109, 3)]);
    await page.getByText(`${data.count} parcels`, { exact: true }).waitFor();
    await page.getByText('Nothing has changed since', { exact: false }).waitFor();
    const second = await page.context().browser()?.newContext();
    onTestFinished(() => second?.close());
    const other = await second?.newPage();
    await other?.goto(app.link());
    await other?.getByText(`${data.count} parcels`, { exact: true }).waitFor();
    await other?.getByText('Nothing has changed since', { exact: false }).waitFor();
    expect(ledger().map(({ mode, tokens }) => [mode, tokens])).toEqual([['script', 30]]);
  });

  const counties: [string, () => string, boolean][] = [
    ['lots of a county that is hardly larger than the window', smallCounty, true],
    ['the grid of all of a larger one', () => copyOfHome(sampleHome()), false],
  ];
  test.each(counties)('shows %s', async (_name, homeOf, hasLots) => {
    const { page, engine } = await openMapWindow({ home: homeOf() });
    const { zoom, longitude, latitude } = await viewOf(page);
    const bounds = engine.land.file.get<{ west: number; east: number; south: number; north: number }>(
      `SELECT min(xmin) AS west, max(xmax) AS east, min(ymin) AS south, max(ymax) AS north
       FROM idx_parcels_geom JOIN parcels ON property_id = pkid WHERE status = 'current'`,
    );
    if (!bounds) throw new Error('the sample has no shapes');
    expect(Math.abs(longitude - (bounds.west + bounds.east) / 2)).toBeLessThan(0.001);
    expect(Math.abs(latitude - (bounds.south + bounds.north) / 2)).toBeLessThan(0.005);
    if (hasLots) {
      expect(zoom).toBe(12);
      expect((await drawn(page, 'lot-fill')).length).toBeGreaterThan(500);
    } else {
      expect(zoom).toBeLessThan(12);
      const box = await page.locator('.map-canvas').boundingBox();
      // A world is 512 × 2^zoom pixels wide: the county lies within the map.
      const wide = ((bounds.east - bounds.west) / 360) * 512 * 2 ** zoom;
      expect(wide).toBeLessThan(box?.width ?? 0);
    }
  });
});
