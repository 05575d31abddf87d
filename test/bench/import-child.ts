/**
 * Imports in a process of their own: tells time, rows, processor and peak memory to the bench.
 * `[--mapping FILE] HOME FIPS=FILE …`
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { openEngine } from '../../engine/engine.ts';
import { parseMapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { peakBytes } from '../support/peak-memory.ts';

const { values, positionals } = parseArgs({
  options: { mapping: { type: 'string' } },
  allowPositionals: true,
});
const [home = '', ...given] = positionals;
const { mapping: file } = values;
const mapping = file === undefined ? null : parseMapping(JSON.parse(fs.readFileSync(file, 'utf8')), file);

const engine = openEngine({ home, create: true });
const usedBefore = process.cpuUsage();
const began = performance.now();
let rows = 0;
let refused = 0;
for (const pair of given) {
  const [fips = '', from = ''] = pair.split('=');
  const report = await importParcels(engine.land, {
    files: [from],
    fips,
    homeKind: 'real',
    anywhere: true,
    source: 'bench',
    date: '2026-11-20',
    now: engine.now,
    ...(mapping ? { mapping } : {}),
  });
  rows += report.new;
  refused += report.refused.count + report.value_problems.count;
}
const seconds = (performance.now() - began) / 1000;
const used = process.cpuUsage(usedBefore);
engine.close();
process.send?.({
  seconds,
  rows,
  refused,
  cpuMicroseconds: used.user + used.system,
  peakBytes: peakBytes(),
});
