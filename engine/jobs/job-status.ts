/** A job as the app sees it. */
import Type from 'typebox';

const text = Type.String();
const whole = Type.Integer({ minimum: 0 });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const jobStatusSchema = Type.Object(
  {
    job_id: Type.Integer({ minimum: 1 }),
    kind: text,
    title: text,
    state: Type.Union(
      (['queued', 'running', 'done', 'failed', 'cancelled'] as const).map((state) => Type.Literal(state)),
    ),
    progress: orNull(
      Type.Object({
        phase: text,
        rows: whole,
        total: orNull(whole),
        rows_per_second: Type.Number({ minimum: 0 }),
        seconds_left: orNull(whole),
      }),
    ),
    queued_at: text,
    started_at: orNull(text),
    ended_at: orNull(text),
    report: Type.Unknown(),
    error: orNull(
      Type.Object({
        code: text,
        message: text,
        details: Type.Optional(Type.Record(Type.String(), Type.Array(text))),
      }),
    ),
  },
  { additionalProperties: false },
);
