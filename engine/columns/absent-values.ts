/** Values of lists that no row of the counties has, as the columns' dictionaries tell without a look at the rows. */
import type { CountyColumns } from './county-columns.ts';
import type { Step } from './steps.ts';
import type { TextScale } from './value-scale.ts';

/** Positions in the list of one filter. */
export interface AbsentValues {
  readonly filter: string;
  readonly at: readonly number[];
}

export const absentValues = (counties: readonly CountyColumns[], steps: readonly Step[]): AbsentValues[] =>
  steps.flatMap((step) => {
    const at = positions(counties, step);
    return at.length === 0 ? [] : [{ filter: step.filter, at }];
  });

function positions(counties: readonly CountyColumns[], step: Step): number[] {
  if (step.type === 'texts' && !step.negate) return absentTexts(counties, step);
  return step.type === 'words' && !step.negate ? absentPhrases(counties, step) : [];
}

function absentTexts(
  counties: readonly CountyColumns[],
  { column, values, fold }: Extract<Step, { type: 'texts' }>,
): number[] {
  const lacking = new Uint32Array(values.length);
  for (const county of counties) {
    for (const at of (county.column(column).scale as TextScale).find(values, fold).absent)
      lacking[at] = (lacking[at] as number) + 1;
  }
  return positionsOf(values, (at) => lacking[at] === counties.length);
}

/** A phrase with a word that nowhere occurs; whether known words stand side by side, only the rows tell. */
const absentPhrases = (
  counties: readonly CountyColumns[],
  { column, phrases }: Extract<Step, { type: 'words' }>,
): number[] =>
  positionsOf(
    phrases,
    (at) =>
      !counties.some((county) => phrases[at]?.every((word) => county.wordsOf(column).index.wordsWithPart(word).length)),
  );

const positionsOf = (list: readonly unknown[], isMeant: (at: number) => boolean): number[] =>
  Array.from(list, (_, at) => at).filter(isMeant);
