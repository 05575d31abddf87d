/** Rows on their way into a table: kept in a temporary file until it is known which are to be sent, or sent as they are made. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { temporaryDiskError } from '../store/temporary-disk.ts';
import type { ServerConnection } from './connect.ts';
import type { ServerColumn } from './server-columns.ts';
import { copyHeader, copyTrailer, TupleWriter } from './tuple-writer.ts';

const flushBytes = 1024 * 1024;

const chunkBytes = 256 * 1024;

function* chunksOf(descriptor: number, onRead: (bytes: number) => void): Generator<Buffer> {
  for (let at = 0; ; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const length = fs.readSync(descriptor, chunk, 0, chunkBytes, at);
    if (length === 0) return;
    at += length;
    onRead(at);
    yield chunk.subarray(0, length);
  }
}

function* madeChunks(
  writer: TupleWriter,
  steps: Iterable<number>,
  onShare: (share: number) => void,
): Generator<Buffer> {
  yield copyHeader;
  for (const share of steps) {
    onShare(share);
    if (writer.size > 0) yield Buffer.from(writer.take());
  }
  yield copyTrailer;
}

export class Spool {
  readonly writer = new TupleWriter();
  readonly #table: string;
  readonly #columns: readonly ServerColumn[];
  readonly #folder: string;
  readonly #descriptor: number;
  #leaves = false;
  rows = 0;

  constructor(table: string, columns: readonly ServerColumn[]) {
    this.#table = table;
    this.#columns = columns;
    try {
      this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'platbook-push-'));
      this.#descriptor = fs.openSync(path.join(this.#folder, 'rows'), 'wx+', 0o600);
      fs.writeSync(this.#descriptor, copyHeader);
    } catch (error) {
      throw temporaryDiskError(error);
    }
    // It outlives no process, where the system allows that.
    if (process.platform !== 'win32') fs.rmSync(this.#folder, { recursive: true });
  }

  /** Values in the order of the columns, each of its type. @returns the hash of the row */
  add(values: readonly unknown[]): number {
    this.writer.begin(this.#columns.length);
    for (const [place, { type }] of this.#columns.entries()) this.writer.add(type, values[place] ?? null);
    const hash = this.writer.hash();
    this.keep();
    return hash;
  }

  /** After a row that was written by `writer`. */
  keep(): void {
    this.rows++;
    if (!this.#leaves && this.writer.size >= flushBytes) this.#flush();
  }

  #flush(): void {
    try {
      const bytes = this.writer.take();
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(this.#descriptor, bytes, at);
    } catch (error) {
      throw temporaryDiskError(error);
    }
  }

  /** @param onShare called as they leave: the share of all */
  async send(server: ServerConnection, onShare: (share: number) => void = () => {}): Promise<void> {
    if (this.rows === 0) return;
    this.#flush();
    fs.writeSync(this.#descriptor, copyTrailer);
    const size = fs.fstatSync(this.#descriptor).size;
    await this.#copy(
      server,
      chunksOf(this.#descriptor, (read) => onShare(read / size)),
    );
  }

  /** Sends rows while they are made, so that both computers work: each step writes and keeps some, and tells its share. */
  async sendMade(server: ServerConnection, steps: Iterable<number>, onShare: (share: number) => void): Promise<void> {
    this.#leaves = true;
    await this.#copy(server, madeChunks(this.writer, steps, onShare));
  }

  async #copy(server: ServerConnection, chunks: Iterable<Buffer>): Promise<void> {
    const names = this.#columns.map(({ name }) => `"${name}"`).join(', ');
    await server.guard(() => {
      const copy = server.client.query(copyStreams.from(`COPY ${this.#table} (${names}) FROM STDIN (FORMAT binary)`));
      // A stream of a file would close it when it fails.
      return pipeline(Readable.from(chunks), copy);
    });
  }

  close(): void {
    fs.closeSync(this.#descriptor);
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
