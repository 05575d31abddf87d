/**
 * Makes stale column indexes anew in the background. A county of a million parcels takes seconds, in which the engine goes
 * on answering by SQL.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { BuildSignal } from './build-signal.ts';

/** TypeScript in development, JavaScript in a build. */
const workerFile = path.join(import.meta.dirname, `index-worker${path.extname(import.meta.filename)}`);

/** Between the end of one run and the begin of the next: a program that edits all day must not keep a core busy. */
const restMilliseconds = 2000;

export class IndexKeeper {
  readonly #home: string;
  #running: BuildSignal | null = null;
  #isResting = false;
  #isWanted = false;
  #isClosed = false;

  constructor(home: string) {
    this.#home = home;
  }

  /** An index was found stale. */
  readonly wake = (): void => {
    if (this.#isClosed) return;
    if (this.#running || this.#isResting) {
      this.#isWanted = true;
      return;
    }
    this.#isWanted = false;
    const cells = BuildSignal.sharedCells();
    const worker = new Worker(workerFile, { workerData: { home: this.#home, cells } });
    this.#running = new BuildSignal(cells);
    // A script that ends without closing its engine would end the thread amid whatever it does.
    process.once('exit', this.close);
    // A script that has nothing else to do ends; the next one will begin anew.
    worker.unref();
    // What goes wrong there (a full disk, a locked file) goes wrong for the next writer too, who says so.
    worker.on('error', () => {});
    worker.once('exit', () => this.#rest());
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

  /** Ends a build under way and waits for that; nothing of it is kept. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#running?.stop();
  };
}
