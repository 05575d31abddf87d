/**
 * Questions in SQL with a time limit. The driver runs a statement in the caller's thread and cannot be interrupted, so a
 * recursive count would block a script forever. A process of its own answers instead; the caller sleeps until it does, and
 * the process ends itself at the limit.
 */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { scriptPath } from '../package-root.ts';
import { EngineError } from '../spec/errors.ts';
import type { SqlValues } from '../store/read-only-file.ts';
import type { SqlRow } from '../store/sqlite.ts';
import type { SqlAnswer, SqlQuestion } from './sql-messages.ts';
import type { SqlThreadData } from './sql-thread.ts';

/** @property seconds the time limit */
export interface SqlOptions {
  readonly seconds?: number;
}

export const defaultSeconds = 10;
const mostSeconds = 3600;

export class SqlQuestions {
  readonly #thread: Worker;
  readonly #port: MessageChannel['port1'];
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));

  constructor(home: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const workerData: SqlThreadData = { home, port: port2, answered: this.#answered };
    this.#thread = new Worker(scriptPath('sql/sql-thread'), { workerData, transferList: [port2], execArgv: [] });
    // The thread does not keep a finished script alive.
    this.#thread.unref();
    port1.unref();
  }

  /** @throws EngineError validation_error: wrong SQL, or the limit was reached */
  rows(text: string, values: SqlValues, seconds: number): SqlRow[] {
    if (!(seconds > 0 && seconds <= mostSeconds)) {
      throw new EngineError(
        'validation_error',
        `seconds: expected more than 0 and at most ${mostSeconds}, found ${seconds}`,
      );
    }
    const answer = this.#ask({ text, values, seconds });
    if ('rows' in answer) return [...answer.rows];
    if ('error' in answer) throw new EngineError(answer.error.code, answer.error.message);
    const { killed, words } = answer.ended;
    if (!killed) throw new Error(`the process that answers SQL ended: ${words}`);
    throw new EngineError(
      'validation_error',
      `sql: stopped after ${seconds} seconds, or for lack of memory. Ask for fewer rows or raise the limit.`,
    );
  }

  /** A null question ends the process. */
  #ask(question: SqlQuestion | null): SqlAnswer {
    const before = Atomics.load(this.#answered, 0);
    this.#port.postMessage(question);
    Atomics.wait(this.#answered, 0, before);
    return receiveMessageOnPort(this.#port)?.message as SqlAnswer;
  }

  /** The file is closed when it returns. */
  close(): void {
    this.#ask(null);
    this.#port.close();
    void this.#thread.terminate();
  }
}
