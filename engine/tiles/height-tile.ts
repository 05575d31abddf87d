/** Height tiles: the ground itself as pictures, from which the map raises it (raster-dem in the encoding "terrarium"). */
import type { LandStore } from '../store/land-store.ts';
import { firstHeightZoom, lastHeightZoom } from '../terrain/heights.ts';
import { writePng } from './png-writer.ts';
import { heightsOf } from './terrain-source.ts';
import type { TilePlace } from './tile-place.ts';

export const [leastHeightZoom, deepestHeightZoom] = [firstHeightZoom, lastHeightZoom];

/** Pixels across a picture. */
const pixels = 256;

/** Of a tile's corner: the map takes a pixel for the height at its upper left. */
const lattice = { from: 0, step: 1 / pixels, side: pixels };

/**
 * Where heights are unknown, the ground is level with the lowest that the tile knows, or the one around it: no cliff at a
 * county's line. Null far from the county.
 */
export function heightTile(land: LandStore, { z, x, y }: TilePlace): Uint8Array | null {
  const ground = heightsOf(land);
  if (z < leastHeightZoom || z > deepestHeightZoom || ground === null) return null;
  const lowest = [z, leastHeightZoom]
    .map((zoom) => lowestOf(ground.lattice(zoom, x >> (z - zoom), y >> (z - zoom), lattice)))
    .find(Number.isFinite);
  if (lowest === undefined) return null;
  const heights = ground.lattice(z, x, y, lattice);
  const picture = new Uint8Array(heights.length * 3);
  for (const [at, height] of heights.entries()) {
    // 1/256 m, from 32,768 m below the sea.
    const steps = Math.round(((Number.isNaN(height) ? lowest : height) + 32_768) * 256);
    picture[at * 3] = steps >> 16;
    picture[at * 3 + 1] = steps >> 8;
    picture[at * 3 + 2] = steps;
  }
  return writePng(picture, pixels, 3);
}

const lowestOf = (heights: Float32Array): number =>
  heights.reduce((least, height) => (height < least ? height : least), Number.POSITIVE_INFINITY);
