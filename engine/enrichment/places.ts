/** Finds school_district and situs_zip: the polygon that contains the parcel's point on surface. */
import { polygonHoldsPoint } from '../geo/holds-point.ts';
import type { LayerIndex } from './layer-index.ts';
import { type Finding, type LayerKind, unknownFor } from './layer-kinds.ts';

export const noPlace = 'no polygon of the layer holds the parcel';

/**
 * If several polygons contain the point (an elementary district within a unified one), the smallest one wins.
 * @param names class names; a feature's class is an index in it
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

/** Five digits for `1752` (a number that lost its zero), `59752` and `59752-1234`; null for anything else. */
export function zipOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value).padStart(5, '0') : String(value ?? '').trim();
  return /^(\d{5})(?:-?\d{4})?$/.exec(text)?.[1] ?? null;
}
