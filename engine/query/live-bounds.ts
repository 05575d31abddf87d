/** The box around the matching parcels, and the share of them in a view of the map. */
import { boundsOfMatches, countInBox } from '../columns/bounds-of-rows.ts';
import { type Bounds, unionOfBounds } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import { byColumns } from './live-by-columns.ts';
import { withLiveCounties, withLiveMatches } from './live-columns.ts';
import type { LiveRequest } from './live-request.ts';
import { boundsBySql } from './stand-in/live-by-sql.ts';

export type LongitudeLatitudeBox = readonly [west: number, south: number, east: number, north: number];

export interface LiveBounds {
  /** Null if no match has a place. */
  readonly bounds: LongitudeLatitudeBox | null;
  /** Matches whose middle lies in the view, 0 to 1 of those with a place. */
  readonly share: number;
}

/** @throws EngineError validation_error when the query takes too long */
export function liveBounds(land: LandStore, request: LiveRequest, view: LongitudeLatitudeBox): LiveBounds {
  const [minX, minY, maxX, maxY] = view;
  const found = byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches) => {
        const some = matches.filter(({ count }) => count > 0);
        const counted = some.map((match) => countInBox(match, { minX, minY, maxX, maxY }));
        const sum = (of: 'placed' | 'inside') => counted.reduce((all, one) => all + one[of], 0);
        return { bounds: boxOf(unionOfBounds(some.map(boundsOfMatches))), share: ratio(sum('inside'), sum('placed')) };
      }),
    ),
  );
  return found ?? boundsBySql(land, request, view);
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const boxOf = (bounds: Bounds | null): LongitudeLatitudeBox | null =>
  bounds && [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY];
