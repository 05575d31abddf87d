/**
 * Trains the model of a county's market in a worker, and tests it on the county's sales. No value waits for either: a
 * model answers as soon as it is stored, without level and width until its test is stored too. If the process dies, what
 * was stored before stays, and a program that stays open finishes the rest (jobs/upkeep.ts).
 */
import { deflateSync } from 'node:zlib';
import { backtestOf, maxSales, newestSales } from '../comps/backtest.ts';
import { compareIds } from '../comps/comp-table.ts';
import { learnStaleness } from '../comps/learn-staleness.ts';
import { holdOutFolds, holdOutMarket } from '../comps/market-backtest.ts';
import { errorParameters, marketErrorOf, undatedErrorOf } from '../comps/market-error.ts';
import { bytesOfForests } from '../comps/market-model/forest-blob.ts';
import { MarketModel } from '../comps/market-model/market-model.ts';
import type { ValueComp } from '../comps/value-types.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { compsInBox, countySales } from './comp-row.ts';
import {
  hashOfComps,
  isNearEnough,
  lackOf,
  type MarketTest,
  marketBox,
  marketConstants,
  marketState,
  storedMarket,
  testBasis,
} from './market-state.ts';

interface Trained {
  readonly row_count: number;
  readonly forests: Uint8Array | null;
}

/** A model of the same comps, of whichever county. */
const sharedModel = (file: SqliteFile, comps: string): Trained | undefined =>
  file.get<Trained>(
    'SELECT row_count, forests FROM market_models WHERE constants = ? AND comps = ? LIMIT 1',
    marketConstants,
    comps,
  );

function train(comps: Parameters<typeof MarketModel.train>[0]): Trained {
  const model = MarketModel.train(comps);
  return model
    ? { row_count: model.rows.count, forests: deflateSync(bytesOfForests(model.trained)) }
    : { row_count: 0, forests: null };
}

/** Trains the model of a county's market, and stores it; nothing if it fits already. */
export function trainMarket({ file }: LandStore, fips: string, now: Date): void {
  const read = file.snapshot(() => {
    const box = marketBox(file, fips);
    if (!box || lackOf(file, fips) !== 'model') return null;
    return { state: marketState(file, box), comps: compsInBox(file, box), stored: storedMarket(file, fips) };
  });
  if (!read) return;
  const { state, comps, stored } = read;
  const hash = hashOfComps(comps);
  const model = sharedModel(file, hash) ?? train(comps);
  // the errors of the model before tell those of the new one, until it is tested
  const keepsTest = stored?.constants === marketConstants && isNearEnough(stored, state) && model.row_count > 0;
  file.run(
    `INSERT INTO market_models (fips, constants, generation, comp_count, comps, row_count, forests, trained_at)
     VALUES (:fips, :constants, :generation, :comp_count, :comps, :row_count, :forests, :trained_at)
     ON CONFLICT (fips) DO UPDATE SET constants = excluded.constants, generation = excluded.generation,
       comp_count = excluded.comp_count, comps = excluded.comps, row_count = excluded.row_count,
       forests = excluded.forests, trained_at = excluded.trained_at
       ${keepsTest ? '' : ', tested = NULL, tested_on = NULL'}`,
    { ...model, ...state, fips, comps: hash, constants: marketConstants, trained_at: now.toISOString() },
  );
}

/** Where hardly a sale has a day. The most of those without one, by the order of their ids. */
const undatedSales = (sales: readonly ValueComp[]): ValueComp[] =>
  sales
    .filter(({ date, struck }) => date === null && struck === null)
    .sort((a, b) => compareIds(a.id, b.id))
    .slice(0, maxSales);

/** Tests the model of a county's market on the county's newest sales, and stores what it found. */
function testMarket({ file }: LandStore, fips: string): void {
  const read = file.snapshot(() => {
    const box = marketBox(file, fips);
    const stored = storedMarket(file, fips);
    if (!box || !stored || lackOf(file, fips) !== 'test') return null;
    return {
      comps: compsInBox(file, box),
      sales: countySales(file, fips),
      basis: testBasis(file, fips, stored.comps),
      trainedOn: stored.comps,
    };
  });
  if (!read) return;
  const { comps, sales, basis, trainedOn } = read;
  const newest = newestSales(sales).slice(0, maxSales);
  const { held, errors } = holdOutMarket(newest, comps, 1);
  const test: MarketTest = {
    result: backtestOf(held, 'boosted'),
    error:
      newest.length < errorParameters.minSales
        ? undatedErrorOf(holdOutFolds(undatedSales(sales), comps))
        : marketErrorOf(errors),
    staleness: learnStaleness(newest, comps, 1),
  };
  // not if another program has trained it on other comps meanwhile
  file.run(
    'UPDATE market_models SET tested = ?, tested_on = ? WHERE fips = ? AND constants = ? AND comps = ?',
    JSON.stringify(test),
    basis,
    fips,
    marketConstants,
    trainedOn,
  );
}

/** Trains and tests what a county's market lacks. Takes seconds to minutes. */
export function keepMarket(land: LandStore, fips: string, now: Date): void {
  trainMarket(land, fips, now);
  testMarket(land, fips);
}

/** Counties whose model is missing, was made from other comps, or is not tested. */
export const lackingMarkets = ({ file }: LandStore): string[] =>
  file.snapshot(() =>
    file
      .column<string>('SELECT DISTINCT fips FROM comps ORDER BY fips')
      .filter((fips) => lackOf(file, fips) !== 'nothing'),
  );

/** All models first, then their tests. @returns the FIPS codes of their counties */
export function keepMarkets(land: LandStore, now: Date, onStep?: () => void): string[] {
  const lacking = lackingMarkets(land);
  for (const fips of lacking) {
    onStep?.();
    trainMarket(land, fips, now);
  }
  for (const fips of lacking) {
    onStep?.();
    testMarket(land, fips);
  }
  return lacking;
}
