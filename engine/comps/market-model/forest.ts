/** A forest of regression trees over binned columns, and its prediction by column. */

export interface Forest {
  /** By column: the upper bounds of its bins, ascending. */
  readonly edges: readonly Float64Array[];
  /** The first node of each tree. Nodes of a tree lie together; the right child follows the left. */
  readonly roots: Int32Array;
  /** By node: the column that splits it; -1 for a leaf. */
  readonly columns: Int8Array;
  /** Rows of this bin or a lower one go left. */
  readonly bins: Uint8Array;
  /** The left child. */
  readonly lefts: Int32Array;
  /** A leaf's addend; an inner node's mean over the training rows below it. */
  readonly values: Float32Array;
  /** The prediction before all trees. */
  readonly base: number;
}

/** The bin of a value: 0 for NaN (unknown), which is below everything. */
export function binOf(edges: Float64Array, value: number): number {
  if (Number.isNaN(value)) return 0;
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (edges[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/**
 * The prediction of a row. Adds to `byColumn` what each column did on the way down: a child's mean minus its parent's
 * goes to the column that split; together they and the roots' values are the prediction without base.
 */
export function predict(forest: Forest, row: Float64Array, byColumn?: Float64Array): number {
  const { edges, roots, columns, bins, lefts, values } = forest;
  const binned = edges.map((bounds, column) => binOf(bounds, row[column] as number));
  let sum = forest.base;
  for (const root of roots) {
    let node = root;
    for (let column = columns[node] as number; column >= 0; column = columns[node] as number) {
      const isLeft = (binned[column] as number) <= (bins[node] as number);
      const child = (lefts[node] as number) + (isLeft ? 0 : 1);
      if (byColumn)
        byColumn[column] = (byColumn[column] as number) + (values[child] as number) - (values[node] as number);
      node = child;
    }
    sum += values[node] as number;
  }
  return sum;
}
