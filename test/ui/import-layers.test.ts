/** Layers through the import screen in Chromium: lines for roads, one layer of several, a coordinate system that is named. */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { featureOf, type LayerFeature, now, writeLayer } from '../enrichment/enriched-home.ts';
import { lotOfFeet, pathOfFeet } from '../enrichment/laid-shapes.ts';
import { gdalOrSkip, ogr2ogr } from '../support/gdal.ts';
import { makeZip } from '../support/make-zip.ts';
import { importFolder } from './import-files.ts';
import { eventually, hasBrowser, openWindow } from './window.ts';

const available = hasBrowser();
const hasGdal = gdalOrSkip('layers through the window');

/** Kansas North, US survey feet. */
const statePlane = 'EPSG:3420';
/** Osborne County, Kansas, by its outline. */
const fips = '20141';
const lot = { apn: '1', shape: lotOfFeet(0, 30, 100, 230) };
const street: LayerFeature = { lines: [pathOfFeet([-1000, 0], [1000, 0])], MTFCC: 'S1400' };
const zone = (feet: number): LayerFeature => ({ polygons: lotOfFeet(-10, 0, 300, 30 + feet), FLD_ZONE: 'AE' });

const next = (page: Page) => page.locator('[data-focus=import-next]');

async function lookAt(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('radio', { name: 'A layer' }).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('button', { name: 'Look at it' }).click();
  await page.getByLabel('Kind of layer').waitFor();
}

async function complete(page: Page, name: string): Promise<void> {
  await page.getByLabel('The file covers the whole county').check();
  await next(page).click();
  await page.getByText(new RegExp(`: known for 1 of 1 parcel, from ${name}`)).waitFor({ timeout: 60_000 });
}

const computed = ({ land }: Engine, column: string): unknown =>
  land.file.get<Record<string, unknown>>(`SELECT ${column} FROM parcels`)?.[column];

async function windowWith(write: (folder: string) => void) {
  const { folder, home } = importFolder();
  write(folder);
  const opened = await openWindow({ home });
  const { land } = opened.engine;
  const features = [featureOf(lot)];
  await importParcels(land, { features, fips, source: 'test', date: '2026-01-31', homeKind: 'real', now });
  return opened;
}

