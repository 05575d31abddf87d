/**
 * Computes the second half of `landlocked`: parcels without frontage may still share a boundary with a road parcel. Road
 * parcels are roads by land use, or strips along centrelines (roads.ts). Both lists are short, so this runs after the
 * threads.
 */
import type { MultiPolygon } from '../geo/geometry.ts';
import { boundaryEdges } from '../geo/near-length.ts';
import { LayerIndex, LayerPacker } from './layer-index.ts';
import { touchesRoadParcel } from './roads.ts';

interface LandlockedQuestion {
  readonly settings: { readonly sharedWithinFeet: number; readonly sharedLengthFeet: number };
  /** Indexes, in the county's list, of road parcels and of parcels without frontage. */
  readonly roads: readonly number[];
  readonly candidates: readonly number[];
  /** Null if the parcel has no shape. */
  readonly shapeOf: (place: number) => MultiPolygon | null;
}

/** Indexes of the candidates that share no boundary with a road parcel. A road parcel is never landlocked. */
export function findLandlocked({ settings, roads, candidates, shapeOf }: LandlockedQuestion): Set<number> {
  const packer = new LayerPacker();
  for (const place of roads) {
    const shape = shapeOf(place);
    if (shape) packer.addLines(edgesOf(shape), 0);
  }
  const index = new LayerIndex(packer.finish());
  const isRoad = new Set(roads);
  return new Set(
    candidates.filter((place) => {
      const shape = shapeOf(place);
      return shape !== null && !isRoad.has(place) && !touchesRoadParcel(shape, index, settings);
    }),
  );
}

/** Boundary edges without spikes and seams, which cannot be shared. */
function edgesOf(shape: MultiPolygon): Float64Array[] {
  const edges = boundaryEdges(shape);
  return Array.from({ length: edges.length / 4 }, (_, edge) => edges.subarray(edge * 4, edge * 4 + 4));
}
