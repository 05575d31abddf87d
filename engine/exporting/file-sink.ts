/**
 * Writes files piece by piece, whole or not at all. Pieces wait in memory until `flush`, which writers call after each
 * batch of rows, so that an export of any size needs the memory of one batch.
 */
import fs from 'node:fs';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import { holdFolder, makeFolderBeside } from './open-folders.ts';

/** The target of a writer: a file, or an entry of a zip archive. */
export interface Sink {
  put(chunk: string | Uint8Array): void;
  flush(): Promise<void>;
}

/** A target whose earlier bytes can be overwritten, for counts known only at the end. */
export interface PatchableSink extends Sink {
  /** Bytes put so far, which is the offset of the next one. */
  readonly position: number;
  patch(position: number, bytes: Uint8Array): Promise<void>;
}

export class FileSink implements PatchableSink {
  readonly #handle: fs.promises.FileHandle;
  #waiting: Uint8Array[] = [];
  position = 0;

  private constructor(handle: fs.promises.FileHandle) {
    this.#handle = handle;
  }

  /** Fails if the file exists: nothing is overwritten in place. Exports hold people, so that no other user may read it. */
  static async create(filePath: string): Promise<FileSink> {
    return new FileSink(await fs.promises.open(filePath, 'wx', 0o600));
  }

  put(chunk: string | Uint8Array): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#waiting.push(bytes);
    this.position += bytes.length;
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    await this.#writeAt(this.position - bytes.length, bytes);
  }

  async patch(position: number, bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#writeAt(position, bytes);
  }

  async #writeAt(position: number, bytes: Uint8Array): Promise<void> {
    // One call may write only a part.
    for (let at = 0; at < bytes.length; ) {
      at += (await this.#handle.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
    }
  }

  /** Syncs to the disk before it returns: a file renamed earlier can be empty after a power cut. */
  async finish(): Promise<void> {
    await this.flush();
    await this.#handle.sync();
    await this.#handle.close();
  }

  async abandon(): Promise<void> {
    this.#waiting = [];
    await this.#handle.close().catch(() => {});
  }
}

/** Runs `write` on a new file and always closes it. */
export async function withFile<Result>(filePath: string, write: (sink: FileSink) => Promise<Result>): Promise<Result> {
  const sink = await FileSink.create(filePath);
  try {
    const result = await write(sink);
    await sink.finish();
    return result;
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}

/**
 * Makes a file appear whole or not at all: `write` makes it in a folder beside the target, then it is renamed. If anything
 * fails, an earlier file stays.
 * @param write receives the path to write and a folder for temporary files, which is removed afterwards
 * @throws EngineError disk_full, file_read_only, file_missing, usage
 */
export async function writeWhole<Result>(
  target: string,
  write: (temporary: string, folder: string) => Promise<Result>,
): Promise<Result> {
  try {
    // The rename would fail as well, but only after all the work.
    if ((await fs.promises.stat(target).catch(() => null))?.isDirectory()) throw isFolder(target);
    const folder = await makeFolderBeside(target);
    const release = holdFolder(folder);
    try {
      const temporary = path.join(folder, 'whole');
      const result = await write(temporary, folder);
      await fs.promises.rename(temporary, target);
      return result;
    } finally {
      await fs.promises.rm(folder, { recursive: true, force: true });
      release();
    }
  } catch (error) {
    throw namedWriteError(error, target);
  }
}

/** What is said of an earlier file that is protected, or open on Windows. */
const keptCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EBUSY']);

/** What the file system says, by the names of spec/errors.ts. */
function namedWriteError(error: unknown, target: string): unknown {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const name = path.basename(target);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG' || code === 'disk_full') {
    return new EngineError(
      'disk_full',
      `The disk is full: ${name} was not written, and nothing of it was left behind.`,
      {
        cause: error,
      },
    );
  }
  if (code === 'disk_trouble') {
    const words = `The disk of ${name} cannot be written: it may be full, failing or disconnected. Nothing was left behind.`;
    return new EngineError('disk_trouble', words, { cause: error });
  }
  if (syscall === 'rename' && keptCodes.has(code)) {
    const words = `${name} cannot be replaced (${code}): it is protected, or open in another program. It stays as it was.`;
    return new EngineError('file_read_only', words, { cause: error });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new EngineError('file_read_only', `${path.dirname(target)} cannot be written (${code}).`, { cause: error });
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new EngineError('file_missing', `Expected the folder ${path.dirname(target)}, found none.`, {
      cause: error,
    });
  }
  if (code === 'EISDIR' || code === 'ENOTEMPTY') {
    return isFolder(target, error);
  }
  return error;
}

const isFolder = (target: string, cause?: unknown): EngineError =>
  new EngineError('usage', `Expected the name of a file, found the folder ${target}.`, { cause });
