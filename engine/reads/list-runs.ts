/** The priced runs of a list: what they would cost, and how far those are that have begun. */
import Type from 'typebox';
import { traceAllowance } from '../account/trace-limit.ts';
import { wholeNumberSchema } from '../spec/value-schemas.ts';
import { jobOfRun, planRun, priceOf, type Run, type RunKind, runTotals } from '../work/list-runs.ts';
import { defineRead, type ReadContext } from './read.ts';

export interface ListRun {
  readonly run_id: number;
  readonly kind: RunKind;
  /** paused: by the user, by a cap of the plan, or because the app was closed. */
  readonly state: 'running' | 'paused';
  /** Parcels that were asked, of those that are to be; what was left out is not among them. */
  readonly done: number;
  readonly total: number;
  readonly found: number;
  readonly left_out: number;
  readonly tokens: number;
  readonly most_tokens: number;
  /** Of a running one; null where nobody knows. */
  readonly seconds_left: number | null;
  /** Traces used of this minute's, and seconds until one more fits; null for values. */
  readonly limit: { readonly used: number; readonly per_minute: number; readonly wait_seconds: number } | null;
}

export interface ListQuote {
  readonly kind: RunKind;
  /** Parcels that would be asked. */
  readonly parcels: number;
  readonly left_out: number;
  readonly most_tokens: number;
}

const idSchema = wholeNumberSchema(1, Number.MAX_SAFE_INTEGER);
const strict = { additionalProperties: false };
const whole = Type.Integer({ minimum: 0 });
const kindSchema = Type.Union([Type.Literal('values'), Type.Literal('phones')]);

function limitOf({ account, now }: ReadContext): ListRun['limit'] {
  const { perMinute, left, waitSeconds } = traceAllowance(account, now());
  return { used: perMinute - left, per_minute: perMinute, wait_seconds: waitSeconds };
}

function shown(context: ReadContext, run: Run): ListRun {
  const { found, none, left_out: leftOut, waiting, tokens } = runTotals(context, run.run_id);
  const job = jobOfRun(context.jobs, run.run_id);
  const status = job === null ? null : context.jobs.get(job);
  const price = priceOf(run.kind);
  const total = found + none + waiting;
  const limit = run.kind === 'phones' ? limitOf(context) : null;
  // Traces are as fast as their limit: the pace so far says nothing.
  const bySpeed = status?.progress?.seconds_left ?? null;
  const byLimit = limit && Math.max(0, Math.ceil((waiting - (limit.per_minute - limit.used)) / limit.per_minute)) * 60;
  return {
    run_id: run.run_id,
    kind: run.kind,
    state: status === null ? 'paused' : 'running',
    done: found + none,
    total,
    found,
    left_out: leftOut,
    tokens,
    most_tokens: tokens + waiting * price,
    seconds_left: status === null ? null : (byLimit ?? bySpeed),
    limit,
  };
}

export const listRuns = defineRead<{ list_id: number }, ListRun[]>({
  name: 'list_runs',
  docs: 'Runs of a list that have not ended: how far, at what cost so far, and what they wait for.',
  input: Type.Object({ list_id: idSchema }, strict),
  output: Type.Array(
    Type.Object(
      {
        run_id: Type.Integer(),
        kind: kindSchema,
        state: Type.Union([Type.Literal('running'), Type.Literal('paused')]),
        done: whole,
        total: whole,
        found: whole,
        left_out: whole,
        tokens: whole,
        most_tokens: whole,
        seconds_left: Type.Union([whole, Type.Null()]),
        limit: Type.Union([Type.Object({ used: whole, per_minute: whole, wait_seconds: whole }, strict), Type.Null()]),
      },
      strict,
    ),
  ),
  run: ({ list_id: id }, context) =>
    context.account.file
      .all<Run>('SELECT * FROM list_runs WHERE list_id = ? AND ended_at IS NULL ORDER BY kind DESC', id)
      .map((run) => shown(context, run)),
});

export const listQuote = defineRead<{ list_id: number }, ListQuote[]>({
  name: 'list_quote',
  docs: 'What valuing and tracing the parcels of a list would cost at most. Those that have theirs already, and owners that cannot be traced, are not counted.',
  input: Type.Object({ list_id: idSchema }, strict),
  output: Type.Array(Type.Object({ kind: kindSchema, parcels: whole, left_out: whole, most_tokens: whole }, strict)),
  run: ({ list_id: id }, context) =>
    (['values', 'phones'] as const).map((kind) => {
      const { ask, leftOut } = planRun(context, id, kind);
      return { kind, parcels: ask.length, left_out: leftOut.size, most_tokens: ask.length * priceOf(kind) };
    }),
});
