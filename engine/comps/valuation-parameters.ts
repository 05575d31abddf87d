/**
 * Every constant of the comp value, one table for all markets; docs/valuation.md explains each. Unless a line says
 * otherwise, the value lies on a flat optimum, measured on sales before the cut of three markets.
 */
import type { ValueAttributes } from './value-types.ts';

export interface AttributeParameters {
  readonly name: keyof ValueAttributes;
  /** Effect on ln(price per acre) of one unit of the measure. */
  readonly prior: number;
  /** Weight of the prior against the fit set. */
  readonly penalty: number;
  /** Converts the recorded value to the unit of the prior. */
  readonly measure: (value: number) => number;
}

export interface ValuationParameters {
  readonly ringsKilometers: readonly number[];
  readonly enoughCandidates: number;
  /** A comp has at least 1/band and at most band times the subject's acres. */
  readonly acreageBand: number;
  readonly maxAgeDays: number;
  /** 0: a comp of the value's own day counts. */
  readonly minAgeDays: number;
  readonly minNearKilometers: number;
  /** h is the distance of the comp with this rank by nearness; of the last if there are fewer. */
  readonly nearRank: number;
  readonly sizeScale: number;
  readonly timeScaleDays: number;
  readonly useDifference: number;
  readonly statusWeights: Readonly<Record<'SOLD' | 'PENDING' | 'ACTIVE', number>>;
  readonly fitCount: number;
  readonly fitDissimilarityScale: number;
  readonly levelCount: number;
  readonly timeIndex: {
    readonly nearestCount: number;
    readonly minDated: number;
    readonly sizePrior: number;
    /** For size, size squared, east, north. */
    readonly penalties: readonly [number, number, number, number];
    readonly huber: number;
    readonly maxResidual: number;
    readonly bandwidthDays: number;
    readonly maxBandwidths: number;
    readonly shrinkage: number;
  };
  readonly fit: {
    /** [acres, slope] knots of beta0: the prior of d ln(price per acre) / d ln(acres), linear in ln(acres) between. */
    readonly sizePriors: readonly (readonly [acres: number, slope: number])[];
    readonly askPrior: number;
    readonly penalties: {
      readonly size: number;
      readonly sizeSquared: number;
      readonly year: number;
      readonly east: number;
      readonly north: number;
      readonly ask: number;
    };
    readonly maxOffset: number;
    readonly huber: number;
    readonly huberPasses: number;
  };
  readonly attributes: readonly AttributeParameters[];
  readonly maxAdjustment: number;
  readonly outlierSpreads: number;
  readonly minOutlierSpread: number;
  readonly minCompsForOutliers: number;
  readonly uncertainty: {
    readonly priorCount: number;
    readonly priorSpread: number;
    readonly spreadScale: number;
    readonly adjustment: number;
    readonly sizeDifference: number;
    readonly dissimilarity: number;
    readonly zipGrain: number;
    /** The least sigma: no two lots are alike. */
    readonly least: number;
  };
  /** What time since the newest comp does to a value where the market's own sales do not tell (staleness.ts). */
  readonly staleness: {
    /** Growth of the variance of ln(value / price) for each year since the newest comp. */
    readonly perYear: number;
    /** So young a newest comp adds nothing: usual values have no younger ones. */
    readonly freshYears: number;
    /** Offers are made with the newest comp so old, if sales do not prove more. */
    readonly offerYears: number;
  };
  readonly maxConfidence: number;
  /** What is the subject itself, by place and share of its acres. */
  readonly ownParcel: { readonly meters: number; readonly acresShare: number };
  /** The same of a comp without a parcel, whose subject is a known one. */
  readonly ownPin: { readonly meters: number; readonly acresShare: number };
  /** Whether a comp at the subject's place and of its size counts as the subject even under another property id. */
  readonly isSamePlaceOwn: boolean;
  /** Number of examples per reason in the left-out list. */
  readonly leftOutExamples: number;
}

/**
 * Raise it when the method gives other results for the same comps and parameters: stored results (a county's backtest)
 * are then recomputed. A test that pins results says when.
 */
export const methodVersion = 7;

const same = (value: number): number => value;

/** With less frontage a lot is no waterfront lot. */
export const leastWaterfrontFeet = 20;

export const valuationParameters: ValuationParameters = {
  ringsKilometers: [2, 4, 8, 16, 32, 64, 120],
  enoughCandidates: 600,
  acreageBand: 10,
  maxAgeDays: 8 * 365.25,
  minAgeDays: 0,
  minNearKilometers: 0.05,
  nearRank: 10,
  sizeScale: 0.5,
  timeScaleDays: 1825,
  useDifference: 1,
  // assumption; investors' tools also weight sold higher
  statusWeights: { SOLD: 1, PENDING: 0.8, ACTIVE: 0.6 },
  fitCount: 200,
  fitDissimilarityScale: 6.25,
  levelCount: 12,
  timeIndex: {
    nearestCount: 600,
    minDated: 30,
    sizePrior: -0.3,
    penalties: [2, 5, 1, 1],
    huber: 1.5,
    maxResidual: 1.5,
    bandwidthDays: 180,
    maxBandwidths: 3,
    shrinkage: 10,
  },
  fit: {
    // assumption: a homesite's price hardly grows with its acres, a field's grows almost in proportion. Chosen on the
    // sales before the cut of all three markets, where any slope from -0.2 to -0.6 is within 2 points of MdAPE.
    sizePriors: [
      [5, -0.5],
      [160, -0.2],
    ],
    askPrior: Math.log(1.08),
    penalties: { size: 3, sizeSquared: 10, year: 300, east: 20, north: 20, ask: 25 },
    maxOffset: 4,
    huber: 1.5,
    huberPasses: 3,
  },
  attributes: [
    // assumptions, so each shrinks hard; the fit replaces them where comps with known attributes tell
    { name: 'wetlandsShare', prior: -0.7, penalty: 10, measure: same },
    { name: 'landlocked', prior: -0.35, penalty: 10, measure: same },
    { name: 'floodShare', prior: -0.2, penalty: 10, measure: same },
    { name: 'steepShare', prior: -0.3, penalty: 10, measure: same },
    { name: 'roadFrontageFeet', prior: 0.05, penalty: 10, measure: (feet) => Math.log(1 + Math.max(feet, 0) / 100) },
    { name: 'waterFrontageFeet', prior: 1, penalty: 10, measure: (feet) => (feet >= leastWaterfrontFeet ? 1 : 0) },
  ],
  maxAdjustment: 1.2,
  outlierSpreads: 2.5,
  minOutlierSpread: 0.1,
  minCompsForOutliers: 5,
  uncertainty: {
    priorCount: 0.75,
    priorSpread: 0.5,
    spreadScale: 1.02,
    adjustment: 1.24,
    sizeDifference: 0.11,
    dissimilarity: 0.0055,
    zipGrain: 0.2,
    // assumption; a score of 94
    least: 0.06,
  },
  // over all sales of three markets: 0.017, 0.014 and 0.022 a year; not blind
  staleness: { perYear: 0.017, freshYears: 0.25, offerYears: 2 },
  maxConfidence: 95,
  ownParcel: { meters: 30, acresShare: 0.05 },
  ownPin: { meters: 75, acresShare: 0.1 },
  // neighboring town lots may lie 30 m apart, so a known id decides; the backtest sets it, because an echo would
  // flatter it
  isSamePlaceOwn: false,
  leftOutExamples: 10,
};
