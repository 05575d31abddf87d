/** What a value is worth as the newest comp gets older (docs/valuation.md, "Time since the newest sale"). */

import { type HeldOutSale, maxSales, newestSales } from '../../engine/comps/backtest.ts';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { type MarketSight, valueFromComps } from '../../engine/comps/comp-value.ts';
import { learnStaleness } from '../../engine/comps/learn-staleness.ts';
import { holdOutMarket } from '../../engine/comps/market-backtest.ts';
import { marketErrorOf } from '../../engine/comps/market-error.ts';
import { MarketModel } from '../../engine/comps/market-model/market-model.ts';
import { daysPerYear, pooledStaleness } from '../../engine/comps/staleness.ts';
import { valuationParameters } from '../../engine/comps/valuation-parameters.ts';
import type { ValueComp } from '../../engine/comps/value-types.ts';
import { type Check, percent } from './checks.ts';
import { insideShareOf, newestBefore } from './market-runs.ts';
import { type Market, marketTitles } from './markets.ts';

const gapYears = [0, 0.5, 1, 2, 3, 5] as const;

/** A model for each: with more, a gap takes minutes. */
const blocks = 4;

/** What sales before all test rows tell: no gap of the rows themselves enters. */
function sightBefore({ test, comps, minAgeDays }: Market): Omit<MarketSight, 'model'> {
  const newest = newestSales(newestBefore(test, comps)).slice(0, maxSales);
  return {
    error: marketErrorOf(holdOutMarket(newest, comps, minAgeDays).errors),
    staleness: pooledStaleness(learnStaleness(newest, comps, minAgeDays), []),
  };
}

/** The test rows, each valued without the comps of the years before it. */
function valueAtGap({ test, comps, minAgeDays }: Market, years: number, sight: Omit<MarketSight, 'model'>) {
  const index = CompIndex.of(comps);
  const gapDays = Math.max(minAgeDays, Math.round(years * daysPerYear));
  const parameters = { ...valuationParameters, minAgeDays: gapDays, isSamePlaceOwn: true };
  const byDate = test.toSorted((a, b) => (a.date ?? 0) - (b.date ?? 0));
  return Array.from({ length: blocks }, (_, i) =>
    byDate.slice((i * byDate.length) / blocks, ((i + 1) * byDate.length) / blocks),
  ).flatMap((block) => {
    const until = (block[0]?.date ?? 0) - gapDays;
    const model = MarketModel.train(comps.filter(({ date }) => date !== null && date <= until));
    return block.map((sale: ValueComp): HeldOutSale => {
      const answer = valueFromComps({ ...sale, date: sale.date ?? 0 }, index, parameters, { ...sight, model });
      return { sale, price: sale.price ?? 0, explanation: answer.value === null ? null : answer };
    });
  });
}

const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** At each gap, and over all of them. */
const inside = { least: 0.6, most: 0.8, meanLeast: 0.64, meanMost: 0.75 };

export function checkGaps(market: Market): Check[] {
  const sight = sightBefore(market);
  const rows = gapYears.map((years) => {
    const held = valueAtGap(market, years, sight);
    const valued = held.flatMap(({ price, explanation }) => (explanation ? [{ price, explanation }] : []));
    const errors = valued.map(({ price, explanation }) => Math.log(explanation.value.mean_adjusted_price / price));
    return {
      years,
      count: valued.length,
      inside: insideShareOf(held),
      error: errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length,
      median: Math.exp(middleOf(errors)),
      confidence: middleOf(valued.map(({ explanation }) => explanation.value.confidence_score)),
    };
  });
  const told = ({ years, count, inside: share, error, median, confidence }: (typeof rows)[number]) =>
    `${years} y (${count}): ${percent(share)} inside, mean |ln error| ${error.toFixed(3)}, median ratio ${median.toFixed(2)}, confidence ${confidence.toFixed(0)}`;
  const title = marketTitles[market.name];
  const mean = rows.reduce((sum, { inside: share }) => sum + share, 0) / rows.length;
  return [
    {
      what: `${title}: at each gap ${percent(inside.least)} to ${percent(inside.most)} inside`,
      isHeld: rows.every(({ inside: share }) => share >= inside.least && share <= inside.most),
      found: `\n      ${rows.map(told).join('\n      ')}`,
    },
    {
      what: `${title}: ${percent(inside.meanLeast)} to ${percent(inside.meanMost)} inside over all gaps`,
      isHeld: mean >= inside.meanLeast && mean <= inside.meanMost,
      found: percent(mean, 1),
    },
    {
      what: `${title}: confidence falls with the gap by 5 points or more, and never rises by over 2`,
      isHeld:
        (rows.at(-1)?.confidence ?? 0) <= (rows[0]?.confidence ?? 0) - 5 &&
        rows.every(({ confidence }, i) => i === 0 || confidence <= (rows[i - 1]?.confidence ?? 0) + 2),
      found: rows.map(({ confidence }) => confidence.toFixed(1)).join(' '),
    },
  ];
}
