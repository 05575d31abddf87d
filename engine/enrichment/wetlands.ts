/** Computes wetlands_percent: area of parcel ∩ union of wetlands ÷ area of parcel × 100. */
import { coveredArea } from '../geo/covered-area.ts';
import { boundsOfMultiPolygon, type MultiPolygon } from '../geo/geometry.ts';
import { distinct, type LayerIndex } from './layer-index.ts';
import { type Finding, rounded, unknownFor } from './layer-kinds.ts';

export const noArea = 'the parcel encloses no area';

/** Decimals of a percentage. */
export const percentDecimals = 2;

/** @param layer wetlands, all with class 0 */
export function wetlandsOf(parcel: MultiPolygon, layer: LayerIndex): Finding {
  const pieces = layer.find(boundsOfMultiPolygon(parcel));
  const covering = pieces.map((piece) => ({ polygon: layer.polygon(piece), coverClass: 0 }));
  const area = coveredArea(parcel, covering, 1);
  if (!(area.parcel > 0)) return unknownFor('wetlands', noArea);
  const percent = rounded((100 * area.covered) / area.parcel, percentDecimals);
  return { values: [percent], used: distinct(pieces.map((piece) => layer.featureOf(piece))), reason: null };
}
