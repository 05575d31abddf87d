/** The plat book of the sample: its letters by a checker of its own, its lists, links, places, bytes, and what it leaves out. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFRef } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { estimateBook } from '../../engine/book/estimate-book.ts';
import { type BookReport, makeBook, makePage } from '../../engine/book/make-book.ts';
import type { PageLabel, SeenHolding } from '../../engine/book/place-labels.ts';
import { planBook } from '../../engine/book/plan-book.ts';
import type { Engine } from '../../engine/engine.ts';
import { keysOfGdal, placingKeys } from '../sheet/pdf-reading.ts';
import { emptyHome, openHomeCopy, realHome, removeHome, sampleHome } from '../support/homes.ts';
import { workOutOwners } from '../support/known-owners.ts';
import { requireOrSkip } from '../support/require.ts';
import { realDataOrSkip } from '../support/shared-data.ts';
import { faultsOf } from './label-checker.ts';
import { formsOf, insideOf } from './pdf-inside.ts';

const hasPoppler = requireOrSkip(
  'poppler',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the book back (apt-get install poppler-utils)',
);
const hasGdal = requireOrSkip(
  'GDAL with PDF',
  /\bPDF\b/.test(spawnSync('gdalinfo', ['--formats'], { encoding: 'utf8' }).stdout ?? ''),
  'it reads the georeference back (apt-get install gdal-bin)',
);

interface DrawnPage {
  readonly name: string;
  readonly seen: readonly SeenHolding[];
  readonly labels: readonly PageLabel[];
}

interface Book {
  readonly report: BookReport;
  readonly pages: readonly DrawnPage[];
  readonly pdf: Buffer;
}

const madeAt = new Date('2026-11-25T03:00:00Z');

function bookOf(engine: Engine, more: Partial<Parameters<typeof makeBook>[1]> = {}): Book {
  const pages: DrawnPage[] = [];
  const pieces: Uint8Array[] = [];
  const report = makeBook(
    engine.land,
    { ...bookOptions({}, madeAt), ...more },
    {
      put: (piece) => pieces.push(piece),
      progress: () => {},
      onPage: (name, seen, labels) => pages.push({ name, seen, labels }),
    },
  );
  return { report, pages, pdf: Buffer.concat(pieces) };
}

let engine: Engine;
let whole: Book;
beforeAll(() => {
  engine = openHomeCopy(sampleHome());
  workOutOwners(engine);
  whole = bookOf(engine);
});
afterAll(() => removeHome(engine));

/** Some parcels of the sample: for what needs no whole county. */
const someIds = () =>
  engine.land.file.column<number>(
    "SELECT property_id FROM parcels WHERE status = 'current' ORDER BY property_id LIMIT 150",
  );

const fileOf = (pdf: Uint8Array): string => {
  const file = path.join(emptyHome(), 'book.pdf');
  fs.writeFileSync(file, pdf);
  return file;
};

