/** The acreage buckets of market statistics, in the order of answers. They overlap on purpose. */

export interface MarketBucket {
  /** Name in answers. */
  readonly type: string;
  readonly unit: 'acre' | 'sqft';
  /** From this size, inclusive … */
  readonly from: number;
  /** … to below this one. */
  readonly below: number;
}

const squareFeetPerAcre = 43_560;

const acres = (type: string, from: number, below: number): MarketBucket => ({ type, unit: 'acre', from, below });

export const marketBuckets: readonly MarketBucket[] = [
  { type: '0-9.5k sqft', unit: 'sqft', from: 0, below: 9500 },
  acres('0-0.25 acre', 0, 0.25),
  acres('0.15 acre-1 acre', 0.15, 1),
  acres('0.2 acre-100 acre', 0.2, 100),
  // Up to one acre, which is 43,560 square feet.
  { type: '9.5k sqft-1 acre', unit: 'sqft', from: 9500, below: squareFeetPerAcre },
  acres('0.25 acre-1 acre', 0.25, 1),
  acres('1 acre-2 acre', 1, 2),
  acres('1 acre-3 acre', 1, 3),
  acres('2 acre-5 acre', 2, 5),
  acres('2 acre-100 acre', 2, 100),
  acres('3 acre-5 acre', 3, 5),
  acres('5 acre-10 acre', 5, 10),
  acres('5 acre-100 acre', 5, 100),
  acres('5 acre-10000 acre', 5, 10_000),
  acres('10 acre-20 acre', 10, 20),
  acres('20 acre-40 acre', 20, 40),
  acres('40 acre-60 acre', 40, 60),
  acres('40 acre-100 acre', 40, 100),
  acres('40 acre-10000 acre', 40, 10_000),
  acres('60 acre-80 acre', 60, 80),
  acres('80 acre-500 acre', 80, 500),
  acres('100 acre-10000 acre', 100, 10_000),
];

/**
 * Whether a lot of this size belongs to the bucket: the lower edge is included, the upper is not, and neither is 0.
 * Square feet are rounded to whole numbers, since sources give small lots in either unit: 9,500 square feet written as
 * 0.218… acres must stay 9,500.
 */
export function isInBucket({ unit, from, below }: MarketBucket, lotAcres: number): boolean {
  const size = unit === 'sqft' ? Math.round(lotAcres * squareFeetPerAcre) : lotAcres;
  return lotAcres > 0 && size >= from && size < below;
}
