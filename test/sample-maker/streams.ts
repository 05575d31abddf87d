/**
 * Where water runs and stands on the sample's ground: from each place to the lowest neighbor (D8) over hollows filled to
 * their rim (priority flood: Barnes, Lehman, Mulla 2014), with the order of streams after Strahler.
 */

import { cornerOf, type Field, thinnedLine } from './patches.ts';
import { at, type Point } from './plane.ts';

interface Stream {
  readonly name: string | null;
  /** Strahler's: 1 where a stream begins. */
  readonly order: number;
  /** Downstream. */
  readonly line: readonly Point[];
}

/** How the water of a field runs. */
export interface Flow {
  readonly heights: Field;
  /** The heights with hollows filled. */
  readonly filled: Float64Array;
  /** The corner that the water runs to next; -1 at the edge and in the river. */
  readonly next: Int32Array;
  /** Every corner, after the one that its water runs to. */
  readonly order: Int32Array;
}

const around = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

/** Corners by filled height: a heap. In a hollow the deepest comes first, so that water crosses it along its bottom. */
class Heap {
  readonly #items: number[] = [];
  readonly #filled: Float64Array;
  readonly #bare: Float64Array;

  constructor(filled: Float64Array, bare: Float64Array) {
    this.#filled = filled;
    this.#bare = bare;
  }

  #isLower = (a: number, b: number): boolean => {
    const filled = (this.#filled[a] as number) - (this.#filled[b] as number);
    if (filled !== 0) return filled < 0;
    const bare = (this.#bare[a] as number) - (this.#bare[b] as number);
    return bare === 0 ? a < b : bare < 0;
  };

  push(item: number): void {
    const items = this.#items;
    let i = items.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!this.#isLower(item, items[parent] as number)) break;
      items[i] = items[parent] as number;
      i = parent;
    }
    items[i] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child + 1 < items.length && this.#isLower(items[child + 1] as number, items[child] as number)) child++;
      if (child >= items.length || !this.#isLower(items[child] as number, last)) break;
      items[i] = items[child] as number;
      i = child;
    }
    items[i] = last;
    return first;
  }
}

function neighbors({ columns, rows }: Field, corner: number): number[] {
  const [column, row] = [corner % columns, Math.floor(corner / columns)];
  return around.flatMap(([dx, dy]) => {
    const [c, r] = [column + dx, row + dy];
    return c >= 0 && r >= 0 && c < columns && r < rows ? [r * columns + c] : [];
  });
}

/** @param isMouth whether water that reaches a corner has reached the river */
export function flowOver(heights: Field, isMouth: (corner: number) => boolean): Flow {
  const { columns, rows, values } = heights;
  const filled = Float64Array.from(values);
  const next = new Int32Array(values.length).fill(-2);
  const order = new Int32Array(values.length);
  const heap = new Heap(filled, values);
  for (let corner = 0; corner < values.length; corner++) {
    const [column, row] = [corner % columns, Math.floor(corner / columns)];
    const isEdge = column === 0 || row === 0 || column === columns - 1 || row === rows - 1;
    if (!isEdge && !isMouth(corner)) continue;
    next[corner] = -1;
    heap.push(corner);
  }
  let count = 0;
  for (let corner = heap.pop(); corner !== undefined; corner = heap.pop()) {
    order[count++] = corner;
    for (const other of neighbors(heights, corner)) {
      if (next[other] !== -2) continue;
      next[other] = corner;
      filled[other] = Math.max(filled[other] as number, filled[corner] as number);
      heap.push(other);
    }
  }
  steepen(heights, filled, next, order);
  return { heights, filled, next, order };
}

/** Outside hollows water takes the steepest way down, not the way by which the flood came. */
function steepen(heights: Field, filled: Float64Array, next: Int32Array, order: Int32Array): void {
  for (const corner of order) {
    const own = filled[corner] as number;
    if (next[corner] === -1 || own > (heights.values[corner] as number)) continue;
    let best = { drop: 0, to: next[corner] as number };
    for (const other of neighbors(heights, corner)) {
      const isDiagonal = other % heights.columns !== corner % heights.columns && Math.abs(other - corner) > 1;
      const drop = (own - (filled[other] as number)) / (isDiagonal ? Math.SQRT2 : 1);
      if (drop > best.drop) best = { drop, to: other };
    }
    next[corner] = best.to;
  }
}

interface Channels {
  /** Square meters above each corner. */
  readonly areas: Float64Array;
  /** Strahler's order; 0 where no stream is. */
  readonly orders: Uint8Array;
}

