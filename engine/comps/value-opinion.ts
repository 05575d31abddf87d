/** An opinion of a value: comps adjusted to the subject, without outliers, drawn toward a model (docs/valuation.md, "Outliers and pooling"). */
import type { Pooled } from '../spec/value-terms.ts';
import type { ValuationParameters } from './valuation-parameters.ts';
import type { FitComp } from './value-adjustments.ts';
import { effectiveCountOf, type OutlierRule, outlierRuleOf, weightedMeanOf } from './value-level.ts';
import type { LeftOutComp, ValueAdjustments } from './value-types.ts';

/** A comp on its way to the value, with the adjustments that lead to `logAdjusted`. */
export interface AdjustedComp {
  readonly fitComp: FitComp;
  /** `w` of docs/valuation.md, "Similarity". */
  readonly weight: number;
  readonly adjustments: ValueAdjustments;
  readonly isLimited: boolean;
  /** z before pooling. */
  readonly logAdjusted: number;
}

export interface Opinion {
  /** Shares of the value; they sum to 1. Their `logAdjusted` and adjustments include pooling. */
  readonly comps: readonly AdjustedComp[];
  readonly outliers: readonly LeftOutComp[];
  /** Adjusted prices per acre beyond these are outliers. */
  readonly limits: { readonly low: number; readonly high: number } | null;
  /** ln(price per acre) of the subject. */
  readonly logLevel: number;
  readonly pooled: Pooled;
}

/** No adjustment at all. */
export const noAdjustments: ValueAdjustments = {
  size: 0,
  time: 0,
  place: 0,
  use: 0,
  neighbours: 0,
  ask: 0,
  attributes: 0,
  pooling: 0,
  level: 0,
};

/** ln(price per acre) by a model, and for how many comps it counts. */
interface PooledModel {
  readonly logLevel: number;
  readonly count: number;
}

/** Drops outliers, and moves the other comps together toward the model. */
export function settleOpinion(
  adjusted: readonly AdjustedComp[],
  model: PooledModel,
  parameters: ValuationParameters,
): Opinion {
  const rule = outlierRuleOf(
    adjusted.map(({ logAdjusted }) => logAdjusted),
    adjusted.map(({ weight }) => weight),
    parameters,
  );
  const isKept = ({ logAdjusted, fitComp }: AdjustedComp) =>
    rule === null || fitComp.comp.isPinned === true || (logAdjusted >= rule.low && logAdjusted <= rule.high);
  const kept = adjusted.filter(isKept);
  const weights = kept.map(({ weight }) => weight);
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = weightedMeanOf(
    kept.map(({ logAdjusted }) => logAdjusted),
    weights,
  );
  const weigh = effectiveCountOf(weights);
  const share = model.count / (model.count + weigh);
  const pooling = (model.logLevel - mean) * share;
  const outliers =
    rule === null
      ? []
      : adjusted.filter((comp) => !isKept(comp)).map((comp) => describeOutlier(comp, rule, weightSum, pooling));
  return {
    comps: kept.map((comp) => ({
      ...comp,
      weight: comp.weight / weightSum,
      adjustments: { ...comp.adjustments, pooling },
      logAdjusted: comp.logAdjusted + pooling,
    })),
    outliers,
    limits: rule && { low: Math.exp(rule.low + pooling), high: Math.exp(rule.high + pooling) },
    logLevel: mean + pooling,
    pooled: { comps: kept.length, weigh, own: Math.exp(mean), model: Math.exp(model.logLevel), share },
  };
}

function describeOutlier(
  { fitComp, weight, logAdjusted }: AdjustedComp,
  { middle, spread }: OutlierRule,
  weightSum: number,
  pooling: number,
): LeftOutComp {
  return {
    comp: fitComp.comp,
    reason: 'outlier',
    distanceKilometers: fitComp.distance,
    outlier: {
      spreads: Math.abs(logAdjusted - middle) / spread,
      adjustedPricePerAcre: Math.exp(logAdjusted + pooling),
      weight: weight / weightSum,
    },
  };
}
