/** Lots that a page numbers: their tints, and where the numbers and owners stand on the map. */
import type { LabelFont } from '../exporting/label-font.ts';
import { type Box, type Path, PdfPage } from '../exporting/pdf-page.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import type { Neighbour, Relation } from '../query/neighbours.ts';
import type { GroundFrame } from './ground-frame.ts';
import { LabelField } from './label-field.ts';
import { brokenInto, lineHeight, roomsIn } from './lot-labels.ts';
import { polygonsOnPage } from './page-shapes.ts';
import { inks, ramp } from './sheet-inks.ts';

interface Numbered {
  readonly number: number;
  readonly lot: Neighbour & { readonly polygons: MultiPolygon };
}

/** A number on the map, in points of the page. */
export interface PlacedNumber {
  readonly number: number;
  readonly relation: Relation;
  /** It holds the number and the owner's lines. */
  readonly box: Box;
  /** Middle of the number. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly lines: readonly string[];
  /** A place in the lot, where the number stands outside. */
  readonly from: readonly [number, number] | null;
}

const radius = 6.6;
const [largest, smallest] = [6.6, 5];
const leastOwn = 6.5;
const ownSizes = [10.5, 9, 8, leastOwn];
/** How far outside its lot a number may stand. */
const farthest = 70;

export interface PlacedNumbers {
  readonly placed: readonly PlacedNumber[];
  /** The middle of the parcel's own two lines; null: there is no room for them. */
  readonly own: { readonly x: number; readonly y: number; readonly size: number; readonly box: Box } | null;
}

/**
 * The parcel's own words first, then small lots: they have one place, large ones have many. A lot without a place is left
 * out.
 */
export function placeNumbers(
  font: LabelFont,
  frame: GroundFrame,
  lots: readonly Numbered[],
  subject: { readonly shape: MultiPolygon; readonly lines: readonly string[] },
): PlacedNumbers {
  const page = new PdfPage(font, [frame.box.width, frame.box.height]);
  const field = new LabelField(frame.box);
  const own = ownPlace(page, field, roomsIn(polygonsOnPage(subject.shape, frame, 0)), subject.lines);
  const seen = lots.flatMap((one) => {
    const shape = polygonsOnPage(one.lot.polygons, frame, 0);
    return shape.length === 0 ? [] : [{ ...one, rooms: roomsIn(shape) }];
  });
  const roomOf = ({ rooms }: (typeof seen)[number]) => Math.max(...rooms.map(({ width, height }) => width * height));
  const numbers = seen
    .toSorted((a, b) => roomOf(a) - roomOf(b) || a.number - b.number)
    .flatMap(({ number, lot, rooms }): PlacedNumber[] => {
      const placed = withOwner(page, field, rooms, lot.owner_name) ?? alone(field, rooms);
      return placed ? [{ number, relation: lot.relation, ...placed }] : [];
    });
  return { placed: numbers.sort((a, b) => a.number - b.number), own };
}

/** In the largest letters that fit into the parcel; in the smallest, they may lie over its lines. */
function ownPlace(page: PdfPage, field: LabelField, rooms: Rooms, lines: readonly string[]): PlacedNumbers['own'] {
  for (const size of ownSizes) {
    const width = Math.max(...lines.map((line) => page.width(line, size)));
    const height = lines.length * size * 1.2;
    for (const { longitude: x, latitude: y, width: roomWidth, height: roomHeight } of rooms) {
      if (size > leastOwn && (width > roomWidth || height > roomHeight)) continue;
      if (!field.takes({ x, y, width, height, angle: 0 })) continue;
      return { x, y, size, box: { x: x - width / 2, y: y - height / 2, width, height } };
    }
  }
  return null;
}

type Rooms = ReturnType<typeof roomsIn>;
type Place = Omit<PlacedNumber, 'number' | 'relation'>;

/** The number over the owner's name, inside the lot. */
function withOwner(page: PdfPage, field: LabelField, rooms: Rooms, owner: string | null): Place | null {
  if (!owner) return null;
  const words = owner.split(/ +/).map((word) => ({ word, width: page.width(word, 1) }));
  for (const { longitude: x, latitude: y, width: roomWidth, height: roomHeight } of rooms) {
    for (let size = largest; size >= smallest; size -= 0.4) {
      const lines = brokenInto(words, page.width(' ', 1), Math.min(roomWidth / size, 14));
      const width = Math.max(2 * radius, ...lines.map((line) => line.width * size));
      const height = 2 * radius + 2 + lines.length * lineHeight * size;
      if (width > roomWidth || height > roomHeight) continue;
      if (!field.takes({ x, y, width, height, angle: 0 })) continue;
      const top = y - height / 2;
      return {
        ...{ box: { x: x - width / 2, y: top, width, height }, x, y: top + radius, size },
        ...{ lines: lines.map(({ text }) => text), from: null },
      };
    }
  }
  return null;
}

