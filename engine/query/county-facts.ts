/** Facts about a whole county, without reading its parcels one by one. */
import { unionOfBounds } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import { byColumns, coverageByColumns, type KnownValues, withLiveCounties } from './live-by-columns.ts';
import { parseLiveRequest } from './live-request.ts';
import { countyFactsBySql } from './sql-filters/live-by-sql.ts';

/** What its current parcels say. */
export interface CountyFacts extends KnownValues {
  /** West, south, east, north in degrees; null if none has a place. */
  readonly box: readonly [number, number, number, number] | null;
}

export function countyFacts(land: LandStore, fips: string, columns: readonly string[]): CountyFacts {
  const found = byColumns(land, parseLiveRequest({ county: fips }), (_, steps) => {
    const coverage = coverageByColumns(land, steps, columns);
    return (
      coverage &&
      withLiveCounties(land, steps, [], (counties): CountyFacts => {
        const bounds = unionOfBounds(counties.map((county) => county.bounds()));
        return { ...coverage, box: bounds && [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY] };
      })
    );
  });
  return found ?? countyFactsBySql(land, fips, columns);
}

/** Answered by two indexes: the parcel rows themselves are not read. */
const currentSql = `
SELECT (SELECT count(*) FROM parcels INDEXED BY parcels_fips_acres WHERE fips = :fips)
  - (SELECT count(*) FROM parcels INDEXED BY parcels_retired WHERE status <> 'current' AND fips = :fips) AS parcels`;

/** Current parcels only: a new window requests it for every county, so it loads no column and no box. */
export const countCurrent = (land: LandStore, fips: string): number =>
  byColumns(land, parseLiveRequest({ county: fips }), (_, steps) => coverageByColumns(land, steps, []))?.parcels ??
  land.file.get<{ parcels: number }>(currentSql, { fips })?.parcels ??
  0;
