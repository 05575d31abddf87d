/**
 * Boxes of the rows, as 32-bit floats rounded outwards: half the memory, and a slightly large box only sends a parcel
 * to the exact test. Rows come in Hilbert order, so the box around each 64 of them is small.
 */
import { roundDown, roundUp } from '../geo/float-bounds.ts';
import type { Bounds } from '../geo/geometry.ts';
import { paddedRows } from './column-builder.ts';

interface BuiltBoxes {
  /** minX, maxX, minY, maxY of every row, one array after the other; NaN where there is no place. */
  readonly rowBoxes: Float32Array;
  /** The same around the rows of each word. */
  readonly wordBoxes: Float32Array;
  /** One bit per row, set where the row has a place. */
  readonly located: Uint8Array;
  /** Set where the row has a shape; the other places are points. */
  readonly shaped: Uint8Array;
}

function setBit(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7));
}

export class BoxBuilder {
  readonly #rows: number;
  #next = 0;
  readonly #boxes: Float32Array;
  readonly #located: Uint8Array;
  readonly #shaped: Uint8Array;

  constructor(rows: number) {
    this.#rows = paddedRows(rows);
    this.#boxes = new Float32Array(this.#rows * 4).fill(Number.NaN);
    this.#located = new Uint8Array(this.#rows / 8);
    this.#shaped = new Uint8Array(this.#rows / 8);
  }

  add(bounds: Bounds | null, isShape: boolean): void {
    const row = this.#next++;
    if (isShape) setBit(this.#shaped, row);
    if (bounds === null) return;
    const { minX, maxX, minY, maxY } = bounds;
    const rows = this.#rows;
    this.#boxes[row] = roundDown(minX);
    this.#boxes[rows + row] = roundUp(maxX);
    this.#boxes[rows * 2 + row] = roundDown(minY);
    this.#boxes[rows * 3 + row] = roundUp(maxY);
    setBit(this.#located, row);
  }

  finish(): BuiltBoxes {
    const words = this.#rows / 64;
    const wordBoxes = new Float32Array(words * 4);
    for (let side = 0; side < 4; side++) {
      const from = this.#boxes.subarray(side * this.#rows, (side + 1) * this.#rows);
      for (let word = 0; word < words; word++) {
        const known = from.subarray(word * 64, word * 64 + 64).filter((value) => !Number.isNaN(value));
        wordBoxes[side * words + word] = known.length === 0 ? Number.NaN : extreme(known, side % 2 === 0);
      }
    }
    return { rowBoxes: this.#boxes, wordBoxes, located: this.#located, shaped: this.#shaped };
  }
}

const extreme = (values: Float32Array, isLow: boolean): number =>
  values.reduce((a, b) => ((isLow ? b < a : b > a) ? b : a));
