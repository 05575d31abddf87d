/**
 * Collects the corners of one ring on a tile. Corners are rounded to whole units first, and only repeated ones are dropped
 * then. So neighbors with a common border in degrees have it on the tile too, whichever way each ring runs, without gaps
 * or slivers.
 */
import type { Ring } from '../geo/geometry.ts';
import type { LayerWriter } from './mvt-writer.ts';

const usualNumbers = 4096;

export class RingCorners {
  #points = new Int32Array(usualNumbers);
  #length = 0;

  /** Starts a ring. @param corners upper limit of its corners */
  begin(corners: number): void {
    if (this.#points.length < corners * 2) this.#points = new Int32Array(corners * 4);
    this.#length = 0;
  }

  /** Units of the tile. */
  add(x: number, y: number): void {
    const points = this.#points;
    const length = this.#length;
    const cornerX = Math.floor(x + 0.5);
    const cornerY = Math.floor(y + 0.5);
    if (length > 0 && points[length - 2] === cornerX && points[length - 1] === cornerY) return;
    points[length] = cornerX;
    points[length + 1] = cornerY;
    this.#length = length + 2;
  }

  addRing(ring: Ring): void {
    this.begin(ring.length / 2);
    for (let at = 0; at < ring.length; at += 2) this.add(ring[at] as number, ring[at + 1] as number);
  }

  /** Draws the ring in the winding that tiles need. @returns false if nothing of it is left */
  drawTo(layer: LayerWriter, isHole: boolean): boolean {
    const points = this.#points;
    let length = this.#length;
    // Drops closing corners, which repeat the first.
    while (length > 2 && points[0] === points[length - 2] && points[1] === points[length - 1]) length -= 2;
    if (length < 6) return false;
    const area = doubleArea(points, length);
    if (area === 0) return false;
    if (area > 0 === isHole) reverse(points, length);
    layer.ring(points, length / 2);
    return true;
  }
}

/** Twice the signed area, positive for the winding of exteriors on a tile (y points down). */
function doubleArea(points: Int32Array, length: number): number {
  let sum = 0;
  let x = points[length - 2] as number;
  let y = points[length - 1] as number;
  for (let at = 0; at < length; at += 2) {
    const nextX = points[at] as number;
    const nextY = points[at + 1] as number;
    sum += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
  }
  return sum;
}

function reverse(points: Int32Array, length: number): void {
  for (let low = 0, high = length - 2; low < high; low += 2, high -= 2) {
    for (let axis = 0; axis < 2; axis++) {
      const kept = points[low + axis] as number;
      points[low + axis] = points[high + axis] as number;
      points[high + axis] = kept;
    }
  }
}
