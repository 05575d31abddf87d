/**
 * `node test/ui/bench-window.ts HOME`: the window in Debian's Chromium on a home that is there, of a million parcels for
 * instance (`npm run bench -- --keep DIR` leaves one in DIR/one/home). Measured as a person meets it, from the key or click to
 * what is drawn: first count, counts of a filter that changes, search, scrolling, selection, every screen, and the longest
 * time for which the page answered nothing, with how much of it was its own work; beside targets, where the design has one.
 * The searches are charged to the home.
 */
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import type { Box } from '../../renderer/map/map-sources.ts';
import { median, milliseconds, quantile } from '../bench/statistics.ts';
import { builtRenderer } from './build-renderer.ts';
import { isBrowserThere, launchDrawingBrowser } from './launch-browser.ts';
import { arrival, groundOf, lookAt, mapSettled, middleOf, panFrames } from './map-view.ts';
import { type HeldPage, watchTasks } from './page-tasks.ts';

const variants = 40;
/** Longest task of the page: a screen may not block longer. */
const mostHeld = 100;
const marked = (time: number): string => `${milliseconds(time)}${time > mostHeld ? ' (long)' : ''}`;

/** Milliseconds that the median may take. */
const most = { firstPicture: 5000, inView: 1000, frame: 200 };

interface Row {
  readonly what: string;
  readonly times: readonly number[];
  readonly target?: number;
  /** By the page meanwhile. */
  readonly held: HeldPage;
}

