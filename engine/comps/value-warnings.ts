/** The warnings of a comp value (docs/valuation.md, "Warnings"): most serious first. */
import type { ValueWarning } from '../spec/value-warnings.ts';
import { isoOfDay } from './comp-facts.ts';
import type { PlacedSubject } from './value-candidates.ts';
import type { LeftOut, ValueUncertainty } from './value-types.ts';

export interface WarningBasis {
  readonly subject: PlacedSubject;
  readonly newestYears: number | null;
  /** Offers have held with the newest comp so old. */
  readonly offerYears: number;
  readonly leftOut: LeftOut;
  readonly uncertainty: ValueUncertainty;
}

/** A younger newest comp is not worth a word. */
const staleYears = 1;

/** Share by which a part of sigma² makes the range wider; null below half a percent. */
function widening(part: number, { sigma, calibration }: ValueUncertainty): number | null {
  const without = sigma ** 2 - part * calibration ** 2;
  const wider = sigma / Math.sqrt(Math.max(without, 1e-9)) - 1;
  return wider < 0.005 ? null : wider;
}

export function warningsOf({ subject, newestYears, offerYears, leftOut, uncertainty }: WarningBasis): ValueWarning[] {
  const warnings: ValueWarning[] = [];
  if (newestYears !== null && newestYears > staleYears)
    warnings.push({
      code: 'stale',
      years: newestYears,
      offer_years: offerYears,
      widens: widening(uncertainty.staleness, uncertainty),
    });
  if (subject.isPast) {
    const { later_than_value_date: later, no_date: undated } = leftOut.counts;
    warnings.push({ code: 'past', day: isoOfDay(subject.date), later, undated, widens: null });
  }
  return warnings;
}
