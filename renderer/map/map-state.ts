/** What the map remembers (where it looks, what is switched on) and what passes with the window. */
import { createStore } from '../state/store.ts';
import type { FillName } from './fills.ts';

export type LabelName = 'acres' | 'apn' | 'owner' | 'none';

export interface LayerChoice {
  readonly isOn: boolean;
  /** Percent, 0 to 100. */
  readonly opacity: number;
}

export interface MapMemory {
  /** Which home the view belongs to; another one begins with its county in full. */
  readonly homeKey: string;
  readonly center: readonly [number, number] | null;
  readonly zoom: number;
  readonly fill: FillName;
  readonly label: LabelName;
  /** By source; what is not named is as it begins. */
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

/** Where the map should look; the number makes the same place new. */
export interface MapRequest {
  readonly turn: number;
  readonly bounds: readonly [number, number, number, number];
  /** No closer than this. */
  readonly maxZoom: number;
}

export interface MapPresence {
  readonly mode: MapMode;
  /** Where the pointer, else the middle of the map is. */
  readonly place: readonly [number, number] | null;
  readonly metersPerPixel: number;
  readonly request: MapRequest | null;
  /** A point that was gone to, marked until the next one. */
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

/** The same again leaves the mode. */
export const toggleMode = (mode: MapMode): void =>
  mapPresence.set((before) => ({ mode: before.mode === mode ? 'browse' : mode }));

export const showBounds = (bounds: MapRequest['bounds'], maxZoom = 17): void =>
  mapPresence.set(({ request }) => ({ request: { turn: (request?.turn ?? 0) + 1, bounds, maxZoom } }));

/** Goes to a point and marks it. */
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
