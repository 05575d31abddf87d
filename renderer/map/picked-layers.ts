/**
 * Outlines of what is selected and of what the pointer is on. In a source of their own: as states of the lots they would
 * need three more lines around every lot, nearly all of them invisible, and fill and lines of whole tiles would be sent to
 * the graphics card anew wherever the pointer goes.
 */
import type { FeatureCollection, MultiPolygon } from 'geojson';
import type { ExpressionSpecification, LayerSpecification, SourceSpecification } from 'maplibre-gl';
import type { MapTokens } from './map-tokens.ts';
import { lotsFrom } from './parcel-layers.ts';

export const pickedSource = 'picked';

export type PickedAs = 'hover' | 'selected';

/** Outlined shapes; the id of each is its property_id. */
export type Picked = FeatureCollection<MultiPolygon, { readonly as: PickedAs }>;

const nothingPicked: Picked = { type: 'FeatureCollection', features: [] };

/** Corners are left out nowhere: the outline lies upon the lot's own line. */
export const pickedSpecification: SourceSpecification = { type: 'geojson', data: nothingPicked, tolerance: 0 };

export function pickedLayers(tokens: MapTokens): LayerSpecification[] {
  const [select, casing] = tokens.isOutdoor ? [4, 12] : [3.5, 8];
  const line = (id: string, as: PickedAs, color: string, width: number): LayerSpecification => ({
    id,
    type: 'line',
    source: pickedSource,
    minzoom: lotsFrom,
    filter: ['==', ['get', 'as'], as] as ExpressionSpecification,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': color, 'line-width': width },
  });
  return [
    line('lot-hover', 'hover', tokens.hover, 2),
    line('lot-casing', 'selected', tokens.selectCasing, casing),
    line('lot-select', 'selected', tokens.select, select),
  ];
}
