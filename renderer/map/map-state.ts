/** The map's stored state (view, switches) and the state that is lost with the window. */
import { createStore } from '../state/store.ts';
import type { FillName } from './fills.ts';

export type LabelName = 'acres' | 'apn' | 'owner' | 'none';

export interface LayerChoice {
  readonly isOn: boolean;
  /** Percent, 0 to 100. */
  readonly opacity: number;
}

export interface MapMemory {
  /** The home of the view; another one starts with its whole county. */
  readonly homeKey: string;
  readonly center: readonly [number, number] | null;
  readonly zoom: number;
  readonly fill: FillName;
  readonly label: LabelName;
  /** By source; others have their default. */
  readonly layers: Readonly<Record<string, LayerChoice>>;
  readonly isLegendOpen: boolean;
}

export const mapMemory = createStore<MapMemory>('platbook.map', {
  homeKey: '',
  center: null,
  zoom: 12,
  fill: 'value_per_acre',
  label: 'acres',
  layers: {},
  isLegendOpen: true,
});

/** What the pointer does on the map. */
export type MapMode = 'browse' | 'box' | 'draw' | 'measure';

/** Where the map should look; the number repeats a request for the same place. */
export interface MapRequest {
  readonly turn: number;
  readonly bounds: readonly [number, number, number, number];
  /** No closer than this. */
  readonly maxZoom: number;
}

export interface MapPresence {
  readonly mode: MapMode;
  /** The pointer's position, else the map's center. */
  readonly place: readonly [number, number] | null;
  readonly metersPerPixel: number;
  readonly request: MapRequest | null;
  /** A visited point, marked until the next one. */
  readonly mark: readonly [number, number] | null;
}

export const mapPresence = createStore<MapPresence>(null, {
  mode: 'browse',
  place: null,
  metersPerPixel: 0,
  request: null,
  mark: null,
});

export const setMode = (mode: MapMode): void => mapPresence.set({ mode });

/** Choosing the same mode again leaves it. */
export const toggleMode = (mode: MapMode): void =>
  mapPresence.set((before) => ({ mode: before.mode === mode ? 'browse' : mode }));

export const showBounds = (bounds: MapRequest['bounds'], maxZoom = 17): void =>
  mapPresence.set(({ request }) => ({ request: { turn: (request?.turn ?? 0) + 1, bounds, maxZoom } }));

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
