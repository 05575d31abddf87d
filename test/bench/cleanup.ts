/** What must be undone when the bench ends, also after Ctrl+C: last first, as a server goes before its folder. */

export class Cleanup {
  readonly #works: (() => void)[] = [];
  readonly #run = (): void => this.run();

  constructor() {
    process.on('exit', this.#run);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
  }

  /** Synchronous work: nothing else runs any more when a process ends. */
  add(work: () => void): void {
    this.#works.push(work);
  }

  run(): void {
    for (let work = this.#works.pop(); work; work = this.#works.pop()) {
      try {
        work();
      } catch (error) {
        console.error(`cleaning up: ${(error as Error).message}`);
      }
    }
  }
}
