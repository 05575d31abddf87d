/** Every read of the app. A new read is one file and one line here. */
import { type ErrorDetails, validationError } from '../spec/errors.ts';
import { findProblems, unknownName } from '../spec/validate.ts';
import { filterBodySchema } from '../work/filter-body.ts';
import { apiKeys } from './api-keys.ts';
import { bookPage, bookPlan } from './book-plan.ts';
import { changedOwners } from './changed-owners.ts';
import { countComps } from './count-comps.ts';
import { countProperties } from './count-properties.ts';
import { countyPlace } from './county-place.ts';
import { coverage } from './coverage.ts';
import { dataPlace } from './data-place.ts';
import { datasets } from './datasets.ts';
import { diagnostics } from './diagnostics.ts';
import { doNotMail } from './do-not-mail.ts';
import { makeFieldExport } from './export-field.ts';
import { exportFormatsRead } from './export-formats.ts';
import { makeDealsCsv, makeExport, makeMailMerge, makeTsv } from './export-parcels.ts';
import { facet } from './facet.ts';
import { feeds } from './feeds.ts';
import { fieldMarks, tellWalk } from './field-marks.ts';
import { dropQuestion, imageryKind, lookFile, previewMapping, proposeList, proposeMapping } from './file-questions.ts';
import { histogram } from './histogram.ts';
import { home } from './home.ts';
import { homeState } from './home-state.ts';
import { importChanges } from './import-changes.ts';
import { jobs } from './jobs.ts';
import { journal } from './journal.ts';
import { makeLettersCsv } from './letters-csv.ts';
import { listFolder } from './list-folder.ts';
import { listPage } from './list-page.ts';
import { listQuote, listRuns } from './list-runs.ts';
import { listener } from './listener.ts';
import { lists } from './lists.ts';
import { makeBackup, makeShareCopy } from './made-copies.ts';
import { magneticDeclination } from './magnetic-declination.ts';
import { mailing, mailings } from './mailings.ts';
import { mapLegend } from './map-legend.ts';
import { mapSheet } from './map-sheet.ts';
import { mapSources } from './map-sources.ts';
import { keptListMappings, listMappings } from './mappings.ts';
import { marketBoard } from './market-board.ts';
import { marks } from './marks.ts';
import { matchPoints } from './match-points.ts';
import { matchingDensity, matchingInTile } from './matching-in-tile.ts';
import { noValue } from './no-value.ts';
import { optOutList } from './opt-out-list.ts';
import { ownerCard } from './owner-card.ts';
import { ownerPortfolio } from './owner-portfolio.ts';
import { neighbours, parcel } from './parcel.ts';
import { parcelAt } from './parcel-at.ts';
import { parcelShapes } from './parcel-shapes.ts';
import { adjoinerMap, parcelSheet } from './parcel-sheet.ts';
import { deals, parcelWork } from './parcel-work.ts';
import { plan } from './plan.ts';
import { positionInParcel } from './position-in-parcel.ts';
import { saveProblems } from './problem-list.ts';
import type { ReadContext, ReadDefinition } from './read.ts';
import { regions } from './regions.ts';
import { resultBounds } from './result-bounds.ts';
import { resultPage } from './result-page.ts';
import { savedSearches } from './saved-searches.ts';
import { lookShare, sharePage } from './share-page.ts';
import { sources } from './sources.ts';
import { storedTrace } from './stored-trace.ts';
import { storedValue } from './stored-value.ts';
import { suggest } from './suggest.ts';
import { suspectSales } from './suspect-sales.ts';
import { taggedInTile, tagLegend } from './tagged-parcels.ts';
import { testListener } from './test-listener.ts';
import { tracePreview } from './trace-preview.ts';
import { usageReport } from './usage-report.ts';
import { photosInRead, planPhotosRead, visitDraft, visits } from './visits.ts';
import { windowMemory } from './window-memory.ts';

