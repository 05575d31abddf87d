/**
 * Priced columns of a list: a run values or traces its parcels one by one, each through the pipeline with its own
 * idempotency key, so a run that is paused, killed and continued charges no parcel twice. Paid results are stored with
 * the parcel.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from '../engine.ts';
import type { HostJob } from '../jobs/job.ts';
import type { TaskRunner } from '../jobs/task-runner.ts';
import { operationsByName } from '../operations/index.ts';
import { findTracedOwner } from '../operations/skip-trace-property-owner.ts';
import { explainValue } from '../query/value-query.ts';
import { EngineError } from '../spec/errors.ts';
import type { NoValueParts } from '../spec/no-value-words.ts';
import { keepOutcome } from './store-outcome.ts';
import { findTrace, parcelSubject } from './store-traces.ts';

type RunKind = 'values' | 'phones';

const runOperations = {
  values: 'get_property_ai_comp_value',
  phones: 'skip_trace_property_owner',
} as const satisfies Record<RunKind, string>;

export interface Run {
  readonly run_id: number;
  readonly list_id: number;
  readonly kind: RunKind;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** found: paid. none: no result, free. left_out: skipped, `note` has the reason. */
type Outcome = 'found' | 'none' | 'left_out';

interface Told {
  readonly outcome: Outcome;
  readonly note: string | null;
  readonly tokens: number;
}

/** Members of a list without a value, or with an untraced owner. In list order. */
function missingParcels({ account, people }: Pick<Engine, 'account' | 'people'>, listId: number, kind: RunKind) {
  const ids = account.file.column<number>(
    'SELECT property_id FROM list_members WHERE list_id = ? ORDER BY position',
    listId,
  );
  if (kind === 'phones') {
    const traced = new Set(people.file.column<string>('SELECT subject FROM stored_traces'));
    return ids.filter((id) => !traced.has(parcelSubject(id)));
  }
  const valued = new Set(account.file.column<number>('SELECT property_id FROM stored_values'));
  return ids.filter((id) => !valued.has(id));
}

/** Why the owner of a parcel cannot be traced, in few words; null if possible. */
const untraceable = (engine: Pick<Engine, 'land'>, id: number): string | null =>
  findTracedOwner(id, engine).refusal?.short ?? null;

const noValueNotes = {
  no_acres: 'no acres',
  no_point: 'no place',
  no_comps: 'no comps',
} as const satisfies Record<NoValueParts['reason'], string>;

/** Why a parcel has no value, in few words; the Value tab has the sentence. */
function noValueNote({ land, now }: Engine, id: number): string {
  const explanation = explainValue(land, id, now());
  return explanation?.value === null ? noValueNotes[explanation.reason] : 'no value';
}

/** Retired parcels are neither valued nor traced. */
const goneSql = `SELECT e.value FROM json_each(?) e LEFT JOIN parcels p ON p.property_id = e.value
  WHERE p.status IS NOT 'current'`;

/** Parcels to process, and those left out, with reasons. */
export function planRun(
  engine: Pick<Engine, 'account' | 'people' | 'land'>,
  listId: number,
  kind: RunKind,
): { readonly ask: number[]; readonly leftOut: Map<number, string> } {
  const missing = missingParcels(engine, listId, kind);
  const gone = new Set(engine.land.file.column<number>(goneSql, JSON.stringify(missing)));
  const reasons = missing.map((id) => {
    if (gone.has(id)) return [id, 'no longer in the file'] as const;
    return [id, kind === 'phones' ? untraceable(engine, id) : null] as const;
  });
  return {
    ask: reasons.flatMap(([id, reason]) => (reason === null ? [id] : [])),
    leftOut: new Map(reasons.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason] as const]))),
  };
}

/** The maximum price per parcel. */
export const priceOf = (kind: RunKind): number => operationsByName.get(runOperations[kind])?.quote({} as never) ?? 0;

const jobsOfRuns = new WeakMap<TaskRunner, Map<number, number>>();

