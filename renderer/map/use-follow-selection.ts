/** Brings a parcel selected elsewhere into view; leaves the map alone if all of it is already visible. */
import type { Geometry } from 'geojson';
import { useEffect } from 'react';
import { useRead } from '../state/client-context.tsx';
import { boxOf } from './geometry-box.ts';
import type { Box } from './map-sources.ts';
import { mapPresence } from './map-state.ts';
import { fitMap, type MapLibre } from './open-map.ts';
import { lotsFrom } from './parcel-layers.ts';
import type { MapLot } from './picked-layers.ts';

/** Where lots are large enough to be told apart. */
const readable = 14;

/** @param neighbours those that abut it or face it come into view with it; those within a distance may be far off */
export function useFollowSelection(map: MapLibre | null, selected: number | null, neighbours: readonly MapLot[]): void {
  const { data } = useRead('parcel', { id: selected ?? 0 }, { when: selected !== null, isLasting: true });
  const shape = data?.parcel.property_id === selected ? (data?.parcel.shape as Geometry | null) : null;
  useEffect(() => {
    if (mapPresence.get().seen !== selected) mapPresence.set({ seen: null });
    const box = map && shape ? boxOf(shape) : null;
    if (!map || !box || mapPresence.get().seen === selected) return;
    return whenStill(map, () => bringIntoView(map, box));
  }, [map, shape, selected]);
  useEffect(() => {
    // What is selected on the map leaves its view alone.
    if (!map || !shape || neighbours.length === 0 || mapPresence.get().seen !== null) return;
    const numbers = neighbours.flatMap(({ as, place }) => (place && as !== 'within' ? [[...place]] : []));
    const geometries: Geometry[] = [shape, { type: 'MultiPoint', coordinates: numbers }];
    const box = boxOf({ type: 'GeometryCollection', geometries });
    if (box) return whenStill(map, () => bringIntoView(map, box, true));
  }, [map, shape, neighbours]);
}

/** During a flight nothing is in view yet, and another flight would end it. */
function whenStill(map: MapLibre, work: () => void): () => void {
  let frame = 0;
  const look = () => {
    if (map.isMoving()) map.once('moveend', soon);
    else work();
  };
  // A replaced flight also ends: one frame later it is known whether another is running.
  const soon = () => {
    frame = requestAnimationFrame(look);
  };
  look();
  return () => {
    map.off('moveend', soon);
    cancelAnimationFrame(frame);
  };
}

/** @param isReadable whether lots have to be drawn in it */
function bringIntoView(map: MapLibre, box: Box, isReadable = false): void {
  const view = map.getBounds();
  const [west, south, east, north] = box;
  const isInView = view.contains([west, south]) && view.contains([east, north]);
  if (isInView && !(isReadable && map.getZoom() < lotsFrom)) return;
  const isSeen = map.cameraForBounds([west, south, east, north], { padding: 32 })?.zoom ?? readable;
  // Only pans, unless lots are not drawn at this zoom or the parcel is too large for it.
  const zoom = map.getZoom() < lotsFrom ? readable : map.getZoom();
  fitMap(map, [west, south, east, north], Math.min(zoom, isSeen));
}
