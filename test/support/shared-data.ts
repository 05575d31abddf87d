/** Real county files outside the project: public records with private people's names, so never copied into it. */
import fs from 'node:fs';
import path from 'node:path';
import { noteSkip } from './require.ts';

/** The folder ../shared/data; null where it is absent. */
export function sharedData(): string | null {
  const folder = path.resolve(import.meta.dirname, '..', '..', '..', 'shared', 'data');
  return fs.existsSync(path.join(folder, 'washington_nh', 'parcels.geojson')) ? folder : null;
}

/**
 * Whether to run a test on real counties. Unlike a missing program, their absence never fails: only the founders'
 * machines have them.
 */
export function realDataOrSkip(name: string): boolean {
  if (sharedData()) return true;
  noteSkip(name, '../shared/data (real county files) is not present');
  return false;
}
