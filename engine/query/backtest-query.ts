/** How well comp values of a county predicted its own sales: computed once, and stored in land.sqlite while valid. */
import { createHash } from 'node:crypto';
import { type BacktestResult, backtest, maxSales } from '../comps/backtest.ts';
import { methodVersion, valuationParameters } from '../comps/valuation-parameters.ts';
import type { TestedCounties, TestedCounty, TestFigures } from '../spec/comp-import-lines.ts';
import { EngineError } from '../spec/errors.ts';
import { type StruckBy, struckBys } from '../spec/suspect-rules.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { attributeNames, countySales } from './comp-row.ts';
import { testedMarket } from './market-sight.ts';
import { type SaleVerdicts, strikeSuspects } from './suspect-sales.ts';
import { trainMarket } from './train-market.ts';

/**
 * Identifies the inputs of a result: the method, the county's comps, and the known land attributes of their parcels.
 * The generation counts written rows; a row replaced by one of another county (INSERT OR REPLACE fires no delete
 * trigger) shows in the row count.
 */
function basisOf(file: SqliteFile, fips: string): string {
  const generation = generationsOf(file).get(fips) ?? 0;
  const comps = file.column<number>('SELECT count(*) FROM comps WHERE fips = ?', fips)[0];
  const land = file.all(
    `SELECT c.comp_rowid, ${attributeNames.join(', ')} FROM comps c JOIN parcels p ON p.property_id = c.property_id
     WHERE c.fips = ? AND c.status = 'SOLD' AND coalesce(${attributeNames.join(', ')}) IS NOT NULL ORDER BY c.comp_rowid`,
    fips,
  );
  return createHash('sha256')
    .update(JSON.stringify([methodVersion, valuationParameters, maxSales, generation, comps, land]))
    .digest('hex');
}

/** By county: a number that every write to its comps raises. */
function generationsOf(file: SqliteFile): Map<string, number> {
  const rows = file.all<{ fips: string; generation: number }>('SELECT fips, generation FROM comp_generations');
  return new Map(rows.map(({ fips, generation }) => [fips, generation]));
}

/**
 * Values sales of a county from the sales before them, with their own parcel hidden. It tests our own method, so it is
 * free. While a model of the market answers and is tested, the result is that of its test; else that of the comps alone.
 */
export const countyBacktest = (land: LandStore, fips: string, now: Date): BacktestResult =>
  testedMarket(land, fips) ?? localBacktest(land, fips, now);

/** By the comps alone: the stored result if it matches the current comps, land and method; else computes and stores one. */
function localBacktest({ file }: LandStore, fips: string, now: Date): BacktestResult {
  const { basis, kept, sales } = file.snapshot(() => {
    const current = basisOf(file, fips);
    const row = file.get<{ result: string }>(
      'SELECT result FROM backtests WHERE fips = ? AND basis = ?',
      fips,
      current,
    );
    return { basis: current, kept: row, sales: row ? [] : countySales(file, fips) };
  });
  if (kept) return JSON.parse(kept.result) as BacktestResult;
  const result = backtest(sales, { maxSales });
  keep(file, { fips, basis, result: JSON.stringify(result), at: now.toISOString() });
  return result;
}

/** If the file is locked or cannot be written, the result is returned all the same. */
function keep(file: SqliteFile, row: { fips: string; basis: string; result: string; at: string }): void {
  try {
    file.withoutWaiting(() =>
      file.run(
        `INSERT INTO backtests (fips, basis, result, computed_at) VALUES (:fips, :basis, :result, :at)
         ON CONFLICT (fips) DO UPDATE SET basis = excluded.basis, result = excluded.result, computed_at = excluded.computed_at`,
        row,
      ),
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

/** At most this many counties of an import are tested; others on first request. */
const maxCountiesAtOnce = 10;

/** Values are worse where half of the sales lie within this many points more, and within a fifth more, than before. */
const worse = { points: 5, factor: 1.2 };

interface BacktestEars<Result> {
  /** Called when the comps are imported: they stay, whatever the tests do. */
  readonly onDone?: (result: Result) => void;
  /** Called before each county is tested, as it was or as it is now. */
  readonly onCounty: (name: string, when: 'before' | 'after') => void;
}

/** Called by `work` before it writes, with the counties whose comps it will change. */
type TestBefore = (counties: readonly string[]) => void;

/**
 * Runs `work`, which imports comps, strikes out what is suspect among them, trains the models of the counties whose comps it changes, and tests those counties
 * before and after: by the comps alone, because the models' own test takes several times as long (`keepMarkets`).
 */
export function withBacktests<Result extends object>(
  land: LandStore,
  now: Date,
  work: (testBefore: TestBefore) => Result,
  { onDone, onCounty }: BacktestEars<Result>,
  verdicts: SaleVerdicts = new Map(),
): Result & TestedCounties {
  const nameOf = (fips: string): string => land.county(fips)?.name ?? fips;
  const before = new Map<string, TestFigures>();
  const generations = generationsOf(land.file);
  const result = work((counties) => {
    for (const fips of counties.filter((county) => generations.has(county)).slice(0, maxCountiesAtOnce)) {
      onCounty(nameOf(fips), 'before');
      before.set(fips, figuresOf(localBacktest(land, fips, now)));
    }
  });
  onDone?.(result);
  const changed = [...generationsOf(land.file)].filter(([fips, generation]) => generation !== generations.get(fips));
  const struck: Partial<Record<StruckBy, number>> = {};
  for (const [fips] of changed) {
    const found = strikeSuspects(land.file, fips, verdicts, now.toISOString().slice(0, 10)).struck;
    for (const by of struckBys) if (found[by]) struck[by] = (struck[by] ?? 0) + found[by];
  }
  // those tested before come first: only they can be compared
  const tested = changed
    .toSorted(([a], [b]) => Number(before.has(b)) - Number(before.has(a)))
    .slice(0, maxCountiesAtOnce);
  const backtests = tested.map(([fips]): TestedCounty => {
    const name = nameOf(fips);
    onCounty(name, 'after');
    trainMarket(land, fips, now);
    const [was, is] = [before.get(fips) ?? null, figuresOf(localBacktest(land, fips, now))];
    return { fips, name, before: was, after: is, is_worse: areWorse(was?.half_within ?? null, is.half_within) };
  });
  return { ...result, backtests, struck, untested: changed.length - backtests.length };
}

const figuresOf = ({ valuedCount, isTested, study }: BacktestResult): TestFigures => ({
  sales: valuedCount,
  half_within: isTested ? (study?.medianAbsolutePercentError ?? null) : null,
});

const areWorse = (was: number | null, is: number | null): boolean =>
  was !== null && is !== null && is >= was + worse.points && is >= was * worse.factor;
