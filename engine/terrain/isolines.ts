/**
 * Isolines of a square grid of heights by marching squares (W. Lorensen and H. Cline, "Marching cubes", 1987, in two
 * dimensions). Heights are at the corners, so neighboring tiles that share corners share the points on their common edge.
 */
import { scratch } from './scratch.ts';

/** A line of constant height. Higher ground lies to its left, with y down. */
interface Isoline {
  readonly level: number;
  /** `[x0, y0, x1, y1, …]` in cells; a ring repeats its first point. */
  readonly points: Float64Array;
  readonly isRing: boolean;
}

/** The sides of a cell: a line enters through one and leaves through another. */
const [top, right, bottom, left] = [0, 1, 2, 3];

/**
 * For each case of corners at or above the level (8 northwest, 4 northeast, 2 southeast, 1 southwest): the sides where a line
 * enters and leaves. Cases 5 and 10 are saddles, see `saddles`.
 */
const crossings: readonly (readonly number[])[] = [
  [],
  [bottom, left],
  [right, bottom],
  [right, left],
  [top, right],
  [],
  [top, bottom],
  [top, left],
  [left, top],
  [bottom, top],
  [],
  [right, top],
  [left, right],
  [bottom, right],
  [left, bottom],
  [],
];

/** The two lines of a saddle, by its case and whether its middle is at or above the level. */
const saddles = {
  5: { high: [top, left, bottom, right], low: [top, right, bottom, left] },
  10: { high: [right, top, left, bottom], low: [left, top, right, bottom] },
} as const;

/**
 * @param heights of `side` × `side` corners in rows; NaN: unknown, lines end there
 * @param levels ascending
 */
export function isolines(heights: Float32Array, side: number, levels: readonly number[]): Isoline[] {
  const lines = new IsolineTracer(heights, side);
  const { cells, ends } = crossedCells(ranksOf(heights, levels), side, levels.length);
  return levels.flatMap((level, index) => lines.trace(level, cells.subarray(ends[index - 1] ?? 0, ends[index])));
}

const unknown = -1;

const ranksIn = scratch((length) => new Int32Array(length));
const cellsIn = scratch((length) => new Int32Array(length));
const nextIn = scratch((length) => new Int32Array(length));
const enteredIn = scratch((length) => new Uint8Array(length));

/** How many levels lie at or below each corner: neighbors differ by few. */
function ranksOf(heights: Float32Array, levels: readonly number[]): Int32Array {
  const ranks = ranksIn(heights.length);
  let rank = 0;
  for (let at = 0; at < heights.length; at++) {
    const height = heights[at] as number;
    while (rank < levels.length && (levels[rank] as number) <= height) rank++;
    while (rank > 0 && (levels[rank - 1] as number) > height) rank--;
    ranks[at] = Number.isNaN(height) ? unknown : rank;
  }
  return ranks;
}

/**
 * The cells that each level crosses, by their northwest corners: few of all. None of a cell with an unknown height.
 * @returns level by level; `ends`: where each level's cells end
 */
function crossedCells(ranks: Int32Array, side: number, levels: number): { cells: Int32Array; ends: Int32Array } {
  const ends = new Int32Array(levels);
  eachCrossing(ranks, side, (_, level) => {
    ends[level] = (ends[level] as number) + 1;
  });
  for (let level = 1; level < levels; level++) ends[level] = (ends[level] as number) + (ends[level - 1] as number);
  const cells = cellsIn(ends.at(-1) ?? 0);
  const next = Int32Array.from(ends, (_, level) => ends[level - 1] ?? 0);
  eachCrossing(ranks, side, (cell, level) => {
    const at = next[level] as number;
    cells[at] = cell;
    next[level] = at + 1;
  });
  return { cells, ends };
}

function eachCrossing(ranks: Int32Array, side: number, visit: (cell: number, level: number) => void): void {
  for (let row = 0; row < side - 1; row++) {
    for (let at = row * side; at < (row + 1) * side - 1; at++) {
      const a = ranks[at] as number;
      const b = ranks[at + 1] as number;
      const c = ranks[at + side] as number;
      const d = ranks[at + side + 1] as number;
      if (a === b && b === c && c === d) continue;
      const lowest = Math.min(a, b, c, d);
      if (lowest === unknown) continue;
      const highest = Math.max(a, b, c, d);
      for (let level = lowest; level < highest; level++) visit(at, level);
    }
  }
}

