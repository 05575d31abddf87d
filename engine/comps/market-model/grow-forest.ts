/**
 * Gradient boosting with absolute loss: each tree splits rows by
 * the signs of what the trees before it left over, and each leaf adds a share of their median. Gradients and weights are
 * whole numbers, so that every sum that decides about a split is exact and a forest is the same on every machine.
 */
import { medianInPlace, weightedMedianInPlace } from '../value-order.ts';
import { edgesOf } from './bin-edges.ts';
import { binOf, type Forest } from './forest.ts';
import { byCount, modelParameters } from './model-parameters.ts';
import { type Histogram, type Split, SplitSearch } from './split-search.ts';
import { createWholeRandom } from './whole-random.ts';

interface TrainingRows {
  /** By column; NaN is unknown. */
  readonly columns: readonly Float64Array[];
  readonly targets: Float64Array;
  /** Tenths. */
  readonly weights: Uint8Array;
}

/** A leaf of the tree in work; it may still be split. */
interface OpenLeaf {
  low: number;
  high: number;
  node: number;
  histogram: Histogram;
  split: Split | null;
}

const { trees } = modelParameters;

class ForestGrower {
  readonly #edges: readonly Float64Array[];
  /** By column, then row. */
  readonly #bins: readonly Uint8Array[];
  readonly #targets: Float64Array;
  readonly #weights: Uint8Array;
  readonly #isEvenlyWeighted: boolean;
  readonly #maxLeaves: number;
  readonly #minLeaf: number;
  readonly #random: () => number;
  readonly #search: SplitSearch;
  readonly #gradients: Int32Array;
  readonly #predictions: Float64Array;
  /** The rows of the tree in work, those of a node side by side. */
  readonly #order: Int32Array;
  readonly #spareRows: Int32Array;
  readonly #histograms: readonly Histogram[];
  readonly #leftOver: Float64Array;
  readonly #leafWeights: Uint8Array;
  readonly #base: number;
  readonly #roots: number[] = [];
  readonly #columns: number[] = [];
  readonly #splitBins: number[] = [];
  readonly #lefts: number[] = [];
  readonly #values: number[] = [];

  constructor({ columns, targets, weights }: TrainingRows, seed: number, marketCount: number) {
    const count = targets.length;
    this.#targets = targets;
    this.#weights = weights;
    this.#edges = columns.map((column) => edgesOf(column, byCount(trees.maxBins, marketCount)));
    this.#bins = columns.map((column, c) =>
      Uint8Array.from(column, (value) => binOf(this.#edges[c] as Float64Array, value)),
    );
    this.#isEvenlyWeighted = weights.every((weight) => weight === weights[0]);
    this.#maxLeaves = byCount(trees.leaves, marketCount);
    const [least, most] = trees.leafRows;
    this.#minLeaf = Math.max(least, Math.min(most, Math.floor(count * trees.leafShare)));
    this.#random = createWholeRandom(seed);
    this.#gradients = new Int32Array(count);
    this.#order = new Int32Array(count);
    this.#spareRows = new Int32Array(count);
    this.#leftOver = new Float64Array(count);
    this.#leafWeights = new Uint8Array(count);
    this.#base = medianInPlace(targets.slice());
    this.#predictions = new Float64Array(count).fill(this.#base);
    this.#search = new SplitSearch({
      bins: this.#bins,
      binCounts: this.#edges.map((edges) => edges.length + 2),
      weights,
      gradients: this.#gradients,
      order: this.#order,
      minLeaf: this.#minLeaf,
      shrinkage: trees.shrinkage * (this.#isEvenlyWeighted ? (weights[0] ?? 0) : modelParameters.statusTenths.SOLD),
    });
    this.#histograms = Array.from({ length: this.#maxLeaves + 1 }, () => this.#search.createHistogram());
  }

