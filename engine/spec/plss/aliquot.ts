/** Aliquot parts of a section: halves and quarters, nested, as `NE¼SW¼`. */

export type Quarter = 'NE' | 'NW' | 'SE' | 'SW';
export type Half = 'N' | 'S' | 'E' | 'W';
/** One division of the part that holds it. */
export type AliquotStep = Quarter | Half;

/** Outermost first: the NE¼ of the SW¼ is `['SW', 'NE']`. Without steps: the whole section. */
export type AliquotPart = readonly AliquotStep[];

/** A section of a regular township; sections along its north and west sides hold more or less. */
export const sectionAcres = 640;

const isHalf = (step: AliquotStep): step is Half => step.length === 1;

/** Nominal acres: of a section of 640. */
export const aliquotAcres = (part: AliquotPart): number =>
  part.reduce((acres, step) => acres / (isHalf(step) ? 2 : 4), sectionAcres);

/** `NE¼SW¼`, as surveyors write it; the whole section: `All`. */
export const aliquotText = (part: AliquotPart): string =>
  part.length === 0
    ? 'All'
    : part
        .toReversed()
        .map((step) => `${step}${isHalf(step) ? '½' : '¼'}`)
        .join('');
