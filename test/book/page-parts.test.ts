/** Parts of a map page: windows of details, their tags, letters beside dots, the legend, the words of a report. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bookOptions } from '../../engine/book/book-fields.ts';
import { BookFile } from '../../engine/book/book-file.ts';
import { grounds } from '../../engine/book/book-inks.ts';
import { frameBox, pageMargin } from '../../engine/book/book-paper.ts';
import { detailWindows, isWithin } from '../../engine/book/detail-windows.ts';
import { tagsOf } from '../../engine/book/draw-brackets.ts';
import { drawFurniture } from '../../engine/book/draw-furniture.ts';
import { DrawnThings } from '../../engine/book/drawn-things.ts';
import { howToRead } from '../../engine/book/front-pages.ts';
import type { Holding } from '../../engine/book/holdings.ts';
import { makePage } from '../../engine/book/make-book.ts';
import type { Ground } from '../../engine/book/page-ground.ts';
import { LabelPlacer, type SeenHolding } from '../../engine/book/place-labels.ts';
import { LabelFont } from '../../engine/exporting/label-font.ts';
import type { Box } from '../../engine/exporting/pdf-page.ts';
import { groundFrame } from '../../engine/sheet/ground-frame.ts';
import { LabelField } from '../../engine/sheet/label-field.ts';
import { classWords } from '../../engine/spec/holding-classes.ts';
import { pageSize } from '../../engine/spec/sheet-paper.ts';
import { emptyHome, engineOn, sampleHome } from '../support/homes.ts';
import { requireOrSkip } from '../support/require.ts';
import { formsOf, insideOf, wordsOf } from './pdf-inside.ts';

const hasPoppler = requireOrSkip(
  'poppler',
  spawnSync('pdftotext', ['-v']).status === 0,
  'it reads the book back (apt-get install poppler-utils)',
);

const box: Box = { x: 36, y: 72, width: 540, height: 648 };
/** Twenty places in rows of five. */
const places = (left: number, top: number, apart: number) =>
  Array.from({ length: 20 }, (_, at) => [left + (at % 5) * apart, top + Math.floor(at / 5) * apart] as const);

test('a detail is as large as its places and the chosen scale allow', () => {
  const small = places(100, 200, 20);
  // Each in a quarter of the frame, both in a half.
  const apart = [...places(100, 200, 20), ...places(250, 400, 10)];
  const timesOf = (points: typeof small, most: number) => detailWindows(box, points, most).map(({ times }) => times);
  expect(timesOf(small, 4)).toEqual([4]);
  expect(timesOf(small, 2)).toEqual([2]);
  // The ladder ends at the scale that was chosen, not at the last half before it.
  expect(timesOf(small, 1.9)).toEqual([1.9]);
  expect(timesOf(small, 1.1)).toEqual([]);
  expect(timesOf(apart, 4)).toEqual([2]);
  expect(timesOf(small.slice(0, 15), 4)).toEqual([]);
  const [window] = detailWindows(box, small, 4);
  expect(window).toMatchObject({ width: box.width / 4, height: box.height / 4 });
  expect(small.filter((point) => !isWithin(window as Box, point))).toEqual([]);
});

const meets = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('no tag lies on the bracket of any window', () => {
  const half = { width: box.width / 2, height: box.height / 2 };
  // The lower left bracket of the second crosses where the tag of the first would stand.
  const details = [
    { name: 'B2.1', window: { x: 100, y: 400, ...half } },
    { name: 'B2.2', window: { x: 104, y: 412 - half.height, ...half } },
  ];
  const tagged = tagsOf(details, new LabelField(box), (text) => text.length * 0.45);
  const lines = details.flatMap(({ window: { x, y, width, height } }) =>
    [x, x + width].flatMap((side) =>
      [y, y + height].flatMap((end) => [
        { x: side === x ? x : side - 18, y: end, width: 18, height: 0 },
        { x: side, y: end === y ? y : end - 18, width: 0, height: 18 },
      ]),
    ),
  );
  expect(tagged.map(({ name }) => name)).toEqual(['B2.1', 'B2.2']);
  expect(tagged.flatMap(({ tag }) => lines.filter((line) => meets(tag, line)))).toEqual([]);
});

const square = (side: number): Float64Array =>
  Float64Array.of(100, 100, 100 + side, 100, 100 + side, 100 + side, 100, 100 + side, 100, 100);
function lotOf(side: number): SeenHolding {
  const polygons = [[square(side)]];
  const holding: Holding = {
    ...{
      name: 'OAKES RUTH',
      alsoNames: [],
      kind: 'person',
      acres: 12,
      isMeasured: false,
      parcels: 1,
      hasShape: true,
      polygons,
    },
    ...{ inner: new Float64Array(), isDissolved: true, point: [0, 0] },
    bounds: { minX: 100, minY: 100, maxX: 100 + side, maxY: 100 + side },
  };
  return { at: 0, holding, shape: polygons, seen: polygons, point: [100 + side / 2, 100 + side / 2], isHome: true };
}

