/** Settings: looks, plan, keys, the API, base maps, diagnostics; and the banners of a home that cannot be written. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backupHome } from '../../engine/backup/backup-home.ts';
import { plannedRestore } from '../../engine/backup/restore-home.ts';
import type { Engine } from '../../engine/engine.ts';
import { switchedListener } from '../../engine/http/switched-listener.ts';
import { runRead } from '../../engine/reads/index.ts';
import { attachListener } from '../../engine/work/listener-control.ts';
import { copyOfHome, emptyHome, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { canMakeDisk, smallDisk } from '../support/small-disk.ts';
import { findings } from './findings.ts';
import { countOf, eventually, goTo, hasBrowser, openWindow, searchButton } from './window.ts';

const available = hasBrowser();

const canMount = requireOrSkip('a disk to fill', canMakeDisk(), 'a full disk is tested on a tmpfs of its own');

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function showSettings(page: Page): Promise<void> {
  await goTo(page, 'settings');
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
}

const planOf = (engine: Engine) => engine.account.file.get('SELECT tier, tokens_included FROM plan');

describe.runIf(available)('the settings', () => {
  test('looks are kept over a reload; the plan is changed and taken back', async () => {
    const { page, engine } = await openWindow();
    await showSettings(page);
    await part(page, 'Looks').getByRole('radio', { name: 'dark' }).click();
    await part(page, 'Looks').getByRole('radio', { name: 'compact' }).click();
    await part(page, 'Looks').getByRole('radio', { name: 'off' }).click();
    await part(page, 'Usage').getByRole('link', { name: 'Open Usage' }).click();
    await page.getByLabel('Tier').selectOption('growth');
    await eventually(() => planOf(engine)).toEqual({ tier: 'growth', tokens_included: 30_000 });
    // Enter sends the form without leaving the field.
    await page.getByLabel('Tokens included in a month').fill('10,5');
    await page.keyboard.press('Enter');
    await part(page, 'Plan').getByText('Commas separate thousands; a point, the decimals.').waitFor();
    expect(planOf(engine)).toEqual({ tier: 'growth', tokens_included: 30_000 });
    await page.getByLabel('Tokens included in a month').fill('100000');
    await part(page, 'Plan').getByRole('button', { name: 'Set' }).click();
    await eventually(() => planOf(engine)).toEqual({ tier: 'growth', tokens_included: 100_000 });
    await eventually(() => page.getByTestId('tokens').innerText()).toBe('0 of 100,000 used');
    await page.keyboard.press('Control+z');
    await eventually(() => planOf(engine)).toEqual({ tier: 'growth', tokens_included: 30_000 });
    await eventually(() => page.getByLabel('Tokens included in a month').inputValue()).toBe('30000');
    await page.reload();
    const root = page.locator('html');
    await eventually(() => root.getAttribute('data-theme')).toBe('dark');
    expect(await root.getAttribute('data-density')).toBe('compact');
    await page.keyboard.press('f');
    expect(page.url()).toMatch(/#\/usage$/);
  });

  test('a key is made with its scopes, shown once, opens the API, and is revoked only after a second press', async () => {
    const { page, app } = await openWindow();
    await showSettings(page);
    const keys = part(page, 'Keys');
    await keys.getByLabel('What the key is for').fill('my spreadsheet');
    await keys.getByText('write: change the saved markets').click();
    await keys.getByRole('button', { name: 'Make a key' }).click();
    const key = await keys.locator('.shown-once code').innerText();
    expect(key).toMatch(/^plat_/);
    // Its text keeps a distance from its frame.
    const box = keys.locator('.shown-once');
    expect(await box.evaluate((one) => Number.parseFloat(getComputedStyle(one).paddingLeft))).toBeGreaterThan(8);
    const status = async () =>
      (await fetch(`${app.server.baseUrl}/api/public/v1/markets/`, { headers: { Authorization: `Bearer ${key}` } }))
        .status;
    expect(await status()).toBe(200);
    await keys.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await keys.getByText(/read, write; made .*last used/).waitFor();
    expect(await page.content()).not.toContain(key);
    await keys.getByRole('button', { name: 'Revoke my spreadsheet' }).click();
    await keys.getByText('This cannot be undone').waitFor();
    expect(await status()).toBe(200);
    await keys.getByRole('button', { name: 'Revoke for good' }).click();
    await keys.getByText(/^Revoked: my spreadsheet/).waitFor();
    expect(await status()).toBe(401);
  });

  test('the API is tested where the page comes over it', async () => {
    const { page, ledger } = await openWindow();
    await showSettings(page);
    await part(page, 'HTTP API').getByText('on, because it serves this page').waitFor();
    await part(page, 'HTTP API').getByRole('button', { name: 'Test' }).click();
    await page
      .getByText(/^The API answers at http:\/\/127\.0\.0\.1:\d+: it asked for a key, as it should\.$/)
      .waitFor();
    expect(ledger()).toEqual([]);
  });

  test('where it can be switched, a taken port is named with the next free one, and off is off', async () => {
    const { page, engine, app } = await openWindow();
    const listener = switchedListener(engine, {});
    attachListener(engine, listener);
    await showSettings(page);
    const api = part(page, 'HTTP API');
    // The port of this very page.
    await api.getByLabel('Port').fill(String(app.server.port));
    await api.getByRole('button', { name: 'Use this port' }).click();
    await api.getByText(/Everything in this window works/).waitFor();
    expect(listener.state()).toMatchObject({ on: false, port: app.server.port });
    await api.getByRole('button', { name: 'Try again' }).waitFor();
    await api.getByLabel('Port').fill('0');
    await api.getByRole('button', { name: 'Use this port' }).click();
    await eventually(() => listener.state().on).toBe(true);
    await api.getByRole('button', { name: 'Test' }).click();
    await page.getByText(`The API answers at ${listener.state().url}`).waitFor();
    await api.getByRole('radio', { name: 'off' }).click();
    await eventually(() => listener.state().on).toBe(false);
    await listener.close();
  });

  test('a file that is no base map is named with the reason; diagnostics name no one; all licences are listed', async () => {
    const { page, engine } = await openWindow();
    fs.mkdirSync(path.join(engine.home, 'basemaps'));
    fs.writeFileSync(path.join(engine.home, 'basemaps', 'broken.pmtiles'), 'no tiles here');
    await showSettings(page);
    await part(page, 'Base maps').getByRole('button', { name: 'Look again' }).click();
    await part(page, 'Base maps').getByText('broken.pmtiles').waitFor();
    const { text } = runRead(engine, 'diagnostics', {}) as { text: string };
    expect(text).toMatch(/^Platbook .*, Node .*, SQLite /);
    expect(text).toContain(`parcels ${engine.land.file.get<{ n: number }>('SELECT count(*) AS n FROM parcels')?.n}`);
    const names = engine.land.file.column<string>(
      'SELECT DISTINCT owner_name FROM parcels WHERE owner_name IS NOT NULL',
    );
    expect(names.filter((name) => text.includes(name))).toEqual([]);
    expect(text).not.toContain(engine.home);
    await page.getByRole('button', { name: 'Show all licences' }).click();
    await page.getByText(/better-sqlite3 \d/).waitFor();
    await page.getByText(/maplibre-gl \d/).waitFor();
  });

  test('axe finds nothing serious or critical, in any theme', async () => {
    const { page } = await openWindow({ mode: 'development' });
    await showSettings(page);
    await page.getByLabel('What the key is for').fill('axe');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.locator('.shown-once').waitFor();
    await page.getByRole('button', { name: 'Revoke axe' }).click();
    await page.locator('.code-block').first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('About says which version it is and of which day, and what to delete to remove it', async () => {
    const { page, engine } = await openWindow();
    await showSettings(page);
    const about = (await part(page, 'About').innerText()).replaceAll(/\s+/g, ' ');
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
    expect(about).toMatch(new RegExp(`Platbook ${version.replaceAll('.', '\\.')}, \\d+ \\w+ 20\\d\\d `));
    await part(page, 'About').getByText(engine.home, { exact: true }).waitFor();
  });

  test('at 200 % text and in forced colours nothing is lost', async () => {
    const { page } = await openWindow({ context: { forcedColors: 'active' } });
    await showSettings(page);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      dispatchEvent(new Event('resize'));
    });
    await part(page, 'About').waitFor();
    const cut = await page
      .locator('.settings-body section')
      .evaluateAll((parts) =>
        parts.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.getAttribute('aria-label')),
      );
    expect(cut).toEqual([]);
    expect(await findings(page)).toEqual([]);
  });
});

describe.runIf(available)('a home that cannot be written', () => {
  test('keeps changes in memory while another program locks the file, then writes them', async () => {
    const { page, engine } = await openWindow({ expected: /status of 503/ });
    await countOf(page);
    await searchButton(page).click();
    await page.locator('.grid-body .grid-row').first().click();
    await page.locator('[data-focus=detail]').waitFor();
    const other = new Database(path.join(engine.home, 'account.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    await page.getByRole('button', { name: 'Star the parcel' }).click();
    await page.getByText('Another program holds your file.').waitFor();
    await page.getByText(/Your last change is kept in memory and nothing is lost/).waitFor();
    expect(engine.account.file.get('SELECT count(*) AS n FROM stars')).toEqual({ n: 0 });
    other.exec('COMMIT');
    other.close();
    await eventually(() => engine.account.file.get('SELECT count(*) AS n FROM stars')).toEqual({ n: 1 });
    await eventually(() => page.getByText('Another program holds your file.').count()).toBe(0);
  });

  test.runIf(canMount)('keeps a change while the disk is full, and writes it once there is room', async () => {
    const { folder: disk, remove } = smallDisk(48);
    onTestFinished(remove);
    const home = path.join(disk, 'home');
    fs.cpSync(sampleHome(), home, { recursive: true });
    const { page, engine } = await openWindow({ home, expected: /status of 503/ });
    await countOf(page);
    await page.getByText(/^The disk is full\. \d+ MB are free/).waitFor();
    await searchButton(page).click();
    await page.locator('.grid-body .grid-row').first().click();
    await page.locator('[data-focus=detail]').waitFor();
    const filler = path.join(disk, 'filler');
    const { bavail, bsize } = fs.statfsSync(disk);
    fs.writeFileSync(filler, Buffer.alloc(bavail * bsize));
    // A page already in the log can be overwritten: notes are long enough to need new ones.
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByLabel('New note').fill('Gate is locked. '.repeat(1000));
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText(/Your last change is kept in memory and nothing is lost/).waitFor();
    expect(engine.account.file.get('SELECT count(*) AS n FROM notes')).toEqual({ n: 0 });
    fs.rmSync(filler);
    await eventually(() => engine.account.file.get('SELECT count(*) AS n FROM notes')).toEqual({ n: 1 });
    await page.locator('.note-text').waitFor();
  });

  test('old data of a real county says how old it is, and where a newer file is taken in', async () => {
    const { page, engine } = await openWindow();
    engine.land.file.run("UPDATE datasets SET source_date = '2020-01-15'");
    engine.land.file.run("UPDATE home_kind SET kind = 'real'");
    await page.reload();
    await page.getByText(/^Alder County’s data is \d+ months old/).waitFor();
    await page.getByRole('button', { name: 'Import a newer file' }).click();
    await eventually(() => page.url()).toMatch(/#\/import$/);
    await page.getByRole('button', { name: 'Close: Age of Alder County’s data' }).click();
    await eventually(() => page.getByText(/months old/).count()).toBe(0);
  });
});

describe.runIf(available)('a home in which much is wrong at once', () => {
  test('says each thing with its way out, in every theme, and what is closed stays closed', async () => {
    const home = path.join(emptyHome(), 'Dropbox');
    fs.cpSync(sampleHome(), home, { recursive: true });
    const { page, engine, app } = await openWindow({ home });
    const listener = switchedListener(engine, {});
    onTestFinished(() => listener.close());
    await listener.set({ on: true, port: app.server.port });
    attachListener(engine, listener);
    await page.reload();
    const banner = (label: string) => page.getByRole('region', { name: label, exact: true });
    await banner('This folder is synced')
      .getByText(/lies in Dropbox, .*Move it to a folder of this computer/)
      .waitFor();
    await banner('The API is off')
      .getByText(/Everything in this window works/)
      .waitFor();
    expect(await findings(page)).toEqual([]);
    await banner('This folder is synced').getByRole('button', { name: 'Where it is' }).click();
    await part(page, 'Backup and data folder').getByText(home).first().waitFor();
    for (const label of ['This folder is synced', 'The API is off'])
      await page.getByRole('button', { name: `Close: ${label}` }).click();
    await countedBanners(page, 1);
    await goTo(page, 'explore');
    await countedBanners(page, 1);
  });

  /** The sample's own stays. */
  const countedBanners = (page: Page, count: number) =>
    eventually(() => page.locator('.banners > *').count()).toBe(count);
});

