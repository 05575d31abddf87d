/** The box around the matching parcels. */
import { sql } from 'kysely';
import { boundsOfMatches } from '../columns/bounds-of-rows.ts';
import { type Bounds, unionOfBounds } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import { landQueries } from './land-schema.ts';
import { byColumns } from './live-by-columns.ts';
import { withLiveCounties, withLiveMatches } from './live-columns.ts';
import { every, liveCondition, scan, termsOf } from './live-condition.ts';
import type { LiveRequest } from './live-request.ts';

export type LongitudeLatitudeBox = [west: number, south: number, east: number, north: number];

/** Null if no match has a place. @throws EngineError validation_error when the query takes too long */
export function liveBounds(land: LandStore, request: LiveRequest): LongitudeLatitudeBox | null {
  const found = byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches) => ({
        bounds: unionOfBounds(matches.filter(({ count }) => count > 0).map(boundsOfMatches)),
      })),
    ),
  );
  return found ? boxOf(found.bounds) : liveBoundsBySql(land, request);
}

const boxOf = (bounds: Bounds | null): LongitudeLatitudeBox | null =>
  bounds && [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY];

/** The fallback while an index is built: the box around the points, close enough to show all parcels. */
export function liveBoundsBySql(land: LandStore, request: LiveRequest): LongitudeLatitudeBox | null {
  const condition = liveCondition(land, request);
  const query =
    sql`SELECT min(point_lon) AS west, min(point_lat) AS south, max(point_lon) AS east, max(point_lat) AS north
    FROM parcels WHERE ${every(termsOf(condition))}`.compile(landQueries);
  const row = scan(land, condition, () =>
    land.file.get<{ west: number | null; south: number; east: number; north: number }>(query.sql, ...query.parameters),
  );
  return row && row.west !== null ? [row.west, row.south, row.east, row.north] : null;
}
