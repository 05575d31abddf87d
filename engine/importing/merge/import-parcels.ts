/**
 * Imports a county's parcels. It replaces a dataset (county, jurisdiction); ids stay, missing parcels are retired, and
 * importing the same files again writes nothing. One transaction, or nothing.
 */

import path from 'node:path';
import { writeDatasetRow } from '../../store/dataset-row.ts';
import type { LandStore } from '../../store/land-store.ts';
import { removeUndoOrphans } from '../../store/undo-store.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type ImportOptions, type ImportPlan, progressOf, sourceWords } from '../stage/import-options.ts';
import { type ImportReport, newReadingLog, type ReadingCounts, readingCountsOf } from '../stage/import-report.ts';
import { expectSpace } from '../stage/space-check.ts';
import { stageFiles } from '../stage/stage-files.ts';
import { StagingFile } from '../stage/staged-parcels.ts';
import { dropDuplicates } from './drop-duplicates.ts';
import { computedColumnsInPlay } from './kept-computed.ts';
import { indexStaged, matchIdentities } from './match-identities.ts';
import { columnsInPlay, ParcelMerge } from './merge-parcels.ts';
import { pruneUndo } from './prune-undo.ts';
import {
  checkHome,
  expectAny,
  expectParcels,
  expectTables,
  findStanding,
  type StandingDataset,
  settleImport,
} from './settle-import.ts';
import { stackAccounts } from './stack-accounts.ts';

export type { GivenFeature, ImportOptions, ImportPhase, ImportProgress } from '../stage/import-options.ts';
export type { ImportReport } from '../stage/import-report.ts';

/** The files' content, before it is compared with the home. */
export interface StagedImport {
  readonly plan: ImportPlan;
  readonly counts: ReadingCounts;
  readonly mapping: Mapping;
  readonly started: Date;
  readonly staging: StagingFile;
}

/**
 * @throws EngineError import_refused, mapping_invalid, file_missing, sample_and_real, disk_full; nothing was changed
 * then
 */
export async function importParcels(land: LandStore, options: ImportOptions): Promise<ImportReport> {
  const report = withStaged(land, options, (staged) => {
    const merged = land.file.transaction(() => {
      const made = mergeStaged(land, options, staged);
      if (made.import_id !== null) options.onCommitting?.(made);
      return made;
    });
    options.onCommitted?.(merged);
    return merged;
  });
  pruneUndo(land, homeOf(land), report);
  return report;
}

export const homeOf = ({ file }: LandStore): string => path.dirname(file.path);

/** Reads the files into the staging file, which exists while `work` runs. */
export function withStaged<Result>(
  land: LandStore,
  options: ImportOptions,
  work: (staged: StagedImport) => Result,
): Result {
  const started = options.now();
  const plan = settleImport(land, options);
  expectSpace(land, homeOf(land), options);
  const log = newReadingLog(options.onProblem);
  const staging = new StagingFile(land.file);
  try {
    // Writes only a temporary file: other programs can write the land file meanwhile.
    const places = land.file.snapshot(() => stageFiles(land, staging, plan, options, log));
    expectAny(options, log.features_read);
    const mapping = plan.mapper.finish();
    expectParcels(log, options);
    expectTables(log, options);
    places.expectUnitedStates(plan.fips, sourceWords(options));
    if (!options.anywhere) {
      places.expectCounty(plan.fips, sourceWords(options));
      places.expectFewStrays(sourceWords(options));
    }
    log.other_county = places.otherCounty(plan.fips);
    return work({ plan, counts: readingCountsOf(log), mapping, started, staging });
  } finally {
    staging.close();
  }
}

/** Staged parcels beside the current ones: what a merge would write. */
interface ComparedImport {
  readonly standing: StandingDataset | undefined;
  readonly parcels: ParcelMerge;
  readonly report: ImportReport;
}

/** Call it in a transaction or snapshot; it writes only temporary tables. */
export function compareStaged(land: LandStore, options: ImportOptions, staged: StagedImport): ComparedImport {
  const { plan, counts: reading } = staged;
  const { file } = land;
  const standing = findStanding(land, plan);
  const { fips, source, date } = plan;
  const jurisdiction = standing?.jurisdiction ?? plan.jurisdiction;
  progressOf(options, 'matching')(reading.features_read);
  const before = standing ? [JSON.parse(standing.mapping) as Mapping] : [];
  const columns = columnsInPlay(staged.mapping, ...before);
  const computed = computedColumnsInPlay(file, fips, columns);
  indexStaged(file);
  const dropped = dropDuplicates(file);
  const { acres: stackedAcres, ...stacked } =
    plan.accounts === 'stacked' ? stackAccounts(file) : { count: 0, first: [], acres: 0 };
  matchIdentities(
    file,
    { fips, jurisdiction },
    columns.filter((name) => !computed.has(name)),
  );
  const datasetId = standing?.dataset_id ?? nextDatasetId(land);
  const parcels = new ParcelMerge(file, { fips, jurisdiction, datasetId }, columns, staged.mapping);
  const counts = parcels.compare();
  const report: ImportReport = {
    import_id: null,
    dataset_id: datasetId,
    fips,
    jurisdiction,
    source,
    date,
    ...reading,
    coverage: Object.fromEntries(
      Object.entries(reading.coverage).map(([name, filled]) => [name, filled - (dropped.filled[name] ?? 0)]),
    ),
    // Other columns are derived.
    examples: Object.fromEntries(
      Object.keys(staged.mapping.columns).map((name) => [name, reading.examples[name] ?? []]),
    ),
    replaces_newer: standing && standing.source_date > date ? standing.source_date : null,
    duplicates: dropped.count,
    stacked,
    stacked_acres: stackedAcres,
    apn_doubles: countDoubles(land),
    ...counts,
    seconds: 0,
  };
  return { standing, parcels, report };
}

