/**
 * Imports a county's parcels. A dataset (county, jurisdiction) is what is replaced; ids stay, what vanished is retired, and
 * importing the same files again writes nothing. Everything lands in one transaction, or nothing does.
 */
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { foldSpaces } from '../spec/text-fold.ts';
import { normalFips } from '../spec/value-schemas.ts';
import type { LandStore } from '../store/land-store.ts';
import { lookAtFile } from './byte-window.ts';
import { findDatasetDate, latestDateFor } from './dataset-date.ts';
import { type ImportOptions, type ImportPlan, progressOf } from './import-options.ts';
import { type ImportReport, newReadingCounts, type ReadingCounts } from './import-report.ts';
import { type Mapping, usesTable } from './mapping.ts';
import { matchIdentities } from './match-identities.ts';
import { columnsInPlay, ParcelMerge } from './merge-parcels.ts';
import { isoFromParts } from './parse-date.ts';
import { dictionaryMapper, mapperOf } from './row-mapper.ts';
import { stageFiles } from './stage-files.ts';
import { createStagingTables, dropStagingTables } from './staged-parcels.ts';
import { openTableFile, type TableFile } from './table-file.ts';

export type { GivenFeature, ImportOptions, ImportPhase, ImportProgress } from './import-options.ts';
export type { ImportReport } from './import-report.ts';

interface StandingDataset {
  readonly dataset_id: number;
  /** As it was first written. */
  readonly jurisdiction: string;
  readonly source_name: string;
  readonly source_date: string;
  readonly mapping: string;
}

/**
 * @throws EngineError import_refused, mapping_invalid, file_missing, sample_and_real; nothing was changed then
 */
export async function importParcels(land: LandStore, options: ImportOptions): Promise<ImportReport> {
  const started = options.now();
  const plan = planImport(land, options);
  const counts = newReadingCounts();
  createStagingTables(land.file);
  try {
    // Temporary tables only: other programs go on writing the land file meanwhile.
    const places = land.file.snapshot(() => stageFiles(land, plan, options, counts));
    if (counts.features_read === 0) {
      throw new EngineError('import_refused', 'Expected at least one parcel, found none.');
    }
    const mapping = plan.mapper.finish();
    expectParcels(plan, counts);
    places.expectUnitedStates(plan.fips);
    return land.file.transaction(() => merge(land, plan, options, { counts, mapping, started }));
  } finally {
    dropStagingTables(land.file);
  }
}

function planImport(land: LandStore, options: ImportOptions): ImportPlan {
  const { mapping, files = [], joinFile } = options;
  const fips = normalFips(options.fips);
  const county = land.county(fips);
  if (!county) {
    throw new EngineError('import_refused', `No county has the FIPS code ${JSON.stringify(options.fips)}.`);
  }
  if ((files.length === 0) === (options.features === undefined)) {
    throw new EngineError('import_refused', 'Expected parcel files or features, found none or both.');
  }
  expectDistinctFiles(files);
  checkJoin(mapping, joinFile);
  const table = joinFile === undefined ? null : openTableFile(joinFile);
  const date = chosenDate(options, table);
  const latestDate = latestDateFor(date);
  const mapper = mapping ? mapperOf(mapping, latestDate) : dictionaryMapper(latestDate);
  const plan = {
    fips,
    state: county.state,
    jurisdiction: plainText('jurisdiction', options.jurisdiction ?? mapping?.jurisdiction ?? ''),
    source: chosenSource(options, files),
    date,
    table,
    mapper,
  };
  checkHome(land, plan, options);
  return plan;
}

/** One file under two names would make a double of every parcel. */
function expectDistinctFiles(files: readonly string[]): void {
  const seen = new Set<string>();
  for (const file of files) {
    const { realPath } = lookAtFile(file);
    if (seen.has(realPath)) throw new EngineError('import_refused', `${file} is named twice; name every file once.`);
    seen.add(realPath);
  }
}

/** It is shown in lists and compared by eye: what cannot be seen may not tell two apart. */
function plainText(name: string, text: string): string {
  if (!/\p{Cc}/u.test(text)) return text.trim();
  throw new EngineError(
    'import_refused',
    `Expected a ${name} without control characters, found ${JSON.stringify(text.slice(0, 60))}.`,
  );
}

function chosenSource({ source, mapping }: ImportOptions, files: readonly string[]): string {
  const given = plainText('source', source ?? mapping?.source ?? sourceOfFiles(files));
  if (given !== '') return given;
  throw new EngineError('import_refused', 'Expected the name of a source, found an empty text.');
}

const sourceOfFiles = (files: readonly string[]): string =>
  files.map((file) => path.basename(file)).join(', ') || 'features';

function chosenDate(options: ImportOptions, table: TableFile | null): string {
  const given = options.date ?? options.mapping?.date;
  if (given === undefined) return findDatasetDate(options.files ?? [], table, options.now());
  const [year, month, day] = given.split('-').map(Number);
  const iso = isoFromParts(year ?? 0, month ?? 0, day ?? 0);
  if (iso === given) return iso;
  throw new EngineError('import_refused', `Expected a date like 2026-07-01, found ${JSON.stringify(given)}.`);
}

