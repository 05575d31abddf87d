/** A new window of the sample begins with the search that `npm start` has paid for, over its largest town. */
import { sampleSearch, sampleView } from '../../engine/spec/sample-search.ts';
import type { EngineClient } from '../client/engine-client.ts';
import { mapMemory } from '../map/map-state.ts';
import { explore, keepPaid } from './explore-state.ts';
import { isSameFilter } from './filter-body.ts';

/** Without an answer the window begins with the filter alone. */
export function beginWithSearch(client: EngineClient, { at, tokens }: { at: string; tokens: number }): void {
  const { homeKey } = explore.get();
  mapMemory.set({ homeKey, center: sampleView.center, zoom: sampleView.zoom });
  client
    .read('count_properties', { filter: sampleSearch })
    .then(({ count }) => {
      if (explore.get().homeKey !== homeKey) return;
      const search = { filter: sampleSearch, count, at, tokens };
      keepPaid(search);
      if (isSameFilter(explore.get().filter, sampleSearch)) explore.set({ search });
    })
    .catch(() => {});
}
