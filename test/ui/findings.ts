/** What axe finds in a page, in the theme that is asked for. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Serious and critical findings, with where they are. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const found = (await page.evaluate('axe.run(document)')) as { violations: Finding[] };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.slice(0, 300)}`),
    );
}

export const themeNames = ['light', 'dark', 'outdoor'] as const;

/** At once, through the app's own setting. */
export async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((chosen) => {
    const before = JSON.parse(localStorage.getItem('platbook.settings') ?? '{}');
    localStorage.setItem('platbook.settings', JSON.stringify({ ...before, theme: chosen }));
  }, theme);
  await page.reload();
  await page.locator('.rail').waitFor();
}
