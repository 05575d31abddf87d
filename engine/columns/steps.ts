/** The tests of a filter on one county's columns; query/column-steps.ts makes them from a request. */
import type { PreparedGeometry } from '../geo/intersects.ts';

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
