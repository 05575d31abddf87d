/** What a value no longer knows where the newest comp is old (docs/valuation.md, "Time since the newest sale"). */
import { type ValuationParameters, valuationParameters } from './valuation-parameters.ts';

/** How values of a market lose touch. */
export interface Staleness {
  /** Variance that the years since the newest comp add; linear between, and growing on as usual beyond the last. */
  readonly steps: readonly StaleStep[];
  /** Offers have held with the newest comp so old. */
  readonly offerYears: number;
}

interface StaleStep {
  /** Age of the newest comp. */
  readonly years: number;
  /** Of ln(value / price). */
  readonly variance: number;
}

/** What a county's own sales tell of it, gap by gap. */
export interface LearntStaleness {
  readonly gaps: readonly (StaleStep & {
    /** Sales valued with that gap. */
    readonly count: number;
    readonly doOffersHold: boolean;
  })[];
}

export const staleParameters = {
  /** Gaps before each sale, without comps. */
  gapYears: [0.5, 1, 2, 3, 5],
  /** The weight of the usual growth, and of other counties, in values of a gap. */
  priorCount: 200,
  minSales: 30,
  /** Points by which more sales may lie below an offer than it says. */
  offerSlack: 5,
};

export const daysPerYear = 365.25;

/** No county tells: the usual growth. */
export const noStaleness: Staleness = { steps: [], offerYears: valuationParameters.staleness.offerYears };

/** A part of sigma². @param newestYears age of the newest comp; null: none is dated */
export function staleVariance(
  newestYears: number | null,
  { steps }: Staleness,
  { perYear, freshYears }: ValuationParameters['staleness'],
): number {
  let before: StaleStep = { years: freshYears, variance: 0 };
  if (newestYears === null || newestYears <= before.years) return 0;
  for (const step of steps) {
    if (newestYears <= step.years) {
      const share = (newestYears - before.years) / (step.years - before.years);
      return before.variance + share * (step.variance - before.variance);
    }
    before = step;
  }
  return before.variance + perYear * (newestYears - before.years);
}

/** What a county tells, drawn toward what other counties do, and that toward the usual growth; it never falls. */
export function pooledStaleness(
  own: LearntStaleness | null,
  others: readonly LearntStaleness[],
  { perYear, freshYears, offerYears }: ValuationParameters['staleness'] = valuationParameters.staleness,
): Staleness {
  const drawn = (toward: number, told: LearntStaleness['gaps']): number => {
    const count = told.reduce((sum, gap) => sum + gap.count, staleParameters.priorCount);
    const sum = told.reduce((total, gap) => total + gap.variance * gap.count, toward * staleParameters.priorCount);
    return sum / count;
  };
  let most = 0;
  const steps = staleParameters.gapYears.map((years, i) => {
    const at = ({ gaps }: LearntStaleness) => gaps.slice(i, i + 1);
    const elsewhere = drawn(perYear * (years - freshYears), others.flatMap(at));
    most = Math.max(most, drawn(elsewhere, own ? at(own) : []));
    return { years, variance: most };
  });
  const isProven = (gap: LearntStaleness['gaps'][number]) => gap.doOffersHold && gap.count >= staleParameters.minSales;
  const failed = own?.gaps.findIndex((gap) => !isProven(gap)) ?? 0;
  const proven = own?.gaps.slice(0, failed < 0 ? undefined : failed).at(-1)?.years ?? 0;
  return { steps, offerYears: Math.max(offerYears, proven) };
}
