/**
 * A raster is not kept in the land file, a county's has a billion cells: only where it lay and what it was. While the very
 * same file is there, slopes can be computed again without the user.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

export interface RasterRecord {
  /** On this computer, absolute. */
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

/** Whether a file of its size is where it lay: what can be said without reading it. */
export function isStanding({ path: file, bytes }: RasterRecord): boolean {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === bytes;
}

/** Whether the very same file is there. */
export const isUnchanged = async (raster: RasterRecord): Promise<boolean> =>
  isStanding(raster) && (await hashOf(raster.path)) === raster.sha256;
