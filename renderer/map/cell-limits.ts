/** Limits between the shades of the grid: quantiles of the visible cells, so that few and many differ anywhere. */
export function cellLimits(counts: readonly number[]): number[] {
  const sorted = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] as number;
  // Without matches, all cells look like the legend's "none".
  if (sorted.length === 0) return [1];
  const limits = [...new Set([0.2, 0.4, 0.6, 0.8].map(at))];
  return limits.filter((limit) => limit > (sorted[0] as number));
}
