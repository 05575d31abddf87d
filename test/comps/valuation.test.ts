import { describe, expect, it } from 'vitest';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { type CompValueExplanation, type ValueSubject, valueFromComps } from '../../engine/comps/comp-value.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import { giniOf } from '../../engine/comps/value-level.ts';
import type { ValueAdjustments } from '../../engine/comps/value-types.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, createMarket, degreesEast, explain, subject, today } from './valuation-cases.ts';

const productOf = (factors: ValueAdjustments): number =>
  Object.values(factors).reduce((product, factor) => product * factor, 1);

describe('values worked by hand', () => {
  /**
   * Three sales like the subject in all but price, one of other use (their ids differ from its id, so they are others).
   * y = ln(price/acre) - ln 1000 = 0, ln 2, 2 ln 2 = 0, 0.693147, 1.386294. h = 0.05 km, all d = 0.
   * q = 0, 1, 1 (the last two are of another use). w = 1, 1/2, 1/2; fit weights 1, 1/(1 + 1/6.25) = 0.862069 twice.
   * All features are 0, so the model is its weighted mean: c0 = 0.862069 (0.693147 + 1.386294) / 2.724138 = 0.658051.
   * Residuals -0.658, 0.035, 0.728: none beyond 1.5 · 1.4826 · 0.658 = 1.463, so Huber changes nothing.
   * Fewer than five comps: no outliers. mu = (0.346574 + 0.693147) / 2 = 0.519860. n_eff = 2² / 1.5 = 2.666667.
   * Pooling: (0.658051 - 0.519860) / 3.666667 = 0.037688. ln value = 0.557549: 1000 e^0.557549 = 1746.39 per acre.
   * S² = (0.270255 + 0.030028/2 + 0.750709/2) / 2 = 0.330312, times 2.666667 / 1.666667 = 0.528498.
   * S~² = (0.75 · 0.25 + 1.666667 · 0.528498) / 2.416667 = 0.442068. qbar = (0.5 + 0.5) / 2 = 0.5.
   * sigma² = 1.02 · 0.442068 · 1.375 + 0.0055 · 0.5 = 0.622750; sigma = 0.789145; 100 e^-sigma = 45.42.
   * Gini of 1, 2, 4 (times anything): (-2 · 1 + 0 · 2 + 2 · 4) / (3 · 7) = 6/21.
   */
  const three = [
    compOf({ id: 'a', price: 10_000, propertyId: 2 }),
    compOf({ id: 'b', price: 20_000, propertyId: 3, use: 'R1' }),
    compOf({ id: 'c', price: 40_000, propertyId: 4, use: 'R1' }),
  ];

  it('weighs three comps, pools them toward the model and says how sure it is', () => {
    const { value, valueRange, used, uncertainty, coefficients } = explain(three);
    expect(value.mean_price).toBeCloseTo(70_000 / 3, 6);
    expect(value.mean_ppa).toBeCloseTo(7000 / 3, 6);
    expect(value.mean_adjusted_ppa).toBeCloseTo(1746.39, 1);
    expect(value.mean_adjusted_price).toBeCloseTo(17_463.9, 0);
    expect(value.gini_index).toBeCloseTo(600 / 21, 9);
    expect(value.confidence_score).toBeCloseTo(45.42, 2);
    expect(valueRange.low).toBeCloseTo(17_463.9 * Math.exp(-0.789145), 0);
    expect(valueRange.high).toBeCloseTo(17_463.9 * Math.exp(0.789145), 0);
    expect(coefficients.level - Math.log(1000)).toBeCloseTo(0.658051, 5);
    expect(uncertainty.effectiveCount).toBeCloseTo(8 / 3, 9);
    expect(uncertainty.spread).toBeCloseTo(1.02 * 0.442068 * 1.375, 5);
    expect(used.map(({ comp, weight }) => [comp.id, weight])).toEqual([
      ['a', 0.5],
      ['b', 0.25],
      ['c', 0.25],
    ]);
    expect(used[0]?.adjustments.pooling).toBeCloseTo(0.037688, 5);
  });

  it('adjusts a single comp for size by the prior, and calls it low confidence', () => {
    // beta0(10 acres) lies ln(10/5)/ln(160/5) = 1/5 of the way from -0.5 to -0.2: -0.44. One row cannot move it.
    // 20 acres against 10: ln(price/acre) + 0.44 ln 2 = + 0.304985, so 1000 becomes 1356.60 per acre.
    // sigma² = 1.02 · 0.25 · 2 + (1.24 · 0.304985)² + (0.11 ln 2)² + 0.0055 (ln 2 / 0.5)² = 0.51 + 0.143017 + 0.005814 + 0.010570
    const { value, used, isLowConfidence, uncertainty } = explain([
      compOf({ id: 'a', acres: 20, price: 20_000, propertyId: 2 }),
    ]);
    expect(value.mean_adjusted_ppa).toBeCloseTo(1356.6, 1);
    expect(used[0]?.factors.size).toBeCloseTo(1.3566, 4);
    expect(used[0]?.factors).toMatchObject({ time: 1, place: 1, ask: 1, attributes: 1 });
    expect(uncertainty.sigma).toBeCloseTo(Math.sqrt(0.669401), 5);
    expect(value.gini_index).toBe(0);
    expect(isLowConfidence).toBe(true);
  });

  it('takes asks down only where sales are among the comps', () => {
    const ask = compOf({ id: 'ask', status: 'ACTIVE', propertyId: 2 });
    expect(explain([ask]).coefficients.ask).toBeNull();
    expect(explain([ask]).value.mean_adjusted_ppa).toBeCloseTo(1000, 9);
    // Twins: both tell 0.5 ln 1.08 apart from the prior of ln 1.08, so ridge of weight 0.6/1.6 · 1 and penalty 25 keeps
    // the coefficient at 25 ln 1.08 / (25 + 0.375) = 0.075824
    const { coefficients, used } = explain([ask, compOf({ id: 'sale', propertyId: 3 })]);
    expect(coefficients.ask).toBeCloseTo((25 * Math.log(1.08)) / 25.375, 9);
    expect(used.find(({ comp }) => comp.id === 'ask')?.factors.ask).toBeCloseTo(Math.exp(-0.075824), 5);
  });

  it('measures the Gini coefficient of 1, 2, 3, 10 as 43.75', () => {
    // (-3 · 1 - 1 · 2 + 1 · 3 + 3 · 10) / (4 · 16) = 28/64
    expect(giniOf([3, 10, 1, 2])).toBeCloseTo(43.75, 9);
    expect(giniOf([7])).toBe(0);
    expect(giniOf([0.1, 0.1, 0.1])).toBe(0);
  });
});

