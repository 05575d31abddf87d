import { describe, expect, it } from 'vitest';
import { holdOutFolds, holdOutMarket } from '../../engine/comps/market-backtest.ts';
import { marketErrorOf, noMarketError, undatedErrorOf, type ValueError } from '../../engine/comps/market-error.ts';
import { bootstrapOf } from '../../engine/comps/ratio-intervals.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, createMarket, degreesEast, today } from './valuation-cases.ts';

const errorsOf = (values: readonly number[], daysApart = 0, sigma = 0.3): ValueError[] =>
  values.map((error, i) => ({ error, sigma, date: today - i * daysApart }));

/** Pairs of one day, so that they stay balanced however old. */
const pairsOf = (values: readonly [number, number], count: number, daysApart: number): ValueError[] =>
  Array.from({ length: count }, (_, i) =>
    values.map((error) => ({ error, sigma: 0.3, date: today - i * daysApart })),
  ).flat();

const repeated = (values: readonly number[], times: number): number[] =>
  Array.from({ length: times }, () => values).flat();

describe('the known error of a market', () => {
  it('says nothing on fewer than 15 sales', () => {
    expect(marketErrorOf(errorsOf(repeated([-0.5], 14)))).toEqual(noMarketError);
    expect(marketErrorOf(errorsOf(repeated([-0.5], 15))).level).toBeCloseTo(0.5, 12);
  });

  it('corrects the middle as far as it stands out of its noise', () => {
    // errors -0.3 and 0.1 around -0.1: median -0.1, MAD 0.2, se = 1.253 × 1.4826 × 0.2 / √400 = 0.018577;
    // 0.1 × (1 - (2 × 0.018577 / 0.1)²) = 0.086195
    expect(marketErrorOf(errorsOf(repeated([-0.3, 0.1], 200))).level).toBeCloseTo(0.086195, 5);
    // the same of 16: se = 0.092886, twice it is more than the level
    expect(marketErrorOf(errorsOf(repeated([-0.3, 0.1], 8))).level).toBe(0);
  });

  it('counts an error of a year ago half', () => {
    const recent = repeated([-0.2], 20).map((error) => ({ error, sigma: 0.3, date: today }));
    const old = repeated([-0.6], 30).map((error) => ({ error, sigma: 0.3, date: today - 365 }));
    // 20 against 15: the recent ones hold the middle; MAD 0
    expect(marketErrorOf([...old, ...recent]).level).toBeCloseTo(0.2, 12);
  });

  it('widens the range at once, as far as the number of sales carries', () => {
    // errors of twice sigma: ln 2 × 100 / 160
    const error = marketErrorOf(errorsOf(repeated([-0.6, 0.6], 50)));
    expect(error.level).toBe(0);
    expect(Math.log(error.calibration)).toBeCloseTo(Math.log(2) * (100 / 160), 12);
  });

  it('narrows the range by the mean of three half-years, and by half where there are fewer', () => {
    const small = [-0.15, 0.15] as const;
    expect(Math.log(marketErrorOf(pairsOf(small, 30, 0)).calibration)).toBeCloseTo((Math.log(0.5) / 2) * (60 / 120), 6);
    // 30 pairs, twelve days apart: two half-years hold all
    expect(marketErrorOf(pairsOf(small, 30, 12)).calibration).toBeGreaterThan(
      marketErrorOf(pairsOf(small, 33, 18)).calibration,
    );
    // 18 days apart: 20 or 22 errors in a half-year, three full ones, all of half a sigma: between ln 0.5 and none
    const { calibration } = marketErrorOf(pairsOf(small, 33, 18));
    expect(calibration).toBeGreaterThan(0.5);
    expect(calibration).toBeLessThan(0.85);
  });
});

describe('the known error of values without days', () => {
  it('is their width alone, narrow or wide, as far as the number of sales carries', () => {
    // errors of half and of twice sigma: ln 0.5 and ln 2, × 60 / 120
    const narrow = undatedErrorOf(errorsOf(repeated([-0.15, 0.15], 30)));
    expect(narrow).toMatchObject({ level: 0, saleCount: 60 });
    expect(Math.log(narrow.calibration)).toBeCloseTo(Math.log(0.5) / 2, 12);
    expect(Math.log(undatedErrorOf(errorsOf(repeated([-0.6], 60))).calibration)).toBeCloseTo(Math.log(2) / 2, 12);
    expect(undatedErrorOf(errorsOf(repeated([0.6], 14)))).toEqual(noMarketError);
  });

  it('comes from values of each fifth of the sales by the other four, and makes the range hold two in three', () => {
    const random = createRandom('undated');
    // lots alike but for their price, so that each other comp is as good: too wide by the parts alone. With fewer than 60
    // in four folds there is no model
    const sales = Array.from({ length: 70 }, (_, i) =>
      compOf({
        id: `sale-${i}`,
        propertyId: 100 + i,
        longitude: -100 + degreesEast(10 * random.next()),
        acres: 10 * Math.exp(0.5 * random.normal()),
        price: 10_000 * Math.exp(0.25 * random.normal()),
        date: null,
      }),
    );
    const errors = holdOutFolds(sales, sales);
    expect(errors.length).toBe(70);
    const inside = (calibration: number) =>
      errors.filter(({ error, sigma }) => Math.abs(error) <= sigma * calibration).length / 70;
    const { calibration } = undatedErrorOf(errors);
    expect(Math.abs(inside(calibration) - 0.68)).toBeLessThanOrEqual(Math.abs(inside(1) - 0.68));
    expect(calibration).not.toBe(1);
  });
});

describe('holding out with the model', () => {
  it('trains before each block of dates, so that a block of few earlier comps is valued by comps alone', () => {
    const market = createMarket(120, 'blocks').map((comp, i) => ({
      ...comp,
      status: 'SOLD' as const,
      date: today - 10 * i,
    }));
    const newest = market.slice(0, 40);
    const { held, errors } = holdOutMarket(newest, market, 1);
    const days = held.map(({ sale }) => sale.date ?? 0);
    expect(days).toEqual(days.toSorted((a, b) => a - b));
    const counts = held.flatMap(({ explanation }) => explanation?.market?.compCount ?? []);
    expect(new Set(counts).size).toBe(6);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(60);
    expect(errors).toHaveLength(held.filter(({ explanation }) => explanation).length);
    const early = holdOutMarket(market.slice(-30), market, 1);
    expect(early.held.every(({ explanation }) => (explanation?.market ?? null) === null)).toBe(true);
  }, 120_000);
});

describe('an interval by the bootstrap', () => {
  it('of a mean is that of the normal distribution', () => {
    // 400 numbers with a standard deviation of 1: the mean's is 0.05, and 90 % lie within 1.645 of it
    const values = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    const { low, high } = bootstrapOf(
      values,
      (sample) => sample.reduce((sum, value) => sum + value, 0) / sample.length,
    );
    expect(low).toBeCloseTo(-0.082, 1);
    expect(high).toBeCloseTo(0.082, 1);
    expect(bootstrapOf(values, ([first]) => first ?? 0)).toEqual({ low: -1, high: 1 });
  });
});
