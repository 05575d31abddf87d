/**
 * The opinion of the market model: similar comps, each adjusted by the difference that one forest sees between subject
 * and comp. The forest never saw the comp, nor any sale of the subject, so no price answers for itself.
 */
import { weightOf } from '../local-opinion.ts';
import type { ValuationParameters } from '../valuation-parameters.ts';
import type { FitComp } from '../value-adjustments.ts';
import { type AdjustedComp, noAdjustments, type Opinion, settleOpinion } from '../value-opinion.ts';
import type { ValueComp } from '../value-types.ts';
import { type ModelCause, modelCauses, modelColumns } from './fold-view.ts';
import type { MarketModel, ModelSubject, Prediction, SeenSubject } from './market-model.ts';

interface ModelOpinion {
  readonly opinion: Opinion;
  /** ln h of the subject above the market's middle. */
  readonly remoteness: number;
}

/** For how many comps the model's own answer counts. */
const pooledCount = 5;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The subject's prediction less the comp's: as a whole, and by column. */
class Difference {
  logPrice = 0;
  readonly byColumn = new Float64Array(modelColumns.length);

  add(subject: Prediction, comp: Prediction, share: number): void {
    this.logPrice += (subject.logPrice - comp.logPrice) * share;
    for (const [column, ofSubject] of subject.byColumn.entries()) {
      const change = ofSubject - (comp.byColumn[column] as number);
      this.byColumn[column] = (this.byColumn[column] as number) + change * share;
    }
  }

  byCause(): Record<ModelCause, number> {
    const sums = Object.fromEntries(modelCauses.map((cause) => [cause, 0])) as Record<ModelCause, number>;
    for (const [column, { cause }] of modelColumns.entries()) sums[cause] += this.byColumn[column] as number;
    return sums;
  }
}

const asSubject = ({ propertyId, longitude, latitude, acres, date, use }: ValueComp): ModelSubject => ({
  propertyId,
  longitude,
  latitude,
  acres: acres as number,
  date,
  use,
});

function differenceTo(
  comp: ValueComp,
  model: MarketModel,
  seen: readonly SeenSubject[],
  parameters: ValuationParameters,
): Difference {
  const difference = new Difference();
  const row = model.rows.rowOf.get(comp.id);
  // a comp newer than the model was seen by no forest
  const seenComp = row === undefined ? model.see(asSubject(comp), parameters) : null;
  for (const [repeat, { predictions, cleanFolds }] of seen.entries()) {
    const folded = model.repeats[repeat] as (typeof model.repeats)[number];
    const isAnyClean = cleanFolds.length > 1;
    const folds = row === undefined || !isAnyClean ? cleanFolds : [folded.folds[row] as number];
    for (const fold of folds) {
      const theirs = seenComp?.[repeat]?.predictions[fold] ?? folded.predictRow(fold, row as number);
      difference.add(predictions[fold] as Prediction, theirs, 1 / (folds.length * seen.length));
    }
  }
  return difference;
}

function adjustByModel(fitComp: FitComp, difference: Difference, parameters: ValuationParameters): AdjustedComp {
  const byCause = difference.byCause();
  return {
    fitComp,
    weight: weightOf(fitComp, parameters),
    adjustments: { ...noAdjustments, ...byCause, time: byCause.time + fitComp.timeShift },
    isLimited: false,
    logAdjusted: fitComp.logPricePerAcre + fitComp.timeShift + difference.logPrice,
  };
}

/** Null: sales of the subject itself lie in several folds, so that no forest is clean of them. */
export function modelOpinion(
  subject: ModelSubject,
  similar: readonly FitComp[],
  model: MarketModel,
  parameters: ValuationParameters,
): ModelOpinion | null {
  const seen = model.see(subject, parameters);
  if (seen.some(({ cleanFolds }) => cleanFolds.length === 0)) return null;
  const logLevel = meanOf(
    seen.map(({ predictions, cleanFolds }) => meanOf(cleanFolds.map((fold) => predictions[fold]?.logPrice ?? 0))),
  );
  const adjusted = similar.map((fitComp) =>
    adjustByModel(fitComp, differenceTo(fitComp.comp, model, seen, parameters), parameters),
  );
  const logNear = meanOf((seen[0] as SeenSubject).predictions.map((prediction) => prediction.logNear));
  return {
    opinion: settleOpinion(adjusted, { logLevel, count: pooledCount }, parameters),
    remoteness: logNear - model.middleLogNear,
  };
}
