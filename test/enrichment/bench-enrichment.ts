/**
 * How long layers take over a generated county: `node test/enrichment/bench-enrichment.ts [parcels] [features] [threads]
 * [kind …]`. Each kind in one line: seconds in all, and of reading, computing and writing. The promise is 60 s for 100,000
 * parcels and 100,000 features on two cores.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEngine } from '../../engine/engine.ts';
import { enrich } from '../../engine/enrichment/enrich.ts';
import type { LayerKind } from '../../engine/enrichment/layer-kinds.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import {
  generatedBuildings,
  generatedDistricts,
  generatedLots,
  generatedRoads,
  generatedWetlands,
  lotGrid,
  writeLines,
} from './generated-layers.ts';

const [parcels = '100000', features = '100000', threads = '2', ...kinds] = process.argv.slice(2);
const fips = '20155';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-bench-'));
const county = lotGrid(Number(parcels));
const count = Number(features);
const layers = {
  wetlands: () => generatedWetlands(county, count, 2),
  flood: () => generatedWetlands(county, count, 3),
  buildings: () => generatedBuildings(county, count, 4),
  roads: () => generatedRoads(county, count, 5),
  schools: () => generatedDistricts(county, count),
  zips: () => generatedDistricts(county, count),
};

try {
  const lots = path.join(folder, 'county.geojsonl');
  writeLines(lots, generatedLots(county, 1));
  const engine = openEngine({ home: path.join(folder, 'home'), create: true });
  await importParcels(engine.land, {
    files: [lots],
    fips,
    source: 'generated',
    date: '2026-01-01',
    homeKind: 'real',
    now: engine.now,
  });
  console.log(`${parcels} parcels, ${features} features, ${threads} threads, load ${os.loadavg()[0]?.toFixed(1)}`);
  for (const [kind, generate] of Object.entries(layers)) {
    if (kinds.length > 0 && !kinds.includes(kind)) continue;
    const file = path.join(folder, `${kind}.geojsonl`);
    writeLines(file, generate());
    const seconds: Record<string, number> = {};
    let mark = performance.now();
    const report = await enrich(engine.land, {
      kind: kind as LayerKind,
      file,
      fips,
      coverage: 'county',
      now: engine.now,
      threads: Number(threads),
      onProgress: ({ phase }) => {
        seconds[phase] = (seconds[phase] ?? 0) + (performance.now() - mark) / 1000;
        mark = performance.now();
      },
    });
    const parts = Object.entries(seconds).map(([phase, taken]) => `${phase} ${taken.toFixed(1)}`);
    const memory = (process.memoryUsage().rss / 2 ** 20).toFixed(0);
    console.log(`${kind}: ${report.seconds.toFixed(1)} s (${parts.join(', ')}), ${memory} MB resident`);
    fs.rmSync(file);
  }
  engine.close();
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
