/** The code of each kind of job; runs in its worker process. */

import fs from 'node:fs';
import path from 'node:path';
import { bookOptions } from '../book/book-fields.ts';
import { writeBook, writePage } from '../book/write-book.ts';
import { enrich } from '../enrichment/enrich.ts';
import { enrichAgain } from '../enrichment/enrich-again.ts';
import type { EnrichProgress, EnrichReport } from '../enrichment/enrich-options.ts';
import { keepGround } from '../enrichment/keep-ground.ts';
import type { LayerKind } from '../enrichment/layer-kinds.ts';
import type { Waiting } from '../enrichment/waiting.ts';
import { readingOf } from '../importing/formats/parcel-source.ts';
import { linkComps } from '../importing/lists/comp-links.ts';
import { deriveComps } from '../importing/lists/derive-comps.ts';
import { importComps } from '../importing/lists/import-comps.ts';
import { importContacts } from '../importing/lists/import-contacts.ts';
import { withJoinRows } from '../importing/mapping/join-rows.ts';
import { type Mapping, parseMapping } from '../importing/mapping/mapping.ts';
import { loadNamedMapping } from '../importing/mapping/saved-mappings.ts';
import { deleteDataset } from '../importing/merge/delete-dataset.ts';
import { importParcels } from '../importing/merge/import-parcels.ts';
import { planImport } from '../importing/merge/plan-import.ts';
import { importStatewide, planStatewide } from '../importing/merge/statewide.ts';
import { undoImport } from '../importing/merge/undo-import.ts';
import type { ImportOptions, ImportProgress } from '../importing/stage/import-options.ts';
import { openProblemList, type ProblemList } from '../importing/stage/problem-list.ts';
import { compTarget, contactTarget, type MappingTarget, parcelTarget } from '../importing/values/mapping-target.ts';
import { withBacktests } from '../query/backtest-query.ts';
import { defined } from '../spec/defined.ts';
import { parseJoinRows } from '../spec/join-rows.ts';
import { normalFips } from '../spec/value-schemas.ts';
import { incompleteLayers, noteComplete } from '../store/computed-values.ts';
import { expectKind } from '../store/home-kind.ts';
import { writeJobNote } from '../store/job-note.ts';
import { type LandStore, openLandStore } from '../store/land-store.ts';
import { openPeopleStore } from '../store/people-store.ts';
import type { SqliteFile } from '../store/sqlite.ts';
import type { ParcelsInput, WorkerJobName, workerJobs } from './job-kinds.ts';
import { joinFilesOf, type Works } from './task-kind.ts';
import type { DoWork, WorkTools } from './worker-messages.ts';

interface WorkContext extends WorkTools {
  readonly home: string;
  readonly land: LandStore;
  readonly threads: number;
  /** Notes what is committed, in the same transaction: it survives if the worker dies before it can report. */
  readonly note: (file: SqliteFile, report: unknown) => void;
}

/** If the work throws, everything that was not reported as kept is unchanged. */
export const doWork: DoWork = async ({ kind, input, home, threads, job }, tools) => {
  const land = openLandStore(home, () => performance.now());
  try {
    const note: WorkContext['note'] = (file, report) => {
      if (job !== undefined) writeJobNote(file, job, report);
    };
    return await works[kind as WorkerJobName](input as never, { ...tools, home, land, threads, note });
  } finally {
    land.close();
  }
};

