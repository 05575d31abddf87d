/**
 * `node test/ui/walk.ts [folder] [--form 390x844]`: a walk through the whole of Field mode, played from a recorded NMEA
 * file, by touch alone and by keys alone, on a laptop's and a phone's size, with text of 100 % and 200 %: for each task its
 * presses and how long the window took, from the first press to what is then seen. With a folder, a picture after each task.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { tableText } from '../../engine/cli/output.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { runRead } from '../../engine/reads/index.ts';
import { keepSampleGround, placeSample } from '../../engine/sample-county.ts';
import { makeJpeg } from '../support/make-photo.ts';
import { builtRenderer } from './build-renderer.ts';
import { playedWalk, recordWalk, stepTo, takeOverLocation } from './field-walk.ts';
import { enlargeText } from './large-text.ts';
import { launchDrawingBrowser } from './launch-browser.ts';
import { mapSettled } from './map-view.ts';

const sizes = {
  '1024x680': { width: 1024, height: 680 },
  '390x844': { width: 390, height: 844 },
  '844x390': { width: 844, height: 390 },
} as const;

interface Form {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly isLargeText: boolean;
}

const forms: readonly Form[] = [
  ...Object.entries(sizes).map(([name, viewport]) => ({ name, viewport, isLargeText: false })),
  ...(['1024x680', '390x844'] as const).map((size) => ({
    ...{ name: `${size}-text-200`, viewport: sizes[size], isLargeText: true },
  })),
];
const hands = ['touch', 'keys'] as const;
type Format = 'GPX' | 'KML';
type HandName = (typeof hands)[number];

/** A receiver gives one a second. */
const stepMilliseconds = 1000;
/** Meters of the walk before the line and behind it. */
const walked = 15;

interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

/** Presses that are counted. */
class Hand {
  readonly page: Page;
  readonly isTouch: boolean;
  presses = 0;

  constructor(page: Page, name: HandName) {
    this.page = page;
    this.isTouch = name === 'touch';
  }

  async tap(target: Locator): Promise<void> {
    this.presses++;
    await target.tap();
  }

  async key(key: string): Promise<void> {
    this.presses++;
    await this.page.keyboard.press(key);
  }

  /** Letter by letter, on a phone's keyboard too. */
  async type(text: string): Promise<void> {
    this.presses += text.length;
    await this.page.keyboard.type(text);
  }

  /** @param touched or pressed, by the hand */
  press(touched: Locator, key: string): Promise<void> {
    return this.isTouch ? this.tap(touched) : this.key(key);
  }
}

interface Walk {
  readonly page: Page;
  readonly hand: Hand;
  readonly pin: Place;
}

interface Task {
  readonly name: string;
  readonly act: (walk: Walk) => Promise<unknown>;
}

const action = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name });
const sheet = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const side = (page: Page) => page.getByTestId('field-side');
const toast = (page: Page, text: RegExp) => page.getByRole('status').getByText(text).last();

/** Waits until the focus is where the next key must go. */
async function hasFocus(target: Locator): Promise<void> {
  const element = await target.elementHandle();
  await target.page().waitForFunction((one) => one?.contains(document.activeElement), element);
}

async function chooseFile({ page, hand }: Walk, buffer: Buffer): Promise<void> {
  await hand.press(action(page, 'Photo'), 'c');
  const chooser = page.waitForEvent('filechooser');
  await hasFocus(sheet(page, 'Photo'));
  await hand.press(page.locator('.field-choose'), 'Enter');
  await (await chooser).setFiles({ name: 'pin.jpg', mimeType: 'image/jpeg', buffer });
}

async function fromPalette({ page, hand }: Walk, format: Format): Promise<void> {
  if (hand.isTouch) await hand.tap(page.getByRole('button', { name: /^Command palette/ }));
  else await hand.key('Control+k');
  const input = page.getByPlaceholder('What do you want to do?');
  await hasFocus(input);
  await hand.type(format);
  await hand.press(page.getByRole('option', { name: new RegExp(`tracks as ${format}`) }), 'Enter');
}

async function saveNotes({ page }: Walk, format: Format, save: () => Promise<void>): Promise<void> {
  const saved = page.waitForEvent('download');
  await save();
  const text = fs.readFileSync(await (await saved).path(), 'utf8');
  if (!text.includes('Waypoint 1') || !text.includes('Track 1')) throw new Error(`${format} misses what was kept.`);
}

