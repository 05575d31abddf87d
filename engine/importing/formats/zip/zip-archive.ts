/** Zip archives, unpacked into a temporary folder that is removed after reading. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporaryDiskError } from '../../../store/temporary-disk.ts';
import { runInWorker } from '../bytes/run-in-worker.ts';

export interface UnzipInput {
  readonly zip: string;
  readonly folder: string;
  /** A regular expression: unpacks only matching names. */
  readonly only?: string;
}

export interface ZipMember {
  /** Name in the archive. */
  readonly name: string;
  /** Path after unpacking. */
  readonly path: string;
}

export interface Unpacked {
  readonly members: readonly ZipMember[];
  close(): void;
}

/** A state's parcels take minutes to unpack; no valid archive takes an hour. */
const limits = { milliseconds: 15 * 60_000, heapMegabytes: 256 };

/** A new folder for files needed only during reading; its name tells which process owns it. */
export const temporaryFolder = (): string => {
  try {
    return fs.mkdtempSync(path.join(os.tmpdir(), `platbook-read-${process.pid}-`));
  } catch (error) {
    throw temporaryDiskError(error);
  }
};

const zipMarks = ['PK\x03\x04', 'PK\x05\x06'];

/** An archive begins with its first entry, an empty one with its end record. */
export const isZip = (head: Buffer): boolean => zipMarks.includes(head.toString('latin1', 0, 4));

/** @throws EngineError import_refused; leaves no temporary files */
export function unpackZip(filePath: string, only?: string): Unpacked {
  const folder = temporaryFolder();
  const close = () => fs.rmSync(folder, { recursive: true, force: true });
  try {
    const input: UnzipInput = { zip: filePath, folder, ...(only ? { only } : {}) };
    return { members: runInWorker<UnzipInput, ZipMember[]>('zip/unzip-worker', input, filePath, limits), close };
  } catch (error) {
    close();
    throw error;
  }
}