const nothing = -1;

class IsolineTracer {
  readonly #heights: Float32Array;
  readonly #side: number;
  /** By edge of the grid: the edge to which a line goes on; `nothing` without a line. */
  readonly #next: Int32Array;
  /** Whether a line comes to the edge. */
  readonly #isEntered: Uint8Array;
  /** The line that is followed. */
  readonly #line: number[] = [];

  constructor(heights: Float32Array, side: number) {
    this.#heights = heights;
    this.#side = side;
    this.#next = nextIn(2 * side * side).fill(nothing);
    this.#isEntered = enteredIn(2 * side * side).fill(0);
  }

  /** @param cells that the level crosses */
  trace(level: number, cells: Int32Array): Isoline[] {
    const begun = this.#cross(level, cells);
    const lines: Isoline[] = [];
    // Open lines first: a line that is followed from its middle would fall into two.
    for (const edge of begun) if (this.#isEntered[edge] === 0) lines.push(this.#follow(edge, level));
    for (const edge of begun) if (this.#next[edge] !== nothing) lines.push(this.#follow(edge, level));
    for (const edge of begun) this.#isEntered[edge] = 0;
    return lines;
  }

  /** Finds the crossings of the cells. @returns the edges where a line goes on */
  #cross(level: number, cells: Int32Array): number[] {
    const begun: number[] = [];
    for (const at of cells) {
      const sides = this.#sidesOf(at, level);
      for (let pair = 0; pair < sides.length; pair += 2) {
        const from = this.#edge(at, sides[pair] as number);
        const to = this.#edge(at, sides[pair + 1] as number);
        this.#next[from] = to;
        this.#isEntered[to] = 1;
        begun.push(from);
      }
    }
    return begun;
  }

  /** Where lines cross the cell southeast of a corner. */
  #sidesOf(at: number, level: number): readonly number[] {
    const [heights, side] = [this.#heights, this.#side];
    const northwest = heights[at] as number;
    const northeast = heights[at + 1] as number;
    const southwest = heights[at + side] as number;
    const southeast = heights[at + side + 1] as number;
    const corners =
      8 * Number(northwest >= level) +
      4 * Number(northeast >= level) +
      2 * Number(southeast >= level) +
      Number(southwest >= level);
    const sum = northwest + northeast + southwest + southeast;
    if (corners === 5 || corners === 10) return saddles[corners][sum >= 4 * level ? 'high' : 'low'];
    return crossings[corners] as readonly number[];
  }

  /** Edges are numbered by their first corner: even ones run east of it, odd ones south. */
  #edge(corner: number, side: number): number {
    if (side === top) return 2 * corner;
    if (side === bottom) return 2 * (corner + this.#side);
    return side === left ? 2 * corner + 1 : 2 * (corner + 1) + 1;
  }

  #follow(first: number, level: number): Isoline {
    const line = this.#line;
    let length = 0;
    let edge = first;
    while (edge !== nothing) {
      const corner = edge >> 1;
      const isSouth = (edge & 1) === 1;
      const share = this.#shareOf(corner, isSouth ? this.#side : 1, level);
      const column = corner % this.#side;
      const row = (corner - column) / this.#side;
      line[length++] = isSouth ? column : column + share;
      line[length++] = isSouth ? row + share : row;
      const next = this.#next[edge] as number;
      this.#next[edge] = nothing;
      // The last edge of an open line was only entered.
      if (next === nothing) this.#isEntered[edge] = 0;
      edge = next;
    }
    const points = new Float64Array(length);
    for (let at = 0; at < length; at++) points[at] = line[at] as number;
    return { level, points, isRing: length > 4 && points[0] === points.at(-2) && points[1] === points.at(-1) };
  }

  /** How far from a corner to the next the level lies. */
  #shareOf(corner: number, step: number, level: number): number {
    const from = this.#heights[corner] as number;
    return (level - from) / ((this.#heights[corner + step] as number) - from);
  }
}
