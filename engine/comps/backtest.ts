/** The backtest of a county: values every sale from earlier sales, without its own parcel (docs/valuation.md, "The backtest of a county"). */
import type { TestDetail } from '../spec/value-terms.ts';
import { detailOf, type ValuedSale } from './backtest-detail.ts';
import { CompIndex } from './comp-index.ts';
import { compareIds } from './comp-table.ts';
import { valueFromComps } from './comp-value.ts';
import { type RatioStudy, studyRatios } from './ratio-study.ts';
import { splitTwins, toldSaleOf } from './same-sale.ts';
import { type ValuationParameters, valuationParameters } from './valuation-parameters.ts';
import { medianOf } from './value-ridge.ts';
import type { CompValueExplanation, ValueComp } from './value-types.ts';

/** Fewer valued sales are too few for a statement. */
const minBacktestSales = 15;

/** A county's newest sales that are tested: enough for a steady median, and quick. */
export const maxSales = 300;

/** Confidence scores from `from` to below `to`; the last band includes its end. */
export const confidenceBands: readonly { readonly from: number; readonly to: number }[] = [
  { from: 0, to: 40 },
  { from: 40, to: 55 },
  { from: 55, to: 70 },
  { from: 70, to: 95 },
];

export interface HeldOutSale {
  readonly sale: ValueComp;
  readonly price: number;
  /** Null if no earlier comp was usable. */
  readonly explanation: CompValueExplanation | null;
}

interface BacktestBand {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Percent; null without sales. */
  readonly medianAbsolutePercentError: number | null;
  /** Share of prices inside the value's own range; about two thirds if confidence is right. Null without sales. */
  readonly insideShare: number | null;
}

export interface BacktestResult {
  /** By the comps alone, or with the model of their market. */
  readonly method: 'local' | 'boosted';
  /** Sales with date, price and acres. */
  readonly saleCount: number;
  /** Number of them that could be valued from earlier sales. */
  readonly valuedCount: number;
  /** Null if no sale could be valued. */
  readonly study: RatioStudy | null;
  readonly bands: readonly BacktestBand[];
  /** Whether enough sales were valued to say anything. */
  readonly isTested: boolean;
  /** Null if they were not. */
  readonly detail: TestDetail | null;
}

interface BacktestOptions {
  readonly parameters?: ValuationParameters;
  /** Values only this many of the newest sales, each from all earlier ones (default: all). */
  readonly maxSales?: number;
}

/**
 * Each subject valued as of its own date from the comps at least `minAgeDays` older (0: of the same day too), without
 * those of its own parcel: the same property id, or the same place and size. Subjects without price, acres or date are
 * left out; so are comps without date, which may be later.
 */
export function holdOut(
  subjects: readonly ValueComp[],
  comps: readonly ValueComp[],
  minAgeDays: number,
  parameters: ValuationParameters = valuationParameters,
): HeldOutSale[] {
  const index = CompIndex.of(comps.filter(({ date }) => date !== null));
  const asBefore: ValuationParameters = { ...parameters, minAgeDays, isSamePlaceOwn: true };
  return subjects.flatMap((sale) => {
    const { price, acres, date, propertyId, longitude, latitude, use, attributes } = sale;
    if (price === null || price <= 0 || acres === null || acres <= 0 || date === null) return [];
    const answer = valueFromComps({ propertyId, acres, longitude, latitude, date, use, attributes }, index, asBefore);
    return [{ sale, price, explanation: answer.value === null ? null : answer }];
  });
}

export function describeBand(valued: readonly ValuedSale[], from: number, to: number): BacktestBand {
  const isLast = to >= valuationParameters.maxConfidence;
  const inBand = valued.filter(({ explanation }) => {
    const score = explanation.value.confidence_score;
    return score >= from && (score < to || (isLast && score <= to));
  });
  const inside = inBand.filter(
    ({ price, explanation: { valueRange } }) => price >= valueRange.low && price <= valueRange.high,
  );
  const errors = inBand.map(({ price, explanation }) => Math.abs(explanation.value.mean_adjusted_price / price - 1));
  return {
    from,
    to,
    count: inBand.length,
    medianAbsolutePercentError: inBand.length === 0 ? null : 100 * medianOf(errors),
    insideShare: inBand.length === 0 ? null : inside.length / inBand.length,
  };
}

/** The valued ones. */
export const valuedOf = (held: readonly HeldOutSale[]): ValuedSale[] =>
  held.flatMap(({ sale, price, explanation }) => (explanation === null ? [] : [{ sale, price, explanation }]));

/** Each sale once, newest first, those that can be held out; listings are left out. */
export function newestSales(sales: readonly ValueComp[]): ValueComp[] {
  const sold = sales
    .filter(({ status, struck }) => status === 'SOLD' && struck == null)
    .map((sale) => ({ ...toldSaleOf(sale), sale }));
  return splitTwins(sold, (a, b) => compareIds(a.sale.id, b.sale.id))
    .kept.map(({ sale }) => sale)
    .filter(({ date }) => date !== null)
    .sort((a, b) => (b.date ?? 0) - (a.date ?? 0) || compareIds(a.id, b.id));
}

export function backtestOf(held: readonly HeldOutSale[], method: BacktestResult['method']): BacktestResult {
  const valued = valuedOf(held);
  const isTested = valued.length >= minBacktestSales;
  return {
    method,
    saleCount: held.length,
    valuedCount: valued.length,
    study: studyRatios(
      valued.map(({ price, explanation }) => ({ estimate: explanation.value.mean_adjusted_price, price })),
    ),
    bands: confidenceBands.map(({ from, to }) => describeBand(valued, from, to)),
    isTested,
    detail: isTested ? detailOf(valued) : null,
  };
}

/**
 * @param sales Screened ones: no nominal prices, transfers within a family, deeds of several parcels that repeat one
 * price, or improved land. Listings among them are ignored.
 */
export function backtest(sales: readonly ValueComp[], options: BacktestOptions = {}): BacktestResult {
  const { parameters = valuationParameters, maxSales: most = Infinity } = options;
  const newestFirst = newestSales(sales);
  return backtestOf(holdOut(newestFirst.slice(0, most), newestFirst, 1, parameters), 'local');
}

/** The sentence shown with every value: "Tested on 132 sales here: half within 33 %, values run 18 % low". */
export function backtestSentence({ valuedCount, isTested, study, detail }: BacktestResult): string {
  if (!isTested || study === null) {
    const sales = valuedCount === 1 ? '1 sale' : `${valuedCount} sales`;
    return `Cannot be tested here: ${sales} with earlier comps, ${minBacktestSales} are needed`;
  }
  const off = Math.round(100 * (study.medianRatio - 1));
  const level =
    off === 0 ? 'values run neither high nor low' : `values run ${Math.abs(off)} % ${off < 0 ? 'low' : 'high'}`;
  return `Tested on ${valuedCount} sales here: half within ${Math.round(study.medianAbsolutePercentError)} %, ${level}${detail?.separates === false ? '; confidence does not separate here' : ''}`;
}
