/** A shared page as its receiver opens it: from a file, without a network, by touch, mouse and keys, and on paper. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sharePage } from '../../engine/share-page/share-page.ts';
import { shareColors } from '../../engine/share-page/share-style.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { findings } from './findings.ts';
import { launchPlainBrowser } from './launch-browser.ts';
import { countOf, hasBrowser, openWindow, parcelTitle } from './window.ts';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly hasScript?: boolean;
  /** Changes the file before it is opened. */
  readonly change?: (html: string) => string;
  readonly ids?: readonly number[];
}

describe.runIf(hasBrowser())('a shared page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchPlainBrowser();
  });
  afterAll(() => browser.close());

  async function opened({
    viewport = phone,
    colorScheme = 'light',
    hasScript = true,
    change,
    ids = [2, 3, 4],
  }: Look = {}) {
    const { html } = await sharePage(engineOn(sampleHome()), { what: { ids: [...ids] }, parts: ['owners'] });
    const file = path.join(emptyHome(), 'lots.html');
    fs.writeFileSync(file, change ? change(html) : html);
    const context = await browser.newContext({
      ...{ viewport, colorScheme, offline: true, javaScriptEnabled: hasScript, hasTouch: viewport === phone },
    });
    onTestFinished(() => context.close());
    const faults: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    context.on('weberror', (error) => faults.push(error.error().message));
    const failed: (string | undefined)[] = [];
    context.on('requestfailed', (request) => failed.push(request.failure()?.errorText));
    const address = pathToFileURL(file).href;
    context.on('request', (request) => {
      if (request.url() !== address && !request.url().startsWith('data:')) faults.push(`asked ${request.url()}`);
    });
    const page = await context.newPage();
    await page.goto(address);
    return { page, faults, failed };
  }

  const view = async (page: Page): Promise<number[]> =>
    ((await page.locator('.map > svg').getAttribute('viewBox')) ?? '').split(' ').map(Number);

  test.each([
    [phone, 'light'],
    [phone, 'dark'],
    [desk, 'light'],
    [desk, 'dark'],
  ] as const)(
    'axe finds nothing at %o, %s; nothing is wider than the page, and it asks for nothing',
    async (viewport, colorScheme) => {
      const { page, faults } = await opened({ viewport, colorScheme });
      // The page's policy refuses scripts that are put into it: this one runs beside it.
      const findings = await page.evaluate(
        `${axeSource}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
      );
      expect(findings).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      expect(await page.locator('footer').innerText()).toContain('not a survey');
      expect(faults).toEqual([]);
    },
  );

  test('keys move the map, zoom, show all, and end a choice', async () => {
    const { page, faults } = await opened({ viewport: desk });
    const first = await view(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('map');
    await page.keyboard.press('+');
    const near = await view(page);
    expect(near[2]).toBeLessThan(first[2] as number);
    await page.keyboard.press('ArrowRight');
    expect((await view(page))[0]).toBeGreaterThan(near[0] as number);
    await page.keyboard.press('-');
    await page.keyboard.press('0');
    expect(await view(page)).toEqual(first);
    // The buttons, a card, and its link to the map.
    for (let at = 0; at < 5; at++) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.is-chosen').count()).toBe(2);
    expect((await view(page))[2]).toBeLessThan(first[2] as number);
    await page.keyboard.press('Escape');
    expect(await page.locator('.is-chosen').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test('a finger drags the map, two zoom it, a tap chooses a lot', async () => {
    const { page } = await opened();
    const box = await page.locator('.map > svg').boundingBox();
    if (!box) throw new Error('no map');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = await page.context().newCDPSession(page);
    const send = (type: string, ...points: readonly (readonly [number, number])[]) =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })),
      });
    const first = await view(page);
    await send('touchStart', [x, y]);
    await send('touchMove', [x - 60, y - 20]);
    await send('touchEnd');
    const moved = await view(page);
    expect(moved[0]).toBeGreaterThan(first[0] as number);
    expect(moved[2]).toBe(first[2]);
    await send('touchStart', [x - 40, y], [x + 40, y]);
    await send('touchMove', [x - 60, y], [x + 60, y]);
    await send('touchMove', [x - 80, y], [x + 80, y]);
    await send('touchEnd');
    // The fingers end twice as far apart.
    expect((await view(page))[2]).toBeCloseTo((moved[2] as number) / 2, -1);
    // Chromium makes no click of a tap within milliseconds of a pinch, which no hand does.
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => view(page)).toEqual(first);
    const lot = await page.locator('[data-lot="1"] .lot').boundingBox();
    if (!lot) throw new Error('no lot');
    await send('touchStart', [lot.x + lot.width / 2, lot.y + lot.height / 2]);
    await send('touchEnd');
    await expect.poll(() => page.locator('details.is-chosen').count()).toBe(1);
  });

  test('the mouse drags the map and its wheel zooms where it points', async () => {
    const { page } = await opened({ viewport: desk });
    const first = await view(page);
    await page.mouse.move(300, 300);
    await page.mouse.down();
    await page.mouse.move(360, 330, { steps: 4 });
    await page.mouse.up();
    const moved = await view(page);
    expect(moved[0]).toBeLessThan(first[0] as number);
    await page.mouse.wheel(0, -400);
    await expect.poll(async () => (await view(page))[2]).toBeLessThan(first[2] as number);
  });

  test('without a script it is a map and a list of facts', async () => {
    const { page } = await opened({ hasScript: false });
    expect(await page.locator('.lot').count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator('dt:visible', { hasText: 'Owner' }).count()).toBeGreaterThan(0);
    expect(await page.locator('.unknown:visible').count()).toBeGreaterThan(0);
    expect(await page.locator('.tools').isVisible()).toBe(false);
  });

  test('its policy refuses a script and a request that are put into the file', async () => {
    const { page, faults, failed } = await opened({
      change: (html) =>
        html.replace(
          '</body>',
          '<script>document.title = "broken"</script><img src="https://example.com/x.png" alt=""></body>',
        ),
    });
    expect(await page.title()).toBe('3 parcels');
    expect(faults.filter((fault) => fault.includes('Content Security Policy'))).toHaveLength(2);
    // Stopped by the policy, not by the missing network.
    expect(failed).toEqual(['csp']);
    expect(await page.evaluate("fetch('https://example.com/').then(() => 'answered', () => 'refused')")).toBe(
      'refused',
    );
  });

  test('on paper every card is open, in light colors, without buttons', async () => {
    const { page } = await opened({ viewport: desk, colorScheme: 'dark', ids: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11] });
    expect(await page.locator('details[open]').count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('details[open]').count()).toBe(10);
    expect(await page.locator('.tools').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await page.locator('details[open]').count()).toBe(0);
  });
});

describe.runIf(hasBrowser())('the dialog of a page to send', () => {
  test('shows what would go, ticks nothing by itself, and saves the file, all by keyboard', async () => {
    const { page, engine, ledger } = await openWindow();
    await countOf(page);
    await page.evaluate(
      "localStorage.setItem('platbook.explore', JSON.stringify({ ...JSON.parse(localStorage.getItem('platbook.explore') ?? '{}'), selected: 2 }))",
    );
    await page.reload();
    await parcelTitle(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('page of the parcels to send');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Page to send' });
    const owner = engine.land.file.get<{ name: string }>(
      'SELECT owner_name AS name FROM parcels WHERE property_id = 2',
    );
    await dialog.getByText(`like “${owner?.name}”`).waitFor();
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0);
    // No note is written: nothing to tick.
    expect(await dialog.getByRole('checkbox', { name: /Your notes/ }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: /Owner names/ }).focus();
    await page.keyboard.press('Space');
    expect(await dialog.getByText(/^about \d\.\d MB, free$/).count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('textbox').press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/\.html$/);
    const html = fs.readFileSync(await download.path(), 'utf8');
    expect(html).toContain(owner?.name);
    expect(html).not.toContain('Mailing address');
    expect(ledger()).toEqual([]);
  });
});

test('its colors are those of the app', () => {
  const tokens = fs.readFileSync(new URL('../../renderer/styles/tokens.css', import.meta.url), 'utf8');
  const themes = { light: '[data-theme="light"] {', dark: '[data-theme="dark"] {' };
  for (const [theme, head] of Object.entries(themes)) {
    const block = tokens.slice(tokens.indexOf(head), tokens.indexOf('}', tokens.indexOf(head)));
    for (const [name, color] of Object.entries(shareColors[theme as 'light' | 'dark']))
      expect([name, block.match(new RegExp(`--${name}: (#[0-9a-f]{6});`))?.[1]]).toEqual([name, color]);
  }
});
