/** The label of a lot: its lines at the largest size that fits into the part of the lot that is seen. */

import type { PdfPage } from '../exporting/pdf-page.ts';
import { type Bounds, boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { type LabelRoom, labelRoom } from '../tiles/label-room.ts';
import type { LabelField } from './label-field.ts';

interface FittedLabel {
  readonly x: number;
  /** The middle's. */
  readonly y: number;
  readonly size: number;
  readonly lines: readonly string[];
  /** Number of texts that they hold. */
  readonly texts: number;
}

export const lineHeight = 1.16;
const [largest, smallest, sizeStep] = [7.5, 4.6, 0.5];

/** Places tried across a lot and down it, besides the point in its middle, and how many of them are kept. */
const [placesAcross, mostRooms] = [5, 6];

/** Upright boxes inside what is seen of a lot, around some points of it, the largest first. */
export const roomsIn = (polygons: MultiPolygon): LabelRoom[] => roomsOf(polygons, boundsOfMultiPolygon(polygons));

function roomsOf(polygons: MultiPolygon, { minX, maxX, minY, maxY }: Bounds): LabelRoom[] {
  const rooms = [labelRoom(polygons, null, null)];
  for (let row = 0; row < placesAcross; row++) {
    for (let column = 0; column < placesAcross; column++) {
      const x = minX + ((column + 0.5) / placesAcross) * (maxX - minX);
      const y = minY + ((row + 0.5) / placesAcross) * (maxY - minY);
      const room = labelRoom(polygons, x, y);
      // Outside the lot the room is that of its middle again.
      if (room.longitude === x && room.latitude === y) rooms.push(room);
    }
  }
  return rooms.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, mostRooms);
}

/** Letters need less height than width. */
const sizeOf = ({ width, height }: LabelRoom): number => Math.min(width, 2 * height);

/** A text's words with their widths in units of the size. */
type Words = readonly { readonly word: string; readonly width: number }[];

/**
 * Tries all texts, then fewer of them, last ones first: an APN stays when a name does not fit.
 * @param polygons what is seen of the lot, in points of the page
 * @param texts may be broken at spaces, not at those that do not break
 * @returns null if not even the first fits
 */
export function fitLotLabel(
  page: PdfPage,
  field: LabelField,
  polygons: MultiPolygon,
  texts: readonly string[],
): FittedLabel | null {
  const words = texts.map((text) => text.split(/ +/).map((word) => ({ word, width: page.width(word, 1) })));
  const bounds = boundsOfMultiPolygon(polygons);
  if (!mayHold(words[0] ?? [], { width: bounds.maxX - bounds.minX, height: bounds.maxY - bounds.minY })) return null;
  const rooms = roomsOf(polygons, bounds);
  const space = page.width(' ', 1);
  for (let count = texts.length; count > 0; count--) {
    for (const mayCross of [false, true]) {
      for (let size = largest; size >= smallest; size -= sizeStep) {
        const label = fitAt(field, rooms, { words: words.slice(0, count), space, size, mayCross });
        if (label) return label;
      }
    }
  }
  return null;
}

/** Whether a box holds the widest word in the smallest letters. */
const mayHold = (words: Words, { width, height }: Pick<LabelRoom, 'width' | 'height'>): boolean =>
  height >= smallest * lineHeight && width >= smallest * Math.max(...words.map((word) => word.width));

interface Fitting {
  readonly words: readonly Words[];
  readonly space: number;
  readonly size: number;
  readonly mayCross: boolean;
}

function fitAt(
  field: LabelField,
  rooms: readonly LabelRoom[],
  { words, space, size, mayCross }: Fitting,
): FittedLabel | null {
  for (const { longitude: x, latitude: y, width: roomWidth, height: roomHeight } of rooms) {
    if (words.length * lineHeight * size > roomHeight) continue;
    const lines = words.flatMap((text) => brokenInto(text, space, roomWidth / size));
    const height = lines.length * lineHeight * size;
    const width = Math.max(...lines.map((line) => line.width)) * size;
    if (height > roomHeight || width > roomWidth) continue;
    if (!field.takes({ x, y, width, height, angle: 0 }, mayCross)) continue;
    return { x, y, size, lines: lines.map(({ text }) => text), texts: words.length };
  }
  return null;
}

/** Words in lines that are not wider than the room where that is possible. @param room in units of the size */
export function brokenInto(words: Words, space: number, room: number): { text: string; width: number }[] {
  const lines: { text: string; width: number }[] = [];
  for (const { word, width } of words) {
    const last = lines.at(-1);
    if (last && last.width + space + width <= room) {
      last.text += ` ${word}`;
      last.width += space + width;
    } else lines.push({ text: word, width });
  }
  return lines;
}
