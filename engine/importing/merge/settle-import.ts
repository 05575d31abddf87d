/** Settles an import's facts before its first feature is read: county, jurisdiction, source, date, table, mapping. */

import { EngineError } from '../../spec/errors.ts';
import { filesWords } from '../../spec/files-words.ts';
import { joinsOf } from '../../spec/table-names.ts';
import { foldSpaces } from '../../spec/text-fold.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import { expectKind } from '../../store/home-kind.ts';
import type { LandStore } from '../../store/land-store.ts';
import { lookAtFile } from '../formats/bytes/byte-window.ts';
import { openTableFile, type TableFile } from '../formats/table-file.ts';
import { usesTable } from '../mapping/mapping.ts';
import { dictionaryMapper, mapperOf } from '../mapping/row-mapper.ts';
import { findDatasetDate, latestDateFor } from '../stage/dataset-date.ts';
import { type ImportOptions, type ImportPlan, sourceWords } from '../stage/import-options.ts';
import type { ReadingCounts } from '../stage/import-report.ts';
import { isoFromParts } from '../values/parse-date.ts';

export interface StandingDataset {
  readonly dataset_id: number;
  /** In its first spelling. */
  readonly jurisdiction: string;
  readonly source_name: string;
  readonly source_date: string;
  readonly mapping: string;
}

/** @throws EngineError import_refused, mapping_invalid, file_missing, sample_and_real */
export function settleImport(land: LandStore, options: ImportOptions): ImportPlan {
  const { mapping, files = [], joinFiles = [] } = options;
  const fips = normalFips(options.fips);
  const county = land.county(fips);
  if (!county) {
    throw new EngineError('import_refused', `No county has the FIPS code ${JSON.stringify(options.fips)}.`);
  }
  if ((files.length === 0) === (options.features === undefined)) {
    throw new EngineError('import_refused', 'Expected parcel files or features, found none or both.');
  }
  expectDistinctFiles(files);
  checkJoin(options);
  const tables = joinFiles.map((file) => openTableFile(file, options.reading));
  const date = chosenDate(options, tables[0] ?? null);
  const latestDate = latestDateFor(date);
  const mapper = mapping ? mapperOf(mapping, latestDate) : dictionaryMapper(latestDate);
  const plan = {
    fips,
    state: county.state,
    jurisdiction: plainText('jurisdiction', options.jurisdiction ?? mapping?.jurisdiction ?? ''),
    source: chosenSource(options, files),
    date,
    tables,
    accounts: options.accounts ?? mapping?.accounts ?? ('left-out' as const),
    anywhere: options.anywhere === true,
    mapper,
  };
  checkHome(land, plan, options);
  return plan;
}

/** One file under two names would duplicate every parcel. */
function expectDistinctFiles(files: readonly string[]): void {
  const seen = new Set<string>();
  for (const file of files) {
    const { realPath } = lookAtFile(file);
    if (seen.has(realPath)) throw new EngineError('import_refused', `${file} is named twice; name every file once.`);
    seen.add(realPath);
  }
}

/** Lists show it, and people compare it by eye: invisible characters must not distinguish two names. */
function plainText(name: string, text: string): string {
  if (!/\p{Cc}/u.test(text)) return text.trim();
  throw new EngineError(
    'import_refused',
    `Expected a ${name} without control characters, found ${JSON.stringify(text.slice(0, 60))}.`,
  );
}

function chosenSource({ source, mapping }: ImportOptions, files: readonly string[]): string {
  const given = plainText('source', source ?? mapping?.source ?? (filesWords(files) || 'features'));
  if (given !== '') return given;
  throw new EngineError('import_refused', 'Expected the name of a source, found an empty text.');
}

function chosenDate(options: ImportOptions, table: TableFile | null): string {
  const given = options.date ?? options.mapping?.date;
  if (given === undefined) return findDatasetDate(options.files ?? [], table, options.now());
  const [year, month, day] = given.split('-').map(Number);
  const iso = isoFromParts(year ?? 0, month ?? 0, day ?? 0);
  if (iso === given) return iso;
  throw new EngineError('import_refused', `Expected a date like 2026-07-01, found ${JSON.stringify(given)}.`);
}

