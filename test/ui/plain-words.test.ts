/** What the app shows is in words of people: no name of a wire field, of a column or of code, and no slip that was seen once. */
import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { importFolder } from './import-files.ts';
import { exploreShots } from './shots/explore-shots.ts';
import { writeImportFiles } from './shots/import-files.ts';
import { importShots } from './shots/import-shots.ts';
import { mailingShots } from './shots/mailing-shots.ts';
import { parcelShots } from './shots/parcel-shots.ts';
import type { Shot } from './shots/shot.ts';
import { workShots } from './shots/work-shots.ts';
import { townZip } from './town-zip.ts';
import { allScreens, goTo, hasBrowser, type OpenWindow, openAllSections, openWindow, settled } from './window.ts';

/** Words that people do not say; file names, which end in `.zip` and the like, are the user's own. */
const codeWords = /(?<![\w./-])[a-z]+[a-z0-9]*(?:_[a-z0-9]+)+(?!\w|\.\w)/g;

/** What `platbook sources` prints too: there a profile is given by its name. */
const allowed = /\. Profile: .*$/;

/** Slips that were seen once. */
const slips = [
  /as the API lists/i,
  /\b1 of 0\b/,
  /\bundefined\b/,
  /\bNaN\b/,
  /\[object/,
  /\b1 (?:parcels|rows|tokens)\b/,
  /`\w+`/,
];

/** Words of the plan, which only Usage and Settings have, and a price of nothing. */
const planWords = /\b(?:tiers?|invoices?|overage|ledger|tokens?|uses 0)\b/i;

/**
 * In the page: every text and label that is visible. Left out is what is quoted from elsewhere: code, addresses and JSON
 * (`code`, `pre`), names of columns and values in the user's own files (`.mono`), and the names of those (`.folder-list`).
 */
function visibleTexts(): string[] {
  const isQuoted = (one: Element) => one.closest('code, pre, .mono, .folder-list, script, style') !== null;
  const ownTexts = (one: Element) =>
    [...one.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : []));
  const labels = (one: Element) =>
    ['title', 'aria-label', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? '');
  return [...document.querySelectorAll('body, body *')]
    .filter((one) => !isQuoted(one) && one.checkVisibility())
    .flatMap((one) => [...ownTexts(one), ...labels(one)].map((text) => text.trim()))
    .filter((text) => text !== '');
}

/** @returns what is no word of people, with where it stands */
async function oddWords(page: Page, state: string): Promise<string[]> {
  await settled(page);
  const texts = await page.evaluate(visibleTexts);
  expect(texts.length, state).toBeGreaterThan(10);
  const isOfPlan = /#\/(?:usage|settings)$/.test(page.url());
  // A rule of offers has tiers, too.
  const hasTiers = await page.locator('.mailing').isVisible();
  return texts.flatMap((text) => {
    const found = [
      ...(text.replace(allowed, '').match(codeWords) ?? []),
      ...slips.flatMap((slip) => slip.exec(text) ?? []),
      ...((!isOfPlan && planWords.exec(hasTiers ? text.replace(/\btiers?\b/gi, '') : text)) || []),
    ];
    return found.map((word) => `${state}: ${word} in ${JSON.stringify(text.slice(0, 120))}`);
  });
}

/** As a window that is opened for the first time. */
async function afresh({ page, engine, app }: OpenWindow): Promise<void> {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: app.server.baseUrl, storageTypes: 'local_storage' });
  await session.detach();
  // What the page kept at its end is under way.
  await settled(page);
  engine.account.file.run('DELETE FROM window_memory');
  await page.goto(app.link());
  await page.locator('.rail').waitFor();
}

async function walk(window: OpenWindow, shots: readonly Shot[]): Promise<string[]> {
  const odd: string[] = [];
  window.page.setDefaultTimeout(90_000);
  for (const { name, act } of shots) {
    await afresh(window);
    const after = await act?.(window.page, window.engine);
    odd.push(...(await oddWords(window.page, name)));
    if (typeof after === 'function') after();
  }
  return odd;
}

/** States without the map, of the usual size, and without waits of their own. */
const leftOut = [
  'explore-lots',
  'explore-sections',
  'explore-error',
  'trace',
  'trace-delete',
  'trace-company',
  'book-made',
];
const looked = ({ name, size, isLargeText, home }: Shot): boolean =>
  !leftOut.includes(name) && !isLargeText && !home && (size?.width ?? 1440) === 1440;

describe.runIf(hasBrowser())('words', { timeout: 300_000 }, () => {
  test.each([
    ['explore', exploreShots],
    ['parcel', parcelShots],
    ['work', workShots],
    ['mailing', mailingShots],
  ] as const)('of the states of %s are those of people', async (_name, shots) => {
    const window = await openWindow({ expected: /status of 4\d\d/ });
    expect(await walk(window, shots.filter(looked))).toEqual([]);
  });

  test('of every screen, every section of the panel and every column of the table are those of people', async () => {
    const window = await openWindow();
    const { page } = window;
    const odd: string[] = [];
    for (const screen of await allScreens(page)) {
      await goTo(page, screen);
      if (screen === 'explore') await openAllSections(page);
      odd.push(...(await oddWords(page, screen)));
    }
    expect(odd).toEqual([]);
  });

  test('of the import, from the file to what is loaded, are those of people', async () => {
    const { folder, home } = importFolder();
    const files = [townZip(folder, 'lempster_2026', 60), ...writeImportFiles(folder)];
    onTestFinished(() => {
      for (const file of files) fs.rmSync(file, { force: true });
    });
    const window = await openWindow({ home });
    expect(
      await walk(
        window,
        importShots.filter(({ size, name }) => !size && name.startsWith('import')),
      ),
    ).toEqual([]);
  });
});
