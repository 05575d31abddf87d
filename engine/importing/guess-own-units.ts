/** Areas whose values name their unit themselves, as `0.25 AC` and `10,890 sq ft` do. */
import { guessByName } from './guess-patterns.ts';
import type { GuessSource } from './guess-sources.ts';
import { unitsInValues } from './guess-units.ts';
import type { NameWord } from './guess-words.ts';

const leastShare = 0.9;
const inAcres: NameWord = { text: 'acres', concepts: ['acres'], isCut: false };
const saysUnit = ({ concepts }: NameWord): boolean => concepts.some((one) => one === 'sqft' || one === 'square');

/** The source in acres, whatever unit its name says; as it is where its name speaks of no area or its values of no unit. */
export function inOwnUnits(source: GuessSource, values: readonly (string | null)[]): GuessSource {
  const { expression, label, words } = source;
  const isArea = guessByName(words).some(({ target }) => target === 'acres');
  if (!isArea || typeof expression !== 'string') return source;
  const scaleBy = unitsInValues(
    values.filter((value) => value !== null),
    leastShare,
  );
  if (!scaleBy) return source;
  return {
    ...source,
    label: `${label}, each value with its unit`,
    expression: { from: expression, scaleBy },
    words: [...words.filter((word) => !saysUnit(word)), inAcres],
  };
}
