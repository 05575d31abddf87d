/**
 * Starts and stops long work: imports, enrichments, undo of an import. Each answers with the job, whose progress the
 * read `jobs` shows.
 */
import Type from 'typebox';
import { type WorkerJobInput, workerJobs } from '../jobs/job-kinds.ts';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';

const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The kind of job knows and checks its `options`. */
const optionsSchema = Type.Record(Type.String(), Type.Unknown());

export const startImport = defineChange({
  name: 'start_import',
  docs: `Imports parcels (or, with \`dry_run\`, reports what an import would do), comps or contacts, in a process of its own. \`options\` are those of the job, of parcels ${Object.keys(workerJobs.import_parcels.input.properties).join(', ')}.`,
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
    return { data: jobs.start(kind, options as WorkerJobInput<typeof kind>) };
  },
});

export const startEnrichment = defineChange({
  name: 'start_enrichment',
  docs: workerJobs.enrich.docs,
  input: workerJobs.enrich.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('enrich', input) }),
});

export const startEnrichAgain = defineChange({
  name: 'start_enrich_again',
  docs: workerJobs.enrich_again.docs,
  input: workerJobs.enrich_again.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('enrich_again', input) }),
});

export const startDeriveComps = defineChange({
  name: 'start_derive_comps',
  docs: workerJobs.derive_comps.docs,
  input: workerJobs.derive_comps.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('derive_comps', input) }),
});

export const cancelJob = defineChange({
  name: 'cancel_job',
  docs: 'Removes a job from the queue or stops it; unfinished work is rolled back, and finished work is in its `report`.',
  input: Type.Object({ job_id: number }, strict),
  output: jobStatusSchema,
  run: ({ job_id: id }, { jobs }) => ({ data: jobs.cancel(id) }),
});

export const undoImportChange = defineChange({
  name: 'undo_import',
  docs: `${workerJobs.undo_import.docs} Without \`import_id\` the latest.`,
  input: workerJobs.undo_import.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('undo_import', input) }),
});

export const deleteDatasetChange = defineChange({
  name: 'delete_dataset',
  docs: workerJobs.delete_dataset.docs,
  input: workerJobs.delete_dataset.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('delete_dataset', input) }),
});
