/**
 * Outlines of the selection and of the parcel under the pointer. They have their own source: as lot states they would
 * need three more, mostly invisible lines around every lot, and pointer moves would resend whole tiles to the graphics
 * card.
 */
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MapTokens } from './map-tokens.ts';
import { lotsFrom } from './parcel-layers.ts';

export const pickedSource = 'picked';

export type PickedAs = 'hover' | 'selected';

/** Outlined shapes; each id is its property_id. */
export type Picked = FeatureCollection<MultiPolygon, { readonly as: PickedAs }>;

const nothingPicked: Picked = { type: 'FeatureCollection', features: [] };

/** Keeps all corners: the outline lies exactly on the lot's line. */
export const pickedSpecification: SourceSpecification = { type: 'geojson', data: nothingPicked, tolerance: 0 };

export function pickedLayers(tokens: MapTokens): LayerSpecification[] {
  const [select, casing] = tokens.isOutdoor ? [4, 12] : [3.5, 8];
  const line = (id: string, as: PickedAs, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: pickedSource,
    // Below, selected lots are spots with thin lines; the one under the pointer is not known.
    minzoom: as === 'hover' ? lotsFrom : 0,
    filter: ['==', ['get', 'as'], as] as ExpressionSpecification,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': color, 'line-width': ['step', ['zoom'], width / 2.5, lotsFrom, width] },
  });
  return [
    line('lot-hover', 'hover', tokens.hover, 2),
    line('lot-casing', 'selected', tokens.selectCasing, casing),
    line('lot-select', 'selected', tokens.select, select),
  ];
}
