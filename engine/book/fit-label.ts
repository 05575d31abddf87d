/**
 * Fits a block of lines into a shape on the page: level, along its main axis, or across it; as large as fits, near the
 * pole of inaccessibility. A row is tried as a band: edges within it block stretches, a free gap must hold the block.
 */
import { boundsOfCoordinates, type PolygonRings, planarRingArea } from '../geo/geometry.ts';
import { type Pole, poleOf } from '../geo/pole.ts';
import type { LabelBox } from '../sheet/label-field.ts';

/** Lines of capitals, measured at size 1. */
export interface TextBlock {
  readonly lines: readonly string[];
  readonly width: number;
}

export interface FittedText extends LabelBox {
  readonly size: number;
  readonly lines: readonly string[];
}

/** Baseline to baseline, and the height of capitals with what figures and commas need, in units of the size. */
export const [lineStep, capitals] = [1.03, 0.76];
const blockHeight = (lines: number): number => (lines - 1) * lineStep + capitals;

/** Smaller letters are not read on paper. */
export const leastLetters = 4.5;
export const sizes = [11, 10, 9.2, 8.4, 7.7, 7, 6.4, 5.8, 5.3, 4.9, leastLetters] as const;
const turnedShare = 0.82;
/** Points between letters and edges, along the lines and across them: large letters need more. */
const sideRoom = (size: number): number => Math.max(0.9, 0.3 * size - 0.4);
const rowRoom = (size: number): number => Math.max(0.5, 0.15 * size - 0.15);
/** How much a place far from the pole counts. */
const farShare = 0.35;
/** Angles below are level. */
const levelDegrees = 5;

/** Edges `[ax, ay, bx, by, …]` as they lie along and across a direction. */
interface Turned {
  /** Degrees, counterclockwise. */
  readonly angle: number;
  readonly edges: Float64Array;
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
  readonly poleX: number;
  readonly poleY: number;
}

export class LabelShape {
  readonly rings: PolygonRings;
  readonly area: number;
  readonly pole: Pole;
  /** No circle inside is wider. */
  readonly widestCircle: number;
  readonly #turned: Turned[] = [];
  readonly #angles: readonly number[];

  /** @param rings in points, y down */
  constructor(rings: PolygonRings) {
    this.rings = rings;
    this.area = Math.abs(
      rings.reduce((sum, ring, at) => sum + (at === 0 ? 1 : -1) * Math.abs(planarRingArea(ring)), 0),
    );
    const { minX, maxX, minY, maxY } = boundsOfCoordinates(rings.slice(0, 1));
    const precision = Math.max(0.3, Math.min(maxX - minX, maxY - minY) / 12);
    this.pole = poleOf(rings, precision);
    this.widestCircle = 2 * (this.pole.radius + precision);
    const axis = mainAxis(rings);
    const across = axis > 0 ? axis - 90 : axis + 90;
    // −90 would be read from above.
    this.#angles = [0, axis, across]
      .filter((angle, at) => at === 0 || (Math.abs(angle) >= levelDegrees && angle > -89.9))
      .concat(across <= -89.9 ? [90] : []);
  }

  get turns(): number {
    return this.#angles.length;
  }

  turned(at: number): Turned {
    const known = this.#turned[at];
    if (known) return known;
    const made = turn(this.rings, this.#angles[at] as number, this.pole);
    this.#turned[at] = made;
    return made;
  }

  /** With edges of small things that letters keep off. */
  turnedAround(at: number, things: PolygonRings): Turned {
    const turned = this.turned(at);
    const more = edgesOf(things.map((ring) => turnedRing(ring, turned.angle)));
    const edges = new Float64Array(turned.edges.length + more.length);
    edges.set(turned.edges);
    edges.set(more, turned.edges.length);
    return { ...turned, edges };
  }
}

/** Degrees from −45 to 45 of the direction, or its normal, that most of the boundary has. */
function mainAxis(rings: PolygonRings): number {
  let [cosines, sines] = [0, 0];
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const dx = (ring[at + 2] as number) - (ring[at] as number);
      const dy = (ring[at + 1] as number) - (ring[at + 3] as number);
      const length = Math.hypot(dx, dy);
      const angle = 4 * Math.atan2(dy, dx);
      cosines += length * Math.cos(angle);
      sines += length * Math.sin(angle);
    }
  }
  return (Math.atan2(sines, cosines) / 4) * (180 / Math.PI);
}

function turn(rings: PolygonRings, angle: number, pole: Pole): Turned {
  const turned = rings.map((ring) => turnedRing(ring, angle));
  const [poleX, poleY] = turnedRing(Float64Array.of(pole.x, pole.y), angle) as unknown as [number, number];
  return { angle, edges: edgesOf(turned), ...boundsOfCoordinates(turned.slice(0, 1)), poleX, poleY };
}