describe.runIf(available)('a layer', () => {
  test('that is only drawn is told by its columns, titled and kept; without a look it is not', async () => {
    const { page, engine } = await windowWith((folder) => {
      writeLayer(folder, 'lines.geojson', [
        { lines: [pathOfFeet([0, 0], [90, 9])], REACHCODE: '1', BROOK: 'Mill Brook' },
      ]);
    });
    await lookAt(page, 'lines');
    await eventually(() => page.getByLabel('Kind of layer').inputValue()).toBe('other');
    const look = page.getByLabel('Drawn as');
    expect(await look.inputValue()).toBe('stream');
    await look.selectOption('');
    await page.getByText('do not show how to draw it').waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    await look.selectOption('stream');
    await page.getByLabel('Column of the names').selectOption('BROOK');
    await page.getByLabel('Title on the map').fill('Brooks');
    await page.getByRole('button', { name: 'Draw it on the map' }).click();
    await page.getByText('Brooks: 1 feature for the map, from lines.geojson.').waitFor({ timeout: 60_000 });
    expect(engine.land.file.column('SELECT name FROM layer_features')).toEqual(['Mill Brook']);
  });

  test('of roads is looked at and its frontage computed; areas are refused as roads, and no file takes the kind of the one before', async () => {
    const { page, engine } = await windowWith((folder) => {
      writeLayer(folder, 'streets.geojson', [street]);
      writeLayer(folder, 'flooding.geojson', [zone(50)]);
      writeLayer(folder, 'yards.geojson', [{ polygons: lotOfFeet(0, 0, 50, 50) }]);
    });
    await lookAt(page, 'flooding');
    const kind = page.getByLabel('Kind of layer');
    await eventually(() => kind.inputValue()).toBe('flood');
    await kind.selectOption('roads');
    await page.getByText('It holds areas, and for Roads a file of lines is needed.').waitFor();
    expect(await next(page).isDisabled()).toBe(true);
    await kind.selectOption('flood');
    await page.getByText('Inside Osborne County, KS').waitFor();
    expect(await next(page).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();

    // Nothing in it says what it holds, and the kind of the file before is not its own.
    await lookAt(page, 'yards');
    await page.getByText('It holds areas, and for Roads a file of lines is needed.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await lookAt(page, 'streets');
    await eventually(() => kind.inputValue()).toBe('roads');
    // Its front lies 30 ft off the road.
    await page.locator('summary', { hasText: 'Settings' }).click();
    await page.getByLabel('Reach of a road or shore (ft)').fill('20');
    await complete(page, 'streets.geojson');
    expect(computed(engine, 'road_frontage_ft')).toBe(0);
    await page.getByRole('button', { name: 'Another layer' }).click();
    await page.getByRole('button', { name: /^streets/ }).click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    await complete(page, 'streets.geojson');
    expect(computed(engine, 'road_frontage_ft')).toBe(100);
  });

  test('of roads in a town’s own classes stands in a table, with a class for each value', async () => {
    const { page, engine } = await windowWith((folder) => {
      const front = { lines: [pathOfFeet([-1000, 0], [1000, 0])] };
      const back = { lines: [pathOfFeet([-1000, 900], [1000, 900])] };
      const ofClasses = ['II', 'V', 'V', 'V', 'Trail'].map((rd_cls) => ({ ...back, rd_cls }));
      writeLayer(folder, 'town-roads.geojson', [{ ...front, rd_cls: 'VI' }, ...ofClasses]);
    });
    await lookAt(page, 'town-roads');
    await page.getByLabel('Kind of layer').selectOption('roads');
    expect(await page.getByLabel('Column of the class').inputValue()).toBe('rd_cls');
    expect(await page.getByLabel('Trail · 1').inputValue()).toBe('none');
    expect(await page.getByLabel('V · 3 · your choice').inputValue()).toBe('local');
    await page.getByLabel('VI · 1 · your choice').selectOption('none');
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
    await complete(page, 'town-roads.geojson');
    expect(computed(engine, 'road_frontage_ft')).toBe(0);
    expect(computed(engine, 'landlocked')).toBe(1);
  });

  test.runIf(hasGdal)('is the one of several that is meant or chosen, in the system that is named', async () => {
    const { page, engine } = await windowWith((folder) => {
      const parts = { S_BFE: [street, street, street], S_FLD_HAZ_AR: [zone(50)], S_OLD_HAZ_AR: [zone(150)] };
      for (const [name, features] of Object.entries(parts)) {
        const source = writeLayer(folder, `${name}.geojson`, features);
        ogr2ogr('-f', 'ESRI Shapefile', '-t_srs', statePlane, path.join(folder, `${name}.shp`), source);
        fs.rmSync(source);
      }
      const names = fs.readdirSync(folder).filter((name) => /\.(?:shp|shx|dbf|prj)$/.test(name));
      const entries = names.map((name) => ({ name, content: fs.readFileSync(path.join(folder, name)) }));
      fs.writeFileSync(path.join(folder, 'nfhl.zip'), makeZip(entries));
      fs.writeFileSync(path.join(folder, 'bare.zip'), makeZip(entries.filter(({ name }) => !name.endsWith('.prj'))));
    });
    await lookAt(page, 'nfhl');
    await page.getByLabel('Kind of layer').selectOption('flood');
    expect(await page.getByRole('combobox', { name: /^Layer/ }).inputValue()).toBe('S_FLD_HAZ_AR');
    await complete(page, 'nfhl.zip');
    expect(computed(engine, 'flood_zone_percent')).toBe(25);

    await page.getByRole('button', { name: 'Import another file' }).click();
    await lookAt(page, 'bare');
    await page.getByLabel('Kind of layer').selectOption('flood');
    await page.getByRole('combobox', { name: /^Layer/ }).selectOption('S_OLD_HAZ_AR');
    await page.getByText('The file names no coordinate system').waitFor();
    await page.getByPlaceholder('EPSG:2823').fill(statePlane);
    await page.keyboard.press('Enter');
    await page.getByText('Inside Osborne County, KS').waitFor();
    expect(await page.getByRole('combobox', { name: /^Layer/ }).inputValue()).toBe('S_OLD_HAZ_AR');
    await complete(page, 'bare.zip');
    expect(computed(engine, 'flood_zone_percent')).toBe(75);
  });
});
