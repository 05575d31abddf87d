/** The style of Explore's map; rebuilt only when something it shows has changed. */
import type { MultiPolygon, Polygon } from 'geojson';
import { useMemo } from 'react';
import type { FilterBody } from '../explore/filter-body.ts';
import { useRead } from '../state/client-context.tsx';
import { settings } from '../state/settings.ts';
import { useStore } from '../state/store.ts';
import { parseArea } from './area-wkt.ts';
import { fillByName } from './fills.ts';
import type { MapSources } from './map-sources.ts';
import { mapMemory, mapPresence } from './map-state.ts';
import { buildStyle } from './map-style.ts';
import type { MapTokens } from './map-tokens.ts';
import type { StyleSpecification } from './open-map.ts';
import { lotsFrom } from './parcel-layers.ts';
import { sidesOf } from './sides.ts';
import { formatLength } from './units.ts';

export interface ShownOnMap {
  readonly sources: MapSources;
  readonly tokens: MapTokens;
  readonly filter: FilterBody;
  readonly selected: number | null;
  readonly limits: readonly number[];
  readonly cellLimits: readonly number[];
  /** The lot whose sides are measured. */
  readonly measured: Polygon | MultiPolygon | null;
}

/** WKT of the filter's area. */
export const areaOf = ({ geom_intersects: wkt }: FilterBody): string | null => (typeof wkt === 'string' ? wkt : null);

export function useMapStyle(shown: ShownOnMap): StyleSpecification {
  const { sources, tokens, filter, limits, cellLimits, measured } = shown;
  const { fill, label, layers } = useStore(mapMemory);
  const { units } = useStore(settings);
  const { mode, mark } = useStore(mapPresence);
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
  return useMemo(
    () =>
      buildStyle({
        sources,
        tokens,
        fill: fillByName(fill),
        limits,
        units,
        cellLimits,
        memory: { layers, label },
        marks: [...(mark ? [mark] : []), ...(point ? [point] : [])],
        area,
        sides,
      }),
    [sources, tokens, fill, limits, units, cellLimits, layers, label, mark, point, area, sides],
  );
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
