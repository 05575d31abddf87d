/** What a window remembers lives in the home: another browser, or another port after a restart, shows it too. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { openEngine } from '../../engine/engine.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { builtRenderer } from './build-renderer.ts';
import { countOf, eventually, hasBrowser, type OpenWindow, openWindow, remembered, searchButton } from './window.ts';

const kept = ({ engine }: OpenWindow, name: string): Record<string, unknown> => {
  const row = engine.account.file.get<{ value: string }>('SELECT value FROM window_memory WHERE name = ?', name);
  return JSON.parse(row?.value ?? '{}') as Record<string, unknown>;
};

const themeOf = ({ page }: OpenWindow) => page.locator('html').getAttribute('data-theme');

describe.runIf(hasBrowser())('what a window remembers', () => {
  test('theme, filter and the search that was paid for are there in another browser, on another port', async () => {
    const home = copyOfHome(sampleHome());
    const first = await openWindow({ context: {}, home });
    await countOf(first.page);
    await first.page.getByLabel('Only vacant parcels', { exact: true }).click();
    const vacant = await countOf(first.page);
    await searchButton(first.page).click();
    await first.page.locator('.grid-row').first().waitFor();
    await first.page.keyboard.press('Control+k');
    await first.page.getByPlaceholder('What do you want to do?').fill('theme');
    await first.page.keyboard.press('Enter');
    await eventually(() => themeOf(first)).toBe('dark');
    await eventually(() => kept(first, 'settings').theme).toBe('dark');
    await eventually(() => (kept(first, 'explore').search as { count: number } | null)?.count).toBe(vacant);

    const second = await openWindow({ context: {}, home });
    expect(new URL(second.page.url()).port).not.toBe(new URL(first.page.url()).port);
    await second.page.locator('.grid-row').first().waitFor();
    expect(await themeOf(second)).toBe('dark');
    expect((await remembered(second.page)).filter).toMatchObject({ vacant_only: true });
    expect(await second.page.locator('.table-title b').innerText()).toBe(`${vacant.toLocaleString('en-US')} parcels`);
    expect(second.ledger()).toHaveLength(1);

    // The newest counts, whichever browser it was changed in.
    await second.page.getByLabel('Only vacant parcels', { exact: true }).click();
    await eventually(() => (kept(second, 'explore').filter as object) ?? {}).not.toHaveProperty('vacant_only');
    await first.page.reload();
    await countOf(first.page);
    expect((await remembered(first.page)).filter).not.toHaveProperty('vacant_only');
  });

  test('what is too long for the home stays in the browser, and the window says so', async () => {
    const opened = await openWindow({ context: {} });
    const { page } = opened;
    await countOf(page);
    const folders = [`/${'x'.repeat(500_000)}`];
    await page.evaluate((text) => localStorage.setItem('platbook.import', text), JSON.stringify({ folders }));
    await page.reload();
    await page.getByText(/^More than 500,000 characters to remember/).waitFor();
    expect(kept(opened, 'import')).toEqual({});
  });

  test('a place of the map is taken; what is of another kind, no JSON or unknown is not, and the window opens', async () => {
    const home = copyOfHome(sampleHome());
    const before = openEngine({ home });
    const write = (name: string, value: string) =>
      before.account.file.run("INSERT INTO window_memory VALUES (?, 'another', ?)", name, value);
    write('map', JSON.stringify({ center: [-100.5, 45.5], zoom: 14, layers: 'none', homeKey: 'h' }));
    write('settings', JSON.stringify({ theme: 5, columns: 'apn', density: 'compact', more: true }));
    write('explore', '{"filter":');
    write('unheard', '{}');
    before.close();
    const { page } = await openWindow({ context: {}, home });
    await countOf(page);
    const stored = (key: string) =>
      page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? '{}'), `platbook.${key}`);
    expect(await stored('settings')).toMatchObject({ theme: 'light', density: 'compact' });
    expect(await stored('settings')).not.toHaveProperty('more');
    expect(await page.locator('html').getAttribute('data-density')).toBe('compact');
    const map = await stored('map');
    expect(map).toMatchObject({ zoom: 14, layers: {} });
  });

  test('what is changed while the engine is stopped is kept once it is back', async () => {
    const { page } = await openWindow({ context: {}, expected: /net::ERR_/ });
    const home = copyOfHome(sampleHome());
    const open = async (port: number) => {
      const engine = openEngine({ home });
      const quiet = { print: () => {}, note: () => {}, progress: () => {} };
      const app = await openAppWindow(engine, { port }, quiet, await builtRenderer());
      return { app, engine, stop: () => app.close().then(() => engine.close()) };
    };
    const { app, stop } = await open(0);
    await page.goto(app.link());
    await countOf(page);
    await stop();
    await page.getByLabel('Only vacant parcels', { exact: true }).click();
    await page.getByText('Platbook has stopped.').waitFor();
    const again = await open(app.server.port);
    onTestFinished(again.stop);
    const filter = () =>
      again.engine.account.file.get<{ value: string }>("SELECT value FROM window_memory WHERE name = 'explore'")?.value;
    await eventually(filter).toContain('"vacant_only":true');
  });
});
