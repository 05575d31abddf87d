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
import type { LonLat } from './bearing.ts';
import { type Mark, type Plate, platesOf } from './field-plates.ts';
import { field } from './field-state.ts';
import { running } from './track.ts';

export type FieldMarks = ReadOutputOf<'field_marks'>;
export type Waypoint = FieldMarks['waypoints'][number];

const none: FieldMarks = { waypoints: [], tracks: [], photos: [] };

export const useMarks = (): FieldMarks => useRead('field_marks', {}, { isLasting: true }).data ?? none;

/** @returns the plates that it draws */
export function useMarksOnMap(map: MapLibre | null): readonly Plate[] {
  const marks = useMarks();
  const { aim } = useStore(field);
  const { track } = useStore(running);
  const id = track?.id ?? null;
  const plates = useMemo(() => platesOf(marksOf(marks)), [marks]);
  const data = useMemo((): FeatureCollection => {
    const isAim = (at: LonLat) => aim !== null && aim.longitude === at.longitude && aim.latitude === at.latitude;
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
        ...plates.map(
          ({ longitude, latitude, marks: there }): Feature => ({
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [longitude, latitude] },
            properties: { name: there.map(({ name }) => name).join('\n'), isAim: there.some(isAim) },
          }),
        ),
      ],
    };
  }, [marks, plates, aim, id]);
  useEffect(() => {
    if (map) return whenStyled(map, () => void map.getSource<GeoJSONSource>(markedSource)?.setData(data));
  }, [map, data]);
  return plates;
}

function marksOf({ photos, waypoints }: FieldMarks): Mark[] {
  return [
    ...photos.flatMap(({ photo_id: id, name, longitude, latitude }): Mark[] =>
      longitude === null || latitude === null ? [] : [{ kind: 'photo', id, name, longitude, latitude }],
    ),
    ...waypoints.map(
      ({ waypoint_id: id, name, longitude, latitude }): Mark => ({ kind: 'waypoint', id, name, longitude, latitude }),
    ),
  ];
}
