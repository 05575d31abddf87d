/** Where the parcels of each county lie: its place and its grid, each made when it is asked for, and kept while nothing changes. */
import { boundsOfMatches } from '../columns/bounds-of-rows.ts';
import type { CountyColumns } from '../columns/county-columns.ts';
import { openCounties, shrinkColumns } from '../query/county-index.ts';
import { type ColumnIndexState, listColumnIndexes } from '../store/column-store.ts';
import type { LandStore } from '../store/land-store.ts';
import { type CountyGrid, gridByColumns, gridBySql } from './county-grid.ts';
import { isOnEarth } from './tile-place.ts';

/** What a tile, and the list of what there is to draw, need to know, without the work of the grid. */
export type CountyPlace = Pick<CountyGrid, 'fips' | 'count' | 'bounds'>;

const placeOf = ({ fips, count, bounds }: CountyGrid): CountyPlace => ({ fips, count, bounds });

/** To be asked within the snapshot that its key was read in, or a later one of the same key. */
class KeptCounty {
  /** What it is made from. */
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

  /** Null where there is no index, and where some box is none on earth, which the grid leaves out. */
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

/** No two builds have the same number; what was written since is told by SQLite's own counts. */
const keyOf = ({ file }: LandStore, { fips, buildId, isCurrent }: ColumnIndexState): string =>
  isCurrent ? `${fips} ${buildId}` : `${fips} ${buildId} ${file.writesSeen()}`;

/** The grids of all counties that have parcels, made anew where these have changed. To be called within a snapshot. */
export function countyGrids(land: LandStore): { readonly key: string; readonly grids: readonly CountyGrid[] } {
  const counties = keptCounties(land);
  const grids = counties.map(({ grid }) => grid).filter(({ count }) => count > 0);
  shrinkColumns(land);
  return { key: counties.map(({ key }) => key).join(' '), grids };
}

/** The same counties, with no more than where they lie. To be called within a snapshot. */
export function countyPlaces(land: LandStore): readonly CountyPlace[] {
  const places = keptCounties(land).map(({ place }) => place);
  shrinkColumns(land);
  return places.filter(({ count }) => count > 0);
}
