/** The time index of a region's prices (docs/valuation.md, "Time index"), from residuals of dated comps after size and place. */
import type { ValuationParameters } from './valuation-parameters.ts';
import { fitRobustRidge, type RidgeProblem, residualsOf } from './value-ridge.ts';

/** A comp as seen from the subject. */
export interface SeenComp {
  readonly position: number;
  /** Kilometers. */
  readonly distance: number;
  readonly east: number;
  readonly north: number;
  /** ln(acres / subject's acres). */
  readonly relativeLogAcres: number;
  /** ln(price per acre). */
  readonly logPricePerAcre: number;
  /** Days since 1970-01-01, or NaN. */
  readonly date: number;
}

/**
 * ln of the price level on a day, relative to the mean of the data; a comp without date counts as of the value's day.
 */
type TimeIndex = (date: number) => number;

/** Per day with data: the number of comps, and the sum of their residuals. */
interface Day {
  readonly date: number;
  readonly count: number;
  readonly sum: number;
}

function residualsByDay(comps: readonly SeenComp[], scaleKilometers: number, parameters: ValuationParameters): Day[] {
  const { sizePrior, penalties, huber, maxResidual } = parameters.timeIndex;
  const features = new Float64Array(comps.length * 4);
  for (const [row, comp] of comps.entries()) {
    features[row * 4] = comp.relativeLogAcres;
    features[row * 4 + 1] = comp.relativeLogAcres ** 2;
    features[row * 4 + 2] = comp.east / scaleKilometers;
    features[row * 4 + 3] = comp.north / scaleKilometers;
  }
  const problem: RidgeProblem = {
    features,
    columnCount: 4,
    targets: Float64Array.from(comps, (comp) => comp.logPricePerAcre),
    weights: new Float64Array(comps.length).fill(1),
    priors: [sizePrior, 0, 0, 0],
    penalties,
  };
  const residuals = residualsOf(problem, fitRobustRidge(problem, huber, parameters.fit.huberPasses));
  const days = new Map<number, Day>();
  for (const [row, { date }] of comps.entries()) {
    const { count, sum } = days.get(date) ?? { count: 0, sum: 0 };
    const residual = Math.min(Math.max(residuals[row] as number, -maxResidual), maxResidual);
    days.set(date, { date, count: count + 1, sum: sum + residual });
  }
  return [...days.values()].sort((a, b) => a.date - b.date);
}

/**
 * From comps none of which is later than the value's date; null if too few are dated. I(t) = sum k e / (sum k +
 * shrinkage), k a normal kernel over days, cut off at `maxBandwidths`.
 */
export function buildTimeIndex(
  comps: readonly SeenComp[],
  scaleKilometers: number,
  parameters: ValuationParameters,
): TimeIndex | null {
  const { minDated, bandwidthDays, maxBandwidths, shrinkage } = parameters.timeIndex;
  const dated = comps.filter(({ date }) => !Number.isNaN(date));
  if (dated.length < minDated) return null;
  const days = residualsByDay(dated, scaleKilometers, parameters);
  // beyond the newest sale nothing is known of prices: the index stays, and sigma grows (staleness.ts)
  const newest = days.at(-1)?.date ?? Infinity;
  const known = new Map<number, number>();
  return (asked) => {
    const date = Math.min(asked, newest);
    const before = known.get(date);
    if (before !== undefined) return before;
    let weightSum = shrinkage;
    let sum = 0;
    for (const day of days) {
      const z = (day.date - date) / bandwidthDays;
      if (Math.abs(z) > maxBandwidths) continue;
      const kernel = Math.exp(-(z * z) / 2);
      weightSum += kernel * day.count;
      sum += kernel * day.sum;
    }
    known.set(date, sum / weightSum);
    return sum / weightSum;
  };
}