/** Call it in the import's transaction. */
export function mergeStaged(land: LandStore, options: ImportOptions, staged: StagedImport): ImportReport {
  const { file } = land;
  // Checked again under the lock: another process may have imported meanwhile.
  checkHome(land, staged.plan, options);
  const { standing, parcels, report } = compareStaged(land, options, staged);
  try {
    const mapping = JSON.stringify(staged.mapping);
    const isSameDataset =
      standing?.source_name === report.source && standing.source_date === report.date && standing.mapping === mapping;
    if (parcels.hasChanges || parcels.hasNews || !isSameDataset) {
      write(land, options, { parcels, report, mapping, started: staged.started });
    }
    report.seconds = secondsSince(staged.started, options);
    // In the row, so that a list of datasets can show each import's counts.
    file.run(
      'UPDATE datasets SET report = ? WHERE dataset_id = ? AND report = ?',
      JSON.stringify(report),
      report.dataset_id,
      '',
    );
    return report;
  } finally {
    parcels.drop();
  }
}

const secondsSince = (started: Date, { now }: ImportOptions): number => (now().getTime() - started.getTime()) / 1000;

function write(
  land: LandStore,
  options: ImportOptions,
  { parcels, report, mapping }: { parcels: ParcelMerge; report: ImportReport; mapping: string; started: Date },
): void {
  const { file } = land;
  const at = options.now();
  const { dataset_id: datasetId, fips, jurisdiction, source, date } = report;
  const home = homeOf(land);
  removeUndoOrphans(land.file, home);
  const { new: added, changed, retired, returned, unchanged, recounted } = report;
  report.import_id = recordImport(land, {
    ...{ datasetId, fips, jurisdiction, source, date, at, action: 'import' },
    counts: { new: added, changed, retired, returned, unchanged, refused: report.refused.count },
  });
  progressOf(options, 'keeping what stands')(changed + retired + returned + recounted);
  parcels.saveBefore(home, { importId: report.import_id, datasetId, fips, doneAt: at.toISOString() });
  parcels.write(at, progressOf(options, 'writing', parcels.rowsToWrite));
  progressOf(options, 'finishing')(report.features_read);
  file.run('INSERT OR IGNORE INTO home_kind (id, kind) VALUES (1, ?)', options.homeKind);
  writeDatasetRow(file, fips, {
    ...{ dataset_id: datasetId, jurisdiction, mapping, report: '' },
    ...{ source_name: source, source_date: date, imported_at: at.toISOString() },
  });
}

interface ImportRecord {
  readonly datasetId: number;
  readonly fips: string;
  readonly jurisdiction: string;
  readonly action: 'import' | 'delete';
  readonly source: string;
  readonly date: string;
  readonly at: Date;
  readonly counts: Readonly<Record<string, number>>;
}

/** @returns import_id */
export function recordImport({ file }: LandStore, record: ImportRecord): number {
  const { lastInsertRowid } = file.run(
    `INSERT INTO imports (dataset_id, fips, jurisdiction, action, source_name, source_date, done_at, counts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[record.datasetId, record.fips, record.jurisdiction, record.action, record.source, record.date],
    ...[record.at.toISOString(), JSON.stringify(record.counts)],
  );
  return Number(lastInsertRowid);
}

/** Never the number of a deleted dataset: its imports still refer to it. */
export const nextDatasetId = ({ file }: LandStore): number =>
  (file.get<{ id: number | null }>(
    'SELECT max(id) AS id FROM (SELECT max(dataset_id) AS id FROM datasets UNION ALL SELECT max(dataset_id) FROM imports)',
  )?.id ?? 0) + 1;

function countDoubles({ file }: LandStore): number {
  const doubles = "SELECT 1 FROM staging.staged_parcels WHERE identity <> '' GROUP BY identity HAVING count(*) > 1";
  return file.get<{ n: number }>(`SELECT count(*) AS n FROM (${doubles})`)?.n ?? 0;
}
