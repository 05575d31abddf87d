/** The import screen in Chromium: from a file to the first filter, by mouse and by keyboard; cancel, undo, refusals. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runRead } from '../../engine/reads/index.ts';
import { EngineError } from '../../engine/spec/errors.ts';
import type { JobStatus } from '../../engine/work/import-answers.ts';
import { collection, lot } from '../importing/fixtures.ts';
import { platbook } from '../support/platbook.ts';
import { requireOrSkip } from '../support/require.ts';
import { realDataOrSkip, sharedData } from '../support/shared-data.ts';
import { canMakeDisk, smallDisk } from '../support/small-disk.ts';
import { findings, themeNames } from './findings.ts';
import { importFolder } from './import-files.ts';
import { inTexas, townZip } from './town-zip.ts';
import { countOf, eventually, hasBrowser, type OpenWindow, openWindow, typeAndEnter } from './window.ts';

const available = hasBrowser();
const hasDisks = requireOrSkip('small disks', canMakeDisk(), 'only the superuser of a Linux machine makes them');

const step = (page: Page) => page.locator('.import-steps [aria-current=step]');
const next = (page: Page) => page.locator('[data-focus=import-next]');
const waitForStep = (page: Page, name: string) => step(page).filter({ hasText: name }).waitFor({ timeout: 30_000 });
const parcelsOf = ({ engine }: OpenWindow): number => engine.land.parcelCount;

async function choose(page: Page, ...names: string[]): Promise<void> {
  await page.getByRole('link', { name: 'Import' }).click();
  for (const name of names) await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: /^Look at/ }).click();
  await waitForStep(page, 'Look');
}

const toMap = async (page: Page) => {
  await next(page).click();
  await waitForStep(page, 'Map');
};

const toDryRun = async (page: Page) => {
  await next(page).click();
  await waitForStep(page, 'Dry run');
  await page.getByTestId('delta').waitFor({ timeout: 60_000 });
};

const run = async (page: Page) => {
  await next(page).click();
  await page.getByTestId('import-report').waitFor({ timeout: 60_000 });
};

/** Label → number, of the five counts. */
async function delta(page: Page): Promise<Record<string, number>> {
  const entries = await page
    .getByTestId('delta')
    .locator('div')
    .evaluateAll((cells) =>
      cells.map(
        (cell) =>
          [
            cell.querySelector('dt')?.textContent ?? '',
            Number(cell.querySelector('dd')?.textContent?.replaceAll(',', '')),
          ] as const,
      ),
    );
  return Object.fromEntries(entries);
}

