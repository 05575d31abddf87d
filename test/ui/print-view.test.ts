/** Print this view: the choices, the page's edges on the map, the file. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSampleHeights } from '../../engine/terrain/sample-heights.ts';
import { keepHeights } from '../../engine/terrain/store-heights.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { findings } from './findings.ts';
import { lookAt, openMapWindow } from './map-window.ts';
import { hasBrowser } from './window.ts';

const hasReader = requireOrSkip(
  'pdftotext',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the sheet back (apt-get install poppler-utils)',
);
/** Zoom 15.11 at 44 degrees is 1:6,000. */
const place = { longitude: -71.884, latitude: 44.058, zoom: 15.11 };

async function homeWithGround(): Promise<string> {
  const home = copyOfHome(sampleHome());
  const box = { minX: -71.9, minY: 44.05, maxX: -71.87, maxY: 44.07 };
  await keepHeights(home, openSampleHeights(), {
    fips: '99001',
    box,
    content: 'sample',
    attribution: '',
    onTile: () => {},
  });
  return home;
}

describe.runIf(hasBrowser() && hasReader)('print this view', { timeout: 300_000 }, () => {
  test('saves the seen place at the nearest scale, without owners unless they are asked for', async () => {
    const { page } = await openMapWindow({ home: await homeWithGround() });
    await lookAt(page, place);
    await page.getByRole('button', { name: 'Print this view' }).click();
    const form = page.getByRole('dialog', { name: 'Print this view' });
    await form.getByText(/The page shows [\d,]+ × [\d,]+ (ft|m) of ground/).waitFor();
    expect(await form.getByRole('combobox', { name: 'Scale' }).locator('option').first().textContent()).toBe(
      'As seen, 1:6,000',
    );
    await page.locator('.page-edges').waitFor();
    if (process.env.PLATBOOK_SHOTS) await page.screenshot({ path: path.join(process.env.PLATBOOK_SHOTS, 'print.png') });
    expect(await findings(page)).toEqual([]);
    expect(await form.getByRole('checkbox', { name: 'Owners’ names' }).isChecked()).toBe(false);
    const text = await savedText(page, 'A walk of mine');
    expect(text).toContain('A walk of mine');
    expect(text).toContain('1:6,000 on letter');
    expect(text).toMatch(/Contours every \d+ ft/);
    expect(text).toContain('9-94');
    // The classes of the legend, though nothing is searched for yet.
    expect(text).toContain('Value, $/ac');
    await page.getByText(/^One page at 1:6,000\./).waitFor();
  });
});

type Page = Awaited<ReturnType<typeof openMapWindow>>['page'];

async function savedText(page: Page, title: string): Promise<string> {
  const form = page.getByRole('dialog', { name: 'Print this view' });
  await form.getByLabel('Title').fill(title);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Save as PDF' }).click(),
  ]);
  const file = await download.path();
  if (process.env.PLATBOOK_SHOTS) fs.copyFileSync(file, path.join(process.env.PLATBOOK_SHOTS, 'view.pdf'));
  return execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' }).replace(/\s+/g, ' ');
}
