/** Makes and keeps the column index of a county in the land file. */
import {
  finishColumnIndex,
  isStillBuilding,
  listStaleCounties,
  markBuilding,
  writeColumnIndex,
} from '../store/column-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { buildCounty } from './build-county.ts';
import { type CountyDirectory, directoryFormat } from './county-directory.ts';
import type { KeepSegment } from './county-segments.ts';
import { countySource } from './county-source.ts';

interface BuiltCounty {
  readonly directory: CountyDirectory;
  readonly segments: ReadonlyMap<string, Uint8Array>;
}

const build = (file: SqliteFile, fips: string, keep: KeepSegment, beforeRead?: () => void): CountyDirectory =>
  // Parcels without a county are kept under no code.
  buildCounty(countySource(file, fips === '' ? null : fips, beforeRead), keep);

/** To be called within a snapshot or a transaction. @param onStep called between two steps; what it throws ends the build */
export function buildFrom(file: SqliteFile, fips: string, onStep: () => void = () => {}): BuiltCounty {
  const segments = new Map<string, Uint8Array>();
  const keep: KeepSegment = (name, bytes) => {
    onStep();
    segments.set(name, bytes);
  };
  return { directory: build(file, fips, keep, onStep), segments };
}

const kept = (directory: CountyDirectory) => ({ format: directory.format, directory: JSON.stringify(directory) });

function write(file: SqliteFile, fips: string, { directory, segments }: BuiltCounty): void {
  writeColumnIndex(file, fips, (keep) => {
    for (const [name, bytes] of segments) keep(name, bytes);
    return kept(directory);
  });
}

/** Indexes a county anew. Inside the transaction that changed its parcels, as its last step. */
export function indexCounty(file: SqliteFile, fips: string): void {
  writeColumnIndex(file, fips, (keep) => kept(build(file, fips, keep)));
}

/** Of an index whose segments were kept before, by `beginColumnIndex`: makes it the county's. As the transaction's last step. */
export const finishIndex = (file: SqliteFile, fips: string, directory: CountyDirectory): void =>
  finishColumnIndex(file, fips, kept(directory));

/** How often a county is begun anew that others keep changing, before it is left for later. */
const tries = 3;

/**
 * Indexes every county whose index is missing or stale. Others may write meanwhile: the file is locked only to write what
 * was made, and that is thrown away when the county has changed since.
 * @param onStep called between two steps; what it throws ends the work, and counties that are not done stay stale
 * @returns their FIPS codes
 */
export function indexStaleCounties(file: SqliteFile, onStep?: () => void): string[] {
  const stale = listStaleCounties(file, directoryFormat);
  return stale.filter((fips) => Array.from({ length: tries }).some(() => indexApart(file, fips, onStep)));
}

/** @returns false when the county changed meanwhile */
function indexApart(file: SqliteFile, fips: string, onStep?: () => void): boolean {
  file.transaction(() => markBuilding(file, fips));
  const built = file.snapshot(() => buildFrom(file, fips, onStep));
  return file.transaction(() => {
    if (!isStillBuilding(file, fips)) return false;
    write(file, fips, built);
    return true;
  });
}
