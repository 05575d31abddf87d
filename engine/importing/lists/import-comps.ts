/**
 * Imports listings and sales of land. A source and its id identify a comp: a later file updates it, and the same file
 * again changes nothing. Records missing from a file stay: downloads are partial. One transaction, or nothing.
 */
import path from 'node:path';
import { type LeftOutRow, leftOutWords } from '../../spec/comp-import-lines.ts';
import { EngineError } from '../../spec/errors.ts';
import { shown } from '../../spec/validate.ts';
import { normalFips } from '../../spec/value-schemas.ts';
import { expectKind, type HomeKind } from '../../store/home-kind.ts';
import type { LandStore } from '../../store/land-store.ts';
import type { Mapping } from '../mapping/mapping-schema.ts';
import { type ListMapper, listMapper } from '../mapping/row-mapper.ts';
import { findDatasetDate } from '../stage/dataset-date.ts';
import { type GivenFeature, type ImportProgress, progressOf } from '../stage/import-options.ts';
import type { RefusedFeature, ValueProblem } from '../stage/import-report.ts';
import { compTarget } from '../values/mapping-target.ts';
import { isoFromParts } from '../values/parse-date.ts';
import { type CompContext, type CompFault, type CompletedComp, completeComp, isFault } from './comp-complete.ts';
import { type CompFileRow, misfitRow, pointOfGeometry, readCompFile } from './comp-rows.ts';
import { CompStaging, type MergeCounts } from './comp-staging.ts';
import { countToldAgain, yieldDerived } from './repeated-sales.ts';

export interface CompImportOptions {
  /** Row of the headings in a table, from 1; absent: it is found. */
  readonly headerRow?: number;
  /** Files of CSV, DBF or GeoJSON, or features; not both. */
  readonly files?: readonly string[];
  readonly features?: Iterable<GivenFeature>;
  /** Without one, columns are read by the comp dictionary's names. */
  readonly mapping?: Mapping;
  /** County of comps whose record and parcel name none. */
  readonly fips?: string;
  /** Source of records that name none. */
  readonly source?: string;
  /** ISO day of the listings, as the file says. */
  readonly date?: string;
  readonly homeKind: HomeKind;
  readonly now: () => Date;
  /** Called from time to time; throwing cancels the import and changes nothing. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called before anything is written, with the counties (FIPS) that the comps lie in. */
  readonly onRead?: (counties: readonly string[]) => void;
  /** Called at the end of the transaction; its writes commit with the comps. */
  readonly onCommitting?: (report: CompImportReport) => void;
}

export interface CompImportReport extends MergeCounts {
  source: string;
  date: string;
  rows_read: number;
  /** Rows without any comp value: disclaimers, blank lines. */
  blank_rows: number;
  /** Rows that are no market price of land, by the first screen that took them. */
  left_out: Partial<Record<LeftOutRow, number>>;
  /** The first rows that only a look at their numbers, or at other rows, shows to be no market price. */
  screened: Omit<RefusedFeature, 'byteOffset'>[];
  refused: { count: number; first: Omit<RefusedFeature, 'byteOffset'>[] };
  value_problems: { count: number; by_column: Record<string, number>; first: ValueProblem[] };
  /** Repeated source ids: the later row counts. */
  repeated: number;
  /** Comps of the same counties that tell the sale of another one again: it counts once. */
  told_again: number;
  /** Comps derived from the county's deeds that gave way to the same sale here. */
  derived_replaced: number;
  linked_by_apn: number;
  linked_by_place: number;
  unlinked: number;
  without_lot_size: number;
  seconds: number;
}

const listed = 100;
const progressRows = 1000;

const newReport = (source: string, date: string): CompImportReport => ({
  source,
  date,
  rows_read: 0,
  blank_rows: 0,
  left_out: {},
  screened: [],
  refused: { count: 0, first: [] },
  value_problems: { count: 0, by_column: {}, first: [] },
  repeated: 0,
  told_again: 0,
  derived_replaced: 0,
  linked_by_apn: 0,
  linked_by_place: 0,
  unlinked: 0,
  without_lot_size: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  older: 0,
  removed: 0,
  seconds: 0,
});

/** @throws EngineError import_refused, mapping_invalid, file_missing, sample_and_real; nothing was changed then */
export function importComps(land: LandStore, options: CompImportOptions): CompImportReport {
  const started = options.now().getTime();
  expectKind('home', land.kind, options.homeKind);
  const context = contextOf(land, options);
  const mapper = listMapper(compTarget, options.mapping);
  const report = newReport(context.source, context.date);
  const staging = new CompStaging(land.file);
  try {
    land.file.snapshot(() => stage(options, { ...context, hasColumn: mapper.hasColumn }, mapper, staging, report));
    expectComps(report, staging);
    const counties = staging.counties();
    options.onRead?.(counties);
    land.file.transaction(() => {
      expectKind('home', land.kind, options.homeKind);
      land.file.run('INSERT OR IGNORE INTO home_kind (id, kind) VALUES (1, ?)', options.homeKind);
      Object.assign(report, staging.merge());
      report.repeated = staging.counts.repeated;
      for (const fips of counties) {
        report.derived_replaced += yieldDerived(land.file, fips);
        report.told_again += countToldAgain(land.file, fips);
      }
      report.seconds = (options.now().getTime() - started) / 1000;
      options.onCommitting?.(report);
    });
  } finally {
    staging.drop();
  }
  return report;
}

