import { describe, expect, test } from 'vitest';
import type { CompStatus } from '../../engine/comps/comp-columns.ts';
import { isInBucket, marketBuckets } from '../../engine/comps/market-buckets.ts';
import { type MarketComp, marketStats, median, statsWindow } from '../../engine/comps/market-stats.ts';
import { seededRandom } from './seeded-random.ts';

const bucketNamed = (type: string) => {
  const bucket = marketBuckets.find((one) => one.type === type);
  if (!bucket) throw new Error(`no bucket ${type}`);
  return bucket;
};

const comp = (status: CompStatus, price: number, acres: number | null, days: number | null = null): MarketComp => ({
  status,
  price,
  lot_size: acres,
  days_on_market: days,
});

const statsOf = (comps: readonly MarketComp[], type: string) =>
  marketStats(comps).find((stat) => stat.type === type)?.data;

describe('the buckets', () => {
  test('are those of the contract, in its order', () => {
    expect(marketBuckets.map(({ type }) => type)).toEqual([
      '0-9.5k sqft',
      '0-0.25 acre',
      '0.15 acre-1 acre',
      '0.2 acre-100 acre',
      '9.5k sqft-1 acre',
      '0.25 acre-1 acre',
      '1 acre-2 acre',
      '1 acre-3 acre',
      '2 acre-5 acre',
      '2 acre-100 acre',
      '3 acre-5 acre',
      '5 acre-10 acre',
      '5 acre-100 acre',
      '5 acre-10000 acre',
      '10 acre-20 acre',
      '20 acre-40 acre',
      '40 acre-60 acre',
      '40 acre-100 acre',
      '40 acre-10000 acre',
      '60 acre-80 acre',
      '80 acre-500 acre',
      '100 acre-10000 acre',
    ]);
  });

  test('say in their names what they hold', () => {
    for (const { type, unit, from, below } of marketBuckets) {
      const [low = '', high = ''] = type.split('-');
      const size = (text: string) => Number.parseFloat(text) * (text.includes('k') ? 1000 : 1);
      expect(size(low), type).toBe(from);
      expect(unit === 'sqft' && high.endsWith('acre') ? size(high) * 43_560 : size(high), type).toBe(below);
    }
  });

  test.each(marketBuckets.map((bucket) => [bucket.type, bucket] as const))(
    '%s: lower edge in, upper edge out',
    (_type, bucket) => {
      const acres = (size: number) => (bucket.unit === 'sqft' ? size / 43_560 : size);
      const step = bucket.unit === 'sqft' ? 1 : 1e-6;
      expect(isInBucket(bucket, acres(bucket.from))).toBe(bucket.from > 0);
      expect(isInBucket(bucket, acres(bucket.from + step))).toBe(true);
      expect(isInBucket(bucket, acres(bucket.below - step))).toBe(true);
      expect(isInBucket(bucket, acres(bucket.below))).toBe(false);
      expect(isInBucket(bucket, acres(bucket.from - step))).toBe(false);
    },
  );

  test('9,500 square feet are 9,500 in whatever unit they came', () => {
    for (const acres of [9500 / 43_560, 0.21809, 0.21809, 0.2180905]) {
      expect(isInBucket(bucketNamed('0-9.5k sqft'), acres)).toBe(false);
      expect(isInBucket(bucketNamed('9.5k sqft-1 acre'), acres)).toBe(true);
    }
  });

  test('0.2 acres are 8,712 square feet: small in feet, and in three buckets', () => {
    const types = marketBuckets.filter((bucket) => isInBucket(bucket, 0.2)).map(({ type }) => type);
    expect(types).toEqual(['0-9.5k sqft', '0-0.25 acre', '0.15 acre-1 acre', '0.2 acre-100 acre']);
  });
});

