/** What the file of each kind of layer holds. */
import type { LayerKind } from './layer-titles.ts';

export const layerShapes: Readonly<Record<LayerKind, 'polygons' | 'lines' | 'raster'>> = {
  roads: 'lines',
  wetlands: 'polygons',
  flood: 'polygons',
  buildings: 'polygons',
  slope: 'raster',
  schools: 'polygons',
  zips: 'polygons',
};

/** What the layer is called in its publisher's files of many: FEMA's of a county, the wetlands inventory's of a state. */
const usualLayers: { readonly [Kind in LayerKind]?: RegExp } = {
  wetlands: /(?:^|\/)[a-z]{2}_wetlands$/i,
  flood: /(?:^|\/)s_fld_haz_ar$/i,
};

/** The one of several layers that is meant when nobody names one; null: it has to be named. */
export function usualLayerOf(kind: LayerKind, layerNames: readonly string[]): string | null {
  const usual = layerNames.filter((name) => usualLayers[kind]?.test(name));
  return usual.length === 1 ? (usual[0] ?? null) : null;
}
