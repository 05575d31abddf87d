/**
 * Homes for all tests: one with the synthetic sample county, and, where ../shared/data is present, one with two real
 * counties. They are kept below node_modules/.cache/platbook until what they follow from changes; each run works on a
 * copy, and tests that write on a copy of that (`copyOfHome`).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeBundle } from '../../engine/bin/bundle.mjs';
import { openEngine } from '../../engine/engine.ts';
import { listLayers } from '../../engine/enrichment/list-layers.ts';
import { unenrich } from '../../engine/enrichment/unenrich.ts';
import { loadMapping } from '../../engine/importing/mapping/mapping.ts';
import { importParcels } from '../../engine/importing/merge/import-parcels.ts';
import { placeSample } from '../../engine/sample-county.ts';
import { compiledFolder, keptFolder } from './kept-folder.ts';
import { skipsVariable } from './require.ts';
import { sharedData } from './shared-data.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    sampleHome: string;
    /** Empty where ../shared/data is absent. */
    realHome: string;
    /** The engine's code in few files. */
    bundle: string;
  }
}

/** Inputs of the homes, besides the real files, which never change. */
const sources = [
  'data',
  'package-lock.json',
  'test/support/global-setup.ts',
  'engine/engine.ts',
  'engine/sample-county.ts',
  'engine/columns',
  'engine/comps',
  'engine/contacts',
  'engine/enrichment',
  'engine/geo',
  'engine/importing',
  'engine/spec',
  'engine/store',
];

function buildSampleHome(home: string): void {
  placeSample(home);
  const engine = openEngine({ home, keepsIndexes: false });
  // Without its layers: most tests of the map compare colors, which relief changes; test/ui/map-ground.test.ts has the ground.
  for (const { layer_id } of listLayers(engine.land)) unenrich(engine.land, layer_id);
  // The first layer of a test has the first number.
  engine.land.file.exec("DELETE FROM sqlite_sequence WHERE name = 'layers'; VACUUM");
  engine.close();
}

async function buildRealHome(home: string, data: string): Promise<void> {
  const engine = openEngine({ home, create: true });
  const options = { homeKind: 'real' as const, now: engine.now };
  await importParcels(engine.land, {
    ...options,
    files: [path.join(data, 'washington_nh', 'parcels.geojson')],
    fips: '33019',
    mapping: loadMapping('washington_nh'),
    joinFiles: [path.join(data, 'washington_nh', 'assessor_2026-07.dbf')],
  });
  await importParcels(engine.land, {
    ...options,
    files: [path.join(data, 'three_forks_mt', 'parcels.geojson')],
    fips: '30031',
    mapping: loadMapping('three_forks_mt'),
  });
  engine.close();
}

/** One line for each thing that is missing here. */
function printSkips(file: string): void {
  const counts = new Map<string, number>();
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const { name, why } = JSON.parse(line) as { name: string; why: string };
    const words = why.includes('../shared/data') ? why : `${name}: ${why}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  for (const [words, count] of counts) console.log(`SKIPPED in ${count} place${count === 1 ? '' : 's'}: ${words}`);
}

export default async function setup(project: TestProject): Promise<() => void> {
  const data = sharedData();
  const kept = await keptFolder(`homes${data ? '-real' : ''}`, sources, async (folder) => {
    buildSampleHome(path.join(folder, 'sample'));
    if (data) await buildRealHome(path.join(folder, 'real'), data);
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-test-'));
  fs.cpSync(kept, folder, { recursive: true });
  project.provide('bundle', await makeBundle());
  // Node keeps what it has compiled for the next process.
  process.env.NODE_COMPILE_CACHE ??= compiledFolder;
  project.provide('sampleHome', path.join(folder, 'sample'));
  project.provide('realHome', data ? path.join(folder, 'real') : '');
  const skips = path.join(folder, 'skips');
  fs.writeFileSync(skips, '');
  process.env[skipsVariable] = skips;
  const shared = ['sample', ...(data ? ['real'] : [])].map((name) => path.join(folder, name));
  const changed = () => shared.map((home) => fs.statSync(home).mtimeMs).join();
  const before = changed();
  return () => {
    printSkips(skips);
    const after = changed();
    fs.rmSync(folder, { recursive: true, force: true });
    // An open engine makes files beside the database, which another test's copy may find and lose.
    if (after !== before)
      throw new Error('A test has opened a shared home: open a copy of it (test/support/homes.ts).');
  };
}
