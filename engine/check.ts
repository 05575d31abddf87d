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
import { checkPhotoFiles } from './photos/photo-files.ts';
import { checkMarkets } from './query/market-sight.ts';
import { indexedBounds } from './query/spatial-index-check.ts';
import { counted } from './spec/counted.ts';
import type { AccountStore } from './store/account-store.ts';
import { homeIdOf } from './store/home-identity.ts';
import type { LandStore } from './store/land-store.ts';
import type { SqliteFile } from './store/sqlite.ts';
import { undoOrphans, whileNoOneWrites } from './store/undo-store.ts';
import { type PackedHeights, tileSide, unpackHeights } from './terrain/height-tile.ts';

interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** What was checked, or up to five problems. */
  readonly detail: string;
}

/** All checks of a home, in order; a failed one does not stop the others. */
export function checkHome({ home, settled, land, people, account, now }: Engine): CheckResult[] {
  const checks: readonly (readonly [name: string, run: () => Found])[] = [
    ['land.sqlite is whole', () => fileIsWhole(land.file)],
    ['people.sqlite is whole', () => fileIsWhole(people.file)],
    ['account.sqlite is whole', () => fileIsWhole(account.file)],
    [
      'terrain.sqlite is whole',
      () => (land.terrain ? fileIsWhole(land.terrain) : { problems: [], fine: 'there is none' }),
    ],
    ['heights can be read', () => heightsCanBeRead(land.terrain)],
    ['tables of land.sqlite are whole', () => tablesAreWhole(land.file)],
    ['tables of people.sqlite are whole', () => tablesAreWhole(people.file)],
    ['tables of account.sqlite are whole', () => tablesAreWhole(account.file)],
    ['texts of JSON can be read', () => jsonCanBeRead([land.file, people.file, account.file])],
    ['files are of one home', () => filesAreOfOneHome({ land, people, account })],
    ['spatial index agrees', () => spatialIndexAgrees(land)],
    ['column index agrees', () => columnIndexAgrees(land)],
    ['comp index agrees', () => compIndexAgrees(land)],
    ['market models can be read', () => marketsCanBeRead(land)],
    ['registry is complete', () => registryIsComplete(land)],
    ['datasets agree', () => datasetsAgree(land)],
    ['ledger adds up', () => ledgerAddsUp(account)],
    ['usage agrees with the ledger', () => usageAgrees(account, now())],
    ['days of the ledger add up', () => daysAddUp(account)],
    ['photos are there', () => photosAreThere(home, account)],
    ['closed to other users of this computer', () => isClosedToOthers(home)],
    ['nothing is left of killed programs', () => nothingIsLeft(home, land, settled)],
  ];
  return checks.map(([name, run]) => {
    const { problems, fine } = foundBy(run);
    return problems.length === 0
      ? { name, ok: true, detail: fine }
      : { name, ok: false, detail: problems.slice(0, 5).join('; ') };
  });
}

interface Found {
  readonly problems: readonly string[];
  /** What was checked. */
  readonly fine: string;
}

const found = (problems: readonly string[], fine: string): Found => ({ problems, fine });

/** A table that lacks a column stops a check that reads it; the others go on. */
function foundBy(run: () => Found): Found {
  try {
    return run();
  } catch (error) {
    return found([`could not be made: ${error instanceof Error ? error.message : String(error)}`], '');
  }
}

function isClosedToOthers(home: string): Found {
  const open = openToOthers(home);
  const problems =
    open.length === 0
      ? []
      : [
          `${counted(open.length, 'file or folder', 'files and folders')}, among them ${open.slice(0, 3).join(', ')}. Opening the home closes them; where it cannot, they are another user's, or the disk keeps no rights`,
        ];
  return found(problems, 'files and folders are yours alone');
}

