/** school_district and situs_zip: the polygon that holds the parcel's point on surface. */
import { polygonHoldsPoint } from '../geo/holds-point.ts';
import type { LayerIndex } from './layer-index.ts';
import { type Finding, type LayerKind, unknownFor } from './layer-kinds.ts';

export const noPlace = 'no polygon of the layer holds the parcel';

/**
 * Where several hold it (an elementary district within a unified one), the smallest: it says most.
 * @param names of the classes of the layer's features
 * @returns the index of the name in `names` is the feature's class
 */
export function placeOf(
  kind: LayerKind,
  [x, y]: readonly [number, number],
  layer: LayerIndex,
  names: readonly string[],
): Finding {
  let smallest: number | null = null;
  let name: string | null = null;
  for (const piece of layer.find({ minX: x, minY: y, maxX: x, maxY: y })) {
    if (!polygonHoldsPoint(layer.polygon(piece), x, y)) continue;
    const feature = layer.featureOf(piece);
    if (smallest !== null && layer.acresOf(feature) >= layer.acresOf(smallest)) continue;
    smallest = feature;
    name = names[layer.classOf(piece)] ?? null;
  }
  return smallest === null ? unknownFor(kind, noPlace) : { values: [name], used: [smallest], reason: null };
}

/** `1752` (a number that lost its zero), `59752`, `59752-1234` to five digits; null for anything else. */
export function zipOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value).padStart(5, '0') : String(value ?? '').trim();
  return /^(\d{5})(?:-?\d{4})?$/.exec(text)?.[1] ?? null;
}
