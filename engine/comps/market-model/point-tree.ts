/**
 * A k-d tree of points on a plane: the nearest of a place, in order of distance, ties in order of rows. A tree of boxes
 * (flatbush) leaves ties in the order of its queue, and many comps share the point of their ZIP code.
 */

/** Nodes of fewer points are searched one by one. */
const leafPoints = 8;

/** Nearest first; ties by row. */
export interface NearRows {
  readonly rows: Int32Array;
  /** Squared distances. */
  readonly squares: Float64Array;
  count: number;
}

export const createNearRows = (most: number): NearRows => ({
  rows: new Int32Array(most),
  squares: new Float64Array(most),
  count: 0,
});

/** Inserts a row if it is among the nearest. `isSkipped` is asked only about rows that would be. */
function offer(near: NearRows, row: number, square: number, isSkipped: (row: number, square: number) => boolean): void {
  const { rows, squares } = near;
  const isBefore = (place: number) => {
    const other = squares[place] as number;
    return square < other || (square === other && row < (rows[place] as number));
  };
  const isFull = near.count === rows.length;
  if (isFull && !isBefore(near.count - 1)) return;
  if (isSkipped(row, square)) return;
  let place = isFull ? near.count - 1 : near.count++;
  for (; place > 0 && isBefore(place - 1); place--) {
    rows[place] = rows[place - 1] as number;
    squares[place] = squares[place - 1] as number;
  }
  rows[place] = row;
  squares[place] = square;
}

export class PointTree {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  /** Rows; the middle one of a stretch splits it, by x and y in turn. */
  readonly #order: Int32Array;

  constructor(x: Float64Array, y: Float64Array) {
    this.#x = x;
    this.#y = y;
    this.#order = Int32Array.from(x.keys());
    this.#split(0, x.length - 1, x, y);
  }

  /** Fills `near` with the rows nearest to a place that are not skipped. */
  findNearest(x: number, y: number, near: NearRows, isSkipped: (row: number, square: number) => boolean): void {
    near.count = 0;
    const isFull = () => near.count === near.rows.length;
    this.#visit(
      x,
      y,
      (row, square) => offer(near, row, square, isSkipped),
      (gap) => !isFull() || gap * gap <= (near.squares[near.count - 1] as number),
    );
  }

  /** Calls `visit` with every row within `reach` of a place. */
  forEachWithin(x: number, y: number, reach: number, visit: (row: number) => void): void {
    this.#visit(
      x,
      y,
      (row, square) => {
        if (square <= reach * reach) visit(row);
      },
      (gap) => Math.abs(gap) <= reach,
    );
  }

  /** The half of the place first; the other if `mayReach` its border. */
  #visit(x: number, y: number, visit: (row: number, square: number) => void, mayReach: (gap: number) => boolean): void {
    const see = (row: number) => visit(row, ((this.#x[row] as number) - x) ** 2 + ((this.#y[row] as number) - y) ** 2);
    const walk = (low: number, high: number, isByY: boolean): void => {
      if (high - low < leafPoints) {
        for (let i = low; i <= high; i++) see(this.#order[i] as number);
        return;
      }
      const middle = (low + high) >> 1;
      const row = this.#order[middle] as number;
      const gap = isByY ? y - (this.#y[row] as number) : x - (this.#x[row] as number);
      see(row);
      if (gap <= 0) walk(low, middle - 1, !isByY);
      else walk(middle + 1, high, !isByY);
      if (!mayReach(gap)) return;
      if (gap <= 0) walk(middle + 1, high, !isByY);
      else walk(low, middle - 1, !isByY);
    };
    walk(0, this.#order.length - 1, false);
  }

  #split(low: number, high: number, by: Float64Array, then: Float64Array): void {
    if (high - low < leafPoints) return;
    const middle = (low + high) >> 1;
    this.#select(low, high, middle, (a, b) => (by[a] as number) - (by[b] as number) || a - b);
    this.#split(low, middle - 1, then, by);
    this.#split(middle + 1, high, then, by);
  }

  /** Moves the rows before the one at `k` to its left (quickselect). */
  #select(low: number, high: number, k: number, compare: (a: number, b: number) => number): void {
    let [from, to] = [low, high];
    while (from < to) {
      const [leftEnd, rightStart] = this.#partition(from, to, this.#order[k] as number, compare);
      if (leftEnd < k) from = rightStart;
      if (k < rightStart) to = leftEnd;
    }
  }

  #partition(low: number, high: number, pivot: number, compare: (a: number, b: number) => number) {
    const order = this.#order;
    let [i, j] = [low, high];
    while (i <= j) {
      while (compare(order[i] as number, pivot) < 0) i++;
      while (compare(pivot, order[j] as number) < 0) j--;
      if (i > j) break;
      const moved = order[i] as number;
      order[i++] = order[j] as number;
      order[j--] = moved;
    }
    return [j, i] as const;
  }
}
