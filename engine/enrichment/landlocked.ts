/**
 * The second half of `landlocked`: parcels without frontage may still share a boundary with a road parcel. Road parcels are
 * those whose land use says so and those that are strips along centrelines (roads.ts). Both lists are short, so this runs
 * after the threads are done.
 */
import type { MultiPolygon } from '../geo/geometry.ts';
import { boundaryEdges } from '../geo/near-length.ts';
import { LayerIndex, LayerPacker } from './layer-index.ts';
import { touchesRoadParcel } from './roads.ts';

export interface LandlockedQuestion {
  readonly settings: { readonly sharedWithinFeet: number; readonly sharedLengthFeet: number };
  /** Places of the road parcels and of the parcels without frontage, in the county's list. */
  readonly roads: readonly number[];
  readonly candidates: readonly number[];
  /** Null where a parcel has no shape. */
  readonly shapeOf: (place: number) => MultiPolygon | null;
}

/** Places of the candidates that no road parcel touches. A road parcel is not landlocked. */
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

/** Single edges: spikes and seams are no boundary to share. */
function edgesOf(shape: MultiPolygon): Float64Array[] {
  const edges = boundaryEdges(shape);
  return Array.from({ length: edges.length / 4 }, (_, edge) => edges.subarray(edge * 4, edge * 4 + 4));
}
