/** The matches of a live request in a box: for the map, tile by tile. */
import { rowsOf } from '../columns/county-rows.ts';
import type { CountyMatches } from '../columns/pages.ts';
import type { Bounds } from '../geo/geometry.ts';
import type { LandStore } from '../store/land-store.ts';
import { byColumns } from './live-by-columns.ts';
import { withLiveCounties, withLiveMatches } from './live-columns.ts';
import type { LiveRequest } from './live-request.ts';
import { idsInBoxBySql } from './stand-in/live-by-sql.ts';

/**
 * property_ids of the matches whose own box meets `box` (degrees), ascending; only those with a shape.
 * @throws EngineError validation_error when the query takes too long
 */
export const idsInBox = (land: LandStore, request: LiveRequest, box: Bounds): number[] =>
  byColumns(land, request, (_, steps) =>
    withLiveCounties(land, steps, [], (counties) =>
      withLiveMatches(land, counties, steps, (matches) =>
        matches.flatMap((match) => idsOf(match, box)).sort((a, b) => a - b),
      ),
    ),
  ) ?? idsInBoxBySql(land, request, box);

function idsOf({ county, bits }: CountyMatches, { minX, maxX, minY, maxY }: Bounds): number[] {
  const { kernels, words } = county;
  const { rowBoxes, wordBoxes, shaped } = county.boxes();
  kernels.boxes(rowBoxes, wordBoxes, shaped, bits, words, minX, maxX, minY, maxY);
  return Array.from(rowsOf(county, bits), (row) => county.id(row));
}
