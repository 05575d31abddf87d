/**
 * A window that slides over a file of any size, read synchronously: an import's transaction may not wait for a promise.
 */
import fs from 'node:fs';
import { fileStatus } from '../../../plain-file.ts';
import { EngineError } from '../../../spec/errors.ts';

const chunkBytes = 1024 * 1024;

function named<Result>(filePath: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    throw new EngineError('file_missing', `${filePath} cannot be read (${code}).`, { cause: error });
  }
}

/** Opens a file for reading; a missing file is the caller's error, named. */
export function openForReading(filePath: string): number {
  return named(filePath, () => {
    fileStatus(filePath);
    return fs.openSync(filePath, 'r');
  });
}

/**
 * When a file or folder was written (milliseconds since 1970), and its real path, which tells whether two names are the
 * same file.
 */
export function lookAtFile(filePath: string): { writtenAt: number; realPath: string } {
  return named(filePath, () => {
    const status = fs.statSync(filePath);
    const { mtimeMs: writtenAt } = status.isDirectory() ? status : fileStatus(filePath);
    return { writtenAt, realPath: fs.realpathSync(filePath) };
  });
}

/** Reads up to `length` bytes from the start of a file. */
export function readHead(filePath: string, length: number): Buffer {
  const descriptor = openForReading(filePath);
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, length, 0));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Every chunk of a file in turn. The buffer is reused for the next chunk. */
export function* readChunks(filePath: string): Generator<Buffer> {
  const descriptor = openForReading(filePath);
  try {
    const buffer = Buffer.alloc(chunkBytes);
    for (;;) {
      const count = fs.readSync(descriptor, buffer, 0, buffer.length, null);
      if (count === 0) return;
      yield buffer.subarray(0, count);
    }
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Bytes `start` to `end` of `buffer` are in view. `more()` reads further bytes and may move the kept ones to the front:
 * read positions again from the window after it.
 */
export class ByteWindow {
  buffer: Buffer;
  /** First byte that must be kept, as an index into `buffer`. */
  start = 0;
  end = 0;
  /** Offset in the file of `buffer[0]`. */
  base = 0;
  readonly #descriptor: number;
  readonly #maxKept: number;

  /** @param maxKept most bytes in view at once; beyond it `more()` returns 'full' */
  constructor(filePath: string, maxKept: number) {
    this.#descriptor = openForReading(filePath);
    this.#maxKept = maxKept;
    this.buffer = Buffer.alloc(chunkBytes);
  }

  /** Offset in the file of a position in the buffer. */
  offsetOf(position: number): number {
    return this.base + position;
  }

  /** Moves the kept bytes to the front and reads on. 'full' if more are kept than allowed. */
  more(): 'read' | 'end' | 'full' {
    const kept = this.end - this.start;
    if (kept >= this.#maxKept) return 'full';
    if (kept * 2 > this.buffer.length) {
      const larger = Buffer.alloc(this.buffer.length * 2);
      this.buffer.copy(larger, 0, this.start, this.end);
      this.buffer = larger;
    } else if (this.start > 0) {
      this.buffer.copy(this.buffer, 0, this.start, this.end);
    }
    this.base += this.start;
    this.start = 0;
    this.end = kept;
    const count = fs.readSync(this.#descriptor, this.buffer, kept, this.buffer.length - kept, null);
    this.end += count;
    return count === 0 ? 'end' : 'read';
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}
