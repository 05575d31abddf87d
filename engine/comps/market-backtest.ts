/**
 * Sales held out with the model of their market: trained before each block of dates, with the level and the width that
 * the blocks before it tell (docs/valuation.md, "The backtest of a county").
 */
import { type HeldOutSale, maxSales } from './backtest.ts';
import { CompIndex } from './comp-index.ts';
import { valueFromComps } from './comp-value.ts';
import { type MarketError, marketErrorOf, type ValueError } from './market-error.ts';
import { MarketModel } from './market-model/market-model.ts';
import { groupKeyOf, isPriced } from './market-model/market-rows.ts';
import { hashOf } from './market-model/whole-random.ts';
import { type ValuationParameters, valuationParameters } from './valuation-parameters.ts';
import type { CompValueExplanation, ValueComp } from './value-types.ts';
import { bareSigmaOf } from './value-uncertainty.ts';

/** A model before every sale would take hours. With four, level and width come too late where the market moves. */
const maxBlocks = 6;

type DatedSale = ValueComp & { readonly date: number; readonly price: number; readonly acres: number };

const isDated = (sale: ValueComp): sale is DatedSale =>
  sale.date !== null && sale.price !== null && sale.price > 0 && sale.acres !== null && sale.acres > 0;

/** Oldest first, of about the same size; sales of one day lie in one block. */
function blocksOf(sales: readonly DatedSale[]): DatedSale[][] {
  const byDate = sales.toSorted((a, b) => a.date - b.date);
  const blocks: DatedSale[][] = [];
  for (const [i, sale] of byDate.entries()) {
    const isDue = i >= (blocks.length * byDate.length) / maxBlocks;
    if (isDue && sale.date !== byDate[i - 1]?.date) blocks.push([sale]);
    else blocks.at(-1)?.push(sale);
  }
  return blocks;
}

/** The error of a value before level and calibration. */
function errorOf(date: number, price: number, { value, uncertainty, market }: CompValueExplanation): ValueError {
  const level = Math.log(market?.level ?? 1);
  return {
    date,
    error: Math.log(value.mean_adjusted_price / price) - level,
    sigma: bareSigmaOf(uncertainty),
  };
}

const folds = 5;

/**
 * Errors where no sale has a day: each valued from the comps of the other folds, by a model of these. Those of one
 * parcel lie in one fold.
 */
export function holdOutFolds(
  subjects: readonly ValueComp[],
  comps: readonly ValueComp[],
  parameters: ValuationParameters = valuationParameters,
): Pick<ValueError, 'error' | 'sigma'>[] {
  const foldOf = (comp: ValueComp) => (isPriced(comp) ? hashOf(`fold:${groupKeyOf(comp)}`) % folds : -1);
  const date = Math.max(0, ...comps.map((comp) => comp.date ?? 0));
  return Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const others = comps.filter((comp) => foldOf(comp) !== fold);
    const index = CompIndex.of(others);
    const model = MarketModel.train(others);
    return subjects.flatMap((sale) => {
      if (foldOf(sale) !== fold || sale.price === null) return [];
      const subject = { ...sale, date };
      const answer = valueFromComps(subject, index, { ...parameters, isSamePlaceOwn: true }, { model, error: null });
      return answer.value === null ? [] : [errorOf(date, sale.price, answer)];
    });
  });
}

interface HeldOutMarket {
  /** Oldest first. */
  readonly held: readonly HeldOutSale[];
  /** The newest, those known before included, oldest first. */
  readonly errors: readonly ValueError[];
}

/**
 * Each subject valued as of its date from comps at least `minAgeDays` older, without those of its own parcel, by a model
 * of comps at least `minAgeDays` older than the first of its block. Subjects without price, acres or date are left out.
 * @param known Errors of sales before all subjects.
 */
export function holdOutMarket(
  subjects: readonly ValueComp[],
  comps: readonly ValueComp[],
  minAgeDays: number,
  known: readonly ValueError[] = [],
  parameters: ValuationParameters = valuationParameters,
): HeldOutMarket {
  const dated = comps.filter(({ date }) => date !== null);
  const index = CompIndex.of(dated);
  const asBefore: ValuationParameters = { ...parameters, minAgeDays, isSamePlaceOwn: true };
  const held: HeldOutSale[] = [];
  let errors = known.slice(-maxSales);
  for (const block of blocksOf(subjects.filter(isDated))) {
    const [first] = block as [DatedSale];
    const model = MarketModel.train(dated.filter(({ date }) => (date as number) <= first.date - minAgeDays));
    const error: MarketError = marketErrorOf(errors);
    const found: ValueError[] = [];
    for (const sale of block) {
      const { price, acres, date, propertyId, longitude, latitude, use, attributes } = sale;
      const subject = { propertyId, acres, longitude, latitude, date, use, attributes };
      const answer = valueFromComps(subject, index, asBefore, { model, error });
      const explanation = answer.value === null ? null : answer;
      held.push({ sale, price, explanation });
      if (explanation) found.push(errorOf(date, price, explanation));
    }
    errors = [...errors, ...found].slice(-maxSales);
  }
  return { held, errors };
}
