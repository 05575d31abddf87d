import { describe, expect, it } from 'vitest';
import { backtest, backtestOf, backtestSentence, holdOut } from '../../engine/comps/backtest.ts';
import { createRandom } from '../sample-maker/random.ts';
import { compOf, degreesEast, today } from './valuation-cases.ts';

/** A sale a week, 200 m apart, at `pricePerAcre` times noise of the given size. */
function salesOf(count: number, pricePerAcre: number, noise: number) {
  const random = createRandom(`backtest ${count}`);
  return Array.from({ length: count }, (_, i) =>
    compOf({
      id: `sale-${String(i).padStart(3, '0')}`,
      propertyId: i + 1,
      longitude: -100 + degreesEast(0.2 * ((i * 7) % count)),
      date: today - 7 * (count - i),
      price: 10 * pricePerAcre * Math.exp(noise * random.normal()),
    }),
  );
}

describe('whether confidence separates', () => {
  /** Each third valued from the same comp price, with errors of a size. */
  const valued = (errors: readonly [number, number, number]) => {
    const like = holdOut(salesOf(20, 1000, 0.1), salesOf(20, 1000, 0.1), 1).at(-1);
    if (!like?.explanation) throw new Error('no value');
    const { explanation, sale } = like;
    const { mean_adjusted_price: price } = explanation.value;
    return errors.flatMap((error, third) =>
      Array.from({ length: 20 }, (_, i) => ({
        sale,
        price: price * Math.exp((i % 2 === 0 ? 1 : -1) * error),
        explanation: { ...explanation, value: { ...explanation.value, confidence_score: 40 + 15 * third } },
      })),
    );
  };

  it('is said by thirds of confidence, each with its error', () => {
    const result = backtestOf(valued([0.5, 0.3, 0.1]), 'local');
    expect(result.detail?.separates).toBe(true);
    const thirds = result.detail?.strata.filter(({ by }) => by === 'confidence');
    expect(thirds?.map(({ label, sales }) => [label, sales])).toEqual([
      ['confidence below 55', 20],
      ['confidence 55 to 70', 20],
      ['confidence from 70', 20],
    ]);
    expect(backtestSentence(result)).not.toContain('separate');
  });

  it('is denied where surer values err as much', () => {
    for (const errors of [
      [0.1, 0.3, 0.5],
      [0.3, 0.3, 0.3],
      [0.3, 0.5, 0.2],
    ] as const) {
      const result = backtestOf(valued(errors), 'local');
      expect(result.detail?.separates).toBe(false);
      expect(backtestSentence(result)).toMatch(/; confidence does not separate here$/);
    }
  });

  it('is left open with fewer than ten sales in a third', () => {
    const few = valued([0.5, 0.3, 0.1]).filter((_, i) => i % 20 < 9);
    expect(backtestOf(few, 'local').detail?.separates).toBeNull();
  });
});

describe('holding out', () => {
  it('values every sale from the sales before it, and the first not at all', () => {
    const sales = salesOf(20, 1000, 0);
    const held = holdOut(sales, sales, 1);
    expect(held.map(({ explanation }) => explanation?.candidateCount ?? 0)).toEqual(sales.map((_, i) => i));
    for (const { sale, explanation } of held) {
      for (const { comp } of explanation?.used ?? []) expect(comp.date ?? 0).toBeLessThan(sale.date ?? 0);
    }
  });

  it('takes sales of the same day on wish only', () => {
    const sales = salesOf(3, 1000, 0).map((sale) => ({ ...sale, date: today }));
    expect(holdOut(sales, sales, 1).map(({ explanation }) => explanation)).toEqual([null, null, null]);
    expect(holdOut(sales, sales, 0).map(({ explanation }) => explanation?.candidateCount)).toEqual([2, 2, 2]);
  });

  it('hides the parcel itself: by its id, and by place and size under another id', () => {
    const old = compOf({ id: 'old', propertyId: 1, date: today - 1000, longitude: -100.02 });
    const renumbered = compOf({ id: 'renumbered', propertyId: 2, date: today - 900, acres: 10.4 });
    const other = compOf({ id: 'other', propertyId: 3, date: today - 800, acres: 12 });
    const sale = compOf({ id: 'sale', propertyId: 1 });
    const [held] = holdOut([sale], [old, renumbered, other, sale], 1);
    expect(held?.explanation?.used.map(({ comp }) => comp.id)).toEqual(['other']);
  });

  it('leaves out what has no date', () => {
    const [first, second] = salesOf(2, 1000, 0);
    if (first === undefined || second === undefined) throw new Error('two sales');
    const undated = { ...first, date: null };
    expect(holdOut([undated], [second], 1)).toEqual([]);
    expect(holdOut([second], [undated], 1)).toMatchObject([{ explanation: null }]);
  });
});

describe('the backtest of a place', () => {
  it('finds nothing off where every sale goes for the same', () => {
    const result = backtest(salesOf(40, 1000, 0));
    expect(result).toMatchObject({ saleCount: 40, valuedCount: 39, isTested: true });
    expect(result.study?.medianRatio).toBeCloseTo(1, 9);
    expect(backtestSentence(result)).toBe('Tested on 39 sales here: half within 0 %, values run neither high nor low');
  });

  it('says how far off values are, and counts them by confidence', () => {
    const result = backtest(salesOf(120, 1000, 0.4));
    expect(result.bands.reduce((sum, { count }) => sum + count, 0)).toBe(119);
    const { study } = result;
    expect(study?.medianAbsolutePercentError).toBeGreaterThan(10);
    expect(study?.medianAbsolutePercentError).toBeLessThan(45);
    expect(backtestSentence(result)).toMatch(
      /^Tested on 119 sales here: half within \d+ %, values run (\d+ % (low|high)|neither high nor low); confidence does not separate here$/,
    );
  });

  it('speaks like the design’s example', () => {
    const { study, ...result } = backtest(salesOf(30, 1000, 0.1));
    if (study === null) throw new Error('tested');
    const example = {
      ...result,
      valuedCount: 132,
      study: { ...study, medianAbsolutePercentError: 33.4, medianRatio: 0.82 },
    };
    expect(backtestSentence(example)).toBe('Tested on 132 sales here: half within 33 %, values run 18 % low');
  });

  it('cannot test on fewer than 15 valued sales', () => {
    // the first of 15 has none before it
    const result = backtest(salesOf(15, 1000, 0.1));
    expect(result).toMatchObject({ valuedCount: 14, isTested: false });
    expect(backtestSentence(result)).toBe('Cannot be tested here: 14 sales with earlier comps, 15 are needed');
    expect(backtestSentence(backtest([]))).toBe('Cannot be tested here: 0 sales with earlier comps, 15 are needed');
    expect(backtest(salesOf(16, 1000, 0.1)).isTested).toBe(true);
  });

  it('ignores listings, and values only the newest sales on wish', () => {
    const sales = salesOf(60, 1000, 0.2);
    const asks = salesOf(30, 5000, 0.2).map((ask) => ({ ...ask, id: `ask ${ask.id}`, status: 'ACTIVE' as const }));
    expect(backtest([...asks, ...sales])).toEqual(backtest(sales));
    expect(backtest(sales, { maxSales: 20 })).toMatchObject({ saleCount: 20, valuedCount: 20 });
  });

  it('does not depend on the order of the sales', () => {
    const sales = salesOf(60, 1000, 0.3);
    expect(backtest(createRandom('order').shuffle(sales))).toEqual(backtest(sales));
  });
});