const tasks: readonly Task[] = [
  {
    name: 'enter, and read the card',
    act: async ({ page, hand }) => {
      await hand.press(page.getByRole('button', { name: 'Field mode' }), 'Shift+F');
      await side(page).getByText('Inside').waitFor();
    },
  },
  {
    name: 'whose land, and close it',
    act: async ({ page, hand }) => {
      await hand.press(action(page, 'Whose land'), 'w');
      await page.getByRole('button', { name: /^Open .*, leaving Field mode$/ }).waitFor();
      await hand.press(page.getByRole('button', { name: 'Close: Whose land' }), 'Escape');
      await sheet(page, 'Whose land').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'keep a waypoint',
    act: async ({ page, hand }) => {
      await hand.press(action(page, 'Waypoint'), 'p');
      await hasFocus(sheet(page, 'Waypoint'));
      await hand.press(page.getByRole('button', { name: 'Keep it' }), 'Enter');
      await toast(page, /^Set “Waypoint 1”/).waitFor();
    },
  },
  {
    name: 'keep a photo that says its place',
    act: async (walk) => {
      await chooseFile(walk, makeJpeg({ place: [walk.pin.longitude, walk.pin.latitude] }));
      await toast(walk.page, /^Added the photo/).waitFor();
    },
  },
  {
    name: 'keep a photo without a place, on this parcel',
    act: async (walk) => {
      const { page, hand } = walk;
      await chooseFile(walk, makeJpeg());
      const first = sheet(page, 'Photo').getByRole('button', { name: /^On / }).first();
      await first.waitFor();
      if (!hand.isTouch) await hasFocus(first);
      await hand.press(first, 'Enter');
      await sheet(page, 'Photo').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'start a track',
    act: async ({ page, hand }) => {
      await hand.press(action(page, 'Track'), 't');
      await page.locator('.field-action[aria-pressed=true]').getByText('Track').waitFor();
    },
  },
  {
    name: 'walk over the line: the card names the lot beyond',
    act: async ({ page }) => {
      const apn = page.locator('.field-apn').first();
      const before = await apn.innerText();
      await apn.filter({ hasNotText: before }).waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'go to the waypoint',
    act: async ({ page, hand }) => {
      await hand.press(action(page, 'Go to'), 'g');
      const place = sheet(page, 'Go to').getByRole('button', { name: /^Waypoint 1/ });
      await place.waitFor();
      if (!hand.isTouch) await hasFocus(sheet(page, 'Go to'));
      await hand.press(place, 'Enter');
      await page.getByTestId('field-go').waitFor();
    },
  },
  {
    name: 'stop going there',
    act: async ({ page, hand }) => {
      if (hand.isTouch) await hand.tap(page.getByRole('button', { name: 'Stop going to Waypoint 1' }));
      else {
        await hand.key('g');
        await hasFocus(sheet(page, 'Go to').getByRole('button', { name: 'Stop going to Waypoint 1' }));
        await hand.key('Enter');
      }
      await page.getByTestId('field-go').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'end the track',
    act: async ({ page, hand }) => {
      await hand.press(action(page, 'Track'), 't');
      await toast(page, /^Ended “Track 1”/).waitFor();
    },
  },
  {
    name: 'save what is kept as GPX',
    act: (walk) =>
      saveNotes(walk, 'GPX', () =>
        walk.hand.isTouch
          ? walk.hand.tap(walk.page.getByRole('button', { name: 'Save GPX' }))
          : fromPalette(walk, 'GPX'),
      ),
  },
  {
    name: 'leave',
    act: async ({ page, hand }) => {
      await hand.press(page.getByRole('button', { name: 'Done' }), 'Escape');
      await page.locator('.rail').waitFor();
    },
  },
  { name: 'save it as KML, from the palette', act: (walk) => saveNotes(walk, 'KML', () => fromPalette(walk, 'KML')) },
];

/** A lot of some acres whose nearest line is another lot's, not a road's. */
async function lotBesideAnother(engine: Engine) {
  const lots = engine.land.file.all<Place>(
    `SELECT point_lon AS longitude, point_lat AS latitude FROM parcels
     WHERE geom IS NOT NULL AND status = 'current' AND acres BETWEEN 20 AND 40 ORDER BY property_id LIMIT 50`,
  );
  for (const lot of lots) {
    const { position } = await runRead(engine, 'position_in_parcel', { ...lot, accuracy_meters: 4 });
    if (position?.side === 'inside' && position.beyond)
      return { lot, line: position.line_point, feet: position.feet_to_line, course: position.toward };
  }
  throw new Error('The sample has no such lot.');
}

/** From the middle of a lot straight over its nearest line: inside, then outside. */
async function recordedWalk(engine: Engine, file: string): Promise<Place> {
  const { lot, line, feet, course } = await lotBesideAnother(engine);
  const far = feet * 0.3048;
  const places = Array.from({ length: 2 * walked }, (_, meters): [number, number] => {
    const share = (far + meters - walked) / far;
    return [
      lot.longitude + (line.longitude - lot.longitude) * share,
      lot.latitude + (line.latitude - lot.latitude) * share,
    ];
  });
  fs.writeFileSync(file, `${recordWalk(places, course).join('\r\n')}\r\n`);
  const [longitude, latitude] = places[0] as [number, number];
  return { longitude, latitude };
}

/** Gives the recorded positions to the page; the last one goes on. */
function play(page: Page, file: string): { begin(): void; end(): void } {
  // A second's first sentence knows no accuracy yet.
  const steps = playedWalk(fs.readFileSync(file, 'utf8').split('\r\n')).filter((_, i) => i % 2 === 1);
  let next = 0;
  let isWalking = false;
  const give = () => {
    const { step } = steps[Math.min(next, steps.length - 1)] as (typeof steps)[number];
    if (isWalking) next++;
    stepTo(page, step).catch(() => {});
  };
  const timer = setInterval(give, stepMilliseconds);
  return {
    begin: () => {
      isWalking = true;
    },
    end: () => clearInterval(timer),
  };
}

async function walkThrough(browser: Browser, engine: Engine, link: string, hand: HandName, form: Form) {
  engine.account.file.run('DELETE FROM window_memory');
  const context = await browser.newContext({
    viewport: form.viewport,
    ...(hand === 'touch' ? { hasTouch: true, isMobile: true } : {}),
  });
  await context.addInitScript(() => {
    localStorage.setItem('platbook.location', JSON.stringify({ on: true, source: 'system', place: '' }));
  });
  if (form.isLargeText) await context.addInitScript(enlargeText);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(link);
  await page.locator('[data-testid=count][data-current=true]').first().waitFor({ state: 'attached' });
  await takeOverLocation(page);
  const recording = path.join(engine.home, 'walk.nmea');
  const pin = await recordedWalk(engine, recording);
  const player = play(page, recording);
  const walk: Walk = { page, hand: new Hand(page, hand), pin };
  const rows: { task: string; presses: number; seconds: number }[] = [];
  for (const [index, { name, act }] of tasks.entries()) {
    walk.hand.presses = 0;
    if (name.startsWith('walk')) player.begin();
    const began = performance.now();
    await act(walk);
    rows.push({ task: name, presses: walk.hand.presses, seconds: (performance.now() - began) / 1000 });
    await picture(page, `${form.name}-${hand}-${String(index + 1).padStart(2, '0')}`);
  }
  player.end();
  await context.close();
  return rows;
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { form: { type: 'string' } } });
const [folder] = positionals;
if (folder) fs.mkdirSync(folder, { recursive: true });

async function picture(page: Page, name: string): Promise<void> {
  if (!folder) return;
  if (await page.locator('.map-canvas canvas').isVisible()) await mapSettled(page);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

const homes = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-walk-'));
const quiet = { print: () => {}, note: () => {}, progress: () => {} };
const pages = await builtRenderer();
const browser = await launchDrawingBrowser();
try {
  const found = new Map<string, Record<string, string>>(tasks.map(({ name }) => [name, { task: name }]));
  const columns: string[] = [];
  for (const form of forms.filter(({ name }) => name.startsWith(values.form ?? ''))) {
    for (const hand of hands) {
      const home = path.join(homes, `${form.name}-${hand}`);
      placeSample(home);
      const engine = openEngine({ home });
      await keepSampleGround(engine);
      const window = await openAppWindow(engine, { port: 0 }, quiet, pages);
      const column = `${form.name} ${hand}`;
      columns.push(column);
      for (const { task, presses, seconds } of await walkThrough(browser, engine, window.link(), hand, form)) {
        const row = found.get(task);
        if (row) row[column] = `${presses} · ${seconds.toFixed(1)} s`;
      }
      await window.close();
      engine.close();
    }
  }
  console.log(tableText(['task', ...columns], [...found.values()]));
} finally {
  await browser.close();
  fs.rmSync(homes, { recursive: true, force: true });
}
