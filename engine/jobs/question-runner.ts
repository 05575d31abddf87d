/**
 * Asks a worker process, so that the host goes on answering. Each asker has a process of its own, which stays for a moment:
 * the next question is often about the same file, and starting a process takes longer than most answers (0.6 s of 0.9). A
 * newer question of the same asker kills the process that is still at the older one.
 */
import { EngineError } from '../spec/errors.ts';
import { type QuestionInput, type QuestionName, questions } from './question-kinds.ts';
import { checkInput } from './task-kind.ts';
import { questionLimits } from './task-limits.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/** A process that is not asked again is ended: it holds some 110 MB. */
const idleMilliseconds = 20_000;
/** Askers at once: each is a process. */
const maxAskers = 4;

/** Every question is about a file, and may be about a table to join. */
interface FileInput {
  readonly path: string;
  readonly join?: string;
}
const filesOf = ({ path, join }: FileInput): string[] => (join === undefined ? [path] : [path, join]);

export class QuestionRunner {
  readonly #options: WorkerOptions;
  /** In the order in which they were last asked. */
  readonly #byAsker = new Map<string, Worker>();
  readonly #idle = new WeakMap<Worker, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * @param asker one screen of one window: its newer question takes the place of the older
   * @throws EngineError validation_error, also where a newer question took its place; what the answering throws
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
      return await worker.do(
        { as: 'question', kind: name, input },
        undefined,
        questionLimits(filesOf(input as FileInput)),
      );
    } catch (error) {
      if (error instanceof EngineError) throw error;
      this.#options.log({ requestId: 'question', operation: name, error });
      throw new EngineError('internal_error');
    } finally {
      if (this.#byAsker.get(asker) === worker && !worker.isBusy)
        this.#idle.set(worker, setTimeout(() => this.#end(asker, worker), idleMilliseconds).unref());
    }
  }

  /** Stops what is being answered; who waits for it hears that it was taken back. Without a question nothing happens. */
  drop(asker: string): void {
    const worker = this.#byAsker.get(asker);
    if (worker) this.#end(asker, worker, new EngineError('validation_error', 'The question was taken back.'));
  }

  /** Processes that stand, asked or not. */
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

  /** One that is at work is not ended: its asker waits. */
  #endIdleBeyond(most: number): void {
    for (const [asker, worker] of this.#byAsker) {
      if (this.#byAsker.size <= most) return;
      if (!worker.isBusy) this.#end(asker, worker);
    }
  }
}
