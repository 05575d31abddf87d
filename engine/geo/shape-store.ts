/**
 * Shapes of a whole county in a few long arrays: an array of its own for each ring takes half a kilobyte besides its corners.
 */
import type { MultiPolygon, PolygonRings } from './geometry.ts';

/** 2 MB. */
const chunkNumbers = 1 << 18;

export class ShapeStore {
  #chunk = new Float64Array(0);
  #used = 0;

  keep(polygons: MultiPolygon): KeptShape {
    const size = polygons.reduce((sum, rings) => sum + 1 + rings.reduce((all, ring) => all + 1 + ring.length, 0), 1);
    if (this.#used + size > this.#chunk.length) {
      this.#chunk = new Float64Array(Math.max(chunkNumbers, size));
      this.#used = 0;
    }
    const start = this.#used;
    const put = (value: number): void => {
      this.#chunk[this.#used++] = value;
    };
    put(polygons.length);
    for (const rings of polygons) {
      put(rings.length);
      for (const ring of rings) {
        put(ring.length);
        this.#chunk.set(ring, this.#used);
        this.#used += ring.length;
      }
    }
    return new KeptShape(this.#chunk, start);
  }
}

/** Its arrays are made where they are asked for. */
export class KeptShape {
  /** From `start`: number of polygons; for each its number of rings; for each of them its length and its numbers. */
  readonly #numbers: Float64Array;
  readonly #start: number;

  constructor(numbers: Float64Array, start: number) {
    this.#numbers = numbers;
    this.#start = start;
  }

  get isEmpty(): boolean {
    return this.#numbers[this.#start] === 0;
  }

  get polygons(): MultiPolygon {
    let at = this.#start;
    const next = (): number => this.#numbers[at++] as number;
    return Array.from(
      { length: next() },
      (): PolygonRings =>
        Array.from({ length: next() }, () => {
          const length = next();
          at += length;
          return this.#numbers.subarray(at - length, at);
        }),
    );
  }
}
