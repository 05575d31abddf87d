/**
 * Asks a worker process, so that the host goes on answering. Whoever asks has a process of its own, which stays for a moment:
 * the next question is often about the same file, and starting a process takes longer than most answers (0.6 s of 0.9). A
 * newer question of the same asker kills the process that is still at the older one.
 */
import { EngineError, validationError } from '../spec/errors.ts';
import { findProblems } from '../spec/validate.ts';
import { asEngineError } from './job.ts';
import { type QuestionInput, type QuestionName, questions } from './question-kinds.ts';
import type { SpawnWorker, WorkerNews, WorkerProcess } from './worker-messages.ts';

export interface QuestionRunnerOptions {
  readonly home: string;
  readonly now: () => Date;
  readonly spawnWorker: SpawnWorker;
  /** Called with faults of Platbook itself. */
  readonly log: (line: { readonly requestId: string; readonly operation: string; readonly error: unknown }) => void;
}

/** A process that nobody asks again is ended: it holds some 110 MB. */
const idleMilliseconds = 20_000;
/** Askers at once: each is a process. */
const maxAskers = 4;

interface Waiting {
  readonly name: QuestionName;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: EngineError) => void;
}

interface Answering {
  readonly worker: WorkerProcess;
  waiting: Waiting | null;
  idle: NodeJS.Timeout | null;
}

export class QuestionRunner {
  readonly #options: QuestionRunnerOptions;
  /** In the order in which they were last asked. */
  readonly #byAsker = new Map<string, Answering>();
  #isClosed = false;

  constructor(options: QuestionRunnerOptions) {
    this.#options = options;
  }

  /**
   * @param asker one screen of one window: its newer question takes the place of the older
   * @throws EngineError validation_error, also where a newer question took its place; what the answering throws
   */
  async ask<Name extends QuestionName>(name: Name, input: QuestionInput<Name>, asker: string = name): Promise<unknown> {
    const problems = findProblems(questions[name].input, input);
    if (problems) throw validationError(problems);
    if (this.#isClosed) throw new EngineError('internal_error', 'The engine is closed.');
    if (this.#byAsker.get(asker)?.waiting) this.drop(asker);
    const answering = this.#byAsker.get(asker) ?? this.#spawn(asker);
    this.#byAsker.delete(asker);
    this.#byAsker.set(asker, answering);
    this.#endIdleBeyond(maxAskers);
    clearTimeout(answering.idle ?? undefined);
    const { home, now } = this.#options;
    return new Promise((resolve, reject) => {
      answering.waiting = { name, resolve, reject };
      answering.worker.send({ kind: name, input, home, now: now().getTime(), threads: 1 });
    });
  }

  /** Stops what is being answered; who waits for it hears that it was taken back. Without a question nothing happens. */
  drop(asker: string): void {
    const answering = this.#byAsker.get(asker);
    if (!answering) return;
    this.#end(asker, answering);
    answering.waiting?.reject(new EngineError('validation_error', 'The question was taken back.'));
    answering.waiting = null;
  }

  /** Processes that stand, asked or not. */
  get size(): number {
    return this.#byAsker.size;
  }

  close(): void {
    this.#isClosed = true;
    for (const asker of [...this.#byAsker.keys()]) this.drop(asker);
  }

  #spawn(asker: string): Answering {
    const worker = this.#options.spawnWorker({
      onNews: (news) => this.#hear(asker, answering, news),
      onExit: (lastWords) => {
        if (this.#byAsker.get(asker) === answering) this.#byAsker.delete(asker);
        const { waiting } = answering;
        if (waiting) waiting.reject(this.#fault(waiting.name, `the worker ended: ${lastWords}`));
      },
    });
    const answering: Answering = { worker, waiting: null, idle: null };
    return answering;
  }

  #hear(asker: string, answering: Answering, news: WorkerNews): void {
    const { waiting } = answering;
    if (!waiting || news.news === 'progress' || news.news === 'kept') return;
    answering.waiting = null;
    answering.idle = setTimeout(() => this.#end(asker, answering), idleMilliseconds).unref();
    if (news.news === 'done') waiting.resolve(news.report);
    else if (news.news === 'failed') waiting.reject(asEngineError(news.error));
    else waiting.reject(this.#fault(waiting.name, news.stack));
  }

  #end(asker: string, answering: Answering): void {
    clearTimeout(answering.idle ?? undefined);
    if (this.#byAsker.get(asker) === answering) this.#byAsker.delete(asker);
    answering.worker.kill();
  }

  /** One that is at work is not ended: its asker waits. */
  #endIdleBeyond(most: number): void {
    for (const [asker, answering] of this.#byAsker) {
      if (this.#byAsker.size <= most) return;
      if (!answering.waiting) this.#end(asker, answering);
    }
  }

  #fault(operation: string, words: string): EngineError {
    this.#options.log({ requestId: 'question', operation, error: new Error(words) });
    return new EngineError('internal_error');
  }
}
