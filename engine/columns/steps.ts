/** The tests of a filter on one county's columns; query/column-steps.ts makes them from a request. */
import type { PreparedGeometry } from '../geo/intersects.ts';
import type { CountyColumns } from './county-columns.ts';
import type { TextScale } from './value-scale.ts';

interface AskedBy {
  /** Name of the filter, for the counts of rows it removes. */
  readonly filter: string;
}

interface OfColumn extends AskedBy {
  readonly column: string;
  /** Rows without a value pass. */
  readonly passUnknown: boolean;
  /** Keeps the rows that fail the test, including those without a value. */
  readonly negate: boolean;
}

export type Step =
  /** min ≤ value ≤ max, either alone; or value > above */
  | (OfColumn & {
      readonly type: 'range';
      readonly min?: number | string;
      readonly max?: number | string;
      readonly above?: number;
    })
  /** the folded value is one of `values`, which are already folded */
  | (OfColumn & {
      readonly type: 'texts';
      readonly values: readonly string[];
      readonly fold: ((text: string) => string) | null;
    })
  /** the name holds one of the phrases, each a list of words without punctuation */
  | (OfColumn & { readonly type: 'words'; readonly phrases: readonly (readonly string[])[] })
  /** the name holds every token, anywhere */
  | (OfColumn & { readonly type: 'tokens'; readonly tokens: readonly string[] })
  /** the name is one of these, each a list of its words */
  | (OfColumn & { readonly type: 'names'; readonly names: readonly (readonly string[])[] })
  /** the step cannot decide the row: its value is unknown */
  | (AskedBy & { readonly type: 'unknown'; readonly step: Step })
  /** these parcels, in any county, by property_id; or all but these */
  | (AskedBy & { readonly type: 'ids'; readonly ids: ArrayLike<number>; readonly isExcluded?: boolean })
  | (AskedBy & { readonly type: 'area'; readonly area: PreparedGeometry });

type ColumnStep = Extract<Step, OfColumn>;

/** Whether a step reads a column; the others read places or ids. */
export const isColumnStep = (step: Step): step is ColumnStep => 'column' in step;

/** Columns a step needs. */
export const columnsRead = (step: Step): readonly string[] =>
  step.type === 'unknown' ? columnsRead(step.step) : isColumnStep(step) ? [step.column] : [];

/** Positions in the list of one filter. */
export interface AbsentValues {
  readonly filter: string;
  readonly at: readonly number[];
}

/** Values of lists that no row of the counties has, as the columns' dictionaries tell without a look at the rows. */
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
