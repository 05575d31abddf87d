/** The style of Explore's map; rebuilt only when something it shows has changed. */
import type { MultiPolygon, Polygon } from 'geojson';
import { useMemo } from 'react';
import type { FilterBody } from '../explore/filter-body.ts';
import { fieldMarks, withMarks } from '../field/field-layers.ts';
import { useMarksOnMap } from '../field/use-marks.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { parseArea } from './area-wkt.ts';
import { fillByName } from './fills.ts';
import { useDrawnLayers } from './ground-pace.ts';
import type { MapSources } from './map-sources.ts';
import { choiceOf, mapMemory, mapPresence } from './map-state.ts';
import { buildStyle } from './map-style.ts';
import type { MapTokens } from './map-tokens.ts';
import type { StyleSpecification } from './open-map.ts';
import { lotsFrom } from './parcel-layers.ts';
import { namesOver, photoShown } from './photo.ts';
import { sidesOf } from './sides.ts';
import { formatLength } from './units.ts';
import type { Dots } from './use-match-dots.ts';

interface ShownOnMap {
  readonly sources: MapSources;
  readonly tokens: MapTokens;
  readonly filter: FilterBody;
  readonly selected: number | null;
  readonly limits: readonly number[];
  readonly cellLimits: readonly number[];
  readonly dots: Dots | null;
  readonly isGrid: boolean;
  readonly isUnsearched: boolean;
  /** The lot whose sides are measured. */
  readonly measured: Polygon | MultiPolygon | null;
}

/** WKT of the filter's area. */
export const areaOf = ({ geom_intersects: wkt }: FilterBody): string | null => (typeof wkt === 'string' ? wkt : null);

export function useMapStyle(shown: ShownOnMap): StyleSpecification {
  const { sources, tokens, filter, limits, cellLimits, dots, isGrid, isUnsearched, measured } = shown;
  const { fill, label: onMap, look, photo } = useStore(mapMemory);
  const layers = useDrawnLayers();
  const label = photoShown(sources, { look, photo }) ? namesOver(layers) : onMap;
  const { units } = useStore(settings);
  const { mode, mark, isTilted } = useStore(mapPresence);
  const { data } = useMarksOnMap();
  const point = useSelectedPoint(shown.selected);
  const wkt = areaOf(filter);
  const area = useMemo(() => (wkt === null || mode === 'draw' ? null : parseArea(wkt)), [wkt, mode]);
  const sides = useMemo(
    () =>
      measured
        ? sidesOf(measured).map(({ middle, meters }) => ({ at: middle, words: formatLength(meters, units) }))
        : [],
    [measured, units],
  );
  return useMemo(() => {
    const style = buildStyle({
      sources,
      tokens,
      fill: fillByName(fill),
      limits,
      units,
      cellLimits,
      dots,
      isGrid,
      isUnsearched,
      isTilted,
      memory: { layers, label, look, photo },
      marks: [...(mark ? [mark] : []), ...(point ? [point] : [])],
      area,
      sides,
    });
    return choiceOf(layers, fieldMarks, true).isOn ? withMarks(style, tokens, data) : style;
  }, [
    sources,
    tokens,
    fill,
    limits,
    units,
    cellLimits,
    dots,
    isGrid,
    isUnsearched,
    isTilted,
    layers,
    label,
    look,
    photo,
    mark,
    point,
    area,
    sides,
    data,
  ]);
}

/** The location of the selected parcel, while lots are too small to see. */
function useSelectedPoint(selected: number | null): readonly [number, number] | null {
  const { zoom } = useStore(mapMemory);
  const isSmall = zoom < lotsFrom;
  const { data } = useRead('parcel', { id: selected ?? 0 }, { when: selected !== null && isSmall, isLasting: true });
  const at = data?.parcel.point as readonly [number, number] | null | undefined;
  const isThis = data?.parcel.property_id === selected;
  const [longitude, latitude] = at ?? [];
  return useMemo(
    () => (isSmall && isThis && longitude !== undefined && latitude !== undefined ? [longitude, latitude] : null),
    [isSmall, isThis, longitude, latitude],
  );
}
