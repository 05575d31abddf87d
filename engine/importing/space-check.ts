/** Is there room for an import? Asked before anything is written, because a disk that fills half-way stops everything else. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EngineError } from '../spec/errors.ts';
import type { LandStore } from '../store/land-store.ts';
import { makeRoom } from '../store/temporary-disk.ts';
import type { ImportOptions } from './import-options.ts';

/** Staging, the log of the transaction and the file itself hold the data at once, for a moment (reliability.md). */
const factor = 2.5;
/** A zip of parcels unpacks to about so many times its size. */
const zipFactor = 5;

export interface SpaceEstimate {
  /** Bytes that the import may need, undo file included. */
  readonly needed: number;
  /** Bytes that are free where the home lies. */
  readonly free: number;
  /** Where staging goes and archives are unpacked, when that is another disk than the home's. */
  readonly temporary?: { readonly folder: string; readonly needed: number; readonly free: number };
}

const isPacked = (file: string): boolean => /\.(zip|xlsx)$/i.test(file);

function sizeOf(file: string): number {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (stats.isDirectory()) {
    return fs.readdirSync(file).reduce((sum, name) => sum + (fs.statSync(path.join(file, name)).size ?? 0), 0);
  }
  return isPacked(file) ? stats.size * zipFactor : stats.size;
}

/** The parts of a Shapefile lie beside the one that is named. */
function sizeOfParcels(file: string): number {
  if (!/\.shp$/i.test(file)) return sizeOf(file);
  const stem = file.slice(0, -'.shp'.length);
  return ['.shp', '.dbf', '.SHP', '.DBF'].reduce((sum, ending) => sum + sizeOf(stem + ending), 0);
}

export function estimateSpace({ file }: LandStore, home: string, options: ImportOptions): SpaceEstimate {
  const given = (options.files ?? []).reduce((sum, each) => sum + sizeOfParcels(each), 0);
  const table = options.joinFile === undefined ? 0 : sizeOf(options.joinFile);
  // At most every row of the county is replaced, and kept in the undo file.
  const standing = file.get('SELECT 1 FROM parcels LIMIT 1') === undefined ? 0 : Math.min(sizeOf(file.path), 2 * given);
  const needed = Math.ceil(factor * (given + table) + standing);
  const folder = os.tmpdir();
  if (fs.statSync(folder).dev === fs.statSync(home).dev) return { needed, free: freeOf(home) };
  const unpacked = (options.files ?? []).filter(isPacked).reduce((sum, each) => sum + sizeOf(each), 0);
  return { needed, free: freeOf(home), temporary: { folder, needed: given + unpacked, free: freeOf(folder) } };
}

function freeOf(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en-US')} MB`;

/** @throws EngineError disk_full */
export function expectSpace(land: LandStore, home: string, options: ImportOptions): void {
  if (!options.files) return;
  const { needed, free, temporary } = (options.space ?? estimateSpace)(land, home, options);
  if (needed > free) {
    throw new EngineError(
      'disk_full',
      `This import may need ${megabytes(needed)} for a while, and ${megabytes(free)} are free on the disk of ${home}. Make room, or keep the home on another disk; nothing was changed.`,
    );
  }
  if (temporary && temporary.needed > temporary.free) {
    throw new EngineError(
      'disk_full',
      `This import may need ${megabytes(temporary.needed)} for a while where ${megabytes(temporary.free)} are free, and nothing was changed: ${makeRoom()}.`,
    );
  }
}
