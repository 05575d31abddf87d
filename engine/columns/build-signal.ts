/**
 * Between the engine and the thread that makes indexes: when it has its file open, and when it is to stop. The thread is never
 * terminated: one that is ended amid a call of the SQLite driver takes the whole process with it.
 */

const [stateCell, stopCell] = [0, 1];
const [notBegun, isOpen, hasEnded] = [0, 1, 2];

/** Longest wait for a thread that was told to stop: it looks up between two reads, so this is for a disk that hangs. */
const stopMilliseconds = 10_000;

export class BuildStopped extends Error {
  override readonly name = 'BuildStopped';
}

export class BuildSignal {
  readonly #cells: Int32Array;

  /** @param cells shared by both threads; see `sharedCells` */
  constructor(cells: Int32Array) {
    this.#cells = cells;
  }

  static sharedCells(): Int32Array {
    return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  }

  /** In the thread, before it opens anything. @returns false when it is no longer wanted */
  begin(): boolean {
    return Atomics.compareExchange(this.#cells, stateCell, notBegun, isOpen) === notBegun;
  }

  /** In the thread, when everything is closed. */
  end(): void {
    Atomics.store(this.#cells, stateCell, hasEnded);
    Atomics.notify(this.#cells, stateCell);
  }

  /** In the thread, between two steps. @throws BuildStopped */
  readonly throwIfStopped = (): void => {
    if (Atomics.load(this.#cells, stopCell) !== 0) throw new BuildStopped();
  };

  /** In the engine: when this returns, the thread holds no file any more and opens none. */
  stop(): void {
    Atomics.store(this.#cells, stopCell, 1);
    if (Atomics.compareExchange(this.#cells, stateCell, notBegun, hasEnded) === notBegun) return;
    Atomics.wait(this.#cells, stateCell, isOpen, stopMilliseconds);
  }
}
