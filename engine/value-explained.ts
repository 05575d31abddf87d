/** A comp value with everything it rests on, and how well such values did in its county. */
import { type BacktestResult, backtest, backtestSentence } from './comps/backtest.ts';
import type { CompValueExplanation } from './comps/value-types.ts';
import { countyComps, explainValue } from './query/value-query.ts';
import { EngineError } from './spec/errors.ts';
import type { LandStore } from './store/land-store.ts';

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
  return { explanation, tested: backtestSentence(backtestCounty(land, fips)) };
}

/** Enough newest sales for a steady median; older ones would only make it slow. */
const maxSales = 300;

/** Sales of a county valued from the sales before them, their own parcel hidden. It is about our own method, so it is free. */
export const backtestCounty = (land: LandStore, fips: string): BacktestResult =>
  backtest(
    countyComps(land, fips).filter(({ status }) => status === 'SOLD'),
    { maxSales },
  );
