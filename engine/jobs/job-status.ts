/** A job's status as the app sees it, and the progress that work reports. */
import Type from 'typebox';
import { count, oneOf, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';

const text = Type.String();

const progressSchema = Type.Object({
  phase: Type.String({ description: 'In words, as the kind says it: `reading parcels`.' }),
  rows: count('Rows of this phase so far.'),
  total: orNull(count(), { description: 'Rows of this phase; null where it is not known yet.' }),
  rows_per_second: Type.Number({ minimum: 0 }),
  seconds_left: orNull(count(), { description: 'Left of this phase; null where it is not known.' }),
});

const errorSchema = Type.Object({
  code: text,
  message: text,
  details: Type.Optional(Type.Record(Type.String(), Type.Array(text))),
});

export const jobStatusSchema = Type.Object(
  {
    job_id: Type.Integer({ minimum: 1, description: 'Counted from 1 since the engine was opened.' }),
    kind: text,
    title: Type.String({ description: 'What it does, for a list: `Import parcels.zip into Sullivan County`.' }),
    state: oneOf(['queued', 'running', 'done', 'failed', 'cancelled']),
    progress: orNull(progressSchema, { description: 'A running job’s progress, once it has reported one.' }),
    queued_at: text,
    started_at: orNull(text),
    ended_at: orNull(text),
    report: Type.Unknown({
      description:
        'The report of a completed job, by kind; for a cancelled or failed job what it had committed, else null.',
    }),
    error: orNull(errorSchema, { description: 'Why the job failed.' }),
  },
  strict,
);

export type JobStatus = ValueOf<typeof jobStatusSchema>;
export type JobProgress = ValueOf<typeof progressSchema>;
export type JobError = ValueOf<typeof errorSchema>;

/** Progress reported by work; the runner adds the estimated time. */
export type ProgressEvent = Omit<JobProgress, 'seconds_left'>;
