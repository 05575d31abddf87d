/** `platbook check`: does everything in a home hold? Reads only. */

import type { Engine } from './engine.ts';
import { indexedBounds } from './query/spatial-index-check.ts';
import type { AccountStore } from './store/account-store.ts';
import type { LandStore } from './store/land-store.ts';
import type { SqliteFile } from './store/sqlite.ts';

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** What was looked at, or what is wrong. */
  readonly detail: string;
}

/** Every check of a home, in order; none of them stops the others. */
export function checkHome({ land, people, account }: Engine): CheckResult[] {
  return [
    fileIsWhole('land.sqlite', land.file),
    fileIsWhole('people.sqlite', people.file),
    fileIsWhole('account.sqlite', account.file),
    spatialIndexAgrees(land),
    registryIsComplete(land),
    datasetsAgree(land),
    ledgerAddsUp(account),
  ];
}

const result = (name: string, problems: readonly string[], fine: string): CheckResult =>
  problems.length === 0
    ? { name, ok: true, detail: fine }
    : { name, ok: false, detail: problems.slice(0, 5).join('; ') };

function fileIsWhole(name: string, file: SqliteFile): CheckResult {
  const problems = file
    .pragmaRows('integrity_check(5)')
    .map((row) => String(row.integrity_check))
    .filter((line) => line !== 'ok');
  const orphans = file
    .pragmaRows('foreign_key_check')
    .map((row) => `${String(row.table)} row ${String(row.rowid)} points to a missing ${String(row.parent)}`);
  return result(`${name} is whole`, [...problems, ...orphans], 'integrity and references are right');
}

/** Every geometry is in the R-tree, nothing else is, and each box holds its geometry. */
function spatialIndexAgrees(land: LandStore): CheckResult {
  const structure =
    land.file.get<{ answer: string }>("SELECT rtreecheck('idx_parcels_geom') AS answer")?.answer ?? 'no answer';
  const { shapes, problems } = indexedBounds(land);
  return result(
    'spatial index agrees',
    structure === 'ok' ? problems : [structure, ...problems],
    `${shapes} shapes indexed`,
  );
}

/** No parcel without an identity: a number that is missing here could be given again. */
function registryIsComplete({ file }: LandStore): CheckResult {
  const strangers = file.all<{ property_id: number }>(
    'SELECT property_id FROM parcels WHERE dataset_id IS NOT NULL AND property_id NOT IN (SELECT property_id FROM parcel_registry) LIMIT 5',
  );
  const count = file.get<{ n: number }>('SELECT count(*) AS n FROM parcel_registry')?.n ?? 0;
  return result(
    'registry is complete',
    strangers.map((row) => `parcel ${row.property_id} is not in the registry`),
    `${count} identities`,
  );
}

function datasetsAgree({ file }: LandStore): CheckResult {
  const strangers = file.all<{ property_id: number }>(
    'SELECT property_id FROM parcels WHERE dataset_id IS NOT NULL AND dataset_id NOT IN (SELECT dataset_id FROM datasets) LIMIT 5',
  );
  const count = file.get<{ n: number }>('SELECT count(*) AS n FROM datasets')?.n ?? 0;
  return result(
    'datasets agree',
    strangers.map((row) => `parcel ${row.property_id} belongs to no dataset`),
    `${count} datasets`,
  );
}

interface LedgerStep {
  readonly ledger_id: number;
  readonly period_start: string;
  readonly tokens: number;
  readonly period_total: number;
  /** Running total before this row: that of its period's last row, or of what stood in it under another anchor day. */
  readonly before: number;
}

/**
 * Each row continues the running total of its period, and ids only rise. The first row of a period may continue the
 * tokens that were charged in the same time under another anchor day.
 */
function ledgerAddsUp({ file }: AccountStore): CheckResult {
  const steps = file.all<LedgerStep>(`
    SELECT ledger_id, period_start, tokens, period_total,
      coalesce(
        lag(period_total) OVER (PARTITION BY period_start ORDER BY ledger_id),
        (SELECT sum(e.tokens) FROM ledger e WHERE e.ledger_id < l.ledger_id AND e.charged_at >= l.period_start AND e.period_start <> l.period_start),
        0) AS before
    FROM ledger l ORDER BY ledger_id`);
  const wrong = steps.filter((step) => step.before + step.tokens !== step.period_total);
  const problems = wrong.map(
    (step) => `ledger row ${step.ledger_id}: ${step.before} + ${step.tokens} is not ${step.period_total}`,
  );
  const tokens = steps.reduce((sum, step) => sum + step.tokens, 0);
  return result('ledger adds up', problems, `${steps.length} charges, ${tokens} tokens`);
}
