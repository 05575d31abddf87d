/** Draws lines on one tile, clipped to its buffer. */
import type { Bounds } from '../geo/geometry.ts';
import { bufferedBox } from './polygon-painter.ts';
import type { Projection } from './projection.ts';

/** Receives the parts of a line: a layer of the tile, or what joins them first. */
interface LineSink {
  line(points: Int32Array, count: number): void;
}

/** Adds a line in degrees to the current feature, clipped to the tile's buffer, which may split it into parts. */
export function drawLine(layer: LineSink, projection: Projection, line: Float64Array): void {
  const part = new LinePart(line.length);
  let ax = projection.x(line[0] as number);
  let ay = projection.y(line[1] as number);
  for (let at = 2; at < line.length; at += 2) {
    const bx = projection.x(line[at] as number);
    const by = projection.y(line[at + 1] as number);
    const inside = insideOf(bufferedBox, ax, ay, bx, by);
    if (inside) {
      const [from, to] = inside;
      part.add(ax + from * (bx - ax), ay + from * (by - ay));
      part.add(ax + to * (bx - ax), ay + to * (by - ay));
      if (to < 1) part.drawTo(layer);
    } else part.drawTo(layer);
    ax = bx;
    ay = by;
  }
  part.drawTo(layer);
}

class LinePart {
  readonly #points: Int32Array;
  #length = 0;

  /** @param numbers coordinates of the line; an edge gives at most two corners */
  constructor(numbers: number) {
    this.#points = new Int32Array(numbers * 2);
  }

  add(x: number, y: number): void {
    const cornerX = Math.floor(x + 0.5);
    const cornerY = Math.floor(y + 0.5);
    const length = this.#length;
    if (length > 0 && this.#points[length - 2] === cornerX && this.#points[length - 1] === cornerY) return;
    this.#points[length] = cornerX;
    this.#points[length + 1] = cornerY;
    this.#length = length + 2;
  }

  /** Draws the corners added, unless they span less than a unit, and starts again. */
  drawTo(layer: LineSink): void {
    if (this.#length >= 4) layer.line(this.#points, this.#length / 2);
    this.#length = 0;
  }
}

/**
 * The part of an edge within a box, as two fractions of its length from its first end; null if none
 * (Y.-D. Liang and B. Barsky, "A new concept and method for line clipping", 1984).
 */
function insideOf(box: Bounds, ax: number, ay: number, bx: number, by: number): [number, number] | null {
  let from = 0;
  let to = 1;
  const sides = [
    [ax - bx, ax - box.minX],
    [bx - ax, box.maxX - ax],
    [ay - by, ay - box.minY],
    [by - ay, box.maxY - ay],
  ] as const;
  for (const [outwards, room] of sides) {
    if (outwards === 0 && room < 0) return null;
    if (outwards < 0) from = Math.max(from, room / outwards);
    else if (outwards > 0) to = Math.min(to, room / outwards);
  }
  return from <= to ? [from, to] : null;
}
