/** What a reader of a comp value must know first, each with its number, and the words for it. */
import { formatDate } from './date-words.ts';
import { decimal, percentText } from './value-terms.ts';

type WarningFacts =
  | { readonly code: 'past'; readonly day: string; readonly later: number; readonly undated: number }
  | { readonly code: 'stale'; readonly years: number; readonly offer_years: number };

export type ValueWarning = WarningFacts & {
  /** Share by which it makes the range wider, measured; null: it does not change the range. */
  readonly widens: number | null;
};

/** @param distance `8.5 km` of 8.5 */
type Distance = (kilometers: number) => string;

function factsOf(warning: ValueWarning, _distance: Distance): string {
  switch (warning.code) {
    case 'past':
      return `As of ${formatDate(warning.day)}: ${warning.later} later and ${warning.undated} undated sales and listings around it do not count, nor does a market model that saw such`;
    case 'stale': {
      const { years, offer_years: most } = warning;
      const offers = years > most ? `; above ${decimal(most)} years no offer is told` : '';
      return `The newest sale here is ${decimal(years)} years old${offers}`;
    }
  }
}

function effectOf({ code, widens }: ValueWarning): string {
  if (code === 'past') return '';
  if (widens === null) return '; the range does not change by it';
  return `; the range is ${percentText(widens)} wider for it`;
}

export const warningSentence = (warning: ValueWarning, distance: Distance): string =>
  `${factsOf(warning, distance)}${effectOf(warning)}.`;
