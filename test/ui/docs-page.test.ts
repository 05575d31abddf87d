/** The page /docs in a browser: search, tabs by keyboard, Try it with a typed key; no finding of axe, at two widths, light and dark. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey, keyScopes } from '../../engine/account/api-keys.ts';
import { startServer } from '../../engine/http/server.ts';
import { engineOn, sampleHome } from '../support/homes.ts';
import { launchPlainBrowser } from './launch-browser.ts';
import { hasBrowser } from './window.ts';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

describe.runIf(hasBrowser())('/docs', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchPlainBrowser();
  });
  afterAll(() => browser.close());

  /** Faults: what the page's policy refuses, errors, requests to other addresses. */
  async function opened({ width = 1440, colorScheme = 'light' }: Look = {}) {
    const engine = engineOn(sampleHome());
    const server = await startServer(engine, { port: 0 });
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const faults: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    context.on('weberror', (error) => faults.push(error.error().message));
    context.on('request', (request) => {
      if (!request.url().startsWith(`${server.baseUrl}/docs`) && !request.url().startsWith('data:'))
        faults.push(`asked ${request.url()}`);
    });
    const page = await context.newPage();
    onTestFinished(async () => {
      await context.close();
      await server.close();
    });
    await page.goto(`${server.baseUrl}/docs`);
    const { key } = createKey(engine.account, 'docs', keyScopes, engine.now());
    const charged = () =>
      engine.account.file.get<{ sum: number | null }>('SELECT sum(tokens) AS sum FROM ledger')?.sum ?? 0;
    return { engine, page, faults, key, charged };
  }

  const box = (page: Page, name: string) => page.locator(`#${name} .try`);

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('axe finds nothing at %i, %s, and nothing is wider than the page', async (width, colorScheme) => {
    const { page, faults } = await opened({ width, colorScheme });
    // Folded tables are looked at, too.
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    await page.evaluate(axeSource);
    const found = await page.evaluate(
      'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
    );
    expect(found).toEqual([]);
    const widths = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as number[];
    expect(widths[0]).toBe(widths[1]);
    expect(faults).toEqual([]);
  });

  test('finds operations and fields as they are typed, from the keyboard', async () => {
    const { page, faults } = await opened();
    await page.keyboard.press('/');
    await page.keyboard.type('flood percent');
    const shown = page.locator('.operation:visible');
    await expect
      .poll(() => shown.evaluateAll((all) => all.map((one) => one.id)))
      .toEqual(['filter_properties', 'search_properties', 'get_property', 'list_neighbours']);
    const rows = page.locator('#get_property tbody tr:visible th');
    expect(await rows.allTextContents()).toEqual(['flood_zone_percent']);
    expect(await page.getByRole('status').first().textContent()).toMatch(/^4 operations, \d+ fields$/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.operation').filter({ visible: true }).count()).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  test('shows every example in the language that one tab chooses, by arrow keys', async () => {
    const { page } = await opened();
    const tabs = page.locator('#get_property [role=tab]');
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await tabs.nth(2).evaluate((one) => one === document.activeElement)).toBe(true);
    await expect.poll(() => page.locator('#get_property [role=tabpanel]:visible').allTextContents()).toHaveLength(1);
    expect(await page.locator('#get_property [role=tabpanel]:visible code').textContent()).toContain(
      'from platbook_api import',
    );
    expect(await page.locator('#list_comps [role=tabpanel]:visible code').first().textContent()).toContain(
      'from platbook_api import',
    );
  });

  test('asks with the typed key, says the price before and the tokens after, and keeps the key nowhere', async () => {
    const { page, faults, key, charged } = await opened();
    const one = box(page, 'filter_properties');
    await one.getByRole('button', { name: 'Send' }).click();
    expect(await one.locator('.answer').textContent()).toContain('Type your key first');
    expect(await page.getByLabel('Your key').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(charged()).toBe(0);
    await page.keyboard.type(key);
    expect(await one.textContent()).toContain('Price: 30 tokens a search; 0 when nothing matches.');
    await one.getByRole('button', { name: 'Send' }).click();
    await one.locator('.answer pre').waitFor();
    expect(await one.locator('.answer p').first().textContent()).toMatch(/^200, 30 tokens, \d+ ms$/);
    expect(charged()).toBe(30);
    await box(page, 'get_property').getByRole('button', { name: 'Send' }).click();
    await box(page, 'get_property').locator('.answer pre').waitFor();
    expect(charged()).toBe(40);
    expect(
      await page.evaluate(
        '[localStorage.length, sessionStorage.length, document.cookie, location.href.includes("plat_")]',
      ),
    ).toEqual([0, 0, '', false]);
    await page.reload();
    expect(await page.getByLabel('Your key').inputValue()).toBe('');
    expect(faults).toEqual([]);
  });

  test('shows an error and an input that is no JSON in words, as text', async () => {
    const { page, key } = await opened();
    await page.getByLabel('Your key').fill(key);
    const one = box(page, 'search_properties');
    await one.getByRole('textbox').fill('{"fips": "99001", "owner_name": "<img src=x>", "aqn": "1"}');
    await one.getByRole('button', { name: 'Send' }).click();
    await one.locator('.answer pre').waitFor();
    expect(await one.locator('.answer').textContent()).toMatch(/^400, 0 tokens[\s\S]*did you mean apn/);
    expect(await one.locator('.answer img').count()).toBe(0);
    await one.getByRole('textbox').fill('{');
    await one.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => one.locator('.answer').textContent()).toContain('The input is no JSON');
  });

  test('prints the examples of all languages, without what is only for the screen', async () => {
    const { page } = await opened();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#get_property [role=tabpanel]:visible').count()).toBeGreaterThanOrEqual(4);
    expect(await page.locator('nav:visible, .try:visible, .copy:visible').count()).toBe(0);
  });
});