/** What killed programs left goes at the opening of the home, so that a check finds only what could not be removed. */
function nothingIsLeft(home: string, land: LandStore, { removed }: Settled): Found {
  const left = [
    ...restoreLeftovers(home),
    ...(whileNoOneWrites(land.file, () => undoOrphans(land.file, home)) ?? []).map((name) => `undo/${name}`),
    ...abandonedFolders(),
  ];
  const told = removed.length === 0 ? '' : `; removed at this opening: ${removed.join(', ')}`;
  return found(
    left.map((name) => `${name} could not be removed`),
    `no half-written files${told}`,
  );
}

function fileIsWhole(file: SqliteFile): Found {
  const problems = file
    .pragmaRows('integrity_check(5)')
    .map((row) => String(row.integrity_check))
    .filter((line) => line !== 'ok');
  const orphans = file
    .pragmaRows('foreign_key_check')
    .map((row) => `${String(row.table)} row ${String(row.rowid)} points to a missing ${String(row.parent)}`);
  return found([...problems, ...orphans], 'integrity and references are right');
}

/** The tables are declared as the migrations declare them; columns that another program added are named. */
function tablesAreWhole(file: SqliteFile): Found {
  const differences = file.schemaDifferences();
  const added = differences.filter(({ isHarmless }) => isHarmless).map(({ words }) => words);
  return found(
    differences.filter(({ isHarmless }) => !isHarmless).map(({ words }) => words),
    ['every table has its columns', ...added].join('; '),
  );
}

/** Columns that hold JSON, by table; each name is of one file. */
const jsonColumns: Readonly<Record<string, readonly string[]>> = {
  ...{
    backtests: ['result'],
    comps: ['photos'],
    computed_values: ['values', 'published'],
    datasets: ['mapping', 'report'],
  },
  ...{ layer_features: ['properties'], layers: ['settings', 'coverage', 'report'], market_models: ['tested'] },
  ...{ raw_columns: ['json'], stored_traces: ['asked', 'result'], feeds: ['input', 'columns'], lists: ['filter'] },
  ...{ journal: ['input', 'inverse_input'], market_numbers: ['stats'], saved_searches: ['filter', 'columns'] },
  ...{ stored_values: ['explained'], mailings: ['rule'], letters: ['others'] },
};

/** What cannot be read is named by table, column and key; nothing is repaired. */
function jsonCanBeRead(files: readonly SqliteFile[]): Found {
  const columns = Object.entries(jsonColumns).flatMap(([table, names]) => names.map((name) => ({ table, name })));
  const problems = files.flatMap((file) =>
    columns.flatMap(({ table, name }) => {
      const known = file.all<{ name: string }>('SELECT name FROM pragma_table_info(?) ORDER BY pk = 0, pk', table);
      if (!known.some((column) => column.name === name)) return [];
      const wrong = `SELECT "${known[0]?.name}" AS key FROM "${table}" WHERE "${name}" <> '' AND NOT json_valid("${name}") LIMIT 5`;
      return file.all<{ key: unknown }>(wrong).map(({ key }) => `${table} ${String(key)}: ${name} is damaged, no JSON`);
    }),
  );
  return found(problems, `${columns.length} columns are JSON`);
}

/** SQLite has no checksums of its pages: the compressed heights of each tile carry one. */
function heightsCanBeRead(file: SqliteFile | null): Found {
  if (!file) return found([], 'there are none');
  const problems: string[] = [];
  let tiles = 0;
  const rows = file.iterate<PackedHeights & { fips: string; at: string }>(
    "SELECT fips, zoom || '/' || x || '/' || y AS at, lowest, step, steps FROM height_tiles",
  );
  for (const { fips, at, ...packed } of rows) {
    tiles++;
    try {
      unpackHeights(packed, scratchHeights);
    } catch {
      problems.push(`the heights of ${fips} at ${at} are damaged: import the elevation file again`);
    }
  }
  return found(problems, counted(tiles, 'tile of heights', 'tiles of heights'));
}

const scratchHeights = new Float32Array(tileSide * tileSide);

function filesAreOfOneHome({ land, people, account }: Pick<Engine, 'land' | 'people' | 'account'>): Found {
  const own = homeIdOf(land.file);
  const others = [people.file, account.file].filter((file) => homeIdOf(file) !== own);
  return found(
    others.map(
      ({ path: file }) =>
        `${path.basename(file)} belongs to another home than land.sqlite: what it says of parcels may be of others. Restore the file of this home`,
    ),
    'all three bear one id',
  );
}

