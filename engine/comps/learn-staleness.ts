/** What a county's own sales tell of old comps: each is valued without the comps of the years before it. */
import { type OfferRisk, offerRisks } from '../spec/value-terms.ts';
import { type HeldOutSale, holdOut } from './backtest.ts';
import { errorParameters, marketErrorOf } from './market-error.ts';
import { offerAt } from './offers.ts';
import { daysPerYear, type LearntStaleness, staleParameters } from './staleness.ts';
import { type ValuationParameters, valuationParameters } from './valuation-parameters.ts';
import { medianOf } from './value-ridge.ts';
import type { ValueComp } from './value-types.ts';

interface GapError {
  /** ln(value / price). */
  readonly error: number;
  /** Without what time adds. */
  readonly sigma: number;
}

/** The variance with which the promised share of errors lies inside; 0 where it does without any. */
function lackingVariance(errors: readonly GapError[]): number {
  const lacking = errors.map(({ error, sigma }) => Math.max(0, error ** 2 - sigma ** 2)).sort((a, b) => a - b);
  return lacking[Math.ceil(errorParameters.insideShare * lacking.length) - 1] ?? 0;
}

function doOffersHold(errors: readonly GapError[], variance: number): boolean {
  const shareBelow = (risk: OfferRisk): number =>
    // the price is 1, so the value is e^error
    errors.filter(({ error, sigma }) => offerAt(Math.exp(error), Math.sqrt(sigma ** 2 + variance), risk) > 1).length /
    errors.length;
  return offerRisks.every((risk) => 100 * shareBelow(risk) <= risk + staleParameters.offerSlack);
}

const errorsOf = (held: readonly HeldOutSale[]) =>
  held.flatMap(({ sale, price, explanation }) => {
    if (explanation === null) return [];
    const error = Math.log(explanation.value.mean_adjusted_price / price);
    return [{ error, sigma: explanation.uncertainty.sigma, date: sale.date as number }];
  });

/**
 * From values of a county's sales without the comps of the years before each; by the comps alone, for models of every
 * gap would take hours, and both opinions lose touch alike. Null: too few sales.
 */
export function learnStaleness(
  sales: readonly ValueComp[],
  comps: readonly ValueComp[],
  minAgeDays: number,
  parameters: ValuationParameters = valuationParameters,
): LearntStaleness | null {
  const timeless: ValuationParameters = { ...parameters, staleness: { ...parameters.staleness, perYear: 0 } };
  const valued = (days: number) => errorsOf(holdOut(sales, comps, days, timeless));
  const usual = valued(minAgeDays);
  if (usual.length < staleParameters.minSales) return null;
  const { level, calibration } = marketErrorOf(usual);
  const usualVariance = medianOf(usual.map(({ sigma }) => (calibration * sigma) ** 2));
  const gaps = staleParameters.gapYears.map((years) => {
    const errors = valued(Math.round(years * daysPerYear)).map(({ error, sigma }) => ({
      error: error + level,
      sigma: sigma * calibration,
    }));
    // fewer comps may agree better; a value of old comps is still no surer than usual ones
    const surer = errors.length === 0 ? 0 : usualVariance - medianOf(errors.map(({ sigma }) => sigma ** 2));
    const variance = Math.max(lackingVariance(errors), surer);
    return { years, variance, count: errors.length, doOffersHold: doOffersHold(errors, variance) };
  });
  return { gaps };
}
