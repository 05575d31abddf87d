/**
 * What a priced call of the app has found is kept, so that it is seen again free. One function for both doors of the
 * app, and for jobs that call for it.
 */
import type { Engine } from '../engine.ts';
import type { MarketStats } from '../operations/get-market-stats.ts';
import { personOf, type SkipTraceInput, type SkipTraceResult } from '../operations/skip-trace-owner.ts';
import { getTracedOwner } from '../operations/skip-trace-property-owner.ts';
import { EngineError } from '../spec/errors.ts';
import { explainedValue } from '../value-explained.ts';
import { keepTrace, parcelSubject, personSubject } from './keep-traces.ts';
import { keepMarketNumbers } from './market-numbers.ts';
import { shownValue } from './shown-value.ts';
import { keepValue } from './stored-values.ts';

type Keeper = (engine: Engine, input: never, data: never) => void;

const keepers: Readonly<Record<string, Keeper>> = {
  get_property_ai_comp_value: (engine, { id }: { id: number }) => {
    const now = engine.now();
    const explained = shownValue(engine, id, explainedValue(engine.land, id, now));
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
 * @param input as the operation has taken it
 * @param data what it answered
 * @returns whether the outcome is kept now. False for operations whose outcome is not, and where a full disk, a locked
 *   file or an import in between kept it from being written: what was paid for is answered all the same
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
