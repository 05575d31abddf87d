/** What axe finds in a page: every rule in the theme it has, contrast in all three. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/**
 * Serious and critical findings, with their places. Only colors differ between themes, so only contrast is repeated.
 */
export async function findings(
  page: Page,
  /** Letters of 7:1 instead of 4.5:1, in the theme it has, which is then the only one. */
  { isEnhanced = false }: { readonly isEnhanced?: boolean } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const found = (await page.evaluate(`(async () => {
    const root = document.documentElement, before = root.dataset.theme;
    const rules = ${isEnhanced} ? { 'color-contrast-enhanced': { enabled: true } } : {};
    const results = [await axe.run(document, { resultTypes: ['violations'], rules })];
    const isForced = matchMedia('(forced-colors: active)').matches;
    for (const theme of isForced || ${isEnhanced} ? [] : ${JSON.stringify(themeNames)}.filter((name) => name !== before)) {
      root.dataset.theme = theme;
      results.push(await axe.run(document, { resultTypes: ['violations'], runOnly: ['color-contrast'] }));
    }
    root.dataset.theme = before;
    return results.flatMap(({ violations }) => violations);
  })()`)) as Finding[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 300)}`),
    );
}

export const themeNames = ['light', 'dark', 'outdoor'] as const;
