/** Makes townships out of their sections, for files that hold sections alone. */
import { dissolve } from '../geo/dissolve.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import { townshipText } from './survey-features.ts';

interface HeldSection<Feature> {
  readonly feature: Feature;
  readonly polygons: MultiPolygon;
  readonly isNear: boolean;
}

/**
 * Holds sections back until the file is read: a township at the edge of the county is kept whole or not at all, since the
 * outline of a half would be a line that is no township's.
 */
export class HeldSections<Feature> {
  readonly #byTownship = new Map<string, HeldSection<Feature>[]>();
  readonly #given = new Set<string>();

  /** @param place of a section. @param isNear whether it lies near the parcels */
  hold(place: string, section: HeldSection<Feature>): void {
    const township = townshipText(place);
    const held = this.#byTownship.get(township);
    if (held) held.push(section);
    else this.#byTownship.set(township, [section]);
  }

  /** A township that the file has itself. */
  give(place: string): void {
    this.#given.add(place);
  }

  /** Townships near the parcels with their sections; `outline` is null if the file has it. */
  *townships(): Generator<{ place: string; sections: readonly Feature[]; outline: MultiPolygon | null }> {
    for (const [place, held] of this.#byTownship) {
      if (!held.some(({ isNear }) => isNear)) continue;
      const sections = held.map(({ feature }) => feature);
      const isGiven = this.#given.has(place);
      const outline = isGiven
        ? null
        : dissolve(held.map(({ polygons }) => polygons)).flatMap(({ polygons }) => polygons);
      yield { place, sections, outline };
    }
  }
}
