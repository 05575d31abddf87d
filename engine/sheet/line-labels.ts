/** Letters along lines: a name stands straight where its line is straight enough to carry it. */

import type { Path } from '../exporting/pdf-page.ts';
import type { LabelBox, LabelField } from './label-field.ts';

interface LineLabels {
  /** Points. */
  readonly width: number;
  readonly height: number;
  /** Points between two labels of one line. */
  readonly spacing: number;
}

/** Points between two places that are tried. */
const stride = 9;
/** How far a line may stray from its letters, as a share of their height. */
const mostStray = 0.34;

/**
 * Places for a label along a line, the straightest first, taken where they are free.
 * @returns the middles and angles to draw at
 */
export function placeAlong(line: Path, field: LabelField, { width, height, spacing }: LineLabels): LabelBox[] {
  const lengths = lengthsOf(line);
  const whole = lengths.at(-1) ?? 0;
  if (whole < width) return [];
  const tries: { readonly at: number; readonly stray: number; readonly box: LabelBox }[] = [];
  // The middle of the line first among equals.
  for (let start = ((whole - width) / 2) % stride; start + width <= whole; start += stride) {
    const from = pointAt(line, lengths, start);
    const to = pointAt(line, lengths, start + width);
    const stray = strayOf(line, lengths, [start, start + width], from, to);
    if (stray > height * mostStray) continue;
    tries.push({
      at: start,
      stray: stray + Math.abs(start + width / 2 - whole / 2) / whole,
      box: boxBetween(from, to, width, height),
    });
  }
  tries.sort((a, b) => a.stray - b.stray);
  const taken: { readonly at: number; readonly box: LabelBox }[] = [];
  for (const { at, box } of tries) {
    if (taken.some((other) => Math.abs(other.at - at) < spacing)) continue;
    if (field.takes(box)) taken.push({ at, box });
  }
  return taken.map(({ box }) => box);
}

function lengthsOf(line: Path): number[] {
  const lengths = [0];
  for (let at = 2; at + 1 < line.length; at += 2) {
    const dx = (line[at] as number) - (line[at - 2] as number);
    const dy = (line[at + 1] as number) - (line[at - 1] as number);
    lengths.push((lengths.at(-1) as number) + Math.hypot(dx, dy));
  }
  return lengths;
}

type Point = readonly [number, number];

/** Index of the last corner at or before a length. */
function cornerBefore(lengths: readonly number[], length: number): number {
  let [low, high] = [0, lengths.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lengths[middle] as number) <= length) low = middle;
    else high = middle;
  }
  return low;
}

function pointAt(line: Path, lengths: readonly number[], length: number): Point {
  const corner = cornerBefore(lengths, length);
  const [before, after] = [lengths[corner] as number, lengths[corner + 1] ?? (lengths[corner] as number)];
  const share = after > before ? (length - before) / (after - before) : 0;
  const [x, y] = [line[2 * corner] as number, line[2 * corner + 1] as number];
  const [nextX, nextY] = [line[2 * corner + 2] ?? x, line[2 * corner + 3] ?? y];
  return [x + share * (nextX - x), y + share * (nextY - y)];
}

/** The farthest that a stretch of the line lies from its chord; infinite where the line turns back. */
function strayOf(line: Path, lengths: readonly number[], [start, end]: Point, from: Point, to: Point): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const chord = Math.hypot(dx, dy);
  if (chord < (end - start) * 0.94) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let corner = cornerBefore(lengths, start) + 1; (lengths[corner] ?? end) < end; corner++) {
    const [x, y] = [(line[2 * corner] as number) - from[0], (line[2 * corner + 1] as number) - from[1]];
    most = Math.max(most, Math.abs(x * dy - y * dx) / chord);
  }
  return most;
}

/** Upright: read from the left, or from below. */
function boxBetween(from: Point, to: Point, width: number, height: number): LabelBox {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const turn = (Math.atan2(-dy, dx) * 180) / Math.PI;
  const angle = turn > 90 ? turn - 180 : turn <= -90 ? turn + 180 : turn;
  return { x: (from[0] + to[0]) / 2, y: (from[1] + to[1]) / 2, width, height, angle };
}