describe.runIf(available)('import', () => {
  test('by mouse: a zipped Shapefile is looked at, mapped, tried, imported, filtered, and taken back', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'lempster_2026', 60);
    const opened = await openWindow({ home });
    const { page } = opened;
    await choose(page, 'lempster_2026');
    await page.getByText('Inside Sullivan County, NH 33019').waitFor();
    expect(await page.locator('.import-about').innerText()).toBe('lempster_2026.zip, Shapefile, 60 rows, 11 columns');
    await toMap(page);
    const goesTo = (source: string) => page.getByLabel(`${source} goes to`);
    expect(await goesTo('MAPLOT').inputValue()).toBe('apn');
    expect(await goesTo('DEED_AC').inputValue()).toBe('acres');
    await page.getByTestId('first-row').getByText('11-100').waitFor();
    // Unknown columns go where the user says, and the first row shows it.
    await goesTo('Q_U').selectOption('external_id');
    await page.getByTestId('first-row').getByText('External ID').waitFor();
    await goesTo('Q_U').selectOption('');
    await toDryRun(page);
    expect(parcelsOf(opened)).toBe(0);
    expect(await delta(page)).toEqual({ new: 60, changed: 0, unchanged: 0, 'retired, notes kept': 0, refused: 0 });
    // Every seventh deed says 4 acres of a lot of some 8.9: 0, 7, … 56 are nine.
    await page.getByRole('button', { name: /^Show Recorded and mapped acres over 5/ }).click();
    await eventually(() => page.locator('.problem-table tbody tr').count()).toBe(9);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Problem rows, CSV' }).click();
    const text = fs.readFileSync((await (await saved).path()) ?? '', 'utf8');
    expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(10);

    await run(page);
    expect(parcelsOf(opened)).toBe(60);
    await page.getByRole('button', { name: 'Open it in Explore' }).click();
    expect(await countOf(page)).toBe(60);
    await page.getByLabel('Acres to', { exact: true }).fill('5');
    await eventually(() => countOf(page)).toBe(9);

    await page.getByRole('link', { name: 'Import' }).click();
    // It asks first, and what is kept is kept.
    const undo = page.getByRole('button', { name: 'Undo this import' });
    await undo.click();
    await page.getByRole('button', { name: 'Take back 60 parcels' }).waitFor();
    await page.keyboard.press('Enter');
    await undo.click();
    expect(parcelsOf(opened)).toBe(60);
    await page.getByRole('button', { name: 'Take back 60 parcels' }).click();
    await page.getByText('Taken back: what import 1 did to 60 parcels.').waitFor({ timeout: 30_000 });
    expect(parcelsOf(opened)).toBe(0);
    // It can be redone, and a second undo asks with the same number.
    await page.getByRole('button', { name: 'Import another file' }).click();
    const loaded = () => page.getByRole('radio', { name: 'Loaded' }).click();
    await loaded();
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByText('Done again: what import 1 did to 60 parcels.').waitFor({ timeout: 30_000 });
    expect(parcelsOf(opened)).toBe(60);
    await page.getByRole('button', { name: 'What is loaded' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Take back 60 parcels' }).click();
    await page.getByText('Taken back: what import 1 did to 60 parcels.').waitFor({ timeout: 30_000 });
    expect(parcelsOf(opened)).toBe(0);
    expect(opened.ledger()).toEqual([]);
  });

  test('what the command line takes back or does again shows here, and it does the same with what was done here', {
    timeout: 180_000,
  }, async () => {
    const { folder, home } = importFolder();
    fs.writeFileSync(path.join(folder, 'lots.geojson'), collection([lot('7-1', 0), lot('7-2', 1)]));
    const opened = await openWindow({ home });
    const { page, engine } = opened;
    const mapping = { name: 'lots', columns: { apn: 'apn' } };
    const files = [path.join(folder, 'lots.geojson')];
    await engine.jobs.run('import_parcels', { files, county: '33019', date: '2026-11-01', mapping, anywhere: true });
    const line = async (...args: string[]) => (await platbook(home, ...args)).out;
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('radio', { name: 'Loaded' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await line('undo', '1')).toMatch(/^Import 1 is undone: 2 parcels/);
    expect(parcelsOf(opened)).toBe(0);
    // No focus comes back to a window beside the terminal.
    await page.getByRole('radio', { name: 'Where to get data' }).click();
    await page.getByRole('radio', { name: 'Loaded' }).click();
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByText('Done again: what import 1 did to 2 parcels.').waitFor({ timeout: 60_000 });
    expect(parcelsOf(opened)).toBe(2);
    expect(await line('undo', '1')).toMatch(/^Import 1 is undone: 2 parcels/);
    expect(await line('redo')).toMatch(/^Import 1 is in again: 2 parcels/);
    await page.getByRole('button', { name: 'What is loaded' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Take back 2 parcels' }).click();
    await page.getByText('Taken back: what import 1 did to 2 parcels.').waitFor({ timeout: 60_000 });
    expect(await line('datasets', 'imports')).toMatch(/done, redo/);
  });

  test.runIf(hasDisks)('the dry run shows each disk that the import writes to', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'lempster_2026', 60);
    const { page } = await openWindow({ home });
    await choose(page, 'lempster_2026');
    await toMap(page);
    const aside = page.getByLabel('What happens to what is there');
    await toDryRun(page);
    expect(await aside.getByText('Needed', { exact: true }).count()).toBe(1);
    expect(await aside.getByText(/^Disk of/).count()).toBe(0);
    await page.locator('.import-foot').getByRole('button').first().click();
    await waitForStep(page, 'Map');
    const disk = smallDisk(20);
    const before = process.env.TMPDIR;
    process.env.TMPDIR = disk.folder;
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      disk.remove();
    });
    await toDryRun(page);
    await aside.getByText(`Disk of the data folder, undo files: ${home}`).waitFor();
    await aside.getByText(`Disk of the temporary files: ${disk.folder}`).waitFor();
    expect(await aside.locator('.first-row').filter({ hasText: '20 MB' }).innerText()).toMatch(
      /Needed\s+\d+ kB\s+Free\s+20 MB/,
    );
  });

  test('what an import changed is seen by click and by keyboard, with the values before and now', async () => {
    const { folder, home } = importFolder();
    const file = path.join(folder, 'lots.geojson');
    const opened = await openWindow({ home });
    const { page, engine } = opened;
    const mapping = { name: 'lots', columns: { apn: 'apn', owner_name: 'owner', assessed_total_value: 'total' } };
    const importLots = (date: string, ...lots: Parameters<typeof collection>[0]) => {
      fs.writeFileSync(file, collection(lots));
      return engine.jobs.run('import_parcels', { files: [file], county: '33019', date, mapping, anywhere: true });
    };
    await importLots('2026-10-01', lot('7-1', 0, { owner: 'QUIST BO', total: 90_000 }), lot('7-2', 1), lot('7-3', 2));
    await importLots('2026-11-01', lot('7-1', 0, { owner: 'MOSS DI', total: 120_000 }), lot('7-2', 1), lot('7-4', 3));
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('radio', { name: 'Loaded' }).click();
    await page.getByRole('button', { name: 'Changes' }).click();
    const rows = page.locator('.changes-table tbody tr');
    const words = async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    await eventually(words).toEqual([
      '7-1 changed Owner QUIST BO → MOSS DI Assessed total $90,000 → $120,000',
      '7-3 retired',
      '7-4 new',
    ]);
    // The one before it is no longer what it was: only the latest is offered.
    await page.getByRole('button', { name: 'What is loaded' }).press('Enter');
    expect(await page.getByRole('button', { name: 'Changes' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Changes' }).press('Enter');
    await rows.first().getByRole('button', { name: '7-1' }).press('Enter');
    await page.locator('.detail').getByText('MOSS DI').first().waitFor();
    expect(opened.ledger()).toEqual([]);
  });

  test('a source that is more than a column name is shown whole', async () => {
    const { folder, home } = importFolder();
    const sizes = ['10,890 SF', '0.25 acres', '108,900 square feet'];
    const lots = Array.from({ length: 40 }, (_, i) => {
      const { geometry } = lot(null, i);
      return { geometry, properties: { PARCEL_NO: `7-${i + 100}`, LOT_SQUARE_FEET: sizes[i % 3] } };
    });
    fs.writeFileSync(path.join(folder, 'units.geojson'), collection(lots));
    const { page } = await openWindow({ home });
    await choose(page, 'units');
    await toMap(page);
    const source = page.locator('.map-source', { hasText: 'LOT_SQUARE_FEET, each value with its unit' });
    const [hidden, beside] = await source.evaluate((text) => {
      const cell = text.parentElement as HTMLElement;
      return [text.scrollHeight - text.clientHeight, cell.scrollWidth - cell.clientWidth];
    });
    expect([hidden, beside]).toEqual([0, 0]);
  });

  test('in an empty home five clicks lead from the first screen to a filter: way, file, look, import, open', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'lempster_2026', 60);
    const opened = await openWindow({ home });
    const { page } = opened;
    await page.getByRole('button', { name: /^Import my county/ }).click();
    await page.getByRole('button', { name: /^lempster_2026/ }).click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByRole('button', { name: 'Import it', exact: true }).click();
    await page.getByTestId('import-report').waitFor({ timeout: 60_000 });
    expect(parcelsOf(opened)).toBe(60);
    await page.getByRole('button', { name: 'Open it in Explore' }).click();
    await page.getByLabel('Acres to', { exact: true }).fill('5');
    await eventually(() => countOf(page)).toBe(9);
    // What is loaded could be replaced now: the next file is shown first.
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('button', { name: /^lempster_2026/ }).dblclick();
    await waitForStep(page, 'Look');
    expect(await page.getByRole('button', { name: 'Import it', exact: true }).count()).toBe(0);
  });

  test('by keyboard alone, from Ctrl+I to the first filter', async () => {
    const { folder, home } = importFolder();
    const file = townZip(folder, 'lempster_2026', 30);
    const { page } = await openWindow({ home });
    await page.locator('.rail').waitFor();
    await page.keyboard.press('Control+i');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('import-path');
    await page.keyboard.type(file);
    await page.keyboard.press('Enter');
    const tabTo = async (focus: string) => {
      for (let i = 0; i < 120; i++) {
        if ((await page.evaluate(() => document.activeElement?.getAttribute('data-focus'))) === focus) return;
        await page.keyboard.press('Shift+Tab');
      }
      throw new Error(`${focus} is not reached by Tab`);
    };
    for (const name of ['Look', 'Map', 'Dry run']) {
      await waitForStep(page, name);
      // The heading has the focus, and announcements continue from there.
      await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
      await eventually(() => next(page).isEnabled()).toBe(true);
      await tabTo('import-next');
      await page.keyboard.press('Enter');
    }
    await page.getByTestId('import-report').waitFor({ timeout: 60_000 });
    await page.keyboard.press('f');
    expect(await countOf(page)).toBe(30);
  });

  test('a file of another county is refused until the county is right; the next file of the town replaces, by the mapping that was kept', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'far_away', 20, inTexas);
    townZip(folder, 'town_2025', 40);
    townZip(folder, 'town_2026', 50);
    const opened = await openWindow({ home });
    const { page } = opened;
    await choose(page, 'far_away');
    await page.getByLabel('County', { exact: true }).fill('grafton nh');
    await page.getByRole('option', { name: /^Grafton County, NH/ }).waitFor();
    // Enter right after the last keystroke takes nothing offered for the earlier text.
    await typeAndEnter(page.getByLabel('County', { exact: true }), 'sullivan nh');
    await page.getByRole('option', { name: /^Sullivan County, NH/ }).click();
    await page.getByText(/^It lies in .+, TX \d{5}, not in Sullivan County/).waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await choose(page, 'town_2025');
    await toMap(page);
    await page.getByLabel('Q_U goes to').selectOption('external_id');
    await toDryRun(page);
    await run(page);
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'town_2026');
    await toMap(page);
    await page.getByText('Your mapping of the last file is used').waitFor();
    expect(await page.getByLabel('Q_U goes to').inputValue()).toBe('external_id');
    await toDryRun(page);
    expect(await delta(page)).toEqual({ new: 10, changed: 0, unchanged: 40, 'retired, notes kept': 0, refused: 0 });
    await page.getByRole('heading', { name: /^What happens to Sullivan County/ }).waitFor();
    // In addition to the loaded data, under another town's name, the same rows would be new.
    await page.getByLabel(/^Add beside it/).check();
    await page.getByLabel('Name of the town').fill('Goshen');
    await page.getByRole('button', { name: 'Dry run as Goshen' }).click();
    await eventually(() => delta(page).catch(() => null)).toEqual({
      new: 50,
      changed: 0,
      unchanged: 0,
      'retired, notes kept': 0,
      refused: 0,
    });
    await run(page);
    expect(parcelsOf(opened)).toBe(90);

    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('radio', { name: 'Loaded' }).click();
    const done = page.getByRole('region', { name: 'What was done' });
    await done.getByRole('row', { name: /Goshen .*50 new/ }).waitFor();
    const goshen = page.getByRole('article', { name: 'Goshen' });
    await goshen.getByText('50 parcels').waitFor();
    await goshen.getByText(/columns are published/).click();
    await goshen.getByText(/^Not published: /).waitFor();
    await goshen.getByRole('button', { name: /^Delete / }).click();
    await goshen.getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(() => parcelsOf(opened)).toBe(40);

    // The county is the file's, not that of the import before.
    await page.getByRole('button', { name: 'Import another file' }).click();
    await choose(page, 'far_away');
    await page.getByText(/^Inside .+, TX \d{5}/).waitFor();
  });

  test('an older file replaces newer data only once that is ticked', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'town', 20);
    const opened = await openWindow({ home });
    const { page, engine } = opened;
    const mapping = { name: 'town', columns: { apn: 'MAPLOT' } };
    const files = [path.join(folder, 'town.zip')];
    await engine.jobs.run('import_parcels', { files, county: '33019', date: '2026-11-01', mapping });
    const dates = () => engine.land.file.column<string>('SELECT source_date FROM datasets');
    expect(dates()).toEqual(['2026-11-01']);
    await choose(page, 'town');
    await page.getByLabel('Date of the data').fill('2024-01-01');
    await toMap(page);
    await toDryRun(page);
    await page.getByText('The data that is loaded is newer: tick above').waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    await page.getByLabel('Let this older file replace the newer data that is loaded').check();
    await run(page);
    expect(dates()).toEqual(['2024-01-01']);
  });

  test('a run goes on when the screen is left, waits for the one before it, and is cancelled with everything as it was', async () => {
    const { folder, home } = importFolder();
    const lots = Array.from({ length: 20_000 }, (_, i) => {
      const { properties } = lot(`R${i}`, 0);
      const [west, south] = [-72.2 + (i % 200) * 0.0005, 43.1 + Math.floor(i / 200) * 0.0005];
      const ring = [
        [west, south],
        [west + 0.0004, south],
        [west + 0.0004, south + 0.0004],
        [west, south + 0.0004],
        [west, south],
      ];
      return { properties, geometry: { type: 'Polygon', coordinates: [ring] } };
    });
    fs.writeFileSync(path.join(folder, 'many.geojson'), collection(lots));
    const opened = await openWindow({ home });
    const { page, engine } = opened;
    const options = { files: [path.join(folder, 'many.geojson')], county: '33019' };
    engine.jobs.start('import_parcels', { ...options, jurisdiction: 'Before' });
    engine.jobs.start('import_parcels', { ...options, jurisdiction: 'After' });
    await page.reload();
    const strip = page.locator('.job-strip');
    await strip.waitFor();
    await strip.click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Import' }).click();
    await page.locator('.job').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Everything is as it was.').waitFor({ timeout: 30_000 });
    const jobs = () => runRead(engine, 'jobs', {}) as JobStatus[];
    await eventually(() => jobs().map(({ state }) => state)).toContain('cancelled');
    await strip.click();
    await page.locator('.job').getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => jobs().every(({ state }) => state !== 'running' && state !== 'queued')).toBe(true);
    await strip.waitFor({ state: 'detached' });
    expect(parcelsOf(opened)).toBe(0);
  });

  test('a run that is cancelled or fails when its work is in already says so, with the way there', async () => {
    const { home } = importFolder();
    const { page, engine } = await openWindow({ home });
    /** Like a worker: reports what is committed, then continues until it is stopped or fails. */
    const start = (kind: string, title: string, report: object) => {
      const { promise: failing, reject: fail } = Promise.withResolvers<never>();
      failing.catch(() => {});
      engine.jobs.startHost({
        ...{ kind, title, lane: 'test' },
        work: ({ signal, progress, keep }) => {
          keep(report);
          progress({ phase: 'going on', rows: 0, total: null, rows_per_second: 0 });
          signal.addEventListener('abort', () => fail(signal.reason as Error));
          return failing;
        },
      });
      return () => fail(new EngineError('file_locked', 'Another program is writing land.sqlite; nothing was changed.'));
    };
    const strip = page.locator('.job-strip');
    start('import_comps', 'Import comps of sales.csv', { new: 4 });
    await page.reload();
    await strip.click();
    await page.locator('.job').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. The comps are in, and land is priced from them').waitFor();
    await page.getByRole('button', { name: 'See them in Comps' }).click();
    await page.getByRole('region', { name: 'Comps', exact: true }).waitFor();

    const failNow = start('import_parcels', 'Import town.zip', { fips: '33019', import_id: 1, completed: [] });
    await page.reload();
    await strip.click();
    await page.getByRole('progressbar').waitFor();
    failNow();
    await page.getByText('The import did not finish. The import of the parcels is in and can be taken back').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('Another program is writing land.sqlite.');
    expect(await page.getByText(/as it was|nothing was changed/).count()).toBe(0);
    await page.getByRole('button', { name: 'What is loaded' }).click();
    await page.getByText('Nothing is loaded yet').waitFor();

    // Elsewhere a line says it.
    const failThen = start('derive_comps', 'Comps from recorded sales', { comps: 2 });
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.reload();
    await strip.waitFor();
    failThen();
    await page
      .getByText(/^Comps from recorded sales: The comps are made, .* What came after failed: Another/)
      .waitFor();
  });

  test('headings in a given row, and several rows of one key, which the wizard asks about', async () => {
    const { folder, home } = importFolder();
    const features = ['7-1', '7-2', '7-3', '7-4', '7-5', '7-6'].map((PIN, index) => {
      const [west, south] = [-72.2 + index * 0.01, 43.35];
      const [east, north] = [west + 0.001, south + 0.001];
      const ring = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ];
      return { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties: { PIN } };
    });
    fs.writeFileSync(path.join(folder, 'lots.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    const rows = features.map(({ properties: { PIN } }, index) => `${PIN},ALDER ANN,${50_000 + index}`);
    const more = ['7-1,ALDER ANN,9', '7-2-A,ELM EVE,700', ''];
    const roll = ['Lot,Owner,Money', '', 'PIN,OWNER_NAME,LAND_VALUE', ...rows, ...more];
    fs.writeFileSync(path.join(folder, 'roll.csv'), roll.join('\n'));
    const { page, engine } = await openWindow({ home });
    await choose(page, 'lots', 'roll');
    await page.getByLabel('They stand in row').fill('3');
    await page.getByLabel('They stand in row').press('Enter');
    await page.getByRole('region', { name: 'roll.csv' }).getByText('OWNER_NAME').waitFor();
    await toMap(page);
    await page.getByTestId('several-rows').getByText('1 of the first parcels finds several rows').waitFor();
    await page.getByLabel('Or by column').fill('LAND_VALUE=sum');
    await page.getByLabel('Or by column').press('Enter');
    await page.getByTestId('several-rows').waitFor({ state: 'detached' });
    await page.getByLabel('Rows without a parcel').selectOption('stacked');
    await next(page).click();
    await page.getByTestId('filled').getByText('ALDER ANN').waitFor({ timeout: 60_000 });
    // The table has land values alone, and there are filters on them.
    await page.getByText(/^Filters on owner, value, acreage\. Those on sale, /).waitFor();
    await next(page).click();
    await page.getByText(/^Done in/).waitFor({ timeout: 60_000 });
    expect(
      engine.land.file.get<{ value: number }>("SELECT assessed_land_value AS value FROM parcels WHERE apn = '7-1'")
        ?.value,
    ).toBe(50_009);
    expect(engine.land.file.all("SELECT owner_name, stacked_on FROM parcels WHERE apn = '7-2-A'")).toEqual([
      { owner_name: 'ELM EVE', stacked_on: '7-2' },
    ]);
  });

  test('a parcel number that no name gives is asked, with candidates, and answered by a click', async () => {
    const { folder, home } = importFolder();
    const lots = Array.from({ length: 12 }, (_, at) => ({
      geometry: lot(null, at).geometry,
      properties: { CUST: `Q${at * 37}`, ACRES: 2 + at / 7, OWNER: `HOBSON ${'ABCDEFGHIJKL'[at]}NN` },
    }));
    fs.writeFileSync(path.join(folder, 'ledger.geojson'), collection(lots));
    const { page } = await openWindow({ home });
    await choose(page, 'ledger');
    await toMap(page);
    const question = page.getByRole('region', { name: 'Which column is the parcel number?' });
    await question.getByText('filled on 100 % of rows: Q0 · Q37 · Q74').waitFor();
    await page.getByText('1 question is open.').waitFor();
    await question.getByRole('button', { name: /^CUST/ }).click();
    await page.getByText('1 question is open.').waitFor({ state: 'detached' });
    await page.getByTestId('first-row').getByText('Q0').waitFor();
    await toDryRun(page);
    expect(await delta(page)).toMatchObject({ new: 12 });
  });

  test('a key of several columns is put together by click, and only then are the columns of the tables known', async () => {
    const { folder, home } = importFolder();
    const features = Array.from({ length: 12 }, (_, index) => ({
      type: 'Feature',
      geometry: lot(null, index).geometry,
      properties: { MAP: String(7 + Math.floor(index / 4)), LOT: String(100 + (index % 4)) },
    }));
    const keys = features.map(({ properties: { MAP, LOT } }) => `${MAP},${LOT}`);
    fs.writeFileSync(path.join(folder, 'lots.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    const roll = keys.map((key, index) => `${key},R${500 + index},ALDER ${'ABCDEFGHIJKL'[index]}NN`);
    fs.writeFileSync(path.join(folder, 'roll.csv'), ['Sheet,Lot No,PARCEL_ID,OWNER_NAME', ...roll, ''].join('\n'));
    const built = keys.map((key, index) => `${key},${1950 + index}`);
    fs.writeFileSync(path.join(folder, 'built.csv'), ['SHEET,LOT,YEAR_BUILT', ...built, ''].join('\n'));
    const { page, engine } = await openWindow({ home });
    await choose(page, 'lots', 'roll', 'built');
    await toMap(page);
    await page.getByText(/^Less than half of the parcels find a row in roll\.csv/).waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    for (const [name, map, lotColumn] of [
      ['roll.csv', 'Sheet', 'Lot No'],
      ['built.csv', 'SHEET', 'LOT'],
    ] as const) {
      const section = page.getByRole('region', { name: `How ${name} is joined` });
      for (const [side, first, second] of [
        ['Columns of the parcels', 'MAP', 'LOT'],
        ['Columns of the table', map, lotColumn],
      ] as const) {
        await section.getByLabel(side, { exact: true }).selectOption({ label: first });
        await section.getByLabel(`${side}, and`, { exact: true }).selectOption({ label: second });
      }
    }
    await page.getByText('100 % of the first parcels find a row.').nth(1).waitFor();
    await page.getByText(/^Less than half/).waitFor({ state: 'detached' });
    await page.getByLabel('PARCEL_ID goes to').waitFor();
    await toDryRun(page);
    await run(page);
    expect(
      engine.land.file.get("SELECT owner_name AS owner, year_built AS built FROM parcels WHERE apn = 'R511'"),
    ).toEqual({ owner: 'ALDER LNN', built: 1961 });
  });

  test('a table alone, a file that is none and a full refusal are said in the engine’s sentences', async () => {
    const { folder, home } = importFolder();
    fs.writeFileSync(path.join(folder, 'roll.csv'), 'PID,OWNER\n1,ROE\n2,DOE\n');
    fs.writeFileSync(path.join(folder, 'broken.geojson'), '{"type": "FeatureCollection", "features": [');
    const { page } = await openWindow({ home, expected: /Failed to load resource/ });
    await choose(page, 'roll');
    await page.getByText(/^This is a table: it has rows and no shapes/).waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    // Its rows may be parcels of their own, and the county is the user's to say.
    await page.getByLabel(/^Its rows are parcels without shapes/).check();
    await page.getByText('Which county is it of?').waitFor();
    await page.getByLabel('County', { exact: true }).fill('33019');
    await page.getByRole('option', { name: /Sullivan/ }).click();
    await toMap(page);
    await toDryRun(page);
    expect(await page.getByTestId('plan-lead').innerText()).toContain('2 parcels of 2 rows can go in.');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Path of a folder or file').fill(path.join(folder, 'nowhere.zip'));
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').filter({ hasText: 'nowhere.zip' }).waitFor();
    await page.getByLabel('Path of a folder or file').fill(path.join(folder, 'broken.geojson'));
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').filter({ hasText: 'broken.geojson' }).waitFor();
  });

  test('comps that make the values of a county worse are said so, loudly, with what to do', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'town', 20);
    const heads = 'source_id,status,price,lot_size,latitude,longitude,sold_date';
    // Spread over the town, one each 20 days; prices of lots differ by up to 15 %, of houses by ten times and more.
    const sales = (name: string, count: number, priceOf: (i: number) => number) =>
      fs.writeFileSync(
        path.join(folder, name),
        [
          heads,
          ...Array.from({ length: count }, (_, i) => {
            const [x, y] = [((i * 37) % 61) / 6100, ((i * 53) % 59) / 5900];
            const day = new Date(Date.UTC(2026, 8, 1) - i * 20 * 86_400_000).toISOString().slice(0, 10);
            return `${name[0]}${i},SOLD,${priceOf(i)},1,${43.2 + y},${-72.14 + x},${day}`;
          }),
        ].join('\n'),
      );
    sales('lots.csv', 60, (i) => 20_000 + ((i * 29) % 30) * 100);
    sales('mixed.csv', 60, (i) => 200_000 + ((i * 31) % 40) * 10_000);
    const { page } = await openWindow({ home });
    await choose(page, 'town');
    await toMap(page);
    await toDryRun(page);
    await run(page);
    for (const [file, said] of [
      ['lots', /half of \d+ sales within/],
      ['mixed', /^VALUES OF SULLIVAN COUNTY GOT WORSE: .* before\. Do the new comps hold houses/],
    ] as const) {
      await page.getByRole('button', { name: 'Import another file' }).click();
      await page.getByRole('radio', { name: 'Comps' }).click();
      await page.getByRole('button', { name: new RegExp(`^${file}`) }).click();
      await page.getByRole('button', { name: 'Look at it' }).click();
      await toMap(page);
      await next(page).click();
      await page.getByText(/^Done/).waitFor({ timeout: 60_000 });
      await page.getByText(said).waitFor();
    }
    expect(await findings(page)).toEqual([]);
  });

  test('the readiness list names the files and copies them; a layer, comps and contacts go in by the same way', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'town', 20);
    fs.writeFileSync(
      path.join(folder, 'contacts.csv'),
      'WHO,RESIDES,PV,MAILCODE,LINE A,STOP\n"FERREIRA, ANA",31 LARKSPUR CT,NH,03605,603-555-0123,yes\n',
    );
    const ring = [
      [-73, 43],
      [-71, 43],
      [-71, 44],
      [-73, 44],
      [-73, 43],
    ];
    fs.writeFileSync(
      path.join(folder, 'zips.geojson'),
      collection([{ properties: { ZCTA5CE20: '03605' }, geometry: { type: 'Polygon', coordinates: [ring] } }]),
    );
    fs.writeFileSync(
      path.join(folder, 'sales.csv'),
      'source_id,is_land,status,price,lot_size,latitude,longitude,sold_date\nS1,true,SOLD,50000,10,43.21,-72.14,2026-03-04\nS2,true,SOLD,64000,12,43.22,-72.13,2026-04-05\n',
    );
    const { page, engine } = await openWindow({ home });
    await choose(page, 'town');
    await toMap(page);
    await toDryRun(page);
    await run(page);
    await page.getByRole('button', { name: 'What is missing' }).click();
    await page.getByText('tl_2025_33019_roads.zip').first().waitFor();
    await page.getByRole('button', { name: /^Import ZIP/i }).click();
    await page.getByRole('button', { name: /^zips/ }).click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    await waitForStep(page, 'Look');
    await next(page).click();
    await page.getByText(/^ZIP areas: known for 20 of 20 parcels, from zips.geojson/).waitFor({ timeout: 60_000 });
    expect(engine.land.file.column('SELECT DISTINCT situs_zip FROM parcels')).toEqual(['03605']);

    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('radio', { name: 'Comps' }).click();
    await page.getByRole('button', { name: /^sales/ }).click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    await toMap(page);
    expect(await page.getByLabel('Price is read from').inputValue()).toBe('price');
    await page.getByTestId('first-rows').getByText('Price $50,000').waitFor();
    await next(page).click();
    await page.getByText(/^Done/).waitFor({ timeout: 60_000 });
    expect(engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM comps')?.n).toBe(2);

    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByRole('radio', { name: 'Contacts' }).click();
    await page.getByRole('button', { name: /^contacts/ }).click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    // Unknown headings are recognized by their values; an ambiguous flag is set by hand.
    await toMap(page);
    await page
      .getByTestId('first-rows')
      .getByText('ANA FERREIRA · 31 LARKSPUR CT, NH 03605 · (603) 555-0123')
      .waitFor();
    await page.getByRole('button', { name: /more fields/ }).click();
    await page.getByLabel('Do Not Call, all phones is read from').selectOption('STOP');
    await page.getByTestId('first-rows').getByText('(603) 555-0123 DNC Yes').waitFor();
    await next(page).click();
    await page.getByText(/^Done/).waitFor({ timeout: 60_000 });
    expect(engine.people.file.get<{ n: number }>('SELECT count(*) AS n FROM contacts')?.n).toBe(1);
    expect(fs.existsSync(path.join(home, 'mappings', 'contacts', 'contacts.json'))).toBe(true);
  });

  test('on a phone no count lies on another, and columns and files to fetch keep their names', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'town', 20);
    const { page } = await openWindow({ home, context: { viewport: { width: 390, height: 844 } } });
    const inTheirBoxes = (texts: string) =>
      page.locator(texts).evaluateAll((all) =>
        all.map((one) => {
          const holder = one.parentElement?.getBoundingClientRect();
          const { left, right, width } = one.getBoundingClientRect();
          return width > 20 && holder !== undefined && left >= holder.left - 1 && right <= holder.right + 1;
        }),
      );
    await choose(page, 'town');
    expect(await inTheirBoxes('.look-table td.mono')).toEqual(Array(11).fill(true));
    await toMap(page);
    expect(await inTheirBoxes('.map-table .goes-to')).not.toContain(false);
    await toDryRun(page);
    expect(await inTheirBoxes('.delta dt')).toEqual(Array(5).fill(true));
    expect(await inTheirBoxes('.check-table td:nth-child(2)')).not.toContain(false);
    await page.getByRole('button', { name: /^Show / }).click();
    const rows = page.locator('.problem-table');
    await eventually(async () => (await rows.boundingBox())?.y ?? 9999).toBeLessThan(600);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('radio', { name: 'Where to get data' }).click();
    await page.getByLabel('County', { exact: true }).fill('33019');
    await page.getByRole('option', { name: /Sullivan/ }).click();
    await page.locator('.source-file').first().waitFor();
    expect(await inTheirBoxes('.source-file > .mono')).not.toContain(false);
  });

  test('axe finds nothing serious or critical on any step, in any theme; nothing is cut off at 1024 × 680', async () => {
    const { folder, home } = importFolder();
    townZip(folder, 'town', 20);
    const { page } = await openWindow({ home, context: { viewport: { width: 1024, height: 680 } } });
    await page.locator('.rail').waitFor();
    const look = async (name: string) => {
      expect(await findings(page), name).toEqual([]);
      for (const theme of themeNames) {
        const wide = await page.evaluate((chosen) => {
          const root = document.documentElement;
          const before = root.dataset.theme ?? '';
          root.dataset.theme = chosen;
          const { scrollWidth } = root;
          root.dataset.theme = before;
          return scrollWidth;
        }, theme);
        expect(wide, `${name}, ${theme}: as wide as the window`).toBeLessThanOrEqual(1024);
      }
    };
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('button', { name: /^town/ }).waitFor();
    await look('choose');
    await choose(page, 'town');
    await page.getByText('Inside Sullivan County').waitFor();
    await look('look');
    await toMap(page);
    await page.getByTestId('first-row').waitFor();
    await page.getByRole('button', { name: /^How DEED_AC is read/ }).click();
    await look('map');
    await page.getByLabel('Q_U goes to').selectOption('last_sale_price_code');
    await toDryRun(page);
    await look('dry run');
    const lines = await page
      .getByTestId('filled')
      .locator('td.mono')
      .evaluateAll((cells) =>
        cells.map((cell) => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          return [cell.textContent, text.getClientRects().length];
        }),
      );
    expect(lines).toContainEqual(['last_sale_price_code', 1]);
    expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
    await run(page);
    await look('report');
    await page.getByRole('button', { name: 'Import another file' }).click();
    for (const view of ['Loaded', 'Where to get data']) {
      await page.getByRole('radio', { name: view }).click();
      await page.locator('.dataset, .source').first().waitFor();
      await look(view);
    }
  });
});

