/** Areas whose values include their unit, like `0.25 AC` and `10,890 sq ft`. */
import { guessByName } from './guess-patterns.ts';
import type { GuessSource, SampledColumn } from './guess-sources.ts';
import { unitsInValues } from './guess-units.ts';
import type { NameWord } from './guess-words.ts';

const leastShare = 0.9;
const inAcres: NameWord = { text: 'acres', concepts: ['acres'], isCut: false };
const unitConcepts = new Set(['sqft', 'square', 'feet']);
const saysUnit = ({ concepts }: NameWord): boolean => concepts.some((one) => unitConcepts.has(one));

/** The column in acres, whatever unit its name gives; null if its name means no area or its values have no unit. */
export function inOwnUnits({ name, values, words }: SampledColumn): GuessSource | null {
  if (!guessByName(words).some(({ target }) => target === 'acres')) return null;
  const scaleBy = unitsInValues(
    values.filter((value) => value !== null),
    leastShare,
  );
  return (
    scaleBy && {
      label: `${name}, each value with its unit`,
      expression: { from: name, scaleBy },
      columns: [name],
      words: [...words.filter((word) => !saysUnit(word)), inAcres],
    }
  );
}
