/** What an engine keeps up to date by itself, in worker processes: column indexes, and models of markets. */

import type { LandStore } from '../store/land-store.ts';
import { BackgroundRuns } from './background-runs.ts';
import type { ErrandRunner } from './errand-runner.ts';

interface Upkeep {
  readonly keepsIndexes?: boolean;
  readonly keepsMarkets?: boolean;
}

/** @returns what ends it */
export function beginUpkeep(
  land: LandStore,
  errands: ErrandRunner,
  { keepsIndexes = true, keepsMarkets = false }: Upkeep,
): () => void {
  const keepers: BackgroundRuns[] = [];
  const keep = (errand: 'index_stale' | 'keep_markets') => {
    const keeper = new BackgroundRuns(() => errands.begin(errand, {}));
    keepers.push(keeper);
    return keeper.wake;
  };
  if (keepsIndexes) land.onStaleIndex = keep('index_stale');
  if (keepsMarkets) {
    land.onStaleMarket = keep('keep_markets');
    // What a killed import left; a home without comps has no markets.
    if (land.file.column('SELECT 1 FROM comps LIMIT 1').length > 0) land.onStaleMarket();
  }
  return () => {
    for (const keeper of keepers) keeper.close();
  };
}
