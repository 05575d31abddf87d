/** Computes structure_count: footprints whose point on surface lies in the parcel. A building on a boundary counts once. */
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { holdsPoint } from '../geo/holds-point.ts';
import type { LayerIndex } from './layer-index.ts';
import type { Finding } from './layer-kinds.ts';

/** Square feet in an international acre. */
export const squareFeetPerAcre = 43_560;

/** @param layer points of the footprints of at least the minimum size */
export function buildingsOf(parcel: MultiPolygon, layer: LayerIndex): Finding {
  const used: number[] = [];
  for (const piece of layer.find(boundsOfMultiPolygon(parcel))) {
    const [point] = layer.parts(piece);
    const [x, y] = point ?? [];
    if (x !== undefined && y !== undefined && holdsPoint(parcel, x, y)) used.push(layer.featureOf(piece));
  }
  return { values: [used.length], used, reason: null };
}