const works: Works<typeof workerJobs, WorkContext> = {
  import_parcels: async (input, context) => {
    const { land } = context;
    const { county_column: countyColumn, state } = input;
    const options = { ...parcelOptions(input, context), ...keepAlone(context) };
    const report =
      countyColumn === undefined
        ? await importParcels(land, options)
        : await importStatewide(land, { ...options, countyColumn, ...defined({ state }) });
    const counties = 'counties' in report ? report.counties.map(({ fips }) => fips) : [report.fips];
    // Links comps that were imported before their parcels.
    for (const fips of counties) linkComps(land, fips);
    return { ...report, ...(await completeAgain(counties, context, report)) };
  },
  plan_parcels: async (input, context) => {
    const { county_column: countyColumn, state } = input;
    const problems = openProblems(context.home, input.problems);
    try {
      const options = { ...parcelOptions(input, context), onProblem: problems.list.add };
      const plan =
        countyColumn === undefined
          ? await planImport(context.land, options)
          : await planStatewide(context.land, { ...options, countyColumn, ...defined({ state }) });
      return { ...plan, problem_rows: problems.list.count(), problem_file: problems.path };
    } finally {
      problems.list.close();
    }
  },
  import_comps: (input, context) => {
    const { land, now } = context;
    const { county, mapping, header_row: headerRow, ...named } = input;
    const run = (onRead: (counties: readonly string[]) => void) =>
      importComps(land, {
        ...named,
        ...defined({ headerRow }),
        homeKind: 'real',
        now,
        onProgress: importProgress(context),
        onRead,
        onCommitting: (report) => context.note(land.file, report),
        ...(county === undefined ? {} : { fips: normalFips(county) }),
        ...mappingOf(context.home, mapping, compTarget),
      });
    return withBacktests(land, now(), run, { onDone: context.keep, onCounty: testing(context) });
  },
  import_contacts: ({ mapping, header_row: headerRow, ...named }, { home, land, now, progress, keep, note }) => {
    expectKind('home', land.kind, 'real');
    const people = openPeopleStore(home);
    try {
      const report = importContacts(people, {
        ...named,
        ...defined({ headerRow }),
        now,
        onProgress: ({ phase, rows }) => progress({ phase, rows, total: null, rows_per_second: 0 }),
        onCommitting: (made) => note(people.file, made),
        ...mappingOf(home, mapping, contactTarget),
      });
      keep(report);
      return report;
    } finally {
      people.close();
    }
  },
  derive_comps: ({ county, qualified_codes: codes }, context) => {
    const { land, now, note } = context;
    const run = (testBefore: (counties: readonly string[]) => void) => {
      testBefore([normalFips(county)]);
      return deriveComps(land, county, {
        ...defined({ qualifiedCodes: codes }),
        onCommitting: (report) => note(land.file, report),
      });
    };
    return withBacktests(land, now(), run, { onDone: context.keep, onCounty: testing(context) });
  },
  enrich: ({ kind, county, name_field: nameField, ...named }, context) => {
    const { land, now, threads } = context;
    return enrich(land, {
      ...named,
      ...defined({ nameField }),
      kind: kind as LayerKind,
      fips: county,
      now,
      threads,
      onProgress: enrichProgress(context),
      onStoring: (report) => context.note(land.file, report),
      onStored: context.keep,
    });
  },
  enrich_again: ({ county }, context) => {
    const fips = normalFips(county);
    return completeAgain([fips], context, {});
  },
  undo_import: async ({ import_id: importId, redo }, context) => {
    const { land, now, progress } = context;
    const report = undoImport(land, {
      now,
      onRows: (rows, total) => progress({ phase: 'putting back', rows, total, rows_per_second: 0 }),
      ...keepAlone(context),
      ...defined({ importId, isRedo: redo }),
    });
    return { ...report, ...(await completeAgain([report.fips], context, report)) };
  },
  plat_book: ({ to, ...request }, context) =>
    writeBook(context.land, to, bookOptions(request, context.now()), pageProgress(context)),
  plat_page: ({ to, page, ...request }, context) =>
    writePage(context.land, { file: to, page }, bookOptions(request, context.now()), pageProgress(context)),
  delete_dataset: ({ dataset_id: id }, { land, now, keep, note }) =>
    deleteDataset(land, id, now, { onCommitting: (report) => note(land.file, report), onCommitted: keep }),
};

function mappingOf(
  home: string,
  given: string | Readonly<Record<string, unknown>> | undefined,
  target: MappingTarget,
): { mapping?: Mapping } {
  if (given === undefined) return {};
  return {
    mapping: typeof given === 'string' ? loadNamedMapping(home, given, target) : parseMapping(given, 'given', target),
  };
}

