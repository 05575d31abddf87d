/** Zip archives, unpacked into a temporary folder that goes when the reading is over. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporaryDiskError } from '../../../store/temporary-disk.ts';
import { runInWorker } from '../bytes/run-in-worker.ts';

export interface UnzipInput {
  readonly zip: string;
  readonly folder: string;
  /** A regular expression: unpacks only what has such a name. */
  readonly only?: string;
}

export interface ZipMember {
  /** As the archive names it. */
  readonly name: string;
  /** Where it lies now. */
  readonly path: string;
}

export interface Unpacked {
  readonly members: readonly ZipMember[];
  close(): void;
}

/** A state's parcels take minutes to unpack; an archive that takes an hour is none. */
const limits = { milliseconds: 15 * 60_000, heapMegabytes: 256 };

/** A new folder for what is needed only while a file is read; its name says whose it is. */
export const temporaryFolder = (): string => {
  try {
    return fs.mkdtempSync(path.join(os.tmpdir(), `platbook-read-${process.pid}-`));
  } catch (error) {
    throw temporaryDiskError(error);
  }
};

const zipMarks = ['PK\x03\x04', 'PK\x05\x06'];

/** An archive begins with its first entry, an empty one with its end. */
export const isZip = (head: Buffer): boolean => zipMarks.includes(head.toString('latin1', 0, 4));

/** @throws EngineError import_refused; nothing is left behind then */
export function unpackZip(filePath: string, only?: string): Unpacked {
  const folder = temporaryFolder();
  const close = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const input: UnzipInput = { zip: filePath, folder, ...(only ? { only } : {}) };
    return { members: runInWorker<UnzipInput, ZipMember[]>('../zip/unzip-worker', input, filePath, limits), close };
  } catch (error) {
    close();
    throw error;
  }
}
