/** Histograms of gradients, in whole numbers, and the best split that they show. */

/** For each bin: sum of gradients, sum of weights, rows. */
const perBin = 3;
const binCount = 256;
const perColumn = perBin * binCount;

export type Histogram = Int32Array;

export interface Split {
  readonly gain: number;
  readonly column: number;
  readonly bin: number;
}

/** The rows of a node: `order[low]` to before `order[high]`. */
interface Stretch {
  readonly low: number;
  readonly high: number;
}

/** A node's rows, and the sums of their gradients and weights. */
interface Sums {
  readonly rows: number;
  readonly gradient: number;
  readonly weight: number;
}

export class SplitSearch {
  readonly #bins: readonly Uint8Array[];
  readonly #binCounts: readonly number[];
  readonly #weights: Uint8Array;
  readonly #gradients: Int32Array;
  readonly #order: Int32Array;
  readonly #minLeaf: number;
  readonly #shrinkage: number;
  /** The columns of the present tree. */
  columns: readonly number[] = [];

  constructor(basis: {
    readonly bins: readonly Uint8Array[];
    /** With the bin of unknown values. */
    readonly binCounts: readonly number[];
    readonly weights: Uint8Array;
    readonly gradients: Int32Array;
    readonly order: Int32Array;
    readonly minLeaf: number;
    /** In the unit of the weights. */
    readonly shrinkage: number;
  }) {
    this.#bins = basis.bins;
    this.#binCounts = basis.binCounts;
    this.#weights = basis.weights;
    this.#gradients = basis.gradients;
    this.#order = basis.order;
    this.#minLeaf = basis.minLeaf;
    this.#shrinkage = basis.shrinkage;
  }

  createHistogram(): Histogram {
    return new Int32Array(this.#bins.length * perColumn);
  }

  fill(histogram: Histogram, { low, high }: Stretch): void {
    const [order, gradients, weights] = [this.#order, this.#gradients, this.#weights];
    for (const column of this.columns) {
      const bins = this.#bins[column] as Uint8Array;
      const first = column * perColumn;
      histogram.fill(0, first, first + (this.#binCounts[column] as number) * perBin);
      for (let i = low; i < high; i++) {
        const row = order[i] as number;
        const at = first + (bins[row] as number) * perBin;
        histogram[at] = (histogram[at] as number) + (gradients[row] as number);
        histogram[at + 1] = (histogram[at + 1] as number) + (weights[row] as number);
        histogram[at + 2] = (histogram[at + 2] as number) + 1;
      }
    }
  }

  /** The larger side of a split, by subtraction of the smaller. */
  subtract(from: Histogram, smaller: Histogram): void {
    for (const column of this.columns) {
      const first = column * perColumn;
      const end = first + (this.#binCounts[column] as number) * perBin;
      for (let at = first; at < end; at++) from[at] = (from[at] as number) - (smaller[at] as number);
    }
  }

  /** G²/(W + shrinkage) left + right − parent at its greatest; ties to the earlier column, then the lower bin. */
  best(histogram: Histogram, { low, high }: Stretch): Split | null {
    const rows = high - low;
    if (rows < 2 * this.#minLeaf) return null;
    let [gradient, weight] = [0, 0];
    for (let i = low; i < high; i++) {
      const row = this.#order[i] as number;
      gradient += this.#gradients[row] as number;
      weight += this.#weights[row] as number;
    }
    let best: Split | null = null;
    for (const column of this.columns) best = this.#bestOfColumn(histogram, column, { rows, gradient, weight }, best);
    return best;
  }

  #bestOfColumn(histogram: Histogram, column: number, { rows, gradient, weight }: Sums, before: Split | null) {
    const first = column * perColumn;
    const end = first + (this.#binCounts[column] as number) * perBin;
    const shrinkage = this.#shrinkage;
    const parent = (gradient * gradient) / (weight + shrinkage);
    let best = before;
    // the quotients are rounded: equal gains must not be decided by their last bits
    let toBeat = (best?.gain ?? 0) * (1 + 1e-12) + 1e-9;
    let [left, leftWeight, leftRows] = [0, 0, 0];
    for (let at = first; at + perBin < end; at += perBin) {
      const inBin = histogram[at + 2] as number;
      // a split after an empty bin is the split before it
      if (inBin === 0) continue;
      left += histogram[at] as number;
      leftWeight += histogram[at + 1] as number;
      leftRows += inBin;
      if (leftRows < this.#minLeaf) continue;
      if (rows - leftRows < this.#minLeaf) break;
      const right = gradient - left;
      const gain =
        (left * left) / (leftWeight + shrinkage) + (right * right) / (weight - leftWeight + shrinkage) - parent;
      if (gain <= toBeat) continue;
      best = { gain, column, bin: (at - first) / perBin };
      toBeat = gain * (1 + 1e-12) + 1e-9;
    }
    return best;
  }
}
