/**
 * The synthetic sample county: databases that ship packed in data/sample (`npm run sample` makes them), unpacked into a home
 * of their own. All of it is invented, and it never mixes with real data.
 */
import fs from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { refuseInUse } from './backup/in-use.ts';
import type { Engine } from './engine.ts';
import type { ImportReport } from './importing/merge/import-parcels.ts';
import { packageRoot } from './package-root.ts';
import { entryKind } from './plain-file.ts';
import { expectKind } from './store/home-kind.ts';
import { hasImagery } from './store/imagery-store.ts';
import { placeFile, type SqliteFile } from './store/sqlite.ts';
import { openSampleHeights } from './terrain/sample-heights.ts';
import { keepHeights } from './terrain/store-heights.ts';

/** Files of a home, as paths below it. The land comes last: without it, a start begins again. */
export const sampleFiles = ['people.sqlite', 'undo/import-1.sqlite', 'land.sqlite'] as const;

const folder = path.join(packageRoot, 'data', 'sample');

/** Where a file of a home lies packed. */
export const packedSample = (name: string): string => path.join(folder, `${path.basename(name)}.br`);

const unpacked = (name: string): Buffer => brotliDecompressSync(fs.readFileSync(packedSample(name)));

/** Unpacks the sample into a home without land. A file that is there stays. @throws EngineError disk_full and others */
export function placeSample(home: string): void {
  if (entryKind(path.join(home, 'land.sqlite')) !== null) return;
  for (const name of sampleFiles) placeFile(path.join(home, name), unpacked(name));
}

/**
 * Closes the engine of a home without parcels and removes its empty land and contacts, so that the sample can be placed.
 * @throws EngineError sample_and_real if it holds anything but the sample; file_locked if another program has it open
 */
export function clearForSample(engine: Engine): void {
  const { home, land, people } = engine;
  const holds = (file: SqliteFile, table: string) => file.get(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined;
  const isOwn = land.kind === null && ['parcels', 'comps', 'layers'].some((table) => holds(land.file, table));
  const kind = isOwn ? 'real' : land.kind;
  const empty = ['contacts', 'opt_outs', 'stored_traces'].some((table) => holds(people.file, table))
    ? []
    : ['people.sqlite'];
  engine.close();
  expectKind('home', kind, 'sample');
  const files = [...empty, 'land.sqlite'].map((name) => path.join(home, name));
  for (const file of files) refuseInUse(file);
  for (const file of files) fs.rmSync(file);
}

/** What the import said that made it. */
export const sampleReport = ({ land }: Engine): ImportReport =>
  JSON.parse(land.file.get<{ report: string }>('SELECT report FROM datasets LIMIT 1')?.report ?? '{}');

/** The photo of the air, as paths below a home. The list comes last, with the times of its files. */
export const sampleAir = ['imagery/sample-county.tif', 'imagery/sample-town.tif', 'imagery.sqlite'] as const;
export const airTime = new Date('2026-11-02T00:00:00Z');

/** Adds the heights of the ground and the photo of the air to a home of the sample that has none: what only windows show. */
export async function keepSampleGround({ home, land }: Engine): Promise<void> {
  // Also where the user took the photo off the map, its list stays.
  if (!hasImagery(home))
    for (const name of sampleAir) {
      placeFile(path.join(home, name), unpacked(name));
      fs.utimesSync(path.join(home, name), airTime, airTime);
    }
  if (land.terrain !== null) return;
  await keepHeights(home, openSampleHeights(), {
    ...{ fips: '99001', box: wholeEarth, content: 'sample', attribution: '' },
    onTile: () => {},
  });
}

const wholeEarth = { minX: -180, minY: -90, maxX: 180, maxY: 90 };
