/** The exact count, and the effect of each filter: one bitmap per filter, then counts of their combinations. */
import type { CountyColumns } from './county-columns.ts';
import { keep, keepUnknown, type ParcelTests, StepPlan, withMatches } from './evaluate.ts';
import type { Step } from './steps.ts';

/** How rows with an unknown value are treated: they fail the filter, pass it, or are all that passes. */
export type UnknownMode = 'drop' | 'keep' | 'only';

export interface FilterStep {
  /** Tests known values only: `passUnknown` is false. */
  readonly step: Step;
  readonly mode: UnknownMode;
}

interface CountedEffects {
  readonly count: number;
  /** Those without a shape. */
  readonly withoutShape: number;
  /** By filter: rows that it alone removes, and rows that pass all others and are unknown to it. */
  readonly filters: readonly { readonly removes: number; readonly unknown: number }[];
}

/** @param scope steps that always hold */
export function countEffects(
  county: CountyColumns,
  scope: readonly Step[],
  filters: readonly FilterStep[],
  tests: ParcelTests,
): CountedEffects {
  const { kernels, words } = county;
  return withMatches(county, new StepPlan(scope), tests, (place) =>
    withBitmaps(county, filters.length * 3 + 2, (bitmaps) => {
      const passing = bitmaps.slice(0, filters.length);
      const unknown = bitmaps.slice(filters.length, filters.length * 2);
      // before[i]: rows that pass the filters before i.
      const before = bitmaps.slice(filters.length * 2, filters.length * 3 + 1);
      const after = bitmaps.at(-1) as number;
      kernels.copy(before[0] as number, place, words);
      for (const [i, filter] of filters.entries()) {
        outcomes(county, filter, place, passing[i] as number, unknown[i] as number);
        kernels.copy(before[i + 1] as number, before[i] as number, words);
        kernels.and(before[i + 1] as number, passing[i] as number, words);
      }
      const matches = before[filters.length] as number;
      const count = kernels.count(matches, words);
      const effects = filters.map(() => ({ removes: 0, unknown: 0 }));
      kernels.copy(after, place, words);
      for (let i = filters.length - 1; i >= 0; i--) {
        const others = before[i] as number;
        kernels.and(others, after, words);
        effects[i] = {
          removes: kernels.count(others, words) - count,
          unknown: kernels.countAnd(others, unknown[i] as number, words),
        };
        kernels.and(after, passing[i] as number, words);
      }
      return { count, withoutShape: count - kernels.countAnd(matches, county.boxes().shaped, words), filters: effects };
    }),
  );
}

function withBitmaps<Result>(
  county: CountyColumns,
  count: number,
  work: (bitmaps: readonly number[]) => Result,
  lent: readonly number[] = [],
): Result {
  if (lent.length === count) return work(lent);
  return county.memory.withBitmap((bits) => withBitmaps(county, count, work, [...lent, bits]));
}

/** Fills in the rows of the place that pass a filter, and those unknown to it. */
function outcomes(
  county: CountyColumns,
  { step, mode }: FilterStep,
  place: number,
  passing: number,
  unknown: number,
): void {
  const { kernels, words } = county;
  kernels.copy(unknown, place, words);
  keepUnknown(county, step, unknown);
  kernels.copy(passing, mode === 'only' ? unknown : place, words);
  if (mode === 'only') return;
  keep(county, step, passing);
  if (mode === 'keep') kernels.or(passing, unknown, words);
}
