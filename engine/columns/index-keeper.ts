/**
 * Has stale column indexes made anew in the background. A county of a million parcels takes seconds, in which the engine goes
 * on answering by SQL.
 */

/** Between the end of one run and the begin of the next: a program that edits all day must not keep a core busy. */
const restMilliseconds = 2000;

/** What indexes the stale counties, in a process of its own. */
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

  /** An index was found stale. */
  readonly wake = (): void => {
    if (this.#isClosed) return;
    if (this.#running || this.#isResting) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    this.#running = this.#begin();
    // A script that has nothing else to do ends, and this with it; the next one will begin anew.
    this.#running.unref();
    process.once('exit', this.close);
    // What goes wrong there (a full disk, a locked file) goes wrong for the next writer too, who says so.
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

  /** Ends a build under way; nothing of it is kept. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#running?.kill();
  };
}
