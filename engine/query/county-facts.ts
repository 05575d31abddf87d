/** Facts about a whole county, without reading its parcels one by one. */
import { sql } from 'kysely';
import { unionOfBounds } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import { landQueries } from './land-schema.ts';
import { byColumns, coverageByColumns } from './live-by-columns.ts';
import { withLiveCounties } from './live-columns.ts';
import { parseLiveRequest } from './live-request.ts';

interface CountyFacts {
  /** Current parcels. */
  readonly parcels: number;
  /** West, south, east, north of them in degrees; null if none has a place. */
  readonly box: readonly [number, number, number, number] | null;
  /** Parcels with a value, for each requested column. */
  readonly known: ReadonlyMap<string, number>;
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

/** Reads all parcels once: the test oracle and the fallback of the column index. */
export function countyFactsBySql(land: LandStore, fips: string, columns: readonly string[]): CountyFacts {
  const counts = columns.map((column) => sql`, count(${sql.ref(column)}) AS ${sql.ref(column)}`);
  const query = sql`SELECT count(*) AS parcels, min(point_lon) AS west, min(point_lat) AS south, max(point_lon) AS east,
    max(point_lat) AS north ${sql.join(counts, sql``)} FROM parcels WHERE fips = ${fips} AND status = 'current'`.compile(
    landQueries,
  );
  const row = land.file.get<Record<string, number | null>>(query.sql, ...query.parameters) ?? {};
  const { parcels, west, south, east, north } = row;
  return {
    parcels: parcels ?? 0,
    box: typeof west === 'number' ? [west, south as number, east as number, north as number] : null,
    known: new Map(columns.map((column) => [column, row[column] ?? 0])),
  };
}
