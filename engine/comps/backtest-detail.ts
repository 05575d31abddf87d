/** A backtest in detail: its figures with their chance, rows by size, use and year, and how offers would have fared. */
import {
  grossAdjustment,
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
  labelOf: (sale: ValuedSale) => string | null,
): TestStratum[] {
  const groups = Map.groupBy(valued, labelOf);
  return [...groups].flatMap(([label, group]) => {
    const study = group.length < minStratum ? null : studyRatios(group.map(pairOf));
    if (label === null || study === null) return [];
    const { medianRatio: median, medianAbsolutePercentError: half, cod } = study;
    return [{ by, label, sales: group.length, median, half_within: half, cod }];
  });
}

/** Least first. @param labelsOf the names of the thirds between two edges */
function thirdsOf(
  valued: readonly ValuedSale[],
  by: TestStratum['by'],
  read: (sale: ValuedSale) => number,
  labelsOf: (low: string, high: string) => readonly [string, string, string],
): TestStratum[] {
  const sorted = valued.map(read).sort((a, b) => a - b);
  const text = (edge: number) => edge.toLocaleString('en-US', { maximumSignificantDigits: 2 });
  const [low, high] = [1, 2].map((third) => sorted[Math.floor((third * sorted.length) / 3)] ?? 0) as [number, number];
  const labels = labelsOf(text(low), text(high));
  const labelOf = (sale: ValuedSale) => labels[Number(read(sale) >= low) + Number(read(sale) >= high)] ?? null;
  return strataOf(valued, by, labelOf).sort((a, b) => labels.indexOf(a.label) - labels.indexOf(b.label));
}

const thirdsOfAcres = (valued: readonly ValuedSale[]): TestStratum[] =>
  thirdsOf(
    valued,
    'acres',
    ({ sale }) => sale.acres ?? 0,
    (low, high) => [`below ${low} ac`, `${low} to ${high} ac`, `from ${high} ac`],
  );

const thirdsOfConfidence = (valued: readonly ValuedSale[]): TestStratum[] =>
  thirdsOf(
    valued,
    'confidence',
    ({ explanation }) => explanation.value.confidence_score,
    (low, high) => [`confidence below ${low}`, `confidence ${low} to ${high}`, `confidence from ${high}`],
  );

/** Points by which a surer third may err more than the next less sure one: chance. */
const rankSlack = 2;

/** Errors below a percent, which leave nothing to separate. */
const noError = 1;

/** Whether surer values err less. Null: too few sales for three thirds, or values hardly err. */
function separates(thirds: readonly TestStratum[]): boolean | null {
  const [least, middle, most] = thirds.map(({ half_within: half }) => half);
  if (least === undefined || middle === undefined || most === undefined) return null;
  if (Math.max(least, middle, most) < noError) return null;
  return most < least && middle <= least + rankSlack && most <= middle + rankSlack;
}

const yearOf = (day: number | null): string | null =>
  day === null ? null : String(new Date(day * 86_400_000).getUTCFullYear());

const mostUses = 6;

/** The share of comps that do not stand out. */
const usualShare = 0.9;

function usualGross(valued: readonly ValuedSale[]): number | null {
  const all = valued.flatMap(({ explanation }) => explanation.used.map(({ factors }) => grossAdjustment(factors)));
  return all.sort((a, b) => a - b)[Math.floor(usualShare * all.length)] ?? null;
}

export function detailOf(valued: readonly ValuedSale[]): TestDetail {
  const byUse = strataOf(valued, 'use', ({ sale }) => sale.use).sort(
    (a, b) => b.sales - a.sales || (a.label < b.label ? -1 : 1),
  );
  const byYear = strataOf(valued, 'year', ({ sale }) => yearOf(sale.date)).sort(
    (a, b) => Number(a.label) - Number(b.label),
  );
  const byConfidence = thirdsOfConfidence(valued);
  return {
    figures: figuresOf(valued),
    separates: separates(byConfidence),
    usual_gross: usualGross(valued),
    strata: [
      ...(byConfidence.length === 3 ? byConfidence : []),
      ...thirdsOfAcres(valued),
      ...byUse.slice(0, mostUses),
      ...byYear,
    ],
    offers: offerRisks.map((risk): TestedOffer => {
      const below = valued.filter(
        ({ price, explanation: { value, uncertainty } }) =>
          price < offerAt(value.mean_adjusted_price, uncertainty.sigma, risk),
      );
      return { risk, below: (100 * below.length) / valued.length };
    }),
  };
}
