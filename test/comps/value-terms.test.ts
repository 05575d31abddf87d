/** What a value shows beside its number: adjustments of a comp, parts of the error, offers, and the backtest in detail. */
import { describe, expect, test } from 'vitest';
import { detailOf, type ValuedSale } from '../../engine/comps/backtest-detail.ts';
import { offersOf } from '../../engine/comps/offers.ts';
import {
  dollarsWithin,
  errorShares,
  grossAdjustment,
  grossLimit,
  grossText,
  levelSentence,
  netAdjustment,
  opinionsSentence,
  poolingSentence,
  shownCauses,
  type ValueOpinions,
} from '../../engine/spec/value-terms.ts';
import { createRandom } from '../sample-maker/random.ts';

describe('adjustments of a comp', () => {
  test('net is what they do together, gross what they do one by one', () => {
    // 1.2 × 0.9 = 1.08; 20 % up and 10 % down are 30 % in all
    const factors = { size: 1.2, place: 0.9, time: 1 };
    expect(netAdjustment(factors)).toBeCloseTo(0.08, 12);
    expect(grossAdjustment(factors)).toBeCloseTo(0.3, 12);
    expect([netAdjustment({}), grossAdjustment({})]).toEqual([0, 0]);
  });

  test('that did nothing have no column, but for the first four', () => {
    expect(shownCauses([{ factors: { size: 1.1, level: 1.0004 } }, { factors: { neighbours: 0.9 } }])).toEqual([
      'size',
      'time',
      'place',
      'ask',
      'neighbours',
    ]);
  });
});

test('parts of the error are shares of sigma², greatest first, without the smallest', () => {
  const parts = { spread: 0.03, adjustmentSize: 0.0698, sizeDifference: 0.0002, dissimilarity: 0 };
  const none = { unknownAttributes: 0, coordinateGrain: 0, disagreement: 0, remoteness: 0, staleness: 0 };
  const shares = errorShares({ ...parts, ...none });
  expect(shares.map(({ part, share }) => [part, Number(share.toFixed(3))])).toEqual([
    ['adjustmentSize', 0.698],
    ['spread', 0.3],
  ]);
});

test('a sentence says how the opinions and the level made the value, and what is not known yet', () => {
  const opinions: ValueOpinions = {
    ...{ local: 100_000, model: 120_000, share: 0.5, comps: 842, trained_at: '2026-11-20T12:00:00.000Z' },
    ...{ is_tested: true, level: 1.052, level_sales: 63 },
  };
  expect(opinionsSentence(null)).toContain('By the comps alone');
  expect(opinionsSentence(opinions)).toMatch(
    /\$100,000.*842 comps, trained 20 Nov 2026.*\$120,000.*halfway between both/,
  );
  expect(levelSentence(opinions)).toBe('Raised 5 %: 63 sales here ran low.');
  expect(levelSentence({ ...opinions, level: 0.9 })).toBe('Lowered 10 %: 63 sales here ran high.');
  expect(levelSentence({ ...opinions, is_tested: false, level: 1 })).toContain('Too few held-back sales');
  expect(levelSentence(null)).toBeNull();
  const ran = {
    detail: { figures: [{ name: 'median', value: 0.91, low: 0.8, high: 1 }], strata: [], offers: [] },
  } as const;
  expect(levelSentence({ ...opinions, level: 1 }, ran)).toBe(
    'Neither raised nor lowered: values here ran 9 % low in all; the newest sales do not show it clearly enough to correct.',
  );
});

test('the factor of the market is explained, comps that stand out are marked, prices keep the figures of their range', () => {
  const used = [{ factors: { size: 1.3, pooling: 1.41 } }];
  const local = { comps: 12, weigh: 3.24, own: 1000, model: 1800, share: 0.236 };
  expect(poolingSentence({ local, fitted: 200, market: null }, used)).toBe(
    '× market 1.410: 12 comps, which weigh like 3.2 equal ones, say $1,000/ac and are drawn 24 % of the way to the $1,800/ac of a regression over the 200 most alike.',
  );
  expect(poolingSentence({ local, fitted: 200, market: null }, [{ factors: { pooling: 1 } }])).toBeNull();
  // 0.3 and 0.41 make 71 %
  expect([grossText(used[0]?.factors ?? {}, 0.25), grossText(used[0]?.factors ?? {}, 0.8)]).toEqual(['71 %*', '71 %']);
  const test = { detail: { figures: [], strata: [], offers: [], usual_gross: 0.8 } };
  expect([grossLimit(test), grossLimit(null)]).toEqual([0.8, 0.25]);
  expect(dollarsWithin(116_432, { low: 80_000, high: 160_000 })).toBe('$120,000');
  expect(dollarsWithin(116_432, { low: 110_000, high: 123_000 })).toBe('$116,000');
});

/** Sales whose prices err around a value of 1,000 as their sigma says. */
function createSales(count: number, sigma: number): ValuedSale[] {
  const random = createRandom('offers');
  return Array.from({ length: count }, (_, i) => ({
    sale: { acres: 1 + (i % 9), use: i % 2 ? 'Woodland' : null, date: i % 3 ? 20_400 : 20_800 },
    price: 1000 * Math.exp(sigma * random.normal()),
    explanation: { value: { mean_adjusted_price: 1000 }, uncertainty: { sigma }, used: [] },
  })) as unknown as ValuedSale[];
}

describe('the backtest in detail', () => {
  const detail = detailOf(createSales(2997, 0.4));

  test('offers at a risk are undercut as often as they promise, where sigma is right', () => {
    // 2,997 draws: three standard errors of a share are at most 2.5 points
    for (const { risk, below } of detail.offers) expect(Math.abs(below - risk)).toBeLessThan(2.5);
    expect(offersOf(1000, 0.4).map(({ price }) => Math.round(price))).toEqual([599, 714, 811]);
  });

  test('has its rows by thirds of acres, by known use, and by year', () => {
    // sizes 1 to 9, 333 of each: thirds begin at 4 and 7 acres; days 20,400 and 20,800 lie in 2025 and 2026
    expect(detail.strata.map(({ by, label, sales }) => [by, label, sales])).toEqual([
      ['acres', 'below 4 ac', 999],
      ['acres', '4 to 7 ac', 999],
      ['acres', 'from 7 ac', 999],
      ['use', 'Woodland', 1498],
      ['year', '2025', 1998],
      ['year', '2026', 999],
    ]);
  });

  test('gives each figure with an interval around it', () => {
    for (const { low, value, high } of detail.figures) {
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
    expect(detail.figures.map(({ name }) => name)).toEqual(['median', 'cod', 'trimmed_cod', 'prd', 'prb']);
  });
});
