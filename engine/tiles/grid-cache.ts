/** The extent and the density grid of each county, made on demand and kept until the county's parcels change. */
import { boundsOfMatches } from '../columns/bounds-of-rows.ts';
import type { CountyColumns } from '../columns/county-columns.ts';
import { openCounties, shrinkColumns } from '../query/county-index.ts';
import { type ColumnIndexState, listColumnIndexes } from '../store/column-store.ts';
import type { LandStore } from '../store/land-store.ts';
import { type CountyGrid, gridByColumns, gridBySql } from './county-grid.ts';
import { isOnEarth } from './tile-place.ts';

/** Extent and count of a county, without the cost of its grid. */
type CountyPlace = Pick<CountyGrid, 'fips' | 'count' | 'bounds'>;

const placeOf = ({ fips, count, bounds }: CountyGrid): CountyPlace => ({ fips, count, bounds });

/** Valid within the snapshot in which its key was read, or a later one with the same key. */
class KeptCounty {
  /** Identifies the state of the parcels that it was made from. */
  readonly key: string;
  readonly #land: LandStore;
  readonly #fips: string;
  #grid: CountyGrid | null = null;
  #place: CountyPlace | null = null;

  constructor(key: string, land: LandStore, fips: string) {
    this.key = key;
    this.#land = land;
    this.#fips = fips;
  }

  get grid(): CountyGrid {
    this.#grid ??= this.#makeGrid();
    return this.#grid;
  }

  get place(): CountyPlace {
    this.#place ??= this.#placeByColumns() ?? placeOf(this.grid);
    return this.#place;
  }

  #opened(): CountyColumns | undefined {
    return openCounties(this.#land, [this.#fips])?.[0];
  }

  #makeGrid(): CountyGrid {
    const county = this.#opened();
    return county ? gridByColumns(county) : gridBySql(this.#land.file, this.#fips);
  }

  /** Null without an index, or if some box is not on earth (the grid leaves such boxes out). */
  #placeByColumns(): CountyPlace | null {
    const county = this.#opened();
    if (!county) return null;
    const { kernels, words } = county;
    const { shaped, located } = county.boxes();
    const count = kernels.count(shaped, words);
    const isAll = kernels.count(located, words) === count;
    const bounds = count === 0 ? null : isAll ? county.bounds() : boundsOfMatches({ county, bits: shaped, count });
    return bounds && !isOnEarth(bounds) ? null : { fips: this.#fips, count, bounds };
  }
}

const kept = new WeakMap<LandStore, Map<string, KeptCounty>>();

function keptCounties(land: LandStore): readonly KeptCounty[] {
  const before = kept.get(land);
  const after = new Map(
    listColumnIndexes(land.file).map((state) => {
      const key = keyOf(land, state);
      const known = before?.get(state.fips);
      return [state.fips, known?.key === key ? known : new KeptCounty(key, land, state.fips)] as const;
    }),
  );
  kept.set(land, after);
  return [...after.values()];
}

/** Build numbers are unique; SQLite's own counters tell whether the file was written since. */
const keyOf = ({ file }: LandStore, { fips, buildId, isCurrent }: ColumnIndexState): string =>
  isCurrent ? `${fips} ${buildId}` : `${fips} ${buildId} ${file.writesSeen()}`;

/** The grids of all counties with parcels, rebuilt for changed counties. Call it within a snapshot. */
export function countyGrids(land: LandStore): { readonly key: string; readonly grids: readonly CountyGrid[] } {
  const counties = keptCounties(land);
  const grids = counties.map(({ grid }) => grid).filter(({ count }) => count > 0);
  shrinkColumns(land);
  return { key: counties.map(({ key }) => key).join(' '), grids };
}

/** The extents of all counties with parcels. Call it within a snapshot. */
export function countyPlaces(land: LandStore): readonly CountyPlace[] {
  const places = keptCounties(land).map(({ place }) => place);
  shrinkColumns(land);
  return places.filter(({ count }) => count > 0);
}
