/** The width of values where no comp has a day, and whether confidence ranks (docs/valuation.md, "Comps without days"). */

import { backtestOf, type HeldOutSale } from '../../engine/comps/backtest.ts';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { valueFromComps } from '../../engine/comps/comp-value.ts';
import { holdOutFolds } from '../../engine/comps/market-backtest.ts';
import { noMarketError, undatedErrorOf } from '../../engine/comps/market-error.ts';
import { MarketModel } from '../../engine/comps/market-model/market-model.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import { type Check, percent } from './checks.ts';
import { insideShareOf } from './market-runs.ts';
import { type Market, marketTitles } from './markets.ts';

/** Every fifth sale as a subject of the others, all without their days. */
export function checkUndated({ name, comps }: Market): Check {
  const undated = comps.map((comp) => ({ ...comp, date: null }));
  const subjects = undated.filter((_, i) => i % 5 === 0);
  const known = undated.filter((_, i) => i % 5 !== 0);
  const index = CompIndex.of(known);
  const model = MarketModel.train(known);
  const parameters = { ...valuationParameters, isSamePlaceOwn: true };
  const insideWith = (error: typeof noMarketError) =>
    insideShareOf(
      subjects.map((sale): HeldOutSale => {
        const answer = valueFromComps({ ...sale, date: 0 }, index, parameters, { model, error });
        return { sale, price: sale.price ?? 0, explanation: answer.value === null ? null : answer };
      }),
    );
  const before = insideWith(noMarketError);
  const after = insideWith(undatedErrorOf(holdOutFolds(known, known)));
  return {
    what: `${marketTitles[name]} without days: with the width of its folds no farther from 68 % inside, or 62 to 75 %`,
    isHeld: Math.abs(after - 0.68) <= Math.abs(before - 0.68) || (after >= 0.62 && after <= 0.75),
    found: `${percent(after, 1)} of ${subjects.length}, ${percent(before, 1)} by the parts alone`,
  };
}

/** The thirds fall, or the backtest itself says that they do not. */
export function checkRanking(market: Market, held: readonly HeldOutSale[]): Check {
  const { detail } = backtestOf(held, 'boosted');
  const thirds = detail?.strata.filter(({ by }) => by === 'confidence').map(({ half_within: half }) => half) ?? [];
  const [least = 0, middle = 0, most = 0] = thirds;
  const falls = most < least && middle <= least + 2 && most <= middle + 2;
  return {
    what: `${marketTitles[market.name]}: errors fall over the thirds of confidence, or the backtest denies it`,
    isHeld: thirds.length === 3 && falls === detail?.separates,
    found: `${thirds.map((half) => half.toFixed(1)).join(' ')}; ${detail?.separates ? 'separates' : '“confidence does not separate here”'}`,
  };
}
