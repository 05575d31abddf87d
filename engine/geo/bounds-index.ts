/** Finds boxes that meet a box among very many. */
import Flatbush from 'flatbush';
import type { Bounds } from './geometry.ts';

export class BoundsIndex {
  readonly #tree: Flatbush | null;
  readonly #places: readonly number[];

  /** @param boxes null for what has no place */
  constructor(boxes: readonly (Bounds | null)[]) {
    this.#places = boxes.flatMap((box, at) => (box === null ? [] : [at]));
    if (this.#places.length === 0) {
      this.#tree = null;
      return;
    }
    this.#tree = new Flatbush(this.#places.length);
    for (const at of this.#places) {
      const { minX, minY, maxX, maxY } = boxes[at] as Bounds;
      this.#tree.add(minX, minY, maxX, maxY);
    }
    this.#tree.finish();
  }

  /** Places in the given list, ascending. */
  near({ minX, minY, maxX, maxY }: Bounds): number[] {
    const found = this.#tree?.search(minX, minY, maxX, maxY) ?? [];
    return found.map((at) => this.#places[at] as number).sort((a, b) => a - b);
  }
}
