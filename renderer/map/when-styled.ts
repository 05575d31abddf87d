/**
 * Runs work on a map's sources and layers, which do not exist while its style loads: at first, on its next screen, and
 * after its graphics context was lost, which also takes all feature states and what others have added to the style.
 */
import type { MapLibre } from './open-map.ts';
import { parcelSource } from './parcel-layers.ts';

/**
 * Runs `work` when the style is there, at once or later, and again after its context was lost.
 * @param work may return a function that undoes it
 * @returns a function that undoes it, or cancels it before it ran
 */
export function whenStyled(map: MapLibre, work: () => (() => void) | undefined): () => void {
  let undo: (() => void) | undefined;
  let isDue = true;
  const leave = () => {
    undo?.();
    undo = undefined;
    isDue = true;
  };
  // Each change of a style fires the event, and keeps what is on it.
  const run = () => {
    if (!isDue) return;
    isDue = false;
    undo = work();
  };
  map.on('style.load', run);
  map.on('webglcontextlost', leave);
  // Every style of ours has this source; maplibre does not distinguish a loaded style from one with loading tiles.
  if (map.getSource(parcelSource)) run();
  return () => {
    map.off('style.load', run);
    map.off('webglcontextlost', leave);
    leave();
  };
}