describe('letters', () => {
  test('no label touches another, leaves its holding or the frame', () => {
    const faults = whole.pages.flatMap(({ name, seen, labels }) =>
      faultsOf(seen, labels).map((fault) => `${name}: ${fault}`),
    );
    expect(whole.pages.flatMap(({ labels }) => labels).length).toBeGreaterThan(5000);
    expect(faults).toEqual([]);
  });

  test('every holding is in one class, and the sum is their number', () => {
    const { classes, holdings, parcels } = whole.report;
    expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(holdings);
    // Counted by SQL: parcels, and those without a shape whose owner has none either.
    expect(parcels).toBe(
      engine.land.file.get<{ n: number }>("SELECT count(*) AS n FROM parcels WHERE status = 'current'")?.n,
    );
  });

  test('a holding is at home on one page, or on one page and named on others', () => {
    const homes = new Map<number, number>();
    for (const { seen } of whole.pages)
      for (const { at, isHome } of seen) if (isHome) homes.set(at, (homes.get(at) ?? 0) + 1);
    expect(homes.size).toBe(whole.report.holdings - whole.report.classes.no_shape);
    expect([...homes.values()].filter((count) => count !== 1)).toEqual([]);
  });

  test('of holdings of 5 acres and more 95 % have a name', () => {
    const { large, share } = namedShare(whole.pages);
    expect(large).toBeGreaterThan(500);
    expect(share).toBeGreaterThan(0.95);
  });

  test.skipIf(!realDataOrSkip('names of a real town'))(
    'in Washington, New Hampshire, too, and none touches another',
    () => {
      const town = openHomeCopy(realHome() as string);
      try {
        workOutOwners(town);
        const { pages, report } = bookOf(town, { choice: { counties: ['33019'], ids: null } });
        const { large, share } = namedShare(pages);
        expect(large).toBeGreaterThan(300);
        expect(share).toBeGreaterThanOrEqual(0.95);
        expect(Object.values(report.classes).reduce((sum, count) => sum + count, 0)).toBe(report.holdings);
        expect(pages.flatMap(({ seen, labels }) => faultsOf(seen, labels))).toEqual([]);
      } finally {
        removeHome(town);
      }
    },
  );
});

/** Holdings of 5 acres and more, and which share of them has a name on the page where they are at home. */
function namedShare(pages: readonly DrawnPage[]): { readonly large: number; readonly share: number } {
  const homes = pages.flatMap(({ seen, labels }) => {
    const named = new Set(labels.filter(({ labelClass }) => labelClass !== 'number').map(({ at }) => at));
    return seen
      .filter(({ isHome }) => isHome)
      .map(({ at, holding }) => ({ acres: holding.acres ?? 0, isNamed: named.has(at) }));
  });
  const large = homes.filter(({ acres }) => acres >= 5);
  return { large: large.length, share: large.filter(({ isNamed }) => isNamed).length / large.length };
}

describe('pages before the book', () => {
  test.each([
    [null, 'letter'],
    [48_000, 'letter'],
    [null, 'tabloid'],
  ] as const)('the estimate has the pages of the book: scale %s, %s', (scale, paper) => {
    const options = { ...bookOptions({ paper }, madeAt), scale };
    const { plan } = planBook(engine.land, options);
    const estimate = estimateBook(engine.land, options);
    expect(estimate.frames).toEqual(
      plan.pages.map(({ name, frame: { bounds } }) => ({
        name,
        bounds: [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY],
      })),
    );
    expect(estimate.map_pages).toBeGreaterThan(3);
  });

  test('a page that is looked at has the names that it has in the book', () => {
    const pages: DrawnPage[] = [];
    const crowded = whole.pages.find(({ name }) => whole.pages.some((one) => one.name.startsWith(`${name}.`)));
    makePage(engine.land, crowded?.name ?? '', bookOptions({}, madeAt), {
      put: () => {},
      progress: () => {},
      onPage: (name, seen, labels) => pages.push({ name, seen, labels }),
    });
    // Places in the list of holdings differ: the page reads only its own.
    const lettersOf = ({ name, labels }: DrawnPage) => [name, labels.map(({ at: _at, ...label }) => label)];
    const inBook = whole.pages.filter(({ name }) => name === crowded?.name || name.startsWith(`${crowded?.name}.`));
    expect(pages.map(lettersOf)).toEqual(inBook.map(lettersOf));
    expect(pages.length).toBeGreaterThan(1);
  });
});

/** `B2 310 205`: where holdings at home on a page have their letters, else their inner point. */
function homePlaces({ name, seen, labels }: DrawnPage): string[] {
  const home = new Map(seen.filter(({ isHome }) => isHome).map((one) => [one.at, one.point]));
  // Further parts of the land have the name once more.
  for (const { at, x, y } of labels.toReversed()) if (home.has(at)) home.set(at, [x, y]);
  return [...home.values()].map(([x, y]) => `${name} ${Math.round(x)} ${Math.round(y)}`);
}

