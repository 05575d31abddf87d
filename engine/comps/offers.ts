/** Offers at a chosen risk: the quantiles of a value's calibrated band (docs/valuation.md, "Offers at a chosen risk"). */
import { type Offer, type OfferRisk, offerRisks } from '../spec/value-terms.ts';

/** Quantiles of the normal distribution: the band of ± sigma holds 68 % of prices, as sigma is defined. */
const sigmasBelow: Readonly<Record<OfferRisk, number>> = { 10: 1.2816, 20: 0.8416, 30: 0.5244 };

/** The price that `risk` in a hundred such sales undercut. */
export const offerAt = (value: number, sigma: number, risk: OfferRisk): number =>
  value * Math.exp(-sigmasBelow[risk] * sigma);

export const offersOf = (value: number, sigma: number): Offer[] =>
  offerRisks.map((risk) => ({ risk, price: offerAt(value, sigma, risk) }));
