/** Homes for tests: the ones of global-setup.ts, and copies to write on. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { type Engine, type EngineOptions, openEngine } from '../../engine/engine.ts';
import type { TwinParcel } from './filter-twin.ts';

export const sampleHome = (): string => inject('sampleHome');

/** Null where ../shared/data is absent. */
export const realHome = (): string | null => inject('realHome') || null;

/** A new empty folder, removed when the test is over. */
export function emptyHome(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-home-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Node gives copied folders rights for all, which opening the home would say. */
function copyInto(home: string, folder: string): void {
  fs.cpSync(home, folder, { recursive: true });
  fs.chmodSync(folder, 0o700);
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o700);
}

export function copyOfHome(home: string): string {
  const folder = emptyHome();
  copyInto(home, folder);
  return folder;
}

/** An engine on a copy of a home, closed when the test is over. */
export function engineOn(home: string, options: Partial<EngineOptions> = {}): Engine {
  const engine = openEngine({ home: copyOfHome(home), keepsIndexes: false, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

/** For a whole test file, which must `removeHome` it: hooks are no tests, so nothing is cleaned up by itself. */
export function openHomeCopy(home: string, options: Partial<EngineOptions> = {}): Engine {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-home-'));
  copyInto(home, folder);
  return openEngine({ home: folder, keepsIndexes: false, ...options });
}

export function removeHome(engine: Engine): void {
  engine.close();
  fs.rmSync(engine.home, { recursive: true, force: true });
}

/** Every parcel as a plain row, with the date of its dataset. */
export const plainParcels = (engine: Engine): TwinParcel[] =>
  engine.land.file.all<TwinParcel>(
    'SELECT p.*, d.source_date FROM parcels p LEFT JOIN datasets d USING (dataset_id) ORDER BY property_id',
  );
