/**
 * Every constant of the market model; docs/valuation.md, "The market model", explains each. A change alters the models:
 * those stored with other constants are trained again.
 */

/** `[most, value]`: the value for markets of at most so many comps. */
type ByCount = readonly (readonly [most: number, value: number])[];

export const modelParameters = {
  /** With fewer comps there is no model: markets thinned at random gained from 60 on, real ones of 37 lost. */
  minComps: 60,
  /** Training stays within 250 MB and 20 s. */
  maxRows: 40_000,
  folds: 5,
  /** How often the folds are drawn again, the answers averaged. */
  repeats: [
    [600, 4],
    [2000, 2],
    [Infinity, 1],
  ] as ByCount,
  /** Tenths, so that sums are whole numbers: `statusWeights` of the comp value. */
  statusTenths: { SOLD: 10, PENDING: 8, ACTIVE: 6 },
  neighbours: {
    searched: 64,
    used: 30,
    /** The few nearest of the third column. */
    nearest: 5,
    /** h is the distance of the one with this rank. */
    nearRank: 10,
    minNearKilometers: 0.05,
    sizeKernel: 0.7,
    /** A comp within both is the same lot, not a neighbour. */
    ownMeters: 30,
    ownLogAcres: 0.05,
  },
  uses: { minCount: 10, priorCount: 10, maxResidual: 1.5 },
  trees: {
    /** Twice as many at half the rate move the mean |ln error| by 0.001 either way before the cuts, at twice the cost. */
    count: 200,
    rate: 0.06,
    rowShare: 0.8,
    columnShare: 0.8,
    /** Fewer cost small markets nothing (mean |ln error| within 0.001 before the cut of Kansas), and half the time. */
    maxBins: [
      [2000, 63],
      [Infinity, 255],
    ] as ByCount,
    /** Added to the weight of either side of a split, in comps. */
    shrinkage: 2,
    leaves: [
      [600, 8],
      [2000, 15],
      [Infinity, 31],
    ] as ByCount,
    /** The least leaf is this share of the rows, within the bounds. */
    leafShare: 1 / 60,
    leafRows: [5, 20],
  },
} as const;

export function byCount(table: ByCount, count: number): number {
  const row = table.find(([most]) => count <= most);
  if (row === undefined) throw new RangeError(`no value for ${count}`);
  return row[1];
}
