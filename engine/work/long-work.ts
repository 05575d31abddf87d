/**
 * Starts and stops long work: imports, enrichments, undo of an import. Each answers with the job, whose progress the
 * read `jobs` shows.
 */
import Type from 'typebox';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { type TaskInput, type TaskName, tasks } from '../jobs/task-kinds.ts';
import { EngineError } from '../spec/errors.ts';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The kind of job knows and checks its `options`. */
const optionsSchema = Type.Record(Type.String(), Type.Unknown());

export const startImport = defineChange({
  name: 'start_import',
  docs: `Imports parcels (or, with \`dry_run\`, reports what an import would do), comps or contacts, in a process of its own. \`options\` are those of the job, of parcels ${Object.keys(tasks.import_parcels.input.properties).join(', ')}.`,
  input: Type.Object(
    {
      what: oneOf(['parcels', 'comps', 'contacts']),
      dry_run: Type.Optional(Type.Boolean()),
      options: optionsSchema,
    },
    strict,
  ),
  output: jobStatusSchema,
  run: ({ what, dry_run: isDryRun = false, options }, { jobs }) => {
    const kind = what === 'parcels' && isDryRun ? 'plan_parcels' : (`import_${what}` as const);
    return { data: jobs.start(kind, options as TaskInput<typeof kind>) };
  },
});

/** The change of a kind of job that takes its options as they are. */
export const starting = <Kind extends TaskName<'listed'>>(name: string, kind: Kind) =>
  defineChange({
    name,
    docs: tasks[kind].docs,
    input: tasks[kind].input as (typeof tasks)[Kind]['input'],
    output: jobStatusSchema,
    run: (input, { jobs }) => ({ data: jobs.start(kind, input as TaskInput<Kind>) }),
  });

export const startEnrichment = starting('start_enrichment', 'enrich');
export const startEnrichAgain = starting('start_enrich_again', 'enrich_again');
export const startDeriveComps = starting('start_derive_comps', 'derive_comps');
export const deleteDatasetChange = starting('delete_dataset', 'delete_dataset');

export const cancelJob = defineChange({
  name: 'cancel_job',
  docs: 'Removes a job from the queue or stops it, and answers once it has ended; unfinished work is rolled back, and finished work is in its `report`.',
  input: Type.Object({ job_id: number }, strict),
  output: jobStatusSchema,
  run: async ({ job_id: id }, { jobs }) => {
    jobs.cancel(id);
    return { data: await jobs.finished(id) };
  },
});

export const undoImportChange = defineChange({
  name: 'undo_import',
  docs: tasks.undo_import.docs,
  input: tasks.undo_import.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => {
    // an import that changed nothing has no number, and the latest would be the one before it
    if (input.import_id === undefined && !input.redo)
      throw new EngineError('validation_error', 'Expected import_id, the number of the import to undo, found none.');
    return { data: jobs.start('undo_import', input) };
  },
});
