/** The map's stored state (view, switches) and the state that is lost with the window. */
import { createStore } from '../state/store.ts';
import type { FillName } from './fills.ts';
import { noViews, stepped, type View, type ViewHistory } from './view-history.ts';

export type LabelName = 'acres' | 'apn' | 'owner' | 'none';

export interface LayerChoice {
  readonly isOn: boolean;
  /** Percent, 0 to 100. */
  readonly opacity: number;
}

/** `relief`: a photo with the shaded ground. */
export type GroundLook = 'map' | 'photo' | 'relief';

export interface MapMemory {
  /** The home of the view; another one starts with its whole county. */
  readonly homeKey: string;
  readonly center: readonly [number, number] | null;
  readonly zoom: number;
  readonly fill: FillName;
  readonly label: LabelName;
  readonly look: GroundLook;
  /** The source of the chosen photo; null: the first. */
  readonly photo: string | null;
  /** Whether the map may say what one's own county lacks: until it is told not to. */
  readonly hasGroundNote: boolean;
  /** By source; others have their default. */
  readonly layers: Readonly<Record<string, LayerChoice>>;
}

export const mapMemory = createStore<MapMemory>('platbook.map', {
  homeKey: '',
  center: null,
  zoom: 12,
  fill: 'value_per_acre',
  label: 'acres',
  look: 'map',
  photo: null,
  hasGroundNote: true,
  layers: {},
});

/** What the pointer does on the map. */
export type MapMode = 'browse' | 'box' | 'draw' | 'measure';

type Bounds = readonly [number, number, number, number];

/** Where the map should look: a box, no closer than `maxZoom`, or a view it has shown. */
type MapRequest = { readonly bounds: Bounds; readonly maxZoom: number } | { readonly view: View };

interface MapPresence {
  readonly mode: MapMode;
  /** The pointer's position, else the map's center. */
  readonly place: readonly [number, number] | null;
  readonly metersPerPixel: number;
  /** What Explore's map shows; null before its first drawing. */
  readonly view: Bounds | null;
  readonly request: MapRequest | null;
  /** A visited point, marked until the next one. */
  readonly mark: readonly [number, number] | null;
  readonly history: ViewHistory;
  readonly isTilted: boolean;
  readonly isLayersOpen: boolean;
  /** The parcel that the user saw when it was selected, on the map or where they stand: the map does not follow it. */
  readonly seen: number | null;
}

export const mapPresence = createStore<MapPresence>(null, {
  mode: 'browse',
  place: null,
  metersPerPixel: 0,
  view: null,
  request: null,
  mark: null,
  history: noViews,
  isTilted: false,
  isLayersOpen: false,
  seen: null,
});

export const setMode = (mode: MapMode): void => mapPresence.set({ mode });

/** Choosing the same mode again leaves it. */
export const toggleMode = (mode: MapMode): void =>
  mapPresence.set((before) => ({ mode: before.mode === mode ? 'browse' : mode }));

export const showBounds = (bounds: Bounds, maxZoom = 17): void => mapPresence.set({ request: { bounds, maxZoom } });

/** Shows the view before or after. @returns false if there is none */
export function stepView(by: 1 | -1): boolean {
  const history = stepped(mapPresence.get().history, by);
  const view = history?.views[history.at];
  if (!history || !view) return false;
  mapPresence.set({ history, request: { view } });
  return true;
}

/** Moves to a point and marks it. */
export function showPlace(longitude: number, latitude: number): void {
  mapPresence.set({ mark: [longitude, latitude] });
  showBounds([longitude, latitude, longitude, latitude], 15.5);
}

export const choiceOf = (
  layers: MapMemory['layers'],
  source: string,
  isOnAtFirst: boolean,
  opacity = 100,
): LayerChoice => layers[source] ?? { isOn: isOnAtFirst, opacity };

export const chooseLayer = (source: string, choice: LayerChoice): void =>
  mapMemory.set(({ layers }) => ({ layers: { ...layers, [source]: choice } }));
