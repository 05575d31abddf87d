/** How the window holds up: accessibility in every theme, small windows, large text. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { emptyHome } from '../support/homes.ts';
import { findings } from './findings.ts';
import { allScreens, countOf, goTo, hasBrowser, openAllSections, openWindow, searchButton, settled } from './window.ts';

const available = hasBrowser();

const setTheme = (page: Page, theme: string) =>
  page.evaluate((chosen) => {
    const before = JSON.parse(localStorage.getItem('platbook.settings') ?? '{}');
    localStorage.setItem('platbook.settings', JSON.stringify({ ...before, theme: chosen }));
  }, theme);

async function parcelOpen(page: Page): Promise<void> {
  await countOf(page);
  await searchButton(page).first().click();
  await page.locator('.grid-body .apn').first().waitFor();
  await page.locator('.grid-body .grid-row').first().click();
  await page.locator('[data-focus=detail]').waitFor();
}

/** In the page: texts cut without an ellipsis, and texts that overflow their button or the window. */
function clippedTexts(): string[] {
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
  const isCut = (element: HTMLElement) => {
    const { overflowX, display, textOverflow } = getComputedStyle(element);
    const mayCut = overflowX !== 'visible' && display !== 'inline' && textOverflow !== 'ellipsis';
    return mayCut && element.scrollWidth > element.clientWidth + 1;
  };
  const isOutOf = (element: HTMLElement, holder: { left: number; right: number }) => {
    const { left, right } = element.getBoundingClientRect();
    return left < holder.left - 1 || right > holder.right + 1;
  };
  const isOverTheEdge = (element: HTMLElement) => {
    const holder = element.closest('.rail a, .button, .field, .segments > button');
    const isOfFrame = element.closest('.top, .status, .rail, .banner') !== null;
    const isOutside = isOfFrame && isOutOf(element, { left: 0, right: innerWidth });
    return isOutside || (holder !== null && isOutOf(element, holder.getBoundingClientRect()));
  };
  return [...document.querySelectorAll<HTMLElement>('body *')]
    .filter((one) => one.offsetParent !== null && hasText(one) && one.closest('.sr, select, svg, textarea') === null)
    .filter((one) => isCut(one) || isOverTheEdge(one))
    .map((one) => one.outerHTML.slice(0, 120));
}

describe.runIf(available)('accessibility', { timeout: 240_000 }, () => {
  test('axe finds nothing serious or critical on any screen, in any theme', async () => {
    const { page } = await openWindow({ mode: 'development' });
    await parcelOpen(page);
    await openAllSections(page);
    await page.getByLabel('Acres from', { exact: true }).fill('5');
    await page.getByLabel('Flood zone at most', { exact: true }).fill('10');
    await countOf(page);
    expect(await findings(page), 'Explore').toEqual([]);
    await page.getByLabel('Search', { exact: true }).fill('12-2');
    await page.getByRole('option').first().waitFor();
    expect(await findings(page), 'suggestions').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByLabel('Acres from', { exact: true }).fill('50000');
    await countOf(page);
    await searchButton(page).first().click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(await findings(page), 'nothing found').toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('What do you want to do?').waitFor();
    expect(await findings(page), 'palette').toEqual([]);
    await page.keyboard.press('Escape');
    for (const screen of ['usage', 'settings', 'comps']) {
      await goTo(page, screen);
      await settled(page);
      expect(await findings(page), screen).toEqual([]);
    }
  });

  test('axe finds nothing serious or critical on any screen in forced colors, and what is chosen is still told apart', async () => {
    const { page } = await openWindow({ mode: 'development', context: { forcedColors: 'active' } });
    await countOf(page);
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
    await parcelOpen(page);
    expect(await findings(page), 'Explore').toEqual([]);
    // Not by the ground alone, which is the system's own here.
    const looksOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((one) => {
          const { outline, border, boxShadow, backgroundColor, color } = getComputedStyle(one);
          return [outline, border, boxShadow, backgroundColor, color].join(' / ');
        });
    expect(await looksOf('.grid-body [aria-selected=true]')).not.toBe(
      await looksOf('.grid-body .grid-row[aria-selected=false]'),
    );
    await page.keyboard.press('Control+e');
    await page.locator('.menu-item[data-highlighted]').waitFor();
    expect(await looksOf('.menu-item[data-highlighted]')).not.toBe(
      await looksOf('.menu-item:not([data-highlighted], [aria-disabled])'),
    );
    await page.keyboard.press('Escape');
    for (const screen of await allScreens(page)) {
      await goTo(page, screen);
      await settled(page);
      expect(await findings(page), screen).toEqual([]);
    }
  });

  test('axe finds nothing serious or critical on the first run', async () => {
    const { page } = await openWindow({ home: emptyHome(), mode: 'development' });
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

describe.runIf(available)('small windows and large text', () => {
  test('the first run stays inside a phone outdoors', async () => {
    const { page } = await openWindow({ home: emptyHome(), context: { viewport: { width: 390, height: 844 } } });
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    await setTheme(page, 'outdoor');
    await page.reload();
    await page.getByRole('heading', { name: 'Platbook' }).waitFor();
    const rights = await page
      .locator('.first-run :is(h1, p, button)')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    expect(rights.length).toBeGreaterThan(5);
    expect(Math.max(...rights)).toBeLessThanOrEqual(390 - 16);
  });

  const sizes: [string, { width: number; height: number }, string, string][] = [
    ['1024 × 680', { width: 1024, height: 680 }, 'light', '100%'],
    ['1024 × 680 outdoors', { width: 1024, height: 680 }, 'outdoor', ''],
    ['1280 × 800 with text at 200 %', { width: 1280, height: 800 }, 'light', '200%'],
    ['1440 × 900', { width: 1440, height: 900 }, 'dark', '100%'],
  ];

  test.each(sizes)('no text is cut at %s', async (_name, viewport, theme, size) => {
    const { page } = await openWindow({ context: { viewport }, mode: 'development' });
    await page.locator('.rail').waitFor();
    await setTheme(page, theme);
    await page.reload();
    await page.locator('.rail').waitFor();
    await page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
      dispatchEvent(new Event('resize'));
    }, size);
    await countOf(page);
    expect(await page.evaluate(clippedTexts), 'at first').toEqual([]);
    await parcelOpen(page);
    expect(await page.evaluate(clippedTexts), 'with a parcel').toEqual([]);
    await page.keyboard.press('Escape');
    const filters = page.getByRole('button', { name: /^Filters/ });
    if (await filters.isVisible()) await filters.click();
    await openAllSections(page);
    expect(await page.evaluate(clippedTexts), 'with all filters').toEqual([]);
    // The two promises, the selection and the tokens never go.
    for (const text of ['stays on this computer', 'boundaries are approximate, not a survey', 'of 30,000 used'])
      expect(await page.locator('.status').getByText(text).isVisible()).toBe(true);
  });
});
