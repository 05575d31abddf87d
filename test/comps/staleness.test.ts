/** A value says when it cannot know: the older the newest comp, the wider its range. */
import { describe, expect, it } from 'vitest';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { valueFromComps } from '../../engine/comps/comp-value.ts';
import { learnStaleness } from '../../engine/comps/learn-staleness.ts';
import { noMarketError } from '../../engine/comps/market-error.ts';
import { MarketModel } from '../../engine/comps/market-model/market-model.ts';
import {
  type LearntStaleness,
  noStaleness,
  pooledStaleness,
  type Staleness,
  staleVariance,
} from '../../engine/comps/staleness.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import type { CompValueExplanation, ValueComp, ValueSubject } from '../../engine/comps/value-types.ts';
import { warningSentence } from '../../engine/spec/value-warnings.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, explain, subject, today } from './valuation-cases.ts';

const years = (count: number): number => Math.round(count * 365.25);

/** Sales over twelve years, ten days apart. @param levelAt ln of the price level at an age in years */
function salesOf(levelAt: (age: number) => number, seed = 'staleness'): ValueComp[] {
  const random = createRandom(seed);
  return Array.from({ length: 430 }, (_, i) => {
    const acres = Math.exp(2 + 0.5 * random.normal());
    const age = (i * 10) / 365.25;
    return compOf({
      id: `sale-${String(i).padStart(3, '0')}`,
      propertyId: 100 + i,
      longitude: -100 + 0.1 * random.normal(),
      latitude: 40 + 0.1 * random.normal(),
      acres,
      price: acres * Math.exp(8 - 0.4 * Math.log(acres) + 0.2 * random.normal() + levelAt(age)),
      date: today - i * 10,
    });
  });
}

const steady = salesOf(() => 0);
/** Prices rise and fall by half within seven years. */
const restless = salesOf((age) => 0.4 * Math.sin(age * 0.9));

const olderThan = (sales: readonly ValueComp[], age: number) =>
  sales.filter(({ date }) => (date ?? 0) <= today - years(age));

describe('time since the newest sale', () => {
  it('widens the range and lowers the confidence with each year, and is told first', () => {
    const found = [0, 1, 2, 3, 5].map((age) => explain(olderThan(steady, age)));
    const scores = found.map(({ value }) => value.confidence_score);
    for (const [i, score] of scores.slice(1).entries()) expect(score).toBeLessThan(scores[i] as number);
    const last = found.at(-1) as CompValueExplanation;
    expect(last.newestYears).toBeCloseTo(5, 1);
    const [first] = last.warnings;
    if (!first) throw new Error('no warning');
    expect(first).toMatchObject({ code: 'stale', offer_years: 2 });
    expect(warningSentence(first, String)).toMatch(
      /^The newest sale here is 5 years old; above 2 years no offer is told; the range is \d+ % wider for it\.$/,
    );
    // without the part of time, the range would be narrower by what the warning says
    const { sigma, staleness, calibration } = last.uncertainty;
    expect(staleness).toBeCloseTo(0.017 * ((last.newestYears ?? 0) - 0.25), 12);
    expect(first.widens).toBeCloseTo(sigma / Math.sqrt(sigma ** 2 - staleness * calibration ** 2) - 1, 12);
    expect(found.map(({ canOffer }) => canOffer)).toEqual([true, true, false, false, false]);
    expect(explain(steady).warnings).toEqual([]);
  });

  it('adds nothing to fresh comps, and nothing where none is dated', () => {
    expect(staleVariance(0.25, noStaleness, valuationParameters.staleness)).toBe(0);
    expect(staleVariance(null, noStaleness, valuationParameters.staleness)).toBe(0);
    const undated = steady.map((sale) => ({ ...sale, date: null }));
    expect(explain(undated)).toMatchObject({ newestYears: null, canOffer: true, uncertainty: { staleness: 0 } });
  });

  it('keeps the last level that sales tell, instead of falling back to that of all years', () => {
    // prices double three years ago and stay: the newest sales of a gap of two years lie on the new level
    const doubled = olderThan(
      salesOf((age) => (age < 4 ? Math.LN2 : 0)),
      2,
    );
    const fresh = explain(doubled, { ...subject, date: today - years(2) }).value.mean_adjusted_ppa;
    const later = explain(doubled).value.mean_adjusted_ppa / fresh;
    expect(later).toBeGreaterThan(0.9);
    expect(later).toBeLessThan(1.1);
  });
});

