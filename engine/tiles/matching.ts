/** The matches of a filter on a tile, for the map's feature-state; tiles themselves never depend on a filter. */

import type { LiveRequest } from '../query/live-request.ts';
import { idsInBox } from '../query/live-rows.ts';
import type { LandStore } from '../store/land-store.ts';
import { countByCell, lastDensityZoom } from './density-tile.ts';
import { buffer, type TilePlace } from './tile-place.ts';

/** property_ids of the matches whose box intersects the tile with its buffer, ascending. */
export const matchingInTile = (land: LandStore, request: LiveRequest, place: TilePlace): number[] =>
  idsInBox(land, request, place.bounds(buffer));

/** A density cell with matches. */
interface MatchingCell {
  /** Cell number, which is the feature id in the tile. */
  readonly id: number;
  readonly count: number;
}

/** The density cells of a tile that hold matches. */
export function matchingDensity(land: LandStore, request: LiveRequest, place: TilePlace): MatchingCell[] {
  if (place.z > lastDensityZoom) return [];
  const counts = land.file.snapshot(() => countByCell(land, idsInBox(land, request, place.bounds(0)), place));
  return Array.from(counts, ([id, count]) => ({ id, count }));
}
