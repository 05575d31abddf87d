/** The priced runs of a list: their price in advance, and the progress of started ones. */
import Type from 'typebox';
import { count, oneOf, orNull, strict, type ValueOf, wholeNumberSchema } from '../spec/value-schemas.ts';
import { jobOfRun, planRun, priceOf, type Run, runTotals } from '../work/list-runs.ts';
import { defineRead, type ReadContext } from './read.ts';

const input = Type.Object({ list_id: wholeNumberSchema(1, Number.MAX_SAFE_INTEGER) }, strict);
const kindSchema = oneOf(['values', 'phones']);

const listRun = Type.Object(
  {
    run_id: Type.Integer(),
    kind: kindSchema,
    state: oneOf(['running', 'paused'], {
      description: 'paused: by the user, by a cap of the plan, or because the app was closed.',
    }),
    done: count('Parcels processed.'),
    total: count('Parcels to process, without those left out.'),
    found: count(),
    left_out: count(),
    tokens: count(),
    most_tokens: count(),
    seconds_left: orNull(count(), { description: 'For a running one; null if unknown.' }),
  },
  strict,
);
type ListRun = ValueOf<typeof listRun>;

function shown(context: ReadContext, run: Run): ListRun {
  const { found, none, left_out: leftOut, waiting, tokens } = runTotals(context, run.run_id);
  const job = jobOfRun(context.jobs, run.run_id);
  const status = job === null ? null : context.jobs.get(job);
  const price = priceOf(run.kind);
  const total = found + none + waiting;
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
    seconds_left: status?.progress?.seconds_left ?? null,
  };
}

export const listRuns = defineRead({
  name: 'list_runs',
  docs: 'Unfinished runs of a list: progress and cost so far.',
  input,
  output: Type.Array(listRun),
  run: ({ list_id: id }, context) =>
    context.account.file
      .all<Run>('SELECT * FROM list_runs WHERE list_id = ? AND ended_at IS NULL ORDER BY kind DESC', id)
      .map((run) => shown(context, run)),
});

export const listQuote = defineRead({
  name: 'list_quote',
  docs: 'The maximum price of valuing and tracing the parcels of a list. Parcels already done, and owners that cannot be traced, are not counted.',
  input,
  output: Type.Array(
    Type.Object(
      { kind: kindSchema, parcels: count('Parcels to process.'), left_out: count(), most_tokens: count() },
      strict,
    ),
  ),
  run: ({ list_id: id }, context) =>
    (['values', 'phones'] as const).map((kind) => {
      const { ask, leftOut } = planRun(context, id, kind);
      return { kind, parcels: ask.length, left_out: leftOut.size, most_tokens: ask.length * priceOf(kind) };
    }),
});
