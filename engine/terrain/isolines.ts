/**
 * Isolines of a square grid of heights by marching squares (W. Lorensen and H. Cline, "Marching cubes", 1987, in two
 * dimensions). Heights are at the corners, so neighboring tiles that share corners share the points on their common edge.
 */

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
  const cells = crossedCells(heights, side, levels);
  return levels.flatMap((level, index) => lines.trace(level, cells[index] as number[]));
}

/**
 * For each level the cells that it crosses, by their northwest corners: few of all. None of a cell with an unknown height.
 */
function crossedCells(heights: Float32Array, side: number, levels: readonly number[]): number[][] {
  const cells = levels.map((): number[] => []);
  for (let row = 0; row < side - 1; row++) {
    for (let at = row * side; at < (row + 1) * side - 1; at++) {
      const [a, b] = [heights[at] as number, heights[at + 1] as number];
      const [c, d] = [heights[at + side] as number, heights[at + side + 1] as number];
      const highest = Math.max(a, b, c, d);
      let index = firstAbove(levels, Math.min(a, b, c, d));
      while (index < levels.length && (levels[index] as number) <= highest) cells[index++]?.push(at);
    }
  }
  return cells;
}

function firstAbove(levels: readonly number[], height: number): number {
  let [from, to] = [0, levels.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((levels[middle] as number) > height) to = middle;
    else from = middle + 1;
  }
  return from;
}

const nothing = -1;

class IsolineTracer {
  readonly #heights: Float32Array;
  readonly #side: number;
  /** By edge of the grid: the edge to which a line goes on; `nothing` without a line. */
  readonly #next: Int32Array;
  /** Whether a line comes to the edge. */
  readonly #isEntered: Uint8Array;

  constructor(heights: Float32Array, side: number) {
    this.#heights = heights;
    this.#side = side;
    this.#next = new Int32Array(2 * side * side).fill(nothing);
    this.#isEntered = new Uint8Array(2 * side * side);
  }

  /** @param cells that the level crosses */
  trace(level: number, cells: readonly number[]): Isoline[] {
    const begun = this.#cross(level, cells);
    const lines: Isoline[] = [];
    // Open lines first: a line that is followed from its middle would fall into two.
    for (const edge of begun) if (this.#isEntered[edge] === 0) lines.push(this.#follow(edge, level));
    for (const edge of begun) if (this.#next[edge] !== nothing) lines.push(this.#follow(edge, level));
    for (const edge of begun) this.#isEntered[edge] = 0;
    return lines;
  }

  /** Finds the crossings of the cells. @returns the edges where a line goes on */
  #cross(level: number, cells: readonly number[]): number[] {
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
    const points: number[] = [];
    let edge = first;
    while (edge !== nothing) {
      this.#addPoint(points, edge, level);
      const next = this.#next[edge] as number;
      this.#next[edge] = nothing;
      // The last edge of an open line was only entered.
      if (next === nothing) this.#isEntered[edge] = 0;
      edge = next;
    }
    const isRing = points.length > 4 && points[0] === points.at(-2) && points[1] === points.at(-1);
    return { level, points: Float64Array.from(points), isRing };
  }

  #addPoint(points: number[], edge: number, level: number): void {
    const corner = edge >> 1;
    const isSouth = (edge & 1) === 1;
    const from = this.#heights[corner] as number;
    const to = this.#heights[corner + (isSouth ? this.#side : 1)] as number;
    const share = (level - from) / (to - from);
    const column = corner % this.#side;
    const row = (corner - column) / this.#side;
    points.push(isSouth ? column : column + share, isSouth ? row + share : row);
  }
}