/** Types a number as a person does, and waits until the count is that of the filter. In the page: no way in between counts. */
const typeAndCount = (page: Page, label: string, text: string): Promise<number> =>
  page.getByLabel(label, { exact: true }).evaluate((field, typed) => {
    const began = performance.now();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, typed);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return new Promise<number>((resolve) => {
      const look = () => {
        const count = document.querySelector('[data-testid=count]');
        if (count?.getAttribute('data-current') === 'true') resolve(performance.now() - began);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
  }, text);

/** Scrolls by some pixels, frame by frame. @returns for each frame the visible rows that were still empty */
const scrollTable = (page: Page, frames: number, pixels: number): Promise<number[]> =>
  page.locator('.grid').evaluate(
    (grid, [count, step]) =>
      new Promise<number[]>((resolve) => {
        const empty: number[] = [];
        const frame = () => {
          const { top, bottom } = grid.getBoundingClientRect();
          const waiting = [...grid.querySelectorAll('.waiting')].filter((cell) => {
            const box = cell.getBoundingClientRect();
            return box.bottom > top && box.top < bottom;
          });
          empty.push(new Set(waiting.map((cell) => cell.closest('.grid-row'))).size);
          if (empty.length > (count as number)) return resolve(empty);
          grid.scrollTop += step as number;
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    [frames, pixels],
  );

const { positionals } = parseArgs({ allowPositionals: true });
const [home] = positionals;
if (!home || !isBrowserThere()) {
  console.error(home ? 'Chromium is not there: apt-get install chromium.' : 'Expected the folder of a home.');
  process.exit(2);
}

const engine = openEngine({ home });
const quiet = { print: () => {}, note: () => {}, progress: () => {} };
const app = await openAppWindow(engine, { port: 0 }, quiet, await builtRenderer());
const browser = await launchDrawingBrowser();
const viewport = { width: 1440, height: 900 };
const page = await browser.newPage({ viewport });
const tasks = await watchTasks(browser, page);
const rows: Row[] = [];
const note = async (what: string, times: readonly number[], target?: number): Promise<HeldPage> => {
  const held = await tasks.next();
  rows.push({ what, times, held, ...(target === undefined ? {} : { target }) });
  return held;
};
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

try {
  const fips = engine.land.file.get<{ fips: string }>(
    'SELECT fips FROM parcels WHERE fips IS NOT NULL GROUP BY fips ORDER BY count(*) DESC LIMIT 1',
  )?.fips;
  if (!fips) throw new Error(`${home} holds no parcels.`);
  const firstPicture = await timed(() => page.goto(app.link()).then(() => mapSettled(page)));
  await note('open: first picture', [firstPicture], most.firstPicture);
  // The sample begins with a search of its own.
  await page.evaluate((county) => {
    const before = JSON.parse(localStorage.getItem('platbook.explore') ?? '{}');
    localStorage.setItem('platbook.explore', JSON.stringify({ ...before, filter: { county } }));
  }, fips);
  const current = page.locator('[data-testid=count][data-current=true]').first();
  await tasks.next();
  const opened = await timed(() => page.reload().then(() => current.waitFor()));
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  await note('open: first paint', [paint]);
  await note('open: first count', [opened]);
  await note('map: first drawn', [await timed(() => mapSettled(page))]);

  const counts: number[] = [];
  for (let variant = 0; variant < variants; variant++) {
    counts.push(await typeAndCount(page, 'Acres from', String(1 + variant / 10)));
    await page.waitForTimeout(120);
  }
  await note('count: a number is typed', counts);
  const bursts: number[] = [];
  for (let variant = 0; variant < variants; variant++) {
    bursts.push(await typeAndCount(page, 'Acres from', String(0.2 + variant / 100)));
  }
  await note('count: a slider is dragged', bursts);
  await typeAndCount(page, 'Acres from', '');

  const found =
    engine.land.file.get<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE fips = ? AND status = 'current'", fips)
      ?.n ?? 0;
  const search = page.locator('[data-command=search]:visible').first();
  await note('search of the county', [
    await timed(async () => {
      await search.click();
      await page
        .locator(`.grid[aria-rowcount="${found + 1}"] .apn`)
        .first()
        .waitFor();
    }),
  ]);
  for (const [what, pixels] of [
    ['scroll: a wheel’s turn a frame', 100],
    ['scroll: a page a frame', 300],
  ] as const) {
    const empty = await scrollTable(page, 300, pixels);
    console.log(`${what}: ${empty.filter((n) => n > 0).length} of ${empty.length} frames had empty rows in view`);
    await note(what, []);
  }
  await page.locator('.grid').focus();
  const last = await timed(async () => {
    await page.keyboard.press('End');
    await page.locator(`.grid-row[aria-rowindex="${found + 1}"] .apn`).waitFor();
  });
  await note('scroll: to the last row', [last]);

  await page.keyboard.press('Home');
  await page.locator('.grid-row[aria-rowindex="2"] .apn').waitFor();
  await tasks.next();
  const selections: number[] = [];
  for (let variant = 0; variant < variants / 2; variant++) {
    selections.push(
      await timed(async () => {
        await page.keyboard.press('ArrowDown');
        const shown = await page.locator('.grid-row[data-shown=true] .apn').innerText();
        await page.locator('[data-focus=detail]').filter({ hasText: shown }).waitFor();
      }),
    );
  }
  await note('selection: a row to its detail', selections);

  const middle = middleOf(engine, fips);
  const elsewhere = () => lookAt(page, { ...middle, latitude: middle.latitude + 2, zoom: 14 });
  const boxOf = (where: string, value: string | number) =>
    Object.values(
      engine.land.file.get<Record<string, number>>(
        `SELECT min(xmin), min(ymin), max(xmax), max(ymax) FROM parcels JOIN idx_parcels_geom ON pkid = property_id
         WHERE status = 'current' AND ${where} = ?`,
        value,
      ) ?? {},
    ) as unknown as Box;
  const matches = boxOf('fips', fips);
  const inTurn = async (what: string, measure: (turn: number) => Promise<number>) => {
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) times.push(await elsewhere().then(() => measure(turn)));
    await note(what, times, most.inView);
  };
  const chosen = async (turn: number) => {
    const row = page.locator('.grid-body .grid-row').nth(turn);
    const lot = boxOf('property_id', Number((await row.getAttribute('id'))?.slice('row-'.length)));
    return { lot, time: await arrival(page, lot, () => row.click()) };
  };
  await inTurn('search: to its matches in view', () => arrival(page, matches, () => search.click()));
  await inTurn('row: to its lot in view', async (turn) => (await chosen(turn)).time);
  await inTurn('Enter: to the lot in view', async (turn) => {
    const { lot } = await chosen(turn);
    return arrival(page, lot, () => page.keyboard.press('Enter'));
  });
  for (const zoom of [11, 13, 15]) {
    await note(`map: to zoom ${zoom}`, [await timed(() => lookAt(page, { ...middle, zoom }))]);
  }
  // The map fills the window.
  await page.setViewportSize({ width: 1024, height: 680 });
  await page.keyboard.press('Shift+F');
  await page.locator('.field-mode').waitFor();
  for (let turn = 0; turn < 3; turn++) {
    await lookAt(page, { ...middle, zoom: 13.4 });
    const what = `Field mode: a pan over ${(await groundOf(page)).join(', ') || 'no ground'}`;
    await tasks.next();
    const began = process.cpuUsage();
    const frames = await panFrames(page);
    const { user, system } = process.cpuUsage(began);
    const { page: own, workers } = await note(what, frames, most.frame);
    const parts = { page: own, 'its workers': workers, engine: (user + system) / 1000 };
    const shares = Object.entries(parts).map(([part, time]) => `${part} ${milliseconds(time / frames.length)}`);
    console.log(`${what}: CPU ms a frame: ${shares.join(', ')}; the rest is drawing in software`);
  }
  await page.keyboard.press('Shift+F');
  await page.locator('.rail').waitFor();
  await page.setViewportSize(viewport);
  for (const [key, title] of [
    ['4', 'Comps'],
    ['5', 'Markets'],
    ['3', 'Lists'],
    ['6', 'Import'],
    ['8', 'Settings'],
  ] as const) {
    await tasks.next();
    const time = await timed(async () => {
      await page.keyboard.press(key);
      await page.locator(`.rail [aria-current=page]`).filter({ hasText: title }).waitFor();
    });
    await page.waitForTimeout(700);
    await note(`screen: ${title}`, [time]);
  }
  const columns = ['what', 'target ms', 'median ms', 'p95 ms', 'held ms', 'own work ms'] as const;
  const told = rows.map(({ what, times, held, target }) => ({
    what,
    'target ms': target === undefined ? '' : milliseconds(target),
    'median ms': times.length === 0 ? '' : milliseconds(median(times)),
    'p95 ms': times.length < 2 ? '' : milliseconds(quantile(times, 0.95)),
    'held ms': marked(held.felt),
    'own work ms': marked(held.own),
  }));
  console.log(tableText(columns, told));
} finally {
  await tasks.close();
  await browser.close();
  await app.close();
  engine.close();
}
