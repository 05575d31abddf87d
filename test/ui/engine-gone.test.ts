/** The engine stops while its page is open, and is started again. */
import { describe, expect, test } from 'vitest';
import { openAppWindow } from '../../engine/cli/app-window.ts';
import { openEngine } from '../../engine/engine.ts';
import { copyOfHome, sampleHome } from '../support/homes.ts';
import { builtRenderer } from './build-renderer.ts';
import { countOf, eventually, hasBrowser, openWindow, searchButton, settled } from './window.ts';

const quiet = { print: () => {}, note: () => {}, progress: () => {} };

describe.runIf(hasBrowser())('an engine that stops', () => {
  test('is reported once, the screen stays, and the page continues once the engine is back on its port', async () => {
    const { app: first, page } = await openWindow({ context: {}, expected: /net::ERR_/ });
    const home = copyOfHome(sampleHome());
    const open = async (port: number) => {
      const engine = openEngine({ home });
      const app = await openAppWindow(engine, { port }, quiet, await builtRenderer());
      return { app, stop: () => app.close().then(() => engine.close()) };
    };
    const { app, stop } = await open(0);
    expect(app.server.port).not.toBe(first.server.port);
    await page.goto(app.link());
    const all = await countOf(page);
    await searchButton(page).click();
    await page.locator('.grid-row').nth(4).waitFor();
    await settled(page);
    const rows = await page.locator('.grid-body').innerText();

    await stop();
    await page.getByLabel('Only vacant parcels').click();
    await page.getByText('Platbook has stopped.').waitFor();
    // Another screen waits as well, and comes back as it was.
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await page.locator('.grid-row').nth(4).waitFor();
    expect(await page.getByText('Not answering').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(1);
    expect(await page.locator('.state .problem, .map-badge.warn, .toast').count()).toBe(0);
    expect(await page.locator('.grid-body').innerText()).toBe(rows);

    const again = await open(app.server.port);
    await page.getByText('Platbook has stopped.').waitFor({ state: 'detached' });
    await page.getByText('On this computer', { exact: true }).waitFor();
    const vacant = await countOf(page);
    expect(vacant).toBeLessThan(all);
    await searchButton(page).click();
    await eventually(() => page.locator('.table-title b').innerText()).toBe(
      `${vacant.toLocaleString('en-US')} parcels`,
    );
    await again.stop();
  });
});
