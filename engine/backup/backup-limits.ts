/**
 * What a backup may hold. Asked when one is written, so that what is written can always be read back, and when one is
 * read: it may come from anywhere.
 */
import { homeFiles, isSideFile } from './home-files.ts';
import { manifestName } from './manifest.ts';

/** Three databases, a manifest, and every mapping that somebody may ever keep; the directory of a zip counts to 65,535. */
const maxFiles = 10_000;
const maxSideBytes = 1 << 20;
const maxManifestBytes = 64 << 20;
/** At the level at which backups are packed nothing shrinks to less than 1 in 300; what does was made to fill a disk. */
const maxRatio = 400;
const harmlessBytes = 64 << 20;

export const isDatabase = (name: string): boolean => homeFiles.some((file) => file.name === name);

const grouped = (value: number): string => value.toLocaleString('en-US');

const mostBytes = (name: string): number => {
  if (isDatabase(name)) return Number.POSITIVE_INFINITY;
  return name === manifestName ? maxManifestBytes : maxSideBytes;
};

/** A clause that says what is wrong with so many files, the manifest among them; null: nothing. */
export const countProblem = (files: number): string | null =>
  files > maxFiles ? `it holds more than ${grouped(maxFiles)} files` : null;

/** The same of a name. */
export const nameProblem = (name: string): string | null =>
  name === manifestName || isDatabase(name) || isSideFile(name)
    ? null
    : `it holds ${JSON.stringify(name.slice(0, 60))}, which no backup does`;

/** The same of a file. @param packed its bytes in the zip, where they are known */
export const sizeProblem = (name: string, bytes: number, packed: number | null): string | null =>
  bytes > mostBytes(name) || (packed !== null && bytes > harmlessBytes && bytes > packed * maxRatio)
    ? `${name} in it would be ${grouped(bytes)} bytes, more than it can be`
    : null;
