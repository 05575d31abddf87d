/** Relief tiles: the shaded ground as pictures. */
import { pixelMeters } from '../geo/web-mercator.ts';
import type { LandStore } from '../store/land-store.ts';
import { edgeFade, fadeAlpha } from '../terrain/edge-fade.ts';
import { shaded } from '../terrain/shade.ts';
import { writePng } from './png-writer.ts';
import { heightsOf } from './terrain-source.ts';
import type { TilePlace } from './tile-place.ts';

export const leastReliefZoom = 8;
/** Deeper zooms enlarge tiles of this one. */
export const deepestReliefZoom = 15;

/** Pixels across a picture. */
const pixels = 256;
const side = pixels + 2;

export function reliefTile(land: LandStore, place: TilePlace): Uint8Array | null {
  const ground = heightsOf(land);
  if (place.z < leastReliefZoom || place.z > deepestReliefZoom || ground === null) return null;
  const lattice = { from: -0.5 / pixels, step: 1 / pixels, side };
  const heights = ground.lattice(place.z, place.x, place.y, lattice);
  const { minY, maxY } = place.bounds(0);
  const picture = shaded(heights, side, pixelMeters((minY + maxY) / 2, place.z, pixels), place.z);
  if (picture === null) return null;
  const fade = edgeFade(ground, place.z, place.x, place.y);
  if (fade) fadeAlpha(picture, pixels, fade);
  return writePng(picture, pixels);
}
