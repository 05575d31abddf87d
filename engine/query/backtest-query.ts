/** How comp values of a county did against its own sales: computed once, and kept in land.sqlite while it is true. */
import { createHash } from 'node:crypto';
import { type BacktestResult, backtest } from '../comps/backtest.ts';
import { methodVersion, valuationParameters } from '../comps/valuation-parameters.ts';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { attributeNames, countySales } from './comp-row.ts';

/** Enough newest sales for a steady median; older ones would only make it slow. */
const maxSales = 300;

/**
 * What a result rests on: the method, the county's comps, and what is known of their parcels' land. The generation says
 * that rows were written; that one was replaced by a row of another county (INSERT OR REPLACE fires no delete trigger)
 * shows in their number.
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

/** By county: a number that grows with every row of its comps that is written. */
function generationsOf(file: SqliteFile): Map<string, number> {
  const rows = file.all<{ fips: string; generation: number }>('SELECT fips, generation FROM comp_generations');
  return new Map(rows.map(({ fips, generation }) => [fips, generation]));
}

/**
 * Sales of a county valued from the sales before them, their own parcel hidden. It is about our own method, so it is free.
 * The kept result where it is of the comps, their land and the method of now; else a new one, which is kept.
 */
export function countyBacktest({ file }: LandStore, fips: string, now: Date): BacktestResult {
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

/** Where the file is locked, or cannot be written, the result is there all the same: nobody waits for that. */
function keep(file: SqliteFile, row: { fips: string; basis: string; result: string; at: string }): void {
  const patience = file.pragma('busy_timeout') as number;
  file.pragma('busy_timeout = 0');
  try {
    file.run(
      `INSERT INTO backtests (fips, basis, result, computed_at) VALUES (:fips, :basis, :result, :at)
       ON CONFLICT (fips) DO UPDATE SET basis = excluded.basis, result = excluded.result, computed_at = excluded.computed_at`,
      row,
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  } finally {
    file.pragma(`busy_timeout = ${patience}`);
  }
}

/** So many counties of one import are tested at once; of others each when it is first asked for. */
const maxCountiesAtOnce = 10;

interface BacktestEars<Result> {
  /** Told when the comps are in: whatever becomes of the tests, they stay. */
  readonly onDone?: (result: Result) => void;
  /** Hears of each county before it is tested. */
  readonly onCounty: (name: string) => void;
}

/** Does `work`, which brings comps, then tests anew the counties whose comps it changed. */
export function withBacktests<Result>(
  land: LandStore,
  now: Date,
  work: () => Result,
  { onDone, onCounty }: BacktestEars<Result>,
): Result {
  const before = generationsOf(land.file);
  const result = work();
  onDone?.(result);
  const changed = [...generationsOf(land.file)].filter(([fips, generation]) => generation !== before.get(fips));
  for (const [fips] of changed.slice(0, maxCountiesAtOnce)) {
    onCounty(land.county(fips)?.name ?? fips);
    countyBacktest(land, fips, now);
  }
  return result;
}
