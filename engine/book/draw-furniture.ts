/** What stands around a map: title, page name, cells, neighbors, scale bar, north, legend, source, corners. */

import type { PdfRef } from '../exporting/pdf-file.ts';
import { boxPath, type Ink, type Paint, type PdfPage } from '../exporting/pdf-page.ts';
import { metersPerFoot } from '../geo/local-metric.ts';
import type { GroundFrame } from '../sheet/ground-frame.ts';
import { drawNorth, roundLength } from '../sheet/sheet-foot.ts';
import { counted, firstOf, grouped } from '../spec/counted.ts';
import type { BookFile } from './book-file.ts';
import { bookInks, grounds } from './book-inks.ts';
import { cellBand, cellColumns, cellRows, columnLetter, pageMargin } from './book-paper.ts';
import { leastLetters } from './fit-label.ts';
import { type Ground, hasDots } from './page-ground.ts';
import type { Neighbor } from './page-plan.ts';
import type { PageLabel, SeenHolding } from './place-labels.ts';

export interface PageWords {
  readonly title: string;
  /** One line about who published what, and when. */
  readonly source: string;
  /** False: APNs stand for owners. */
  readonly hasNames: boolean;
}

interface Furnished {
  readonly name: string;
  readonly frame: GroundFrame;
  /** Pages of which it is a detail. */
  readonly parents: readonly string[];
  /** Townships of the survey that the page shows. */
  readonly townships: readonly string[];
  readonly neighbors: readonly Neighbor[];
}

/** What a page shows: its legend says no more. */
interface Shown {
  readonly seen: readonly SeenHolding[];
  readonly labels: readonly PageLabel[];
  readonly ground: Ground;
  /** Lines of parcels within a holding. */
  readonly hasInner: boolean;
  /** Lines of parcels that the book leaves out. */
  readonly hasOthers: boolean;
}

/** Points for a page's name. */
const nameRoom = 110;

/** @returns links of the page */
export function drawFurniture(
  page: PdfPage,
  file: BookFile,
  furnished: Furnished,
  words: PageWords,
  shown: Shown,
): PdfRef[] {
  const { frame, name } = furnished;
  const { box } = frame;
  const [width] = page.size;
  const right = width - pageMargin;
  drawCells(page, frame);
  const inside = shown.seen.filter((one) => one.seen.length > 0);
  const thing = words.hasNames ? 'holding' : 'parcel';
  // A page that is named by its township says no more.
  const townships = furnished.townships.some((one) => name.startsWith(one)) ? [] : furnished.townships;
  const titleSize = Math.min(16, (width - 2 * pageMargin - nameRoom) / page.width(words.title, 1));
  page.text(pageMargin, 33, titleSize, words.title, { isBold: true });
  page.text(
    pageMargin,
    46,
    7.6,
    [
      `Scale 1:${grouped(frame.scale)}`,
      `${counted(inside.length, thing, `${thing}s`)} on this page`,
      ...(townships.length > 0 ? [firstOf(townships, 4)] : []),
    ].join('  ·  '),
    {
      ink: bookInks.quiet,
    },
  );
  const nameSize = Math.min(30, nameRoom / page.width(name, 1));
  page.text(right, 46, nameSize, name, { align: 'right', isBold: true, ink: bookInks.page });
  drawFoot(page, frame, words, { ...shown, seen: inside });
  return [...drawNeighbors(page, file, furnished), ...drawParents(page, file, furnished, box.y)];
}

