/**
 * The record of a raster: path, size and hash. A county's raster has a billion cells, so the land file does not store it;
 * while the same file is in place, slopes can be computed again without the user.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export interface RasterRecord {
  /** Absolute path on this computer. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export async function recordRaster(file: string): Promise<RasterRecord> {
  return { path: path.resolve(file), bytes: fs.statSync(file).size, sha256: await hashOf(file) };
}

/** A path of Windows to another computer: the record may be a stranger's, and asking for it would show who asks. */
const isElsewhere = (file: string): boolean => /^[\\/]{2}/.test(file);

/** Whether a file of the same size is at its path; does not read it. */
export function isStanding({ path: file, bytes }: RasterRecord): boolean {
  if (isElsewhere(file)) return false;
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === bytes;
}

/** Whether the file at its path has the same content; reads it whole. */
export const isUnchanged = async (raster: RasterRecord): Promise<boolean> =>
  isStanding(raster) && (await hashOf(raster.path)) === raster.sha256;