const real = realDataOrSkip('import of Washington, New Hampshire in the window');

describe.runIf(available && real)('a real county', () => {
  test('parcels and the assessor’s table of Washington go in by its profile, and the first filter counts', async () => {
    const { home } = importFolder();
    const folder = path.join(sharedData() ?? '', 'washington_nh');
    const opened = await openWindow({ home });
    const { page } = opened;
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByLabel('Path of a folder or file').fill(folder);
    await page.getByRole('button', { name: 'Open' }).click();
    await choose(page, 'parcels.geojson', 'assessor_2026-07.csv');
    await page.getByText('Inside Sullivan County, NH 33019').waitFor();
    await toMap(page);
    await page.getByText(/^Recognised: Washington, New Hampshire/).waitFor();
    await toDryRun(page);
    // 2,016 polygons, of which the table knows 2,015.
    expect((await delta(page)).new).toBe(2016);
    await run(page);
    expect(parcelsOf(opened)).toBe(2016);
    await page.getByRole('button', { name: 'Open it in Explore' }).click();
    expect(await countOf(page)).toBe(2016);
    await page.getByLabel('Acres from', { exact: true }).fill('100');
    await eventually(() => countOf(page)).toBe(
      opened.engine.land.file.get<{ n: number }>(
        'SELECT count(*) AS n FROM parcels WHERE coalesce(acres, calculated_acres) >= 100',
      )?.n,
    );
  });
});
