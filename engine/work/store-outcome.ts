/**
 * Stores the outcome of the app's paid calls, so that viewing it again is free. One function for both interfaces of the
 * app, and for jobs that call on its behalf.
 */
import type { Engine } from '../engine.ts';
import type { MarketStats } from '../operations/get-market-stats.ts';
import { personOf, type SkipTraceInput, type SkipTraceResult } from '../operations/skip-trace-owner.ts';
import { getTracedOwner } from '../operations/skip-trace-property-owner.ts';
import { EngineError } from '../spec/errors.ts';
import { explainedValue } from '../value-explained.ts';
import { keepMarketNumbers } from './market-numbers.ts';
import { shownValue } from './shown-value.ts';
import { keepTrace, parcelSubject, personSubject } from './store-traces.ts';
import { keepValue } from './stored-values.ts';

type Keeper = (engine: Engine, input: never, data: never) => void;

const keepers: Readonly<Record<string, Keeper>> = {
  get_property_ai_comp_value: (engine, { id, as_of: asOf }: { id: number; as_of?: string }) => {
    const now = engine.now();
    const explained = shownValue(engine, id, explainedValue(engine.land, id, now, asOf));
    keepValue(engine.account, { property_id: id, valued_at: now.toISOString(), explained });
  },
  skip_trace_property_owner: (engine, { id }: { id: number }, result: SkipTraceResult) => {
    const asked = getTracedOwner(id, engine);
    keepTrace(engine.people, parcelSubject(id), { asked, result, traced_at: engine.now().toISOString() });
  },
  skip_trace_owner: (engine, input: SkipTraceInput, result: SkipTraceResult) => {
    const asked = personOf(input);
    keepTrace(engine.people, personSubject(input), { asked, result, traced_at: engine.now().toISOString() });
  },
  get_market_stats: (engine, _input: unknown, { fips, stats }: MarketStats) =>
    keepMarketNumbers(engine.account, { fips, stats, asked_at: engine.now().toISOString() }),
};

/**
 * @param input as the operation received it
 * @param data its answer
 * @returns whether the outcome is stored. False for operations without a stored outcome, and if a full disk, a locked
 * file or a concurrent import prevented it: the caller still gets the paid answer
 */
export function keepOutcome(engine: Engine, operation: string, input: unknown, data: unknown): boolean {
  const keep = keepers[operation];
  if (!keep) return false;
  try {
    keep(engine, input as never, data as never);
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}
