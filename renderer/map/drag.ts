/** A drag on the map by the mouse or by one finger; maplibre gives each its own events. */
import type { MapMouseEvent, MapTouchEvent } from 'maplibre-gl';
import type { MapLibre } from './open-map.ts';

export type DragEvent = MapMouseEvent | MapTouchEvent;

export interface Drag {
  readonly press: (event: DragEvent) => void;
  /** The mouse moves without a press, too. */
  readonly move: (event: DragEvent) => void;
  readonly release: (event: DragEvent) => void;
  /** A second finger came, or the system took the first. */
  readonly drop: () => void;
}

export const isTouch = (event: DragEvent): event is MapTouchEvent => event.type.startsWith('touch');

/** @returns a function that stops listening */
export function onDrag(map: MapLibre, { press, move, release, drop }: Drag): () => void {
  const pressOne = (event: MapTouchEvent) => (event.points.length > 1 ? drop() : press(event));
  const mouse = { mousedown: press, mousemove: move, mouseup: release };
  const touch = { touchstart: pressOne, touchmove: move, touchend: release, touchcancel: drop };
  const subscriptions = [
    ...Object.entries(mouse).map(([type, listen]) => map.on(type as keyof typeof mouse, listen)),
    ...Object.entries(touch).map(([type, listen]) => map.on(type as keyof typeof touch, listen)),
  ];
  return () => {
    for (const one of subscriptions) one.unsubscribe();
  };
}