function checkJoin(mapping: Mapping | undefined, joinFile: string | undefined): void {
  const joins = mapping?.join !== undefined;
  if (joins && joinFile === undefined) {
    throw new EngineError(
      'import_refused',
      `The mapping ${mapping?.name} joins an assessor table; give one (--join). Without it every joined value would be lost.`,
    );
  }
  if (joinFile !== undefined && !joins) {
    throw new EngineError('import_refused', `Nothing says how to join ${joinFile}; give a mapping with "join".`);
  }
  const stray = Object.entries(mapping?.columns ?? {}).find(([, expression]) => !joins && usesTable(expression));
  if (stray)
    throw new EngineError(
      'mapping_invalid',
      `The column ${stray[0]} reads the joined table, but the mapping has no "join".`,
    );
}

function findStanding({ file }: LandStore, { fips, jurisdiction }: ImportPlan): StandingDataset | undefined {
  // Washington and WASHINGTON are one town: its second spelling must not load it twice.
  return file.get<StandingDataset>(
    `SELECT dataset_id, jurisdiction, source_name, source_date, mapping FROM datasets
     WHERE fips = :fips AND fold_spaces(jurisdiction) = :folded ORDER BY jurisdiction <> :jurisdiction, dataset_id`,
    { fips, folded: foldSpaces(jurisdiction), jurisdiction },
  );
}

function checkHome(land: LandStore, plan: ImportPlan, { homeKind, replace }: ImportOptions): void {
  if (land.kind !== null && land.kind !== homeKind) {
    throw new EngineError(
      'sample_and_real',
      `This home holds ${land.kind === 'sample' ? 'the synthetic sample' : 'real data'}; ${homeKind === 'sample' ? 'the sample' : 'real data'} needs a home of its own.`,
    );
  }
  const standing = findStanding(land, plan);
  if (!standing || replace || standing.source_name === plan.source) return;
  const place = plan.jurisdiction ? `${plan.fips}, ${plan.jurisdiction}` : plan.fips;
  throw new EngineError(
    'import_refused',
    `${place} is loaded from ${JSON.stringify(standing.source_name)}, this is ${JSON.stringify(plan.source)}: pass --replace to replace it, or --jurisdiction to add beside it.`,
  );
}

/** A file of which nothing fits is the wrong file: it must not retire a county. */
function expectParcels(plan: ImportPlan, counts: ReadingCounts): void {
  const { features_read: read, refused, joined } = counts;
  if (refused.count === read) {
    const [first] = refused.first;
    throw new EngineError(
      'import_refused',
      `None of the ${read} features can be used. The first, row ${first?.row}: ${first?.reason}`,
    );
  }
  if (plan.table && joined === 0) {
    const keys = counts.table_rows_unmatched.first.slice(0, 3).join(', ');
    throw new EngineError(
      'import_refused',
      `None of the ${read} features joins any of the ${counts.table_rows} rows of ${plan.table.path}; its keys look like ${keys || 'nothing'}. Look at "join" in the mapping.`,
    );
  }
}

interface Staged {
  readonly counts: ReadingCounts;
  readonly mapping: Mapping;
  readonly started: Date;
}

function merge(land: LandStore, plan: ImportPlan, options: ImportOptions, staged: Staged): ImportReport {
  const { file } = land;
  // Again, now that the file is locked: another process may have imported meanwhile.
  checkHome(land, plan, options);
  const standing = findStanding(land, plan);
  const { fips, source, date } = plan;
  const jurisdiction = standing?.jurisdiction ?? plan.jurisdiction;
  progressOf(options, 'matching')(staged.counts.features_read);
  const before = standing ? [JSON.parse(standing.mapping) as Mapping] : [];
  const columns = columnsInPlay(staged.mapping, ...before);
  matchIdentities(file, { fips, jurisdiction }, columns);
  const datasetId = standing?.dataset_id ?? nextDatasetId(land);
  const parcels = new ParcelMerge(file, { fips, jurisdiction, datasetId }, columns);
  const counts = parcels.compare();
  const mapping = JSON.stringify(staged.mapping);
  const isSameDataset =
    standing?.source_name === source && standing.source_date === date && standing.mapping === mapping;
  const at = options.now();
  if (parcels.hasChanges) parcels.write(at, progressOf(options, 'writing'));
  progressOf(options, 'finishing')(staged.counts.features_read);
  const report: ImportReport = {
    dataset_id: datasetId,
    fips,
    jurisdiction,
    source,
    date,
    ...staged.counts,
    apn_doubles: countDoubles(land),
    ...counts,
    seconds: (options.now().getTime() - staged.started.getTime()) / 1000,
  };
  if (parcels.hasChanges || !isSameDataset) {
    file.run('INSERT OR IGNORE INTO home_kind (id, kind) VALUES (1, ?)', options.homeKind);
    file.run(
      `INSERT INTO datasets (dataset_id, fips, jurisdiction, source_name, source_date, imported_at, mapping, report)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (dataset_id) DO UPDATE SET source_name = excluded.source_name, source_date = excluded.source_date,
         imported_at = excluded.imported_at, mapping = excluded.mapping, report = excluded.report`,
      ...[datasetId, fips, jurisdiction, source, date, at.toISOString(), mapping, JSON.stringify(report)],
    );
  }
  return report;
}

const nextDatasetId = ({ file }: LandStore): number =>
  (file.get<{ id: number | null }>('SELECT max(dataset_id) AS id FROM datasets')?.id ?? 0) + 1;

function countDoubles({ file }: LandStore): number {
  const doubles = "SELECT 1 FROM temp.staged_parcels WHERE identity <> '' GROUP BY identity HAVING count(*) > 1";
  return file.get<{ n: number }>(`SELECT count(*) AS n FROM (${doubles})`)?.n ?? 0;
}
