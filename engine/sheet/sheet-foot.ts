/** The foot of a map sheet: norths, scale bar, legend, sources. */

import type { Box, PdfPage } from '../exporting/pdf-page.ts';
import { wrapText } from '../exporting/wrap-text.ts';
import { metersPerFoot } from '../geo/local-metric.ts';
import type { Declination } from '../geo/magnetic-declination.ts';
import { notASurvey } from '../spec/not-a-survey.ts';
import type { LandStore } from '../store/land-store.ts';
import type { LegendEntry } from './draw-map.ts';
import type { GroundFrame } from './ground-frame.ts';
import { gridConvergence, turnWords, utmZone } from './norths.ts';
import { letter, margin, right } from './page-table.ts';
import { inks } from './sheet-inks.ts';

const small = 6.8;
const step = 9;

/** The longest 1, 2 or 5 × 10ⁿ that fits. */
export function roundLength(most: number): number {
  const ten = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((times) => times * ten <= most) ?? 1) * ten;
}

/** Feet above the bar, meters below: each measures what it says. */
export function drawScaleBar(page: PdfPage, frame: GroundFrame, { x, y, width }: Pick<Box, 'x' | 'y' | 'width'>): void {
  const feet = roundLength(width / (frame.pointsPerMeter * metersPerFoot));
  const meters = roundLength(width / frame.pointsPerMeter);
  const feetLong = feet * metersPerFoot * frame.pointsPerMeter;
  const metersLong = meters * frame.pointsPerMeter;
  const thick = 3.2;
  for (const quarter of [0, 1, 2, 3]) {
    const left = x + (feetLong * quarter) / 4;
    const end = x + (feetLong * (quarter + 1)) / 4;
    const shape = [left, y, end, y, end, y + thick, left, y + thick];
    page.area([shape], { fill: quarter % 2 === 0 ? inks.frame : inks.casing, stroke: inks.frame, width: 0.5 });
  }
  const words = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  for (const [share, text] of [
    [0, '0'],
    [0.5, words(feet / 2)],
    [1, `${words(feet)} ft`],
  ] as const) {
    page.text(x + feetLong * share, y - 3, small, text, { align: share === 0 ? 'left' : 'middle' });
  }
  const base = y + thick + 4;
  page.line([[x, base, x + metersLong, base]], { stroke: inks.frame, width: 0.7 });
  for (const share of [0, 0.5, 1]) {
    page.line([[x + metersLong * share, base - 2, x + metersLong * share, base + 2]], {
      stroke: inks.frame,
      width: 0.7,
    });
  }
  page.text(x + metersLong, base + 9, small, `${words(meters)} m`, { align: 'middle' });
  page.text(x + metersLong / 2, base + 9, small, words(meters / 2), { align: 'middle' });
  page.text(x, base + 9, small, '0');
}

/** What a page of a parcel is not, and whose it is: at its foot. @param source of the land, in words */
export function drawPageFoot(
  page: PdfPage,
  land: LandStore,
  source: string,
  [at, of]: readonly [number, number],
): void {
  const y = letter[1] - 30;
  page.line([[margin, y - 12, right, y - 12]], { stroke: inks.frame, width: 0.8 });
  page.text(margin, y, 7.5, notASurvey, { isBold: true });
  const sample = land.kind === 'sample' ? 'Sample county: people, parcels and prices are invented.' : '';
  page.text(margin + page.width(notASurvey, 7.5) + 10, y, 7.5, sample);
  page.text(right, y, 7.5, `${source} · page ${at + 1} of ${of}`, { align: 'right' });
}

/** A plain arrow with its letter. @param y of the letter's baseline */
export function drawNorth(page: PdfPage, x: number, y: number): void {
  page.text(x, y, 7, 'N', { align: 'middle', isBold: true });
  page.area([[x, y + 2, x + 4, y + 15, x, y + 12, x - 4, y + 15]], { fill: inks.frame });
}

