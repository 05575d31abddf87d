/** One import in a process of its own: tells its time and its peak memory to the bench. */
import { openEngine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/import-parcels.ts';

const [home = '', file = '', fips = ''] = process.argv.slice(2);
const engine = openEngine({ home });
const began = performance.now();
const report = await importParcels(engine.land, {
  files: [file],
  fips,
  homeKind: 'real',
  source: 'bench',
  date: '2026-11-20',
  now: engine.now,
});
const seconds = (performance.now() - began) / 1000;
engine.close();
process.send?.({ seconds, rows: report.new, megabytes: process.resourceUsage().maxRSS / 1024 });
