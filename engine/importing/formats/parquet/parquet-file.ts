/** A file read at any place, synchronously: an import's transaction may not wait for a promise. */
import fs from 'node:fs';
import { openForReading } from '../bytes/byte-window.ts';

export class RandomFile {
  readonly path: string;
  readonly size: number;
  readonly #descriptor: number;

  constructor(filePath: string) {
    this.path = filePath;
    this.#descriptor = openForReading(filePath);
    this.size = fs.fstatSync(this.#descriptor).size;
  }

  /** Bytes of their own; fewer at the end of the file. */
  read(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, this.size - offset)));
    let got = 0;
    while (got < bytes.length) {
      const count = fs.readSync(this.#descriptor, bytes, got, bytes.length - got, offset + got);
      if (count === 0) break;
      got += count;
    }
    return bytes.subarray(0, got);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}