function parcelOptions(input: ParcelsInput, context: WorkContext): ImportOptions {
  const { files, county, mapping: given, join, join_rows: rows, accounts } = input;
  const { jurisdiction, source, date, replace, anywhere } = input;
  const { mapping } = mappingOf(context.home, given, parcelTarget);
  return {
    files,
    fips: county ?? '',
    homeKind: 'real',
    now: context.now,
    onProgress: importProgress(context),
    reading: readingOf(input),
    ...(mapping && { mapping: rows === undefined ? mapping : withJoinRows(mapping, parseJoinRows(rows)) }),
    joinFiles: joinFilesOf(join),
    ...defined({ accounts, jurisdiction, source, date, replace, anywhere }),
  };
}

/** The parcels are committed; no layer is recomputed yet. */
function keepAlone({ keep, note, land }: WorkContext) {
  const alone = (report: object) => ({ ...report, completed: [], left_out: [] });
  return {
    onCommitting: (report: object): void => note(land.file, alone(report)),
    onCommitted: (report: object): void => keep(alone(report)),
  };
}

/**
 * Recomputes the land file's layers for new and redrawn parcels.
 * @param report of what is committed already; reported again with each completed layer
 */
async function completeAgain(
  counties: readonly string[],
  context: WorkContext,
  report: object,
): Promise<{ completed: string[]; left_out: Waiting[] }> {
  const { land, now, threads, keep, note } = context;
  const completed = new Set<string>();
  const whole = () => ({ ...report, completed: [...completed], left_out: [] });
  const leftOut: Waiting[] = [];
  for (const fips of counties) {
    const onProgress = enrichProgress(context);
    if (incompleteLayers(land.file, fips).length === 0) {
      await keepGround(land, fips, { now, onProgress });
      land.file.transaction(() => noteComplete(land.file, fips, now().toISOString()));
      continue;
    }
    const onStoring = ({ kind }: EnrichReport): void => {
      completed.add(kind);
      note(land.file, whole());
    };
    const onStored = (): void => keep(whole());
    const again = await enrichAgain(land, fips, { now, threads, onProgress, onStoring, onStored });
    leftOut.push(...again.left_out);
    land.file.transaction(() => noteComplete(land.file, fips, now().toISOString()));
  }
  return { completed: [...completed], left_out: leftOut };
}

/** The last dry run's list of problems: one file per home, for a link in the app. */
function openProblems(home: string, given: string | undefined): { path: string; list: ProblemList } {
  if (given !== undefined) return { path: given, list: openProblemList(given) };
  const folder = path.join(home, 'reports');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'problems.csv');
  return { path: file, list: openProblemList(file) };
}

/** Pages a second are told from the first page on, so that the time left is known. */
const pageProgress = ({ progress, onStep, now }: WorkTools & Pick<WorkContext, 'land'>) => {
  let startedAt: number | null = null;
  return {
    progress: (rows: number, total: number): void => {
      onStep();
      startedAt ??= now().getTime();
      const seconds = (now().getTime() - startedAt) / 1000;
      const rate = rows > 0 && seconds > 0 ? Math.round((10 * rows) / seconds) / 10 : 0;
      progress({ phase: 'drawing map pages', rows, total, rows_per_second: rate });
    },
  };
};

const importProgress =
  ({ progress }: WorkTools) =>
  ({ phase, rows, total, rowsPerSecond }: ImportProgress): void =>
    progress({ phase, rows, total, rows_per_second: Math.round(rowsPerSecond) });

const enrichProgress =
  ({ progress }: WorkTools) =>
  ({ phase, rows, total, rowsPerSecond }: EnrichProgress): void =>
    progress({ phase, rows, total, rows_per_second: Math.round(rowsPerSecond) });

/** Before and after an import of sales, tests every county's comp values against its sales. */
const testing =
  ({ progress }: WorkTools) =>
  (county: string, when: 'before' | 'after'): void =>
    progress({
      phase: `${when === 'before' ? 'before the import: ' : ''}testing values of ${county}`,
      rows: 0,
      total: null,
      rows_per_second: 0,
    });
