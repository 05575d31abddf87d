import { describe, expect, it } from 'vitest';
import { CompIndex, distanceKilometers } from '../../engine/comps/comp-index.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import { sizePriorAt } from '../../engine/comps/value-adjustments.ts';
import { effectiveCountOf, outlierRuleOf } from '../../engine/comps/value-level.ts';
import { smallest } from '../../engine/comps/value-order.ts';
import { fitRidge, fitRobustRidge, medianOf, weightedMedianOf } from '../../engine/comps/value-ridge.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf } from './valuation-cases.ts';

describe('the comp index', () => {
  const random = createRandom('index');
  const around = (longitude: number, latitude: number, degrees: number) => ({
    longitude: ((longitude + degrees * random.normal() + 540) % 360) - 180,
    latitude: Math.min(Math.max(latitude + degrees * random.normal(), -90), 90),
  });
  const places = [
    [-100, 40],
    [179.9, 52],
    [-179.9, -17],
    [20, 89.5],
    [0, 0],
  ] as const;
  const comps = places.flatMap(([longitude, latitude], place) =>
    Array.from({ length: 400 }, (_, i) => compOf({ id: `c${place}-${i}`, ...around(longitude, latitude, 0.7) })),
  );
  const index = CompIndex.of(comps);

  it.each([0, 0.5, 2, 32, 120, 700])('finds what a look at every comp finds within %d km', (kilometers) => {
    for (const [longitude, latitude] of places) {
      const from = around(longitude, latitude, 0.5);
      const found: string[] = [];
      index.forEachWithin(from.longitude, from.latitude, kilometers, (position, distance) => {
        expect(distance).toBeLessThanOrEqual(kilometers);
        found.push(index.compsAt([position])[0]?.id ?? '');
      });
      const expected = comps.filter(
        (comp) => distanceKilometers(from.longitude, from.latitude, comp.longitude, comp.latitude) <= kilometers,
      );
      expect(found.sort()).toEqual(expected.map(({ id }) => id).sort());
    }
  });

  it('finds what lies in a box, its bounds included', () => {
    for (const [longitude, latitude] of places) {
      const corners = [around(longitude, latitude, 0.5), around(longitude, latitude, 0.5)] as const;
      const [west = 0, east = 0] = corners.map((corner) => corner.longitude).sort((a, b) => a - b);
      const [south = 0, north = 0] = corners.map((corner) => corner.latitude).sort((a, b) => a - b);
      const found: number[] = [];
      index.forEachInBox({ west, east, south, north }, (position) => found.push(position));
      const expected = comps.filter(
        (comp) => comp.longitude >= west && comp.longitude <= east && comp.latitude >= south && comp.latitude <= north,
      );
      expect(expected.length).toBeGreaterThan(0);
      const ids = index.compsAt(found).map(({ id }) => id);
      expect(ids.sort()).toEqual(expected.map(({ id }) => id).sort());
    }
    const [one] = comps;
    const onIt = {
      west: one?.longitude ?? 0,
      east: one?.longitude ?? 0,
      south: one?.latitude ?? 0,
      north: one?.latitude ?? 0,
    };
    const found: number[] = [];
    index.forEachInBox(onIt, (position) => found.push(position));
    expect(index.compsAt(found)).toEqual([one]);
  });

  it('measures a degree of longitude and of latitude', () => {
    expect(distanceKilometers(-100, 60, -99, 60)).toBeCloseTo(111.32 / 2, 9);
    expect(distanceKilometers(-100, 40, -100, 41)).toBeCloseTo(110.57, 9);
    expect(distanceKilometers(179.5, 0, -179.5, 0)).toBeCloseTo(111.32, 9);
  });

  it('leaves out comps without a point', () => {
    expect(CompIndex.of([compOf({ id: 'nowhere', latitude: Number.NaN })]).count).toBe(0);
  });
});

describe('the smallest of many', () => {
  it('agrees with sorting everything', () => {
    const random = createRandom('order');
    for (const size of [1, 2, 5, 50, 999]) {
      const keys = Float64Array.from({ length: size }, () => random.integer(0, 30));
      const idOf = (place: number) => `id-${(place * 7919) % size}`;
      const compareTies = (a: number, b: number) => (idOf(a) < idOf(b) ? -1 : 1);
      const all = Array.from(keys.keys()).sort(
        (a, b) => (keys[a] as number) - (keys[b] as number) || compareTies(a, b),
      );
      for (const count of [0, 1, 3, 40, 2000]) expect(smallest(keys, count, compareTies)).toEqual(all.slice(0, count));
    }
  });
});

