/** A comp value with its comps and adjustments, and the backtest of its county. */
import { type BacktestResult, backtestSentence } from './comps/backtest.ts';
import { offersOf } from './comps/offers.ts';
import { valueDay } from './comps/value-day.ts';
import type { CompValueExplanation, MarketPart, NoCompValue } from './comps/value-types.ts';
import { countyBacktest } from './query/backtest-query.ts';
import { type ByHand, explainByHand, explainValue, findSubject } from './query/value-query.ts';
import { EngineError } from './spec/errors.ts';
import type { Offer, TestDetail, ValueOpinions } from './spec/value-terms.ts';
import type { LandStore } from './store/land-store.ts';

export { countyBacktest, withBacktests } from './query/backtest-query.ts';
export { keepMarket } from './query/train-market.ts';
export type { ByHand as ExplainedByHand } from './query/value-query.ts';

export interface ToldValue {
  readonly explanation: CompValueExplanation;
  /** The backtest in words: "Tested on 132 sales here: half within 33 %, …". */
  readonly tested: string;
  /** `boosted`: by the comps and the model of their market; `local`: by the comps alone, while there is no model that fits. */
  readonly method: 'boosted' | 'local';
  /** ISO time of the model's training. */
  readonly modelTrainedAt: string | null;
  /** The land that is valued, as of the day of the value. */
  readonly subject: { readonly acres: number; readonly use: string | null; readonly date: number };
  readonly opinions: ValueOpinions | null;
  /** None: the newest comp is too old for one. */
  readonly offers: readonly Offer[];
  /** The backtest behind `tested`; null with too few sales. */
  readonly test: { readonly method: BacktestResult['method']; readonly detail: TestDetail } | null;
}

export interface ExplainedValue extends ToldValue {
  /** The same with comps pinned and struck by hand; null: none were. */
  readonly forced: (ByHand & ToldValue) | null;
}

const opinionsOf = (market: MarketPart): ValueOpinions => ({
  local: market.localPrice,
  model: market.modelPrice,
  share: market.share,
  comps: market.compCount,
  trained_at: market.trainedAt,
  is_tested: market.isTested,
  level: market.level,
  level_sales: market.levelSales,
});

/** @throws EngineError not_found without a value; validation_error for a comp that it cannot use */
function requireValue(id: number, explanation: CompValueExplanation | NoCompValue | null): CompValueExplanation {
  if (!explanation || explanation.value === null) throw new EngineError('not_found', `Parcel ${id} has no comp value.`);
  return explanation;
}

/** @throws EngineError not_found if there is no such parcel or it has no comps */
export function explainedValue(
  land: LandStore,
  id: number,
  now: Date,
  asOf?: string,
  byHand: ByHand = { pinned: [], struck: [] },
): ExplainedValue {
  const on = valueDay(asOf, now);
  const alone = requireValue(id, explainValue(land, id, on.time, on.isPast));
  const subject = findSubject(land, id, on);
  if (!subject?.fips) throw new EngineError('not_found', `Parcel ${id} has no comp value.`);
  const backtest = countyBacktest(land, subject.fips, now);
  const tell = (explanation: CompValueExplanation): ToldValue => {
    const { value, uncertainty, market } = explanation;
    return {
      explanation,
      tested: backtestSentence(backtest),
      test: backtest.detail && { method: backtest.method, detail: backtest.detail },
      subject: { acres: value.mean_adjusted_price / value.mean_adjusted_ppa, use: subject.use, date: subject.date },
      opinions: market && opinionsOf(market),
      offers: explanation.canOffer ? offersOf(value.mean_adjusted_price, uncertainty.sigma) : [],
      method: market ? 'boosted' : 'local',
      modelTrainedAt: market?.trainedAt ?? null,
    };
  };
  const isByHand = byHand.pinned.length + byHand.struck.length > 0;
  const forced = isByHand ? requireValue(id, explainByHand(land, id, byHand, on.time, on.isPast)) : null;
  return { ...tell(alone), forced: forced && { ...byHand, ...tell(forced) } };
}
