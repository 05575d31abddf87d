/**
 * The corners of one ring on a tile. They are rounded to whole units before anything is left out, and only what is then
 * the same corner twice is left out: neighbours that share a border in degrees share it on the tile, whichever way each
 * runs, so that no hole and no sliver opens between them.
 */
import type { Ring } from '../geo/geometry.ts';
import type { LayerWriter } from './mvt-writer.ts';

const usualNumbers = 4096;

export class RingCorners {
  #points = new Int32Array(usualNumbers);
  #length = 0;

  /** Begins a ring of so many corners at most. */
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

  /** Draws the ring, turned as tiles want it. @returns false when nothing of it is left */
  drawTo(layer: LayerWriter, isHole: boolean): boolean {
    const points = this.#points;
    let length = this.#length;
    // The closing corner is the first again.
    while (length > 2 && points[0] === points[length - 2] && points[1] === points[length - 1]) length -= 2;
    if (length < 6) return false;
    const area = doubleArea(points, length);
    if (area === 0) return false;
    if (area > 0 === isHole) reverse(points, length);
    layer.ring(points, length / 2);
    return true;
  }
}

/** Twice the area, positive where a ring runs as exteriors do on a tile (y runs down). */
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
