/** Lets one after the other in, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  next(): Turn {
    const before = this.#last;
    const turn = { before, end: () => {} };
    const ended = new Promise<void>((resolve) => {
      turn.end = resolve;
    });
    this.#last = Promise.all([before, ended]);
    return turn;
  }
}

interface Turn {
  /** Once all before have ended. */
  readonly before: Promise<unknown>;
  /** Lets the next one in. */
  readonly end: () => void;
}
