/** A comp value with its comps and adjustments, and the backtest of its county. */
import { backtestSentence } from './comps/backtest.ts';
import type { CompValueExplanation } from './comps/value-types.ts';
import { countyBacktest } from './query/backtest-query.ts';
import { explainValue } from './query/value-query.ts';
import { EngineError } from './spec/errors.ts';
import type { LandStore } from './store/land-store.ts';

export { countyBacktest, withBacktests } from './query/backtest-query.ts';

export interface ExplainedValue {
  readonly explanation: CompValueExplanation;
  /** The backtest in words: "Tested on 132 sales here: half within 33 %, …". */
  readonly tested: string;
}

/** @throws EngineError not_found if there is no such parcel or it has no comps */
export function explainedValue(land: LandStore, id: number, now: Date): ExplainedValue {
  const explanation = explainValue(land, id, now);
  const fips = land.file.get<{ fips: string }>('SELECT fips FROM parcels WHERE property_id = ?', id)?.fips;
  if (!explanation || explanation.value === null || fips === undefined)
    throw new EngineError('not_found', `Parcel ${id} has no comp value.`);
  return { explanation, tested: backtestSentence(countyBacktest(land, fips, now)) };
}
