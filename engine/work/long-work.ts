/** Starting and stopping long work: imports, enrichments, undo of an import. Each answers the job, which the read `jobs` follows. */
import Type from 'typebox';
import type { JobStatus } from '../jobs/job.ts';
import type { CompsInput, ContactsInput, EnrichInput, ParcelsInput } from '../jobs/job-kinds.ts';
import { workerJobs } from '../jobs/job-kinds.ts';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { defineChange } from './change.ts';

const strict = { additionalProperties: false };
const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

type StartImport =
  | { readonly what: 'parcels'; readonly dry_run?: boolean; readonly options: ParcelsInput }
  | { readonly what: 'comps'; readonly options: CompsInput }
  | { readonly what: 'contacts'; readonly options: ContactsInput };

/** `options` are checked by the kind of job, which knows them. */
const optionsSchema = Type.Record(Type.String(), Type.Unknown());

export const startImport = defineChange<StartImport, JobStatus>({
  name: 'start_import',
  docs: 'Imports parcels (or, with `dry_run`, says what an import would do), comps or contacts, in a process of its own. `options` are those of the job: files, county, mapping, join, layer, crs, jurisdiction, source, date, replace, county_column.',
  input: Type.Object(
    {
      what: Type.Union([Type.Literal('parcels'), Type.Literal('comps'), Type.Literal('contacts')]),
      dry_run: Type.Optional(Type.Boolean()),
      options: optionsSchema,
    },
    strict,
  ),
  output: jobStatusSchema,
  run: (input, { jobs }) => {
    if (input.what === 'comps') return { data: jobs.start('import_comps', input.options) };
    if (input.what === 'contacts') return { data: jobs.start('import_contacts', input.options) };
    return { data: jobs.start(input.dry_run ? 'plan_parcels' : 'import_parcels', input.options) };
  },
});

export const startEnrichment = defineChange<EnrichInput, JobStatus>({
  name: 'start_enrichment',
  docs: workerJobs.enrich.docs,
  input: workerJobs.enrich.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('enrich', input) }),
});

export const startEnrichAgain = defineChange<{ county: string }, JobStatus>({
  name: 'start_enrich_again',
  docs: workerJobs.enrich_again.docs,
  input: workerJobs.enrich_again.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('enrich_again', input) }),
});

export const startDeriveComps = defineChange<{ county: string; qualified_codes?: string[] }, JobStatus>({
  name: 'start_derive_comps',
  docs: workerJobs.derive_comps.docs,
  input: workerJobs.derive_comps.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('derive_comps', input) }),
});

export const cancelJob = defineChange<{ job_id: number }, JobStatus>({
  name: 'cancel_job',
  docs: 'Takes a job from the queue or stops it; what it had not finished is taken back, and what it had is its `report`.',
  input: Type.Object({ job_id: number }, strict),
  output: jobStatusSchema,
  run: ({ job_id: id }, { jobs }) => ({ data: jobs.cancel(id) }),
});

export const undoImportChange = defineChange<{ import_id?: number }, JobStatus>({
  name: 'undo_import',
  docs: `${workerJobs.undo_import.docs} Without \`import_id\` the latest.`,
  input: workerJobs.undo_import.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('undo_import', input) }),
});

export const deleteDatasetChange = defineChange<{ dataset_id: number }, JobStatus>({
  name: 'delete_dataset',
  docs: workerJobs.delete_dataset.docs,
  input: workerJobs.delete_dataset.input,
  output: jobStatusSchema,
  run: (input, { jobs }) => ({ data: jobs.start('delete_dataset', input) }),
});
