/**
 * The convex hull of all features of a file, while it is read. (Not turf's convex: it takes 40 s for the 120,000 vertices of
 * a circle, where nearly all of them are corners; a smooth coast is such a circle.)
 */
import { convexHull } from '../geo/convex-hull.ts';

/** Numbers between two reductions to their hull: a state has a hundred million of them. */
const maxKept = 200_000;

export class HullBuilder {
  #kept: number[] = [];
  #limit = maxKept;

  add(coordinates: Float64Array): void {
    for (const value of coordinates) this.#kept.push(value);
    if (this.#kept.length <= this.#limit) return;
    this.#kept = convexHull(this.#kept) ?? this.#kept;
    // hulls that stay large must not be reduced at every feature
    this.#limit = Math.max(maxKept, 2 * this.#kept.length);
  }

  /** The closed hull `[x, y, …]`; null when the features span no area. */
  finish(): number[] | null {
    return convexHull(this.#kept);
  }
}
