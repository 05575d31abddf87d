/**
 * `npm run screens [folder] [names or their first letters, with commas] [--size 1024x680] [--theme dark] [--large-text]`:
 * pictures of every screen and state in three themes, to compare with the mock's. Only of the sample county; nothing real
 * is ever drawn.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { type Engine, openEngine } from '../../engine/engine.ts';
import { keepSampleGround, placeSample } from '../../engine/sample-county.ts';
import { keepMarket } from '../../engine/value-explained.ts';
import { builtRenderer } from './build-renderer.ts';
import { enlargeText } from './large-text.ts';
import { launchDrawingBrowser } from './launch-browser.ts';
import { mapSettled } from './map-view.ts';
import { exploreShots } from './shots/explore-shots.ts';
import { fieldShots } from './shots/field-shots.ts';
import { writeImportFiles } from './shots/import-files.ts';
import { importShots } from './shots/import-shots.ts';
import { mailingShots } from './shots/mailing-shots.ts';
import { mapShots } from './shots/map-shots.ts';
import { parcelShots } from './shots/parcel-shots.ts';
import { photoShots } from './shots/photo-shots.ts';
import type { Shot } from './shots/shot.ts';
import { stateShots } from './shots/state-shots.ts';
import { openTroubledHome } from './shots/troubled-home.ts';
import { workShots } from './shots/work-shots.ts';
import { townZip } from './town-zip.ts';

const shots: readonly Shot[] = [
  ...exploreShots,
  ...mapShots,
  ...photoShots,
  ...fieldShots,
  ...parcelShots,
  ...workShots,
  ...mailingShots,
  ...importShots,
  ...stateShots,
];

async function shoot(browser: Browser, engine: Engine, link: string, shot: Shot, theme: string, file: string) {
  // The home remembers for all windows: without this, a picture would begin with the theme and filter of the one before.
  engine.account.file.run('DELETE FROM window_memory');
  const context = await browser.newContext({ viewport: shot.size ?? { width: 1440, height: 900 } });
  await context.addInitScript((chosen) => {
    localStorage.setItem('platbook.settings', JSON.stringify({ theme: chosen }));
  }, theme);
  if (shot.isLargeText) await context.addInitScript(enlargeText);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(link);
  await page.locator('.rail').waitFor();
  const after = await shot.act?.(page, engine);
  if (await page.locator(':is(.map-slot, .field-mode) .map-canvas canvas').isVisible()) await mapSettled(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: file });
  if (typeof after === 'function') after();
  await context.close();
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string' }, theme: { type: 'string' }, 'large-text': { type: 'boolean' } },
});

/** Pictures of a size or with a text that the shot itself does not choose say so in their names. */
function asked(shot: Shot): Shot {
  const isLarger = values['large-text'] && !shot.isLargeText;
  const isSized = values.size && !shot.size;
  const [width = 0, height = 0] = (values.size ?? '').split('x').map(Number);
  return {
    ...shot,
    ...(isLarger && { isLargeText: true }),
    ...(isSized && { size: { width, height } }),
    name: [shot.name, isSized && values.size, isLarger && 'text-200'].filter(Boolean).join('-'),
  };
}

async function main(folder: string, only: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const homes = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-screens-'));
  const quiet = { print: () => {}, note: () => {}, progress: () => {} };
  const pages = await builtRenderer();
  placeSample(path.join(homes, 'sample'));
  const sample = openEngine({ home: path.join(homes, 'sample') });
  await keepSampleGround(sample);
  keepMarket(sample.land, '99001', sample.now());
  townZip(homes, 'lempster_2026', 60);
  writeImportFiles(homes);
  const empty = openEngine({ home: path.join(homes, 'empty'), create: true });
  const troubled = await openTroubledHome(homes, sample.home, pages);
  const opened = {
    sample: { engine: sample, window: await openAppWindow(sample, { port: 0 }, quiet, pages) },
    empty: { engine: empty, window: await openAppWindow(empty, { port: 0 }, quiet, pages) },
    troubled,
  };
  const browser = await launchDrawingBrowser();
  for (const shot of shots.filter(({ name }) => only.split(',').some((begin) => name.startsWith(begin))).map(asked)) {
    const { engine, window } = opened[shot.home ?? 'sample'];
    const themes = values.theme ? [values.theme] : ['light', 'dark', 'outdoor'];
    for (const theme of shot.themes ?? themes) {
      const file = path.join(folder, `${shot.name}-${theme}.png`);
      // One that fails leaves the others.
      const failure = await shoot(browser, engine, window.link(), shot, theme, file).catch((error: Error) => error);
      if (failure) process.exitCode = 1;
      console.log(failure ? `${file}: ${failure.message}` : file);
    }
  }
  await browser.close();
  await troubled.close();
  for (const { engine, window } of [opened.sample, opened.empty]) {
    await window.close();
    engine.close();
  }
  fs.rmSync(homes, { recursive: true, force: true });
}

await main(positionals[0] ?? path.join(os.tmpdir(), 'platbook-screens'), positionals[1] ?? '');
