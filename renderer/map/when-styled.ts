/**
 * Runs work on a map's sources and layers, which do not exist while its style loads: at first, and on its next screen.
 */
import type { MapLibre } from './open-map.ts';
import { parcelSource } from './parcel-layers.ts';

/**
 * Runs `work` when the style is there, at once or later.
 * @param work may return a function that undoes it
 * @returns a function that undoes it, or cancels it before it ran
 */
export function whenStyled(map: MapLibre, work: () => (() => void) | undefined): () => void {
  // Every style of ours has this source; maplibre does not distinguish a loaded style from one with loading tiles.
  if (map.getSource(parcelSource)) return work() ?? (() => {});
  let undo: (() => void) | undefined;
  const run = () => {
    undo = work();
  };
  map.once('style.load', run);
  return () => {
    map.off('style.load', run);
    undo?.();
  };
}
