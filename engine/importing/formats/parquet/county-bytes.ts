/** How much of a Parquet file or folder one county takes, for the check of the disk before an import. */
import fs from 'node:fs';
import { EngineError } from '../../../spec/errors.ts';
import { readHead } from '../bytes/byte-window.ts';
import { isParquet, partsOfCounty } from './geoparquet-reader.ts';
import { findParts } from './parquet-folder.ts';
import { openPart } from './parquet-part.ts';
import { chooseCounty } from './part-rows.ts';

const isFolder = (place: string): boolean => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;

export const isPartsFolder = (place: string): boolean => isFolder(place) && findParts(place) !== null;

/** The share of its bytes that the rows of its row groups have; null for another format, and for a file that cannot be read. */
export function bytesOfCounty(place: string, fips: string): number | null {
  try {
    const parts = isFolder(place)
      ? findParts(place)
      : isParquet(readHead(place, 4))
        ? [{ path: place, keys: {} }]
        : null;
    return parts && partsOfCounty(parts, fips).reduce((sum, { path }) => sum + bytesIn(path, fips), 0);
  } catch (error) {
    // The import says what is wrong with it.
    if (error instanceof EngineError) return null;
    throw error;
  }
}

function bytesIn(filePath: string, fips: string): number {
  const part = openPart(filePath);
  const { size } = fs.statSync(filePath);
  const choice = chooseCounty(part, fips, part.geometry.system({}));
  if (choice === null || part.rows === 0) return size;
  return size * (choice.groups.reduce((sum, { rows }) => sum + rows, 0) / part.rows);
}
