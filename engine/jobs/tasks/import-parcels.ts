/** The code of tasks that write a county's parcels: import, dry run, undo, delete. */
import fs from 'node:fs';
import path from 'node:path';
import { readingOf } from '../../importing/formats/parcel-source.ts';
import { linkComps } from '../../importing/lists/comp-links.ts';
import { withJoinRows } from '../../importing/mapping/join-rows.ts';
import { deleteDataset } from '../../importing/merge/delete-dataset.ts';
import { importParcels } from '../../importing/merge/import-parcels.ts';
import { planImport } from '../../importing/merge/plan-import.ts';
import { importStatewide, planStatewide } from '../../importing/merge/statewide.ts';
import { undoImport } from '../../importing/merge/undo-import.ts';
import type { ImportOptions } from '../../importing/stage/import-options.ts';
import { openProblemList, type ProblemList } from '../../importing/stage/problem-list.ts';
import { parcelTarget } from '../../importing/values/mapping-target.ts';
import { defined } from '../../spec/defined.ts';
import { parseJoinRows } from '../../spec/join-rows.ts';
import { joinFilesOf } from '../task-fields.ts';
import type { ParcelsInput } from '../task-kinds.ts';
import { completeAgain } from './layers.ts';
import { type Code, importProgress, type LandTools, mappingOf, onLand } from './on-land.ts';

export const code: Code<'import_parcels' | 'plan_parcels' | 'undo_import' | 'delete_dataset'> = {
  import_parcels: onLand(async (input, context) => {
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
  }),
  plan_parcels: onLand(async (input, context) => {
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
  }),
  undo_import: onLand(async ({ import_id: importId, redo }, context) => {
    const { land, now, progress } = context;
    const report = undoImport(land, {
      now,
      onRows: (rows, total) => progress({ phase: 'putting back', rows, total, rows_per_second: 0 }),
      ...keepAlone(context),
      ...defined({ importId, isRedo: redo }),
    });
    return { ...report, ...(await completeAgain([report.fips], context, report)) };
  }),
  delete_dataset: onLand(({ dataset_id: id }, { land, now, keep, note }) =>
    deleteDataset(land, id, now, { onCommitting: (report) => note(land.file, report), onCommitted: keep }),
  ),
};

function parcelOptions(input: ParcelsInput, context: LandTools): ImportOptions {
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
function keepAlone({ keep, note, land }: LandTools) {
  const alone = (report: object) => ({ ...report, completed: [], left_out: [] });
  return {
    onCommitting: (report: object): void => note(land.file, alone(report)),
    onCommitted: (report: object): void => keep(alone(report)),
  };
}

/** The last dry run's list of problems: one file per home, for a link in the app. */
function openProblems(home: string, given: string | undefined): { path: string; list: ProblemList } {
  if (given !== undefined) return { path: given, list: openProblemList(given) };
  const folder = path.join(home, 'reports');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'problems.csv');
  return { path: file, list: openProblemList(file) };
}
