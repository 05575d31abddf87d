/**
 * `node test/ui/bench-window.ts HOME`: the window in Debian's Chromium on a home that is there, of a million parcels for
 * instance (`npm run bench -- --keep DIR` leaves one in DIR/one/home). Measured as a person meets it, from the key or click to
 * what is drawn: first count, counts of a filter that changes, search, scrolling, selection, every screen, and the longest
 * time for which the page answered nothing, with how much of it was its own work. The search is charged to the home.
 */
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { tableText } from '../../engine/cli/output.ts';
import { openEngine } from '../../engine/engine.ts';
import { median, milliseconds, quantile } from '../bench/statistics.ts';
import { builtRenderer } from './build-renderer.ts';
import { isBrowserThere, launchDrawingBrowser } from './launch-browser.ts';
import { lookAt, mapSettled, middleOf } from './map-view.ts';
import { type HeldPage, watchTasks } from './page-tasks.ts';

const variants = 40;
/** Longest task of the page: a screen may not block longer. */
const mostHeld = 100;
const marked = (time: number): string => `${milliseconds(time)}${time > mostHeld ? ' (long)' : ''}`;

interface Row {
  readonly what: string;
  readonly times: readonly number[];
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
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const tasks = await watchTasks(browser, page);
const rows: Row[] = [];
const note = async (what: string, times: readonly number[]) =>
  void rows.push({ what, times, held: await tasks.next() });
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
  await page.goto(app.link());
  await page.evaluate(
    (county) => localStorage.setItem('platbook.explore', JSON.stringify({ filter: { county } })),
    fips,
  );
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

  await note('search of the county', [
    await timed(async () => {
      await page.locator('[data-command=search]:visible').first().click();
      await page.locator('.grid-body .apn').first().waitFor();
    }),
  ]);
  const found = engine.land.file.get<{ n: number }>(
    "SELECT count(*) AS n FROM parcels WHERE fips = ? AND status = 'current'",
    fips,
  )?.n;
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
    await page.locator(`.grid-row[aria-rowindex="${(found ?? 0) + 1}"] .apn`).waitFor();
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
  for (const zoom of [11, 13, 15]) {
    await note(`map: to zoom ${zoom}`, [await timed(() => lookAt(page, { ...middle, zoom }))]);
  }
  for (const [key, title] of [
    ['2', 'Comps'],
    ['3', 'Markets'],
    ['4', 'Lists'],
    ['5', 'Import'],
    ['7', 'Usage'],
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
  const columns = ['what', 'median ms', 'p95 ms', 'held ms', 'own work ms'] as const;
  const told = rows.map(({ what, times, held }) => ({
    what,
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
