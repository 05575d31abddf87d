/** How well comp values of a county predicted its own sales: computed once, and stored in land.sqlite while valid. */
import { createHash } from 'node:crypto';
import { type BacktestResult, backtest } from '../comps/backtest.ts';
import { methodVersion, valuationParameters } from '../comps/valuation-parameters.ts';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import { attributeNames, countySales } from './comp-row.ts';

/** Enough recent sales for a steady median; more would only be slow. */
const maxSales = 300;

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
 * free. Returns the stored result if it matches the current comps, land and method; else computes and stores a new one.
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

/** If the file is locked or cannot be written, the result is returned all the same. */
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

/** After an import at most this many counties are tested; others on first request. */
const maxCountiesAtOnce = 10;

interface BacktestEars<Result> {
  /** Called when the comps are imported: they stay, whatever the tests do. */
  readonly onDone?: (result: Result) => void;
  /** Called before each county is tested. */
  readonly onCounty: (name: string) => void;
}

/** Runs `work`, which imports comps, then retests the counties whose comps it changed. */
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
