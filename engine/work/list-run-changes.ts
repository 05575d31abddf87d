/** Starts, pauses, continues and ends the priced runs of a list. Cannot be undone: what was paid stays. */
import Type from 'typebox';
import type { Engine } from '../engine.ts';
import { EngineError } from '../spec/errors.ts';
import { oneOf, strict } from '../spec/value-schemas.ts';
import { defineChange } from './change.ts';
import { idSchema } from './chosen-parcels.ts';
import { addRun, jobOfRun, openRun, startRun } from './list-runs.ts';

const startedSchema = Type.Object({ run_id: Type.Integer(), job_id: Type.Integer() }, strict);

export const startListRun = defineChange({
  name: 'start_list_run',
  docs: 'Values the parcels of a list, or traces their owners, one by one: charged like the single operations, at most the price in the read `list_quote`. Skips parcels already done.',
  input: Type.Object({ list_id: idSchema, kind: oneOf(['values', 'phones']) }, strict),
  output: startedSchema,
  run: ({ list_id: listId, kind }, engine) => {
    if (!engine.account.file.get('SELECT 1 FROM lists WHERE list_id = ?', listId))
      throw new EngineError('not_found', `There is no list ${listId}: it may have been deleted.`);
    const run = addRun(engine, listId, kind);
    return { data: { run_id: run.run_id, job_id: startRun(engine, run) } };
  },
});

export const continueListRun = defineChange({
  name: 'continue_list_run',
  docs: 'Continues a run that was paused, or stopped with the app. What it has paid for is not charged again.',
  input: Type.Object({ run_id: idSchema }, strict),
  output: startedSchema,
  run: ({ run_id: id }, engine) => ({ data: { run_id: id, job_id: startRun(engine, openRun(engine, id)) } }),
});

/** Stops a run's job after its current parcel. */
async function stopJob(engine: Engine, id: number): Promise<void> {
  const job = jobOfRun(engine.jobs, openRun(engine, id).run_id);
  if (job === null) return;
  engine.jobs.cancel(job);
  await engine.jobs.finished(job);
}

export const pauseListRun = defineChange({
  name: 'pause_list_run',
  docs: 'Pauses a run after its current parcel; `continue_list_run` resumes it.',
  input: Type.Object({ run_id: idSchema }, strict),
  output: Type.Null(),
  run: async ({ run_id: id }, engine) => {
    await stopJob(engine, id);
    return { data: null };
  },
});

export const cancelListRun = defineChange({
  name: 'cancel_list_run',
  docs: 'Ends a run after its current parcel; paid results stay.',
  input: Type.Object({ run_id: idSchema }, strict),
  output: Type.Null(),
  run: async ({ run_id: id }, engine) => {
    await stopJob(engine, id);
    engine.account.file.run(
      'UPDATE list_runs SET ended_at = ? WHERE run_id = ? AND ended_at IS NULL',
      engine.now().toISOString(),
      id,
    );
    return { data: null };
  },
});
