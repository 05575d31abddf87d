/**
 * PGlite (PostgreSQL in WebAssembly) behind a stream that takes the place of a socket: the driver speaks its protocol to
 * it. One connection at a time speaks; each waits for the transaction of another.
 */
import { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { postgis } from '@electric-sql/pglite-postgis';

export const startPglite = (): Promise<PGlite> => PGlite.create({ extensions: { postgis, pg_trgm } });

/** Messages of the front end (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const [query, copyDone, copyFail, terminate] = ['Q', 'c', 'f', 'X'].map((letter) => letter.charCodeAt(0));

const beginsCopy = (message: Buffer): boolean =>
  message[0] === query && /^\s*COPY\b.*\bFROM STDIN\b/i.test(message.toString('utf8', 5));

class PgliteStream extends Duplex {
  readonly #database: PGlite;
  #waiting = Buffer.alloc(0);
  #hasStarted = false;
  /** A copy's statement and rows: PGlite reads them in one piece. */
  #copy: Buffer[] | null = null;

  constructor(database: PGlite) {
    super();
    this.#database = database;
  }

  // What the driver calls on a socket.
  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    this.#answer().then(
      () => done(),
      (error: unknown) => done(error as Error),
    );
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  async #answer(): Promise<void> {
    for (let message = this.#next(); message !== null; message = this.#next()) {
      const isFirst = !this.#hasStarted;
      this.#hasStarted = true;
      if (!isFirst && message[0] === terminate) this.push(null);
      else if (this.#copy || (!isFirst && beginsCopy(message))) await this.#addToCopy(message);
      else this.push(Buffer.from(await this.#database.execProtocolRaw(message)));
    }
  }

  async #addToCopy(message: Buffer): Promise<void> {
    // CopyInResponse, binary, no formats of columns.
    if (!this.#copy) this.push(Buffer.from([0x47, 0, 0, 0, 7, 1, 0, 0]));
    const copy = [...(this.#copy ?? []), message];
    const isWhole = message[0] === copyDone || message[0] === copyFail;
    this.#copy = isWhole ? null : copy;
    if (isWhole) this.push(withoutCopyResponse(Buffer.from(await this.#database.execProtocolRaw(Buffer.concat(copy)))));
  }

  #next(): Buffer | null {
    const at = this.#hasStarted ? 1 : 0;
    if (this.#waiting.length < at + 4) return null;
    const length = at + this.#waiting.readInt32BE(at);
    if (this.#waiting.length < length) return null;
    const message = this.#waiting.subarray(0, length);
    this.#waiting = this.#waiting.subarray(length);
    return message;
  }
}

/** The driver has had its own. */
function withoutCopyResponse(answer: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = at + 1 + answer.readInt32BE(at + 1);
    if (answer[at] !== 'G'.charCodeAt(0)) kept.push(answer.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

export const pgliteStream = (database: PGlite): Duplex => new PgliteStream(database);
