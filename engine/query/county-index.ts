/** The column indexes of a land file, opened when queries need them. */
import { ColumnCache } from '../columns/column-cache.ts';
import { CountyColumns } from '../columns/county-columns.ts';
import { type CountyDirectory, directoryFormat } from '../columns/county-directory.ts';
import {
  type ColumnIndexState,
  findColumnIndexes,
  listColumnIndexes,
  readDirectory,
  readSegment,
} from '../store/column-store.ts';
import type { LandStore } from '../store/land-store.ts';

/** Memory budget for columns over all counties: six counties of a million parcels with every column. */
const budgetBytes = 2 ** 31;

const caches = new WeakMap<LandStore, ColumnCache>();

/** The opened indexes of a land store, with an adjustable budget; they live as long as the store. */
export function cacheOf(land: LandStore): ColumnCache {
  const known = caches.get(land);
  if (known) return known;
  const cache = new ColumnCache(budgetBytes);
  caches.set(land, cache);
  return cache;
}

/**
 * Opens the indexes of these counties. Call it, and use the result, within one snapshot, so that the index matches the
 * parcels of the snapshot.
 * @param counties null: every county
 * @returns null if an index is missing or stale
 */
export function openCounties(land: LandStore, counties: readonly string[] | null): CountyColumns[] | null {
  const states = counties ? findColumnIndexes(land.file, counties) : listColumnIndexes(land.file);
  const opened = states.map((state) => (state.isCurrent ? openCounty(land, state) : null));
  if (opened.every((county) => county !== null)) return opened;
  land.onStaleIndex();
  return null;
}

function openCounty(land: LandStore, { fips, buildId }: ColumnIndexState): CountyColumns | null {
  const cache = cacheOf(land);
  const known = cache.find(fips, buildId);
  if (known) return known;
  const directory = JSON.parse(readDirectory(land.file, fips) ?? 'null') as CountyDirectory | null;
  if (directory?.format !== directoryFormat) return null;
  const columns = new CountyColumns(
    fips,
    directory,
    (name) => readSegment(land.file, fips, name),
    (bytes) => cache.hasRoom(bytes),
  );
  cache.put(fips, buildId, columns);
  return columns;
}

/** Frees columns beyond the budget. Call it after a query. */
export const shrinkColumns = (land: LandStore): void => caches.get(land)?.shrink();
