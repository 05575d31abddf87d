/** Backups beside the answers: a gigabyte takes seconds, in which the app goes on. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { EngineError, type ErrorCode } from '../spec/errors.ts';
import type { TaskInput, TaskName, Tasks } from './backup-tasks.ts';

/** TypeScript in development, JavaScript in a build. */
const workerFile = path.join(import.meta.dirname, `backup-worker${path.extname(import.meta.filename)}`);

type Answer =
  | { readonly ok: true; readonly report: unknown }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** @throws EngineError as the task does */
export function runTask<Name extends TaskName>(task: Name, input: TaskInput): Promise<Tasks[Name]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: { task, input } });
    worker.once('message', (answer: Answer) => {
      if (answer.ok) resolve(answer.report as Tasks[Name]);
      else reject(new EngineError(answer.code, answer.message));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the worker ended without an answer')));
  });
}
