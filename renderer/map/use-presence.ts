/** The map's view and the pointer's position, for the status bar, the scale, Back of the view and the next window. */
import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect } from 'react';
import { useStore } from '../state/store.ts';
import { mapMemory, mapPresence } from './map-state.ts';
import { fitMap, type MapLibre } from './open-map.ts';
import { metersPerPixel } from './units.ts';
import { noViews, type View, withView } from './view-history.ts';

/** From above, degrees: the far edge of the window stays readable. */
const tiltDegrees = 50;

export function usePresence(map: MapLibre | null, homeKey: string): void {
  useEffect(() => {
    if (!map) return;
    const say = () => {
      const { lng, lat } = map.getCenter();
      mapPresence.set({ place: [lng, lat], metersPerPixel: metersPerPixel(lat, map.getZoom()) });
    };
    const remember = () => {
      const { lng, lat } = map.getCenter();
      const view: View = { center: [lng, lat], zoom: map.getZoom() };
      // Another home has other places.
      const isSameHome = mapMemory.get().homeKey === homeKey;
      mapMemory.set({ homeKey, ...view });
      const [[west, south], [east, north]] = map.getBounds().toArray();
      mapPresence.set(({ history }) => ({
        view: [west, south, east, north],
        history: withView(isSameHome ? history : noViews, view),
      }));
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
      mapPresence.set({ place: null, metersPerPixel: 0, view: null, mode: 'browse', isLayersOpen: false });
    };
  }, [map, homeKey]);
}

/** Moves the map as requested. */
export function useMapRequests(map: MapLibre | null): void {
  const { request } = useStore(mapPresence);
  useEffect(() => {
    if (!map || !request) return;
    mapPresence.set({ request: null });
    if ('view' in request) {
      const { center, zoom } = request.view;
      map.easeTo({ center: [...center], zoom, duration: 400 });
      return;
    }
    const [west, south, east, north] = request.bounds;
    fitMap(map, [west, south, east, north], request.maxZoom);
  }, [map, request]);
}

/** Looks from the south while the user wants it; otherwise no gesture tilts the map. */
export function useTilt(map: MapLibre | null): void {
  const { isTilted } = useStore(mapPresence);
  useEffect(() => {
    if (!map || !isTilted) return;
    map.setMaxPitch(tiltDegrees);
    map.easeTo({ pitch: tiltDegrees, duration: 400 });
    return () => {
      map.jumpTo({ pitch: 0 });
      map.setMaxPitch(0);
    };
  }, [map, isTilted]);
}
