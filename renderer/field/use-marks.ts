/** Waypoints, photos and ended tracks, as kept. */
import type { Feature, FeatureCollection } from 'geojson';
import type { GeoJSONSource } from 'maplibre-gl';
import { useEffect, useMemo } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { markedSource } from '../map/kept-sources.ts';
import type { MapLibre } from '../map/open-map.ts';
import { whenStyled } from '../map/when-styled.ts';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import { field } from './field-state.ts';
import { running } from './track.ts';

export type FieldMarks = ReadOutputOf<'field_marks'>;
export type Waypoint = FieldMarks['waypoints'][number];

const none: FieldMarks = { waypoints: [], tracks: [], photos: [] };

export const useMarks = (): FieldMarks => useRead('field_marks', {}, { isLasting: true }).data ?? none;

/** @returns what it draws */
export function useMarksOnMap(map: MapLibre | null): FeatureCollection {
  const marks = useMarks();
  const { aim } = useStore(field);
  const { track } = useStore(running);
  const id = track?.id ?? null;
  const data = useMemo((): FeatureCollection => {
    const isAim = (at: { longitude: number | null; latitude: number | null }) =>
      aim !== null && aim.longitude === at.longitude && aim.latitude === at.latitude;
    const point = (
      at: { longitude: number | null; latitude: number | null; name: string },
      kind: 'waypoint' | 'photo',
      mark: number,
    ): Feature[] =>
      at.longitude === null || at.latitude === null
        ? []
        : [
            {
              type: 'Feature',
              geometry: { type: 'Point', coordinates: [at.longitude, at.latitude] },
              properties: { kind, mark, name: at.name, isAim: isAim(at) },
            },
          ];
    return {
      type: 'FeatureCollection',
      features: [
        ...marks.tracks
          .filter(({ track_id: one, line }) => one !== id && line.length > 1)
          .map(
            ({ line }): Feature => ({
              type: 'Feature',
              geometry: { type: 'LineString', coordinates: line.map((at) => [...at]) },
              properties: {},
            }),
          ),
        ...marks.photos.flatMap((photo) => point(photo, 'photo', photo.photo_id)),
        ...marks.waypoints.flatMap((waypoint) => point(waypoint, 'waypoint', waypoint.waypoint_id)),
      ],
    };
  }, [marks, aim, id]);
  useEffect(() => {
    if (map) return whenStyled(map, () => void map.getSource<GeoJSONSource>(markedSource)?.setData(data));
  }, [map, data]);
  return data;
}