describe.runIf(available)('an empty home', () => {
  test('opens a backup that is chosen by clicks alone, at the next start', async () => {
    const home = emptyHome();
    const { page } = await openWindow({ home });
    const now = new Date('2026-11-20T12:00:00Z');
    await backupHome(copyOfHome(sampleHome()), path.join(home, 'from-the-office.zip'), { onlyMyWork: false, now });
    await page.getByRole('button', { name: /Open a backup/ }).click();
    // The folder above the home is shown first.
    await page.getByRole('button', { name: path.basename(home), exact: true }).click();
    await page.getByRole('button', { name: /^from-the-office\.zip/ }).click();
    expect(plannedRestore(home)).toBeNull();
    await page.getByRole('button', { name: 'Restore from-the-office.zip at the next start' }).click();
    await page.getByText('20 Nov 2026 (whole) is ready: close Platbook and start it again.').waitFor();
    expect(plannedRestore(home)).toMatchObject({ made_at: now.toISOString() });
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: /Import my county/ }).waitFor();
  });

  test('offers the import, and its other screens say why they are empty', async () => {
    const { page } = await openWindow({ home: emptyHome() });
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    await page.getByRole('button', { name: /Import my county/ }).click();
    await eventually(() => page.url()).toMatch(/#\/import$/);
    for (const [screen, words] of [
      ['markets', 'No markets yet'],
      ['lists', 'No lists yet'],
      ['usage', 'No tokens used in this period'],
    ] as const) {
      await goTo(page, screen);
      await page.getByText(words).first().waitFor();
    }
  });
});
