/**
 * Outlines of the rows, small enough for memory: for each ring the number of its corners, then each corner as two bytes,
 * in 255ths of the row's box. They decide whether a parcel meets an area wherever that rounding cannot change the answer.
 */
import { roundDown, roundUp } from '../geo/float-bounds.ts';
import type { Bounds } from '../geo/geometry.ts';
import { vertexBytes, walkRings } from '../geo/spatialite-blob.ts';
import { paddedRows } from './column-builder.ts';

const steps = 255;
/** A ring of more corners, and a shape of more bytes, has no outline: the exact test reads it. */
const mostCorners = 255;
const mostShapeBytes = 16_384;

export class OutlineBuilder {
  readonly #starts: Uint32Array;
  #bytes = new Uint8Array(65_536);
  #next = 0;
  #end = 0;

  constructor(rows: number) {
    this.#starts = new Uint32Array(paddedRows(rows) + 1);
  }

  /** @param bounds of the shape, as they are stored with it */
  add(shape: unknown, bounds: Bounds | null): void {
    if (shape instanceof Uint8Array && bounds !== null && shape.length <= mostShapeBytes) this.#addShape(shape, bounds);
    this.#starts[++this.#next] = this.#end;
  }

  #addShape(shape: Uint8Array, bounds: Bounds): void {
    const start = this.#end;
    // The box of the row, as `BoxBuilder` rounds it.
    const [minX, minY] = [roundDown(bounds.minX), roundDown(bounds.minY)];
    const [width, height] = [roundUp(bounds.maxX) - minX, roundUp(bounds.maxY) - minY];
    if (width === 0 || height === 0) return;
    const [scaleX, scaleY] = [steps / width, steps / height];
    this.#makeRoom(shape.length);
    const bytes = this.#bytes;
    let isWhole = true;
    const addRing: Parameters<typeof walkRings>[1] = (_polygon, points, view, first, isLittleEndian) => {
      const corners = points - 1;
      isWhole &&= corners <= mostCorners;
      if (!isWhole) return;
      bytes[this.#end++] = corners;
      for (let at = first; at < first + corners * vertexBytes; at += vertexBytes) {
        const x = Math.round((view.getFloat64(at, isLittleEndian) - minX) * scaleX);
        const y = Math.round((view.getFloat64(at + 8, isLittleEndian) - minY) * scaleY);
        // Outside its box, or no number.
        if (!(x >= 0 && x <= steps && y >= 0 && y <= steps)) isWhole = false;
        bytes[this.#end++] = x;
        bytes[this.#end++] = y;
      }
    };
    try {
      walkRings(shape, addRing);
    } catch {
      // Damaged: the exact test reports it.
      isWhole = false;
    }
    if (!isWhole) this.#end = start;
  }

  /** An outline is shorter than its shape. */
  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.ceil(this.#bytes.length * 1.25) + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  finish(): { readonly starts: Uint32Array; readonly bytes: Uint8Array } {
    this.#starts.fill(this.#end, this.#next + 1);
    return { starts: this.#starts, bytes: this.#bytes.subarray(0, this.#end) };
  }
}
