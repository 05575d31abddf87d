/** Imports in a process of their own: tells time, rows and peak memory to the bench. */
import { openEngine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/import-parcels.ts';

const [home = '', ...given] = process.argv.slice(2);
const engine = openEngine({ home });
const began = performance.now();
let rows = 0;
let refused = 0;
for (const pair of given) {
  const [fips = '', file = ''] = pair.split('=');
  const report = await importParcels(engine.land, {
    files: [file],
    fips,
    homeKind: 'real',
    source: 'bench',
    date: '2026-11-20',
    now: engine.now,
  });
  rows += report.new;
  refused += report.refused.count + report.value_problems.count;
}
const seconds = (performance.now() - began) / 1000;
engine.close();
process.send?.({ seconds, rows, refused, peakBytes: process.resourceUsage().maxRSS * 1024 });
