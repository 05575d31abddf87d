/** A place's number along a Hilbert curve, so that near places have near numbers. */
import { maxLatitude, maxLongitude } from './geometry.ts';

const order = 16;
const cells = 2 ** order;

function cellOf(degrees: number, limit: number): number {
  const cell = Math.floor(((degrees + limit) / (2 * limit)) * cells);
  return Math.min(Math.max(cell, 0), cells - 1);
}

/**
 * Position of a place (degrees) along a Hilbert curve of order 16 over the world's box: an unsigned 32-bit integer.
 * Cells are 0.0055° by 0.0027°. Rows stored in this order lie near their neighbors in the file, so a map window reads
 * few pages. Places outside the box take the nearest cell.
 *
 * The curve starts at the south-west corner, first runs east, and ends at the south-east corner (the xy → d conversion
 * of https://en.wikipedia.org/wiki/Hilbert_curve).
 */
export function hilbertIndex(longitude: number, latitude: number): number {
  let x = cellOf(longitude, maxLongitude);
  let y = cellOf(latitude, maxLatitude);
  let position = 0;
  for (let side = cells / 2; side >= 1; side /= 2) {
    const isEast = (x & side) !== 0;
    const isNorth = (y & side) !== 0;
    const quadrant = isNorth ? (isEast ? 2 : 1) : isEast ? 3 : 0;
    position += quadrant * side * side;
    if (isNorth) continue;
    // the lower quadrants hold the curve rotated: transposed in the west, mirrored at the other diagonal in the east
    if (isEast) {
      x = cells - 1 - x;
      y = cells - 1 - y;
    }
    const turned = x;
    x = y;
    y = turned;
  }
  return position;
}