/** Each read by its name, typed: `ReadInputOf<'count_properties'>`. */
export const readTable = {
  home,
  jobs,
  datasets,
  import_changes: importChanges,
  list_folder: listFolder,
  county_place: countyPlace,
  sources,
  count_properties: countProperties,
  coverage,
  export_formats: exportFormatsRead,
  facet,
  data_place: dataPlace,
  make_deals_csv: makeDealsCsv,
  make_letters_csv: makeLettersCsv,
  feeds,
  field_marks: fieldMarks,
  tell_walk: tellWalk,
  plan_photos: planPhotosRead,
  photos_in: photosInRead,
  visits,
  visit_draft: visitDraft,
  histogram,
  map_legend: mapLegend,
  map_sources: mapSources,
  matching_in_tile: matchingInTile,
  matching_density: matchingDensity,
  tag_legend: tagLegend,
  tagged_in_tile: taggedInTile,
  parcel_at: parcelAt,
  parcel_shapes: parcelShapes,
  suggest,
  result_page: resultPage,
  opt_out_list: optOutList,
  owner_card: ownerCard,
  owner_portfolio: ownerPortfolio,
  match_points: matchPoints,
  result_bounds: resultBounds,
  parcel,
  api_keys: apiKeys,
  listener,
  position_in_parcel: positionInParcel,
  saved_searches: savedSearches,
  lists,
  list_page: listPage,
  list_runs: listRuns,
  list_quote: listQuote,
  mailings,
  mailing,
  marks,
  parcel_work: parcelWork,
  deals,
  changed_owners: changedOwners,
  do_not_mail: doNotMail,
  journal,
  count_comps: countComps,
  suspect_sales: suspectSales,
  stored_value: storedValue,
  neighbours,
  no_value: noValue,
  stored_trace: storedTrace,
  trace_preview: tracePreview,
  market_board: marketBoard,
  regions,
  usage_report: usageReport,
  plan,
  home_state: homeState,
  window_memory: windowMemory,
  diagnostics,
  magnetic_declination: magneticDeclination,
  adjoiner_map: adjoinerMap,
  parcel_sheet: parcelSheet,
  map_sheet: mapSheet,
  look_share: lookShare,
  share_page: sharePage,
  book_plan: bookPlan,
  book_page: bookPage,
  test_listener: testListener,
  imagery_kind: imageryKind,
  look_file: lookFile,
  drop_question: dropQuestion,
  propose_mapping: proposeMapping,
  list_mappings: listMappings,
  preview_mapping: previewMapping,
  propose_list: proposeList,
  kept_list_mappings: keptListMappings,
  save_problems: saveProblems,
  make_export: makeExport,
  make_field_export: makeFieldExport,
  make_mail_merge: makeMailMerge,
  make_tsv: makeTsv,
  make_backup: makeBackup,
  make_share_copy: makeShareCopy,
} as const;

export type ReadName = keyof typeof readTable;
export type ReadInputOf<Name extends ReadName> = Parameters<(typeof readTable)[Name]['run']>[0];
export type ReadOutputOf<Name extends ReadName> = Awaited<ReturnType<(typeof readTable)[Name]['run']>>;

/** A read without static types: external input is checked against `input` first. */
type AnyRead = ReadDefinition<never, unknown>;

export const reads: readonly AnyRead[] = Object.values(readTable) as readonly unknown[] as readonly AnyRead[];

const readsByName = new Map(reads.map((read) => [read.name, read]));

/**
 * Runs a read by name.
 * @throws EngineError not_found for an unknown name, validation_error for invalid input, or the read's own errors
 */
export function runRead<Name extends ReadName>(
  context: ReadContext,
  name: Name,
  input: ReadInputOf<Name>,
): ReturnType<(typeof readTable)[Name]['run']>;
export function runRead(context: ReadContext, name: string, input: unknown): unknown;
export function runRead(context: ReadContext, name: string, input: unknown): unknown {
  const read = readsByName.get(name);
  if (!read) throw unknownName('read', name, [...readsByName.keys()]);
  const problems = filterProblems(read, input) ?? findProblems(read.input, input);
  if (problems) throw validationError(problems);
  return read.run(input as never, context);
}

/** Problems of the fields inside `filter`: otherwise the whole object would be reported as invalid. */
function filterProblems(read: AnyRead, input: unknown): ErrorDetails | null {
  const given = (input as { filter?: unknown } | null)?.filter;
  const isObject = typeof given === 'object' && given !== null;
  return isObject && 'filter' in read.input.properties ? findProblems(filterBodySchema, given) : null;
}
