import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { type CompValueExplanation, type ValueComp, valueFromComps } from '../../engine/comps/comp-value.ts';
import { noMarketError } from '../../engine/comps/market-error.ts';
import { bytesOfForests, forestsOfBytes } from '../../engine/comps/market-model/forest-blob.ts';
import { MarketModel } from '../../engine/comps/market-model/market-model.ts';
import { createNearRows, PointTree } from '../../engine/comps/market-model/point-tree.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import { medianInPlace, weightedMedianInPlace } from '../../engine/comps/value-order.ts';
import { weightedMedianOf } from '../../engine/comps/value-ridge.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, createMarket, degreesEast, subject, today } from './valuation-cases.ts';

/** Just above the least number of comps: few rows, four draws of folds. */
const market = createMarket(70, 'market model');
const model = trained(market);

function trained(comps: readonly ValueComp[]): MarketModel {
  const found = MarketModel.train(comps);
  if (found === null) throw new Error('too few comps for a model');
  return found;
}

function valueBy(by: MarketModel, comps: readonly ValueComp[], of = subject): CompValueExplanation {
  const answer = valueFromComps(of, CompIndex.of(comps), valuationParameters, { model: by, error: noMarketError });
  if (answer.value === null) throw new Error(answer.reason);
  return answer;
}

const hashOf = (by: MarketModel): string => createHash('sha256').update(bytesOfForests(by.trained)).digest('hex');

describe('the market model', () => {
  it('is the same on every machine, bit by bit', () => {
    // If this fails on one machine only, a sum or a rounding there differs. If it fails on all, the constants or the
    // method changed: stored models must not be read any more.
    expect(hashOf(model).slice(0, 16)).toBe('e83339c26bdd94e5');
  });

  it('does not depend on the order of the comps, nor on the scale of prices', () => {
    expect(hashOf(trained(createRandom('order').shuffle(market)))).toBe(hashOf(model));
    expect(hashOf(trained(market.map((comp) => ({ ...comp, price: comp.price && comp.price * 3.7 }))))).toBe(
      hashOf(model),
    );
  });

  it('counts a sale once that is told again', () => {
    const again = market.slice(0, 20).map((comp) => ({ ...comp, id: `${comp.id}-again` }));
    expect(hashOf(trained([...market, ...again]))).toBe(hashOf(model));
  });

  it('needs 60 priced comps', () => {
    const priced = Array.from({ length: 60 }, (_, i) =>
      compOf({ id: `comp-${String(i).padStart(2, '0')}`, propertyId: i + 2, longitude: -100 + degreesEast(i) }),
    );
    expect(MarketModel.train(priced.slice(1))).toBeNull();
    expect(MarketModel.train([...priced.slice(1), compOf({ id: 'unpriced', price: null })])).toBeNull();
    expect(MarketModel.train(priced)?.rows.count).toBe(60);
  });

  it('answers the same from its stored bytes, eight a node', () => {
    const bytes = bytesOfForests(model.trained);
    const restored = MarketModel.restore(market, forestsOfBytes(bytes));
    expect(bytesOfForests(restored.trained)).toEqual(bytes);
    expect(valueBy(restored, market)).toEqual(valueBy(model, market));
    const nodes = model.trained.repeats.flat().reduce((sum, { columns }) => sum + columns.length, 0);
    expect(bytes.length / nodes).toBeLessThan(16);
    expect(() => forestsOfBytes(bytes.subarray(0, -1))).toThrow(RangeError);
  });

  it('refuses bytes that would lead a value round in circles, or announce more than follows', () => {
    const { repeats, middleLogNear } = model.trained;
    const [[forest, ...forests] = [], ...others] = repeats;
    if (!forest) throw new Error('no forest');
    const inner = forest.columns.findIndex((column) => column >= 0);
    const changed = (change: Partial<typeof forest>) =>
      bytesOfForests({ repeats: [[{ ...forest, ...change }, ...forests], ...others], middleLogNear });
    expect(() => forestsOfBytes(changed({ lefts: forest.lefts.with(inner, inner) }))).toThrow('no node after it');
    expect(() => forestsOfBytes(changed({ lefts: forest.lefts.with(inner, 60_000) }))).toThrow('no node after it');
    expect(() => forestsOfBytes(changed({ columns: forest.columns.with(inner, 100) }))).toThrow('no node after it');
    const announced = bytesOfForests(model.trained);
    new DataView(announced.buffer).setUint32(20, 0xffff_ffff, true);
    expect(() => forestsOfBytes(announced)).toThrow('more is announced');
  });
});

