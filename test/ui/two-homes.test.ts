/** From the sample county to the user's own home and back, in one browser, without a terminal. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownHomeFolder, sampleHomeFolder } from '../../engine/home-folder.ts';
import { sampleHome } from '../support/homes.ts';
import { importFolder } from './import-files.ts';
import { townZip } from './town-zip.ts';
import { countOf, eventually, hasBrowser, openWindow } from './window.ts';

test('a sample lies next to the home that it belongs to, and one elsewhere belongs to none', () => {
  const home = path.join('data', 'platbook');
  expect(ownHomeFolder(sampleHomeFolder(home))).toBe(home);
  for (const elsewhere of [home, path.join('data', 'sample'), path.join('data', '-sample')])
    expect(ownHomeFolder(elsewhere)).toBeNull();
});

const available = hasBrowser();

/** A sample next to an own home that is not there yet. */
function sampleBesideNothing(): { folder: string; own: string; sample: string } {
  const { folder, home: own } = importFolder();
  const sample = sampleHomeFolder(own);
  fs.rmSync(own, { recursive: true });
  fs.cpSync(sampleHome(), sample, { recursive: true });
  onTestFinished(() => fs.rmSync(sample, { recursive: true, force: true }));
  return { folder, own, sample };
}

describe.runIf(available)('two homes', () => {
  test('a county is imported from the sample into the own home; the sample keeps what it has, and the way leads back', async () => {
    const { folder, own, sample } = sampleBesideNothing();
    const file = townZip(folder, 'lempster_2026', 30);
    const { page, engine, ledger } = await openWindow({ context: {}, home: sample });
    const sampleCount = await countOf(page);
    const sampleOrigin = new URL(page.url()).origin;
    await page.getByRole('button', { name: 'Import real data' }).click();
    await page.locator('[data-focus=import-path]').waitFor();
    const { origin, hash } = new URL(page.url());
    expect(hash).toBe('#/import');
    expect(origin).not.toBe(sampleOrigin);
    expect(fs.existsSync(path.join(own, 'land.sqlite'))).toBe(true);
    expect(await page.getByText('The people, parcels and prices are invented.').count()).toBe(0);

    await page.locator('[data-focus=import-path]').fill(file);
    await page.keyboard.press('Enter');
    const step = (name: string) =>
      page.locator('.import-steps [aria-current=step]').filter({ hasText: name }).waitFor({ timeout: 30_000 });
    for (const name of ['Look', 'Map']) {
      await step(name);
      await page.locator('[data-focus=import-next]').click();
    }
    await step('Dry run');
    await page.getByTestId('delta').waitFor({ timeout: 60_000 });
    await page.locator('[data-focus=import-next]').click();
    await page.getByTestId('import-report').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Open it in Explore' }).click();
    expect(await countOf(page)).toBe(30);

    // None of its rows appears beside invented ones.
    expect(engine.land.kind).toBe('sample');
    expect(engine.land.parcelCount).toBe(sampleCount);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').fill('sample county');
    await page.keyboard.press('Enter');
    await page.getByText('The people, parcels and prices are invented.').waitFor();
    expect(new URL(page.url()).origin).toBe(sampleOrigin);
    expect(await countOf(page)).toBe(sampleCount);
    await page.getByRole('button', { name: 'My own data' }).click();
    await eventually(() => new URL(page.url()).origin).toBe(origin);
    expect(await countOf(page)).toBe(30);
    expect(ledger()).toEqual([]);
  });

  test('the way to the own home is a link for one opening, given to pages of the sample alone', async () => {
    const { sample } = sampleBesideNothing();
    const { page, app } = await openWindow({
      context: {},
      home: sample,
      expected: /status of 40[13]|Content Security Policy/,
    });
    await countOf(page);
    const link = await page.evaluate(async () => {
      const answer = await fetch('/app/open-home', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
      return ((await answer.json()) as { data: { link: string } }).data.link;
    });
    const there = new URL(link).origin;
    // No cookie of the sample opens anything of the other listener, and no stranger gets a link.
    expect((await fetch(`${there}/`)).status).toBe(401);
    expect(
      await page.evaluate(async (to) => {
        try {
          return (await fetch(`${to}/app/read/home`, { method: 'POST', body: '{}' })).status;
        } catch {
          return 'refused';
        }
      }, there),
    ).toBe('refused');
    const stranger = await fetch(`${app.server.baseUrl}/app/open-home`, { method: 'POST', body: '{}' });
    expect(stranger.status).toBe(403);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(403);
  });

  test('a home that cannot be opened says why, stays as it is, and is tried again at the next press', async () => {
    const { own, sample } = sampleBesideNothing();
    fs.mkdirSync(own);
    const damaged = path.join(own, 'land.sqlite');
    fs.writeFileSync(damaged, 'this is no database, and not one byte of it may change');
    const { page } = await openWindow({ context: {}, home: sample, expected: /status of \d+/ });
    await countOf(page);
    await page.getByRole('button', { name: 'Import real data' }).click();
    await page
      .locator('.toasts, [role=status]')
      .getByText(/land\.sqlite/)
      .first()
      .waitFor();
    expect(fs.readFileSync(damaged, 'utf8')).toBe('this is no database, and not one byte of it may change');
    fs.rmSync(damaged);
    await page.getByRole('button', { name: 'Import real data' }).click();
    await page.locator('[data-focus=import-path]').waitFor();
  });
});
