/** Kinds of layers that enrich parcels, with their titles in lists, on the map and in the import screen. */
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

/** The title of a kind; an unknown kind unchanged. */
export const layerTitle = (kind: string): string => (isLayerKind(kind) ? layerTitles[kind] : kind);