describe('a value by the market model', () => {
  it('is the weighted mean of rows whose factors multiply to their adjusted prices', () => {
    const { used, value, market: part } = valueBy(model, market);
    expect(part?.share).toBe(0.5);
    expect(used.length).toBeGreaterThan(12);
    for (const { pricePerAcre, factors, adjustedPricePerAcre } of used) {
      const product = Object.values(factors).reduce((all, factor) => all * factor, pricePerAcre);
      expect(Math.abs(product / adjustedPricePerAcre - 1)).toBeLessThan(1e-12);
    }
    const mean = used.reduce(
      (sum, { weight, adjustedPricePerAcre }) => sum + weight * Math.log(adjustedPricePerAcre),
      0,
    );
    expect(Math.abs(mean - Math.log(value.mean_adjusted_ppa))).toBeLessThan(1e-12);
    expect(used.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  it('lies halfway between the two opinions, in logarithms', () => {
    const { value, market: part } = valueBy(model, market);
    const alone = valueFromComps(subject, market);
    expect(part?.localPrice).toBeCloseTo(alone.value?.mean_adjusted_price ?? Number.NaN, 6);
    const middle = Math.sqrt((part?.localPrice ?? 0) * (part?.modelPrice ?? 0));
    expect(value.mean_adjusted_price / middle).toBeCloseTo(1, 12);
  });

  it('does not hear the price of the subject itself, in any bit', () => {
    const at = market.findIndex(
      ({ propertyId, price, acres }) => propertyId !== null && price !== null && acres !== null,
    );
    const own = market[at] as ValueComp;
    const of = { ...subject, ...own, date: today };
    const dear = market.map((comp, i) => (i === at ? { ...comp, price: (comp.price ?? 0) * 3 } : comp));
    const [is, was] = [valueBy(trained(dear), dear, of), valueBy(model, market, of)];
    // all but the own sale itself, which is shown
    expect({ ...is, ownListings: [], leftOut: is.leftOut.counts }).toEqual({
      ...was,
      ownListings: [],
      leftOut: was.leftOut.counts,
    });
    expect(is.ownListings[0]?.price).toBe(3 * (own.price ?? 0));
  });

  it('leaves the value to the comps alone where they are far', () => {
    const village = market.map((comp) => ({
      ...comp,
      longitude: -100 + (comp.longitude + 100) / 20,
      latitude: 40 + (comp.latitude - 40) / 20,
    }));
    const far = { ...subject, longitude: -100 + degreesEast(115) };
    const { value, market: part } = valueBy(trained(village), village, far);
    const alone = valueFromComps(far, village).value;
    expect(part?.share).toBe(0);
    expect(value.mean_adjusted_price / (alone?.mean_adjusted_price ?? 0)).toBeCloseTo(1, 12);
    expect(value.confidence_score).toBeLessThan(alone?.confidence_score ?? 0);
  });

  it('raises values by the level, and widens the range by the calibration', () => {
    const plain = valueBy(model, market);
    const error = { level: Math.log(1.05), calibration: 1.2, saleCount: 63 };
    const raised = valueFromComps(subject, market, valuationParameters, { model, error });
    if (raised.value === null) throw new Error(raised.reason);
    expect(raised.value.mean_adjusted_price / plain.value.mean_adjusted_price).toBeCloseTo(1.05, 12);
    expect(raised.uncertainty.sigma / plain.uncertainty.sigma).toBeCloseTo(1.2, 12);
    expect(raised.used[0]?.factors.level).toBeCloseTo(1.05, 12);
    expect(raised.market).toMatchObject({ levelSales: 63 });
  });
});

describe('the nearest rows', () => {
  it('come by distance, ties by row, as sorting all of them gives', () => {
    const random = createRandom('nearest');
    // on a grid, so that many lie at one distance
    const x = Float64Array.from({ length: 500 }, () => random.integer(0, 12));
    const y = Float64Array.from({ length: 500 }, () => random.integer(0, 12));
    const tree = new PointTree(x, y);
    for (let i = 0; i < 50; i++) {
      const place = [random.integer(-2, 14), random.integer(-2, 14)] as const;
      const all = [...x.keys()]
        .filter((row) => row % 3 !== 0)
        .map((row) => ({ row, square: ((x[row] ?? 0) - place[0]) ** 2 + ((y[row] ?? 0) - place[1]) ** 2 }))
        .sort((a, b) => a.square - b.square || a.row - b.row);
      const near = createNearRows(20);
      tree.findNearest(...place, near, (row) => row % 3 === 0);
      expect([...near.rows]).toEqual(all.slice(0, 20).map(({ row }) => row));
      const within: number[] = [];
      tree.forEachWithin(...place, 2, (row) => within.push(row));
      const expected = [...x.keys()].filter(
        (row) => ((x[row] ?? 0) - place[0]) ** 2 + ((y[row] ?? 0) - place[1]) ** 2 <= 4,
      );
      expect(within.sort((a, b) => a - b)).toEqual(expected);
    }
  });
});

describe('medians in place', () => {
  it('are those of sorting, with and without weights', () => {
    const random = createRandom('medians');
    for (let i = 0; i < 300; i++) {
      const keys = Array.from({ length: random.integer(1, 30) }, () => random.integer(0, 9));
      const weights = keys.map(() => random.pick([10, 8, 6]));
      const weighted = weightedMedianInPlace(Float64Array.from(keys), Uint8Array.from(weights));
      expect(weighted).toBe(weightedMedianOf(keys, weights));
      const plain = medianInPlace(Float64Array.from(keys));
      expect(plain).toBe(
        weightedMedianOf(
          keys,
          keys.map(() => 1),
        ),
      );
    }
    expect(medianInPlace(new Float64Array())).toBeNaN();
  });
});