/** Every geometry is in the R-tree, nothing else is, and each box holds its geometry. */
function spatialIndexAgrees(land: LandStore): Found {
  const structure =
    land.file.get<{ answer: string }>("SELECT rtreecheck('idx_parcels_geom') AS answer")?.answer ?? 'no answer';
  const { shapes, problems } = indexedBounds(land);
  return found(
    structure === 'ok' ? problems : [structure, ...problems],
    `${counted(shapes, 'shape', 'shapes')} indexed`,
  );
}

/** A stale index is not a fault: queries do not use it. */
function columnIndexAgrees({ file }: LandStore): Found {
  const { current, stale, problems } = checkColumnIndexes(file);
  return found(problems, `${counted(current, 'county', 'counties')} indexed, ${stale} to be indexed`);
}

/** A model that is behind its comps is not a fault: it answers while little has changed, else the comps alone do. */
function marketsCanBeRead(land: LandStore): Found {
  const { problems, current, lacking } = checkMarkets(land);
  return found(problems, `${current} fit their comps and are tested, ${lacking} to be trained or tested again`);
}

function compIndexAgrees({ file }: LandStore): Found {
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
  return found(problems, `${counted(comps ?? 0, 'comp', 'comps')} indexed`);
}

/** Every parcel has its own registry row; otherwise its property_id could be given to another parcel. */
function registryIsComplete({ file }: LandStore): Found {
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
  return found(problems, counted(count, 'identity', 'identities'));
}

function datasetsAgree({ file }: LandStore): Found {
  const strangers = file.all<{ property_id: number }>(
    'SELECT property_id FROM parcels WHERE dataset_id IS NOT NULL AND dataset_id NOT IN (SELECT dataset_id FROM datasets) LIMIT 5',
  );
  const count = file.get<{ n: number }>('SELECT count(*) AS n FROM datasets')?.n ?? 0;
  return found(
    strangers.map((row) => `parcel ${row.property_id} belongs to no dataset`),
    counted(count, 'dataset', 'datasets'),
  );
}

/** The running total of the meter equals the sum of the period's charges, even if the anchor day was moved. */
function usageAgrees(account: AccountStore, now: Date): Found {
  const period = billingPeriod(now, readPlan(account).period_anchor_day);
  const sum =
    account.file.get<{ tokens: number | null }>(
      'SELECT sum(tokens) AS tokens FROM ledger WHERE charged_at >= ? AND charged_at < ?',
      period.start,
      period.end,
    )?.tokens ?? 0;
  const used = tokensUsed(account, period);
  return found(
    used === sum ? [] : [`usage says ${used}, the charges of the period are ${sum}`],
    `${counted(used, 'token', 'tokens')} in this period`,
  );
}

/** The daily sums equal the charges of each day. */
function daysAddUp({ file }: AccountStore): Found {
  const sums =
    'SELECT substr(charged_at, 1, 10) AS day, endpoint, mode, sum(tokens), count(*) FROM ledger GROUP BY 1, 2, 3';
  const wrong = file.column<string>(
    `SELECT day FROM (${sums} EXCEPT SELECT * FROM ledger_days)
     UNION SELECT day FROM (SELECT * FROM ledger_days EXCEPT ${sums}) ORDER BY 1`,
  );
  const days = file.column<number>('SELECT count(DISTINCT day) FROM ledger_days')[0] ?? 0;
  const problems = wrong.map((day) => `the charges of ${day} differ from its daily sums`);
  return found(problems, counted(days, 'day', 'days'));
}

function photosAreThere(home: string, account: AccountStore): Found {
  const { files, problems } = checkPhotoFiles(home, account);
  return found(problems, counted(files, 'original', 'originals'));
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
function ledgerAddsUp({ file }: AccountStore): Found {
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
  return found(problems, `${steps.length} charges, ${tokens} tokens`);
}
