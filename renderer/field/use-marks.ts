/** Waypoints, photos and ended tracks, as kept. */
import type { Feature, FeatureCollection } from 'geojson';
import { useMemo } from 'react';
import type { ReadOutputOf } from '../../engine/reads/index.ts';
import { useRead } from '../state/client-context.tsx';
import { useStore } from '../state/store.ts';
import type { LonLat } from './bearing.ts';
import { mostSigns } from './field-layers.ts';
import { type Mark, type Plate, platesOf } from './field-plates.ts';
import { field } from './field-state.ts';
import { running } from './track.ts';

export type FieldMarks = ReadOutputOf<'field_marks'>;
export type Waypoint = FieldMarks['waypoints'][number];

const none: FieldMarks = { waypoints: [], tracks: [], photos: [] };

export const useMarks = (): FieldMarks => useRead('field_marks', {}, { isLasting: true }).data ?? none;

interface MarksOnMap {
  readonly plates: readonly Plate[];
  readonly data: FeatureCollection;
}

export function useMarksOnMap(): MarksOnMap {
  const marks = useMarks();
  const { aim } = useStore(field);
  const { track } = useStore(running);
  const id = track?.id ?? null;
  return useMemo(() => {
    const plates = platesOf(marksOf(marks));
    const isAim = (at: LonLat) => aim !== null && aim.longitude === at.longitude && aim.latitude === at.latitude;
    const data: FeatureCollection = {
      type: 'FeatureCollection',
      features: [
        ...marks.tracks
          .filter(({ track_id: one }) => one !== id)
          .flatMap(({ lines }) => lines.filter((line) => line.length > 1))
          .map(
            (line): Feature => ({
              type: 'Feature',
              geometry: { type: 'LineString', coordinates: line.map((at) => [...at]) },
              properties: {},
            }),
          ),
        ...plates.map(
          ({ longitude, latitude, marks: there }): Feature => ({
            type: 'Feature',
            geometry: { type: 'Point', coordinates: [longitude, latitude] },
            properties: { ...wordsOf(there), isAim: there.some(isAim) },
          }),
        ),
      ],
    };
    return { plates, data };
  }, [marks, aim, id]);
}

/** As `plateText` reads them. */
function wordsOf(marks: readonly Mark[]): Record<string, string> {
  const names = marks.map(({ name }) => `\u00a0\u00a0${name}`);
  const last = names.slice(mostSigns - 1).join('\n');
  return Object.fromEntries(
    marks.slice(0, mostSigns).flatMap(({ kind }, i) => [
      [`sign${i}`, `mark-${kind}`],
      [`name${i}`, i === mostSigns - 1 ? last : `${names[i]}${i + 1 < marks.length ? '\n' : ''}`],
    ]),
  );
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
