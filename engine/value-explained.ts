/** A comp value with everything it rests on, and how well such values did in its county. */
import { backtestSentence } from './comps/backtest.ts';
import type { CompValueExplanation } from './comps/value-types.ts';
import { countyBacktest } from './query/backtest-query.ts';
import { explainValue } from './query/value-query.ts';
import { EngineError } from './spec/errors.ts';
import type { LandStore } from './store/land-store.ts';

export { countyBacktest, withBacktests } from './query/backtest-query.ts';

export interface ExplainedValue {
  readonly explanation: CompValueExplanation;
  /** How values of this county did against its sales: "Tested on 132 sales here: half within 33 %, …". */
  readonly tested: string;
}

/** @throws EngineError not_found without the parcel or without comps */
export function explainedValue(land: LandStore, id: number, now: Date): ExplainedValue {
  const explanation = explainValue(land, id, now);
  const fips = land.file.get<{ fips: string }>('SELECT fips FROM parcels WHERE property_id = ?', id)?.fips;
  if (!explanation || explanation.value === null || fips === undefined)
    throw new EngineError('not_found', `Parcel ${id} has no comp value.`);
  return { explanation, tested: backtestSentence(countyBacktest(land, fips, now)) };
}
