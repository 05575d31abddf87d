/** The first pages: cover, key map, and how to read the book. Drawn last, since they tell what follows. */

import { shortWords } from '../contacts/short-words.ts';
import { type Box, boxPath, type PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import { type Bounds, boundsOfMultiPolygon, commonBounds, middleOfBounds, unionOfBounds } from '../geo/geometry.ts';
import { localMetric } from '../geo/local-metric.ts';
import { boxOnPage, groundFrame } from '../sheet/ground-frame.ts';
import { polygonsOnPage } from '../sheet/page-shapes.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import { pointsPerMeter } from '../spec/sheet-paper.ts';
import type { LandStore } from '../store/land-store.ts';
import type { DrawnLayer } from '../tiles/stored-layers.ts';
import type { BookFile } from './book-file.ts';
import { bookInks, grounds } from './book-inks.ts';
import { pageMargin } from './book-paper.ts';
import { leastLetters, wrapsOf } from './fit-label.ts';
import type { Holding } from './holdings.ts';
import { inBatches } from './in-batches.ts';
import type { DetailPage } from './map-pages.ts';
import { drawRoads, drawWater, type Ground, readGround } from './page-ground.ts';
import type { PagePlan } from './page-plan.ts';

interface FrontWords {
  readonly title: string;
  /** Counties, unless the title says them. */
  readonly counties: readonly string[];
  readonly hasNames: boolean;
  readonly facts: readonly string[];
  readonly sources: readonly string[];
  readonly madeOn: string;
  readonly parts: readonly { readonly title: string; readonly page: string }[];
}

export function addCover(
  file: BookFile,
  words: FrontWords,
  map: Pick<KeyMap, 'land' | 'layers' | 'holdings' | 'plan'>,
): void {
  const page = file.page(1);
  const [width, height] = file.size;
  const left = pageMargin + 27;
  const room = width - 2 * left;
  const edge = { x: pageMargin, y: pageMargin, width: width - 2 * pageMargin, height: height - 2 * pageMargin };
  page.area([boxPath({ ...edge, y: 110, height: 92 })], { fill: bookInks.page });
  page.text(left, 98, 13, words.hasNames ? 'Plat book of land ownership' : 'Plat book of parcels', {
    ink: bookInks.quiet,
  });
  drawTitle(page, file, { x: left, room, title: words.title });
  page.text(left, 192, 12, countiesWithin(room / 12, words.counties, file.widthOf), { ink: bookInks.white });
  let y = 228;
  for (const fact of words.facts) {
    for (const line of wrapText(fact, (room - 120) / 10, file.widthOf, '   ')) {
      page.text(left, y, 10, line);
      y += 14;
    }
  }
  const links = words.parts.map(({ title, page: target }, at) => {
    const [right, low] = [width - left, 228 + at * 14];
    page.text(right, low, 10, title, { ink: bookInks.link, align: 'right' });
    const long = page.width(title, 10);
    return file.link({ x: right - long, y: low - 10, width: long, height: 13 }, { page: target });
  });
  const low = height - pageMargin - 14;
  const lines = [
    ...words.sources.slice(0, 14).flatMap((source) => wrapText(source, room / 8, file.widthOf, '   ')),
    ...(words.sources.length > 14 ? [`and ${words.sources.length - 14} more sources`] : []),
    notASurvey,
    `Made with Platbook on this computer, ${words.madeOn}.`,
  ];
  const top = Math.max(y, 228 + words.parts.length * 14) + 12;
  drawOverview(page, { x: left, y: top, width: room, height: low - lines.length * 11 - 14 - top }, map);
  for (const [at, line] of lines.entries()) {
    page.text(left, low - (lines.length - 1 - at) * 11, 8, line, { ink: bookInks.quiet });
  }
  page.area([boxPath(edge)], { stroke: bookInks.ink, width: 1.1 });
  file.add(page, 'Cover', { links, isFront: true });
}

/** A title on one line has at least this size; a longer one has two lines. */
const leastTitle = 27;

/** In the band of the cover, never cut. */
function drawTitle(
  page: PdfPage,
  { widthOf }: BookFile,
  { x, room, title }: { readonly x: number; readonly room: number; readonly title: string },
): void {
  // Bold letters have an outline.
  const long = (line: string): number => widthOf(line) + 0.04;
  const one = Math.min(40, room / long(title));
  const lines = one >= leastTitle ? [title] : (wrapsOf(title, widthOf)[1]?.lines ?? [title]);
  const size = lines.length === 1 ? one : Math.min(leastTitle, room / Math.max(...lines.map(long)));
  for (const [at, line] of lines.entries()) {
    const y = 168 - (lines.length - 1 - at) * size * 1.1;
    page.text(x, y, size, line, { isBold: true, ink: bookInks.white });
  }
}

/** As many as there is room for, and how many more. */
export function countiesWithin(room: number, counties: readonly string[], widthOf: (text: string) => number): string {
  for (let count = counties.length; count > 0; count--) {
    const more = counties.length - count;
    const text = counties.slice(0, count).join(' · ') + (more > 0 ? ` and ${more} more` : '');
    if (count === 1 || widthOf(text) <= room) return text;
  }
  return '';
}

/** The land alone, as large as the box lets it. */
function drawOverview(
  page: PdfPage,
  box: Box,
  { land, layers, holdings, plan }: Pick<KeyMap, 'land' | 'layers' | 'holdings' | 'plan'>,
): void {
  const placed = holdings.filter(({ hasShape }) => hasShape);
  const whole = unionOfBounds(placed.map(({ bounds }) => bounds)) as Bounds;
  const pages = unionOfBounds(plan.pages.map(({ frame }) => frame.bounds)) as Bounds;
  // Strips of land that reach beyond the pages would make the rest small.
  const frame = frameAround(commonBounds(whole, pages), box);
  const ground = readGround(land, layers, frame, ['water', 'roads', 'rail']);
  page.within([boxPath(box)], () => {
    drawLand(page, holdings, frame);
    drawWater(page, ground, false);
    drawRoads(page, { roads: mainRoads(ground), rail: ground.rail }, 200_000);
  });
}

/** All roads, where none is known to be more than local. */
function mainRoads({ roads }: Ground) {
  const main = roads.filter((road) => road.class !== 'local_road' && road.class !== null);
  return main.length > 0 ? main : roads;
}

interface KeyMap {
  readonly land: LandStore;
  readonly layers: readonly DrawnLayer[];
  readonly holdings: readonly Holding[];
  readonly plan: PagePlan;
  readonly details: readonly DetailPage[];
}

/** The land is drawn so far around the pages, in points. */
const keyRoom = 10;

export function addKeyMap(file: BookFile, title: string, { land, layers, holdings, plan, details }: KeyMap): void {
  const page = file.page(1);
  const [width, height] = file.size;
  const box = { x: 36, y: 66, width: width - 72, height: height - 66 - 60 };
  const frame = frameAround(unionOfBounds(plan.pages.map((one) => one.frame.bounds)) as Bounds, box);
  page.text(pageMargin, 40, 16, 'Key map', { isBold: true });
  page.text(width - pageMargin, 40, 7.4, title, { align: 'right', ink: bookInks.quiet, room: 300 });
  const pageBox = (one: Pick<DetailPage, 'frame'>): Box => boxOnPage(frame, one.frame.bounds);
  const ground = readGround(land, layers, frame, ['water', 'roads', 'rail']);
  // Layers reach beyond the county: they end with the pages.
  page.within(plan.pages.length === 1 ? [boxPath(box)] : outlineOf(plan.pages.map(pageBox)), () => {
    page.layer('Owners', () => drawLand(page, holdings, frame));
    page.layer('Water', () => drawWater(page, ground, false));
    page.layer('Roads', () => drawRoads(page, { roads: mainRoads(ground), rail: ground.rail }, 200_000));
  });
  const links = [];
  for (const detail of details) {
    const one = pageBox(detail);
    page.area([boxPath(one)], { stroke: bookInks.link, width: 0.5, dash: [2, 1.5] });
    // Names of details of details would cover each other.
    if (detail.name.split('.').length === 2 && one.width > 16)
      page.text(one.x + 2, one.y + 5.4, 4.6, detail.name, { ink: bookInks.link, room: one.width });
  }
  for (const planned of plan.pages) {
    const { area } = planned;
    const one = area ? boxOnPage(frame, boundsOfMultiPolygon(area)) : pageBox(planned);
    const outline = area ? polygonsOnPage(area, frame).flat() : [boxPath(one)];
    page.area(outline, { stroke: bookInks.link, width: 0.9 });
    const size = Math.max(leastLetters, Math.min(16, (0.75 * one.width) / page.width(planned.name, 1)));
    page.text(one.x + one.width / 2, one.y + one.height / 2, size, planned.name, {
      ...{ align: 'middle', isCentered: true, isBold: true, ink: bookInks.link },
      halo: bookInks.white,
    });
    links.push(file.link(one, { page: planned.name }));
  }
  // The smaller ones last: where links lie on each other, the later one is on top.
  for (const detail of details) links.push(file.link(pageBox(detail), { page: detail.name }));
  page.text(
    pageMargin,
    height - 32,
    7,
    `Pages at 1:${plan.scale.toLocaleString('en-US')}${details.length > 0 ? '; dashed: details of crowded parts' : ''}. Each page shows a little of its neighbors.`,
    { ink: bookInks.quiet },
  );
  file.add(page, 'Key map', { links, isFront: true });
}

/** Boxes one by one: they overlap, so that even-odd would cut holes. */
function outlineOf(boxes: readonly Box[]) {
  const xs = [...new Set(boxes.flatMap(({ x, width }) => [x, x + width]))].sort((a, b) => a - b);
  const pieces: Box[] = [];
  for (const [at, x] of xs.slice(0, -1).entries()) {
    const right = xs[at + 1] as number;
    const middle = (x + right) / 2;
    const spans = boxes
      .filter((box) => box.x <= middle && middle <= box.x + box.width)
      .map(({ y, height }) => [y, y + height] as [number, number])
      .sort(([a], [b]) => a - b);
    for (const span of spans) {
      const last = pieces.at(-1);
      if (last && last.x === x && span[0] <= last.y + last.height) {
        pieces[pieces.length - 1] = { ...last, height: Math.max(last.height, span[1] - last.y) };
      } else pieces.push({ x, y: span[0], width: right - x, height: span[1] - span[0] });
    }
  }
  return pieces.map(boxPath);
}

function frameAround(bounds: Bounds, box: Box) {
  const middle = middleOfBounds(bounds);
  const metric = localMetric(middle[1]);
  const across = ((bounds.maxX - bounds.minX) * metric.x) / (box.width - 2 * keyRoom);
  const down = ((bounds.maxY - bounds.minY) * metric.y) / (box.height - 2 * keyRoom);
  return groundFrame(box, middle, Math.max(across, down) * pointsPerMeter(1));
}

/** Land smaller than this is drawn as cells of a grid. */
const leastPoints = 2;

function drawLand(page: PdfPage, holdings: readonly Holding[], frame: ReturnType<typeof groundFrame>): void {
  const small = new Set<string>();
  for (const holding of holdings) {
    const { bounds, kind, point } = holding;
    if (!holding.hasShape) continue;
    const { width, height } = boxOnPage(frame, bounds);
    if (Math.max(width, height) < leastPoints) {
      small.add(`${Math.floor(frame.y(point[1]) / leastPoints)} ${Math.floor(frame.x(point[0]) / leastPoints)}`);
      continue;
    }
    const fill = kind === 'public' ? grounds.public.ink : grounds.company.ink;
    for (const rings of polygonsOnPage(holding.polygons, frame)) page.area(rings, { fill, stroke: fill, width: 0.2 });
  }
  const cells = [...small].map((key) => {
    const [row = 0, column = 0] = key.split(' ').map(Number);
    return boxPath({ x: column * leastPoints, y: row * leastPoints, width: leastPoints, height: leastPoints });
  });
  inBatches(cells, (batch) => page.area(batch, { fill: grounds.company.ink }));
}

const ofNames = [
  'A holding is the land of one owner in one piece: parcels that share 7 feet of boundary or more, or face each other across a road. Dashed lines are parcels within it, and tie its land across the road.',
  'Under the owner stand the acres: as recorded, or with ± measured from the shape, where the record is missing or more than a quarter off.',
];
const withoutNames = [
  'Owners are left out of this book: parcels stand by their number (APN), with their acres: as recorded, or with ± measured.',
];

/** What a book has: how to read the rest is not explained. */
interface Readable {
  readonly hasNames: boolean;
  readonly hasSmall: boolean;
  readonly hasDetails: boolean;
  readonly hasOthers: boolean;
  readonly hasSurvey: boolean;
  /** Whether land has further owners. */
  readonly hasMoreOwners: boolean;
}

export const howToRead = ({
  hasNames,
  hasSmall,
  hasDetails,
  hasOthers,
  hasSurvey,
  hasMoreOwners,
}: Readable): string[] => [
  ...(hasNames ? ofNames : withoutNames),
  ...(hasNames && hasMoreOwners
    ? ['“& 2 others”: further owners are recorded for the holding; the index lists each by name.']
    : []),
  ...(hasSmall
    ? [
        `A small red number stands for ${hasNames ? 'a name' : 'an APN'} that does not fit: look it up under “Small parcels”, by page. Where even the number does not fit, that list and the index tell the cell.`,
      ]
    : []),
  ...(hasSurvey
    ? [
        'Red lines are the public land survey: heavy ones around townships, light ones around sections, whose numbers are large and red.',
      ]
    : []),
  ...(hasOthers ? ['Gray lines without letters are parcels that are not in this book.'] : []),
  `The index tells page and cell: “${hasDetails ? 'B2.1' : 'B2'} c4” is page ${hasDetails ? 'B2.1' : 'B2'}, column c, row 4 of its frame.`,
  ...(hasDetails ? ['“see B2.1” in blue brackets: that part is drawn larger on page B2.1.'] : []),
  'In a viewer, blue words and all lines of lists lead to their place.',
  'Water lies over the land that is recorded under it.',
  'Every map page is georeferenced: map apps that read such PDFs can show your place on it. Layers can be switched off in a viewer.',
  'Print at 100 %, not “fit to page”, to measure with a ruler.',
];

export function addReading(file: BookFile, title: string, readable: Readable): void {
  const page = file.page();
  const [width] = file.size;
  page.text(pageMargin, 40, 16, 'How to read this book', { isBold: true });
  page.text(width - pageMargin, 40, 7.4, title, { align: 'right', ink: bookInks.quiet, room: 300 });
  let y = 70;
  const room = width - 2 * pageMargin - 20;
  for (const text of howToRead(readable)) {
    page.text(pageMargin, y, 9, '·', { isBold: true });
    for (const line of wrapText(text, room / 9, file.widthOf)) {
      page.text(pageMargin + 9, y, 9, line);
      y += 12;
    }
    y += 4;
  }
  if (readable.hasNames) drawShortWords(page, y + 14);
  file.add(page, 'How to read this book', { isFront: true });
}

function drawShortWords(page: PdfPage, top: number): void {
  page.text(pageMargin, top, 10, 'Shortened words', { isBold: true });
  page.text(
    pageMargin,
    top + 12,
    7.6,
    'Where a name does not fit as recorded, these words are shortened; after that given names of people become initials.',
    { ink: bookInks.quiet },
  );
  const columns = 4;
  const rows = Math.ceil(shortWords.length / columns);
  const width = (page.size[0] - 2 * pageMargin) / columns;
  for (const [at, [word, short]] of shortWords.entries()) {
    const x = pageMargin + Math.floor(at / rows) * width;
    const y = top + 28 + (at % rows) * 10;
    page.text(x, y, 7.2, short, { isBold: true });
    page.text(x + 42, y, 7.2, word.toLowerCase(), { room: width - 46 });
  }
}
