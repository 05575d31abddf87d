/** An offer from a rule: tiers of acres, each a percent of the value or dollars an acre, rounded, with a floor and a cap. */
import { grouped } from '../spec/counted.ts';
import { validationError } from '../spec/errors.ts';
import type { OfferBasis } from '../spec/mailings.ts';
import { decimal, dollars } from '../spec/value-terms.ts';

export interface OfferTier {
  /** This and more. */
  readonly acres_from: number;
  /** Below this; null: no end. */
  readonly acres_to: number | null;
  readonly of: OfferBasis;
  /** Percent; of `acre`: dollars. */
  readonly amount: number;
}

export interface OfferRule {
  readonly tiers: readonly OfferTier[];
  /** Dollars. */
  readonly round_to: number;
  readonly not_under: number | null;
  readonly not_over: number | null;
}

/** US dollars. */
export interface OfferedValue {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

export interface RuledOffer {
  readonly offer: number;
  /** How it was reckoned, in words that stay with it. */
  readonly formula: string;
}

export const tierWords = ({ acres_from: from, acres_to: to }: OfferTier): string =>
  to === null ? `${decimal(from)} acres and more` : `${decimal(from)} to ${decimal(to)} acres`;

/** @throws EngineError validation_error for tiers that end before they begin or overlap, and a floor above the cap */
export function checkRule({ tiers, not_under: floor, not_over: cap }: OfferRule): void {
  const ordered = tiers.toSorted((a, b) => a.acres_from - b.acres_from);
  const problems = ordered.flatMap((tier, place) => {
    if (tier.acres_to !== null && tier.acres_to <= tier.acres_from)
      return [`expected a tier that ends above its begin, found ${tierWords(tier)}`];
    const next = ordered[place + 1];
    const doOverlap = next !== undefined && (tier.acres_to === null || next.acres_from < tier.acres_to);
    return doOverlap ? [`expected tiers apart, found ${tierWords(tier)} beside ${tierWords(next)}`] : [];
  });
  if (tiers.some(({ of, amount }) => of !== 'acre' && amount > 200)) problems.push('expected at most 200 % of a value');
  if (floor !== null && cap !== null && floor > cap)
    problems.push(`expected not_under below not_over, found ${dollars(floor)} above ${dollars(cap)}`);
  if (problems.length > 0) throw validationError({ rule: problems });
}

/** The place of the tier that has so many acres; -1: none. */
export const tierOf = ({ tiers }: OfferRule, acres: number): number =>
  tiers.findIndex(({ acres_from: from, acres_to: to }) => acres >= from && (to === null || acres < to));

/** @param value null only where the tier is of acres */
export function offerOf(
  rule: OfferRule,
  tier: OfferTier,
  acres: number,
  value: OfferedValue | null,
): RuledOffer | null {
  const { of, amount } = tier;
  if (of !== 'acre' && !value) return null;
  const base = of === 'acre' ? acres * amount : ((value as OfferedValue)[of] * amount) / 100;
  const { round_to: step, not_under: floor, not_over: cap } = rule;
  const rounded = Math.max(step, Math.round(base / step) * step);
  const offer = Math.min(cap ?? Number.POSITIVE_INFINITY, Math.max(floor ?? 0, rounded));
  const words =
    of === 'acre'
      ? `${dollars(amount)} an acre of ${decimal(acres)} acres`
      : `${decimal(amount)} % of the ${of} value ${dollars((value as OfferedValue)[of])}`;
  const limit =
    offer === rounded ? '' : offer > rounded ? `, not under ${dollars(offer)}` : `, not over ${dollars(offer)}`;
  return { offer, formula: `${words}, to the nearest $${grouped(step)}${limit}` };
}