function turnedRing(ring: Float64Array, angle: number): Float64Array {
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const points = new Float64Array(ring.length);
  for (let at = 0; at + 1 < ring.length; at += 2) {
    const [x, y] = [ring[at] as number, ring[at + 1] as number];
    points[at] = x * cosine - y * sine;
    points[at + 1] = x * sine + y * cosine;
  }
  return points;
}

function edgesOf(rings: PolygonRings): Float64Array {
  const edges = new Float64Array(rings.reduce((sum, ring) => sum + 2 * (ring.length - 2), 0));
  let to = 0;
  for (const ring of rings)
    for (let at = 0; at + 3 < ring.length; at += 2, to += 4) edges.set(ring.subarray(at, at + 4), to);
  return edges;
}

/** What a text may take. */
export interface FitRoom {
  readonly isFree: (box: LabelBox) => boolean;
  /** The largest size. */
  readonly most: number;
}

/** @returns the best place of the best block, not yet taken; null if none fits */
export const fitText = (shape: LabelShape, blocks: readonly TextBlock[], room: FitRoom): FittedText | null =>
  bestFit((at) => shape.turned(at), shape, blocks, room, 0);

/** A place beside small things that a fitted text would cover; null: none that is nearly as good. */
export const fitAround = (
  shape: LabelShape,
  blocks: readonly TextBlock[],
  room: FitRoom,
  { size, angle }: FittedText,
  things: PolygonRings,
): FittedText | null =>
  bestFit(
    (at) => shape.turnedAround(at, things),
    shape,
    blocks,
    room,
    leastShare * size * (angle === 0 ? 1 : turnedShare),
  );

/** What letters give up at most, in size and in nearness to the pole, to leave dots free. */
const leastShare = 0.62;

function bestFit(
  turnedAt: (at: number) => Turned,
  shape: LabelShape,
  blocks: readonly TextBlock[],
  { isFree, most }: FitRoom,
  atLeast: number,
): FittedText | null {
  let best: Scored = { fitted: null, score: atLeast };
  for (let at = 0; at < shape.turns; at++) {
    const turned = turnedAt(at);
    const share = at === 0 ? 1 : turnedShare;
    for (const block of blocks) {
      const bound = Math.min(most, mostSize(shape, turned, block));
      best = largest(turned, block, { bound, share, isFree, atLeast: best.score }) ?? best;
    }
  }
  return best.fitted;
}

interface Scored {
  readonly fitted: FittedText | null;
  readonly score: number;
}

interface Wanted {
  /** A factor of sizes. */
  readonly bound: number;
  /** What a size counts at this angle. */
  readonly share: number;
  readonly isFree: (box: LabelBox) => boolean;
  /** Only a higher score is wanted. */
  readonly atLeast: number;
}

function largest(turned: Turned, block: TextBlock, { bound, share, isFree, atLeast }: Wanted): Scored | null {
  for (const size of sizes) {
    if (size > bound) continue;
    if (size * share <= atLeast) return null;
    const found = placeAt(turned, block, size, isFree, atLeast / (size * share));
    if (found) return { fitted: found.fitted, score: size * share * found.nearness };
  }
  return null;
}

function mostSize(
  { area, widestCircle }: LabelShape,
  { minX, maxX, minY, maxY }: Turned,
  { lines, width }: TextBlock,
): number {
  const height = blockHeight(lines.length);
  return Math.min(
    (maxX - minX - 2 * sideRoom(0)) / width,
    (maxY - minY - 2 * rowRoom(0)) / height,
    Math.sqrt(area / (width * height)),
    // A block holds a circle as wide as its narrower side.
    widestCircle / Math.min(width, height),
  );
}

/** The row nearest to the pole whose gap holds the block. */
function placeAt(
  turned: Turned,
  { lines, width: unitWidth }: TextBlock,
  size: number,
  isFree: (box: LabelBox) => boolean,
  leastNearness: number,
): { readonly fitted: FittedText; readonly nearness: number } | null {
  const { angle, minX, maxX, minY, maxY, poleX, poleY } = turned;
  const [width, height] = [unitWidth * size, blockHeight(lines.length) * size];
  const [low, high] = [minY + height / 2 + rowRoom(size), maxY - height / 2 - rowRoom(size)];
  const far = Math.hypot(maxX - minX, maxY - minY) / 2;
  const step = Math.max(1, height / 2, (high - low) / 12);
  const [cosine, sine] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  for (let row = 0; row <= 24; row++) {
    const middle = poleY + (row % 2 === 0 ? 1 : -1) * Math.ceil(row / 2) * step;
    if (middle < low || middle > high) continue;
    if (1 - (farShare * Math.abs(middle - poleY)) / far <= leastNearness) return null;
    const x = gapFor(turned, middle, height / 2 + rowRoom(size), width + 2 * sideRoom(size));
    if (x === null) continue;
    const nearness = 1 - (farShare * Math.hypot(x - poleX, middle - poleY)) / far;
    if (nearness <= leastNearness) continue;
    const box = { x: x * cosine + middle * sine, y: middle * cosine - x * sine, width, height, angle };
    if (isFree(box)) return { fitted: { ...box, size, lines }, nearness };
  }
  return null;
}

