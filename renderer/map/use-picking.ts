/** Finds the parcel at a screen position: hover by what is drawn, a click by the engine, which knows every vertex. */
import type { MapMouseEvent, PointLike } from 'maplibre-gl';
import { useEffect, useRef } from 'react';
import type { EngineClient } from '../client/engine-client.ts';
import { useStore } from '../state/store.ts';
import { type DragEvent, onDrag } from './drag.ts';
import { mapPresence } from './map-state.ts';
import type { MapLibre } from './open-map.ts';
import { lotsFrom } from './parcel-layers.ts';

interface Picking {
  readonly onSelect: (id: number | null) => void;
  /** By Enter; again for the selected parcel. */
  readonly onEnter: (id: number | null) => void;
  readonly onToggle: (id: number) => void;
  readonly onHover: (id: number | null) => void;
}

/** Lots drawn at a point or in a box, smallest first. */
function lotsAt(map: MapLibre, place: PointLike | [PointLike, PointLike]): number[] {
  if (!map.getLayer('lot-fill')) return [];
  const found = map.queryRenderedFeatures(place, { layers: ['lot-fill'] });
  const byId = new Map(found.map(({ id, properties }) => [Number(id), Number(properties.acres ?? Infinity)]));
  return [...byId].sort(([, a], [, b]) => a - b).map(([id]) => id);
}

/** The matching lots in a box. */
export function matchesIn(map: MapLibre, from: PointLike, to: PointLike): number[] {
  const found = map.queryRenderedFeatures([from, to], { layers: ['lot-fill'] });
  return [...new Set(found.filter(({ state }) => state.match === true).map(({ id }) => Number(id)))];
}

/** The parcel at a point, exactly; null if there is none. */
export async function parcelAt(client: EngineClient, longitude: number, latitude: number): Promise<number | null> {
  const { property_id: id } = await client.read('parcel_at', { longitude, latitude });
  return id;
}

export function usePicking(map: MapLibre | null, client: EngineClient, picking: Picking): void {
  const { mode } = useStore(mapPresence);
  const latest = useRef(picking);
  latest.current = picking;
  useEffect(() => {
    if (!map || mode === 'draw' || mode === 'measure') return;
    const hover = ({ point }: MapMouseEvent) => {
      const id = map.getZoom() >= lotsFrom ? (lotsAt(map, point)[0] ?? null) : null;
      map.getCanvas().style.cursor = id === null ? '' : 'pointer';
      latest.current.onHover(id);
    };
    const leave = () => latest.current.onHover(null);
    let turn = 0;
    const click = ({ lngLat, originalEvent }: MapMouseEvent) => {
      if (originalEvent.shiftKey || originalEvent.detail > 1) return;
      turn += 1;
      const own = turn;
      void parcelAt(client, lngLat.lng, lngLat.lat).then((id) => own === turn && latest.current.onSelect(id));
    };
    map.on('mousemove', hover);
    map.on('mouseout', leave);
    map.on('click', click);
    return () => {
      map.off('mousemove', hover);
      map.off('mouseout', leave);
      map.off('click', click);
      map.getCanvas().style.cursor = '';
      latest.current.onHover(null);
    };
  }, [map, client, mode]);
  useCrosshair(map, client, latest);
}

/** With keyboard focus on the map, Enter selects the parcel under the center cross, and zooms to it if it is selected; Shift adds
 * it. */
function useCrosshair(map: MapLibre | null, client: EngineClient, latest: React.RefObject<Picking>): void {
  useEffect(() => {
    const canvas = map?.getCanvas();
    if (!map || !canvas) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      if (mapPresence.get().mode !== 'browse') return;
      event.preventDefault();
      const { lng, lat } = map.getCenter();
      void parcelAt(client, lng, lat).then((id) => {
        if (event.shiftKey && id !== null) latest.current.onToggle(id);
        else latest.current.onEnter(id);
      });
    };
    canvas.addEventListener('keydown', press);
    return () => canvas.removeEventListener('keydown', press);
  }, [map, client, latest]);
}

/** Drags a box without Shift, by a finger too, while the box tool is active. */
export function useBoxTool(map: MapLibre | null, onBox: (from: PointLike, to: PointLike) => void): void {
  const { mode } = useStore(mapPresence);
  const latest = useRef(onBox);
  latest.current = onBox;
  useEffect(() => {
    if (!map || mode !== 'box') return;
    const container = map.getContainer();
    const box = document.createElement('div');
    box.className = 'maplibregl-boxzoom';
    let start: { x: number; y: number } | null = null;
    const move = ({ point }: DragEvent) => {
      if (!start) return;
      box.style.transform = `translate(${Math.min(start.x, point.x)}px, ${Math.min(start.y, point.y)}px)`;
      box.style.width = `${Math.abs(point.x - start.x)}px`;
      box.style.height = `${Math.abs(point.y - start.y)}px`;
    };
    const press = (event: DragEvent) => {
      start = { x: event.point.x, y: event.point.y };
      move(event);
      container.append(box);
    };
    const drop = () => {
      start = null;
      box.remove();
    };
    const release = ({ point }: DragEvent) => {
      if (!start) return;
      latest.current([start.x, start.y], [point.x, point.y]);
      drop();
      mapPresence.set({ mode: 'browse' });
    };
    map.dragPan.disable();
    map.getCanvas().style.cursor = 'crosshair';
    const leave = onDrag(map, { press, move, release, drop });
    return () => {
      leave();
      map.dragPan.enable();
      map.getCanvas().style.cursor = '';
      box.remove();
    };
  }, [map, mode]);
}
