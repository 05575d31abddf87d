/** Runs one task in a worker thread and says how it went. */
import { parentPort, workerData } from 'node:worker_threads';
import { EngineError } from '../spec/errors.ts';
import { backupTasks, type TaskInput, type TaskName } from './backup-tasks.ts';

const { task, input } = workerData as { task: TaskName; input: TaskInput };
try {
  parentPort?.postMessage({ ok: true, report: await backupTasks[task](input) });
} catch (error) {
  // A class does not survive the way: its code and words do.
  if (!(error instanceof EngineError)) throw error;
  parentPort?.postMessage({ ok: false, code: error.code, message: error.message });
}
