/** `platbook check`: tests that the files, indexes, registry and ledger of a home are intact and agree. Reads only. */

import path from 'node:path';
import { billingPeriod } from './account/billing-period.ts';
import { tokensUsed } from './account/meter.ts';
import { readPlan } from './account/plan.ts';
import { restoreLeftovers } from './backup/restore-home.ts';
import type { Settled } from './backup/settle-home.ts';
import { openToOthers } from './backup/settle-home.ts';
import { checkColumnIndexes } from './columns/index-check.ts';
import type { Engine } from './engine.ts';
import { abandonedFolders } from './jobs/fork-worker.ts';
import { indexedBounds } from './query/spatial-index-check.ts';
import type { AccountStore } from './store/account-store.ts';
import { homeIdOf } from './store/home-identity.ts';
import type { LandStore } from './store/land-store.ts';
import type { SqliteFile } from './store/sqlite.ts';
import { undoOrphans, whileNoOneWrites } from './store/undo-store.ts';

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** What was checked, or up to five problems. */
  readonly detail: string;
}

/** All checks of a home, in order; a failed one does not stop the others. */
export function checkHome({ home, settled, land, people, account, now }: Engine): CheckResult[] {
  const checks: readonly (() => CheckResult)[] = [
    () => fileIsWhole('land.sqlite', land.file),
    () => fileIsWhole('people.sqlite', people.file),
    () => fileIsWhole('account.sqlite', account.file),
    () => tablesAreWhole('land.sqlite', land.file),
    () => tablesAreWhole('people.sqlite', people.file),
    () => tablesAreWhole('account.sqlite', account.file),
    () => filesAreOfOneHome({ land, people, account }),
    () => spatialIndexAgrees(land),
    () => columnIndexAgrees(land),
    () => compIndexAgrees(land),
    () => registryIsComplete(land),
    () => datasetsAgree(land),
    () => ledgerAddsUp(account),
    () => usageAgrees(account, now()),
    () => daysAddUp(account),
    () => isClosedToOthers(home),
    () => nothingIsLeft(home, land, settled),
  ];
  return checks.map((check, at) => {
    try {
      return check();
    } catch (error) {
      // A table that lacks a column stops a check that reads it; the others go on.
      return result(
        `check ${at + 1} of ${checks.length}`,
        [`could not be made: ${error instanceof Error ? error.message : String(error)}`],
        '',
      );
    }
  });
}

const result = (name: string, problems: readonly string[], fine: string): CheckResult =>
  problems.length === 0
    ? { name, ok: true, detail: fine }
    : { name, ok: false, detail: problems.slice(0, 5).join('; ') };

function isClosedToOthers(home: string): CheckResult {
  const open = openToOthers(home);
  const problems =
    open.length === 0
      ? []
      : [
          `${open.length} files and folders, among them ${open.slice(0, 3).join(', ')}. Opening the home closes them; where it cannot, they are another user's, or the disk keeps no rights`,
        ];
  return result('closed to other users of this computer', problems, 'files and folders are yours alone');
}

/** What killed programs left goes at the opening of the home, so that a check finds only what could not be removed. */
function nothingIsLeft(home: string, land: LandStore, { removed }: Settled): CheckResult {
  const left = [
    ...restoreLeftovers(home),
    ...(whileNoOneWrites(land.file, () => undoOrphans(land.file, home)) ?? []).map((name) => `undo/${name}`),
    ...abandonedFolders(),
  ];
  const told = removed.length === 0 ? '' : `; removed at this opening: ${removed.join(', ')}`;
  return result(
    'nothing is left of killed programs',
    left.map((name) => `${name} could not be removed`),
    `no half-written files${told}`,
  );
}

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

/** The tables are declared as the migrations declare them; columns that another program added are named. */
function tablesAreWhole(name: string, file: SqliteFile): CheckResult {
  const differences = file.schemaDifferences();
  const added = differences.filter(({ isHarmless }) => isHarmless).map(({ words }) => words);
  return result(
    `tables of ${name} are whole`,
    differences.filter(({ isHarmless }) => !isHarmless).map(({ words }) => words),
    ['every table has its columns', ...added].join('; '),
  );
}