/** Stretches that edges block, `[from, to, …]`; reused, since a page has a hundred thousand bands. */
let blocked = new Float64Array(256);

/** Fills `blocked` in the order of beginnings. @returns number of stretches */
function blockedIn(edges: Float64Array, low: number, high: number): number {
  let count = 0;
  if (blocked.length < edges.length) blocked = new Float64Array(edges.length * 2);
  for (let at = 0; at < edges.length; at += 4) {
    const isUp = (edges[at + 1] as number) <= (edges[at + 3] as number);
    const [lower, upper] = isUp ? [at, at + 2] : [at + 2, at];
    const ay = edges[lower + 1] as number;
    const by = edges[upper + 1] as number;
    if (by < low || ay > high) continue;
    const ax = edges[lower] as number;
    const bx = edges[upper] as number;
    const slope = by > ay ? (bx - ax) / (by - ay) : 0;
    const from = ay < low ? ax + slope * (low - ay) : ax;
    const to = by > high ? ax + slope * (high - ay) : bx;
    keepBlocked(count, Math.min(from, to), Math.max(from, to));
    count += 1;
  }
  return count;
}

/** Keeps them in order: there are few. */
function keepBlocked(count: number, left: number, right: number): void {
  let place = count;
  while (place > 0 && (blocked[2 * place - 2] as number) > left) {
    blocked[2 * place] = blocked[2 * place - 2] as number;
    blocked[2 * place + 1] = blocked[2 * place - 1] as number;
    place -= 1;
  }
  blocked[2 * place] = left;
  blocked[2 * place + 1] = right;
}

/** The middle of a block in a row, as near to the pole as its gaps allow; null if no gap holds it. */
function gapFor({ edges, poleX, minX, maxX }: Turned, y: number, half: number, width: number): number | null {
  const count = blockedIn(edges, y - half, y + half);
  let [best, bestDistance] = [null as number | null, Infinity];
  let end = minX;
  for (let at = 0; at <= count; at++) {
    const start = at < count ? (blocked[2 * at] as number) : maxX;
    if (start - end >= width) {
      const x = Math.max(end + width / 2, Math.min(start - width / 2, poleX));
      const distance = Math.abs(x - poleX);
      if (distance < bestDistance && isInside(edges, (start + end) / 2, y)) [best, bestDistance] = [x, distance];
    }
    if (at < count) end = Math.max(end, blocked[2 * at + 1] as number);
  }
  return best;
}

function isInside(edges: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let at = 0; at < edges.length; at += 4) {
    const ay = edges[at + 1] as number;
    const by = edges[at + 3] as number;
    if (ay > y === by > y) continue;
    const ax = edges[at] as number;
    if (x < ax + ((y - ay) / (by - ay)) * ((edges[at + 2] as number) - ax)) inside = !inside;
  }
  return inside;
}

/** Words that stay together: an initial with the word before it, & with the one after. */
function unitsOf(text: string): string[] {
  const units: string[] = [];
  let isOpen = false;
  for (const word of text.split(' ')) {
    const clings = isOpen || (units.length > 0 && /^\p{L}\.?$/u.test(word));
    if (clings) units[units.length - 1] += ` ${word}`;
    else units.push(word);
    isOpen = word === '&';
  }
  return units;
}

const mostLines = 5;

/** Every wrap of a text into one to five lines, each as narrow as it can be. */
export function wrapsOf(text: string, widthOf: (text: string) => number): TextBlock[] {
  const units = unitsOf(text);
  const widths = units.map(widthOf);
  const space = widthOf(' ');
  const wraps: TextBlock[] = [];
  for (let lines = 1; lines <= Math.min(mostLines, units.length); lines++) {
    const wrap = narrowest(units, widths, space, lines);
    if (!wraps.some(({ width }) => width <= wrap.width)) wraps.push(wrap);
  }
  return wraps;
}

function narrowest(units: readonly string[], widths: readonly number[], space: number, count: number): TextBlock {
  const lineWidth = (from: number, to: number): number =>
    widths.slice(from, to).reduce((sum, width) => sum + width + space, -space);
  /** Least width of the units from one on, in some lines, and where the first line ends. */
  const least = (from: number, lines: number): { readonly width: number; readonly ends: readonly number[] } => {
    if (lines === 1) return { width: lineWidth(from, units.length), ends: [units.length] };
    let best = { width: Infinity, ends: [] as readonly number[] };
    for (let end = from + 1; end <= units.length - lines + 1; end++) {
      const rest = least(end, lines - 1);
      const width = Math.max(lineWidth(from, end), rest.width);
      if (width < best.width) best = { width, ends: [end, ...rest.ends] };
    }
    return best;
  };
  // A book of long names would try them for ever.
  if (units.length > 14) return { lines: [units.join(' ')], width: lineWidth(0, units.length) };
  const { width, ends } = least(0, count);
  return { lines: ends.map((end, at) => units.slice(ends[at - 1] ?? 0, end).join(' ')), width };
}
