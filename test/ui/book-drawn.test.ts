/**
 * Plat books as pdf.js draws them, the program that shows PDFs in Firefox and in many phone apps: every page without a
 * warning, with ink, and white along the paper's edge.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { type BookReport, makeBook } from '../../engine/book/make-book.ts';
import type { Engine } from '../../engine/engine.ts';
import { pdfInMemory } from '../../engine/exporting/pdf-file.ts';
import { engineOn, realHome, sampleHome } from '../support/homes.ts';
import { realDataOrSkip } from '../support/shared-data.ts';
import { launchPlainBrowser } from './launch-browser.ts';
import { hasBrowser } from './window.ts';

const origin = 'http://127.0.0.1:9';
const pdfjs = path.resolve(import.meta.dirname, '..', '..', 'node_modules', 'unpdf', 'dist', 'pdfjs.mjs');

interface Drawn {
  readonly warnings: string[];
  /** By page: pixels with ink at 72 dpi, and the least distance of ink from an edge. */
  readonly pages: readonly { readonly ink: number; readonly margin: number }[];
}

/** Its own script: vitest rewrites imports of functions that run in the page. */
const html =
  '<!doctype html><link rel="icon" href="data:,"><script type="module">import * as pdfjs from "/pdfjs.mjs"; window.pdfjs = pdfjs</script>';

type PdfJs = typeof import('unpdf/pdfjs');

/** Runs in the page. */
async function drawAll(): Promise<Drawn['pages']> {
  const { getDocument } = (window as unknown as { readonly pdfjs: PdfJs }).pdfjs;
  const data = new Uint8Array(await (await fetch('/book.pdf')).arrayBuffer());
  const file = await getDocument({ data }).promise;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D;
  const pages: { ink: number; margin: number }[] = [];
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    const [width, height] = [viewport.width, viewport.height];
    Object.assign(canvas, { width, height });
    await page.render({ canvas, canvasContext: context, viewport }).promise;
    const { data: pixels } = context.getImageData(0, 0, width, height);
    const found = { ink: 0, margin: Number.POSITIVE_INFINITY };
    for (let at = 0; at < width * height; at++) {
      // Paler than this is the softened edge of a line.
      if (Math.min(pixels[4 * at] ?? 0, pixels[4 * at + 1] ?? 0, pixels[4 * at + 2] ?? 0) > 240) continue;
      const [x, y] = [at % width, Math.floor(at / width)];
      found.ink += 1;
      found.margin = Math.min(found.margin, x, y, width - 1 - x, height - 1 - y);
    }
    pages.push(found);
  }
  return pages;
}

describe.runIf(hasBrowser())('drawn by pdf.js', { timeout: 180_000 }, () => {
  let browser: Awaited<ReturnType<typeof launchPlainBrowser>>;
  beforeAll(async () => {
    browser = await launchPlainBrowser();
  });
  afterAll(() => browser.close());

  async function drawn(pdf: Uint8Array): Promise<Drawn> {
    const page = await browser.newPage();
    const warnings: string[] = [];
    page.on('console', (message) => warnings.push(message.text()));
    page.on('pageerror', (error) => warnings.push(error.message));
    await serve(page, pdf);
    await page.goto(`${origin}/`);
    const pages = await page.evaluate(drawAll);
    await page.close();
    return { warnings, pages };
  }

  async function serve(page: Page, pdf: Uint8Array): Promise<void> {
    const bodies: Readonly<Record<string, { contentType: string; body: Buffer | string }>> = {
      '/': { contentType: 'text/html', body: html },
      '/pdfjs.mjs': { contentType: 'text/javascript', body: fs.readFileSync(pdfjs) },
      '/book.pdf': { contentType: 'application/pdf', body: Buffer.from(pdf) },
    };
    await page.route(`${origin}/**`, (route) => route.fulfill(bodies[new URL(route.request().url()).pathname] ?? {}));
  }

  function bookOf(engine: Engine, request: Parameters<typeof bookOptions>[0]): { report: BookReport; pdf: Buffer } {
    const pieces: Uint8Array[] = [];
    const report = makeBook(engine.land, bookOptions(request, new Date('2026-11-25T03:00:00Z')), {
      put: (piece) => pieces.push(piece),
      progress: () => {},
    });
    return { report, pdf: Buffer.concat(pieces) };
  }

  async function expectClean(engine: Engine, request: Parameters<typeof bookOptions>[0] = {}): Promise<void> {
    const { report, pdf } = bookOf(engine, request);
    const { warnings, pages } = await drawn(pdf);
    expect(warnings).toEqual([]);
    expect(pages.length).toBe(report.pages);
    expect(Math.min(...pages.map(({ ink }) => ink))).toBeGreaterThan(300);
    // A quarter of an inch: printers reach no farther.
    expect(Math.min(...pages.map(({ margin }) => margin))).toBeGreaterThanOrEqual(18);
  }

  test('a page that asks for a font it does not have is warned of', async () => {
    const { file, bytes } = pdfInMemory();
    file.page({ size: [200, 200], content: 'BT /F 20 Tf 20 20 Td (A) Tj ET', resources: '<< >>' });
    file.finish({ title: 'Faulty', madeAt: new Date(0) });
    expect((await drawn(bytes())).warnings.join(' ')).toMatch(/font/i);
  });

  test('the sample county', () => expectClean(engineOn(sampleHome())));

  test('tabloid, without names', () => expectClean(engineOn(sampleHome()), { paper: 'tabloid', names: false }));

  test.skipIf(!realDataOrSkip('real books'))('Washington and Three Forks, two counties in one book', () =>
    expectClean(engineOn(realHome() as string)),
  );
});