/** The job currently working on a run; null while it is paused, or after a restart. */
export function jobOfRun(jobs: TaskRunner, runId: number): number | null {
  return jobsOfRuns.get(jobs)?.get(runId) ?? null;
}

/** @throws EngineError not_found for an ended run */
export function openRun({ account }: Pick<Engine, 'account'>, runId: number): Run {
  const run = account.file.get<Run>('SELECT * FROM list_runs WHERE run_id = ? AND ended_at IS NULL', runId);
  if (!run) throw new EngineError('not_found', `There is no list run ${runId}, or it has ended.`);
  return run;
}

/** Records the parcels to process. One transaction. */
export function addRun(engine: Engine, listId: number, kind: RunKind): Run {
  const { file } = engine.account;
  return file.transaction(() => {
    const standing = file.get<Run>(
      'SELECT * FROM list_runs WHERE list_id = ? AND kind = ? AND ended_at IS NULL',
      listId,
      kind,
    );
    if (standing) return standing;
    const { ask, leftOut } = planRun(engine, listId, kind);
    if (ask.length === 0)
      throw new EngineError(
        'validation_error',
        `Every parcel of the list already has its ${kind}, or cannot have one.`,
      );
    const { lastInsertRowid } = file.run(
      'INSERT INTO list_runs (list_id, kind, started_at) VALUES (?, ?, ?)',
      listId,
      kind,
      engine.now().toISOString(),
    );
    const runId = Number(lastInsertRowid);
    for (const id of ask) file.run('INSERT INTO list_run_rows (run_id, property_id) VALUES (?, ?)', runId, id);
    for (const [id, note] of leftOut)
      file.run(
        "INSERT INTO list_run_rows (run_id, property_id, outcome, note) VALUES (?, ?, 'left_out', ?)",
        runId,
        id,
        note,
      );
    return openRun(engine, runId);
  });
}

const words: Readonly<Record<RunKind, string>> = { values: 'Values', phones: 'Phones' };

/** Starts or continues a run. @returns the job's number */
export function startRun(engine: Engine, run: Run): number {
  const running = jobOfRun(engine.jobs, run.run_id);
  if (running !== null) return running;
  const name = engine.account.file.get<{ name: string }>('SELECT name FROM lists WHERE list_id = ?', run.list_id)?.name;
  const job: HostJob = {
    kind: `list_${run.kind}`,
    title: `${words[run.kind]} for ${name ?? 'a list'}`,
    lane: `list ${run.kind}`,
    work: (tools) => work(engine, run, tools),
  };
  const { job_id: jobId } = engine.jobs.startHost(job);
  const known = jobsOfRuns.get(engine.jobs) ?? new Map<number, number>();
  jobsOfRuns.set(engine.jobs, known.set(run.run_id, jobId));
  void engine.jobs.finished(jobId).then(() => known.delete(run.run_id));
  return jobId;
}

type Tools = Parameters<HostJob['work']>[0];

/** Paid results stay, however the job ends. */
async function work(engine: Engine, run: Run, tools: Tools): Promise<{ found: number; tokens: number }> {
  try {
    return await askAll(engine, run, tools);
  } finally {
    tools.keep(runTotals(engine, run.run_id));
  }
}

async function askAll(
  engine: Engine,
  run: Run,
  { signal, progress }: Tools,
): Promise<{ found: number; tokens: number }> {
  const { file } = engine.account;
  const pending = file.column<number>(
    `SELECT r.property_id FROM list_run_rows r LEFT JOIN list_members m ON m.list_id = ? AND m.property_id = r.property_id
     WHERE r.run_id = ? AND r.outcome IS NULL ORDER BY m.position`,
    run.list_id,
    run.run_id,
  );
  const began = engine.now().getTime();
  for (const [index, id] of pending.entries()) {
    signal.throwIfAborted();
    const told = await ask(engine, run, id);
    file.run(
      'UPDATE list_run_rows SET outcome = ?, note = ?, tokens = ? WHERE run_id = ? AND property_id = ?',
      told.outcome,
      told.note,
      told.tokens,
      run.run_id,
      id,
    );
    const seconds = Math.max(0.001, (engine.now().getTime() - began) / 1000);
    progress({ phase: run.kind, rows: index + 1, total: pending.length, rows_per_second: (index + 1) / seconds });
    await nextTurn();
  }
  file.run('UPDATE list_runs SET ended_at = ? WHERE run_id = ?', engine.now().toISOString(), run.run_id);
  return runTotals(engine, run.run_id);
}

