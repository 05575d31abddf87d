/** Bins of a column: one per distinct value if they fit, else of about the same number of rows. */

export function edgesOf(values: Float64Array, maxBins: number): Float64Array {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const distinct: number[] = [];
  const counts: number[] = [];
  for (const value of sorted) {
    if (value === distinct.at(-1)) counts.push((counts.pop() ?? 0) + 1);
    else {
      distinct.push(value);
      counts.push(1);
    }
  }
  const rowsPerBin = distinct.length < maxBins ? 0 : sorted.length / (maxBins - 1);
  const edges: number[] = [];
  let rows = 0;
  let next = rowsPerBin;
  for (let i = 0; i + 1 < distinct.length && edges.length < maxBins - 2; i++) {
    rows += counts[i] as number;
    if (rows < next) continue;
    edges.push(((distinct[i] as number) + (distinct[i + 1] as number)) / 2);
    next = Math.max(rows, next) + rowsPerBin;
  }
  return Float64Array.from(edges);
}
