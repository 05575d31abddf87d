/** Where the matching parcels lie, as long as they are few enough for a dot each. */
import { middlesOfMatches } from '../columns/bounds-of-rows.ts';
import type { LandStore } from '../store/land-store.ts';
import { byColumns } from './live-by-columns.ts';
import { withLiveCounties, withLiveMatches } from './live-columns.ts';
import type { LiveRequest } from './live-request.ts';
import { pointsBySql } from './stand-in/live-by-sql.ts';

export interface LivePoints {
  /** Longitude and latitude; null if more than `most` parcels match. */
  readonly points: readonly (readonly [number, number])[] | null;
}

/** @throws EngineError validation_error when the query takes too long */
export function livePoints(land: LandStore, request: LiveRequest, most: number): LivePoints {
  const found = byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches): LivePoints => {
        const some = matches.filter(({ count }) => count > 0);
        if (some.reduce((sum, { count }) => sum + count, 0) > most) return { points: null };
        return { points: some.flatMap(middlesOfMatches) };
      }),
    ),
  );
  return found ?? pointsBySql(land, request, most);
}
