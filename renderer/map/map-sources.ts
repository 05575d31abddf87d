/** The drawable sources: the engine's list, with titles for the kinds of layers. */
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { layerTitle as titleOfKind } from '../../engine/spec/layer-titles.ts';
import { useRead } from '../state/client-context.tsx';

export type MapSources = ReadOutputOf<'map_sources'>;
export type UserLayer = MapSources['layers'][number];
export type BaseMap = MapSources['bases'][number];
export type Box = readonly [west: number, south: number, east: number, north: number];

/** Null until loaded. */
export const useMapSources = (): MapSources | null => useRead('map_sources', {}, { isLasting: true }).data ?? null;

export const layerTitle = ({ kind }: Pick<UserLayer, 'kind'>): string => titleOfKind(kind);
