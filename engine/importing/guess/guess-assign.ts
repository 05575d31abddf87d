/**
 * Assigns each target at most one source and vice versa, with the largest sum of weights: the best overall assignment,
 * not a greedy one. The method of Kuhn and Munkres in the form of Jonker and Volgenant, O(n² m).
 */

/**
 * @param weights one row per target, one column per source; 0 or less: impossible
 * @returns for each target the index of its source, or null
 */
export function assignBest(weights: readonly (readonly number[])[]): (number | null)[] {
  const targets = weights.length;
  const sources = weights[0]?.length ?? 0;
  if (targets === 0 || sources === 0) return weights.map(() => null);
  // An extra column for each target without a source, so that rows never outnumber columns.
  const columns = sources + targets;
  const cost = (row: number, column: number): number =>
    column < sources ? -Math.max(weights[row]?.[column] ?? 0, 0) : 0;
  const sourceOf = matchRows(targets, columns, cost);
  return sourceOf.map((column, row) => (column < sources && (weights[row]?.[column] ?? 0) > 0 ? column : null));
}

/**
 * Minimizes the total cost; every row gets a column. Rows and columns count from 1, 0 is the row that looks for one.
 */
function matchRows(rows: number, columns: number, cost: (row: number, column: number) => number): number[] {
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const cameFrom = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row;
    let column = 0;
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isUsed = new Uint8Array(columns + 1);
    do {
      isUsed[column] = 1;
      column = nextColumn(column, { slack, isUsed, cameFrom, rowOf, rowPotential, columnPotential, cost });
    } while (rowOf[column] !== 0);
    for (let at = column; at !== 0; ) {
      const before = cameFrom[at] as number;
      rowOf[at] = rowOf[before] as number;
      at = before;
    }
  }
  const columnOf = new Array<number>(rows).fill(-1);
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column] as number;
    if (row > 0) columnOf[row - 1] = column - 1;
  }
  return columnOf;
}

interface Search {
  readonly slack: Float64Array;
  readonly isUsed: Uint8Array;
  readonly cameFrom: Int32Array;
  readonly rowOf: Int32Array;
  readonly rowPotential: Float64Array;
  readonly columnPotential: Float64Array;
  readonly cost: (row: number, column: number) => number;
}

/** One step of the shortest path: finds the nearest column and moves the potentials to make it tight. */
function nextColumn(column: number, search: Search): number {
  const { slack, isUsed, cameFrom, rowOf, rowPotential, columnPotential, cost } = search;
  const row = rowOf[column] as number;
  let delta = Number.POSITIVE_INFINITY;
  let nearest = 0;
  for (let other = 1; other < slack.length; other++) {
    if (isUsed[other]) continue;
    const reduced = cost(row - 1, other - 1) - (rowPotential[row] as number) - (columnPotential[other] as number);
    if (reduced < (slack[other] as number)) {
      slack[other] = reduced;
      cameFrom[other] = column;
    }
    if ((slack[other] as number) < delta) {
      delta = slack[other] as number;
      nearest = other;
    }
  }
  for (let other = 0; other < slack.length; other++) {
    if (isUsed[other]) {
      rowPotential[rowOf[other] as number] = (rowPotential[rowOf[other] as number] as number) + delta;
      columnPotential[other] = (columnPotential[other] as number) - delta;
    } else slack[other] = (slack[other] as number) - delta;
  }
  return nearest;
}
