/**
 * Joins the lines of one name that touch on a tile, so that letters run along the whole road: publishers end a road at each
 * crossing. Where more than two ends meet, the straightest pair goes on.
 */
import type { Attribute, LayerWriter } from './mvt-writer.ts';

/** `[x0, y0, x1, y1, …]` in units of the tile. */
type Line = Int32Array;

interface NamedGroup {
  readonly values: readonly Attribute[];
  readonly lines: Line[];
}

export class NamedLines {
  readonly #groups = new Map<string, NamedGroup>();
  #group: NamedGroup | null = null;

  /** The lines that follow have these attributes. */
  begin(values: readonly Attribute[]): void {
    const key = JSON.stringify(values);
    this.#group = this.#groups.get(key) ?? { values, lines: [] };
    this.#groups.set(key, this.#group);
  }

  line(points: Int32Array, count: number): void {
    this.#group?.lines.push(points.slice(0, count * 2));
  }

  writeTo(layer: LayerWriter): void {
    for (const { values, lines } of this.#groups.values()) {
      for (const line of joined(lines)) {
        layer.line(line, line.length / 2);
        layer.feature(layer.count + 1, values);
      }
    }
  }
}

/** An end of a line: 2 × its number, + 1 for the last point. */
type End = number;

/** The lines, joined at their ends; each is part of exactly one. */
export function joined(lines: readonly Line[]): Line[] {
  if (lines.length === 1) return [...lines];
  const partners = partnersOf(lines);
  const used = new Set<number>();
  const made: Line[] = [];
  const walk = (first: number) => {
    // Enter each chain at a free end; a ring has none.
    const parts: Line[] = [];
    for (let end: End | undefined = first; end !== undefined && !used.has(end >> 1); ) {
      used.add(end >> 1);
      const line = lines[end >> 1] as Line;
      parts.push((end & 1) === 0 ? line : reversed(line));
      end = partners.get(end ^ 1);
    }
    if (parts.length > 0) made.push(chained(parts));
  };
  for (let end = 0; end < lines.length * 2; end++) if (!partners.has(end)) walk(end);
  for (let end = 0; end < lines.length * 2; end += 2) walk(end);
  return made;
}

/** The end that each end goes on with. */
function partnersOf(lines: readonly Line[]): Map<End, End> {
  const meeting = new Map<string, End[]>();
  for (let end = 0; end < lines.length * 2; end++) {
    const [x, y] = placeOf(lines, end);
    const key = `${x} ${y}`;
    meeting.set(key, [...(meeting.get(key) ?? []), end]);
  }
  const partners = new Map<End, End>();
  for (const ends of meeting.values()) {
    const free = new Set(ends);
    while (free.size > 1) {
      const [a, b] = straightest(lines, [...free]);
      partners.set(a, b);
      partners.set(b, a);
      free.delete(a);
      free.delete(b);
    }
  }
  return partners;
}

function straightest(lines: readonly Line[], ends: readonly End[]): [End, End] {
  let best: [End, End] = [ends[0] as End, ends[1] as End];
  let least = Number.POSITIVE_INFINITY;
  for (const [index, a] of ends.entries()) {
    for (const b of ends.slice(index + 1)) {
      const [ax, ay] = directionOf(lines, a);
      const [bx, by] = directionOf(lines, b);
      // The cosine of the angle between them: −1 straight on.
      const cosine = (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by) || 1);
      if (cosine < least) [least, best] = [cosine, [a, b]];
    }
  }
  return best;
}

function placeOf(lines: readonly Line[], end: End): [number, number] {
  const line = lines[end >> 1] as Line;
  const at = (end & 1) === 0 ? 0 : line.length - 2;
  return [line[at] as number, line[at + 1] as number];
}

/** From an end into its line. */
function directionOf(lines: readonly Line[], end: End): [number, number] {
  const line = lines[end >> 1] as Line;
  const [from, to] = (end & 1) === 0 ? [0, 2] : [line.length - 2, line.length - 4];
  return [(line[to] as number) - (line[from] as number), (line[to + 1] as number) - (line[from + 1] as number)];
}

function reversed(line: Line): Line {
  const turned = new Int32Array(line.length);
  for (let at = 0; at < line.length; at += 2) {
    turned[at] = line[line.length - 2 - at] as number;
    turned[at + 1] = line[line.length - 1 - at] as number;
  }
  return turned;
}

/** Without the points that two parts share. */
function chained(parts: readonly Line[]): Line {
  const whole = new Int32Array(parts.reduce((sum, { length }) => sum + length - 2, 2));
  let length = 0;
  for (const part of parts) {
    whole.set(length === 0 ? part : part.subarray(2), length);
    length += length === 0 ? part.length : part.length - 2;
  }
  return whole;
}
