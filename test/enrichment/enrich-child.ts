/** Enriches a home in a process of its own, for a parent that kills it in the middle. */

import { openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';

const [home = '', fips = '', file = ''] = process.argv.slice(2);
const engine = openEngine({ home });
const told = new Set<string>();
await enrich(engine.land, {
  kind: 'wetlands',
  file,
  fips,
  coverage: 'county',
  now: engine.now,
  threads: 2,
  onProgress: ({ phase }) => {
    if (told.has(phase)) return;
    told.add(phase);
    process.send?.(phase);
  },
});
engine.close();
process.disconnect?.();
