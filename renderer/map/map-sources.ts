/** The drawable sources: the engine's list, with titles for the kinds of layers. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { isMapOnly, layerTitle as titleOfKind } from '../../engine/spec/layer-titles.ts';
import { useRead } from '../state/client-context.tsx';

export type MapSources = ReadOutputOf<'map_sources'>;
export type UserLayer = MapSources['layers'][number];
export type BaseMap = MapSources['bases'][number];
export type Box = readonly [west: number, south: number, east: number, north: number];

/** Null until loaded. */
export const useMapSources = (): MapSources | null => useRead('map_sources', {}, { isLasting: true }).data ?? null;

/** The title of its kind; of a layer that is only drawn its own. */
export const layerTitle = ({ kind, title }: Pick<UserLayer, 'kind' | 'title'>): string =>
  isMapOnly(kind) ? title : titleOfKind(kind);