function contextOf(land: LandStore, options: CompImportOptions): Omit<CompContext, 'hasColumn'> {
  const { files = [], mapping } = options;
  if ((files.length === 0) === (options.features === undefined)) {
    throw new EngineError('import_refused', 'Expected files of comps or features, found none or both.');
  }
  const fips = options.fips === undefined ? null : normalFips(options.fips);
  const county = fips === null ? null : land.county(fips);
  if (county === undefined) {
    throw new EngineError('import_refused', `No county has the FIPS code ${JSON.stringify(options.fips)}.`);
  }
  const named = files.map((file) => path.basename(file)).join(', ') || 'features';
  return {
    land,
    county,
    source: options.source ?? mapping?.source ?? mapping?.name ?? named,
    date: chosenDate(options, files),
    latestDate: options.now().toISOString().slice(0, 10),
  };
}

function chosenDate({ date, mapping, now }: CompImportOptions, files: readonly string[]): string {
  const given = date ?? mapping?.date;
  if (given === undefined) return findDatasetDate(files, null, now());
  const [year, month, day] = given.split('-').map(Number);
  const iso = isoFromParts(year ?? 0, month ?? 0, day ?? 0);
  if (iso === given) return iso;
  throw new EngineError('import_refused', `Expected a date like 2026-07-01, found ${JSON.stringify(given)}.`);
}

function stage(
  options: CompImportOptions,
  context: CompContext,
  mapper: ListMapper,
  staging: CompStaging,
  report: CompImportReport,
): void {
  const progress = progressOf(options, 'reading table');
  const visit = (row: CompFileRow) => {
    report.rows_read++;
    if (report.rows_read % progressRows === 0) progress(report.rows_read);
    const misfit = row.properties[misfitRow];
    if (typeof misfit === 'string') {
      refuse(report, row, misfit);
      return;
    }
    const onProblem = (column: string, value: unknown, reason: string) =>
      countProblem(report, row, column, value, reason);
    stageRow(mapper.convert(row.properties, row.id, onProblem), row, onProblem);
  };
  const stageRow = (
    values: ReturnType<typeof mapper.convert>,
    row: CompFileRow,
    onProblem: (column: string, value: unknown, reason: string) => void,
  ) => {
    const result = completeComp(values, row, context, onProblem);
    if (isFault(result)) note(report, staging, row, result);
    else if (staging.add(result.comp)) countComp(report, result);
  };
  for (const file of options.files ?? []) readCompFile(file, visit, options.headerRow);
  let number = 0;
  for (const { properties, geometry, id } of options.features ?? []) {
    number++;
    visit({ file: '', row: number, properties, id, point: pointOfGeometry(geometry) });
  }
  progress(report.rows_read);
  // rows that do not fit their headings prove nothing about columns
  if (report.rows_read > report.refused.count) mapper.finish();
}

function refuse({ refused }: CompImportReport, { file, row }: CompFileRow, reason: string): void {
  refused.count++;
  if (refused.first.length < listed) refused.first.push({ file, row, reason });
}

function note(report: CompImportReport, staging: CompStaging, row: CompFileRow, fault: CompFault): void {
  if (fault.kind === 'blank') report.blank_rows++;
  else if (fault.kind === 'refused') refuse(report, row, fault.reason);
  else if (fault.kind === 'left_out') {
    countLeftOut(report, row, fault.reason);
    if (fault.record !== null) staging.dismiss(fault.record.source, fault.record.source_id);
  }
}

const screens: ReadonlySet<LeftOutRow> = new Set(['absurd_price', 'future_date']);

function countLeftOut(
  { left_out: out, screened }: CompImportReport,
  { file, row }: CompFileRow,
  why: LeftOutRow,
): void {
  out[why] = (out[why] ?? 0) + 1;
  if (screens.has(why) && screened.length < listed) screened.push({ file, row, reason: leftOutWords[why] });
}

function countComp(report: CompImportReport, { comp, link }: CompletedComp): void {
  report[link === 'apn' ? 'linked_by_apn' : link === 'place' ? 'linked_by_place' : 'unlinked'] += 1;
  if (comp.lot_size === null) report.without_lot_size += 1;
}

function countProblem(
  { value_problems: problems }: CompImportReport,
  { file, row }: CompFileRow,
  column: string,
  value: unknown,
  reason: string,
): void {
  problems.count++;
  problems.by_column[column] = (problems.by_column[column] ?? 0) + 1;
  if (problems.first.length < listed) problems.first.push({ file, row, column, value: shown(value), reason });
}

/** A file without any valid row is the wrong file, or has the wrong mapping. */
function expectComps({ rows_read: read, blank_rows: blank, refused }: CompImportReport, { counts }: CompStaging): void {
  if (read === 0 || read === blank) {
    throw new EngineError('import_refused', `Expected at least one comp, found none in ${read} rows.`);
  }
  const [first] = refused.first;
  if (counts.comps > 0 || !first) return;
  throw new EngineError(
    'import_refused',
    `None of the ${read} rows can be used. The first, row ${first.row}: ${first.reason}`,
  );
}
