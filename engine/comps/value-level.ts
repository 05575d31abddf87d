/** Reduces adjusted comps to one number: outliers, means, spread (docs/valuation.md, "Outliers and pooling"). */
import type { ValuationParameters } from './valuation-parameters.ts';
import { madScale, medianOf, weightedMedianOf } from './value-ridge.ts';

/** sum w x / sum w. */
export function weightedMeanOf(values: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  let weightSum = 0;
  for (const [i, value] of values.entries()) {
    sum += (weights[i] ?? 0) * value;
    weightSum += weights[i] ?? 0;
  }
  return sum / weightSum;
}

/** The number of equally weighted comps with the same total information: (sum w)² / sum w². */
export function effectiveCountOf(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
}

/** Outliers lie beyond `outlierSpreads` times `spread` on either side of `middle`. */
export interface OutlierRule {
  readonly middle: number;
  readonly spread: number;
  readonly low: number;
  readonly high: number;
}

/** The weighted median and the robust spread around it; null with too few values to detect outliers. */
export function outlierRuleOf(
  values: readonly number[],
  weights: readonly number[],
  parameters: ValuationParameters,
): OutlierRule | null {
  if (values.length < parameters.minCompsForOutliers) return null;
  const middle = weightedMedianOf(values, weights);
  const deviation = medianOf(values.map((value) => Math.abs(value - middle)));
  const spread = Math.max(parameters.minOutlierSpread, madScale * deviation);
  const limit = parameters.outlierSpreads * spread;
  return { middle, spread, low: middle - limit, high: middle + limit };
}

/** 100 times the Gini coefficient of positive numbers, unweighted; 0 for a single one. Scale-free. */
export function giniOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  let sum = 0;
  let ranked = 0;
  for (const [i, value] of sorted.entries()) {
    sum += value;
    ranked += (2 * (i + 1) - count - 1) * value;
  }
  // rounding may leave equal numbers slightly below zero
  return Math.max((100 * ranked) / (count * sum), 0);
}

/** S~²: the variance of the adjusted comps around their mean, shrunk toward the usual one of land sales. */
export function shrunkVarianceOf(
  values: readonly number[],
  weights: readonly number[],
  parameters: ValuationParameters,
): number {
  const { priorCount, priorSpread } = parameters.uncertainty;
  const effectiveCount = effectiveCountOf(weights);
  const mean = weightedMeanOf(values, weights);
  const variance = weightedMeanOf(
    values.map((value) => (value - mean) ** 2),
    weights,
  );
  const corrected = (variance * effectiveCount) / Math.max(effectiveCount - 1, 0.5);
  return (priorCount * priorSpread ** 2 + (effectiveCount - 1) * corrected) / (priorCount + effectiveCount - 1);
}
