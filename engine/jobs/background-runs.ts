/** Brings derived data up to date in the background, one run at a time: column indexes, models of markets. */

/** Pause between two runs: a program that edits all day must not keep a core busy. */
const restMilliseconds = 2000;

/** A run in a process of its own. */
interface Run {
  /** Settles when the process has ended. */
  readonly report: Promise<unknown>;
  readonly kill: () => void;
  readonly unref: () => void;
}

export class BackgroundRuns {
  readonly #begin: () => Run;
  #running: Run | null = null;
  #isResting = false;
  #isWanted = false;
  #isClosed = false;

  constructor(begin: () => Run) {
    this.#begin = begin;
  }

  /** Called when something is found stale. */
  readonly wake = (): void => {
    if (this.#isClosed) return;
    if (this.#running || this.#isResting) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    this.#running = this.#begin();
    // Lets a script that has nothing else to do exit and end this run; the next script starts another.
    this.#running.unref();
    process.once('exit', this.close);
    // An error here (a full disk, a locked file) also reaches the next writer, who reports it.
    this.#running.report.catch(() => {}).finally(() => this.#rest());
  };

  #rest(): void {
    this.#running = null;
    process.off('exit', this.close);
    this.#isResting = true;
    setTimeout(() => {
      this.#isResting = false;
      if (this.#isWanted) this.wake();
    }, restMilliseconds).unref();
  }

  /** Aborts the run and discards it. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#running?.kill();
  };
}
