/** Tells whether a photo is the one that was added: by its size and time, else by its head and tail. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';

export interface FileMark {
  readonly bytes: number;
  readonly writtenMs: number;
  /** Of its head, its tail and its length. */
  readonly fingerprint: string;
}

const markBytes = 64 * 1024;

export function markOf(filePath: string): FileMark {
  const { size, mtimeMs } = fs.statSync(filePath);
  const hash = createHash('sha256').update(String(size));
  const descriptor = fs.openSync(filePath, 'r');
  try {
    for (const at of [0, Math.max(0, size - markBytes)]) {
      const bytes = Buffer.alloc(Math.min(size, markBytes));
      fs.readSync(descriptor, bytes, 0, bytes.length, at);
      hash.update(bytes);
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return { bytes: size, writtenMs: mtimeMs, fingerprint: hash.digest('hex') };
}

const quarterHour = 15 * 60 * 1000;

/** Whether the file is the one that was added. Times on a stick move with the time zone, by quarters of an hour. */
export function isSameFile(filePath: string, { bytes, writtenMs, fingerprint }: FileMark): boolean {
  const found = fs.statSync(filePath, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size !== bytes) return false;
  const away = Math.abs(found.mtimeMs - writtenMs);
  return (
    away < 2500 ||
    (away % quarterHour < 2500 && away < 57 * quarterHour) ||
    markOf(filePath).fingerprint === fingerprint
  );
}
