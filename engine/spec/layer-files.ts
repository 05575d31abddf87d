/** What a file of each layer kind holds (polygons, lines, a raster or any shapes), and which layer of a file is meant. */
import type { LayerKind } from './layer-titles.ts';

export const layerShapes: Readonly<Record<LayerKind, 'polygons' | 'lines' | 'raster' | 'any'>> = {
  roads: 'lines',
  wetlands: 'polygons',
  flood: 'polygons',
  buildings: 'polygons',
  water: 'polygons',
  slope: 'raster',
  schools: 'polygons',
  zips: 'polygons',
  plss: 'polygons',
  other: 'any',
};

/** Names of the layer in files with many layers: FEMA's county files, state files of the National Wetlands Inventory, the Bureau of Land Management's survey. */
const usualLayers: { readonly [Kind in LayerKind]?: RegExp } = {
  wetlands: /(?:^|\/)[a-z]{2}_wetlands$/i,
  flood: /(?:^|\/)s_fld_haz_ar$/i,
  // Sections: townships are made of them.
  plss: /first_?division$/i,
};

/** The layer to read if none is named; null if the choice is unclear and the user has to name one. */
export function usualLayerOf(kind: LayerKind, layerNames: readonly string[]): string | null {
  const usual = layerNames.filter((name) => usualLayers[kind]?.test(name));
  return usual.length === 1 ? (usual[0] ?? null) : null;
}
