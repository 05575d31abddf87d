/** The test rows valued with the model of their market, as the product would have valued them on their day. */
import { type HeldOutSale, maxSales } from '../../engine/comps/backtest.ts';
import { distanceKilometers } from '../../engine/comps/comp-index.ts';
import { holdOutMarket } from '../../engine/comps/market-backtest.ts';
import { bootstrapOf, type Interval } from '../../engine/comps/ratio-intervals.ts';
import type { ValueComp } from '../../engine/comps/value-types.ts';
import type { Market } from './markets.ts';

/** The newest of `comps` before all of `subjects`, whose errors give level and width. */
export function newestBefore(subjects: readonly ValueComp[], comps: readonly ValueComp[]): ValueComp[] {
  const first = Math.min(...subjects.map(({ date }) => date ?? Infinity));
  return comps
    .filter(({ date }) => date !== null && date < first)
    .sort((a, b) => (a.date ?? 0) - (b.date ?? 0) || (a.id < b.id ? -1 : 1))
    .slice(-maxSales);
}

/** In the order of the subjects. */
export function valueMarketByModel(
  { test, minAgeDays }: Pick<Market, 'test' | 'minAgeDays'>,
  comps: readonly ValueComp[],
): HeldOutSale[] {
  const { errors } = holdOutMarket(newestBefore(test, comps), comps, minAgeDays);
  return inOrder(test, holdOutMarket(test, comps, minAgeDays, errors).held);
}

/** The same without level and width: a third of the time. */
export const valueMarketBare = (
  { test, minAgeDays }: Pick<Market, 'test' | 'minAgeDays'>,
  comps: readonly ValueComp[],
): HeldOutSale[] => inOrder(test, holdOutMarket(test, comps, minAgeDays, []).held);

function inOrder(test: readonly ValueComp[], held: readonly HeldOutSale[]): HeldOutSale[] {
  const byId = new Map(held.map((one) => [one.sale.id, one]));
  return test.flatMap(({ id }) => byId.get(id) ?? []);
}

const twin = { kilometers: 0.5, acresShare: 0.01 };

/** Whether a comp that the value may use is almost the subject: near and of its size. */
export const hasTwin = (subject: ValueComp, { comps, minAgeDays }: Market): boolean =>
  comps.some(
    (comp) =>
      comp.id !== subject.id &&
      (subject.date ?? 0) - (comp.date ?? 0) >= minAgeDays &&
      Math.abs((comp.acres ?? 0) / (subject.acres ?? 1) - 1) <= twin.acresShare &&
      distanceKilometers(subject.longitude, subject.latitude, comp.longitude, comp.latitude) <= twin.kilometers,
  );

/** |ln(value / price)| of the values that both have, by subject. */
function pairedErrors(a: readonly HeldOutSale[], b: readonly HeldOutSale[]): [number, number][] {
  const errorOf = ({ price, explanation }: HeldOutSale) =>
    explanation === null ? null : Math.abs(Math.log(explanation.value.mean_adjusted_price / price));
  const errors = new Map(b.map((one) => [one.sale.id, errorOf(one)]));
  return a.flatMap((one) => {
    const [ofA, ofB] = [errorOf(one), errors.get(one.sale.id) ?? null];
    return ofA === null || ofB === null ? [] : [[ofA, ofB] as [number, number]];
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export interface Comparison {
  readonly before: number;
  readonly after: number;
  /** Interval of after − before. */
  readonly change: Interval;
}

/** Mean |ln(value / price)| of two methods on the same subjects. */
export function compareErrors(before: readonly HeldOutSale[], after: readonly HeldOutSale[]): Comparison {
  const pairs = pairedErrors(after, before);
  return {
    before: meanOf(pairs.map(([, old]) => old)),
    after: meanOf(pairs.map(([now]) => now)),
    change: bootstrapOf(
      pairs.map(([now, old]) => now - old),
      meanOf,
    ),
  };
}

/** Share of prices inside the value's own range. */
export function insideShareOf(held: readonly HeldOutSale[]): number {
  const inside = held.flatMap(({ price, explanation }) =>
    explanation === null ? [] : [price >= explanation.valueRange.low && price <= explanation.valueRange.high],
  );
  return inside.filter(Boolean).length / inside.length;
}
