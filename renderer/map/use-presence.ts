/** The map's view and the pointer's position, for the status bar, the scale and the next window. */
import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect } from 'react';
import { useStore } from '../state/store.ts';
import { mapMemory, mapPresence } from './map-state.ts';
import { fitMap, type MapLibre } from './open-map.ts';
import { metersPerPixel } from './units.ts';

export function usePresence(map: MapLibre | null, homeKey: string): void {
  useEffect(() => {
    if (!map) return;
    const say = () => {
      const { lng, lat } = map.getCenter();
      mapPresence.set({ place: [lng, lat], metersPerPixel: metersPerPixel(lat, map.getZoom()) });
    };
    const remember = () => {
      const { lng, lat } = map.getCenter();
      mapMemory.set({ homeKey, center: [lng, lat], zoom: map.getZoom() });
    };
    const point = ({ lngLat }: MapMouseEvent) => mapPresence.set({ place: [lngLat.lng, lngLat.lat] });
    map.on('move', say);
    map.on('moveend', remember);
    map.on('mousemove', point);
    map.on('mouseout', say);
    say();
    remember();
    return () => {
      map.off('move', say);
      map.off('moveend', remember);
      map.off('mousemove', point);
      map.off('mouseout', say);
      mapPresence.set({ place: null, metersPerPixel: 0, mode: 'browse' });
    };
  }, [map, homeKey]);
}

/** Moves the map as requested. */
export function useMapRequests(map: MapLibre | null): void {
  const { request } = useStore(mapPresence);
  useEffect(() => {
    if (!map || !request) return;
    const [west, south, east, north] = request.bounds;
    fitMap(map, [west, south, east, north], request.maxZoom);
    mapPresence.set({ request: null });
  }, [map, request]);
}
