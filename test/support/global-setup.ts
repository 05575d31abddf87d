/**
 * Built once for all tests: a home with the synthetic sample county, and, where ../shared/data is present, one with two
 * real counties. Tests that write work on a copy (`copyOfHome`).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openEngine } from '../../engine/engine.ts';
import { importParcels } from '../../engine/importing/import-parcels.ts';
import { loadMapping } from '../../engine/importing/mapping.ts';
import { loadSampleCounty } from '../../engine/sample-county.ts';
import { sharedData } from './shared-data.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    sampleHome: string;
    /** Empty where ../shared/data is absent. */
    realHome: string;
  }
}

async function buildRealHome(home: string, data: string): Promise<void> {
  const engine = openEngine({ home });
  const options = { homeKind: 'real' as const, now: engine.now };
  await importParcels(engine.land, {
    ...options,
    files: [path.join(data, 'washington_nh', 'parcels.geojson')],
    fips: '33019',
    mapping: loadMapping('washington_nh'),
    joinFile: path.join(data, 'washington_nh', 'assessor_2026-07.dbf'),
  });
  await importParcels(engine.land, {
    ...options,
    files: [path.join(data, 'three_forks_mt', 'parcels.geojson')],
    fips: '30031',
    mapping: loadMapping('three_forks_mt'),
  });
  engine.close();
}

export default async function setup(project: TestProject): Promise<() => void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-test-'));
  const sampleHome = path.join(folder, 'sample');
  const engine = openEngine({ home: sampleHome });
  await loadSampleCounty(engine);
  engine.close();
  const data = sharedData();
  const realHome = data ? path.join(folder, 'real') : '';
  if (data) await buildRealHome(realHome, data);
  project.provide('sampleHome', sampleHome);
  project.provide('realHome', realHome);
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
