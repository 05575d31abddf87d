/** Kinds of layers, with their titles in lists, on the map and in the import screen. */
export const layerTitles = {
  roads: 'Roads',
  wetlands: 'Wetlands',
  flood: 'Flood zones',
  buildings: 'Buildings',
  water: 'Water',
  slope: 'Elevation',
  schools: 'School districts',
  zips: 'ZIP areas',
  plss: 'Townships',
  other: 'Map layer',
} as const;

export type LayerKind = keyof typeof layerTitles;
/** Kinds that complete parcels. */
export type ComputedKind = Exclude<LayerKind, 'other'>;

/** Only drawn: it has no columns, and a county may have several, each with its own title. */
export const isMapOnly = (kind: string): kind is 'other' => kind === 'other';

export const isLayerKind = (kind: string): kind is LayerKind => Object.hasOwn(layerTitles, kind);

/** The title of a kind; an unknown kind unchanged. */
export const layerTitle = (kind: string): string => (isLayerKind(kind) ? layerTitles[kind] : kind);

/** How a layer of the kind `other` is drawn. */
export const lookTitles = {
  water: 'Water',
  stream: 'Streams',
  rail: 'Railways',
  public: 'Public land',
  woods: 'Woods',
  place: 'Places',
  plain: 'Plain',
} as const;

export type LayerLook = keyof typeof lookTitles;
export const layerLooks = Object.keys(lookTitles) as readonly LayerLook[];
export const isLayerLook = (look: string): look is LayerLook => Object.hasOwn(lookTitles, look);

/** Kinds that complete parcels and are drawn in a look. */
export const kindLooks: ReadonlyMap<string, LayerLook> = new Map([['water', 'water']]);

/** Whether no kind of its name completes parcels: such a layer is only drawn. */
export const isLookAlone = (content: string): content is Exclude<LayerLook, LayerKind> =>
  isLayerLook(content) && !isLayerKind(content);