describe('ridge regression', () => {
  it('lies between prior and data as their weights say', () => {
    // x = -1, 1 and y = 1, 5 (slope 2 about 3) with penalty 2 on a prior of 0: 2·2 / (2 + 2) = 1
    const fit = fitRidge({
      features: Float64Array.of(-1, 1),
      columnCount: 1,
      targets: Float64Array.of(1, 5),
      weights: Float64Array.of(1, 1),
      priors: [0],
      penalties: [2],
    });
    expect(fit.intercept).toBe(3);
    expect([...fit.coefficients]).toEqual([1]);
  });

  it('meets its normal equations', () => {
    const random = createRandom('ridge');
    const rows = 40;
    const columns = 4;
    const features = Float64Array.from({ length: rows * columns }, () => random.normal());
    const targets = Float64Array.from({ length: rows }, () => random.normal());
    const weights = Float64Array.from({ length: rows }, () => random.next());
    const priors = [1, -1, 0, 2];
    const penalties = [1, 2, 3, 4];
    const { intercept, coefficients } = fitRidge({
      features,
      columnCount: columns,
      targets,
      weights,
      priors,
      penalties,
    });
    const gradients = new Float64Array(columns + 1);
    for (let row = 0; row < rows; row++) {
      let residual = (targets[row] as number) - intercept;
      for (let j = 0; j < columns; j++)
        residual -= (coefficients[j] as number) * (features[row * columns + j] as number);
      gradients[columns] = (gradients[columns] as number) + (weights[row] as number) * residual;
      for (let j = 0; j < columns; j++) {
        const part = (weights[row] as number) * residual * (features[row * columns + j] as number);
        gradients[j] = (gradients[j] as number) + part;
      }
    }
    for (let j = 0; j < columns; j++) {
      const pull = (penalties[j] as number) * ((coefficients[j] as number) - (priors[j] as number));
      expect(gradients[j]).toBeCloseTo(pull, 9);
    }
    expect(gradients[columns]).toBeCloseTo(0, 9);
  });

  it('is hardly moved by one wild value when it is robust', () => {
    const features = Float64Array.from({ length: 21 }, (_, i) => i - 10);
    const targets = features.map((x, i) => x + (i % 2 === 0 ? 0.1 : -0.1));
    targets[20] = 1000;
    const problem = {
      features,
      columnCount: 1,
      targets,
      weights: new Float64Array(21).fill(1),
      priors: [0],
      penalties: [1e-9],
    };
    expect(fitRidge(problem).coefficients[0]).toBeGreaterThan(10);
    expect(fitRobustRidge(problem, 1.5, 30).coefficients[0]).toBeCloseTo(1, 1);
  });
});

describe('medians', () => {
  it('takes the middle, or the mean of the two in the middle', () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 2, 3])).toBe(2.5);
    expect(medianOf([])).toBeNaN();
  });

  it('weighs', () => {
    expect(weightedMedianOf([1, 2, 3], [1, 1, 1])).toBe(2);
    expect(weightedMedianOf([1, 2, 3], [5, 1, 1])).toBe(1);
    expect(weightedMedianOf([3, 1], [2, 2])).toBe(2);
  });

  it('sets the limits of outliers at 2.5 spreads, a spread at least 0.1', () => {
    // values -1, 0, 0, 0, 2: median 0, deviations 0 0 0 1 2, MAD 0
    const weights = [1, 1, 1, 1, 1];
    expect(outlierRuleOf([0, -1, 0, 2, 0], weights, valuationParameters)).toMatchObject({ low: -0.25, high: 0.25 });
    // 1 to 5: median 3, deviations 0 1 1 2 2, MAD 1
    expect(outlierRuleOf([1, 2, 3, 4, 5], weights, valuationParameters)?.high).toBeCloseTo(3 + 2.5 * 1.4826, 12);
    expect(outlierRuleOf([0, 1, 2, 300], [1, 1, 1, 1], valuationParameters)).toBeNull();
  });

  it('counts unequal weights as fewer', () => {
    expect(effectiveCountOf([1, 1, 1])).toBe(3);
    expect(effectiveCountOf([1, 0.5, 0.5])).toBeCloseTo(8 / 3, 12);
  });
});

describe('the prior of size', () => {
  it('is linear in the logarithm of acres between its knots, constant beyond', () => {
    const knots = [
      [5, -0.5],
      [160, -0.2],
    ] as const;
    expect(sizePriorAt(0.1, knots)).toBe(-0.5);
    expect(sizePriorAt(5, knots)).toBe(-0.5);
    // 40 = 5 · 2³ of 2⁵
    expect(sizePriorAt(40, knots)).toBeCloseTo(-0.5 + 0.3 * 0.6, 12);
    expect(sizePriorAt(5000, knots)).toBe(-0.2);
  });
});
