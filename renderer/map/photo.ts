/** Photos of the air: which one lies on the map, what lies on it, and in which ink. Every picture base map is one. */
import type { LayerSpecification } from 'maplibre-gl';
import { isOnAtFirst } from './context-layers.ts';
import type { Placed, Slot } from './map-slots.ts';
import type { BaseMap, MapSources, UserLayer } from './map-sources.ts';
import { choiceOf, type MapMemory } from './map-state.ts';
import { photoInk } from './photo-ink.ts';

/** What a home keeps of a photo that was added to it; a tile file in the folder of base maps has none. */
interface PhotoFacts {
  readonly id: number;
  readonly flown: string | null;
  readonly credit: string;
  /** Share of its pyramid that is made, 0 to 1. */
  readonly state: number;
  /** Files that are not where they were. */
  readonly missing: readonly string[];
}

export type Photo = BaseMap & { readonly photo?: PhotoFacts | null };

export const photosOf = ({ bases }: MapSources): readonly Photo[] => bases.filter(({ type }) => type === 'raster');

type PhotoMemory = Partial<Pick<MapMemory, 'look' | 'photo'>>;

/** The chosen one, else the first; null: the map is drawn. */
export function photoShown(sources: MapSources | null, { look = 'map', photo = null }: PhotoMemory): Photo | null {
  if (look === 'map' || !sources) return null;
  const photos = photosOf(sources);
  return photos.find(({ source }) => source === photo) ?? photos[0] ?? null;
}

/** Choices over a photo are kept apart: contours say less there than they hide. */
export const overKey = (source: string): string => `over:${source}`;

const hides: readonly string[] = ['buildings', 'wetlands', 'plss', 'woods', 'public', 'rail'];

export const isOverAtFirst = ({ kind, look }: Pick<UserLayer, 'kind' | 'look'>): boolean =>
  isOnAtFirst(kind) && !hides.includes(look ?? kind);

/** Lines of lots, and names on them: ticks of their own. */
export const [linesKey, namesKey] = [overKey('lines'), overKey('names')];

type Layers = MapMemory['layers'];
export type ShownMemory = PhotoMemory & Pick<MapMemory, 'layers'>;

/** The choices for what is shown: those of the map, or those over the photo. */
export function shownLayers(memory: ShownMemory, sources: MapSources): Layers {
  if (!photoShown(sources, memory)) return memory.layers;
  const { layers, look } = memory;
  const over = (source: string, isAtFirst: boolean) => [source, choiceOf(layers, overKey(source), isAtFirst)] as const;
  const [, relief] = over('relief', true);
  return {
    ...layers,
    ...Object.fromEntries(sources.layers.map((layer) => over(layer.source, isOverAtFirst(layer)))),
    ...Object.fromEntries([over('contours', false)]),
    relief: { ...relief, isOn: relief.isOn && look === 'relief' },
  };
}

/** The labels of lots over a photo. */
export const namesOver = (layers: Layers): 'named' | 'none' =>
  choiceOf(layers, namesKey, true).isOn ? 'named' : 'none';

/** Opacity of the photo in percent, as the user chose it. */
export const photoOpacity = (layers: Layers, { source }: Photo): number => choiceOf(layers, source, true).opacity;

const isFilled = ({ slot, layer }: Placed, ...slots: readonly Slot[]): boolean =>
  slots.includes(slot) || (slot === 'water' && layer.type === 'fill');

/** Ground that a photo shows itself. */
export const isHiding = (one: Placed): boolean => isFilled(one, 'ground', 'roadEdges', 'roads');

/** Drawn below a photo. */
export const isBelowPhoto = (one: Placed): boolean =>
  isFilled(one, 'ground', 'woods', 'wet', 'roadEdges', 'roads', 'buildings');

export const photoLayer = (photo: Photo, layers: Layers): LayerSpecification => ({
  id: photo.source,
  type: 'raster',
  source: photo.source,
  paint: {
    'raster-opacity': photoOpacity(layers, photo) / 100,
    'raster-fade-duration': 0,
    // Darker: white lines keep their distance to snow and roofs.
    'raster-brightness-max': photoInk.brightness,
  },
});
