/** Imports, enrichments and other long work: running, waiting, and ended since the app started. */
import Type from 'typebox';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { noInput } from '../spec/value-schemas.ts';
import { defineRead } from './read.ts';

export const jobs = defineRead({
  name: 'jobs',
  docs: 'Imports and other long work, newest first: state, progress with the time left, report, error.',
  input: noInput,
  output: Type.Array(jobStatusSchema),
  run: (_input, context) => context.jobs.list(),
});
