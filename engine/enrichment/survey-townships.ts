/** Makes townships out of their sections, and sections out of their quarters, for files that hold these alone. */
import { acresOfMultiPolygon } from '../geo/area.ts';
import { dissolve } from '../geo/dissolve.ts';
import type { MultiPolygon } from '../geo/geometry.ts';
import { sectionAcres } from '../spec/plss/aliquot.ts';
import { sectionText, townshipText } from './survey-features.ts';

interface HeldSection<Feature> {
  readonly feature: Feature;
  readonly polygons: MultiPolygon;
  readonly isNear: boolean;
}

interface MadeSection {
  readonly place: string;
  readonly polygons: MultiPolygon;
}

/** Parts of less than this share of a section are not its outline. */
const leastSectionShare = 0.5;

/**
 * Holds sections back until the file is read: a township at the edge of the county is kept whole or not at all, since the
 * outline of a half would be a line that is no township's.
 */
export class HeldSections<Feature> {
  readonly #byTownship = new Map<string, HeldSection<Feature>[]>();
  readonly #given = new Set<string>();
  readonly #sections = new Set<string>();
  readonly #parts = new Map<string, { readonly polygons: MultiPolygon; readonly isNear: boolean }[]>();

  /** @param place of a section. @param isNear whether it lies near the parcels */
  hold(place: string, section: HeldSection<Feature>): void {
    const township = townshipText(place);
    this.#sections.add(place);
    const held = this.#byTownship.get(township);
    if (held) held.push(section);
    else this.#byTownship.set(township, [section]);
  }

  /** @param place of a quarter, or a smaller part of a section */
  holdPart(place: string, part: { readonly polygons: MultiPolygon; readonly isNear: boolean }): void {
    const section = sectionText(place);
    const held = this.#parts.get(section);
    if (held) held.push(part);
    else this.#parts.set(section, [part]);
  }

  /** Holds the sections that the file has in parts alone. @param make a feature of an outline */
  addMade(make: (section: MadeSection) => Feature): void {
    for (const [place, parts] of this.#parts) {
      if (this.#sections.has(place)) continue;
      const polygons = dissolve(parts.map((part) => part.polygons)).flatMap((one) => one.polygons);
      if (acresOfMultiPolygon(polygons) < leastSectionShare * sectionAcres) continue;
      const isNear = parts.some((part) => part.isNear);
      this.hold(place, { feature: make({ place, polygons }), polygons, isNear });
    }
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
