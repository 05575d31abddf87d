/** Builds the column index of a county and stores it in the land file. */
import { beginBuild, isStillBuilding, listStaleCounties, writeColumnIndex } from '../store/column-store.ts';
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
  // '' stands for parcels without a county.
  buildCounty(countySource(file, fips === '' ? null : fips, beforeRead), keep);

/**
 * Call it within a snapshot or a transaction. @param onStep called between two steps; an error it throws ends the build
 */
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

/** Rebuilds a county's index. Call it as the last step of the transaction that changed its parcels. */
export function indexCounty(file: SqliteFile, fips: string): void {
  writeColumnIndex(file, fips, (keep) => kept(build(file, fips, keep)));
}

/** Attempts at a county that other programs keep changing, before it is left for later. */
const tries = 3;

/**
 * Indexes every county whose index is missing or stale. Others may write meanwhile: the file is locked only to store
 * the result, which is discarded if the county has changed since.
 * @param onStep called between two steps; an error it throws ends the work, and unfinished counties stay stale
 * @returns their FIPS codes
 */
export function indexStaleCounties(file: SqliteFile, onStep?: () => void): string[] {
  const stale = listStaleCounties(file, directoryFormat);
  return stale.filter((fips) => Array.from({ length: tries }).some(() => indexApart(file, fips, onStep)));
}

/** @returns false if the county changed meanwhile */
function indexApart(file: SqliteFile, fips: string, onStep?: () => void): boolean {
  const number = file.transaction(() => beginBuild(file, fips, directoryFormat));
  if (number === null) return true;
  const built = file.snapshot(() => buildFrom(file, fips, onStep));
  return file.transaction(() => {
    if (!isStillBuilding(file, number)) return false;
    write(file, fips, built);
    return true;
  });
}
