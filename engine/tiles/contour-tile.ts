/** Contour tiles: lines of equal height in feet, from the kept heights of the ground. */

import { thinned } from '../geo/thinned.ts';
import type { LandStore } from '../store/land-store.ts';
import { contourLines } from '../terrain/contour-lines.ts';
import { boldEach, intervalFeet } from '../terrain/interval.ts';
import { extent, LayerWriter, writeTile } from './mvt-writer.ts';
import { heightsOf, steepest } from './terrain-source.ts';
import { buffer, type TilePlace } from './tile-place.ts';

/** Below this zoom contours would cover everything; at it only bold ones are drawn. */
export const leastContourZoom = 11;

/** Cells of the lattice across a tile, and beyond each edge, as far as lines are drawn. */
const cellsAcross = 128;
const unitsPerCell = extent / cellsAcross;
const cellsBeyond = buffer / unitsPerCell;
const side = cellsAcross + 2 * cellsBeyond + 1;

/** In tile units: dropped points are at most this far from the line, and shorter rings are dropped. */
const tolerance = 1.6;
const leastRing = 160;

export function contourTile(land: LandStore, place: TilePlace): Uint8Array | null {
  const ground = heightsOf(land);
  if (place.z < leastContourZoom || ground === null) return null;
  const lattice = { from: -cellsBeyond / cellsAcross, step: 1 / cellsAcross, side };
  const heights = ground.lattice(place.z, place.x, place.y, lattice);
  const interval = contourInterval(land, place.z);
  const spacing = interval * (place.z === leastContourZoom ? boldEach : 1);
  const contours = new LayerWriter('contours', ['ft', 'is_bold']);
  for (const { feet, isBold, points, isRing } of contourLines(heights, side, interval, spacing)) {
    toUnits(points);
    if (isRing && lengthOf(points) < leastRing) continue;
    const line = new Int32Array(thinned(points, tolerance, isOnEdge).map(Math.round));
    contours.line(line, line.length / 2);
    contours.feature(contours.count + 1, [feet, isBold]);
  }
  return writeTile([contours]);
}

/** Feet between two contours at a zoom, the same over the whole map. */
export function contourInterval(land: LandStore, zoom: number): number {
  const { slope, latitude } = steepest(land);
  return intervalFeet(slope, latitude, Math.min(zoom, deepestContourZoom));
}

/** Deeper zooms enlarge tiles of this one. */
export const deepestContourZoom = 16;

/** Points on the tile's edge stay, so that lines meet those of the next tile. */
const isOnEdge = (x: number, y: number): boolean => x === 0 || x === extent || y === 0 || y === extent;

/** From places of the lattice, in place. */
function toUnits(points: Float64Array): void {
  for (let at = 0; at < points.length; at++) points[at] = ((points[at] as number) - cellsBeyond) * unitsPerCell;
}

function lengthOf(points: Float64Array): number {
  let length = 0;
  for (let at = 2; at < points.length; at += 2) {
    const dx = (points[at] as number) - (points[at - 2] as number);
    const dy = (points[at + 1] as number) - (points[at - 1] as number);
    length += Math.sqrt(dx * dx + dy * dy);
  }
  return length;
}