function filesAreOfOneHome({ land, people, account }: Pick<Engine, 'land' | 'people' | 'account'>): CheckResult {
  const own = homeIdOf(land.file);
  const others = [people.file, account.file].filter((file) => homeIdOf(file) !== own);
  return result(
    'files are of one home',
    others.map(
      ({ path: file }) =>
        `${path.basename(file)} belongs to another home than land.sqlite: what it says of parcels may be of others. Restore the file of this home`,
    ),
    'all three bear one id',
  );
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

/** A stale index is not a fault: queries do not use it. */
function columnIndexAgrees({ file }: LandStore): CheckResult {
  const { current, stale, problems } = checkColumnIndexes(file);
  return result('column index agrees', problems, `${current} counties indexed, ${stale} to be indexed`);
}

function compIndexAgrees({ file }: LandStore): CheckResult {
  const structure = file.get<{ answer: string }>("SELECT rtreecheck('comps_index') AS answer")?.answer ?? 'no answer';
  const missing = file.all<{ comp_id: string }>(
    `SELECT comp_id FROM comps c LEFT JOIN comps_index i ON i.comp_rowid = c.comp_rowid
     WHERE i.comp_rowid IS NULL OR c.longitude NOT BETWEEN i.min_lon AND i.max_lon OR c.latitude NOT BETWEEN i.min_lat AND i.max_lat LIMIT 5`,
  );
  const [comps, entries] = ['comps', 'comps_index'].map(
    (table) => file.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0,
  );
  const problems = [
    ...(structure === 'ok' ? [] : [structure]),
    ...(comps === entries ? [] : [`${entries} index entries for ${comps} comps`]),
    ...missing.map((row) => `comp ${row.comp_id} is not where its index entry says`),
  ];
  return result('comp index agrees', problems, `${comps} comps indexed`);
}

/** Every parcel has its own registry row; otherwise its property_id could be given to another parcel. */
function registryIsComplete({ file }: LandStore): CheckResult {
  const unknown = file.all<{ property_id: number }>(
    'SELECT property_id FROM parcels WHERE dataset_id IS NOT NULL AND property_id NOT IN (SELECT property_id FROM parcel_registry) LIMIT 5',
  );
  const strangers = file.all<{ property_id: number }>(
    'SELECT property_id FROM parcels JOIN parcel_registry r USING (property_id) WHERE parcels.dataset_id IS NULL OR parcels.fips IS NOT r.fips LIMIT 5',
  );
  const count = file.get<{ n: number }>('SELECT count(*) AS n FROM parcel_registry')?.n ?? 0;
  const problems = [
    ...unknown.map((row) => `parcel ${row.property_id} is not in the registry`),
    ...strangers.map((row) => `parcel ${row.property_id} is not the parcel that the registry has under this number`),
  ];
  return result('registry is complete', problems, `${count} identities`);
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

/** The running total of the meter equals the sum of the period's charges, even if the anchor day was moved. */
function usageAgrees(account: AccountStore, now: Date): CheckResult {
  const period = billingPeriod(now, readPlan(account).period_anchor_day);
  const sum =
    account.file.get<{ tokens: number | null }>(
      'SELECT sum(tokens) AS tokens FROM ledger WHERE charged_at >= ? AND charged_at < ?',
      period.start,
      period.end,
    )?.tokens ?? 0;
  const used = tokensUsed(account, period);
  return result(
    'usage agrees with the ledger',
    used === sum ? [] : [`usage says ${used}, the charges of the period are ${sum}`],
    `${used} tokens in this period`,
  );
}

/** The daily sums equal the charges of each day. */
function daysAddUp({ file }: AccountStore): CheckResult {
  const sums =
    'SELECT substr(charged_at, 1, 10) AS day, endpoint, mode, sum(tokens), count(*) FROM ledger GROUP BY 1, 2, 3';
  const wrong = file.column<string>(
    `SELECT day FROM (${sums} EXCEPT SELECT * FROM ledger_days)
     UNION SELECT day FROM (SELECT * FROM ledger_days EXCEPT ${sums}) ORDER BY 1`,
  );
  const days = file.column<number>('SELECT count(DISTINCT day) FROM ledger_days')[0] ?? 0;
  const problems = wrong.map((day) => `the charges of ${day} differ from its daily sums`);
  return result('days of the ledger add up', problems, `${days} days`);
}

interface LedgerStep {
  readonly ledger_id: number;
  readonly period_start: string;
  readonly tokens: number;
  readonly period_total: number;
  /** Running total before this row: that of the previous charge, or a sum if that charge belongs to another period. */
  readonly before: number;
}

/** Each row continues the running total of its period. The first, or one after a move of the anchor day, starts from a sum. */
function ledgerAddsUp({ file }: AccountStore): CheckResult {
  const steps = file.all<LedgerStep>(`
    SELECT ledger_id, period_start, tokens, period_total,
      CASE WHEN lag(period_start) OVER newest = period_start THEN lag(period_total) OVER newest
        ELSE coalesce((SELECT sum(e.tokens) FROM ledger e WHERE e.ledger_id < l.ledger_id
          AND e.charged_at >= l.period_start AND e.charged_at < strftime('%Y-%m-%dT%H:%M:%fZ', l.period_start, '+1 month')), 0)
      END AS before
    FROM ledger l WINDOW newest AS (ORDER BY ledger_id) ORDER BY ledger_id`);
  const wrong = steps.filter((step) => step.before + step.tokens !== step.period_total);
  const problems = wrong.map(
    (step) => `ledger row ${step.ledger_id}: ${step.before} + ${step.tokens} is not ${step.period_total}`,
  );
  const tokens = steps.reduce((sum, step) => sum + step.tokens, 0);
  return result('ledger adds up', problems, `${steps.length} charges, ${tokens} tokens`);
}
