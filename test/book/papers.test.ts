/** Papers of a book, its smallest letters, what a viewer is told, and land that needs few pages. */
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { expect, test } from 'vitest';
import { planAreas } from '../../engine/book/area-pages.ts';
import { type BookRequest, bookOptions } from '../../engine/book/book-fields.ts';
import { frameBox } from '../../engine/book/book-paper.ts';
import { DrawnThings } from '../../engine/book/drawn-things.ts';
import { sizes } from '../../engine/book/fit-label.ts';
import type { Holding } from '../../engine/book/holdings.ts';
import { makeBook } from '../../engine/book/make-book.ts';
import { planAtBestScale } from '../../engine/book/page-plan.ts';
import { LabelPlacer, type PageLabel } from '../../engine/book/place-labels.ts';
import { boundsOfMultiPolygon } from '../../engine/geo/geometry.ts';
import { LabelField } from '../../engine/sheet/label-field.ts';
import { engineOn, sampleHome } from '../support/homes.ts';

const madeAt = new Date('2026-11-25T03:00:00Z');
const box = frameBox([612, 792]);

/** @returns the document, and all labels of its map pages */
async function bookOf(request: BookRequest) {
  const engine = engineOn(sampleHome());
  const ids = engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' ORDER BY property_id LIMIT 40",
  );
  const pieces: Uint8Array[] = [];
  const labels: PageLabel[] = [];
  const report = makeBook(engine.land, bookOptions({ ids, ...request }, madeAt), {
    put: (piece) => pieces.push(piece),
    progress: () => {},
    onPage: (_name, _seen, placed) => labels.push(...placed),
  });
  return { report, labels, document: await PDFDocument.load(Buffer.concat(pieces), { updateMetadata: false }) };
}

test.each([
  [{ paper: 'legal' }, 612, 1008],
  [{ paper: 'ledger' }, 1224, 792],
  [{ paper: 'legal', landscape: true }, 1008, 612],
  [{ paper: 'tabloid', landscape: true }, 1224, 792],
] as const)('%j has its size on every page', async (request, width, height) => {
  const { document, labels } = await bookOf(request);
  expect([...new Set(document.getPages().map((page) => `${page.getWidth()} ${page.getHeight()}`))]).toEqual([
    `${width} ${height}`,
  ]);
  expect(labels.length).toBeGreaterThan(20);
});

test('a viewer is told the language, the title, the names of pages, and to print to scale', async () => {
  const { document, report } = await bookOf({});
  const { catalog } = document;
  expect(catalog.get(PDFName.of('Lang'))?.toString()).toBe('(en-US)');
  const preferences = catalog.lookup(PDFName.of('ViewerPreferences'), PDFDict);
  expect(preferences.get(PDFName.of('PrintScaling'))?.toString()).toBe('/None');
  expect(preferences.get(PDFName.of('DisplayDocTitle'))?.toString()).toBe('true');
  expect(document.getTitle()).toBe(report.title);
  const labels = catalog.lookup(PDFName.of('PageLabels'), PDFDict).toString();
  // UTF-16 of "Cover" and of the first map page.
  for (const name of ['Cover', 'A1'])
    expect(labels).toContain(
      `feff${[...name].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')}`,
    );
  expect(labels.match(/\/P/g)).toHaveLength(document.getPageCount());
});

test('no letters are below 4.5 points', async () => {
  expect(Math.min(...sizes)).toBe(4.5);
  const { labels } = await bookOf({});
  expect(labels.filter(({ size }) => size < 4.5)).toEqual([]);
});

/** A square of degrees as land to plan pages for. */
const landAt = (west: number, south: number, side: number) => {
  const ring = Float64Array.of(
    west,
    south,
    west + side,
    south,
    west + side,
    south + side,
    west,
    south + side,
    west,
    south,
  );
  return { polygons: [[ring]], bounds: boundsOfMultiPolygon([[ring]]), stripAcres: null };
};

test('two parcels have at most two map pages, at the largest scale that does', () => {
  // A mile and a half each, three miles apart: at 1:2,400 a page shows 1,500 feet.
  const plan = planAtBestScale([landAt(-72, 44, 0.02), landAt(-71.93, 44, 0.02)], box);
  expect(plan.pages).toHaveLength(2);
  expect(planAtBestScale([landAt(-72, 44, 0.02)], box).pages).toHaveLength(1);
});

test('pages of areas keep these for the key map, where frames would overlap', () => {
  const land = [landAt(-72, 44, 0.05), landAt(-71.95, 44, 0.05)];
  const areas = land.map(({ polygons }, at) => ({ name: `T${at + 1}N R1W`, polygons }));
  const [one, other] = planAreas(areas, land, box, null).pages;
  expect(one?.frame.bounds.maxX).toBeGreaterThan(other?.frame.bounds.minX as number);
  expect([one?.area, other?.area]).toEqual(areas.map(({ polygons }) => polygons));
});

test('the words for an unknown owner stay off roads, those of a known one do not', () => {
  const side = 60;
  const ring = Float64Array.of(100, 100, 100 + side, 100, 100 + side, 110, 100, 110, 100, 100);
  const polygons = [[ring]];
  const road = new DrawnThings([], [[90, 105, 170, 105]]);
  const labeled = (name: string) => {
    const holding: Holding = {
      ...{ name, alsoNames: [], kind: 'unknown', acres: null, isMeasured: false, parcels: 1, hasShape: true, polygons },
      ...{ inner: new Float64Array(), isDissolved: true, point: [0, 0], bounds: boundsOfMultiPolygon(polygons) },
    };
    const placer = new LabelPlacer(new LabelField(box), (text) => text.length * 0.45, road);
    const seen = [{ at: 0, holding, shape: polygons, seen: polygons, point: [130, 105], isHome: true } as const];
    const { labels, unnamed } = placer.names(seen);
    const numbered = placer.numbers(unnamed, box).labels;
    return [labels.length, numbered.filter((label) => road.isUnder(label)).length];
  };
  expect(labeled('OAKES RUTH')).toEqual([1, 0]);
  expect(labeled('OWNER NOT STATED')).toEqual([0, 0]);
});