describe('identical comps', () => {
  it.each([
    [1, 49],
    [2, 64],
    [3, 72],
    [5, 79],
    [8, 84],
    [12, 86],
  ])('%i of them give confidence %i and no inequality', (count, confidence) => {
    const comps = Array.from({ length: count }, (_, i) =>
      compOf({ id: `c${i}`, propertyId: i + 2, longitude: -100 + degreesEast(i) }),
    );
    const { value } = explain(comps);
    expect(Math.round(value.confidence_score)).toBe(confidence);
    expect(value.gini_index).toBeLessThan(1e-9);
    expect(value.mean_adjusted_ppa).toBeCloseTo(1000, 6);
  });
});

describe('any market', () => {
  const market = createMarket(300, 'any market');
  const index = CompIndex.of(market);
  const random = createRandom('subjects');
  const subjects = Array.from(
    { length: 60 },
    (_, i): ValueSubject => ({
      ...subject,
      propertyId: i + 2,
      acres: Math.exp(2 + random.normal()),
      longitude: -100 + 0.3 * random.normal(),
      latitude: 40 + 0.3 * random.normal(),
      use: random.pick(['AG', 'R1', 'C', null]),
      attributes: random.chance(0.5) ? { wetlandsShare: random.next(), landlocked: random.chance(0.5) } : {},
    }),
  );
  const explanations = subjects.map((one) => {
    const answer = valueFromComps(one, index);
    if (answer.value === null) throw new Error('no value');
    return { subject: one, answer };
  });

  it('shows rows that recompute to its numbers', () => {
    for (const {
      subject: { acres },
      answer,
    } of explanations) {
      const { used, value } = answer;
      let logLevel = 0;
      for (const row of used) {
        expect(row.pricePerAcre).toBe((row.comp.price ?? 0) / (row.comp.acres ?? 0));
        expect(row.adjustedPricePerAcre / row.pricePerAcre).toBeCloseTo(productOf(row.factors), 9);
        expect(row.adjustedPrice).toBeCloseTo(row.adjustedPricePerAcre * (acres ?? 0), 6);
        for (const [cause, adjustment] of Object.entries(row.adjustments)) {
          expect(row.factors[cause as keyof ValueAdjustments]).toBe(Math.exp(adjustment));
        }
        logLevel += row.weight * Math.log(row.adjustedPricePerAcre);
      }
      const count = used.length;
      expect(used.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
      expect(value.mean_adjusted_ppa / Math.exp(logLevel)).toBeCloseTo(1, 12);
      expect(value.mean_adjusted_price).toBe(value.mean_adjusted_ppa * (acres ?? 0));
      expect(value.mean_price).toBeCloseTo(used.reduce((sum, { price }) => sum + price, 0) / count, 6);
      expect(value.mean_ppa).toBeCloseTo(used.reduce((sum, { pricePerAcre }) => sum + pricePerAcre, 0) / count, 6);
      expect(value.gini_index).toBeCloseTo(giniOf(used.map(({ adjustedPrice }) => adjustedPrice)), 9);
    }
  });

  it('shows an uncertainty that is the sum of its parts and recomputes from rows and outliers', () => {
    let outlierCount = 0;
    for (const { answer } of explanations) {
      const { used, leftOut, uncertainty, value } = answer;
      const { sigma, effectiveCount, outlierLimits, calibration, ...parts } = uncertainty;
      expect(calibration).toBe(1);
      expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(sigma ** 2, 12);
      expect(value.confidence_score).toBe(Math.min(95, 100 * Math.exp(-sigma)));
      const rows = used.map(({ weight, adjustedPricePerAcre }) => ({ weight, z: Math.log(adjustedPricePerAcre) }));
      for (const { outlier } of leftOut.examples) {
        if (outlier === undefined) continue;
        outlierCount++;
        expect(outlier.spreads).toBeGreaterThan(2.5);
        const { low, high } = outlierLimits ?? { low: 0, high: 0 };
        const price = Math.min(Math.max(outlier.adjustedPricePerAcre, low), high);
        rows.push({ weight: outlier.weight, z: Math.log(price) });
      }
      const weightSum = rows.reduce((sum, { weight }) => sum + weight, 0);
      const count = weightSum ** 2 / rows.reduce((sum, { weight }) => sum + weight ** 2, 0);
      const mean = rows.reduce((sum, { weight, z }) => sum + weight * z, 0) / weightSum;
      const variance = rows.reduce((sum, { weight, z }) => sum + weight * (z - mean) ** 2, 0) / weightSum;
      const corrected = (variance * count) / Math.max(count - 1, 0.5);
      const shrunk = (0.75 * 0.25 + (count - 1) * corrected) / (0.75 + count - 1);
      expect(uncertainty.spread).toBeCloseTo(1.02 * shrunk * (1 + 1 / effectiveCount), 9);
    }
    expect(outlierCount).toBeGreaterThan(10);
  });

  it('accounts for every comp once', () => {
    for (const { answer } of explanations) {
      const { counts } = answer.leftOut;
      const leftOut = Object.values(counts).reduce((sum, count) => sum + count, 0);
      expect(answer.used.length + leftOut).toBe(market.length);
      for (const reason of Object.keys(counts) as (keyof typeof counts)[]) {
        const shown = answer.leftOut.examples.filter((one) => one.reason === reason).length;
        const most = reason === 'outlier' ? 12 : valuationParameters.leftOutExamples;
        expect(shown).toBe(reason === 'beyond_ring' ? 0 : Math.min(counts[reason], most));
      }
    }
  });

  it('does not depend on the order of the comps, to the last bit', () => {
    const shuffled = CompIndex.of(createRandom('shuffle').shuffle(market));
    for (const { subject: one, answer } of explanations) expect(valueFromComps(one, shuffled)).toEqual(answer);
  });

  it('breaks ties by id', () => {
    // 20 comps of one place: which twelve count is the ids' decision
    const twins = Array.from({ length: 20 }, (_, i) =>
      compOf({ id: `t${String(i).padStart(2, '0')}`, propertyId: i + 2, price: 10_000 + 100 * i }),
    );
    const first = explain(twins);
    expect(first.used.map(({ comp }) => comp.id)).toEqual(twins.slice(0, 12).map(({ id }) => id));
    expect(explain(twins.toReversed())).toEqual(first);
  });

  it('scales with the prices, while confidence and Gini stay', () => {
    const scaled = CompIndex.of(
      market.map((comp) => ({ ...comp, price: comp.price === null ? null : comp.price * 3.7 })),
    );
    for (const { subject: one, answer } of explanations) {
      const { value } = valueFromComps(one, scaled) as CompValueExplanation;
      for (const name of ['mean_price', 'mean_ppa', 'mean_adjusted_price', 'mean_adjusted_ppa'] as const) {
        expect(value[name] / answer.value[name]).toBeCloseTo(3.7, 9);
      }
      expect(value.confidence_score).toBeCloseTo(answer.value.confidence_score, 9);
      expect(value.gini_index).toBeCloseTo(answer.value.gini_index, 9);
    }
  });

  it('keeps its bounds', () => {
    for (const { answer } of explanations) {
      const { gini_index: gini, confidence_score: confidence } = answer.value;
      expect(gini).toBeGreaterThanOrEqual(0);
      expect(gini).toBeLessThanOrEqual(100);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(95);
      expect(answer.valueRange.low).toBeLessThan(answer.value.mean_adjusted_price);
      expect(answer.valueRange.high).toBeGreaterThan(answer.value.mean_adjusted_price);
    }
  });

  it('never asks for more than the least sigma allows, however many comps agree', () => {
    const twins = Array.from({ length: 400 }, (_, i) => compOf({ id: `t${i}`, propertyId: i + 2 }));
    const parameters = { ...valuationParameters, levelCount: 400 };
    expect(valueFromComps(subject, twins, parameters).value?.confidence_score).toBeCloseTo(100 * Math.exp(-0.06), 9);
  });
});

describe('what may not speak', () => {
  const other = compOf({ id: 'other', propertyId: 9999, longitude: -100.1 });
  const reasonsOf = (comps: ReturnType<typeof compOf>[], of = subject) =>
    Object.fromEntries(explain([...comps, other], of).leftOut.examples.map(({ comp, reason }) => [comp.id, reason]));

  it('says why each comp was left out', () => {
    expect(
      reasonsOf([
        compOf({ id: 'own', propertyId: 1, longitude: -100.05 }),
        compOf({ id: 'unnamed own', acres: 10.4 }),
        compOf({ id: 'free', price: null, propertyId: 2 }),
        compOf({ id: 'gift', price: 0, propertyId: 2 }),
        compOf({ id: 'sizeless', acres: null, propertyId: 3 }),
        compOf({ id: 'old', date: today - 8 * 365.25 - 1, propertyId: 4 }),
        compOf({ id: 'later', date: today + 1, propertyId: 5 }),
        compOf({ id: 'large', acres: 100.1, propertyId: 6 }),
        compOf({ id: 'small', acres: 0.99, propertyId: 7 }),
      ]),
    ).toEqual({
      own: 'own_parcel',
      'unnamed own': 'own_parcel',
      free: 'no_price',
      gift: 'no_price',
      sizeless: 'no_lot_size',
      old: 'too_old',
      later: 'later_than_value_date',
      large: 'outside_acreage_band',
      small: 'outside_acreage_band',
    });
  });

  it('takes neighbours and twins in size for what they are', () => {
    // 29 m off and of the same size, but known to be another parcel; unknown, but of another size; unknown, but 76 m off
    const neighbour = compOf({ id: 'neighbour', propertyId: 2, longitude: -100 + degreesEast(0.029) });
    const smaller = compOf({ id: 'smaller', acres: 8.9 });
    const nextDoor = compOf({ id: 'next door', price: 11_000, longitude: -100 + degreesEast(0.076) });
    expect(reasonsOf([neighbour, smaller, nextDoor])).toEqual({});
    // the pin on the road of a known parcel
    expect(reasonsOf([compOf({ id: 'pin', acres: 9.1, longitude: -100 + degreesEast(0.074) })])).toEqual({
      pin: 'own_parcel',
    });
    // two places without a parcel must lie closer, and be more alike
    const place = { ...subject, propertyId: null };
    const apart = compOf({ id: 'apart', longitude: -100 + degreesEast(0.031) });
    expect(reasonsOf([apart, compOf({ id: 'small', acres: 9.4 })], place)).toEqual({});
    expect(reasonsOf([compOf({ id: 'itself', longitude: -100 + degreesEast(0.029) })], place)).toEqual({
      itself: 'own_parcel',
    });
  });

  it('keeps the ends of band and age', () => {
    const ends = [
      compOf({ id: 'large', acres: 100, propertyId: 2 }),
      compOf({ id: 'small', acres: 1, propertyId: 3 }),
      compOf({ id: 'old', date: today - 8 * 365.25, propertyId: 4 }),
      compOf({ id: 'same day', propertyId: 5 }),
    ];
    expect(explain(ends).used).toHaveLength(4);
  });

  it('shows the subject’s own listings beside the value, newest first, and never in it', () => {
    const own = [
      compOf({ id: 'sold once', propertyId: 1, date: today - 3000, price: 1 }),
      compOf({ id: 'ask', propertyId: 1, status: 'ACTIVE', date: today, price: 1e9 }),
    ];
    const { value, ownListings } = explain([...own, other]);
    expect(value).toEqual(explain([other]).value);
    expect(ownListings.map(({ id }) => id)).toEqual(['ask', 'sold once']);
  });

  it('goes no farther than the ring that holds enough', () => {
    const near = Array.from({ length: 600 }, (_, i) => compOf({ id: `n${i}`, propertyId: i + 2, longitude: -100.01 }));
    const { ringKilometers, leftOut, candidateCount } = explain([...near, other]);
    expect(ringKilometers).toBe(2);
    expect(candidateCount).toBe(600);
    expect(leftOut.counts.beyond_ring).toBe(1);
    // with one less the other is needed, 8.5 km away; with two less there are never enough
    expect(explain([...near.slice(1), other]).ringKilometers).toBe(16);
    expect(explain([...near.slice(2), other]).ringKilometers).toBe(120);
  });

  it('drops a comp that the other comps contradict', () => {
    const agreeing = Array.from({ length: 9 }, (_, i) =>
      compOf({ id: `a${i}`, propertyId: i + 2, price: 9600 + 100 * i }),
    );
    const { used, leftOut, value } = explain([...agreeing, compOf({ id: 'wrong', propertyId: 99, price: 50_000 })]);
    expect(used).toHaveLength(9);
    expect(leftOut.examples).toMatchObject([{ comp: { id: 'wrong' }, reason: 'outlier' }]);
    expect(value.mean_adjusted_ppa).toBeGreaterThan(960);
    expect(value.mean_adjusted_ppa).toBeLessThan(1060);
  });
});

describe('without a value', () => {
  const comp = compOf({ id: 'far', propertyId: 2, longitude: -90 });

  it.each([
    ['no_acres', { acres: null }],
    ['no_acres', { acres: 0 }],
    ['no_point', { longitude: null }],
    ['no_point', { latitude: Number.NaN }],
  ] as const)('says %s of %o', (reason, change) => {
    expect(valueFromComps({ ...subject, ...change }, [comp])).toMatchObject({ value: null, reason, nearest: null });
  });

  it('names the nearest comp when none is near enough', () => {
    const answer = valueFromComps(subject, [comp, compOf({ id: 'own', propertyId: 1 })]);
    expect(answer).toMatchObject({
      value: null,
      reason: 'no_comps',
      ringKilometers: 120,
      nearest: { comp: { id: 'far' }, reason: 'beyond_ring' },
      ownListings: [{ id: 'own' }],
    });
    expect(answer.value === null && answer.nearest?.distanceKilometers).toBeCloseTo(852.76, 0);
  });

  it('names the nearest comp with what is wrong with it', () => {
    const answer = valueFromComps(subject, [comp, compOf({ id: 'unpriced', propertyId: 3, price: null })]);
    expect(answer).toMatchObject({ value: null, nearest: { comp: { id: 'unpriced' }, reason: 'no_price' } });
  });

  it('has nothing to say where there are no comps at all', () => {
    expect(valueFromComps(subject, [])).toMatchObject({ value: null, reason: 'no_comps', nearest: null });
  });
});

describe('what is unknown', () => {
  const far = { propertyId: 2, longitude: -100.01 };

  it('makes no difference in time, use and attributes', () => {
    const known = explain([compOf({ id: 'a', ...far })]);
    expect(explain([compOf({ id: 'a', ...far, date: null })]).value).toEqual(known.value);
    expect(explain([compOf({ id: 'a', ...far, use: null })]).value).toEqual(known.value);
    expect(explain([compOf({ id: 'a', ...far })], { ...subject, use: null }).value).toEqual(known.value);
    expect(explain([compOf({ id: 'a', ...far, attributes: { landlocked: null } })]).value).toEqual(known.value);
  });

  it('adjusts for wetland where both sides are known', () => {
    // prior -0.70 per share: a dry comp is worth e^-0.35 of itself on a half wet subject
    const wet: ValueSubject = { ...subject, attributes: { wetlandsShare: 0.5 } };
    const { used, coefficients } = explain([compOf({ id: 'dry', ...far, attributes: { wetlandsShare: 0 } })], wet);
    expect(coefficients.attributes).toEqual({ wetlandsShare: -0.7 });
    expect(used[0]?.adjustments.attributes).toBeCloseTo(-0.35, 12);
    expect(explain([compOf({ id: 'unknown', ...far })], wet).used[0]?.adjustments.attributes).toBe(0);
  });

  it('tells a lot on the water from one that is not', () => {
    const onWater: ValueSubject = { ...subject, attributes: { waterFrontageFeet: 150 } };
    const comps = [0, 10, 20].map((feet) =>
      compOf({ id: `w${feet}`, ...far, propertyId: 100 + feet, attributes: { waterFrontageFeet: feet } }),
    );
    const { used, coefficients } = explain(comps, onWater);
    expect(coefficients.attributes.waterFrontageFeet).toBeGreaterThan(0.8);
    const byId = Object.fromEntries(used.map(({ comp, adjustments }) => [comp.id, adjustments.attributes]));
    expect(byId.w0).toBeGreaterThan(0.8);
    expect(byId.w10).toBe(byId.w0);
    expect(byId.w20).toBe(0);
  });

  it('limits what the model may do to a comp, every cause in proportion', () => {
    // a road against none, dry, level and open: 0.05 ln 51 + 0.7 + 0.2 + 0.3 + 0.35 = 1.7466, limited to 1.2
    const attributes = { roadFrontageFeet: 5000, wetlandsShare: 0, floodShare: 0, steepShare: 0, landlocked: false };
    const bad = { roadFrontageFeet: 0, wetlandsShare: 1, floodShare: 1, steepShare: 1, landlocked: true };
    const { used } = explain([compOf({ id: 'bad', ...far, attributes: bad })], { ...subject, attributes });
    expect(used[0]?.adjustments.attributes).toBeCloseTo(1.2, 12);
    expect(used[0]?.isLimited).toBe(true);
  });

  it('lowers confidence for an attribute that varies here and is unknown for the subject', () => {
    // shares 0 and 1: standard deviation 0.7071, (0.70 · 0.7071)² = 0.245
    const comps = [0, 1].map((share) =>
      compOf({ id: `w${share}`, propertyId: share + 2, attributes: { wetlandsShare: share } }),
    );
    expect(explain(comps).uncertainty.unknownAttributes).toBeCloseTo(0.245, 9);
    expect(explain(comps, { ...subject, attributes: { wetlandsShare: 0 } }).uncertainty.unknownAttributes).toBe(0);
  });

  it('lowers confidence for comps that lie at the middle of their ZIP code', () => {
    const comps = [compOf({ id: 'a', propertyId: 2 }), compOf({ id: 'b', propertyId: 3, coordinateGrain: 'zip' })];
    expect(explain(comps).uncertainty.coordinateGrain).toBeCloseTo(0.02, 12);
  });
});

describe('a market that moves', () => {
  it('brings old sales to the subject’s day', () => {
    // prices double between two years ago and today, on the same lots: 60 sales then, 60 now
    const sales = [0, 730].flatMap((age) =>
      Array.from({ length: 60 }, (_, i) =>
        compOf({
          id: `s${age}-${i}`,
          propertyId: i + 2,
          longitude: -100 + degreesEast(((i * 7) % 60) / 10),
          date: today - age,
          price: age === 0 ? 20_000 : 10_000,
        }),
      ),
    );
    const { hasTimeIndex, used, value } = explain(sales);
    expect(hasTimeIndex).toBe(true);
    for (const { comp, factors } of used) {
      if (comp.date === today) expect(factors.time).toBe(1);
      else expect(factors.time).toBeGreaterThan(1.5);
    }
    expect(value.mean_adjusted_ppa).toBeGreaterThan(1800);
    expect(explain(sales.slice(0, 29)).hasTimeIndex).toBe(false);
  });
});