const side = 2 * radius;

function numberAt(field: LabelField, x: number, y: number, from: Place['from']): Place | null {
  if (!field.takes({ x, y, width: side, height: side, angle: 0 })) return null;
  return { box: { x: x - radius, y: y - radius, width: side, height: side }, x, y, size: 0, lines: [], from };
}

/** The number alone: in the lot, else beside it with a line to it. */
function alone(field: LabelField, rooms: Rooms): Place | null {
  for (const { longitude: x, latitude: y, width, height } of rooms) {
    const placed = Math.min(width, height) >= side ? numberAt(field, x, y, null) : null;
    if (placed) return placed;
  }
  const [first] = rooms;
  return first ? beside(field, first.longitude, first.latitude) : null;
}

/** The nearest free place around one. */
export function beside(field: LabelField, x: number, y: number): Place | null {
  for (let away = 0; away <= farthest; away += 4) {
    const turns = away === 0 ? 1 : 16;
    for (let turn = 0; turn < turns; turn++) {
      const angle = (turn * Math.PI) / 8;
      const from = away < side ? null : ([x, y] as const);
      const placed = numberAt(field, x + away * Math.cos(angle), y + away * Math.sin(angle), from);
      if (placed) return placed;
    }
  }
  return null;
}

const tints: Record<Relation, { readonly fill: (typeof ramp)[number]; readonly opacity: number } | null> = {
  abutting: { fill: ramp[1] as never, opacity: 0.6 },
  across: { fill: ramp[0] as never, opacity: 0.75 },
  within: null,
};

/** Points between the lines of a hatching. */
const hatchStep = 5;

export function tintNumbered(page: PdfPage, frame: GroundFrame, lots: readonly Numbered[]): void {
  for (const { lot } of lots) {
    const paths = polygonsOnPage(lot.polygons, frame).flat();
    const tint = tints[lot.relation];
    if (tint) page.area(paths, tint);
    else page.within(paths, () => page.line(hatching(paths), { stroke: inks.lotLine, width: 0.35 }));
  }
}

/** Lines from the lower left to the upper right, over the box of these paths; on one grid for all lots. */
function hatching(paths: readonly Path[]): Path[] {
  const xs = paths.flatMap((path) => Array.from(path).filter((_, at) => at % 2 === 0));
  const ys = paths.flatMap((path) => Array.from(path).filter((_, at) => at % 2 === 1));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const lines: Path[] = [];
  const first = Math.ceil((left + top) / hatchStep) * hatchStep;
  for (let sum = first; sum < right + bottom; sum += hatchStep) lines.push([sum - bottom, bottom, sum - top, top]);
  return lines;
}

/** A number in its circle: filled for abutting, a ring across the road, a dashed ring within a distance. */
export function badge(page: PdfPage, x: number, y: number, relation: Relation, text: string): void {
  const circle = Array.from({ length: 28 }, (_, at) => (at * Math.PI) / 14).flatMap((angle) => [
    x + radius * Math.cos(angle),
    y + radius * Math.sin(angle),
  ]);
  const paint =
    relation === 'abutting'
      ? { fill: inks.frame, stroke: inks.halo, width: 0.8 }
      : { fill: inks.halo, stroke: inks.frame, width: 1.2, ...(relation === 'within' && { dash: [1.8, 1.4] }) };
  page.area([circle], paint);
  const ink = relation === 'abutting' ? inks.casing : inks.frame;
  page.text(x, y, text.length > 2 ? 5.6 : 7.2, text, { align: 'middle', isCentered: true, isBold: true, ink });
}

export function drawNumber(page: PdfPage, { number, relation, x, y, size, lines, from }: PlacedNumber): void {
  if (from) page.line([[...from, x, y]], { stroke: inks.frame, width: 0.6 });
  badge(page, x, y, relation, String(number));
  for (const [at, line] of lines.entries()) {
    const style = { align: 'middle', isCentered: true, ink: inks.letters, halo: inks.halo } as const;
    page.text(x, y + radius + 2 + (at + 0.5) * lineHeight * size, size, line, style);
  }
}