/** The middles of the boxes to which links of the lists lead. */
async function listTargets({ pdf, pages }: Book): Promise<{ page: string | undefined; x: number; y: number }[]> {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true });
  // Cover, key map and how to read come first; maps then stand in the order in which they were drawn.
  const names = new Map(document.getPages().map(({ ref }, at) => [ref.toString(), pages[at - 3]?.name]));
  return document.context.enumerateIndirectObjects().flatMap(([, object]) => {
    const target = object instanceof PDFDict ? object.lookupMaybe(PDFName.of('Dest'), PDFArray) : undefined;
    if (target?.get(1) !== PDFName.of('FitR')) return [];
    const side = (at: number) => Number(target.get(at)?.toString());
    const page = names.get((target.get(0) as PDFRef).toString());
    return [{ page, x: (side(2) + side(4)) / 2, y: 792 - (side(3) + side(5)) / 2 }];
  });
}

describe('the file', () => {
  test('the same input and clock make the same bytes', () => {
    const ids = someIds();
    const choice = { counties: null, ids };
    expect(bookOf(engine, { choice }).pdf.equals(bookOf(engine, { choice }).pdf)).toBe(true);
  });

  test('every link and bookmark leads to a page, and the index has a link for each holding with a shape', async () => {
    const document = await PDFDocument.load(whole.pdf, { throwOnInvalidObject: true });
    const pages = new Set(document.getPages().map(({ ref }) => ref.toString()));
    let [links, lost] = [0, 0];
    for (const [, object] of document.context.enumerateIndirectObjects()) {
      if (!(object instanceof PDFDict)) continue;
      const target = object.lookupMaybe(PDFName.of('Dest'), PDFArray);
      if (!target) continue;
      links += 1;
      if (!pages.has((target.get(0) as PDFRef).toString())) lost += 1;
    }
    expect(lost).toBe(0);
    expect(links).toBeGreaterThan(whole.report.holdings - whole.report.classes.no_shape);
    expect(document.getPageCount()).toBe(whole.report.pages);
  });

  test('every line of the lists leads to the middle of letters or land of a holding at home there', async () => {
    const places = new Set(whole.pages.flatMap(homePlaces));
    const targets = await listTargets(whole);
    // Sides of targets are whole points.
    const isThere = ({ page, x, y }: (typeof targets)[number]) =>
      [-1, 0, 1].some((dx) =>
        [-1, 0, 1].some((dy) => places.has(`${page} ${Math.round(x) + dx} ${Math.round(y) + dy}`)),
      );
    expect(targets.filter((target) => !isThere(target))).toEqual([]);
    // The index names each with a shape, the list of small ones some again; a name on two lines has two links.
    const { classes, holdings } = whole.report;
    expect(targets.length).toBeGreaterThanOrEqual(holdings - classes.no_shape + classes.number + classes.cell);
  });

  test.skipIf(!hasPoppler)('what the index says is on its page, and pages are drawn without a warning', () => {
    const file = fileOf(whole.pdf);
    const drawn = spawnSync(
      'pdftoppm',
      ['-r', '20', '-f', '1', '-l', '6', '-png', file, path.join(path.dirname(file), 'page')],
      { encoding: 'utf8' },
    );
    expect(drawn.stderr).toBe('');
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    // What the font lacks becomes ?, and a note of the report says it: the sample has no such name.
    expect(whole.report.notes.join(' ')).not.toContain('?');
    expect(text).not.toContain('?');
    const byPage = text.split('\f');
    // `… ROWAN NANCY   4.10   B2.1 c4`: the name's first word stands on the page B2.1, if the name is not abbreviated.
    const { name, labels, seen } = whole.pages.find((page) => page.labels.length > 40) as DrawnPage;
    const page = byPage.find((one) => one.split('\n', 4).join('\n').includes(` ${name}`)) ?? '';
    const full = labels.filter(({ labelClass, angle }) => labelClass === 'full' && angle === 0);
    const missing = full.filter(({ at }) => {
      const [word = ''] = seen.find((one) => one.at === at)?.holding.name.split(' ') ?? [];
      return !page.includes(word);
    });
    expect(full.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  });

  test.skipIf(!hasGdal)(
    'each map page and detail holds one viewport, with every key that GDAL writes into its own',
    async () => {
      const placed = await placingKeys(whole.pdf);
      const theirs = await keysOfGdal(emptyHome());
      expect(theirs.length).toBeGreaterThan(10);
      expect(placed.length).toBeGreaterThanOrEqual(whole.pages.length);
      for (const keys of placed) {
        expect(keys).toEqual(expect.arrayContaining(theirs));
        expect(keys.filter((key) => key === 'VP.BBox')).toHaveLength(1);
      }
    },
  );

  test.skipIf(!hasGdal)('GDAL places the corners of a map page where the book does', () => {
    const first = whole.pages[0] as DrawnPage;
    // Page 4 is the first map, after cover, key map and how to read.
    const file = fileOf(whole.pdf);
    const info = JSON.parse(execFileSync('gdalinfo', ['-json', `PDF:4:${file}`], { encoding: 'utf8' })) as {
      readonly metadata: Record<string, { readonly NEATLINE?: string }>;
      readonly geoTransform: readonly [number, number, number, number, number, number];
      readonly size: readonly [number, number];
    };
    const [west, perX, , north, , perY] = info.geoTransform;
    const pointsPerPixel = 612 / info.size[0];
    // Each corner of a holding, by the page's pixels, lies where its degrees say, to a metre (1e-5 degree is one).
    const corners = first.seen.flatMap(({ holding, point }) => [[holding.point, point] as const]);
    for (const [[longitude, latitude], [x, y]] of corners) {
      expect(Math.abs(west + (x / pointsPerPixel) * perX - longitude)).toBeLessThan(1e-5);
      expect(Math.abs(north + (y / pointsPerPixel) * perY - latitude)).toBeLessThan(1e-5);
    }
    expect(corners.length).toBeGreaterThan(0);
  });
});

describe('a book of some parcels', () => {
  test('says how many it leaves out, and draws these as lines, with or without names', async () => {
    const hasLines = async (pdf: Buffer) => {
      const inside = await insideOf(pdf);
      return formsOf('Other parcels').some((form) => inside.includes(form));
    };
    const ids = someIds().slice(0, 20);
    const [of] = engine.land.file.column<number>("SELECT count(*) FROM parcels WHERE status = 'current'");
    for (const hasNames of [true, false]) {
      const { report, pdf } = bookOf(engine, { choice: { counties: null, ids }, hasNames });
      expect(report.notes).toContain(
        `20 of the ${of?.toLocaleString('en-US')} parcels of the county are chosen: the others are gray lines without names.`,
      );
      expect(await hasLines(pdf)).toBe(true);
    }
    expect(await hasLines(whole.pdf)).toBe(false);
  });

  test('of all parcels leaves out none', () => {
    const ids = engine.land.file.column<number>("SELECT property_id FROM parcels WHERE status = 'current'");
    expect(bookOf(engine, { choice: { counties: null, ids }, details: null }).report.notes).toEqual(
      bookOf(engine, { details: null }).report.notes,
    );
  });
});

describe('what cannot be printed', () => {
  test('no county of parcels, and no parcels: nothing to print', () => {
    expect(() => bookOf(engine, { choice: { counties: ['01001'], ids: null } })).toThrow(/^No parcels are loaded for/);
    expect(() => bookOf(engine, { choice: { counties: null, ids: [] } })).toThrow(/^Nothing to print/);
  });

  test('more than 3,000 pages are refused with the scale that fits', () => {
    expect(() => bookOf(engine, { scale: 600 })).toThrow(/at most 3,000; 1:[\d,]+ fits\.$/);
  });
});
