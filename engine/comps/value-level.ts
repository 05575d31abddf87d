/** From adjusted comps to one number: outliers, means, spread (docs/valuation.md, "Outliers and pooling"). */
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

/** How many comps of equal weight would weigh like these: (sum w)² / sum w² (L. Kish, 1965). */
export function effectiveCountOf(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
}

/** Where outliers begin: `outlierSpreads` times `spread` to either side of `middle`. */
export interface OutlierRule {
  readonly middle: number;
  readonly spread: number;
  readonly low: number;
  readonly high: number;
}

/** The weighted median and the robust spread about it; null where there are too few values to tell outliers. */
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

/** 100 times the Gini coefficient of positive numbers, not weighted; 0 for one. Scale-free. */
export function giniOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  let sum = 0;
  let ranked = 0;
  for (const [i, value] of sorted.entries()) {
    sum += value;
    ranked += (2 * (i + 1) - count - 1) * value;
  }
  // rounding may leave equal numbers a hair below zero
  return Math.max((100 * ranked) / (count * sum), 0);
}

/** S~²: the variance of the adjusted comps about their mean, drawn toward what land sales show in general. */
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
