/** What a market's backtest says about its values: their level, and how wide they err (docs/valuation.md, "Level"). */
import { effectiveCountOf } from './value-level.ts';
import { madScale, weightedMedianOf } from './value-ridge.ts';

/** A sale valued from earlier ones, before level and calibration. */
export interface ValueError {
  /** ln(value / price). */
  readonly error: number;
  readonly sigma: number;
  /** Days since 1970-01-01. */
  readonly date: number;
}

export interface MarketError {
  /** Added to ln(value). */
  readonly level: number;
  /** Factor of sigma. */
  readonly calibration: number;
  /** Sales that tell the level. */
  readonly saleCount: number;
}

export const noMarketError: MarketError = { level: 0, calibration: 1, saleCount: 0 };

export const errorParameters = {
  minSales: 15,
  halfLifeDays: 365,
  /** The level counts as far as it stands out of so many standard errors. */
  standardErrors: 2,
  /** The promised share of prices inside the range. */
  insideShare: 0.68,
  calibrationPrior: 60,
  /** A band narrower than its parts say must have been right in as many half-years of so many sales. */
  minHalfYears: 3,
  /** With fewer, so much of the narrowing (in logarithms) is believed. */
  unprovenShare: 0.5,
  halfYearDays: 365.25 / 2,
};

/** The standard error of a median is 1.253 times that of a mean (of a normal distribution). */
const medianScale = 1.253;

function levelOf(errors: readonly number[], weights: readonly number[]): number {
  // not its negative, which could be -0
  const level = 0 - weightedMedianOf(errors, weights);
  const deviation = weightedMedianOf(
    errors.map((error) => Math.abs(error + level)),
    weights,
  );
  const standardError = (medianScale * madScale * deviation) / Math.sqrt(effectiveCountOf(weights));
  const noise = (errorParameters.standardErrors * standardError) / Math.max(Math.abs(level), 1e-9);
  return level * Math.max(0, 1 - noise ** 2);
}

/** The least value with `share` of the weight up to it. */
function weightedQuantileOf(values: readonly number[], weights: readonly number[], share: number): number {
  const order = values.map((value, i) => ({ value, weight: weights[i] ?? 0 })).sort((a, b) => a.value - b.value);
  const wanted = share * order.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of order) {
    below += weight;
    if (below >= wanted) return value;
  }
  return Number.NaN;
}

/** ln of the 68 % quantile of errors in sigmas: 0 where sigma is right. */
function logWidthOf(standardised: readonly number[], weights: readonly number[]): number {
  return Math.log(Math.max(weightedQuantileOf(standardised, weights, errorParameters.insideShare), 1e-9));
}

/** The widths of half-years with enough sales, back from the newest. */
function logWidthsByHalfYear(errors: readonly ValueError[], standardised: readonly number[]): number[] {
  const newest = Math.max(...errors.map(({ date }) => date));
  const halves = new Map<number, number[]>();
  for (const [i, { date }] of errors.entries()) {
    const half = Math.floor((newest - date) / errorParameters.halfYearDays);
    halves.set(half, [...(halves.get(half) ?? []), standardised[i] as number]);
  }
  return [...halves.values()]
    .filter(({ length }) => length >= errorParameters.minSales)
    .map((values) =>
      logWidthOf(
        values,
        values.map(() => 1),
      ),
    );
}

/** The drift guard: a market that moves makes old errors look small, so a narrower band needs a steady record. */
function guardedLogWidth(logWidth: number, byHalfYear: readonly number[]): number {
  if (logWidth >= 0) return logWidth;
  if (byHalfYear.length < errorParameters.minHalfYears) return errorParameters.unprovenShare * logWidth;
  const mean = byHalfYear.reduce((sum, width) => sum + width, 0) / byHalfYear.length;
  return Math.min(0, mean);
}

/**
 * Of values without days: nothing is newer, so nothing tells a lean, and no market is seen moving. Fewer than 15 say
 * nothing.
 */
export function undatedErrorOf(errors: readonly Pick<ValueError, 'error' | 'sigma'>[]): MarketError {
  const { length: count } = errors;
  if (count < errorParameters.minSales) return noMarketError;
  const logWidth = logWidthOf(
    errors.map(({ error, sigma }) => Math.abs(error) / sigma),
    errors.map(() => 1),
  );
  const shrunk = logWidth * (count / (count + errorParameters.calibrationPrior));
  return { level: 0, calibration: Math.exp(shrunk), saleCount: count };
}

/** The newest errors count most. Fewer than 15 say nothing. */
export function marketErrorOf(errors: readonly ValueError[]): MarketError {
  if (errors.length < errorParameters.minSales) return noMarketError;
  const newest = Math.max(...errors.map(({ date }) => date));
  const weights = errors.map(({ date }) => 0.5 ** ((newest - date) / errorParameters.halfLifeDays));
  const level = levelOf(
    errors.map(({ error }) => error),
    weights,
  );
  const standardised = errors.map(({ error, sigma }) => Math.abs(error + level) / sigma);
  const logWidth = guardedLogWidth(logWidthOf(standardised, weights), logWidthsByHalfYear(errors, standardised));
  const count = effectiveCountOf(weights);
  return {
    level,
    calibration: Math.exp(logWidth * (count / (count + errorParameters.calibrationPrior))),
    saleCount: errors.length,
  };
}