function drawCells(page: PdfPage, { box }: GroundFrame): void {
  const outer = {
    x: box.x - cellBand,
    y: box.y - cellBand,
    width: box.width + 2 * cellBand,
    height: box.height + 2 * cellBand,
  };
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  const columns = Array.from({ length: cellColumns - 1 }, (_, at) => box.x + ((at + 1) * box.width) / cellColumns);
  const rows = Array.from({ length: cellRows - 1 }, (_, at) => box.y + ((at + 1) * box.height) / cellRows);
  const ticks = [
    ...columns.flatMap((x) => [
      [x, outer.y, x, box.y],
      [x, bottom, x, bottom + cellBand],
    ]),
    ...rows.flatMap((y) => [
      [outer.x, y, box.x, y],
      [right, y, right + cellBand, y],
    ]),
  ];
  page.line(ticks, { stroke: bookInks.ink, width: 0.5 });
  page.area([boxPath(outer)], { stroke: bookInks.ink, width: 0.6 });
  page.area([boxPath(box)], { stroke: bookInks.ink, width: 1.1 });
  const middle = { align: 'middle', isCentered: true, isBold: true } as const;
  for (let at = 0; at < cellColumns; at++) {
    const x = box.x + ((at + 0.5) * box.width) / cellColumns;
    for (const y of [box.y - cellBand / 2, bottom + cellBand / 2]) page.text(x, y, 6.4, columnLetter(at), middle);
  }
  for (let at = 0; at < cellRows; at++) {
    const y = box.y + ((at + 0.5) * box.height) / cellRows;
    for (const x of [box.x - cellBand / 2, right + cellBand / 2]) page.text(x, y, 6.4, String(at + 1), middle);
  }
}

function drawNeighbors(page: PdfPage, file: BookFile, { frame: { box }, neighbors }: Furnished): PdfRef[] {
  const size = 6.6;
  const away = cellBand + 4.5;
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const places = {
    above: [middleX, box.y - away, 0],
    below: [middleX, box.y + box.height + away, 0],
    west: [box.x - away, middleY, 90],
    east: [box.x + box.width + away, middleY, 90],
  } as const;
  return neighbors.map(({ side, name }) => {
    const text = `${side} ${name}`;
    const [x, y, angle] = places[side];
    const long = page.width(text, size) + 4;
    const [width, height] = angle === 0 ? [long, 9] : [9, long];
    page.text(x, y, size, text, { align: 'middle', isCentered: true, angle, isBold: true, ink: bookInks.link });
    return file.link({ x: x - width / 2, y: y - height / 2, width, height }, { page: name });
  });
}

function drawParents(page: PdfPage, file: BookFile, { frame: { box }, parents }: Furnished, top: number): PdfRef[] {
  const y = top - cellBand - 4.5;
  const words = parents.map(
    (parent, at) => `${at === 0 ? 'detail of ' : ''}${parent}${at + 1 < parents.length ? ',' : ''}`,
  );
  const widths = words.map((text) => page.width(text, 6.6) + 2.5);
  let x = box.x + box.width / 2 - widths.reduce((sum, one) => sum + one, 0) / 2;
  return parents.map((parent, at) => {
    const [text = '', width = 0] = [words[at], widths[at]];
    page.text(x + width / 2, y, 6.6, text, { align: 'middle', isCentered: true, isBold: true, ink: bookInks.link });
    x += width;
    return file.link({ x: x - width, y: y - 4.5, width, height: 9 }, { page: parent });
  });
}

/** How to read its letters and lines. */
function readingOf({ seen, labels, hasInner }: Shown, hasNames: boolean): string {
  const labeled = new Set(labels.filter(({ labelClass }) => labelClass !== 'number').map(({ at }) => at));
  return [
    hasNames ? 'OWNER and acres: a holding (parcels of one owner that touch).' : 'Parcel number and acres.',
    ...(labels.some(({ labelClass }) => labelClass === 'number') ? ['Red number: see “Small parcels”.'] : []),
    ...(hasInner ? ['Dashed: parcel within a holding.'] : []),
    ...(seen.some(({ at, holding }) => holding.isMeasured && labeled.has(at)) ? ['±: measured.'] : []),
  ].join(' ');
}