/** A place's norths: arrows from one foot, and their turns in words. @param magnetic null: not known */
export function drawNorths(
  page: PdfPage,
  { longitude, latitude }: GroundFrame,
  { x, y, height }: Pick<Box, 'x' | 'y' | 'height'>,
  magnetic: Declination | null,
): void {
  const grid = gridConvergence(longitude, latitude);
  const [foot, long] = [y + height, height - 8];
  /** Small turns are drawn larger, so that they can be told apart: the words say how large they are. */
  const shown = (degrees: number) => Math.sign(degrees) * Math.max(9, Math.min(28, Math.abs(degrees) * 1.5));
  const arrow = (degrees: number, length: number, name: string): void => {
    const turn = (degrees * Math.PI) / 180;
    const at = (along: number, across: number) => [
      x + Math.sin(turn) * along + Math.cos(turn) * across,
      foot - Math.cos(turn) * along + Math.sin(turn) * across,
    ];
    const isTrue = degrees === 0;
    const head = isTrue ? 12 : 6;
    page.line([[x, foot, ...at(length, 0)]], { stroke: inks.frame, width: isTrue ? 0.9 : 0.6 });
    const tip = [
      ...at(length, 0),
      ...at(length - head, head * 0.36),
      ...at(length - head * 0.75, 0),
      ...at(length - head, -head * 0.36),
    ];
    page.area([tip], { fill: inks.frame });
    const [nameX = 0, nameY = 0] = at(length + (isTrue ? 4 : 3.5), isTrue ? 0 : Math.sign(degrees) * 3);
    page.text(nameX, nameY, isTrue ? 7.5 : 4.8, name, { align: 'middle', isCentered: true, isBold: isTrue });
  };
  arrow(0, long, 'N');
  const turns = [
    { name: 'grid N', letters: 'GN', degrees: grid, length: 0.5 },
    ...(magnetic ? [{ name: 'magnetic N', letters: 'MN', degrees: magnetic.degrees, length: 0.78 }] : []),
  ];
  for (const { letters, degrees, length } of turns) {
    if (Math.abs(degrees) >= 0.05) arrow(shown(degrees), long * length, letters);
  }
  const lines = [
    'true N: up',
    ...turns.map(({ name, degrees }) => `${name}: ${turnWords(degrees)}`),
    `UTM zone ${utmZone(longitude)}`,
    ...(magnetic ? [magnetic.model.replace('World Magnetic Model', 'by WMM')] : []),
  ];
  for (const [at, line] of lines.entries()) page.text(x + 20, y + 12 + at * step, small, line, { ink: inks.quiet });
}

const [sampleWidth, sampleHeight] = [15, 6.5];
/** Least width of a column of the legend. */
const columnLeast = 72;
const legendStep = 9.3;

/** As many entries as the box holds, column by column. @returns how many were left out */
export function drawLegend(page: PdfPage, entries: readonly LegendEntry[], { x, y, width, height }: Box): number {
  const rows = Math.floor(height / legendStep);
  const columns = Math.min(Math.ceil(entries.length / rows), Math.max(1, Math.floor(width / columnLeast)));
  // Columns share the width as their words need it.
  const needs = Array.from({ length: columns }, (_, column) =>
    Math.max(...entries.slice(column * rows, (column + 1) * rows).map(({ title }) => page.width(title, small))),
  ).map((need) => need + sampleWidth + 8);
  const share = width / needs.reduce((sum, need) => sum + need, 0);
  const lefts = needs.map((_, column) => needs.slice(0, column).reduce((sum, need) => sum + need * share, x));
  for (const [at, { title, form, paints }] of entries.slice(0, columns * rows).entries()) {
    const column = Math.floor(at / rows);
    const [left = x, columnWidth = width] = [lefts[column], (needs[column] ?? 0) * share];
    const middle = y + (at % rows) * legendStep + 4;
    if (form === 'heading') {
      page.text(left, middle, small, title, { isCentered: true, isBold: true, room: columnWidth });
      continue;
    }
    const [high, side] = [sampleHeight / 2, form === 'building' ? 7 : sampleWidth];
    const shape = [left, middle - high, left + side, middle - high, left + side, middle + high, left, middle + high];
    for (const paint of paints) {
      if (form === 'line') page.line([[left, middle, left + sampleWidth, middle]], paint);
      else page.area([shape], paint);
    }
    page.text(left + sampleWidth + 4, middle, small, title, { isCentered: true, room: columnWidth - sampleWidth - 6 });
  }
  return Math.max(0, entries.length - columns * rows);
}

interface Note {
  readonly text: string;
  readonly isBold?: boolean;
}

/** Sentences one under the other, as many lines as fit; the last ones first get their room. */
export function drawNotes(page: PdfPage, notes: readonly Note[], { x, y, width, height }: Box): void {
  const size = 6.4;
  const lineStep = 7.8;
  const lines = notes.map((note) =>
    wrapText(note.text, width, (line) => page.width(line, size)).map((text) => ({ ...note, text })),
  );
  const most = Math.floor(height / lineStep);
  // The sources give way: what the sheet is not must be read.
  while (lines.flat().length > most && (lines[0]?.length ?? 0) > 1) lines[0]?.pop();
  for (const [at, { text, isBold = false }] of lines.flat().entries()) {
    page.text(x, y + 6 + at * lineStep, size, text, { isBold, ink: isBold ? inks.frame : inks.quiet });
  }
}
