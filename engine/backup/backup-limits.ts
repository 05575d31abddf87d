/**
 * Limits of what a backup may hold: number of files, names, sizes. Checked on writing, so that every backup can be
 * restored, and on reading, since the file may come from anywhere.
 */
import { grouped } from '../spec/counted.ts';
import { mostPhotoBytes } from '../spec/field-limits.ts';
import { homeFiles, isPhotoFile, isSideFile } from './home-files.ts';
import { manifestName } from './manifest.ts';

/** Three databases, a manifest, the kept mappings and at most 5,000 photos; a zip directory can count to 65,535. */
const maxFiles = 10_000;
const maxSideBytes = 1 << 20;
const maxManifestBytes = 64 << 20;
/** Backups are packed at a level that never shrinks below 1 in 300; a higher ratio is an attempt to fill the disk. */
const maxRatio = 400;
const harmlessBytes = 64 << 20;

const isDatabase = (name: string): boolean => homeFiles.some((file) => file.name === name);

const mostBytes = (name: string): number => {
  if (isDatabase(name)) return Number.POSITIVE_INFINITY;
  if (isPhotoFile(name)) return mostPhotoBytes;
  return name === manifestName ? maxManifestBytes : maxSideBytes;
};

/** The problem with this number of files (manifest included), as a clause; null if none. */
export const countProblem = (files: number): string | null =>
  files > maxFiles ? `it holds more than ${grouped(maxFiles)} files` : null;

/** The problem with a file's name, as a clause; null if none. */
export const nameProblem = (name: string): string | null =>
  name === manifestName || isDatabase(name) || isSideFile(name)
    ? null
    : `it holds ${JSON.stringify(name.slice(0, 60))}, which no backup does`;

/** The problem with a file's size, as a clause; null if none. @param packed its bytes in the zip, if known */
export const sizeProblem = (name: string, bytes: number, packed: number | null): string | null =>
  bytes > mostBytes(name) || (packed !== null && bytes > harmlessBytes && bytes > packed * maxRatio)
    ? `${name} in it would be ${grouped(bytes)} bytes, more than a backup may hold`
    : null;
