/** Numbers with a decimal comma, as most of Europe and its programs write them. */
import { parcelColumnsByName } from '../../spec/parcel-columns.ts';
import { guessByName } from './guess-patterns.ts';
import type { GuessSource } from './guess-sources.ts';

type Values = readonly (string | null)[];

const form = /^[+-]?(?:\d+|\d{1,3}(?:[. ]\d{3})+)(?:,\d+)?$/;
/** Read with a comma of thousands these are no numbers. */
const sureForm = /,(?:\d{1,2}|\d{4,})$|^[+-]?0\d*,|\d{4},|[. ]\d{3},/;

/** Whether all numbers can have a decimal comma; `sure`: at least one can have no other. */
export function decimalComma(values: Values): 'sure' | 'possible' | 'no' {
  const texts = values.filter((value) => value !== null);
  if (!texts.some((text) => text.includes(',')) || !texts.every((text) => form.test(text))) return 'no';
  return texts.some((text) => sureForm.test(text)) ? 'sure' : 'possible';
}

const isNumber = ({ words }: Pick<GuessSource, 'words'>): boolean => {
  const targets = guessByName(words).map(({ target }) => parcelColumnsByName.get(target)?.type ?? 'text');
  return targets.length > 0 && targets.every((type) => ['number', 'money', 'integer', 'percent'].includes(type));
};

/**
 * The sources, those of numbers with a decimal comma read so. `1,234` has one if another column of the file is sure.
 * @param isOtherwise shown by other means to have one, like the areas of the shapes
 */
export function withDecimalCommas<Source extends GuessSource>(
  sources: readonly Source[],
  valuesOf: (source: Source) => Values,
  isOtherwise: (source: Source) => boolean,
): Source[] {
  const found = new Map(sources.filter(isNumber).map((source) => [source, decimalComma(valuesOf(source))]));
  const isSure = [...found.values()].includes('sure');
  return sources.map((source) => {
    const how = found.get(source) ?? 'no';
    if (typeof source.expression !== 'string' || how === 'no') return source;
    if (how === 'possible' && !isSure && !isOtherwise(source)) return source;
    return {
      ...source,
      label: `${source.label} (decimal comma)`,
      expression: { from: source.expression, decimalComma: true },
    };
  });
}