/** @param least square meters from which a stream runs. */
function channelsOf({ heights, next, order }: Flow, least: number): Channels {
  const areas = new Float64Array(next.length).fill(heights.step ** 2);
  const orders = new Uint8Array(next.length);
  const joining = new Uint8Array(next.length);
  // The flood came from below: everything above a corner is known when its turn comes.
  for (const corner of order.toReversed()) {
    if (orders[corner] === 0 && (areas[corner] as number) >= least) orders[corner] = 1;
    const to = next[corner] as number;
    if (to < 0) continue;
    areas[to] = (areas[to] as number) + (areas[corner] as number);
    const [own, other] = [orders[corner] as number, orders[to] as number];
    if (own > other) {
      orders[to] = own;
      joining[to] = 1;
    } else if (own > 0 && own === other && joining[to] === 1) {
      orders[to] = own + 1;
      joining[to] = 0;
    }
  }
  return { areas, orders };
}

/** @param nameOf the next name, for a stream of the second order or more */
export function streamsOf(flow: Flow, least: number, nameOf: () => string | null): Stream[] {
  const { areas, orders } = channelsOf(flow, least);
  const { next, heights } = flow;
  // Above a meeting the name stays with the larger water.
  const main = new Int32Array(next.length).fill(-1);
  for (let corner = 0; corner < next.length; corner++) {
    const to = next[corner] as number;
    if (to < 0 || orders[corner] === 0) continue;
    const before = main[to] as number;
    if (before < 0 || (areas[corner] as number) > (areas[before] as number)) main[to] = corner;
  }
  const mouths = Array.from(next.keys()).filter((corner) => {
    const to = next[corner] as number;
    return (orders[corner] as number) > 0 && (to < 0 || main[to] !== corner || (orders[to] as number) === 0);
  });
  mouths.sort((a, b) => (areas[b] as number) - (areas[a] as number) || a - b);
  return mouths.flatMap((mouth) => {
    const way: number[] = [];
    for (let corner = mouth; corner >= 0; corner = main[corner] as number) way.push(corner);
    if (way.length < 8) return [];
    const name = (orders[mouth] as number) > 1 ? nameOf() : null;
    const end = next[mouth] as number;
    const corners = [...way.reverse(), ...(end < 0 ? [] : [end])];
    const smooth = smoothed(corners.map((corner) => cornerOf(heights, corner)));
    return stretches(
      corners.map((corner) => orders[corner] as number),
      orders[mouth] as number,
    ).map(({ from, to, order }) => ({ name, order, line: thinnedLine(smooth.slice(from, to + 1), 2) }));
  });
}

/** Runs of one order, each with the first corner of the next. */
function stretches(orders: readonly number[], last: number): { from: number; to: number; order: number }[] {
  const found: { from: number; to: number; order: number }[] = [];
  const capped = orders.map((order) => Math.min(order, last) || last);
  for (let from = 0; from < capped.length - 1; ) {
    let to = from + 1;
    while (to < capped.length - 1 && capped[to] === capped[from]) to++;
    found.push({ from, to, order: at(capped, from) });
    from = to;
  }
  return found;
}

/** Means over neighbors, as the eight directions make steps; both ends stay. */
function smoothed(line: readonly Point[]): Point[] {
  let path = [...line];
  for (let round = 0; round < 4; round++) {
    path = path.map((p, i) => {
      const [before, after] = [path[i - 1], path[i + 1]];
      if (!before || !after) return p;
      return { x: (before.x + 2 * p.x + after.x) / 4, y: (before.y + 2 * p.y + after.y) / 4 };
    });
  }
  return path;
}

/** A hollow that water fills to its rim. */
interface Hollow {
  readonly corners: readonly number[];
  /** Feet of its surface, and of its deepest place below that. */
  readonly level: number;
  readonly depth: number;
}

/** Largest first. @param least feet of depth */
export function hollowsOf(flow: Flow, least: number): Hollow[] {
  const { heights, filled } = flow;
  const depths = filled.map((level, corner) => level - (heights.values[corner] as number));
  const seen = new Uint8Array(filled.length);
  const found: Hollow[] = [];
  for (let start = 0; start < filled.length; start++) {
    if (seen[start] === 1 || (depths[start] as number) <= 0) continue;
    const corners = hollowFrom(start, flow, depths, seen);
    const depth = corners.reduce((most, corner) => Math.max(most, depths[corner] as number), 0);
    if (depth >= least) found.push({ corners, level: filled[start] as number, depth });
  }
  return found.sort((a, b) => b.corners.length - a.corners.length || at(a.corners, 0) - at(b.corners, 0));
}

function hollowFrom(start: number, { heights, filled }: Flow, depths: Float64Array, seen: Uint8Array): number[] {
  const corners = [start];
  seen[start] = 1;
  for (let i = 0; i < corners.length; i++) {
    for (const other of neighbors(heights, corners[i] as number)) {
      if (seen[other] === 1 || (depths[other] as number) <= 0 || filled[other] !== filled[start]) continue;
      seen[other] = 1;
      corners.push(other);
    }
  }
  return corners;
}
