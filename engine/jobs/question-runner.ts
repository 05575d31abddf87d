/**
 * Answers questions in worker processes, so that the host keeps answering. Each asker has its own process, which stays
 * for a moment: the next question is often about the same file, and starting a process takes longer than most answers
 * (0.6 s of 0.9). A newer question of the same asker kills the process that still works on the older one.
 */
import { EngineError } from '../spec/errors.ts';
import { type QuestionInput, type QuestionName, questions } from './question-kinds.ts';
import { checkInput, joinFilesOf } from './task-kind.ts';
import { questionLimits, type TaskLimits } from './task-limits.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** After this time an idle process is ended: it holds some 110 MB. */
const idleMilliseconds = 20_000;
/** Most askers at once; each has a process. */
const maxAskers = 4;

/** Most questions name a file, and may name tables to join. */
interface FileInput {
  readonly path?: string;
  readonly join?: string | string[];
}
const limitsOf = ({ path, join }: FileInput): TaskLimits | null =>
  path === undefined ? null : questionLimits([path, ...joinFilesOf(join)]);

export class QuestionRunner {
  readonly #options: WorkerOptions;
  /** Least recently asked first. */
  readonly #byAsker = new Map<string, Worker>();
  readonly #idle = new WeakMap<Worker, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * @param asker one screen of one window: its newer question replaces the older
   * @throws EngineError validation_error, also if a newer question replaced it; the question's own errors
   */
  async ask<Name extends QuestionName>(name: Name, input: QuestionInput<Name>, asker: string = name): Promise<unknown> {
    checkInput(questions[name], input);
    if (this.#isClosed) throw new EngineError('internal_error', 'The engine is closed.');
    if (this.#byAsker.get(asker)?.isBusy) this.drop(asker);
    const worker = this.#byAsker.get(asker) ?? this.#begin(asker);
    this.#byAsker.delete(asker);
    this.#byAsker.set(asker, worker);
    this.#endIdleBeyond(maxAskers);
    clearTimeout(this.#idle.get(worker));
    try {
      return await worker.do({ as: 'question', kind: name, input }, undefined, limitsOf(input as FileInput));
    } catch (error) {
      if (error instanceof EngineError) throw error;
      this.#options.log({ requestId: 'question', operation: name, error });
      throw new EngineError('internal_error');
    } finally {
      if (this.#byAsker.get(asker) === worker && !worker.isBusy)
        this.#idle.set(worker, setTimeout(() => this.#end(asker, worker), idleMilliseconds).unref());
    }
  }

  /** Stops the asker's current question, if any; its promise rejects. */
  drop(asker: string): void {
    const worker = this.#byAsker.get(asker);
    if (worker) this.#end(asker, worker, new EngineError('validation_error', 'The question was taken back.'));
  }

  /** Number of processes, busy or idle. */
  get size(): number {
    return this.#byAsker.size;
  }

  close(): void {
    this.#isClosed = true;
    for (const asker of [...this.#byAsker.keys()]) this.drop(asker);
  }

  #begin(asker: string): Worker {
    const worker = new Worker(this.#options);
    void worker.ended.then(() => this.#forget(asker, worker));
    return worker;
  }

  #forget(asker: string, worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    if (this.#byAsker.get(asker) === worker) this.#byAsker.delete(asker);
  }

  #end(asker: string, worker: Worker, reason?: Error): void {
    this.#forget(asker, worker);
    worker.kill(reason);
  }

  /** Ends idle processes only. */
  #endIdleBeyond(most: number): void {
    for (const [asker, worker] of this.#byAsker) {
      if (this.#byAsker.size <= most) return;
      if (!worker.isBusy) this.#end(asker, worker);
    }
  }
}
