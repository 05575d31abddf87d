/** The comps' own opinion and the market model's become one value (docs/valuation.md, "Two opinions"). */
import type { Pooled } from '../spec/value-terms.ts';
import { type MarketError, noMarketError } from './market-error.ts';
import type { MarketModel } from './market-model/market-model.ts';
import { modelOpinion } from './market-model/model-opinion.ts';
import type { Staleness } from './staleness.ts';
import type { ValuationParameters } from './valuation-parameters.ts';
import type { FitComp } from './value-adjustments.ts';
import type { PlacedSubject } from './value-candidates.ts';
import { type AdjustedComp, noAdjustments, type Opinion } from './value-opinion.ts';
import type { AdjustmentCause, LeftOutComp, MarketPart, ValueAdjustments, ValueUncertainty } from './value-types.ts';

/** What is known of a market beyond its comps. */
export interface MarketSight {
  /** Null: too few comps for one. */
  readonly model: MarketModel | null;
  /** The errors of values by this method; null: not tested yet, so values have no level, and sigma is that of its parts. */
  readonly error: MarketError | null;
  /** ISO time of the training. */
  readonly trainedAt?: string;
  /** Missing: that of the parameters. */
  readonly staleness?: Staleness;
}

const blendParameters = {
  /** The comps that the model adjusts. */
  levelCount: 30,
  /** The model's share of the value; it fades to 0 while the remoteness goes from one end to the other. */
  share: 0.5,
  fade: [1.5, 3],
  /** Parts of sigma². */
  disagreement: 0.5,
  remoteness: 0.1,
  /** ln of how far beyond the comps' sizes a narrower width is no longer believed: it was proven among them. */
  beyond: 0.7,
} as const;

interface Blended {
  readonly comps: readonly AdjustedComp[];
  readonly outliers: readonly LeftOutComp[];
  readonly levelCount: number;
  readonly widen: (alone: ValueUncertainty) => ValueUncertainty;
  readonly described: MarketPart;
  readonly pooled: Pooled | null;
}

/** 0 if the remoteness is not known. */
function shareAt(remoteness: number): number {
  const [from, to] = blendParameters.fade;
  if (Number.isNaN(remoteness)) return 0;
  return blendParameters.share * Math.min(Math.max((to - remoteness) / (to - from), 0), 1);
}

/** ln of how much larger or smaller the subject is than any comp; 0 within their sizes. */
function beyondSizes(comps: readonly AdjustedComp[]): number {
  const sizes = comps.map(({ fitComp }) => fitComp.relativeLogAcres);
  return Math.max(0, -Math.max(...sizes), Math.min(...sizes));
}

/** The market's width for a subject beyond the comps' sizes: narrower than sigma's parts only as far as it was proven. */
function calibrationAt(calibration: number, beyond: number): number {
  const believed = Math.max(0, 1 - beyond / blendParameters.beyond);
  return calibration < 1 ? calibration ** believed : calibration;
}

const causes = Object.keys(noAdjustments) as AdjustmentCause[];

/** The weighted mean of a comp's rows in several opinions; `weight` is their sum. */
function mergeRows(rows: readonly AdjustedComp[], level: number): AdjustedComp {
  const [first] = rows as readonly [AdjustedComp];
  const weight = rows.reduce((sum, row) => sum + row.weight, 0);
  const mean = (read: (row: AdjustedComp) => number) =>
    rows.reduce((sum, row) => sum + row.weight * read(row), 0) / weight;
  const adjustments = Object.fromEntries(
    causes.map((cause) => [cause, mean((row) => row.adjustments[cause])]),
  ) as unknown as ValueAdjustments;
  return {
    fitComp: first.fitComp,
    weight,
    adjustments: { ...adjustments, level },
    isLimited: rows.some(({ isLimited }) => isLimited),
    logAdjusted: mean(({ logAdjusted }) => logAdjusted) + level,
  };
}

const scaled = (opinion: Opinion, share: number): AdjustedComp[] =>
  share === 0 ? [] : opinion.comps.map((comp) => ({ ...comp, weight: comp.weight * share }));

function blendRows(local: Opinion, model: Opinion | null, share: number, level: number): AdjustedComp[] {
  const rows = new Map<string, AdjustedComp[]>();
  for (const comp of [...scaled(local, 1 - share), ...(model ? scaled(model, share) : [])]) {
    const { id } = comp.fitComp.comp;
    rows.set(id, [...(rows.get(id) ?? []), comp]);
  }
  return [...rows.values()].map((ofComp) => mergeRows(ofComp, level));
}

/** Outliers of either opinion that the other does not use. */
function outliersOf(opinions: readonly Opinion[], used: readonly AdjustedComp[]): LeftOutComp[] {
  const seen = new Set(used.map(({ fitComp }) => fitComp.comp.id));
  return opinions.flatMap(({ outliers }) =>
    outliers.filter(({ comp }) => {
      const isNew = !seen.has(comp.id);
      seen.add(comp.id);
      return isNew;
    }),
  );
}

/** @param similar Most similar first. */
export function blendOpinions(
  subject: PlacedSubject,
  similar: readonly FitComp[],
  local: Opinion,
  { model, error: tested, trainedAt }: MarketSight,
  parameters: ValuationParameters,
): Blended | null {
  if (model === null) return null;
  const error = tested ?? noMarketError;
  const told = modelOpinion(subject, similar.slice(0, blendParameters.levelCount), model, parameters);
  const share = told ? shareAt(told.remoteness) : 0;
  const byModel = share > 0 ? (told?.opinion ?? null) : null;
  const comps = blendRows(local, byModel, share, error.level);
  const disagreement = told ? blendParameters.disagreement * (local.logLevel - told.opinion.logLevel) ** 2 : 0;
  const remoteness = told ? (blendParameters.remoteness * Math.max(0, told.remoteness || 0)) ** 2 : 0;
  const calibration = calibrationAt(error.calibration, beyondSizes(comps));
  const priceOf = (logLevel: number) => Math.exp(logLevel) * subject.acres;
  return {
    comps,
    outliers: outliersOf(byModel ? [local, byModel] : [local], comps),
    levelCount: byModel ? blendParameters.levelCount : parameters.levelCount,
    widen: (alone) => ({
      ...alone,
      disagreement,
      remoteness,
      calibration,
      sigma: calibration * Math.sqrt(alone.sigma ** 2 + disagreement + remoteness),
    }),
    pooled: byModel?.pooled ?? null,
    described: {
      trainedAt: trainedAt ?? null,
      compCount: model.rows.count,
      localPrice: priceOf(local.logLevel),
      modelPrice: priceOf((told?.opinion ?? local).logLevel),
      share,
      level: Math.exp(error.level),
      levelSales: error.saleCount,
      isTested: tested !== null,
    },
  };
}
