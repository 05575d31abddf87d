/**
 * The statistics by which assessors judge values against sale prices: International Association of Assessing Officers,
 * Standard on Ratio Studies (April 2013), sections 5 and 9 and appendix B. Ratio = estimate / price.
 */
import { medianOf } from './value-ridge.ts';

export interface RatioPair {
  /** US dollars, both positive. */
  readonly estimate: number;
  readonly price: number;
}

export interface RatioStudy {
  readonly count: number;
  /** Level: 1 where half of the values are too high. The standard wants 0.90 to 1.10. */
  readonly medianRatio: number;
  readonly meanRatio: number;
  /** Sum of estimates / sum of prices. */
  readonly weightedMeanRatio: number;
  /** Coefficient of dispersion: mean absolute deviation from the median ratio, in percent of it. Vacant land: 5 to 25. */
  readonly cod: number;
  /** The same without ratios beyond 1.5 interquartile ranges outside the quartiles, from the median of the others. */
  readonly trimmedCod: number;
  /** Price-related differential: mean / weighted mean ratio. 0.98 to 1.03; above, dear land is valued low. */
  readonly prd: number;
  /** Coefficient of price-related bias: change of the ratio, in parts of the median, when value doubles. Within 0.05; null where all values are equal. */
  readonly prb: number | null;
  /** Median of |estimate - price| / price, in percent. */
  readonly medianAbsolutePercentError: number;
  /** Share, 0 to 1, of estimates within 20 % of the price. */
  readonly within20Share: number;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function codOf(ratios: readonly number[]): number {
  const median = medianOf(ratios);
  return (100 * meanOf(ratios.map((ratio) => Math.abs(ratio - median)))) / median;
}

/** Linear between the order statistics (as spreadsheets do). `sorted` is not empty. */
function quantileOf(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] as number;
  return below + (place % 1) * ((sorted[Math.ceil(place)] as number) - below);
}

function withoutOutliers(ratios: readonly number[]): number[] {
  const sorted = [...ratios].sort((a, b) => a - b);
  const first = quantileOf(sorted, 0.25);
  const third = quantileOf(sorted, 0.75);
  const reach = 1.5 * (third - first);
  return sorted.filter((ratio) => ratio >= first - reach && ratio <= third + reach);
}

/** Slope of (ratio - median) / median on log2 of value, value being half the price and half the estimate at the median. */
function priceRelatedBiasOf(pairs: readonly RatioPair[], medianRatio: number): number | null {
  const values = pairs.map(({ estimate, price }) => Math.log2((price + estimate / medianRatio) / 2));
  const changes = pairs.map(({ estimate, price }) => (estimate / price - medianRatio) / medianRatio);
  const meanValue = meanOf(values);
  const meanChange = meanOf(changes);
  let covariance = 0;
  let variance = 0;
  for (const [i, value] of values.entries()) {
    covariance += (value - meanValue) * ((changes[i] as number) - meanChange);
    variance += (value - meanValue) ** 2;
  }
  return variance > 0 ? covariance / variance : null;
}

/** Null without pairs. */
export function studyRatios(pairs: readonly RatioPair[]): RatioStudy | null {
  if (pairs.length === 0) return null;
  const ratios = pairs.map(({ estimate, price }) => estimate / price);
  const medianRatio = medianOf(ratios);
  const meanRatio = meanOf(ratios);
  const weightedMeanRatio = meanOf(pairs.map(({ estimate }) => estimate)) / meanOf(pairs.map(({ price }) => price));
  const errors = ratios.map((ratio) => Math.abs(ratio - 1));
  return {
    count: pairs.length,
    medianRatio,
    meanRatio,
    weightedMeanRatio,
    cod: codOf(ratios),
    trimmedCod: codOf(withoutOutliers(ratios)),
    prd: meanRatio / weightedMeanRatio,
    prb: priceRelatedBiasOf(pairs, medianRatio),
    medianAbsolutePercentError: 100 * medianOf(errors),
    within20Share: errors.filter((error) => error <= 0.2).length / errors.length,
  };
}
