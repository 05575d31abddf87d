/**
 * The process that answers questions in SQL. The driver cannot be interrupted while a statement runs, so a second thread
 * watches the clock and kills the process, even if the caller has died.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { scriptPath } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import { openLandQuestions } from '../store/land-store.ts';
import type { SqlAnswer, SqlQuestion } from './sql-messages.ts';

/** Place 0 counts questions and answers: odd while one runs. Place 1: its limit in milliseconds. */
type Clock = Int32Array<SharedArrayBuffer>;

function watch(clock: Clock): void {
  for (;;) {
    const state = Atomics.load(clock, 0);
    const limit = state % 2 === 1 ? Atomics.load(clock, 1) : undefined;
    if (Atomics.wait(clock, 0, state, limit) === 'timed-out') process.kill(process.pid, 'SIGKILL');
  }
}

function serve(home: string): void {
  const clock: Clock = new Int32Array(new SharedArrayBuffer(8));
  new Worker(scriptPath('sql/sql-child'), { workerData: clock, execArgv: [] }).unref();
  const file = openLandQuestions(home);
  const answer = ({ text, values }: SqlQuestion): SqlAnswer => {
    try {
      return { rows: file.rows(text, values) };
    } catch (error) {
      const { code, message } = error instanceof EngineError ? error : new EngineError('internal_error');
      return { error: { code, message } };
    }
  };
  const tick = (): void => {
    Atomics.add(clock, 0, 1);
    Atomics.notify(clock, 0);
  };
  process.on('message', (question: SqlQuestion) => {
    Atomics.store(clock, 1, Math.ceil(question.seconds * 1000));
    tick();
    const found = answer(question);
    tick();
    process.send?.(found);
  });
  process.once('disconnect', () => process.exit());
}

if (isMainThread) serve(process.argv[2] ?? '');
else watch(workerData as Clock);
