/** Runs errands: each in a process of its own, which ends with it. */
import type { ErrandName, Errands } from './errand-work.ts';
import { asEngineError } from './job.ts';
import type { SpawnWorker, WorkerProcess } from './worker-messages.ts';

export interface ErrandRunnerOptions {
  readonly home: string;
  readonly now: () => Date;
  readonly spawnWorker: SpawnWorker;
}

export type ErrandReport<Name extends ErrandName> = Awaited<ReturnType<Errands[Name]>>;

export interface Errand<Report> {
  /** Settles when its process has ended: only then are its files closed. */
  readonly report: Promise<Report>;
  /** At once, wherever it is. */
  readonly kill: () => void;
  /** A script that has nothing else to do ends, and the errand with it. */
  readonly unref: () => void;
}

export class ErrandRunner {
  readonly #options: ErrandRunnerOptions;
  readonly #running = new Set<WorkerProcess>();

  constructor(options: ErrandRunnerOptions) {
    this.#options = options;
  }

  begin<Name extends ErrandName>(name: Name, input: Parameters<Errands[Name]>[0]): Errand<ErrandReport<Name>> {
    const { home, now, spawnWorker } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<ErrandReport<Name>>();
    let settle: (() => void) | null = null;
    const worker = spawnWorker({
      onNews: (news) => {
        if (news.news === 'done') settle = () => resolve(news.report as ErrandReport<Name>);
        else if (news.news === 'failed') settle = () => reject(asEngineError(news.error));
        else if (news.news === 'fault') settle = () => reject(new Error(news.stack));
      },
      onExit: (lastWords) => {
        this.#running.delete(worker);
        if (settle) settle();
        else reject(new Error(`the worker of ${name} ended: ${lastWords}`));
      },
    });
    this.#running.add(worker);
    worker.send({ kind: name, input, home, now: now().getTime(), threads: 1, isErrand: true });
    return { report: promise, kill: () => worker.kill(), unref: () => worker.unref?.() };
  }

  /** @throws EngineError as the errand does */
  run<Name extends ErrandName>(name: Name, input: Parameters<Errands[Name]>[0]): Promise<ErrandReport<Name>> {
    return this.begin(name, input).report;
  }

  close(): void {
    for (const worker of this.#running) worker.kill();
  }
}
