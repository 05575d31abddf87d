/** A worker process that runs one task at a time. */
import { defined } from '../spec/defined.ts';
import { asEngineError } from './job.ts';
import {
  clockPerWork,
  outOfMemory,
  outOfTime,
  outOfTimeWords,
  ranOutOfMemory,
  type TaskLimits,
} from './task-limits.ts';
import type { SpawnWorker, WorkerNews, WorkerOrder, WorkerProcess } from './worker-messages.ts';

export interface WorkerOptions {
  readonly home: string;
  readonly now: () => Date;
  /** Threads that work in a worker may use. */
  readonly threads: number;
  readonly spawnWorker: SpawnWorker;
  /** Called with bugs in Platbook. */
  readonly log: (line: { readonly requestId: string; readonly operation: string; readonly error: unknown }) => void;
}

type Task = Pick<WorkerOrder, 'kind' | 'input' | 'stays' | 'job'>;
/** Messages of a task before it ends. */
type TaskNews = Extract<WorkerNews, { news: 'progress' | 'kept' }>;

interface Doing extends PromiseWithResolvers<unknown> {
  readonly kind: string;
  hear: (news: TaskNews) => void;
  readonly limits: TaskLimits | null;
}

export class Worker {
  readonly #options: WorkerOptions;
  readonly #process: WorkerProcess;
  #doing: Doing | null = null;
  #isKilled = false;
  /** Settles once the process has ended: only then are its files closed. */
  readonly ended: Promise<void>;

  constructor(options: WorkerOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#process = options.spawnWorker({
      onNews: (news) => this.#hear(news),
      onExit: (lastWords) => {
        this.#doing?.reject(this.#endOf(this.#doing, lastWords));
        this.#doing = null;
        resolve();
      },
    });
  }

  get isBusy(): boolean {
    return this.#doing !== null;
  }

  #endOf({ kind, limits }: Doing, lastWords: string): Error {
    const words = `the worker of ${kind} ended: ${lastWords}`;
    if (this.#isKilled) return new DOMException(words, 'AbortError');
    if (limits && lastWords.includes(outOfTimeWords)) return outOfTime(limits);
    return limits && ranOutOfMemory(lastWords) ? outOfMemory(limits) : new Error(words);
  }

  /**
   * @returns the report: at once if the process stays, otherwise once it has ended
   * @throws EngineError the task's error, or import_refused beyond the limits; AbortError if it was killed; Error with
   *   the stack of a bug, or with the last words of a process that died
   */
  async do(task: Task, hear: (news: TaskNews) => void = () => {}, limits: TaskLimits | null = null): Promise<unknown> {
    const { home, now, threads } = this.#options;
    const doing: Doing = { ...Promise.withResolvers<unknown>(), kind: task.kind, hear, limits };
    this.#doing = doing;
    const seconds = limits && !limits.isSilence ? limits.seconds : undefined;
    const own = defined({ megabytes: limits?.megabytes, seconds });
    this.#process.send({ ...task, ...own, home, threads, now: now().getTime() });
    const wait = (limits?.seconds ?? 0) * (limits?.isSilence ? 1 : clockPerWork) * 1000;
    const deadline = limits ? setTimeout(() => this.kill(outOfTime(limits)), wait) : undefined;
    if (limits?.isSilence)
      doing.hear = (news) => {
        deadline?.refresh();
        hear(news);
      };
    try {
      return await doing.promise;
    } finally {
      clearTimeout(deadline);
      if (!task.stays) await this.ended;
    }
  }

  /** At once, at any point. @param reason thrown by the task at once, instead of AbortError at its end */
  kill(reason?: Error): void {
    this.#isKilled = true;
    if (reason) this.#doing?.reject(reason);
    this.#process.kill();
  }

  /** Lets an otherwise idle script end, and the worker with it. */
  unref(): void {
    this.#process.unref?.();
  }

  #hear(news: WorkerNews): void {
    const doing = this.#doing;
    if (news.news === 'progress' || news.news === 'kept') {
      doing?.hear(news);
      return;
    }
    this.#doing = null;
    if (news.news === 'done') doing?.resolve(news.report);
    else doing?.reject(news.news === 'failed' ? asEngineError(news.error) : new Error(news.stack));
  }
}