  grow(): Forest {
    for (let tree = 0; tree < trees.count; tree++) this.#growTree();
    return {
      edges: this.#edges,
      roots: Int32Array.from(this.#roots),
      columns: Int8Array.from(this.#columns),
      bins: Uint8Array.from(this.#splitBins),
      lefts: Int32Array.from(this.#lefts),
      values: Float32Array.from(this.#values),
      base: this.#base,
    };
  }

  #growTree(): void {
    const rowCount = this.#drawRows();
    this.#search.columns = this.#drawColumns();
    const root = this.#addNode();
    this.#roots.push(root);
    const leaves = this.#splitLeaves(root, rowCount);
    this.#setValues(root, leaves);
    for (const row of this.#predictions.keys()) {
      this.#predictions[row] = (this.#predictions[row] as number) + this.#valueOf(root, row);
    }
  }

  /** Gradients of all rows; the drawn rows into `order`. Returns their number. */
  #drawRows(): number {
    const count = this.#targets.length;
    let drawn = 0;
    for (let row = 0; row < count; row++) {
      const sign = Math.sign((this.#targets[row] as number) - (this.#predictions[row] as number));
      this.#gradients[row] = (this.#weights[row] as number) * sign;
      if (this.#random() < trees.rowShare) this.#order[drawn++] = row;
    }
    if (drawn >= 2 * this.#minLeaf) return drawn;
    for (let row = 0; row < count; row++) this.#order[row] = row;
    return count;
  }

  #drawColumns(): number[] {
    const columns = [...this.#bins.keys()];
    const wanted = Math.ceil(columns.length * trees.columnShare);
    const dropped = new Set<number>();
    while (columns.length - dropped.size > wanted) dropped.add(Math.floor(this.#random() * columns.length));
    return columns.filter((column) => !dropped.has(column));
  }

  #addNode(): number {
    this.#columns.push(-1);
    this.#splitBins.push(0);
    this.#lefts.push(0);
    this.#values.push(0);
    return this.#columns.length - 1;
  }

  /** Splits the leaf with the greatest gain until none gains or there are enough. */
  #splitLeaves(root: number, rowCount: number): OpenLeaf[] {
    const free = [...this.#histograms];
    const take = () => free.pop() as Histogram;
    const first: OpenLeaf = { low: 0, high: rowCount, node: root, histogram: take(), split: null };
    this.#search.fill(first.histogram, first);
    first.split = this.#search.best(first.histogram, first);
    const leaves = [first];
    while (leaves.length < this.#maxLeaves) {
      const gainOf = (leaf: OpenLeaf) => leaf.split?.gain ?? 0;
      const best = leaves.reduce((most, leaf) => (gainOf(leaf) > gainOf(most) ? leaf : most));
      if (best.split === null) break;
      leaves.push(this.#splitLeaf(best, best.split, take(), leaves.length + 1 === this.#maxLeaves));
    }
    return leaves;
  }

  /** Makes the leaf its left child; returns the right one. @param isLast neither will be split */
  #splitLeaf(leaf: OpenLeaf, { column, bin }: Split, spare: Histogram, isLast: boolean): OpenLeaf {
    const middle = this.#partition(leaf, column, bin);
    this.#columns[leaf.node] = column;
    this.#splitBins[leaf.node] = bin;
    const left = this.#addNode();
    this.#addNode();
    this.#lefts[leaf.node] = left;
    const isLeftSmaller = middle - leaf.low <= leaf.high - middle;
    const most = Math.max(middle - leaf.low, leaf.high - middle);
    if (isLast || most < 2 * this.#minLeaf) {
      const right: OpenLeaf = { low: middle, high: leaf.high, node: left + 1, histogram: spare, split: null };
      leaf.high = middle;
      leaf.node = left;
      leaf.split = null;
      return right;
    }
    // the larger side's histogram is the parent's minus the smaller side's
    this.#search.fill(spare, isLeftSmaller ? { low: leaf.low, high: middle } : { low: middle, high: leaf.high });
    const larger = leaf.histogram;
    this.#search.subtract(larger, spare);
    const [leftHistogram, rightHistogram] = isLeftSmaller ? [spare, larger] : [larger, spare];
    const right: OpenLeaf = { low: middle, high: leaf.high, node: left + 1, histogram: rightHistogram, split: null };
    leaf.histogram = leftHistogram;
    leaf.high = middle;
    leaf.node = left;
    leaf.split = this.#search.best(leaf.histogram, leaf);
    right.split = this.#search.best(right.histogram, right);
    return right;
  }

  /** Moves the rows that go left before the others, each side in its order; returns where the right ones begin. */
  #partition({ low, high }: OpenLeaf, column: number, bin: number): number {
    const bins = this.#bins[column] as Uint8Array;
    let left = low;
    let spare = 0;
    for (let i = low; i < high; i++) {
      const row = this.#order[i] as number;
      if ((bins[row] as number) <= bin) this.#order[left++] = row;
      else this.#spareRows[spare++] = row;
    }
    this.#order.set(this.#spareRows.subarray(0, spare), left);
    return left;
  }

  /** Leaves: `rate` times the median of what is left over. Above them: means of their children by weight. */
  #setValues(root: number, leaves: readonly OpenLeaf[]): void {
    const weightOf = new Map<number, number>();
    for (const { low, high, node } of leaves) {
      let weight = 0;
      for (let i = low; i < high; i++) {
        const row = this.#order[i] as number;
        this.#leftOver[i - low] = (this.#targets[row] as number) - (this.#predictions[row] as number);
        this.#leafWeights[i - low] = this.#weights[row] as number;
        weight += this.#weights[row] as number;
      }
      weightOf.set(node, weight);
      const leftOver = this.#leftOver.subarray(0, high - low);
      const median = this.#isEvenlyWeighted
        ? medianInPlace(leftOver)
        : weightedMedianInPlace(leftOver, this.#leafWeights.subarray(0, high - low));
      this.#values[node] = Math.fround(trees.rate * median);
    }
    for (let node = this.#columns.length - 1; node >= root; node--) {
      if ((this.#columns[node] as number) < 0) continue;
      const left = this.#lefts[node] as number;
      const [leftWeight, rightWeight] = [weightOf.get(left) ?? 0, weightOf.get(left + 1) ?? 0];
      const weight = leftWeight + rightWeight;
      weightOf.set(node, weight);
      const sum = leftWeight * (this.#values[left] as number) + rightWeight * (this.#values[left + 1] as number);
      this.#values[node] = Math.fround(sum / weight);
    }
  }

  #valueOf(root: number, row: number): number {
    let node = root;
    for (let column = this.#columns[node] as number; column >= 0; column = this.#columns[node] as number) {
      const isLeft = ((this.#bins[column] as Uint8Array)[row] as number) <= (this.#splitBins[node] as number);
      node = (this.#lefts[node] as number) + (isLeft ? 0 : 1);
    }
    return this.#values[node] as number;
  }
}

/** @param marketCount Comps of the whole market, which decides how large trees are. */
export const growForest = (rows: TrainingRows, seed: number, marketCount: number): Forest =>
  new ForestGrower(rows, seed, marketCount).grow();