function drawFoot(page: PdfPage, frame: GroundFrame, words: PageWords, shown: Shown): void {
  const { box, bounds } = frame;
  const [width, height] = page.size;
  const top = box.y + box.height + cellBand;
  drawBar(page, frame, pageMargin + 3, top + 23);
  drawNorth(page, pageMargin + 199, top + 11);
  const x = pageMargin + 219;
  page.text(x, top + 15, 6.2, readingOf(shown, words.hasNames), { room: width - pageMargin - x });
  drawLegend(page, x, top + 19, { ...shown, scale: frame.scale, hasNames: words.hasNames });
  const { minX, minY, maxX, maxY } = bounds;
  const corners = `${minY.toFixed(4)}, ${minX.toFixed(4)} to ${maxY.toFixed(4)}, ${maxX.toFixed(4)} (WGS 84)`;
  const low = height - pageMargin;
  page.text(width - pageMargin, low, 5.8, corners, { align: 'right', ink: bookInks.quiet });
  const note = 'Boundaries are approximate, not a survey. Made with Platbook on this computer.  ';
  // Only the source may be cut.
  page.text(pageMargin, low, 5.8, note, { ink: bookInks.quiet });
  const long = page.width(note, 5.8);
  page.text(pageMargin + long, low, 5.8, words.source, {
    ink: bookInks.quiet,
    room: width - 2 * pageMargin - long - page.width(corners, 5.8) - 8,
  });
}

const outlined = { stroke: bookInks.outline, width: 0.5 };

function drawLegend(
  page: PdfPage,
  left: number,
  y: number,
  { seen, ground, hasOthers, scale, hasNames }: Shown & Pick<GroundFrame, 'scale'> & Pick<PageWords, 'hasNames'>,
): void {
  // Without names no kind of owner is shown.
  const kinds = new Set<string>(hasNames ? seen.map(({ holding }) => holding.kind) : []);
  const area = (title: string, fill: Ink) => ({ title, size: [9, 6] as const, paint: { fill, ...outlined } });
  const [side, fill] = hasDots(scale) ? [1.5, bookInks.buildingDot] : [5, bookInks.building];
  const entries: readonly { title: string; size: readonly [number, number]; paint: Paint }[] = [
    ...Object.entries(grounds).flatMap(([kind, { title, ink }]) => (kinds.has(kind) ? [area(title, ink)] : [])),
    ...(ground.water.length + ground.stream.length > 0 ? [area('water', bookInks.water)] : []),
    ...(ground.buildings.length > 0 ? [{ title: 'building', size: [side, side] as const, paint: { fill } }] : []),
    ...(ground.plss.length > 0 ? [area('section, township line', bookInks.township)] : []),
    ...(hasOthers
      ? [{ title: 'parcel not in this book', size: [9, 6] as const, paint: { stroke: bookInks.other, width: 0.5 } }]
      : []),
  ];
  const widths = entries.map(({ title, size }) => size[0] + 3 + page.width(title, 6.2) + 9);
  const long = widths.reduce((sum, one) => sum + one, 0) - 9;
  // A full legend is set a little smaller.
  const times = Math.max(leastLetters / 6.2, Math.min(1, (page.size[0] - pageMargin - left) / long));
  let x = left;
  for (const [at, { title, size, paint }] of entries.entries()) {
    const [width, height] = [size[0] * times, size[1] * times];
    page.area([boxPath({ x, y: y + 3 - height / 2, width, height })], paint);
    page.text(x + width + 3 * times, y + 5.2, 6.2 * times, title);
    x += (widths[at] as number) * times;
  }
}

function drawBar(page: PdfPage, { pointsPerMeter }: GroundFrame, x: number, y: number): void {
  const feet = roundLength(150 / (pointsPerMeter * metersPerFoot));
  const long = feet * metersPerFoot * pointsPerMeter;
  for (const [at, share] of [0, 0.25, 0.5].entries()) {
    const end = [0.25, 0.5, 1][at] as number;
    const part = { x: x + share * long, y, width: (end - share) * long, height: 2.6 };
    page.area([boxPath(part)], { fill: at === 1 ? bookInks.white : bookInks.ink, stroke: bookInks.ink, width: 0.5 });
  }
  const words = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  page.text(x, y - 3, 6, '0', { align: 'middle' });
  page.text(x + long / 2, y - 3, 6, words(feet / 2), { align: 'middle' });
  page.text(x + long, y - 3, 6, `${words(feet)} feet`, { align: 'middle' });
}
