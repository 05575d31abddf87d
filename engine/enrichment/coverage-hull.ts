/**
 * Collects the convex hull of all features while a file is read. (turf's convex takes 40 s for a circle of 120,000 vertices,
 * nearly all of which are corners; a smooth coast is such a circle.)
 */
import { convexHull } from '../geo/convex-hull.ts';

/** Coordinates kept before they are reduced to their hull; a state has a hundred million. */
const maxKept = 200_000;

export class HullBuilder {
  #kept: number[] = [];
  #limit = maxKept;

  add(coordinates: Float64Array): void {
    for (const value of coordinates) this.#kept.push(value);
    if (this.#kept.length <= this.#limit) return;
    this.#kept = convexHull(this.#kept) ?? this.#kept;
    // otherwise a large hull would be reduced again at every feature
    this.#limit = Math.max(maxKept, 2 * this.#kept.length);
  }

  /** The closed hull `[x, y, …]`; null if the features span no area. */
  finish(): number[] | null {
    return convexHull(this.#kept);
  }
}
