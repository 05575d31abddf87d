/** Work on the sources and layers of a map, which has none while its style is on its way: at first, and on its next screen. */
import type { MapLibre } from './open-map.ts';
import { parcelSource } from './parcel-layers.ts';

/**
 * Runs when the style is there, at once or as soon as it is.
 * @param work may return what undoes it
 * @returns undoes it, or forgets it where it has not run
 */
export function whenStyled(map: MapLibre, work: () => (() => void) | undefined): () => void {
  // Every style of ours has it; maplibre itself does not tell a style that is there from one whose tiles are not.
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
