/** Walks forward over a file, window by window, by offsets the format gives: sequential reads stay in one buffer. */
import fs from 'node:fs';
import { openForReading } from './byte-window.ts';

const windowBytes = 1024 * 1024;

export class FileCursor {
  readonly path: string;
  readonly size: number;
  readonly #descriptor: number;
  #buffer = Buffer.alloc(windowBytes);
  #start = 0;
  #end = 0;

  constructor(filePath: string) {
    this.path = filePath;
    this.#descriptor = openForReading(filePath);
    this.size = fs.fstatSync(this.#descriptor).size;
  }

  /**
   * Bytes of the file, valid until the next call; fewer at its end. Limit `length` to what the format allows: a damaged
   * count must not allocate gigabytes.
   */
  read(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#end) this.#fill(offset, length);
    const at = offset - this.#start;
    return this.#buffer.subarray(at, Math.max(at, Math.min(at + length, this.#end - this.#start)));
  }

  #fill(offset: number, length: number): void {
    const wanted = Math.min(length, Math.max(this.size - offset, 0));
    if (wanted > this.#buffer.length) this.#buffer = Buffer.alloc(Math.max(wanted, this.#buffer.length * 2));
    let got = 0;
    for (;;) {
      const count = fs.readSync(this.#descriptor, this.#buffer, got, this.#buffer.length - got, offset + got);
      got += count;
      if (count === 0 || got >= wanted) break;
    }
    this.#start = offset;
    this.#end = offset + got;
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}
