/** Numbers the class of a feature for the computation, from its text in the land file. */

import { roadClasses } from '../spec/road-words.ts';
import { floodHazard, studiedClass, undeterminedClass, zoneName } from './flood-zones.ts';
import type { LayerKind } from './layer-kinds.ts';
import { sectionText } from './survey-features.ts';

export { studiedClass } from './flood-zones.ts';

export const structureClass = 'structure';
export const smallStructureClass = 'small structure';

/** Class names in order of first occurrence; the index of a name is the class in a packed layer. */
export class ClassNames {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** The class of a feature as a number; null if the feature does not affect parcels. */
export function classNumber(kind: LayerKind, name: string | null, names: ClassNames): number | null {
  switch (kind) {
    case 'other':
      return null;
    case 'wetlands':
    case 'water':
    case 'slope':
      return 0;
    case 'buildings':
      return name === structureClass ? 0 : null;
    case 'roads': {
      const place = (roadClasses as readonly (string | null)[]).indexOf(name);
      return place === -1 ? null : place;
    }
    case 'flood': {
      const hazard = floodHazard(name ?? '');
      if (hazard === 'special') return names.placeOf(zoneName(name ?? ''));
      return hazard === 'studied' ? studiedClass : undeterminedClass;
    }
    case 'schools':
    case 'zips':
      return name === null ? null : names.placeOf(name);
    case 'plss':
      return name === null ? null : names.placeOf(sectionText(name));
  }
}
