/** The column indexes of a land file, opened when queries need them. */
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

interface Opened {
  readonly buildId: number;
  readonly columns: CountyColumns;
}

/** Each memory reserves address space, however little it holds. */
const mostCounties = 512;

/** The opened counties of one land file, within a memory budget: evicts the least recently used county, whole. */
export class ColumnCache {
  budgetBytes: number;
  /** In the order of use. */
  readonly #opened = new Map<string, Opened>();

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
  }

  get counties(): number {
    return this.#opened.size;
  }

  get byteLength(): number {
    return [...this.#opened.values()].reduce((sum, { columns }) => sum + columns.byteLength, 0);
  }

  /** Whether what can be left out fits: half of the budget stays for what cannot. */
  hasRoom(bytes: number): boolean {
    return this.byteLength + bytes <= this.budgetBytes / 2;
  }

  /** The county of this build; drops one of another build. */
  find(fips: string, buildId: number): CountyColumns | null {
    const known = this.#opened.get(fips);
    this.#opened.delete(fips);
    if (known?.buildId !== buildId) return null;
    this.#opened.set(fips, known);
    return known.columns;
  }

  put(fips: string, buildId: number, columns: CountyColumns): void {
    this.#opened.set(fips, { buildId, columns });
  }

  /** Call it after a query: everything the query needs stays loaded until then. */
  shrink(): void {
    let bytes = this.byteLength;
    for (const [fips, { columns }] of this.#opened) {
      if (bytes <= this.budgetBytes && this.#opened.size <= mostCounties) return;
      this.#opened.delete(fips);
      bytes -= columns.byteLength;
    }
  }
}
