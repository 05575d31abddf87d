/** Comps: counted free, listed for one token each, kept, sorted, copied, and used as a filter. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine, InputOf } from '../../engine/index.ts';
import { listComps } from '../../engine/operations/list-comps.ts';
import { apiBase } from '../../engine/operations/operation.ts';
import { compColumns, sortedComps } from '../../renderer/comps/comps-columns.tsx';
import {
  beginQuery,
  type CompsQuery,
  circleWkt,
  compsInput,
  metersPerMile,
  milesBetween,
  problemOf,
  quantile,
  readPlace,
} from '../../renderer/comps/comps-query.ts';
import { compsPath, compsRequest } from '../../renderer/comps/comps-request.ts';
import type { ListedComp } from '../../renderer/comps/comps-state.ts';
import { spreadOf } from '../../renderer/comps/comps-summary.tsx';
import { copyForms } from '../../renderer/state/copy-request.ts';
import { serving } from '../http/client.ts';
import { emptyHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { findings } from './findings.ts';
import { countOf, eventually, hasBrowser, numberIn, openWindow, remembered } from './window.ts';

const available = hasBrowser();

const query = (change: Partial<CompsQuery>): CompsQuery => ({ ...beginQuery, ...change });
const middle = { longitude: -71.8, latitude: 44.1, name: '' };

describe('what is asked', () => {
  test('a circle in miles is metres of list_comps, a county its FIPS, all three kinds no condition', () => {
    // 5 miles are 8,046.72 m; a year of days, today among them
    const lastYear = query({ center: middle, soldWithinMonths: 12, acresMin: 5 });
    expect(compsInput(lastYear, '2026-11-20')).toEqual({ point: [-71.8, 44.1], dist: 8047, age: 364, acres_min: 5 });
    // A leap day stands between.
    expect(compsInput(lastYear, '2028-03-01')?.age).toBe(365);
    // 31 March minus a month is the last of February: sold from 1 March.
    expect(compsInput(query({ center: middle, soldWithinMonths: 1 }), '2027-03-31')?.age).toBe(30);
    expect(compsInput(query({ scope: 'county', fips: '99001', statuses: ['SOLD', 'PENDING', 'ACTIVE'] }))).toEqual({
      fips: '99001',
    });
    expect(compsInput(query({ scope: 'county', fips: '99001', statuses: ['SOLD'] }))).toEqual({
      fips: '99001',
      status: ['SOLD'],
    });
    expect([compsInput(query({})), compsInput(query({ scope: 'county' }))]).toEqual([null, null]);
    expect(problemOf(query({ center: middle, acresMin: 9, acresMax: 8 }))).toBe('Acres from is above acres to.');
  });

  test.each([
    ['44.1, -71.8', 44.1, -71.8],
    ['44.1 −71.8', 44.1, -71.8],
    ['44.1 N, 71.8 W', 44.1, -71.8],
    ['33.5 S 70.6 W', -33.5, -70.6],
  ])('"%s" is a place', (text, latitude, longitude) => {
    expect(readPlace(text)).toEqual({ latitude, longitude, name: '' });
  });

  test.each(['', '44.1', '91, 10', '10, 181', '12-201', 'Quill Brook Road'])('"%s" is no place', (text) => {
    expect(readPlace(text)).toBeNull();
  });

  test('the corners of the drawn circle lie on it, anticlockwise, and the ring is closed', () => {
    const pairs = circleWkt(middle, 5)
      .replace(/^POLYGON \(\(|\)\)$/g, '')
      .split(', ')
      .map((pair) => pair.split(' ').map(Number) as [number, number]);
    expect(pairs).toHaveLength(65);
    expect(pairs[64]).toEqual(pairs[0]);
    for (const [longitude, latitude] of pairs) expect(milesBetween(middle, { longitude, latitude })).toBeCloseTo(5, 3);
    const area = pairs.slice(1).reduce((sum, [x, y], i) => {
      const [px, py] = pairs[i] as [number, number];
      return sum + (px * y - x * py);
    }, 0);
    expect(area).toBeGreaterThan(0);
  });

  test('a degree of latitude is 69.09 miles on the sphere', () => {
    // 6,371,008.8 m × π / 180 = 111,195.08 m = 69.0934 mi
    expect(milesBetween(middle, { longitude: -71.8, latitude: 45.1 })).toBeCloseTo(69.0934, 3);
  });
});

const comp = (change: Partial<ListedComp>): ListedComp =>
  ({
    id: 'a',
    status: 'SOLD',
    price: 100,
    lot_size: 1,
    apn: '',
    address: '',
    city: '',
    sold_date: null,
    ...change,
  }) as ListedComp;

describe('what is shown', () => {
  test('quartiles lie between neighbours by proportion', () => {
    // For 10, 20, 30, 50: a quarter at index 0.75 → 17.5, the median at 1.5 → 25, three quarters at 2.25 → 35
    expect([0.25, 0.5, 0.75].map((share) => quantile([10, 20, 30, 50], share))).toEqual([17.5, 25, 35]);
    expect([quantile([7], 0.5), quantile([], 0.5)]).toEqual([7, null]);
    const rows = [10, 20, 30, 50].map((price) => comp({ price }));
    expect(spreadOf([...rows, comp({ lot_size: null })])).toEqual({ count: 4, low: 17.5, median: 25, high: 35 });
    expect(spreadOf([comp({ lot_size: null })])).toBeNull();
  });

  test('unknown values come last, whichever way the others go', () => {
    const rows = [comp({ id: 'a', lot_size: null }), comp({ id: 'b', lot_size: 2 }), comp({ id: 'c', lot_size: 9 })];
    const acres = compColumns(null).find(({ id }) => id === 'acres');
    const ids = (isDescending: boolean) => sortedComps(rows, acres, isDescending).map(({ id }) => id);
    expect([ids(false), ids(true)]).toEqual([
      ['b', 'c', 'a'],
      ['c', 'b', 'a'],
    ]);
    const apns = [comp({ apn: '12-30' }), comp({ apn: '12-4' })];
    const byApn = compColumns(null).find(({ id }) => id === 'apn');
    expect(sortedComps(apns, byApn, false).map(({ apn }) => apn)).toEqual(['12-4', '12-30']);
  });
});

describe('the copied request', () => {
  test('is of the operation’s own path', () => {
    expect(compsPath).toBe(`${apiBase}${listComps.http.path}`);
  });

  const programs: [string, (file: string) => [string, string[]]][] = [
    ['curl', (file) => ['sh', [file]]],
    ['python', (file) => ['python3', [file]]],
    ['node', (file) => [process.execPath, ['--input-type=module', '-e', fs.readFileSync(file, 'utf8')]]],
  ];
  const hasProgram = (name: string) =>
    requireOrSkip(
      name,
      (process.env.PATH ?? '').split(':').some((folder) => fs.existsSync(path.join(folder, name))),
      'the copied request is run with it',
    );

  test.each(programs)('as %s is run and finds what the operation finds', async (id, command) => {
    if (id !== 'node' && !hasProgram(id === 'python' ? 'python3' : id)) return;
    const { server, key, engine } = await serving();
    engine.land.file.run(
      `INSERT INTO comps (comp_id, source, source_id, fips, status, latitude, longitude, lot_size, price, sold_date, photos)
       VALUES ('11111111-1111-5111-8111-111111111111', 'test', '1', '99001', 'SOLD', 44.1, -71.8, 10, 50000, '2026-01-02', '[]'),
              ('22222222-2222-5222-8222-222222222222', 'test', '2', '99001', 'ACTIVE', 44.1, -71.8, 10, 50000, NULL, '[]')`,
    );
    const input = compsInput(query({ center: middle, statuses: ['SOLD'], acresMax: 80 }));
    const form = copyForms.find((one) => one.id === id);
    const text = (input && form?.text(compsRequest(input), server.baseUrl).replaceAll('YOUR_KEY', key)) ?? '';
    const file = path.join(emptyHome(), 'request');
    fs.writeFileSync(file, text);
    const [program, args] = command(file);
    const out = await new Promise<string>((resolve, reject) =>
      execFile(program, args, (error, stdout, stderr) =>
        error ? reject(new Error(`${error.message} ${stderr}`)) : resolve(stdout),
      ),
    );
    expect(out).toContain(id === 'curl' ? '"count":1,' : '1 comps');
  });
});

const compsCount = async (page: Page): Promise<number> => {
  const count = page.locator('[data-testid=comps-count][data-current=true]');
  await count.waitFor();
  return numberIn(await count.innerText());
};
const listButton = (page: Page) => page.locator('[data-focus=comps-button]');
const rowCount = (page: Page) => page.getByRole('grid', { name: 'Comps' }).getAttribute('aria-rowcount');

async function api(engine: Engine, input: InputOf<'list_comps'>): Promise<number> {
  return (await engine.call('list_comps', { ...input, page_size: 1 })).data.count;
}

async function openComps(page: Page): Promise<void> {
  await countOf(page);
  await page.keyboard.press('4');
  await compsCount(page);
}

async function around(page: Page, place: string, miles: number): Promise<void> {
  await page.getByRole('radio', { name: 'around a point' }).click();
  await page.getByLabel('Center: latitude, longitude').fill(place);
  await page.getByLabel('Radius', { exact: true }).fill(String(miles));
}

describe.runIf(available)('the Comps screen', () => {
  test('on a phone the list comes into view when it is there', async () => {
    const { page } = await openWindow({ context: { viewport: { width: 390, height: 844 } } });
    await countOf(page);
    await page.getByRole('link', { name: 'Comps' }).click();
    await compsCount(page);
    await listButton(page).click();
    const row = page.getByRole('grid', { name: 'Comps' }).getByRole('row').nth(1);
    await row.waitFor();
    await eventually(async () => {
      const box = await row.boundingBox();
      return box !== null && box.y > 0 && box.y + box.height < 844;
    }).toBe(true);
  });

  test('counts free what the API counts, lists for one token each, and shows the list again free after a reload', async () => {
    const { page, engine, ledger } = await openWindow();
    await openComps(page);
    expect(await compsCount(page)).toBe(await api(engine, { fips: '99001' }));
    await around(page, '44.1, -71.8', 4);
    const circle = { point: [-71.8, 44.1], dist: Math.round(4 * metersPerMile) };
    await eventually(() => compsCount(page)).toBe(await api(engine, circle));
    await page.getByRole('checkbox', { name: 'active' }).click();
    await page.getByLabel('Acres from').fill('5');
    const asked: InputOf<'list_comps'> = { ...circle, status: ['SOLD', 'PENDING'], acres_min: 5 };
    const count = await api(engine, asked);
    expect(count).toBeGreaterThan(5);
    await eventually(() => compsCount(page)).toBe(count);
    const before = ledger();
    expect(before.filter(({ mode }) => mode === 'app')).toEqual([]);
    await eventually(() => listButton(page).innerText()).toMatch(new RegExp(`^Comps\\s*uses ${count}$`));
    await listButton(page).click();
    await page.getByTestId('comps-summary').waitFor();
    const charged = () => ledger().filter(({ mode }) => mode === 'app');
    expect(charged()).toEqual([{ endpoint: 'public_comps', mode: 'app', tokens: count }]);
    expect(await rowCount(page)).toBe(String(count + 1));
    await page.reload();
    await page.getByTestId('comps-summary').waitFor();
    expect(await rowCount(page)).toBe(String(count + 1));
    expect(await page.locator('.comps-panel').innerText()).toMatch(/that list stays free/);
    expect(charged()).toHaveLength(1);

    // Another query has no list yet; the first one still has its own.
    await page.getByLabel('Acres from').fill('6');
    await page.getByText('Not listed yet').waitFor();
    await page.getByLabel('Acres from').fill('5');
    await page.getByTestId('comps-summary').waitFor();
    expect(charged()).toHaveLength(1);
  });

  test('the summary is that of the operation’s own rows', async () => {
    const { page, engine } = await openWindow();
    await openComps(page);
    await around(page, '44.1, -71.8', 4);
    await compsCount(page);
    await listButton(page).click();
    await page.getByTestId('comps-summary').waitFor();
    const { data } = await engine.call('list_comps', {
      point: [-71.8, 44.1],
      dist: Math.round(4 * metersPerMile),
      page_size: 500,
    });
    const sold = data.results.filter(({ status }) => status === 'SOLD');
    const prices = sold.flatMap(({ price, lot_size: acres }) => (acres ? [price / acres] : [])).sort((a, b) => a - b);
    const half = prices.length / 2;
    const low = prices[Math.ceil(half) - 1] as number;
    const median = prices.length % 2 === 1 ? low : (low + (prices[half] as number)) / 2;
    expect(await page.getByTestId('comps-summary').innerText()).toContain(
      `${sold.length} sold median $${Math.round(median).toLocaleString('en-US')}/ac`,
    );
  });

  test('above 500 it offers the newest 500 or all, then the others, each with its price, and charges exactly that', async () => {
    const { page, engine, ledger } = await openWindow();
    const all = await api(engine, { fips: '99001' });
    const charged = () => ledger().filter(({ mode }) => mode === 'app');
    await openComps(page);
    expect(all).toBeGreaterThan(500);
    await eventually(() => listButton(page).innerText()).toMatch(/^Comps\s*uses 500$/);
    await listButton(page).dblclick();
    await page.getByText(`of ${all} matches`).waitFor();
    expect(charged().map(({ tokens }) => tokens)).toEqual([500]);
    await page.getByRole('button', { name: new RegExp(`^The others.*uses ${all - 500}$`) }).click();
    await eventually(() => rowCount(page)).toBe(String(all + 1));
    expect(charged().map(({ tokens }) => tokens)).toEqual([500, all - 500]);
    // The same two buttons for another query: all of it at once is two pages and one price.
    await page.getByLabel('Acres to').fill('100000');
    const known = await compsCount(page);
    await page.getByRole('button', { name: new RegExp(`^All.*uses ${known}$`) }).click();
    await eventually(() => rowCount(page)).toBe(String(known + 1));
    expect(charged().map(({ tokens }) => tokens)).toEqual([500, all - 500, 500, known - 500]);
  });

  test('nothing there costs nothing', async () => {
    const { page, ledger } = await openWindow();
    await openComps(page);
    await around(page, '10.0, 10.0', 5);
    await eventually(() => compsCount(page)).toBe(0);
    expect(await listButton(page).innerText()).toBe('Comps');
    await listButton(page).click();
    await page.getByRole('heading', { name: 'No comps here' }).waitFor();
    expect(ledger()).toEqual([]);
  });

  test('asks and charges nothing while the radius is refused', async () => {
    const { page, ledger } = await openWindow();
    await openComps(page);
    await around(page, '44.1, -71.8', 25);
    await compsCount(page);
    const radius = page.getByLabel('Radius', { exact: true });
    for (const text of ['2,5', 'abc', '200', '']) {
      await radius.fill(text);
      await listButton(page).click({ force: true });
      await page.locator('.search-note').getByText('“Radius” is not valid as typed.').waitFor();
      expect(await listButton(page).isDisabled()).toBe(true);
    }
    expect(ledger()).toEqual([]);
    await radius.fill('2.5');
    await compsCount(page);
    expect(await listButton(page).isDisabled()).toBe(false);
  });

  test('by the keyboard alone: to the count, the list, a row and a heading that sorts', async () => {
    const { page } = await openWindow();
    await openComps(page);
    await around(page, '44.1, -71.8', 3);
    await compsCount(page);
    await listButton(page).focus();
    await page.keyboard.press('Enter');
    const grid = page.getByRole('grid', { name: 'Comps' });
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await eventually(() => grid.locator('[aria-selected=true]').getAttribute('aria-rowindex')).toBe('3');
    await page.keyboard.press('End');
    await eventually(() => grid.locator('[aria-selected=true]').getAttribute('aria-rowindex')).toBe(
      await rowCount(page),
    );
    const head = page.getByRole('columnheader', { name: 'Price, $' });
    await head.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await eventually(() => head.getAttribute('aria-sort')).toBe('descending');
    const prices = await page.locator('.grid-body .grid-row').evaluateAll((rows) =>
      rows
        .map((row) => row as HTMLElement)
        .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
        .map((row) => Number([...row.children].at(-2)?.textContent?.replaceAll(',', ''))),
    );
    expect(prices.length).toBeGreaterThan(5);
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  });

  test('a price narrows what is listed, for nothing', async () => {
    const { page, ledger } = await openWindow();
    await openComps(page);
    await around(page, '44.1, -71.8', 4);
    await compsCount(page);
    await listButton(page).click();
    await page.getByTestId('comps-summary').waitFor();
    const before = Number(await rowCount(page));
    const charged = ledger().length;
    await page.getByLabel('Price from, among those listed').fill('50,000');
    await eventually(async () => Number(await rowCount(page))).toBeLessThan(before);
    await page.getByText(`of ${before - 1} listed`).waitFor();
    expect(ledger()).toHaveLength(charged);
  });

  test('place and acres become the filter of Explore, which Undo takes back', async () => {
    const { page, engine } = await openWindow();
    await openComps(page);
    await around(page, '44.1, -71.8', 2);
    await page.getByLabel('Acres from').fill('5');
    await compsCount(page);
    await listButton(page).click();
    await page.getByTestId('comps-summary').waitFor();
    await page.getByRole('button', { name: /Use this place/ }).click();
    await countOf(page);
    const { filter } = await remembered(page);
    expect(filter).toEqual({ geom_intersects: expect.stringMatching(/^POLYGON/), acres_min: 5 });
    const { data } = await engine.call('filter_properties', {
      ...filter,
      page_size: 1,
    } as InputOf<'filter_properties'>);
    expect(await countOf(page)).toBe(data.count);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => (await remembered(page)).filter).toEqual({ county: '99001' });
  });

  test('around a parcel: C opens its tab, and the circle is about its own place', async () => {
    const { page, engine, ledger } = await openWindow();
    await countOf(page);
    const row = engine.land.file.get<{ property_id: number; point_lon: number; point_lat: number }>(
      'SELECT property_id, point_lon, point_lat FROM parcels WHERE property_id = 6',
    );
    await page.evaluate((selected) => {
      const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
      localStorage.setItem('platbook.explore', JSON.stringify({ ...before, selected, detailTab: 'parcel' }));
    }, 6);
    await page.reload();
    await page.locator('[data-focus=detail]').waitFor();
    await page.keyboard.press('c');
    const point = [row?.point_lon ?? 0, row?.point_lat ?? 0];
    const count = await api(engine, { point, dist: Math.round(5 * metersPerMile) });
    await eventually(() => compsCount(page)).toBe(count);
    await listButton(page).click();
    await eventually(() => rowCount(page)).toBe(String(count + 1));
    expect(ledger().at(-1)).toEqual({ endpoint: 'public_comps', mode: 'app', tokens: count });
  });

  test('a suspect sale is struck out, kept, and taken back by Undo', async () => {
    const bulk = "SELECT comp_id FROM comps WHERE status = 'SOLD' ORDER BY comp_id LIMIT 2";
    const { engine, page } = await openWindow({
      prepare: ({ land }) => {
        land.file.run(
          `UPDATE comps SET price = 88000, sold_date = '2026-05-04', seller = 'ALDER LAND' WHERE comp_id IN (${bulk})`,
        );
        return {};
      },
    });
    const [id = ''] = engine.land.file.column<string>(bulk);
    const struck = () =>
      engine.land.file.get<{ struck: string | null }>('SELECT struck FROM comps WHERE comp_id = ?', id)?.struck;
    await openComps(page);
    await page.getByRole('radio', { name: 'Suspect sales' }).click();
    const row = page.locator(`[data-sale="${id}"]`);
    await row.getByText('one deed of several parcels').waitFor();
    await row.getByRole('button', { name: 'Keep' }).click();
    await row.getByText('yes, kept by hand').waitFor();
    expect(struck()).toBeNull();
    await row.getByRole('button', { name: 'Strike out' }).click();
    await row.getByText('no, struck out by hand').waitFor();
    expect(struck()).toBe('hand');
    await page.keyboard.press('Control+z');
    await row.getByText('yes, kept by hand').waitFor();
    expect(struck()).toBeNull();
    await row.getByRole('button', { name: 'By the rules' }).click();
    await row.getByText('no, struck out by the rule').waitFor();
    expect(struck()).toBe('several_parcels');
    expect(await findings(page), 'suspect sales').toEqual([]);
  });

  test('axe finds nothing serious or critical, in any theme', async () => {
    const { page } = await openWindow({ mode: 'development' });
    await openComps(page);
    await compsCount(page);
    expect(await findings(page), 'a county').toEqual([]);
    await around(page, '44.1, -71.8', 4);
    await compsCount(page);
    await listButton(page).click();
    await page.getByTestId('comps-summary').waitFor();
    await page.locator('.grid-body .grid-row').nth(2).click();
    expect(await findings(page), 'listed').toEqual([]);
    await page.getByLabel('Center: latitude, longitude').fill('somewhere');
    expect(await findings(page), 'no place').toEqual([]);
  });
});
