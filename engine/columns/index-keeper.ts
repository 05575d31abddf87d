/**
 * Rebuilds stale column indexes in the background. A county of a million parcels takes seconds; meanwhile the engine
 * answers by SQL.
 */

/** Pause between two runs: a program that edits all day must not keep a core busy. */
const restMilliseconds = 2000;

/** Indexes the stale counties, in a process of its own. */
interface Indexing {
  /** Settles when the process has ended. */
  readonly report: Promise<unknown>;
  readonly kill: () => void;
  readonly unref: () => void;
}

export class IndexKeeper {
  readonly #begin: () => Indexing;
  #running: Indexing | null = null;
  #isResting = false;
  #isWanted = false;
  #isClosed = false;

  constructor(begin: () => Indexing) {
    this.#begin = begin;
  }

  /** Called when an index is found stale. */
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

  /** Aborts a running build and discards it. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#running?.kill();
  };
}
