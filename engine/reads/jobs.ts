/** Imports, enrichments and other long work: what runs, what waits, what has ended since the app was started. */
import Type from 'typebox';
import type { JobStatus } from '../jobs/job.ts';
import { jobStatusSchema } from '../jobs/job-status.ts';
import { defineRead } from './read.ts';

export const jobs = defineRead<Record<string, never>, JobStatus[]>({
  name: 'jobs',
  docs: 'Imports and other long work, newest first: state, progress with the time left, report, error.',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(jobStatusSchema),
  run: (_input, context) => context.jobs.list(),
});