describe('what a county tells of it', () => {
  const learn = (sales: readonly ValueComp[]) => {
    const learnt = learnStaleness(sales.slice(0, 100), sales, 1);
    if (learnt === null) throw new Error('too few sales');
    return learnt;
  };

  it('finds more where prices moved more, and as much as they moved', () => {
    const [calm, moved] = [learn(steady), learn(restless)].map(({ gaps }) => gaps.map(({ variance }) => variance)) as [
      number[],
      number[],
    ];
    for (const variance of calm) expect(variance).toBeLessThan(0.02);
    // over three years the level of a wave of 0.4 moves by up to 0.8 sin(1.35) = 0.78; over half a year by 0.18
    expect(Math.sqrt(moved[3] as number)).toBeGreaterThan(0.3);
    expect(Math.sqrt(moved[3] as number)).toBeLessThan(0.9);
    expect(Math.sqrt(moved[0] as number)).toBeLessThan(0.25);
  });

  it('covers two sales in three at every gap in a home whose counties move alike', () => {
    const learnt = learn(restless);
    const staleness = pooledStaleness(learnt, [learnt, learnt, learnt]);
    for (const [i, step] of staleness.steps.entries())
      expect(step.variance).toBeGreaterThanOrEqual(staleness.steps[i - 1]?.variance ?? 0);
    const index = CompIndex.of(restless);
    const insideAt = (gap: number, told: Staleness): number =>
      restless.slice(0, 100).filter(({ price, ...sale }) => {
        const answer = valueFromComps(
          { ...sale, date: sale.date as number },
          index,
          { ...valuationParameters, minAgeDays: years(gap) },
          { model: null, error: noMarketError, staleness: told },
        );
        if (answer.value === null) throw new Error(answer.reason);
        return (price ?? 0) >= answer.valueRange.low && (price ?? 0) <= answer.valueRange.high;
      }).length;
    for (const gap of [1, 2, 3]) {
      expect(insideAt(gap, staleness), `${gap} years`).toBeGreaterThan(58);
      expect(insideAt(gap, staleness)).toBeLessThan(90);
    }
    expect(insideAt(3, staleness)).toBeGreaterThan(insideAt(3, noStaleness));
  });

  it('is drawn toward other counties, and these toward the usual growth', () => {
    const told = (variance: number, count: number): LearntStaleness => ({
      gaps: [0.5, 1, 2, 3, 5].map((gap) => ({ years: gap, variance, count, doOffersHold: true })),
    });
    const at = (own: LearntStaleness | null, others: LearntStaleness[]) =>
      pooledStaleness(own, others).steps[2]?.variance;
    const usual = 0.017 * 1.75;
    expect(at(null, [])).toBeCloseTo(usual, 12);
    // by counts, 200 for what is drawn toward
    expect(at(told(0.5, 200), [])).toBeCloseTo((0.5 + usual) / 2, 12);
    const elsewhere = (0.1 * 600 + usual * 200) / 800;
    expect(at(null, [told(0.1, 300), told(0.1, 300)])).toBeCloseTo(elsewhere, 12);
    expect(at(told(0.5, 100), [told(0.1, 600)])).toBeCloseTo((0.5 * 100 + elsewhere * 200) / 300, 12);
    // beyond two years only as far as sales have proven each gap on the way
    expect(pooledStaleness(null, [told(0.1, 300)]).offerYears).toBe(2);
    expect(pooledStaleness(told(0.1, 300), []).offerYears).toBe(5);
    const broken = { gaps: told(0.1, 300).gaps.map((gap) => ({ ...gap, doOffersHold: gap.years !== 5 })) };
    expect(pooledStaleness(broken, []).offerYears).toBe(3);
    expect(pooledStaleness(told(0.1, 29), []).offerYears).toBe(2);
  });

  it('tells nothing of fewer than 30 sales', () => {
    expect(learnStaleness(steady.slice(0, 29), steady, 1)).toBeNull();
  });
});

describe('the least range', () => {
  it('stands under a hundred equal lots at one price, by the comps alone and where values never erred', () => {
    const lots = Array.from({ length: 100 }, (_, i) =>
      compOf({ id: `lot-${i}`, propertyId: 100 + i, longitude: -100 + 1e-4 * i, date: today - i }),
    );
    const model = MarketModel.train(lots);
    const neverErred = { level: 0, calibration: 1e-9, saleCount: 100 };
    for (const market of [null, { model, error: neverErred }]) {
      const answer = valueFromComps(subject, CompIndex.of(lots), valuationParameters, market);
      if (answer.value === null) throw new Error(answer.reason);
      expect(answer.value.confidence_score).toBeLessThan(95);
      // at least 0.06 either way of 10,000
      expect(answer.valueRange.low).toBeLessThanOrEqual(10_000 * Math.exp(-0.06) + 0.01);
      expect(answer.valueRange.high).toBeGreaterThanOrEqual(10_000 * Math.exp(0.06) - 0.01);
    }
  });
});

describe('a value as of a past day', () => {
  const past: ValueSubject = { ...subject, date: today - years(3), isPast: true };
  const known = olderThan(steady, 3);

  it('is what it would have been on that day, whatever came later', () => {
    const undated = compOf({ id: 'undated', propertyId: 7, date: null, price: 900_000 });
    const found = explain([...steady, undated], past);
    expect(found.value).toEqual(explain(known, past).value);
    expect(found.used.every(({ comp }) => (comp.date ?? Infinity) <= past.date)).toBe(true);
    expect(found.leftOut.counts).toMatchObject({ no_date: 1, later_than_value_date: steady.length - known.length });
    expect(found.warnings.find(({ code }) => code === 'past')).toMatchObject({
      later: steady.length - known.length,
      undated: 1,
    });
    // today an undated comp counts
    expect(explain([...steady, undated]).leftOut.counts.no_date).toBe(0);
  });

  it('uses no model that saw later sales, and one that saw none', () => {
    const value = (comps: readonly ValueComp[]) => {
      const sight = { model: MarketModel.train(comps), error: noMarketError };
      const answer = valueFromComps(past, CompIndex.of(steady), valuationParameters, sight);
      return answer.value === null ? null : answer.market;
    };
    expect(value(steady)).toBeNull();
    expect(value([...known, compOf({ id: 'undated', propertyId: 7, date: null })])).toBeNull();
    expect(value(known)).toMatchObject({ compCount: known.length });
  });
});