test('letters stand beside dots and lines where there is room, and keep their place where there is none', () => {
  const widthOf = (text: string) => text.length * 0.45;
  const labelOf = (side: number, things: DrawnThings | null) =>
    new LabelPlacer(new LabelField(box), widthOf, things).names([lotOf(side)]).labels[0];
  const [wide, narrow] = [80, 14];
  const middle = (side: number) => new DrawnThings([[100 + side / 2, 100 + side / 2]], []);
  const before = labelOf(wide, null);
  const beside = labelOf(wide, middle(wide));
  if (!before || !beside) throw new Error('no label');
  expect(middle(wide).isUnder(before)).toBe(true);
  expect(middle(wide).isUnder(beside)).toBe(false);
  expect(beside.size).toBeGreaterThan(before.size * 0.6);
  expect(labelOf(narrow, middle(narrow))).toEqual(labelOf(narrow, null));
  // A stream through the lot, a little right of its middle.
  const stream = new DrawnThings([], [[145, 90, 148, 190]]);
  expect(stream.isUnder(before)).toBe(true);
  expect(stream.isUnder(labelOf(wide, stream) ?? before)).toBe(false);
});

test('the legend of a page names what it shows', async () => {
  const engine = engineOn(sampleHome());
  const ids = engine.land.file.column<number>('SELECT property_id FROM parcels ORDER BY property_id LIMIT 3');
  const saidOn = async (names: boolean, texts: readonly string[]) => {
    const pieces: Uint8Array[] = [];
    makePage(engine.land, 'A1', bookOptions({ ids, names }, new Date('2026-11-25T03:00:00Z')), {
      put: (piece) => pieces.push(piece),
      progress: () => {},
    });
    const inside = await insideOf(Buffer.concat(pieces));
    return texts.filter((text) => formsOf(text).some((form) => inside.includes(form)));
  };
  // This home has no layers.
  expect(await saidOn(true, ['water', 'building', 'section, township line'])).toEqual([]);
  const owners = ['person or trust', 'company', 'public', 'owner not stated'];
  expect(await saidOn(true, owners)).not.toEqual([]);
  expect(await saidOn(false, owners)).toEqual([]);
});

describe.runIf(hasPoppler)('the furniture of a page', () => {
  const paper = pageSize('a4', false);
  const frame = groundFrame(frameBox(paper), [-71.9, 44], 24_000);
  const feature = {
    ...{ name: null, class: null, route: null, feet: null, polygons: [], lines: [], point: null },
    ...{ areas: [], paths: [], place: null },
  };
  const ground: Ground = {
    ...{ water: [feature], stream: [], buildings: [feature], roads: [], rail: [], plss: [feature] },
  };
  const townships = ['T2N R4W', 'T2N R5W', 'T2N R6W', 'T3N R4W', 'T3N R5W', 'T3N R6W'];
  const furnished = (name: string, seen: readonly SeenHolding[]) => {
    const pieces: Uint8Array[] = [];
    const file = new BookFile((piece) => pieces.push(piece), LabelFont.load('condensed'), paper);
    const page = file.page();
    drawFurniture(
      page,
      file,
      { ...{ name, frame, townships, parents: [], neighbors: [] } },
      { ...{ title: 'Some lots', source: '', hasNames: true } },
      { ...{ seen, ground, labels: [], hasInner: true, hasOthers: true } },
    );
    file.add(page, name);
    file.finish('Some lots', new Date('2026-11-25T03:00:00Z'));
    const to = path.join(emptyHome(), 'page.pdf');
    fs.writeFileSync(to, Buffer.concat(pieces));
    return wordsOf(to)[0] ?? [];
  };
  const said = (words: ReturnType<typeof furnished>) => words.map(({ text }) => text).join(' ');
  const lot = lotOf(80);
  const kinds = (Object.keys(grounds) as Holding['kind'][]).map((kind) => ({
    ...{ ...lot, holding: { ...lot.holding, kind } },
  }));

  test('a full legend ends at the margin', () => {
    const words = furnished('B2', kinds);
    expect(words.map(({ text }) => text)).toEqual(expect.arrayContaining(['parcel', 'not', 'this', 'book']));
    expect(words.filter(({ right }) => right > paper[0] - pageMargin + 0.5)).toEqual([]);
  });

  test('one holding is one, and a page names four townships and counts the others, unless it is named by one', () => {
    expect(said(furnished('B2', [lot]))).toContain(
      '· 1 holding on this page · T2N R4W, T2N R5W, T2N R6W, T3N R4W, 2 more',
    );
    expect(said(furnished('T3N R6W.1', [lot]))).not.toContain('T2N R4W');
  });
});

test('holdings are counted by what the book shows of them', () => {
  const classes = { full: 1200, smaller: 3, abbreviated: 0, initials: 0, number: 40, cell: 0, no_shape: 1 };
  expect(classWords(classes, true)).toBe(
    '1,200 by full name, 3 in small letters, 40 by red number, 1 in the index alone, without a shape',
  );
  expect(classWords(classes, false)).not.toMatch(/name/);
});

test('a book explains what it has', () => {
  const few = { hasNames: true, hasSmall: false, hasDetails: false, hasOthers: false };
  const none = { ...few, hasSurvey: false, hasMoreOwners: false };
  const many = { hasNames: true, hasSmall: true, hasDetails: true, hasOthers: true };
  const all = { ...many, hasSurvey: true, hasMoreOwners: true };
  const words = (has: typeof none) => howToRead(has).join(' ');
  expect(words(none)).toMatch(/holding.*7 feet of boundary/);
  expect(words(none)).not.toMatch(/red number|others|Gray|blue brackets|B2\.1/);
  expect(words(all)).toMatch(/red number stands for a name.*sections.*Gray lines.*B2\.1 c4.*blue brackets/s);
  expect(words({ ...all, hasNames: false })).not.toMatch(/holding|name/i);
});
