/** The kinds of layers that complete parcels, as people call them: in lists, on the map, in the import screen. */
export const layerTitles = {
  roads: 'Roads',
  wetlands: 'Wetlands',
  flood: 'Flood zones',
  buildings: 'Buildings',
  slope: 'Elevation',
  schools: 'School districts',
  zips: 'ZIP areas',
} as const;

export type LayerKind = keyof typeof layerTitles;

export const isLayerKind = (kind: string): kind is LayerKind => Object.hasOwn(layerTitles, kind);

/** Of a kind that is none, the word itself. */
export const layerTitle = (kind: string): string => (isLayerKind(kind) ? layerTitles[kind] : kind);