function checkJoin({ mapping, joinFiles = [], reading }: ImportOptions): void {
  const joins = mapping === undefined ? 0 : joinsOf(mapping).length;
  if (joins > joinFiles.length) {
    throw new EngineError(
      'import_refused',
      joins === 1
        ? `The mapping ${mapping?.name} joins an assessor table; give one (--join). Without it every joined value would be lost.`
        : `The mapping ${mapping?.name} joins ${joins} tables, given are ${joinFiles.length}; give each (--join), in the order of the mapping.`,
    );
  }
  const joinFile = joinFiles[joins];
  if (joinFile !== undefined) {
    const headings = openTableFile(joinFile, reading).columns.slice(0, 12).join(', ');
    throw new EngineError(
      'import_refused',
      `Platbook found no way to join ${joinFile}, whose headings are ${headings}; give a mapping with "join". Without a mapping Platbook finds the columns by itself if half of the parcels find a row.`,
    );
  }
  const stray = Object.entries(mapping?.columns ?? {}).find(([, expression]) => joins === 0 && usesTable(expression));
  if (stray)
    throw new EngineError(
      'mapping_invalid',
      `The column ${stray[0]} reads the joined table, but the mapping has no "join".`,
    );
}

export function findStanding({ file }: LandStore, { fips, jurisdiction }: ImportPlan): StandingDataset | undefined {
  // Washington and WASHINGTON are one town: a second spelling must not load it twice.
  return file.get<StandingDataset>(
    `SELECT dataset_id, jurisdiction, source_name, source_date, mapping FROM datasets
     WHERE fips = :fips AND fold_spaces(jurisdiction) = :folded ORDER BY jurisdiction <> :jurisdiction, dataset_id`,
    { fips, folded: foldSpaces(jurisdiction), jurisdiction },
  );
}

export function checkHome(land: LandStore, plan: ImportPlan, { homeKind, replace, reading }: ImportOptions): void {
  expectKind('home', land.kind, homeKind);
  const standing = findStanding(land, plan);
  if (standing && reading?.withoutShapes) expectShapeless(land, standing);
  if (!standing || replace) return;
  const place = plan.jurisdiction ? `${plan.fips}, ${plan.jurisdiction}` : plan.fips;
  if (standing.source_date > plan.date) {
    throw new EngineError(
      'import_refused',
      `${place} is loaded as of ${standing.source_date}, this is older, of ${plan.date}: pass --replace to go back to it, or --date if that is not its date.`,
    );
  }
  if (standing.source_name === plan.source) return;
  throw new EngineError(
    'import_refused',
    `${place} is loaded from ${JSON.stringify(standing.source_name)}, this is ${JSON.stringify(plan.source)}: pass --replace to replace it, or --jurisdiction to add beside it.`,
  );
}

/** A roll must not take the shapes from the map, whatever it replaces. */
function expectShapeless({ file }: LandStore, { dataset_id: id, source_name: source }: StandingDataset): void {
  const shapes = file.get<{ n: number }>(
    "SELECT count(*) AS n FROM parcels WHERE dataset_id = ? AND status = 'current' AND geom IS NOT NULL",
    id,
  )?.n;
  if (!shapes) return;
  throw new EngineError(
    'import_refused',
    `${shapes} of the loaded parcels (${JSON.stringify(source)}) have shapes, which a roll without shapes would take away: join it to the file of the shapes (--join), or add it beside them under another name (--jurisdiction).`,
  );
}

/** An empty file is the wrong file. */
export function expectAny(options: Pick<ImportOptions, 'files'>, read: number): void {
  if (read > 0) return;
  throw new EngineError('import_refused', `Expected at least one parcel in ${sourceWords(options)}, found none.`);
}

/** A file without any valid feature is the wrong file: it must not retire a county. */
export function expectParcels(counts: ReadingCounts, options: Pick<ImportOptions, 'files'>): void {
  const { features_read: read, refused } = counts;
  if (refused.count === read) {
    const [first] = refused.first;
    throw new EngineError(
      'import_refused',
      `None of the ${read} features of ${sourceWords(options)} can be used. The first, row ${first?.row}: ${first?.reason}`,
    );
  }
}

/** A table that nothing joins is the wrong table, or its key is. */
export function expectTables(counts: ReadingCounts, options: Pick<ImportOptions, 'files'>): void {
  const useless = counts.tables.find(({ joined }) => joined === 0);
  if (!useless) return;
  const keys = counts.table_rows_unmatched.first.slice(0, 3).join(', ');
  throw new EngineError(
    'import_refused',
    `None of the ${counts.features_read} features of ${sourceWords(options)} joins any of the ${useless.rows} rows of ${useless.file}; its keys look like ${keys || 'nothing'}. Look at "join" in the mapping.`,
  );
}
