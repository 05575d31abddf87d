/** A backtest in detail: its figures with their chance, rows by size, use and year, and how offers would have fared. */
import {
  offerRisks,
  type TestDetail,
  type TestedOffer,
  type TestFigure,
  type TestStratum,
} from '../spec/value-terms.ts';
import { offerAt } from './offers.ts';
import { bootstrapAll } from './ratio-intervals.ts';
import { type RatioPair, type RatioStudy, studyRatios } from './ratio-study.ts';
import type { CompValueExplanation, ValueComp } from './value-types.ts';

export interface ValuedSale {
  readonly sale: ValueComp;
  readonly price: number;
  readonly explanation: CompValueExplanation;
}

/** Smaller groups say nothing. */
const minStratum = 10;

const pairOf = ({ price, explanation }: ValuedSale): RatioPair => ({
  estimate: explanation.value.mean_adjusted_price,
  price,
});

const readers: Readonly<Record<TestFigure['name'], (study: RatioStudy) => number>> = {
  median: ({ medianRatio }) => medianRatio,
  cod: ({ cod }) => cod,
  trimmed_cod: ({ trimmedCod }) => trimmedCod,
  prd: ({ prd }) => prd,
  prb: ({ prb }) => prb ?? Number.NaN,
};
const names = Object.keys(readers) as TestFigure['name'][];

function figuresOf(valued: readonly ValuedSale[]): TestFigure[] {
  const pairs = valued.map(pairOf);
  const study = studyRatios(pairs);
  if (study === null) return [];
  const figures = (of: RatioStudy) => names.map((name) => readers[name](of));
  const intervals = bootstrapAll(pairs, (sample) => figures(studyRatios(sample) as RatioStudy));
  return names
    .map((name, i) => ({ name, value: readers[name](study), ...(intervals[i] as { low: number; high: number }) }))
    .filter(({ value }) => !Number.isNaN(value));
}

function strataOf(
  valued: readonly ValuedSale[],
  by: TestStratum['by'],
  labelOf: (sale: ValueComp) => string | null,
): TestStratum[] {
  const groups = Map.groupBy(valued, ({ sale }) => labelOf(sale));
  return [...groups].flatMap(([label, group]) => {
    const study = group.length < minStratum ? null : studyRatios(group.map(pairOf));
    if (label === null || study === null) return [];
    const { medianRatio: median, medianAbsolutePercentError: half, cod } = study;
    return [{ by, label, sales: group.length, median, half_within: half, cod }];
  });
}

function thirdsOfAcres(valued: readonly ValuedSale[]): TestStratum[] {
  const acres = valued.map(({ sale }) => sale.acres as number).sort((a, b) => a - b);
  const text = (edge: number) => edge.toLocaleString('en-US', { maximumSignificantDigits: 2 });
  const [low, high] = [1, 2].map((third) => acres[Math.floor((third * acres.length) / 3)] ?? 0) as [number, number];
  const labels = [`below ${text(low)} ac`, `${text(low)} to ${text(high)} ac`, `from ${text(high)} ac`];
  const labelOf = ({ acres: size }: ValueComp) =>
    labels[Number((size ?? 0) >= low) + Number((size ?? 0) >= high)] ?? null;
  const inOrder = (a: TestStratum, b: TestStratum) => labels.indexOf(a.label) - labels.indexOf(b.label);
  return strataOf(valued, 'acres', labelOf).sort(inOrder);
}

const yearOf = (day: number | null): string | null =>
  day === null ? null : String(new Date(day * 86_400_000).getUTCFullYear());

const mostUses = 6;

export function detailOf(valued: readonly ValuedSale[]): TestDetail {
  const byUse = strataOf(valued, 'use', ({ use }) => use).sort(
    (a, b) => b.sales - a.sales || (a.label < b.label ? -1 : 1),
  );
  const byYear = strataOf(valued, 'year', ({ date }) => yearOf(date)).sort((a, b) => Number(a.label) - Number(b.label));
  return {
    figures: figuresOf(valued),
    strata: [...thirdsOfAcres(valued), ...byUse.slice(0, mostUses), ...byYear],
    offers: offerRisks.map((risk): TestedOffer => {
      const below = valued.filter(
        ({ price, explanation: { value, uncertainty } }) =>
          price < offerAt(value.mean_adjusted_price, uncertainty.sigma, risk),
      );
      return { risk, below: (100 * below.length) / valued.length };
    }),
  };
}
