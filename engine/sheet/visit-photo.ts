/** A photo of a visit in its cell of the page: the picture or why there is none, its number, its caption, and what is known of it. */
import { isTurned, type Jpeg } from '../exporting/jpeg.ts';
import { type Box, boxPath, type PdfPage } from '../exporting/pdf-page.ts';
import { directions } from '../query/neighbours.ts';
import type { VisitReport } from '../spec/visits.ts';
import { badge } from './numbered-lots.ts';
import { inks } from './sheet-inks.ts';

/** A photo to draw; a problem in words where it cannot be. */
export type DrawnPhoto = Jpeg | { readonly problem: string };

interface Cell {
  readonly box: Box;
  /** From 1. */
  readonly number: number;
  readonly lines: (text: string, width: number, size: number) => string[];
  /** Last below the caption. */
  readonly word: string | null;
}

/** Wider or taller photos are shown whole, beside an empty strip; others fill their cell. */
const [leastFilling, mostFilling] = [1.2, 2.1];

export function drawPhotoCell(
  page: PdfPage,
  drawn: DrawnPhoto,
  { caption, time, direction, place }: VisitReport['photos'][number],
  { box, number, lines, word }: Cell,
): void {
  const { x, width } = box;
  page.area([boxPath(box)], { fill: inks.open });
  if ('problem' in drawn)
    for (const [at, text] of lines(drawn.problem, width - 24, 7.4).entries())
      page.text(x + width / 2, box.y + 48 + at * 10, 7.4, text, { align: 'middle', ink: inks.quiet });
  else page.within([boxPath(box)], () => page.picture(drawn, filling(drawn, box)));
  page.area([boxPath(box)], { stroke: inks.roadEdge, width: 0.5 });
  badge(page, x + 11, box.y + 11, 'across', String(number));
  const y = box.y + box.height;
  page.text(x, y + 11, 8.8, caption ?? `Photo ${number}`, { isBold: true, room: width });
  const words = [time, directionWords(direction), place, word].filter(Boolean).join(' · ');
  page.text(x, y + 21.5, 7.2, words, { ink: inks.quiet, room: width });
}

/** A photo in its cell: it fills the cell, cut at two sides, or is seen whole. */
function filling(photo: Jpeg, { x, y, width, height }: Box): Box {
  const [wide, high] = isTurned(photo) ? [photo.height, photo.width] : [photo.width, photo.height];
  const shape = wide / high;
  const isFilling = shape >= leastFilling && shape <= mostFilling;
  const scale = isFilling ? Math.max(width / wide, height / high) : Math.min(width / wide, height / high);
  return {
    x: x + (width - wide * scale) / 2,
    y: y + (height - high * scale) / 2,
    width: wide * scale,
    height: high * scale,
  };
}

/** `looking SW 205°` */
function directionWords(degrees: number | null): string | null {
  if (degrees === null) return null;
  const whole = Math.round(degrees) % 360;
  return `looking ${directions[Math.round(whole / 45) % 8]} ${String(whole).padStart(3, '0')}°`;
}
