/** Runs each errand in a process of its own, which ends with it. */
import { type ErrandInput, type ErrandName, errands } from './errand-kinds.ts';
import type { ErrandWorks } from './errand-work.ts';
import { checkInput } from './task-kind.ts';
import { Worker, type WorkerOptions } from './worker.ts';

type ErrandReport<Name extends ErrandName> = Awaited<ReturnType<ErrandWorks[Name]>>;

export class ErrandRunner {
  readonly #options: WorkerOptions;
  readonly #running = new Set<Worker>();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** @throws EngineError validation_error; the report rejects with the errand's error */
  begin<Name extends ErrandName>(name: Name, input: ErrandInput<Name>) {
    checkInput(errands[name], input);
    const worker = new Worker(this.#options);
    this.#running.add(worker);
    void worker.ended.then(() => this.#running.delete(worker));
    const report = worker.do({ as: 'errand', kind: name, input }) as Promise<ErrandReport<Name>>;
    return { report, kill: () => worker.kill(), unref: () => worker.unref() };
  }

  /** @throws EngineError the errand's error */
  async run<Name extends ErrandName>(name: Name, input: ErrandInput<Name>): Promise<ErrandReport<Name>> {
    return this.begin(name, input).report;
  }

  close(): void {
    for (const worker of this.#running) worker.kill();
  }
}