export const runTotals = (
  { account }: Pick<Engine, 'account'>,
  runId: number,
): { found: number; none: number; left_out: number; waiting: number; tokens: number } =>
  account.file.get<{ found: number; none: number; left_out: number; waiting: number; tokens: number }>(
    `SELECT count(*) FILTER (WHERE outcome = 'found') AS found, count(*) FILTER (WHERE outcome = 'none') AS none,
       count(*) FILTER (WHERE outcome = 'left_out') AS left_out, count(*) FILTER (WHERE outcome IS NULL) AS waiting,
       coalesce(sum(tokens), 0) AS tokens FROM list_run_rows WHERE run_id = ?`,
    runId,
  ) ?? { found: 0, none: 0, left_out: 0, waiting: 0, tokens: 0 };

const isMemberSql = 'SELECT 1 FROM list_members WHERE list_id = ? AND property_id = ?';
const notMember: Told = { outcome: 'left_out', note: 'no longer in the list', tokens: 0 };

/** What the run has already paid for this parcel, if it stopped before recording that. */
function keptSince({ account, people }: Engine, { kind, started_at: since }: Run, id: number): Told | null {
  if (kind === 'values') {
    const at = account.file.get('SELECT 1 FROM stored_values WHERE property_id = ? AND valued_at >= ?', id, since);
    return at ? { outcome: 'found', note: null, tokens: priceOf(kind) } : null;
  }
  const trace = findTrace(people, parcelSubject(id));
  if (!trace || trace.traced_at < since) return null;
  return trace.result.matched
    ? { outcome: 'found', note: null, tokens: priceOf(kind) }
    : { outcome: 'none', note: 'no match', tokens: 0 };
}

/**
 * Processes one parcel.
 * @throws EngineError if the plan's cap is reached: the run pauses and can be continued
 */
async function ask(engine: Engine, run: Run, id: number): Promise<Told> {
  if (!engine.account.file.get(isMemberSql, run.list_id, id)) return notMember;
  const kept = keptSince(engine, run, id);
  if (kept) return kept;
  const operation = runOperations[run.kind];
  try {
    const idempotencyKey = `list-run-${run.run_id}-parcel-${id}`;
    const { data } = await engine.callUnchecked(operation, { id }, { mode: 'app', idempotencyKey });
    keepOutcome(engine, operation, { id }, data);
    return toldOf(data as { readonly matched?: boolean });
  } catch (error) {
    return toldOfError(error, engine, run, id);
  }
}

/** The price of the answer: a repeat with the same key reports 0, but the first call was charged. */
function toldOf(data: { readonly matched?: boolean }): Told {
  if (data.matched === undefined) return { outcome: 'found', note: null, tokens: priceOf('values') };
  return data.matched
    ? { outcome: 'found', note: null, tokens: priceOf('phones') }
    : { outcome: 'none', note: 'no match', tokens: 0 };
}

/** @throws errors that stop the whole run */
function toldOfError(error: unknown, engine: Engine, { kind }: Run, id: number): Told {
  if (!(error instanceof EngineError)) throw error;
  if (error.code === 'not_found')
    return { outcome: 'none', note: kind === 'values' ? noValueNote(engine, id) : error.message, tokens: 0 };
  if (error.code === 'validation_error')
    return { outcome: 'left_out', note: untraceable(engine, id) ?? 'not traced', tokens: 0 };
  throw error;
}