describe('a bucket worked by hand', () => {
  // Four sales and three listings of one to three acres, and one of five acres outside.
  const comps = [
    comp('SOLD', 30_000, 1, 10),
    comp('SOLD', 50_000, 2, 40),
    comp('SOLD', 40_000, 2.5, null),
    comp('SOLD', 90_000, 1.5, 100),
    comp('ACTIVE', 60_000, 2, 7),
    comp('ACTIVE', 100_000, 1, 300),
    comp('PENDING', 80_000, 2.5, 20),
    comp('SOLD', 1_000_000, 5, 1),
    comp('SOLD', 5_000, null, 1),
  ];

  test('counts, medians, days on market, months of supply', () => {
    expect(statsOf(comps, '1 acre-3 acre')).toEqual({
      sold_count: 4,
      active_count: 2,
      pending_count: 1,
      // 30, 40, 50, 90 thousand: between 40 and 50.
      median_sold_price: 45_000,
      // 60, 80, 100 thousand.
      median_list_price: 80_000,
      // 30,000; 25,000; 16,000; 60,000 an acre: between 25,000 and 30,000.
      median_sold_ppa: 27_500,
      // 30,000; 100,000; 32,000.
      median_list_ppa: 32_000,
      // 10, 40, 100 of the sales whose days are known; listings do not count.
      median_days_on_market: 40,
      // 4 / 2.
      sell_through_rate: 2,
      // (4 / 12) / 2.
      absorption_rate: 0.1667,
      // 2 / (4 / 12).
      months_of_supply: 6,
    });
  });

  test('null where there is nothing to divide by', () => {
    expect(statsOf(comps, '5 acre-10 acre')).toMatchObject({
      sold_count: 1,
      active_count: 0,
      median_list_price: null,
      sell_through_rate: null,
      absorption_rate: null,
      months_of_supply: 0,
    });
    expect(statsOf([comp('ACTIVE', 10_000, 15)], '10 acre-20 acre')).toMatchObject({
      sold_count: 0,
      median_sold_price: null,
      median_days_on_market: null,
      sell_through_rate: 0,
      absorption_rate: 0,
      months_of_supply: null,
    });
    expect(statsOf([], '80 acre-500 acre')).toEqual({
      sold_count: 0,
      active_count: 0,
      pending_count: 0,
      median_sold_price: null,
      median_list_price: null,
      median_sold_ppa: null,
      median_list_ppa: null,
      median_days_on_market: null,
      sell_through_rate: null,
      absorption_rate: null,
      months_of_supply: null,
    });
  });
});

test('a thousand comps land in the buckets that a look at each of them says', () => {
  const random = seededRandom(3);
  const edges = marketBuckets.flatMap(({ unit, from }) => (unit === 'acre' ? [from] : [from / 43_560]));
  const comps = Array.from({ length: 1000 }, (_, i) => {
    const acres = i % 4 === 0 ? (edges[i % edges.length] ?? 1) : Math.exp(random() * 14 - 4);
    return comp((['SOLD', 'ACTIVE', 'PENDING'] as const)[i % 3] ?? 'SOLD', 1000 + Math.round(random() * 90_000), acres);
  });
  for (const [index, stat] of marketStats(comps).entries()) {
    const bucket = marketBuckets[index];
    if (!bucket) throw new Error('more stats than buckets');
    const inside = comps.filter(({ lot_size: acres }) => acres !== null && isInBucket(bucket, acres));
    const count = (status: CompStatus) => inside.filter((one) => one.status === status).length;
    expect(stat.data).toMatchObject({
      sold_count: count('SOLD'),
      active_count: count('ACTIVE'),
      pending_count: count('PENDING'),
    });
  }
});

test('the median of an odd number is a value, of an even number between two', () => {
  expect(median(Float64Array.of())).toBeNull();
  expect(median(Float64Array.of(3))).toBe(3);
  expect(median(Float64Array.of(10, 9, 100))).toBe(10);
  expect(median(Float64Array.of(1, 2, 3, 10))).toBe(2.5);
});

test('the median is that of the sorted values, whatever their order', () => {
  const random = seededRandom(5);
  for (let length = 1; length < 200; length++) {
    const values = Array.from(
      { length },
      (_, i) => [i, length - i, Math.floor(random() * 9), random()][length % 4] ?? 0,
    );
    const sorted = values.toSorted((a, b) => a - b);
    const middle = ((sorted[(length - 1) >> 1] ?? 0) + (sorted[length >> 1] ?? 0)) / 2;
    expect(median(Float64Array.from(values))).toBe(middle);
  }
});

test('the window is twelve months, in days of UTC', () => {
  expect(statsWindow(new Date('2026-11-20T23:59:59Z'))).toEqual({ after: '2025-11-20', until: '2026-11-20' });
  expect(statsWindow(new Date('2028-02-29T00:00:00Z'))).toEqual({ after: '2027-02-28', until: '2028-02-29' });
});
